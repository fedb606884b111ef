"""Playing the rest of the play out in the mind: hands the others may hold, and habits all players share.

Ranks here are 0 (ace) to 12 (king). In a playout nobody looks at another's cards: each lays what most players
would from its own. Many playouts from the same hands compare the cards this seat could lay now.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from math import sqrt

from fifteentwo.analysis.counting import VALUES, laid_points
from fifteentwo.analysis.one_reply import foes_share
from fifteentwo.players.manners import chance
from fifteentwo.players.sampling import Hands, sample
from fifteentwo.rules.view import View

Ranks = tuple[int, ...]

FEWEST, MOST = 32, 128
"""Playouts before a card may be given up, and in all."""
CERTAIN = 3.0
"""Standard errors by which a card must trail to be given up."""


def best_rank(view: View, seed: int, among: Collection[int] = range(13)) -> int:
    """The rank, of these, whose playouts end best for this side, its foes' points shared out among them."""
    hand = [card.index >> 2 for card in view.hand]
    ranks = sorted({rank for rank in hand if rank in among and view.count + VALUES[rank] <= 31}, reverse=True)
    if len(ranks) == 1:
        return ranks[0]
    signs = [
        1.0 if view.rules.side(seat) == view.side else -foes_share(view) for seat in range(view.rules.seats)
    ]
    outcomes: dict[int, list[float]] = {rank: [] for rank in ranks}
    for number, hands in enumerate(sample(view, MOST, chance(seed, view)), start=1):
        hands[view.seat] = hand
        for rank, worths in outcomes.items():
            pegged = rest_of_play(view, rank, [list(held) for held in hands])
            worths.append(sum([sign * points for sign, points in zip(signs, pegged, strict=True)]))
        if number >= FEWEST and number % 16 == 0:
            outcomes = _still_open(outcomes)
            if len(outcomes) == 1:
                break
    return max(outcomes, key=lambda rank: sum(outcomes[rank]))


def _still_open(outcomes: dict[int, list[float]]) -> dict[int, list[float]]:
    """The cards that do not trail the best by more than chance explains, hand for hand."""
    best = max(outcomes.values(), key=sum)
    return {rank: worths for rank, worths in outcomes.items() if worths is best or not _trails(worths, best)}


def _trails(worths: Sequence[float], best: Sequence[float]) -> bool:
    number = len(worths)
    gaps = [ahead - behind for ahead, behind in zip(best, worths, strict=True)]
    mean = sum(gaps) / number
    variance = sum([(gap - mean) ** 2 for gap in gaps]) / number
    return mean > CERTAIN * sqrt(variance / number)


@lru_cache(maxsize=50_000)
def habit(hand: Ranks, laid: Ranks, count: int) -> int:
    """The card most players would lay: most points, no trap for themselves, high before low; -1 for none."""
    best, most = -1, -1_000
    for rank in hand:
        after = count + VALUES[rank]
        if after > 31:
            continue
        worth = laid_points(laid, count, rank) * 32 + VALUES[rank] - (24 if after in (5, 21) else 0)
        if worth > most:
            best, most = rank, worth
    return best


def rest_of_play(view: View, rank: int, hands: Hands) -> list[int]:
    """Points each seat pegs if this seat lays `rank` now and all go on by habit; `hands` are used up."""
    laid: Ranks = tuple([card.index >> 2 for card in view.laid])
    count, seat, seats = view.count, view.seat, len(hands)
    out = [other in view.gone for other in range(seats)]
    pegged = [0] * seats
    while True:
        hands[seat].remove(rank)
        pegged[seat] += laid_points(laid, count, rank)
        laid, count = (*laid, rank), count + VALUES[rank]
        last, rank = seat, -1
        if count < 31:
            for place in range(1, seats + 1):
                seat = (last + place) % seats
                if out[seat] or not hands[seat]:
                    continue
                rank = habit(tuple(hands[seat]), laid, count)
                if rank >= 0:
                    break
                out[seat] = True
            else:
                pegged[last] += 1
        if rank >= 0:
            continue
        if view.rules.one_count:
            return pegged
        laid, count, out = (), 0, [False] * seats
        for place in range(1, seats + 1):
            seat = (last + place) % seats
            if hands[seat]:
                break
        else:
            return pegged
        rank = habit(tuple(hands[seat]), laid, count)
