"""Suits that a writer left out, chosen so that they make no points unless the scores say that they did."""

from collections.abc import Iterator
from itertools import islice, product
from typing import NamedTuple

from fifteentwo.formats.deals import Laid
from fifteentwo.rules.cards import RANK_TEXT, Card, Suit
from fifteentwo.rules.show import points as show_points

Cards = tuple[Card, ...]
MOST_TRIED = 4000
"""Ways to choose the suits of one hand that are looked at."""


class Unsuited(NamedTuple):
    """The thirteen cards of a deal as they are written: pone first."""

    hands: list[list[Laid]]
    thrown: list[list[Laid]]
    starter: Laid

    def missing(self) -> Laid | None:
        """The first card whose suit is not written."""
        return next((card for card in self._all() if card.suit is None), None)

    def number_missing(self) -> int:
        """How many are not."""
        return sum(card.suit is None for card in self._all())

    def _all(self) -> list[Laid]:
        return [*self.hands[0], *self.hands[1], *self.thrown[0], *self.thrown[1], self.starter]


def suited(deal: Unsuited) -> Iterator[tuple[Cards, ...]]:
    """Ways to give every card a suit, the one that makes the fewest points first, one for each outcome.

    An outcome is what pone's hand, the dealer's hand and the crib make. Yields the two hands, the two throws
    and the starter; no card twice. A deal whose suits are all written has one.
    """
    given = {Card(str(card)) for card in deal._all() if card.suit is not None}
    starters = list(_choices([deal.starter], given))
    seen: dict[tuple[int, int, int], tuple[Cards, ...]] = {}
    for (starter,) in starters:
        taken = given | {starter}
        for pone in _apart(deal.hands[0], starter, taken, crib=False):
            with_pone = taken | set(pone)
            for dealer in _apart(deal.hands[1], starter, with_pone, crib=False):
                with_dealer = with_pone | set(dealer)
                for crib in _apart([*deal.thrown[0], *deal.thrown[1]], starter, with_dealer, crib=True):
                    outcome = (
                        show_points(pone, starter),
                        show_points(dealer, starter),
                        show_points(crib, starter, crib=True),
                    )
                    seen.setdefault(outcome, (pone, dealer, crib[:2], crib[2:], (starter,)))
    yield from (seen[outcome] for outcome in sorted(seen, key=lambda points: (sum(points), points)))


def _apart(cards: list[Laid], starter: Card, taken: set[Card], *, crib: bool) -> Iterator[Cards]:
    """Ways to suit four cards, one for each number of points they make with the starter."""
    seen: set[int] = set()
    for chosen in islice(_choices(cards, taken), MOST_TRIED):
        points = show_points(chosen, starter, crib=crib)
        if points not in seen:
            seen.add(points)
            yield chosen


def _choices(cards: list[Laid], taken: set[Card]) -> Iterator[Cards]:
    """Every way to suit these cards with none of those taken, and none twice."""
    open_to = [
        [Card(str(card))]
        if card.suit is not None
        else [one for suit in _turned(place) if (one := Card(RANK_TEXT[card.rank - 1] + suit)) not in taken]
        for place, card in enumerate(cards)
    ]
    for chosen in product(*open_to):
        if len(set(chosen)) == len(chosen):
            yield chosen


def _turned(place: int) -> list[Suit]:
    """The suits, beginning with another one for each card: so that they make no flush."""
    suits = list(Suit)
    return suits[place % 4 :] + suits[: place % 4]
