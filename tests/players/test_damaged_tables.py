"""A level names a damaged table and plays as a weaker level."""

from functools import cache

import pytest

from fifteentwo.analysis.rollouts import playouts
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table
from fifteentwo.players import club, expert, master, player
from fifteentwo.rules.actions import Play
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View, view
from fifteentwo.strategy import five_card
from fifteentwo.strategy.files import DamagedTable


def damaged(*_: object) -> None:
    raise DamagedTable("pegging.book", "its contents are not what its digest says")


@cache
def asked(variant: str = "six-card") -> tuple[View, ...]:
    """Every View of a game of two clubs at which a seat had to act."""
    found: list[View] = []
    table = Table(rules_for(variant), seeded(0))
    players = [player("club", seat) for seat in range(2)]
    while not table.over:
        seat = table.waiting[0]
        found.append(view(table.state, seat))
        table.submit(seat, players[seat].act(found[-1]))
    return tuple(found)


@pytest.mark.parametrize("table", ["load_pegging_book", "provenance"])
def test_expert_says_what_is_damaged_and_plays_as_club(monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    views = asked()
    monkeypatch.setattr(expert, table, damaged)
    hurt = expert.Expert(5)
    assert hurt.trouble is not None
    assert hurt.trouble.name == "pegging.book"
    sound = club.Club(5)
    assert [hurt.act(seen) for seen in views] == [sound.act(seen) for seen in views]


@pytest.mark.parametrize("table", ["board", "pegging_gains"])
def test_master_without_a_table_plays_as_expert(monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    views = asked()
    monkeypatch.setattr(master, table, damaged)
    hurt = master.Master(5)
    assert hurt.trouble is not None
    lesser = expert.Expert(5)
    assert [hurt.act(seen) for seen in views] == [lesser.act(seen) for seen in views]


@pytest.mark.parametrize("level", ["expert", "master"])
def test_whole_tables_bring_no_trouble_and_another_game(level: str) -> None:
    sound = player(level, 5)
    assert getattr(sound, "trouble", "none") is None
    lesser = player("club", 5)
    assert any(sound.act(seen) != lesser.act(seen) for seen in asked())


def test_a_master_with_damaged_tables_still_finishes_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expert, "load_pegging_book", damaged)
    monkeypatch.setattr(master, "board", damaged)
    table = Table(rules_for("six-card"), seeded(1))
    play_out(table, [player("master", 1), player("master", 2)])
    assert table.over


def test_expert_without_the_five_card_table_plays_by_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    views = asked("five-card")
    plays = [seen for seen in views if len({card.rank for card in seen.playable}) > 1 and seen.starter]
    monkeypatch.setattr(five_card, "provenance", damaged)
    # Rollouts that say: the lowest card.
    monkeypatch.setattr(
        playouts, "card_values", lambda seen, *_: {c.index >> 2: -c.index for c in seen.playable}
    )
    hurt = expert.Expert(5)
    lowest = [Play(seen.seat, min(seen.playable)) for seen in plays]
    assert [hurt.play(seen) for seen in plays] == lowest
    monkeypatch.undo()
    assert [hurt.play(seen) for seen in plays] != lowest
