"""What play for the game instead of for points changes near its end, by a table fitted to such play.

`analysis.win` first takes both sides to play a deal as the strategies that ship, which play for points. Where
a side needs few points both discard and peg to win, as the board values have it. The log-odds of a win chance
then move by a sum over features of the four ranks kept and the two discarded, fitted for both roles and every
two needs to deals of such play (`lab.board.near_end`); their constant part makes the mean over all hands,
of the best discard, equal to the board value.
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
"""The table is for both sides needing so many points at most."""
LEAST = 0.003
"""Chances nearer to 0 or 1 than this move as this one does."""


@cache
def of_hands() -> Floats:
    """(1820, 19) features of four ranks kept: how many of each rank, and pairs of cards of some kinds."""
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
    """(91, 13) features of two ranks discarded: how many of each."""
    return np.stack([np.equal(PAIRS, rank).sum(axis=1) for rank in range(13)], axis=1).astype(np.float64)


FEATURES = 2 + 19 + 13
"""A constant, the log-odds themselves, those of the hand and of the pair."""


def log_odds(chances: Floats) -> Floats:
    """Of chances, none nearer to 0 or 1 than LEAST."""
    bounded = np.clip(chances, LEAST, 1 - LEAST)
    odds: Floats = np.log(bounded / (1 - bounded))
    return odds


def moved(chances: Floats, by: Floats) -> Floats:
    """Chances whose log-odds move by so much; what is sure stays sure."""
    factor = np.exp(by)
    return chances * factor / (1 - chances + chances * factor)


@cache
def moves(role: Role) -> Floats:
    """(NEEDS, NEEDS, FEATURES) by own and other's needs less one; raises DamagedTable."""
    stored = tables(FILE).arrays.get(role)
    if stored is None or stored.shape != (NEEDS, NEEDS, FEATURES):
        raise DamagedTable(FILE, f"it holds no moves of the {role}")
    return stored.astype(np.float64)


FIVE_CARD_NEEDS = 10
"""Five-card chances move where both sides need so many points at most."""


@cache
def five_card_moves(role: Role) -> Floats:
    """(10, 10) how far log-odds of five-card discards move, by own and other's needs less one.

    The mean of the best discard's chance, over all hands, is the board's (`lab.five_card.near_end`).
    """
    stored = tables(FIVE_CARD_NAME).arrays.get(f"{role}_moves")
    if stored is None or stored.shape != (FIVE_CARD_NEEDS, FIVE_CARD_NEEDS):
        raise DamagedTable(FIVE_CARD_NAME, f"it holds no moves of the {role}")
    return stored.astype(np.float64)


def provenance() -> dict[str, Any]:
    """What the table was made from."""
    return tables(FILE).about


def chances_near(role: Role, kept: Ints, given: Ints, needs: tuple[int, int], chances: Floats) -> Floats:
    """(ways,) chances of winning near the end, from those by the strategies that ship.

    kept, given: (ways,) numbers of four and of two ranks; needs: own and the other's points to the game hole.
    """
    if max(needs) > NEEDS:
        return chances
    move = moves(role)[needs[0] - 1, needs[1] - 1]
    by = move[0] + move[1] * log_odds(chances) + of_hands()[kept] @ move[2:21] + of_pairs()[given] @ move[21:]
    return moved(chances, by)


def chances_near_all(role: Role, kept: Ints, given: Ints, chances: Floats) -> Floats:
    """The same of (ways, NEEDS, NEEDS) chances by own and other's needs less one."""
    ahead = log_odds(chances)
    by = moves(role)[..., 0] + moves(role)[..., 1] * ahead
    cards = np.concatenate([of_hands()[kept], of_pairs()[given]], axis=1)
    return moved(chances, by + np.einsum("wf,xyf->wxy", cards, moves(role)[..., 2:]))


PEGGING: dict[Role, tuple[float, float]] = {"pone": (-1.37, -1.32), "dealer": (-1.23, -0.69)}
"""How far log-odds move as pegging begins, for each 1 / points that oneself and the other side needs."""


def chance_in_pegging(role: Role, needs: tuple[int, int], held: int, chance: float) -> float:
    """The chance of winning near the end, from that against an opponent who pegs for points.

    needs: own and the other's, now; held: cards in both hands.
    Fitted by `python -m lab.bench.pegging_near_end --deals 700`.
    """
    nearness = [max(1 / need - 1 / NEEDS, 0.0) for need in needs]
    by = held / 8 * (PEGGING[role][0] * nearness[0] + PEGGING[role][1] * nearness[1])
    return float(moved(np.array(chance), np.array(by)))
