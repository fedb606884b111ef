"""Games begun by earlier rules of dealing: their records, and how they go on.

Everything in `earlier` was written by the program as it was before people's places followed from the seeds.
"""

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fifteentwo.rules.actions import Cut, Deal
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.record import ALL_PLACES, FREE_PLACES, ONE_SECRET, read, write
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import view
from fifteentwo.server.errors import DealingRefuted
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.proofs import verify
from fifteentwo.server.table_log.rows import Row
from tests.dealing.crooked import resummed
from tests.dealing.games import at_random, moves, played, seed_of
from tests.support.command_runs import run
from tests.support.dealing_records import by_the_page, deals_of

EARLIER = Path(__file__).parent / "earlier"
RECORDS = {path.name: path.read_text(encoding="utf-8") for path in sorted(EARLIER.glob("*.txt"))}


def kept(name: str) -> Ledger:
    """A table from its rows."""
    found = json.loads((EARLIER / name).read_text(encoding="utf-8"))
    rows = [msgspec.convert(row, Row) for row in found["rows"]]
    return Ledger(rules_for(found["form"], **found.get("options", {})), rows=rows)


def rules_of(name: str) -> int:
    return ONE_SECRET if name.startswith("one-secret") else FREE_PLACES


def test_records_of_version_1_are_read_verified_and_written_in_version_2() -> None:
    assert len(RECORDS) == 8
    for name, text in RECORDS.items():
        record = read(text)
        assert read(write(record)) == record
        assert record.dealt_by == rules_of(name)
        assert verify(record, record.commitment) > deals_of(record)


def test_the_pages_program_verifies_them_too(tmp_path: Path) -> None:
    for text, stated in zip(
        RECORDS.values(), by_the_page([(text, "") for text in RECORDS.values()], tmp_path), strict=True
    ):
        assert stated == {"deals": deals_of(read(text)), "wrong": None, "deal": None, "seat": None}


@pytest.mark.parametrize(("lang", "steered"), [("en", "could steer"), ("ja", "操れました")])
def test_verify_says_by_which_rules_a_record_was_dealt(lang: str, steered: str) -> None:
    for name, text in {**RECORDS, "now": write(played(0))}.items():
        stated = run("verify", "-", "--lang", lang, given=text).stdout
        earlier = name != "now"
        assert (steered in stated) == earlier, name
        result = json.loads(run("verify", "-", "--json", given=text).stdout)
        assert result["dealing"] == (rules_of(name) if earlier else ALL_PLACES)


def test_a_game_goes_on_by_the_rules_it_was_begun_with(tmp_path: Path) -> None:
    ledger = kept("open-game.json")
    assert ledger.table.state.deal == 3
    chosen, rng = 0, random.Random(8)

    def choose(seen: Any) -> Any:
        nonlocal chosen
        action = at_random(rng)(seen)
        if isinstance(action, Cut):
            chosen += 1
            return Cut(action.seat, 9)
        return action

    for _ in moves(ledger, choose):
        pass
    record = ledger.record(1, ("Aiko", "club"))
    assert (record.dealt_by, record.dealing) == (FREE_PLACES, 0)
    own = [action for action in record.actions if isinstance(action, Cut) and action.seat == 0]
    assert [cut.at for cut in own[-chosen:]] == [9] * chosen
    assert chosen > 3
    assert verify(record) > 0
    [stated] = by_the_page([(write(record), "")], tmp_path)
    assert stated["wrong"] is None


def test_a_dealer_is_still_named_after_the_seeds_where_a_game_was_begun_so() -> None:
    ledger = kept("unnamed-game.json")
    assert (ledger.table.state.phase, ledger.awaited) == (Phase.NAME_DEALER, (0,))
    ledger.add(proposals.reveal(ledger, 0, seed_of("0/named").hex()))
    for _ in moves(ledger, at_random(random.Random(2))):
        pass
    assert verify(ledger.record(1, ("", ""))) > 0


def test_a_record_cannot_be_passed_off_as_one_of_other_rules(tmp_path: Path) -> None:
    """People's places of an earlier game are refuted; unknown rules, or rules without seeds, are refused."""
    earlier = RECORDS["free-places-0.txt"].splitlines()[:-1]
    place = next(at for at, line in enumerate(earlier) if line.startswith("commitment "))

    def claiming(line: str, lines: list[str]) -> str:
        return resummed([*lines[: place + 1], line, *lines[place + 1 :]])

    text = claiming("dealing 3", earlier)
    with pytest.raises(DealingRefuted) as error:
        verify(read(text))
    assert error.value.code in ("draw-not-as-committed", "cut-not-as-committed")
    unknown = claiming("dealing 4", earlier)
    with pytest.raises(NotationError, match="dealing-unknown"):
        read(unknown)
    one = RECORDS["one-secret.txt"].splitlines()[:-1]
    unfounded = claiming("dealing 3", one)
    with pytest.raises(NotationError, match="dealing-unknown"):
        read(unfounded)
    stated = list(by_the_page([(text, ""), (unknown, ""), (unfounded, "")], tmp_path))
    assert stated[0]["wrong"] in ("draw", "cut")
    assert [one["wrong"] for one in stated[1:]] == ["unknown-rules"] * 2


def test_an_earlier_program_does_not_go_on_with_a_game_of_these_rules() -> None:
    """It knows no row of this type; so it cannot deal by its own rules what pages check by these."""
    row = proposals.new_game(Ledger(rules_for("six-card")), seed_of("x"), (0,))
    assert row.type == "began-3"
    assert "began-3" not in {
        row["type"] for row in json.loads((EARLIER / "open-game.json").read_text(encoding="utf-8"))["rows"]
    }


def test_what_is_dealt_is_the_same_by_either_rules() -> None:
    """Only people's places differ: what a page of an earlier version checks still fits."""
    ledger = kept("open-game.json")
    assert ledger.seeds is not None
    dealt = [action for action in ledger.table.actions if isinstance(action, Deal)]
    assert len(dealt) == 3
    assert ledger.seeds.order(ledger.match.seating) == ()
    assert msgspec.structs.replace(ledger.seeds, rules=ALL_PLACES).order((0, 1)) == (1, 0)
    assert view(ledger.table.state, 0).deal == 3
