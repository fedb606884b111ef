"""Cards of pegging dealt out: the deals drawn are those that fit, and they are played on as deals are."""

import numpy as np
import pytest

from fifteentwo.fast.compiled import has_numba
from fifteentwo.rules.view import View
from lab.board.deal_kernels import CARD
from lab.measure import card_rollouts
from tests.support.pegging_views import pegging_views

DEALS = 20_000 if has_numba() else 300
pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uncompiled, a round of 20,000 deals takes a minute."""
    monkeypatch.setattr(card_rollouts, "DEALS_PER_ROUND", DEALS)


def fitting(view: View) -> list[int]:
    return sorted({card.index >> 2 for card in view.hand if view.count + card.value <= 31})


def test_every_fitting_deal_has_the_points_pegged_so_far() -> None:
    views = [view for view in pegging_views("expert") if 1 < len(view.played) < 6 and len(fitting(view)) > 1]
    assert any(view.count_ends for view in views)
    for view in views[:6]:
        dealt, options = card_rollouts._deal_unseen(view, np.random.default_rng(3))
        draws = np.random.default_rng(4).random((len(dealt), 8), np.float32)
        histories = set()
        weights = []
        for rank in fitting(view):
            events, *_, weight = card_rollouts._play_rank(view, rank, dealt, options, draws)
            weights.append(weight)
            for row in events[weight > 0].tolist():
                cards_played = len(view.played)
                histories.add(
                    tuple(one for one in row if one and one >> 10 <= cards_played and one >> 1 & 7 == CARD)
                )
        assert len(histories) == 1
        assert (weights[0] > 0).sum() > DEALS // 100
        # The card that is judged is no evidence of what the other side holds.
        assert all((weight == weights[0]).all() for weight in weights)


def test_a_go_rules_out_the_hands_that_could_have_played() -> None:
    views = (*pegging_views("expert"), *pegging_views("club"))
    gone = [view for view in views if view.said_go and len(fitting(view)) > 0]
    assert gone
    for view in gone[:4]:
        dealt, options = card_rollouts._deal_unseen(view, np.random.default_rng(5))
        draws = np.random.default_rng(6).random((len(dealt), 8), np.float32)
        *_, weight = card_rollouts._play_rank(view, fitting(view)[0], dealt, options, draws)
        other = 0 if view.is_dealer else 1
        theirs = np.sort(dealt[:, 6 * other : 6 * other + 6], axis=1)
        cards_played = [card.index for seat, card in view.played if seat != view.seat]
        highest = 31 - view.count
        for six, option, fits in zip(theirs.tolist(), options[:, other].tolist(), weight > 0, strict=True):
            kept = [card for place, card in enumerate(six) if place not in (option // 6, option % 6)]
            held = [card for card in kept if card not in cards_played]
            if fits:
                assert all(min((card >> 2) + 1, 10) > highest for card in held)


def test_more_deals_agree_within_their_error() -> None:
    view = next(view for view in pegging_views("expert") if not view.played)
    ranks = fitting(view)[:2]
    few, many = (card_rollouts.rollout(view, (0, 0), ranks, deals, 1) for deals in (DEALS // 10, DEALS))
    assert len(few.weights) == DEALS // 10
    assert len(many.weights) == DEALS
    assert (many.weights == 1).all()
    error = 5 * many.win_probabilities.std() / np.sqrt(len(few.weights))
    assert many.win_probabilities.mean(axis=0) == pytest.approx(few.win_probabilities.mean(axis=0), abs=error)
    assert (many.win_probabilities >= 0).all()
    assert (many.win_probabilities <= 1).all()
