"""The time to challenge a claim (R97). After it the table accepts for everyone who was asked."""

import time

import pytest

from fifteentwo.server.live.challenge_clock import ChallengeClock
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.pages import site
from tests.support.claims import asked, strict
from tests.support.live_server import Live


@pytest.fixture(autouse=True)
def short_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "CHALLENGE_SECONDS", ("0.4", "60"))


def test_r97_claim_is_accepted_when_the_challenge_time_ends(live: Live) -> None:
    with live.person() as aiko:
        game = aiko.new_game(**strict())
        with aiko.open(game) as page:
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


def test_r97_challenge_in_time_is_accepted(live: Live) -> None:
    with live.person() as aiko:
        game = aiko.new_game(**strict("missed-and-overclaims", challenge_seconds="60"))
        with aiko.open(game) as page:
            asked(page)
            v = page.v
            page.act({"type": "CallMuggins", "seat": 0})
            assert page.events[v + 1] == {"type": "MugginsCalled", "seat": 0}


def test_challenge_time_does_not_run_while_no_page_is_open(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []
    time_is_up = ChallengeClock._accept_after_timeout

    def noted(clock: ChallengeClock, table: LiveTable) -> None:
        looked.append(len(table.pages))
        time_is_up(clock, table)

    monkeypatch.setattr(ChallengeClock, "_accept_after_timeout", noted)
    with live.person() as aiko:
        for _ in range(10):
            game = aiko.new_game(**strict())
            with aiko.open(game) as page:
                asked(page)
                v = page.v
            time.sleep(0.8)
            with aiko.open(game, v=v) as page:
                page.until("waiting")
                assert all(looked), "the moment passed while no page was open"
                if page.v == v:
                    assert page.view["phase"] == "challenge"
                    assert 0.1 < page.waiting["challenge_seconds_left"] <= 0.4
                    return
            # This machine is very busy: the time was over before the page was closed.
    pytest.fail("the moment was always over before the page was closed")


def test_claimer_and_partner_cannot_challenge(live: Live) -> None:
    with live.person() as aiko:
        game = aiko.new_game("partners", **strict())
        with aiko.open(game) as page:
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
