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
from fifteentwo.fast.hands import FOURS
from fifteentwo.solver.discards.discard_book import ROLES
from fifteentwo.solver.discards.discard_kernels import RankPolicy
from fifteentwo.solver.discards.joint import Joint
from fifteentwo.solver.discards.six_cards import SixCards
from fifteentwo.solver.discards.solve_discards import rank_policy
from fifteentwo.solver.pegging.ranges import HANDS, couplings
from fifteentwo.solver.pegging.regret_kernels import BEST_RESPONSE, MEASURE
from fifteentwo.solver.pegging.tree import DEALER, PONE

Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_KERNELS = "fifteentwo.solver.discards.discard_kernels"


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
) -> dict[str, Any]:
    """Mean gain in pegging of a best response that knows its six cards and the starter, by role, with errors.

    Each hand costs a third of two sweeps of the tree: about half a core-second.
    """
    six = joint.discarding[PONE].six
    rng = random.Random(seed)
    ways = couplings()
    deals = joint.means[PONE].sum(axis=1)
    figures: dict[str, Any] = {"hands": hands, "seed": seed}
    for role in roles:
        name = ROLES[role]
        policy = keep_policy(joint.means[1 - role], six)
        rows = rng.choices(range(len(six.ranks)), weights=deals.tolist(), k=hands)
        gains = []
        for n, row in enumerate(rows):
            option = rng.choices(range(15), weights=joint.means[role][row].tolist())[0]
            rest = 4 - six.copies[row]
            rest[rng.choices(range(13), weights=rest.tolist())[0]] -= 1
            gains.append(_gain(joint, role, int(six.keep_of[row, option]), rest, policy, ways))
            if (n + 1) % 10 == 0:
                error = float(np.std(gains, ddof=1)) / len(gains) ** 0.5
                progress(f"{name}: {n + 1} of {hands} hands, gain {np.mean(gains):.4f} ± {error:.4f}")
        figures[name] = {
            "gain": float(np.mean(gains)),
            "standard_error": float(np.std(gains, ddof=1)) / len(gains) ** 0.5,
        }
    return figures


def _gain(joint: Joint, side: int, keep: int, rest: Ints, policy: RankPolicy, ways: Doubles) -> float:
    """What knowing the cards that are gone adds to the pegging of one kept hand."""
    chances = np.zeros(HANDS)
    compiled(_KERNELS).exact_keeps(rest, joint.discarding[PONE].six.copies, policy, chances)
    coupled = ways[keep] if side == PONE else ways[:, keep]
    other = np.where(coupled > 0, chances / np.maximum(coupled, 1), 0)
    own = np.zeros(HANDS)
    own[keep] = 1
    ranges = (own, other) if side == PONE else (other, own)
    ranks = sorted({int(rank) for rank in FOURS[keep]})
    if side == PONE:
        branches = [lead * 13 + reply for lead in ranks for reply in range(13)]
    else:
        branches = [lead * 13 + reply for lead in range(13) for reply in ranks]
    cells = joint.game.total
    best, value = (
        float(joint.game.sweep(side, mode, ranges, cells, branches=branches)[keep])
        for mode in (BEST_RESPONSE, MEASURE)
    )
    return best - value


def prepare() -> None:
    """Compile the kernels, or load them."""
    none = np.zeros(0, np.int64)
    policy = RankPolicy(np.zeros(1, np.int64), none, np.zeros(0))
    compiled(_KERNELS).exact_keeps(np.full(13, 4), np.zeros((0, 13), np.int64), policy, np.zeros(HANDS))
