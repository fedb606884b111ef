"""Suits for cards that were written without: chosen to make no points unless the written scores need them."""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

from fifteentwo.formats.deals import WrittenCard
from fifteentwo.rules.cards import RANK_TEXT, Card, Rank, Suit
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.events import ScoreName
from fifteentwo.rules.show import scores as show_scores

Cards = tuple[Card, ...]
SuitPoints = tuple[int, int, int]
"""Points for flush and nobs of pone's hand, the dealer's hand and the crib."""
MAX_TRIED = 4000
"""Limit on choices of suits that are tried for one hand."""


class Unsuited(NamedTuple):
    """The thirteen cards of a deal as written, pone's first."""

    hands: list[list[WrittenCard]]
    discarded: list[list[WrittenCard]]
    starter: WrittenCard

    def missing(self) -> WrittenCard | None:
        """Return the first card without a suit."""
        return next((card for card in self._all() if card.suit is None), None)

    def number_missing(self) -> int:
        return sum(card.suit is None for card in self._all())

    def with_suits_of(self, play: Sequence[WrittenCard]) -> "Unsuited":
        """Add suits that are only written in the play; raise NotationError if both hands may have a card."""
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


def suit_choices(deal: Unsuited) -> Iterator[tuple[Cards, ...]]:
    """Yield choices of suits, one for each set of points by flush and nobs, the fewest points first.

    Yields the two hands, the two discards and the starter; no card occurs twice. A deal with all suits
    written has one choice.
    """
    given = {Card(str(card)) for card in deal._all() if card.suit is not None}
    # Most deals have neither. Such a choice is found at once; others are searched only if needed.
    first = next((way for way, made in _all_choices(deal, given) if not any(made)), None)
    if first is not None:
        yield first
    others: dict[SuitPoints, tuple[Cards, ...]] = {}
    for way, made in _all_choices(deal, given):
        if first is None or any(made):
            others.setdefault(made, way)
    yield from (others[made] for made in sorted(others, key=lambda points: (sum(points), points)))


def _all_choices(deal: Unsuited, given: set[Card]) -> Iterator[tuple[tuple[Cards, ...], SuitPoints]]:
    for (starter,) in _suitings([deal.starter], given):
        taken = given | {starter}
        for pone, by_pone in _distinct_choices(deal.hands[0], starter, taken, crib=False):
            with_pone = taken | set(pone)
            for dealer, by_dealer in _distinct_choices(deal.hands[1], starter, with_pone, crib=False):
                with_dealer = with_pone | set(dealer)
                for crib, by_crib in _distinct_choices(
                    [*deal.discarded[0], *deal.discarded[1]], starter, with_dealer, crib=True
                ):
                    yield (pone, dealer, crib[:2], crib[2:], (starter,)), (by_pone, by_dealer, by_crib)


def _distinct_choices(
    cards: list[WrittenCard], starter: Card, taken: set[Card], *, crib: bool
) -> Iterator[tuple[Cards, int]]:
    """Yield suits for four cards, one choice for each number of points by flush and nobs (R85-R90)."""
    seen: set[int] = set()
    for chosen in islice(_suitings(cards, taken), MAX_TRIED):
        made = _suit_points(chosen, starter, crib=crib)
        if made not in seen:
            seen.add(made)
            yield chosen, made


def _suit_points(cards: Cards, starter: Card, *, crib: bool) -> int:
    """Return the points by flush and nobs; `show.scores` is called only if there can be any."""
    if starter in cards:
        return 0  # Impossible in a deal; `GameBuilder` names the card.
    suits = {card.suit for card in cards}
    if len(suits) > 1 and not any(card.rank is Rank.JACK and card.suit is starter.suit for card in cards):
        return 0
    scores = show_scores(cards, starter, crib=crib)
    return sum(score.points for score in scores if score.name in (ScoreName.FLUSH, ScoreName.NOBS))


def _suitings(cards: list[WrittenCard], taken: set[Card]) -> Iterator[Cards]:
    """Yield every choice of suits without repeated or taken cards."""
    open_to = [
        [Card(str(card))]
        if card.suit is not None
        else [
            one for suit in _suits_from(place) if (one := Card(RANK_TEXT[card.rank - 1] + suit)) not in taken
        ]
        for place, card in enumerate(cards)
    ]
    for chosen in product(*open_to):
        if len(set(chosen)) == len(chosen):
            yield chosen


def _suits_from(place: int) -> list[Suit]:
    """Return all suits in an order that differs by place, so that the first choices make no flush."""
    suits = list(Suit)
    return suits[place % 4 :] + suits[: place % 4]
