"""The programs in README and the docs run as printed."""

import fifteentwo as ft


def test_score() -> None:
    assert ft.score("5H 5S 5D JC", starter="5C").points == 29


def test_discards() -> None:
    best = ft.discards("5H 5S 6D 7C JC KD", dealer=False, score=(110, 116))[0]
    assert [card.text for card in best.discard] == ["6D", "7C"]
    assert best.win is not None
    assert 0.44 < best.win < 0.46


def test_position() -> None:
    best = ft.Position("110-116 pone 5H5S6D7CJCKD").best()
    assert isinstance(best, ft.DiscardOption)
    assert [card.text for card in best.discard] == ["6D", "7C"]
    by_ranks = ft.Position("100-91* 5-6-8-Q-Q-K").best()
    assert isinstance(by_ranks, ft.DiscardOption)
    assert sorted(card.text[0] for card in by_ranks.discard) == ["6", "K"]
