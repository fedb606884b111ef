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
NEEDS = 24
"""The table covers positions in which both sides need at most this many points."""
LEAST = 0.003
"""Probabilities nearer to 0 or 1 than this are treated as this one."""


@cache
def of_hands() -> Floats:
    """Return (1820, 19) features of four kept ranks: copies of each rank, and kinds of pairs."""
    copies = np.stack([np.equal(FOURS, rank).sum(axis=1) for rank in range(13)], axis=1)
    two = [(one, other) for one in range(4) for other in range(one)]
    sums = [VALUES[FOURS[:, one]] + VALUES[FOURS[:, other]] for one, other in two]
    apart = [np.abs(FOURS[:, one] - FOURS[:, other]) for one, other in two]
    kinds = [np.equal(apart, distance).sum(axis=0) for distance in (0, 1, 2)]
    kinds += [np.equal(sums, total).sum(axis=0) for total in (5, 15)]
    kinds += [copies[:, 9:].sum(axis=1) > 1]
    return np.column_stack([copies, *kinds]).astype(np.float64)


@cache
def of_pairs() -> Floats:
    """Return (91, 13) features of two discarded ranks: copies of each rank."""
    return np.stack([np.equal(PAIRS, rank).sum(axis=1) for rank in range(13)], axis=1).astype(np.float64)


FEATURES = 2 + 19 + 13
"""A constant, the log-odds, features of the hand, features of the pair."""


def log_odds(chances: Floats) -> Floats:
    """Return log-odds of probabilities, each first limited to LEAST from 0 and 1."""
    bounded = np.clip(chances, LEAST, 1 - LEAST)
    odds: Floats = np.log(bounded / (1 - bounded))
    return odds


def moved(chances: Floats, by: Floats) -> Floats:
    """Return probabilities with their log-odds changed; 0 and 1 stay."""
    factor = np.exp(by)
    return chances * factor / (1 - chances + chances * factor)


@cache
def moves(role: Role) -> Floats:
    """Return (NEEDS, NEEDS, FEATURES) by own and other's needs less one; raise DamagedTable."""
    stored = tables(FILE).arrays.get(role)
    if stored is None or stored.shape != (NEEDS, NEEDS, FEATURES):
        raise DamagedTable(FILE, f"it holds no moves of the {role}")
    return stored.astype(np.float64)


FIVE_CARD_NEEDS = 10
"""Five-card probabilities change only if both sides need at most this many points."""


@cache
def five_card_moves(role: Role) -> Floats:
    """Return (10, 10) changes of log-odds of five-card discards, by own and other's needs less one.

    They make the mean of the best discard's probability over all hands equal to the board
    (`lab.five_card.near_end`).
    """
    stored = tables(FIVE_CARD_NAME).arrays.get(f"{role}_moves")
    if stored is None or stored.shape != (FIVE_CARD_NEEDS, FIVE_CARD_NEEDS):
        raise DamagedTable(FIVE_CARD_NAME, f"it holds no moves of the {role}")
    return stored.astype(np.float64)


def provenance() -> dict[str, Any]:
    """Return how the table was made."""
    return tables(FILE).about


def chances_near(role: Role, kept: Ints, given: Ints, needs: tuple[Any, Any], chances: Floats) -> Floats:
    """Return (ways, …) win probabilities near the end. chances: win probabilities of the stored strategies.

    kept, given: (ways,) numbers of four and of two ranks; needs: own and other's points needed to win, at
    most NEEDS, as numbers or as arrays of the last axes of `chances`.
    """
    move = moves(role)[needs[0] - 1, needs[1] - 1]
    cards = np.concatenate([of_hands()[kept], of_pairs()[given]], axis=1)
    by_cards = np.einsum("wf,...f->w...", cards, move[..., 2:])
    return moved(chances, move[..., 0] + move[..., 1] * log_odds(chances) + by_cards)


PEGGING: dict[Role, tuple[float, float]] = {"pone": (-1.37, -1.32), "dealer": (-1.23, -0.69)}
"""Changes of log-odds when pegging begins, for 1 / own needs and 1 / other's needs."""


def chance_in_pegging(role: Role, needs: tuple[int, int], held: int, chance: float) -> float:
    """Return the win probability near the end, from that against an opponent who pegs for points.

    needs: own and other's points needed now; held: cards in both hands. Fitted by `python -m
    lab.bench.pegging_near_end --deals 700`.
    """
    nearness = [max(1 / need - 1 / NEEDS, 0.0) for need in needs]
    by = held / 8 * (PEGGING[role][0] * nearness[0] + PEGGING[role][1] * nearness[1])
    return float(moved(np.array(chance), np.array(by)))
