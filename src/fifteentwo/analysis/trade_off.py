"""What a point of the other side costs in own points, by the score: which book of the play a board asks for.

    price_at(60, 60, dealer=True)     an even race: about a point for a point
    price_at(110, 110, dealer=False)  both near home and counting first: own points are what matters

A book is known by what a dealer's point costs the pone, so a dealer to whom a pone's point costs 2 plays from
the book of 1/2.
"""

from math import log
from typing import NamedTuple

from fifteentwo.analysis.pegging import PRICES
from fifteentwo.analysis.race import TARGETS, Payoff, next_deal_games, win_chance

BEFORE, AFTER = 2, 4
"""The slope of the board is its mean rise from this many points before the score to this many after."""
FLAT = 0.001
"""Net games a point, what the board's standard error allows. Added to both slopes, so that a race as good as
over has a price near 1 instead of a ratio of noise."""


class TradeOff(NamedTuple):
    """A price, and the shipped book nearest to it."""

    price: float
    """Own points that a point of the other side costs."""
    book: float
    """The key of `PRICES`, for `load_pegging_book`."""


def price_at(own: int, other: int, dealer: bool, payoff: Payoff = "game") -> TradeOff:
    """What an opponent's point costs in own points at the start of a deal; `dealer`: own side deals.

    From the slopes of the board, each over six points. Raises ImpossibleScore, DamagedTable.

    >>> price_at(110, 110, dealer=False).price < 0.5 < 2 < price_at(100, 115, dealer=True).price
    True
    """
    # Refuses scores no deal starts with.
    win_chance(own, other, dealer, payoff)
    target = TARGETS[payoff]

    def worth(mine: int, theirs: int) -> float:
        return next_deal_games(mine, theirs, dealt=not dealer, payoff=payoff)

    low, high = _span(own, target)
    gain = (worth(high, other) - worth(low, other)) / (high - low)
    low, high = _span(other, target)
    loss = (worth(own, low) - worth(own, high)) / (high - low)
    price = (max(loss, 0.0) + FLAT) / (max(gain, 0.0) + FLAT)
    return TradeOff(price, nearest_book(price, dealer))


def nearest_book(price: float, dealer: bool) -> float:
    """The shipped book for what an opponent's point costs in own points; by ratio, not by difference.

    >>> nearest_book(1.1, dealer=False), nearest_book(1.1, dealer=True)
    (1.0, 1.0)
    """
    to_pone = 1 / price if dealer else price
    return min(PRICES, key=lambda book: abs(log(book / to_pone)))


def _span(score: int, target: int) -> tuple[int, int]:
    return max(score - BEFORE, 0), min(score + AFTER, target)
