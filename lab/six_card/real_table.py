"""How both sides' kept hands fall together at a real table, for the walk over pegging.

Counted over all pairs of six-card hands from one deck and what the shipped discards keep of them; given to
the walk as range weights and affinities (`ranges.fit_affinity`). A side's own two discards are in these
ranges only: its strategy does not know them.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.strategy.discards import FILE as DISCARD_TABLE
from fifteentwo.strategy.files import data_file, read_tables
from lab.cfr import DEALER, PONE, ROLES
from lab.measure.best_response import keep_policy
from lab.six_card.discard_book import decode_strategy
from lab.six_card.discard_kernels import RankPolicy
from lab.six_card.discards import DiscardGame
from lab.six_card.ranges import HANDS, couplings, fit_affinity, fit_ranges, floored
from lab.six_card.six_cards import SixCards, six_cards

Doubles = npt.NDArray[np.float64]
_DISCARD_KERNELS = "lab.six_card.discard_kernels"


class Setting(NamedTuple):
    """How the hands of a game fall."""

    affinity: Doubles
    ranges: tuple[Doubles, Doubles]
    """Weights of pone's and dealer's hands, as they are kept."""
    trained: tuple[Doubles, Doubles]
    """The same with a part `floor` of hands dealt at random, so that every hand is solved."""


def dealt_pairs(six: SixCards, pone: RankPolicy, dealer: RankPolicy) -> Doubles:
    """(1820, 1820) how often the pone keeps a hand and the dealer another; sums to 1."""
    pairs = np.zeros((HANDS, HANDS))
    compiled(_DISCARD_KERNELS).kept_together(six.copies, six.deals(), pone, dealer, pairs)
    return np.asarray(pairs / pairs.sum())


def setting(pairs: Doubles, floor: float) -> Setting:
    """Return how hands fall whose pairs come this often."""
    affinity = fit_affinity(pairs)
    ways = couplings(affinity)
    keeps = [pairs.sum(axis=axis) + 1e-12 for axis in (1, 0)]
    trained = [floored(keep, floor) for keep in keeps]
    return Setting(
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
        game.total = decode_strategy(tables[f"{name}_options"], tables[f"{name}_probability"])
        policies.append(keep_policy(game.average(), six_cards()))
    return dealt_pairs(six_cards(), *policies)
