"""Mixed strategies of discards over all 134,459 classes of five cards, and mean cribs."""

from math import comb

import numpy as np

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import copies
from lab import cfr
from lab.cfr import BEST_RESPONSE, DEALER, PONE, SIDES, UPDATE, Doubles, Floats
from lab.five_card.deals import DEALS, OPTIONS, five_cards
from lab.five_card.types import DISCARDED, KEPT
from lab.six_card.discard_kernels import OPPONENT_HANDS, STARTERS_OF_40
from lab.six_card.discards import crib_points, pair_ways, rank_policy

UNSEEN_STARTERS = 42
"""Number of possible starters when both players' ten cards are known."""
_KERNELS = "lab.six_card.discard_kernels"


def action_probabilities(cells: Floats) -> Floats:
    """Return (n, 10) probabilities of the options by regret matching, from regrets or strategy sums."""
    positive = np.maximum(cells, 0)
    total = positive.sum(axis=1, keepdims=True)
    return np.where(total > 0, positive / np.where(total > 0, total, 1), np.float32(1 / len(OPTIONS)))


class Discards(cfr.Discards):
    """Regrets and strategy sums of one role's discards of five cards, for each suit class and option."""

    def __init__(self, role: int, total: Floats | None = None) -> None:
        """Start with zero regrets of a role, PONE or DEALER. total: strategy sums, by default zeros."""
        shape = len(five_cards().weight), len(OPTIONS)
        super().__init__(
            role, np.zeros(shape, np.float32), np.zeros(shape, np.float32) if total is None else total
        )

    def run(self, mode: int, crib: Floats, pegging: Doubles, suited: float) -> float:
        """Return the role's mean net points over all deals. Mode UPDATE also updates regrets and sums."""
        five = five_cards()
        sign = np.float32(1 if self.role == DEALER else -1)
        by_class = (sign * crib + pegging[five.type_of]).astype(np.float32)
        values = five.show + by_class[five.class_of]
        values += sign * (five.crib_nobs + np.float32(suited) * five.crib_flush)
        weight = five.weight.astype(np.float64)
        if mode == BEST_RESPONSE:
            return float(weight @ values.max(axis=1)) / DEALS
        mix = action_probabilities(self.regret if mode == UPDATE else self.total)
        value = (mix * values).sum(axis=1)
        if mode == UPDATE:
            self.iteration += 1
            factors = cfr.discounts(self.iteration, real=np.float32)
            cfr.update(self.regret, self.total, values - value[:, None], mix, factors)
        return float(weight @ value) / DEALS

    def average(self) -> Doubles:
        """Return (6175, 10) the fraction of each rank class's hands in which the role makes each discard."""
        five = five_cards()
        dealt = action_probabilities(self.total).astype(np.float64) * five.weight[:, None]
        summed = np.stack([np.bincount(five.class_of, each) for each in dealt.T], axis=1)
        return np.asarray(summed / five.deals[:, None])

    def suited_ratio(self) -> float:
        """Return how often this role's discards have one suit, relative to random pairs."""
        five = five_cards()
        often = (action_probabilities(self.total) * five.suited).sum(axis=1) @ five.weight.astype(np.float64)
        return float(often) / DEALS / (12 / 51)


def fractions(average_discards: Doubles) -> Doubles:
    """Return (455, 91) how often five ranks are kept and discarded this way, 0–1, in average discards."""
    flat = np.bincount(five_cards().type_of.ravel(), average_discards.ravel(), minlength=KEPT * DISCARDED)
    return np.asarray(flat.reshape(KEPT, DISCARDED), dtype=np.float64)


def approximate_crib_means(average_discards: Doubles) -> Floats:
    """Return (6175, 10) mean crib points; the opponent's pair is drawn by overall frequency."""
    five = five_cards()
    often = np.bincount(
        five.pair_of.ravel(), (average_discards * five.deals[:, None]).ravel(), minlength=DISCARDED
    )
    rest = 4 - five.copies
    drawn = copies(2)
    ways = np.array([[comb(n, k) for k in range(3)] for n in range(5)], dtype=np.float64)
    fall = np.ones((len(rest), DISCARDED))
    for rank in range(13):
        fall *= ways[rest[:, rank][:, None], drawn[:, rank][None, :]]
    fall *= often / DEALS / pair_ways()
    fall /= fall.sum(axis=1, keepdims=True)
    starters = np.maximum(rest[:, None, :] - drawn[None], 0) / 45
    return _cribs((fall[:, :, None] * starters).astype(np.float32))


def exact_crib_means(average_discards: Doubles) -> Floats:
    """Return (6175, 10) mean crib points by a sum over all pairs of hands and starters."""
    five = five_cards()
    dense = np.zeros((len(five.copies), DISCARDED))
    np.add.at(dense, (np.arange(len(dense))[:, None], five.pair_of), average_discards)
    dense[dense < 1e-6] = 0
    dense /= dense.sum(axis=1, keepdims=True)
    row, pair = np.nonzero(dense)
    policy = rank_policy(row, pair.copy(), dense[row, pair].astype(np.float32), len(dense))
    chances = np.zeros((len(dense), DISCARDED, 14), np.float32)
    compiled(_KERNELS).exact_pairs(0, len(dense), five.copies, policy, chances)
    # The kernel's scale is that of six cards from 46.
    scale = OPPONENT_HANDS * STARTERS_OF_40 / (comb(47, 5) * UNSEEN_STARTERS)
    return _cribs(chances[:, :, :13] * np.float32(scale))


def _cribs(chances: Floats) -> Floats:
    """Return (6175, 10) mean crib points from (6175, 91, 13) probabilities of opponent's pair and starter."""
    by_pair = chances.reshape(len(chances), -1) @ crib_points().reshape(DISCARDED, -1).T
    return np.take_along_axis(by_pair, five_cards().pair_of, 1)


def for_hand_and_crib(rounds: int = 20) -> tuple[Discards, Discards]:
    """Return both roles' discards, solved for the points of hand and crib without pegging."""
    pair = Discards(PONE), Discards(DEALER)
    even = np.full((len(five_cards().copies), len(OPTIONS)), 1 / len(OPTIONS))
    means, corrections = [even, even], [np.float32(0) * approximate_crib_means(even)] * 2
    nothing = np.zeros(KEPT * DISCARDED)
    for done in range(rounds):
        for role in SIDES:
            if done == rounds // 2:
                corrections[role] = exact_crib_means(means[1 - role]) - approximate_crib_means(
                    means[1 - role]
                )
            pair[role].run(UPDATE, approximate_crib_means(means[1 - role]) + corrections[role], nothing, 1.0)
            means[role] = pair[role].average()
    return pair
