"""The gain of a best response that knows its six cards and the starter, by sampling.

`Joint.exploitability` is exact, but its best response knows only its kept hand. A player at a table also
knows its two discards and the starter. `sample` deals six cards and a starter, and the best response
uses them in pegging against a side that plays by the book.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import FOURS
from fifteentwo.strategy.pegging import PeggingBook, load_pegging_book
from lab.board.deal_counts import kernel_book
from lab.cfr import DEALER, PONE, ROLES
from lab.measure.response_kernels import BEST, BY_BOOK, new_walk
from lab.six_card.discard_kernels import RankPolicy
from lab.six_card.discards import rank_policy
from lab.six_card.joint import Joint
from lab.six_card.ranges import HANDS
from lab.six_card.six_cards import SixCards, six_cards

Doubles = npt.NDArray[np.float64]
_DISCARD_KERNELS = "lab.six_card.discard_kernels"
_RESPONSE_KERNELS = "lab.measure.response_kernels"


def keep_policy(weights: Doubles, six: SixCards) -> RankPolicy:
    """Return which hands each class of six ranks keeps, and how often. weights: (classes, 15 discards)."""
    probability = weights / weights.sum(axis=1, keepdims=True)
    row, option = np.nonzero(probability > 1e-6)
    return rank_policy(row, six.keep_of[row, option], probability[row, option], len(six.ranks))


def sample(
    joint: Joint,
    hands: int,
    seed: int,
    progress: Callable[[str], None] = print,
    roles: Sequence[int] = (PONE, DEALER),
    pegging: PeggingBook | None = None,
) -> dict[str, Any]:
    """Return a best response's mean gain in pegging by role, in points a deal, with its standard error.

    A hand takes 0.1 core-seconds. joint: the discards of both sides; hands: number of hands drawn for each
    role; pegging: the other side's book, by default the shipped one.
    """
    six = six_cards()
    rng = random.Random(seed)
    deals = joint.means[PONE].sum(axis=1)
    book, walk = kernel_book(pegging or load_pegging_book()), new_walk()
    figures: dict[str, Any] = {"hands": hands, "seed": seed}
    for role in roles:
        name = ROLES[role]
        policy = keep_policy(joint.means[1 - role], six)
        probabilities, values = np.zeros(HANDS), np.zeros(2)
        rows = rng.choices(range(len(six.ranks)), weights=deals.tolist(), k=hands)
        gains = []
        for n, hand in enumerate(rows):
            kept = six.keep_of[hand, rng.choices(range(15), weights=joint.means[role][hand].tolist())[0]]
            rest = 4 - six.copies[hand]
            rest[rng.choices(range(13), weights=rest.tolist())[0]] -= 1
            compiled(_DISCARD_KERNELS).exact_keeps(rest, six.copies, policy, probabilities)
            compiled(_RESPONSE_KERNELS).hand_values(role, FOURS[kept], probabilities, book, walk, values)
            gains.append(float(values[BEST] - values[BY_BOOK]))
            if (n + 1) % 100 == 0:
                progress(f"{name}: {n + 1} of {hands} hands, gain {np.mean(gains):.4f} ± {_error(gains):.4f}")
        figures[name] = {"gain": float(np.mean(gains)), "standard_error": _error(gains)}
    return figures


def _error(gains: Sequence[float]) -> float:
    return float(np.std(gains, ddof=1) / len(gains) ** 0.5)


def prepare() -> None:
    """Compile the kernels, or load them."""
    none = np.zeros(0, np.int64)
    policy = RankPolicy(np.zeros(1, np.int64), none, np.zeros(0))
    kernels, copies = compiled(_DISCARD_KERNELS), np.zeros((0, 13), np.int64)
    kernels.exact_keeps(np.full(13, 4), copies, policy, np.zeros(HANDS))
    book, values = kernel_book(load_pegging_book()), np.zeros(2)
    compiled(_RESPONSE_KERNELS).hand_values(PONE, FOURS[0], np.zeros(HANDS), book, new_walk(), values)
