"""The win probability of every six-card discard at one board, for deals in bulk.

    discards = discards_by_ranks((110, 116), over, dealer=True)
    discards.by_ranks[hand, pair, starter]

The values are computed from the tables of `analysis.win`, with two simplifications: the other side may hold
the same cards, which is similar for all discards of a hand; and the value of points from suits does not
depend on the discards. tests/lab/board/test_win_by_ranks.py measures the difference from
`win.model.Prospects.values`.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.win.model import with_pone_first
from fifteentwo.analysis.win.shows import hand_points, shows_by_ranks
from fifteentwo.fast.hands import FOURS, PAIRS
from fifteentwo.fast.layout import JACK
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.pegging_points import ALWAYS, NEAR, SUM, play_points
from lab.board.deal import DiscardValues

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]

TARGET = 121
HEELS = 2
"""Points of the dealer if the starter is a jack."""
SUIT_POINTS = (1, 4, 5, 6)
"""Points of a hand from suits: nobs, a flush of four, a flush with the starter, and the latter with nobs."""
PEGGED_SPAN = 17
"""Size of an axis of points that a side pegs; the last place includes all more points, 0.06 % of deals."""
SHOW_SPAN = 30
"""Size of an axis of points of a hand; no hand has more than 29."""
PAIR_PROBABILITIES = np.where(PAIRS[:, 0] == PAIRS[:, 1], 6 / 1326, 16 / 1326).astype(np.float32)
"""(91,) probability that two random cards have these ranks."""


class _Tables(NamedTuple):
    """Tables of a role that do not depend on the board; classes are defined in `strategy.pegging_points`."""

    joint: Singles
    """(1820, PEGGED_SPAN, PEGGED_SPAN, classes) probabilities of the points that both sides peg: [hand
    kept, own points, opponent's points, class of the opponent's hand]."""
    change_by_discard: Singles
    """(1820 * 13, PEGGED_SPAN, PEGGED_SPAN) change of these probabilities if a card of a rank is
    discarded: [hand kept * 13 + rank, own points, opponent's points]."""
    first: Floats
    """(1820, NEAR, NEAR) probability that the own side pegs out first if both sides would peg the points
    that they need: [hand kept, own need - 1, opponent's need - 1]."""
    shows: Singles
    """(13, other's, own crib's, classes, 91) probabilities from `shows_by_ranks`: [starter's rank, points
    that the show gives the opponent, points of an own crib, class of the opponent's hand, pair discarded]."""
    class_probabilities: Floats
    """(classes,) probability of each class of the opponent's hand."""


def cap_points(joint: npt.NDArray[Any], places: int) -> npt.NDArray[Any]:
    """Return probabilities (…, n, n) cut to (…, places, places); the last place has all more points."""
    last = places - 1
    rows = np.concatenate([joint[..., :last, :], joint[..., last:, :].sum(axis=-2, keepdims=True)], axis=-2)
    return np.concatenate([rows[..., :last], rows[..., last:].sum(axis=-1, keepdims=True)], axis=-1)


@cache
def _role_tables(role: Role) -> _Tables:
    table = play_points(role)
    shows = shows_by_ranks(role)
    class_probabilities = shows.sum(axis=(0, 1, 2, 4), dtype=np.float64)
    class_probabilities /= class_probabilities.sum()
    joint = table.joint / SUM
    usual = np.einsum("c,hcij->hij", class_probabilities, joint)
    usual /= usual.sum(axis=(1, 2), keepdims=True)
    never = joint.sum(axis=(2, 3)) == 0
    joint = np.where(never[:, :, None, None], usual[:, None], joint)
    given = table.given.astype(np.float32) / SUM
    return _Tables(
        np.ascontiguousarray(cap_points(joint, PEGGED_SPAN).transpose(0, 2, 3, 1), np.float32),
        cap_points(given, PEGGED_SPAN).reshape(-1, PEGGED_SPAN, PEGGED_SPAN),
        table.first / ALWAYS,
        shows,
        class_probabilities,
    )


def discards_by_ranks(board: tuple[int, int], over: Floats, *, dealer: bool) -> DiscardValues:
    """Return the values of all discards at a board (own score, other's score); a quarter of a second.

    over: values after the deal, from `win.model.after_deal`.
    """
    tables = _role_tables("dealer" if dealer else "pone")
    over = with_pone_first(over, TARGET, dealt=dealer)
    needed = TARGET - board[0], TARGET - board[1]
    after_heels = (needed[0] - HEELS, needed[1]) if dealer else (needed[0], needed[1] - HEELS)
    by_ranks = np.empty((len(FOURS), len(PAIRS), 13), np.float32)
    plain = _Stage(tables, over, needed)
    heels = _Stage(tables, over, after_heels) if min(after_heels) > 0 else None
    for rank in range(13):
        if rank != JACK:
            by_ranks[:, :, rank] = plain.by_pair(rank)
        elif heels is None:
            by_ranks[:, :, rank] = 1.0 if dealer else -1.0
        else:
            by_ranks[:, :, rank] = heels.by_pair(rank)
    more, given = plain.changes(dealer=dealer)
    by_ranks += given[:, PAIRS].sum(axis=2)
    return DiscardValues(by_ranks, more)


class _Stage:
    """The values of pegging and show if the sides need a number of points to win."""

    def __init__(self, tables: _Tables, over: Floats, needed: tuple[int, int]) -> None:
        self._tables = tables
        self._over = over.astype(np.float32)
        self._needed = needed
        self._spans = min(needed[0], tables.joint.shape[1]), min(needed[1], tables.joint.shape[2])
        x, y = self._spans
        self._joint = np.ascontiguousarray(tables.joint[:, :x, :y]).reshape(len(FOURS), -1)
        played = tables.joint @ tables.class_probabilities.astype(np.float32)
        self._pegged_out_values = self._pegged_out(played, 1)

    def by_pair(self, rank: int) -> Singles:
        """(1820, 91) values of each hand kept and pair discarded, with a starter of this rank."""
        shown = self._shown(self._tables.shows[rank])
        made = hand_points()[rank]
        values = np.empty((len(FOURS), len(PAIRS)), np.float32)
        for points in np.unique(made).tolist():
            rows = np.flatnonzero(made == points)
            values[rows] = self._joint[rows] @ self._with_hand(shown, points)
        return values + self._pegged_out_values[:, None]

    def changes(self, *, dealer: bool) -> tuple[Singles, Singles]:
        """Return `DiscardValues.by_suit`, and value changes (1820, 13, 13): [kept, discarded, starter]."""
        kept = np.arange(len(FOURS))[:, None]
        made = hand_points().T
        usual = np.delete(self._tables.shows, JACK, axis=0).mean(axis=0) @ PAIR_PROBABILITIES
        none = np.zeros_like(usual)
        one_more = (
            np.concatenate([none[:, :1], usual], axis=1) if dealer else np.concatenate([none[:1], usual])
        )
        shown = self._shown(usual[..., None])
        by_points = [self._with_hand(shown, points)[:, 0] for points in range(SHOW_SPAN + max(SUIT_POINTS))]
        by_made = self._joint @ np.stack(by_points, axis=1)
        shown = self._shown(one_more[..., None])
        with_crib = self._joint @ np.stack(
            [self._with_hand(shown, n)[:, 0] for n in range(SHOW_SPAN)], axis=1
        )
        plain = by_made[kept, made]
        suited = [by_made[kept, made + n] - plain for n in SUIT_POINTS] + [with_crib[kept, made] - plain]
        x, y = self._spans
        classed = np.stack(by_points[:SHOW_SPAN], axis=1).reshape(x * y, -1, SHOW_SPAN)
        # Values already contain the frequency of each class.
        given = self._tables.change_by_discard[:, :x, :y].reshape(-1, x * y) @ classed.sum(axis=1)
        given += self._pegged_out(self._tables.change_by_discard, 13)[:, None]
        given = given.reshape(len(FOURS), 13, SHOW_SPAN)
        return np.stack(suited, axis=1), given[kept[:, :, None], np.arange(13)[None, :, None], made[:, None]]

    def _shown(self, shows: Singles) -> Singles:
        """(own points to the game hole, other's, classes, pairs) values after pegging and the own hand."""
        (own, other), (_, others_span) = self._needed, self._spans
        mine = TARGET - own + np.arange(own + 1)[:, None, None, None]
        theirs = TARGET - other + np.arange(others_span)[None, :, None, None]
        others, crib = shows.shape[:2]
        led_to = self._over[mine + np.arange(crib), theirs + np.arange(others)[:, None]]
        shown: Singles = led_to.reshape((own + 1) * others_span, -1) @ shows.reshape(others * crib, -1)
        return shown.reshape(own + 1, others_span, *shows.shape[2:])

    def _with_hand(self, shown: Singles, points: int) -> Singles:
        """Return the values of `_shown` by points pegged, if the own hand scores `points` in the show."""
        stands = np.minimum(np.arange(self._spans[0]) + points, self._needed[0])
        cells: Singles = shown[stands].reshape(-1, shown.shape[-1])
        return cells

    def _pegged_out(self, played: Singles, times: int) -> Singles:
        """Return the value of games won or lost in pegging; played: (1820 * times, own points, other's)."""
        x, y = self._needed
        first = self._tables.first[:, min(x, NEAR) - 1, min(y, NEAR) - 1].repeat(times)
        out: Singles = played[:, x:, :y].sum(axis=(1, 2)) - played[:, :x, y:].sum(axis=(1, 2))
        out += played[:, x:, y:].sum(axis=(1, 2)) * (2 * first - 1)
        return out
