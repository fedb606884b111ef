"""Leads for two, compared by playing the rest out: hands the other may hold, both by one simple policy.

Ranks here are 0 (ace) to 12 (king). In a playout neither sees the other's cards: each plays what most players
would from its own. Many playouts from the same hands compare the cards this seat could play now.
"""

import random
from collections.abc import Collection, Sequence
from functools import lru_cache
from math import sqrt

from fifteentwo.analysis.counting import VALUES, played_points
from fifteentwo.analysis.pegging.sampling import Hands, sample
from fifteentwo.fast.play import Turn, after_card, after_go, card_points, holding, playable
from fifteentwo.rules.view import View

Ranks = tuple[int, ...]

FEWEST, MOST = 32, 128
"""Playouts before a card may be given up, and in all. Chosen for speed."""
CERTAIN = 3.0
"""Standard errors by which a card must trail to be given up. Chosen."""
POINT, TRAP = 32, 24
"""What a point counts and a trap costs in the rollout policy, in counting values. Chosen, not measured."""
TRAPS = (5, 21)
"""Counts on which most hands can peg: the next ten-card makes 15 or 31."""


def best_rank(view: View, luck: random.Random, among: Collection[int] = range(13)) -> int:
    """The rank, of these, whose playouts end best for this side."""
    hand = [card.index >> 2 for card in view.hand]
    ranks = sorted(
        {rank for rank in hand if rank in among and playable(view.count, VALUES[rank])}, reverse=True
    )
    if len(ranks) == 1:
        return ranks[0]
    outcomes: dict[int, list[int]] = {rank: [] for rank in ranks}
    for number, hands in enumerate(sample(view, MOST, luck), start=1):
        hands[view.seat] = hand
        for rank, gains in outcomes.items():
            pegged = rest_of_play(view, rank, [list(held) for held in hands])
            gains.append(pegged[view.seat] - pegged[1 - view.seat])
        if number >= FEWEST and number % 16 == 0:
            outcomes = _still_open(outcomes)
            if len(outcomes) == 1:
                break
    return max(outcomes, key=lambda rank: sum(outcomes[rank]))


def _still_open(outcomes: dict[int, list[int]]) -> dict[int, list[int]]:
    """The cards that do not trail the best by more than chance explains, hand for hand."""
    best = max(outcomes.values(), key=sum)
    return {rank: gains for rank, gains in outcomes.items() if gains is best or not _trails(gains, best)}


def _trails(gains: Sequence[int], best: Sequence[int]) -> bool:
    number = len(gains)
    gaps = [ahead - behind for ahead, behind in zip(best, gains, strict=True)]
    mean = sum(gaps) / number
    variance = sum([(gap - mean) ** 2 for gap in gaps]) / number
    return mean > CERTAIN * sqrt(variance / number)


@lru_cache(maxsize=50_000)
def policy_card(hand: Ranks, played: Ranks, count: int) -> int:
    """The card most players would play: most points, no trap for themselves, high before low; -1 for none."""
    best, most = -1, -1_000
    for rank in hand:
        if not playable(count, VALUES[rank]):
            continue
        after = count + VALUES[rank]
        merit = POINT * played_points(played, count, rank) + VALUES[rank] - (TRAP if after in TRAPS else 0)
        if merit > most:
            best, most = rank, merit
    return best


def rest_of_play(view: View, rank: int, hands: Hands) -> list[int]:
    """Points each of two seats pegs if this one plays `rank`, then both by `policy_card`; uses up `hands`."""
    pile = [card.index >> 2 for card in view.in_count]
    pegged = [0, 0]
    last = view.played[-1][0] if view.played else 1 - view.seat
    gone = sum(1 << seat for seat in view.gone)
    now = Turn(view.seat, view.count, 0, len(pile), gone, last)
    while True:
        if rank >= 0:
            hands[now.seat].remove(rank)
            pile.append(rank)
            pegged[now.seat] += card_points(pile, now.start, now.end + 1, now.total + VALUES[rank])
            now = after_card(2, now, VALUES[rank], holding(len(hands[0]), len(hands[1])))
        else:
            now = after_go(2, now, holding(len(hands[0]), len(hands[1])))
            pegged[now.last] += now.total == 0
        if not any(hands):
            pegged[now.last] += now.total > 0
            return pegged
        rank = policy_card(tuple(hands[now.seat]), tuple(pile[now.start : now.end]), now.total)
