"""The models of the other side choose as the levels of the same name do."""

from collections import Counter

import numpy as np
import pytest

from fifteentwo.analysis.pegging.beliefs import history, next_beliefs, role_of
from fifteentwo.analysis.pegging.look_ahead import opponent_types
from fifteentwo.analysis.pegging.opponents import (
    BEGINNER,
    CASUAL,
    CLUB,
    card_probabilities,
    discard_policy,
    kept_probabilities,
)
from fifteentwo.fast.hands import SIZES, copies, hands, place
from fifteentwo.fast.play import END, play_rank
from fifteentwo.fast.plays import RANKS, Plays
from fifteentwo.library.position import Position
from fifteentwo.players import player
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.view import View
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.pegging import follow, starting
from fifteentwo.strategy.pegging_points import dealt_ranks
from tests.support.pegging_views import pegging_views

KINDS = {"club": CLUB, "casual": CASUAL, "beginner": BEGINNER}
SEEDS = 400


def model(kind: int, view: View) -> dict[int, float]:
    """Return how often a model plays each rank from the hand of this View."""
    assert view.starter is not None
    types = opponent_types(view.starter.index >> 2, 0.0, (kind,))
    ranks = tuple(sorted(card.index >> 2 for card in view.hand))
    position = follow(history(view), role_of(view, view.seat))
    pile = np.zeros((1, 16), np.int64)
    pile[0, : len(view.played)] = [card.index >> 2 for _, card in view.played]
    held = np.zeros((1, 1, SIZES[len(ranks)]))
    held[0, 0, place(len(ranks))[ranks]] = 1
    chances = next_beliefs(Plays(np.array([position.public]), pile), held, types).played[0, :, 0].sum(axis=1)
    return {rank: float(chances[rank]) for rank in np.flatnonzero(chances).tolist()}


@pytest.mark.parametrize("level", ["casual", "beginner"])
def test_cards_come_as_often_as_the_level_plays_them(level: str) -> None:
    for view in [one for one in pegging_views("club") if len(one.hand) > 1][::6]:
        if view.front[0] > 110:
            continue
        played: Counter[int] = Counter()
        for seed in range(SEEDS):
            action = player(level, seed).act(view)
            assert isinstance(action, Play)
            played[action.card.index >> 2] += 1
        expected = model(KINDS[level], view)
        assert sum(expected.values()) == pytest.approx(1)
        for rank in {*played, *expected}:
            chance = expected.get(rank, 0.0)
            error = (chance * (1 - chance) / SEEDS) ** 0.5
            # Levels see two cards of a rank apart, models see a rank.
            slack = 0.35 if len({card.rank for card in view.hand}) < len(view.hand) else 0.02
            assert abs(played[rank] / SEEDS - chance) <= 4 * error + slack, view


@pytest.mark.parametrize("level", list(KINDS))
@pytest.mark.parametrize("role", ["pone", "dealer"])
def test_discards_come_about_as_often_as_the_level_makes_them(level: str, role: str) -> None:
    apart, six = 0.0, ("2S3H6D9SJHQC", "5S6H6D7STHKC", "AS4H5D9SJHKC", "7S7H8D9SQHQC")
    for cards in six:
        view = Position(f"0-0 {role} {cards}").view()
        dealt = tuple(sorted(card.index >> 2 for card in view.hand))
        found: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
        for seed in range(100):
            action = player(level, seed).act(view)
            assert isinstance(action, Discard)
            given = tuple(sorted(card.index >> 2 for card in action.cards))
            kept = list(dealt)
            for rank in given:
                kept.remove(rank)
            found[tuple(kept), given] += 1
        who: Role = "dealer" if role == "dealer" else "pone"
        model = discard_policy(KINDS[level], who)
        row = dealt_ranks().tolist().index(list(dealt))
        for (stays, given), times in found.items():
            same = (model.kept[row] == place(4)[stays]) & (model.discarded[row] == place(2)[given])
            apart += max(times / 100 - float(model.frequency[row][same].sum()), 0.0)
    assert apart / len(six) < 0.2


@pytest.mark.parametrize("kind", KINDS.values())
def test_kept_hands_add_up_and_hold_no_card_that_is_gone(kind: int) -> None:
    left = np.full(13, 4)
    left[[4, 7]] = 0
    chances = kept_probabilities(kind, "pone", tuple(left.tolist()))
    assert chances.sum() == pytest.approx(1)
    assert not chances[(copies(4)[:, [4, 7]] > 0).any(axis=1)].any()
    assert len(chances) == len(hands(4))


def test_a_fifth_card_of_a_rank_does_not_exceed_the_tables() -> None:
    """Five of a rank would peg 20 points, but nobody holds a fifth."""
    public, pile = starting(), np.zeros((1, 16), np.int64)
    for _ in range(4):
        before, public = public, np.zeros_like(public)
        pile[0, before[END]] = 0
        play_rank(before, public, 0)
    chances = card_probabilities(Plays(public[None], pile), CASUAL, RANKS[:, None])
    assert np.isfinite(chances).all()
