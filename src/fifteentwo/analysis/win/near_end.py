"""Win probability near the end, where players play to win instead of for points: a fitted table.

`analysis.win` first computes win probabilities with the stored strategies, which play for points. If both
sides need few points, the board assumes discards and pegging to win. The log-odds of a win probability
therefore change by a sum over features of the four kept and two discarded ranks. The sum is fitted to such
deals for both roles and each pair of needs (`lab.board.near_end`). Its constant makes the mean of the best
discard over all hands equal to the board.
"""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.hands import FOURS, PAIRS
from fifteentwo.fast.layout import VALUES
from fifteentwo.strategy.board import FIVE_CARD_NAME
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.files import DamagedTable, tables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FILE = "near_end.table"
"""Name of the fitted table, which `lab.board.near_end` writes."""
NEEDS = 24
"""The table covers positions in which both sides need at most this many points."""
MIN_PROBABILITY = 0.003
"""Probabilities are kept at least this far from 0 and 1 before their log-odds are taken."""


@cache
def hand_features() -> Floats:
    """Return (1820, 19) features of each kept hand: cards of each rank, and pairs of six kinds."""
    copies = np.stack([np.equal(FOURS, rank).sum(axis=1) for rank in range(13)], axis=1)
    two = [(one, other) for one in range(4) for other in range(one)]
    sums = [VALUES[FOURS[:, one]] + VALUES[FOURS[:, other]] for one, other in two]
    apart = [np.abs(FOURS[:, one] - FOURS[:, other]) for one, other in two]
    kinds = [np.equal(apart, distance).sum(axis=0) for distance in (0, 1, 2)]
    kinds += [np.equal(sums, total).sum(axis=0) for total in (5, 15)]
    kinds += [copies[:, 9:].sum(axis=1) > 1]
    return np.column_stack([copies, *kinds]).astype(np.float64)


@cache
def discard_features() -> Floats:
    """Return (91, 13) features of each two discarded ranks: the number of cards of each rank."""
    return np.stack([np.equal(PAIRS, rank).sum(axis=1) for rank in range(13)], axis=1).astype(np.float64)


FEATURES = 2 + 19 + 13
"""Number of fitted factors: a constant, one for the log-odds, 19 for the kept hand, 13 for the discards."""


def log_odds(chances: Floats) -> Floats:
    """Return the log-odds of probabilities, which are first limited by MIN_PROBABILITY."""
    bounded = np.clip(chances, MIN_PROBABILITY, 1 - MIN_PROBABILITY)
    odds: Floats = np.log(bounded / (1 - bounded))
    return odds


def shift_log_odds(chances: Floats, change: Floats) -> Floats:
    """Return probabilities (0–1) after adding a change to their log-odds; 0 and 1 do not change."""
    factor = np.exp(change)
    return chances * factor / (1 - chances + chances * factor)


@cache
def fitted_factors(role: Role) -> Floats:
    """Return (own need, other's need, FEATURES) fitted factors, needs from 1 point; raise DamagedTable."""
    stored = tables(FILE).arrays.get(role)
    if stored is None or stored.shape != (NEEDS, NEEDS, FEATURES):
        raise DamagedTable(FILE, f"it holds no moves of the {role}")
    return stored.astype(np.float64)


FIVE_CARD_NEEDS = 10
"""Five-card probabilities change only if both sides need at most this many points."""


@cache
def five_card_moves(role: Role) -> Floats:
    """Return (10, 10) changes of log-odds of five-card discards, by own and other's need, from 1 point."""
    stored = tables(FIVE_CARD_NAME).arrays.get(f"{role}_moves")
    if stored is None or stored.shape != (FIVE_CARD_NEEDS, FIVE_CARD_NEEDS):
        raise DamagedTable(FIVE_CARD_NAME, f"it holds no moves of the {role}")
    return stored.astype(np.float64)


def provenance() -> dict[str, Any]:
    """Return the description of how the table FILE was made, which is stored with it."""
    return tables(FILE).about


def chances_near(role: Role, kept: Ints, given: Ints, needs: tuple[Any, Any], chances: Floats) -> Floats:
    """Return (ways, …) win probabilities by discard near the end, if both sides play to win.

    chances: (ways, …) win probabilities if both play for points. kept, given: (ways,) numbers of the kept
    hand and the discarded pair; needs: points that the own and the other side need, at most NEEDS, as numbers
    or as arrays of the last axes of `chances`.
    """
    move = fitted_factors(role)[needs[0] - 1, needs[1] - 1]
    cards = np.concatenate([hand_features()[kept], discard_features()[given]], axis=1)
    by_cards = np.einsum("wf,...f->w...", cards, move[..., 2:])
    return shift_log_odds(chances, move[..., 0] + move[..., 1] * log_odds(chances) + by_cards)


PEGGING_CHANGE = -0.91
"""Change of log-odds as pegging begins if neither side needed a point; 0 if one side needs NEEDS points."""


def chance_in_pegging(needs: tuple[int, int], held: int, chance: float) -> float:
    """Return the win probability (0–1) during pegging near the end, against an opponent who plays to win.

    chance: that against an opponent who pegs for points. needs: points that the own and the other side need
    now; held: number of cards in both hands. Fitted by `python -m lab.bench.pegging_near_end --deals 1200`,
    so that chances do not change, on average, between the starter and a seat's first card.
    """
    by = held / 8 * PEGGING_CHANGE * max(1 - max(needs) / NEEDS, 0.0)
    return float(shift_log_odds(np.array(chance), np.array(by)))
