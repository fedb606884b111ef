"""Undo against computers: only if nothing was learned since, and without deleting a row."""

import random
from pathlib import Path

import pytest

from fifteentwo.rules.events import Claimed, Discarded, Played
from tests.support.live_server import Page, Person, plain
from tests.support.stored import known_after, ledger_of, rows_of


def test_discard_can_be_undone_until_the_starter_is_turned(aiko: Person, database: Path) -> None:
    with aiko.at_table(first_dealer="named", cut_before_deal="no") as page:
        page.until("waiting")
        page.act({"type": "NameDealer", "dealer": 1})
        page.alone()
        hand = page.view["hand"]
        assert not page.may_undo(), "cards were dealt since"
        page.act({"type": "Discard", "seat": 0, "cards": hand[:2]})
        page.settle()
        assert page.view["phase"] == "cut-stock"
        assert page.may_undo()
        page.send("undo")
        page.until("table")
        assert (page.view["phase"], page.view["hand"]) == ("discard", hand)
        page.alone()
        page.act({"type": "Discard", "seat": 0, "cards": hand[2:4]})
        page.settle()
        assert page.view["discarded"] == hand[2:4]
        page.act({"type": "Cut", "seat": 0, "at": 10})
        assert not page.may_undo()
        page.send("undo")
        assert page.until("refused")["d"]["code"] == "nothing-to-undo"
    kinds = [row.type for row in rows_of(database, page.game)]
    assert kinds.count("undone") == 1
    assert ledger_of(database, page.game).v == page.v


@pytest.mark.parametrize(
    "variant",
    ["six-card", *(pytest.param(one, marks=pytest.mark.long) for one in ("five-card", "three-handed"))],
)
def test_undone_actions_never_revealed_a_card(aiko: Person, database: Path, variant: str) -> None:
    rng = random.Random(variant)
    undone = 0
    with aiko.at_table(variant, counting="claimed", muggins="missed", level_1="random") as page:
        for _ in range(150):
            page.settle()
            if page.view["won"]:
                break
            if page.may_undo() and rng.random() < 0.5 and undone < 12:
                undone += take_back(page)
                continue
            page.send("act", rng.choice(page.choices))
            page.choices = []
            while page.hear()["t"] not in ("waiting", "refused"):
                pass
        # The last request is answered, and its events are sent, before the log is read.
        page.send("lang", "en")
        page.until("table")
    lines = ledger_of(database, page.game).entries
    known = known_after(lines, 0)
    own: list[int] = []
    for v, line in enumerate(lines, start=1):
        if line.event is None:
            assert known[v - 1] == known[own.pop() - 1], "something was learned since"
        elif isinstance(line.event, Discarded | Played | Claimed) and line.event.seat == 0:
            own.append(v)
    assert sum(line.event is None for line in lines) >= undone > 0
    kept = ledger_of(database, page.game, page.v)
    assert kept.v == page.v
    assert plain(kept.table.state.front) == page.view["front"]


def take_back(page: Page) -> int:
    """Return 1 if undo succeeded; a computer may have shown a card at the same moment."""
    page.send("undo")
    while (message := page.hear())["t"] not in ("table", "refused"):
        pass
    if message["t"] == "table":
        page.until("waiting")
    return int(message["t"] == "table")


def test_undo_is_refused_between_people(aiko: Person, ken: Person) -> None:
    with aiko.at_table("three-handed", level_1="person", first_dealer="named", cut_before_deal="no") as page:
        page.until("waiting")
        ken.sit(page.table["invitations"][0]["path"])
        with ken.open(page.game) as other:
            other.until("waiting")
        page.until("table")
        page.act({"type": "NameDealer", "dealer": 1})
        page.act(page.choices[0])
        assert not page.may_undo()
        page.send("undo")
        assert page.until("refused")["d"]["code"] == "undo-against-computers-only"
