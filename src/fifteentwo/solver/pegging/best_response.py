"""How much a perfect opponent gains: exactly where hands are ranges, by sampling where a player knows more.

The exact figures (`Joint.exploitability`) let the best response know its kept hand. At the table it also
knows the two cards it discarded and the starter; `sampled` deals six cards and a starter and lets it use them
in pegging.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import FOURS, number_by_digits
from fifteentwo.solver.discards.discard_book import ROLES
from fifteentwo.solver.discards.discard_kernels import RankPolicy
from fifteentwo.solver.discards.joint import Joint
from fifteentwo.solver.discards.six_cards import SixCards
from fifteentwo.solver.discards.solve_discards import rank_policy
from fifteentwo.solver.pegging.ranges import HANDS
from fifteentwo.solver.pegging.response_kernels import BEST, BY_BOOK, new_walk
from fifteentwo.solver.pegging.tree import DEALER, PONE
from fifteentwo.strategy.pegging import PeggingBook, book_arrays, load_pegging_book

Doubles = npt.NDArray[np.float64]
_KERNELS = "fifteentwo.solver.discards.discard_kernels"
_RESPONSE = "fifteentwo.solver.pegging.response_kernels"


def keep_policy(mean: Doubles, six: SixCards) -> RankPolicy:
    """Of each rank class the hands kept, and how often."""
    probability = mean / mean.sum(axis=1, keepdims=True)
    row, option = np.nonzero(probability > 1e-6)
    return rank_policy(row, six.keep_of[row, option], probability[row, option], len(six.ranks))


def sampled(
    joint: Joint,
    hands: int,
    seed: int,
    progress: Callable[[str], None] = print,
    roles: Sequence[int] = (PONE, DEALER),
    book: PeggingBook | None = None,
) -> dict[str, Any]:
    """Mean gain in pegging of a best response that knows its six cards and the starter, by role, with errors.

    Hands are kept as `joint` keeps them, and pegged by `book`, the one that ships if None; the same seed, the
    same hands. A hand costs about 0.03 core-seconds.
    """
    six = joint.discarding[PONE].six
    rng = random.Random(seed)
    deals = joint.means[PONE].sum(axis=1)
    arrays = (*book_arrays(book or load_pegging_book()), number_by_digits(3), number_by_digits(2))
    walk, hand_values = new_walk(), compiled(_RESPONSE).hand_values
    figures: dict[str, Any] = {"hands": hands, "seed": seed}
    for role in roles:
        name = ROLES[role]
        policy = keep_policy(joint.means[1 - role], six)
        rows = rng.choices(range(len(six.ranks)), weights=deals.tolist(), k=hands)
        gains = []
        chances, values = np.zeros(HANDS), np.zeros(2)
        for n, row in enumerate(rows):
            option = rng.choices(range(15), weights=joint.means[role][row].tolist())[0]
            rest = 4 - six.copies[row]
            rest[rng.choices(range(13), weights=rest.tolist())[0]] -= 1
            compiled(_KERNELS).exact_keeps(rest, six.copies, policy, chances)
            hand_values(role, FOURS[six.keep_of[row, option]], chances, arrays, walk, values)
            gains.append(float(values[BEST] - values[BY_BOOK]))
            if (n + 1) % 100 == 0:
                error = float(np.std(gains, ddof=1)) / len(gains) ** 0.5
                progress(f"{name}: {n + 1} of {hands} hands, gain {np.mean(gains):.4f} ± {error:.4f}")
        figures[name] = {
            "gain": float(np.mean(gains)),
            "standard_error": float(np.std(gains, ddof=1)) / len(gains) ** 0.5,
        }
    return figures


def prepare() -> None:
    """Compile the kernels, or load them."""
    none = np.zeros(0, np.int64)
    policy = RankPolicy(np.zeros(1, np.int64), none, np.zeros(0))
    kernels, copies = compiled(_KERNELS), np.zeros((0, 13), np.int64)
    kernels.exact_keeps(np.full(13, 4), copies, policy, np.zeros(HANDS))
    kernels.kept_together(copies, np.zeros(0), policy, policy, np.zeros((HANDS, HANDS, 13)))
    book = (*book_arrays(load_pegging_book()), number_by_digits(3), number_by_digits(2))
    compiled(_RESPONSE).hand_values(PONE, FOURS[0], np.zeros(HANDS), book, new_walk(), np.zeros(2))
