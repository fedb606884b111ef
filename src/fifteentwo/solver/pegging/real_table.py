"""How both sides' kept hands fall together at a real table, for the walk over pegging.

Counted over all pairs of six-card hands from one deck, what the shipped discards keep of them, and every rank
of the starter; given to the walk as range weights and affinities (`ranges.fit_affinity`). A side's own two
discards are in these ranges only: its strategy does not know them.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.solver.discards.discard_book import ROLES, decode_strategy
from fifteentwo.solver.discards.discard_kernels import RankPolicy
from fifteentwo.solver.discards.six_cards import SixCards, six_cards
from fifteentwo.solver.discards.solve_discards import DiscardGame
from fifteentwo.solver.pegging.best_response import keep_policy
from fifteentwo.solver.pegging.ranges import COPIES, HANDS, couplings, fit_affinity, fit_ranges, floored
from fifteentwo.solver.pegging.tree import DEALER, PONE
from fifteentwo.strategy.discards import FILE as DISCARD_TABLE
from fifteentwo.strategy.files import data_file, read_tables

Doubles = npt.NDArray[np.float64]
_DISCARD_KERNELS = "fifteentwo.solver.discards.discard_kernels"


class Setting(NamedTuple):
    """How the hands of a game fall."""

    starter: int | None
    affinity: Doubles
    ranges: tuple[Doubles, Doubles]
    """Weights of pone's and dealer's hands, as they are kept."""
    trained: tuple[Doubles, Doubles]
    """The same with a part `floor` of hands dealt at random, so that every hand is solved."""


def dealt_pairs(six: SixCards, pone: RankPolicy, dealer: RankPolicy) -> Doubles:
    """(1820, 1820, 13) how often the pone keeps a hand, the dealer another, with each starter; sums to 1."""
    pairs = np.zeros((HANDS, HANDS, 13))
    compiled(_DISCARD_KERNELS).kept_together(six.copies, six.deals(), pone, dealer, pairs)
    return np.asarray(pairs / pairs.sum())


def setting(pairs: Doubles, starter: int | None, floor: float) -> Setting:
    """Return how hands fall with a starter, or with any (None)."""
    often = pairs.sum(axis=2) if starter is None else pairs[:, :, starter]
    affinity = fit_affinity(often, starter)
    ways = couplings(starter, affinity)
    possible = np.ones(HANDS, bool) if starter is None else COPIES[:, starter] < 4
    keeps = [np.where(possible, often.sum(axis=axis) / often.sum() + 1e-12, 0) for axis in (1, 0)]
    trained = [np.where(possible, floored(keep, floor), 0) for keep in keeps]
    return Setting(
        starter,
        affinity,
        fit_ranges(ways, keeps[PONE], keeps[DEALER]),
        fit_ranges(ways, trained[PONE], trained[DEALER]),
    )


def shipped_pairs() -> Doubles:
    """Return `dealt_pairs` of the discards that ship; half a minute."""
    tables = read_tables(data_file(DISCARD_TABLE)).arrays
    policies = []
    for role, name in enumerate(ROLES):
        game = DiscardGame(role, 1)
        game.total = decode_strategy(tables[f"{name}_options"], tables[f"{name}_share"])
        policies.append(keep_policy(game.average(), six_cards()))
    return dealt_pairs(six_cards(), *policies)
