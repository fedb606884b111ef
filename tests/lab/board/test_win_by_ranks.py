"""All discards at once: summed one by one, and next to the win chance of six cards."""

from importlib import import_module
from itertools import product

import numpy as np
import pytest

from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win import shows
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.fast.hands import place
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.rules.cards import DECK
from fifteentwo.strategy.board import pays
from fifteentwo.strategy.discards import Role
from lab.board import deal as deal_policies
from lab.board import win_by_ranks
from lab.board.deal import best_discards
from lab.board.win_by_ranks import discards_by_ranks

ROLES: tuple[Role, Role] = ("pone", "dealer")


def deal_by_deal(
    tables: win_by_ranks._Tables, keeping: tuple[int, int, int], board: tuple[int, int], dealer: bool
) -> float:
    """Value of keeping a hand and discarding a pair under a starter's rank: all points in their order."""
    hand, pair, rank = keeping
    over = win.after_deal("game", dealer, False)
    made = int(shows.hand_points()[rank][hand])
    heels = 2 if rank == JACK else 0
    start = [board[0] + heels * dealer, board[1] + heels * (not dealer)]
    if max(start) >= 121:
        return 1.0 if dealer else -1.0
    first = tables.first[hand, min(121 - start[0], 12) - 1, min(121 - start[1], 12) - 1]
    total = 0.0
    for i, j in product(range(win_by_ranks.PEGGED_SPAN), repeat=2):
        classes = tables.joint[hand, i, j].astype(float)
        out, lost = start[0] + i >= 121, start[1] + j >= 121
        if out or lost:
            value = 2 * first - 1 if out and lost else 1.0 if out else -1.0
            total += float(classes @ tables.class_probabilities) * value
            continue
        for (shown, crib), chances in np.ndenumerate(tables.shows[rank, :, :, 0, 0]):
            del chances
            weight = float(classes @ tables.shows[rank, shown, crib, :, pair])
            if weight == 0:
                continue
            scores = [start[0] + i, start[1] + j]
            order = [(1, shown), (0, made), (0, crib)] if dealer else [(0, made), (1, shown)]
            value = None
            for side, points in order:
                scores[side] += points
                if scores[side] >= 121:
                    value = -1.0 if side else 1.0
                    break
            total += weight * (over[scores[0], scores[1]] if value is None else value)
    return total


@pytest.mark.parametrize("dealer", [False, True])
def test_the_value_is_the_sum_over_all_deals(dealer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What each rank discarded adds to pegging is left out here; the other tests have it."""
    full = win_by_ranks._role_tables(ROLES[dealer])
    tables = full._replace(change_by_discard=np.zeros_like(full.change_by_discard))
    monkeypatch.setattr(win_by_ranks, "_role_tables", lambda _: tables)
    hands = [place(4)[ranks] for ranks in ((4, 4, 4, 10), (0, 1, 2, 7), (5, 6, 6, 7))]
    pairs = [place(2)[ranks] for ranks in ((4, 9), (12, 12))]
    for board in ((116, 112),):
        made = discards_by_ranks(board, win.after_deal("game", dealer, False), dealer=dealer)
        for keeping in product(hands, pairs, (4, 8, JACK)):
            expected = deal_by_deal(tables, keeping, board, dealer)
            assert made.by_ranks[keeping] == pytest.approx(expected, abs=2e-5), (board, keeping)


@pytest.mark.parametrize("role", ROLES)
def test_shows_are_probabilities_of_every_starter_and_pair(role: Role) -> None:
    made = shows.shows_by_ranks(role)
    assert made.sum(axis=(1, 2, 3)) == pytest.approx(np.ones((13, 91)), abs=1e-4)
    assert (made >= -1e-7).all()


def test_usual_shows_have_the_means_of_deals() -> None:
    """20,000,000 deals: 8.07, 7.98 and 4.69; nobs of the dealer's own in the crib are counted elsewhere."""
    means = [float(chances @ np.arange(len(chances))) for chances in shows.usual_shows()]
    assert means[0] == pytest.approx(8.067, abs=0.01)
    assert means[1] == pytest.approx(7.985, abs=0.01)
    assert means[2] == pytest.approx(4.687, abs=0.05)


def test_points_from_suits_raise_the_value_of_their_hand() -> None:
    for dealer in (False, True):
        added = discards_by_ranks((112, 110), win.after_deal("game", dealer, False), dealer=dealer).by_suit
        assert (added[:, :4] > -1e-5).all()
        assert (np.diff(added[:, 1:4], axis=1) > -1e-5).all()
        assert ((added[:, 4] if dealer else -added[:, 4]) > -1e-5).all()


BOARDS = ((110, 116), (119, 118), (98, 70))


@pytest.mark.parametrize("dealer", [False, True])
def test_discards_equal_those_of_the_win_probability(dealer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What its choice loses by that chance: on average below 0.03 points."""
    monkeypatch.setattr(deal_policies, "compiled", import_module)
    dealt = random_deals(16, 13, 5)
    side = int(dealer)
    hands = np.sort(dealt[:, 6 * side : 6 * side + 6], axis=1)
    known = [win.Prospects(tuple(DECK[card] for card in six), dealer=dealer) for six in hands.tolist()]
    losses, same = [], 0
    for board in BOARDS:
        table = discards_by_ranks(board, win.after_deal("game", dealer, False), dealer=dealer)
        options = np.zeros((len(dealt), 2), np.int8)
        best_discards(dealt, table, side, options)
        for prospects, option in zip(known, options[:, side].tolist(), strict=True):
            # Without the changes near the end, as in bulk deals.
            over = win.after_deal("game", dealer, False)
            chances = 50 * prospects.expected(board, over, pays("game", False))
            way = WAYS.index((option // 6, option % 6))
            losses.append(float(chances.max() - chances[way]))
            same += losses[-1] < 1e-9
    assert np.mean(losses) < 0.03
    assert max(losses) < 4
    assert same > 0.8 * len(losses)


def test_other_later_boards_give_other_values() -> None:
    over = win.after_deal("game", True, False)
    changed = over.copy()
    changed[:121, :121] = 0.0
    for board in ((100, 100), (108, 104)):
        one, other = (discards_by_ranks(board, table, dealer=True).by_ranks for table in (over, changed))
        assert np.abs(one - other).max() > 0.02
