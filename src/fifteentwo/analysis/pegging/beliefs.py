"""What the other of two players has kept, before a card is laid, and what has been laid since.

Hands are multisets of ranks 0–12 in the order of `combinations_with_replacement`. What the cards laid tell of
them is worked out in `beliefs_loops`, or without numba in `beliefs_arrays`.
"""

from functools import cache
from math import comb

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.discards.shows import kept_and_given
from fifteentwo.fast.hands import copies
from fifteentwo.rules.view import View
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.pegging import Laid, follow

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@cache
def _plain() -> Floats:
    """(1820,) how often four cards have each ranks."""
    return np.array([np.prod([comb(4, n) for n in row]) for row in copies(4)], np.float64) / comb(52, 4)


@cache
def _rarer() -> Floats:
    """(5, 5): ways to draw so many of a rank with so many left, [left, drawn], over those with all four."""
    return np.array([[comb(left, drawn) / comb(4, drawn) for drawn in range(5)] for left in range(5)])


def kept_by(role: Role, left: Ints, mistrust: float) -> Floats:
    """(1820,) chances of the hand a role kept, dealt from so many cards of each rank (13,).

    mistrust: part of every hand's chance that owes nothing to the equilibrium.
    """
    plain = _plain() * _rarer()[left[None, :], copies(4)].prod(axis=1)
    kept, _ = kept_and_given(role, tuple(left.tolist()))
    mixed: Floats = (1 - mistrust) * kept + mistrust * plain / plain.sum()
    return mixed


def role_of(view: View, seat: int) -> Role:
    """What a seat of a game for two is in this deal."""
    return "dealer" if seat == view.dealer else "pone"


def history(view: View) -> tuple[Laid, ...]:
    """Every card laid this deal by role, with the goes that ended each count."""
    acts: list[Laid] = []
    for at, (seat, card) in enumerate(view.played, start=1):
        acts.append((role_of(view, seat), card.index // 4 + 1))
        if at in view.cleared:
            while (position := follow(tuple(acts))).total:
                acts.append(("dealer" if position.turn else "pone", None))
    return tuple(acts)
