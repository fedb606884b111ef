"""The time to challenge a claim (R97). After it the table accepts for everyone who was asked."""

import time
from pathlib import Path

import msgspec
import pytest

from fifteentwo.rules.actions import Accept
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.live.challenge_clock import ChallengeClock
from fifteentwo.server.pages import site
from tests.support.claims import asked, strict
from tests.support.clocked_tables import Time, at_a_table
from tests.support.live_server import Person


@pytest.fixture(autouse=True)
def short_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "CHALLENGE_SECONDS_CHOICES", ("0.4", "60"))


def test_r97_claim_is_accepted_when_the_challenge_time_ends(aiko: Person) -> None:
    with aiko.at_table(**strict()) as page:
        sent = asked(page)
        assert page.waiting["seats"] == [0]
        assert 0 < page.waiting["challenge_seconds_left"] <= 0.4
        v = page.v
        while page.v == v:
            page.until("waiting")
        # The challenge time starts after the action before the claim, even if this program reads it late.
        assert time.monotonic() - sent > 0.39
        assert page.events[v + 1] == {"type": "Accepted", "seat": 0}
        settled = page.events[v + 2]
        assert settled is not None
        assert settled["type"] == "ClaimSettled"
        assert settled["caller"] is None
        page.settle()
        while page.view["phase"] == "challenge":
            # The time for another claim passes too.
            page.until("waiting")
            page.settle()
        page.send("act", {"type": "CallMuggins", "seat": 0})
        refused = page.until("refused")["d"]
        assert refused["code"] in ("not-now", "out-of-turn")
        assert refused["rule"] == "R97"


def test_r97_challenge_in_time_is_accepted(aiko: Person) -> None:
    with aiko.at_table(**strict("missed-and-overclaims", challenge_seconds="60")) as page:
        asked(page)
        v = page.v
        page.act({"type": "CallMuggins", "seat": 0})
        assert page.events[v + 1] == {"type": "MugginsCalled", "seat": 0}


async def test_challenge_time_does_not_run_while_no_page_is_open(tmp_path: Path) -> None:
    rules = rules_for("six-card", counting="claimed", muggins="missed")
    async with at_a_table(tmp_path, Time(), None, rules) as table:
        table.live.options = msgspec.structs.replace(table.live.options, challenge_seconds=60)
        for _ in range(200):
            if table.ledger.table.state.phase is Phase.CHALLENGE:
                break
            await table.act(table.asked()[0])
        (person,) = table.asked()
        clock = table.live.part(ChallengeClock)
        for _ in range(2):
            assert 0 < (clock.seconds_left() or 0) <= 60
            table.go(0, 1)
            assert clock.seconds_left() is None
            await table.come(0, 1)
        await table.live.act(person, Accept(table.ledger.seat_of(person)))
        assert clock.seconds_left() is None


def test_claimer_and_partner_cannot_challenge(aiko: Person) -> None:
    with aiko.at_table("partners", **strict()) as page:
        for _ in range(300):
            page.settle()
            if page.view["phase"] == "claim" or page.view["won"]:
                break
            page.send("act", page.choices[-1])
            page.choices = []
            while page.hear()["t"] not in ("waiting", "refused"):
                pass
        assert page.view["phase"] == "claim"
        page.send("act", {"type": "CallMuggins", "seat": 0})
        refused = page.until("refused")["d"]
        assert (refused["code"], refused["rule"]) == ("not-now", "R97")
