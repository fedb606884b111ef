"""Suits that a writer left out, chosen so that they make no points unless the scores say that they did."""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

from fifteentwo.formats.deals import WrittenCard
from fifteentwo.rules.cards import RANK_TEXT, Card, Rank, Suit
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.events import ScoreName
from fifteentwo.rules.show import scores as show_scores

Cards = tuple[Card, ...]
Made = tuple[int, int, int]
"""Points by flush and nobs of pone's hand, the dealer's and the crib."""
MOST_TRIED = 4000
"""Ways to choose the suits of one hand that are looked at."""


class Unsuited(NamedTuple):
    """The thirteen cards of a deal as they are written: pone first."""

    hands: list[list[WrittenCard]]
    discarded: list[list[WrittenCard]]
    starter: WrittenCard

    def missing(self) -> WrittenCard | None:
        """The first card whose suit is not written."""
        return next((card for card in self._all() if card.suit is None), None)

    def number_missing(self) -> int:
        """How many are not."""
        return sum(card.suit is None for card in self._all())

    def with_suits_of(self, play: Sequence[WrittenCard]) -> "Unsuited":
        """With the suits of the hands that only the play has; NotationError where it may be either hand's."""
        hands = [list(hand) for hand in self.hands]
        for played in play:
            known = any(card[:2] == played[:2] for hand in hands for card in hand)
            if played.suit is None or known:
                continue
            open_to = [hand for hand in hands if any(card[:2] == (played.rank, None) for card in hand)]
            if len(open_to) > 1:
                raise NotationError("suit-missing", str(played)[0], played.line)
            for hand in open_to:
                place = next(at for at, card in enumerate(hand) if card[:2] == (played.rank, None))
                hand[place] = WrittenCard(played.rank, played.suit, hand[place].line)
        return self._replace(hands=hands)

    def _all(self) -> list[WrittenCard]:
        return [*self.hands[0], *self.hands[1], *self.discarded[0], *self.discarded[1], self.starter]


def suited(deal: Unsuited) -> Iterator[tuple[Cards, ...]]:
    """Ways to give every card a suit, the one that makes the fewest points first, one for each outcome.

    An outcome is which of pone's hand, the dealer's hand and the crib have a flush or nobs. Yields the two
    hands, the two discards and the starter; no card twice. A deal whose suits are all written has one.
    """
    given = {Card(str(card)) for card in deal._all() if card.suit is not None}
    # Most deals have neither: that is found at once, and the rest only looked for where it does not fit.
    first = next((way for way, made in _ways(deal, given) if not any(made)), None)
    if first is not None:
        yield first
    others: dict[Made, tuple[Cards, ...]] = {}
    for way, made in _ways(deal, given):
        if first is None or any(made):
            others.setdefault(made, way)
    yield from (others[made] for made in sorted(others, key=lambda points: (sum(points), points)))


def _ways(deal: Unsuited, given: set[Card]) -> Iterator[tuple[tuple[Cards, ...], Made]]:
    for (starter,) in _choices([deal.starter], given):
        taken = given | {starter}
        for pone, by_pone in _apart(deal.hands[0], starter, taken, crib=False):
            with_pone = taken | set(pone)
            for dealer, by_dealer in _apart(deal.hands[1], starter, with_pone, crib=False):
                with_dealer = with_pone | set(dealer)
                for crib, by_crib in _apart(
                    [*deal.discarded[0], *deal.discarded[1]], starter, with_dealer, crib=True
                ):
                    yield (pone, dealer, crib[:2], crib[2:], (starter,)), (by_pone, by_dealer, by_crib)


def _apart(
    cards: list[WrittenCard], starter: Card, taken: set[Card], *, crib: bool
) -> Iterator[tuple[Cards, int]]:
    """Ways to suit four cards, one for each number of points that flush and nobs make (R85-R90)."""
    seen: set[int] = set()
    for chosen in islice(_choices(cards, taken), MOST_TRIED):
        made = _by_suit(chosen, starter, crib=crib)
        if made not in seen:
            seen.add(made)
            yield chosen, made


def _by_suit(cards: Cards, starter: Card, *, crib: bool) -> int:
    """What flush and nobs make: cards of so many suits are asked about only where they may."""
    if starter in cards:
        return 0  # No deal has it: `GameBuilder` names the card.
    suits = {card.suit for card in cards}
    if len(suits) > 1 and not any(card.rank is Rank.JACK and card.suit is starter.suit for card in cards):
        return 0
    scores = show_scores(cards, starter, crib=crib)
    return sum(score.points for score in scores if score.name in (ScoreName.FLUSH, ScoreName.NOBS))


def _choices(cards: list[WrittenCard], taken: set[Card]) -> Iterator[Cards]:
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
