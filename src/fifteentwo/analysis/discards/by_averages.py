"""Discards by averages, for any variant: mean points of hand, crib and pegging."""

from itertools import combinations

from fifteentwo.analysis.win.counting import mean_points, opponent_weight, ranks_of, unseen
from fifteentwo.rules.cards import Card
from fifteentwo.rules.view import View
from fifteentwo.strategy.means import mean_crib


def hand_and_crib(view: View) -> dict[tuple[Card, ...], tuple[float, float]]:
    """Return by discard the mean hand and the mean crib, negative if the crib is another side's."""
    rules = view.rules
    others = unseen(view)
    own = rules.side(view.dealer) == view.side
    sign = 1.0 if own else -opponent_weight(view)
    ways = list(combinations(view.hand, rules.discards))
    hands = mean_points([[card for card in view.hand if card not in discarded] for discarded in ways], others)
    return {
        discarded: (hand, sign * mean_crib(rules.variant, own, ranks_of(discarded)))
        for discarded, hand in zip(ways, hands, strict=True)
    }
