"""Fast counts of players equal the counts of the rules."""

import random

import pytest

from fifteentwo.analysis.win.counting import held_points, mean_points, played_points, rank_points, ranks_of
from fifteentwo.rules import pegging, show
from fifteentwo.rules.cards import DECK, Card, cards

HANDS = 400


@pytest.mark.parametrize("size", [3, 4])
def test_mean_points_average_the_show_over_all_unseen_starters(size: int) -> None:
    luck = random.Random(size)
    for _ in range(HANDS // 8):
        dealt = luck.sample(DECK, size + 2)
        kept = tuple(dealt[:size])
        unseen = [card for card in DECK if card not in dealt]
        exact = sum(show.points(kept, starter) for starter in unseen) / len(unseen)
        assert mean_points([kept], unseen)[0] == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("kept", ["5H 6H 7H 8H", "JS QS KS", "5C 5D 5S JH", "2D 4D 6D"])
def test_r85_r103_mean_points_count_flushes_and_nobs(kept: str) -> None:
    held = cards(kept)
    unseen = [card for card in DECK if card not in held]
    exact = sum(show.points(held, starter) for starter in unseen) / len(unseen)
    assert mean_points([held], unseen)[0] == pytest.approx(exact, abs=1e-12)


def test_rank_points_are_fifteens_pairs_and_runs() -> None:
    luck = random.Random(9)
    for _ in range(HANDS):
        hand = luck.sample(DECK, 5)
        scores = show.scores(hand[:4], hand[4])
        plain = sum(score.points for score in scores if score.name.value not in ("flush", "nobs"))
        assert rank_points(ranks_of(hand)) == plain


def test_r68_r75_played_points_are_those_of_pegging() -> None:
    luck = random.Random(4)
    checked = 0
    while checked < 3_000:
        # Few ranks make many pairs and runs.
        deck = luck.sample(DECK[:20] if checked % 2 else DECK, 9)
        pile: list[Card] = []
        for card in deck:
            count = sum(other.value for other in pile)
            if count + card.value > 31:
                break
            before = tuple(other.index >> 2 for other in pile)
            pile.append(card)
            exact = sum(score.points for score in pegging.scores(pile))
            assert played_points(before, count, card.index >> 2) == exact
            checked += 1


def test_held_points_need_no_starter() -> None:
    assert held_points(cards("5H 5S 5D JC")) == 14
    assert held_points(cards("5H 6H 7H 8H")) == 2 + 4 + 4
    assert held_points(cards("2H 2S")) == 2
    assert held_points(cards("2H 4H")) == 0
