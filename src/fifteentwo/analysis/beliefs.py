"""What the other of two players has kept, before a card is laid, and what has been laid since.

Hands are multisets of ranks 0–12 in the order of `combinations_with_replacement`. What the cards laid tell of
them is worked out in `beliefs_loops`, or without numba in `beliefs_arrays`.
"""

from functools import cache
from math import comb

import numpy as np
import numpy.typing as npt

from fifteentwo.book.laying_away import Role, keep_frequency
from fifteentwo.book.play import Laid, follow
from fifteentwo.fast.hands import copies, hands
from fifteentwo.rules.view import View

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MISTRUST = 0.03
"""Part of every hand's chance that owes nothing to the equilibrium: opponents are people, too."""


@cache
def _ways() -> npt.NDArray[np.float64]:
    """(5, 5): ways to draw so many of a rank with so many left, [left, drawn], over those with all four."""
    return np.array([[comb(left, drawn) / comb(4, drawn) for drawn in range(5)] for left in range(5)])


@cache
def _kept(role: Role) -> Floats:
    """(1820,) how often a role keeps each hand, with a little of every hand mixed in."""
    kept = np.array([keep_frequency([rank + 1 for rank in hand], role) for hand in hands(4)], np.float64)
    plain = np.array([np.prod([comb(4, n) for n in row]) for row in copies(4)], np.float64)
    mixed: Floats = (1 - MISTRUST) * kept / kept.sum() + MISTRUST * plain / plain.sum()
    return mixed


def kept_by(role: Role, left: Ints) -> Floats:
    """(1820,) likelihoods of the hand a role kept, with so many cards of each rank unseen (13,)."""
    ways = _ways()[left[None, :], copies(4)].prod(axis=1)
    weights: Floats = _kept(role) * ways
    return weights


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
