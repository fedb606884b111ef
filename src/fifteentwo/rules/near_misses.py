"""Near misses: cards that look like a score but are none, in hands, cribs and pegging."""

from collections.abc import Sequence

import msgspec

from fifteentwo.rules import pegging, show
from fifteentwo.rules.cards import Card, Rank

AROUND_THE_ACE = ({Rank.QUEEN, Rank.KING, Rank.ACE}, {Rank.KING, Rank.ACE, Rank.TWO})
"""Sets of ranks that are not a run, because the ace is low (R8)."""


class NearMiss(msgspec.Struct, frozen=True):
    """Cards that nearly make a score."""

    why: str
    """Why they score nothing: crib-flush, starter-flush (four of a suit that are no flush), corner (no run
    around the ace), jack (of another suit than the starter), broken-pair, broken-run (other cards are in
    between), hand, card (no score at all)."""
    cards: tuple[Card, ...]
    count: int | None = None
    """The running count if `why` is "card"."""


def hand_near_misses(hand: Sequence[Card], starter: Card, *, crib: bool = False) -> tuple[NearMiss, ...]:
    """Return why a hand or crib of four cards scores nothing; empty if it scores."""
    if show.points(hand, starter, crib=crib):
        return ()
    found: list[NearMiss] = []
    alike = [card for card in hand if card.suit is starter.suit]
    if crib and len({card.suit for card in hand}) == 1:
        found.append(NearMiss("crib-flush", tuple(hand)))
    elif len(hand) == 4 and len(alike) == 3:
        found.append(NearMiss("starter-flush", (*alike, starter)))
    together = [*hand, starter]
    found += _corner(together)
    found += [NearMiss("jack", (card,)) for card in hand if card.rank is Rank.JACK]
    return (NearMiss("hand", ()), *found)


def card_near_misses(played: Sequence[Card]) -> tuple[NearMiss, ...]:
    """Return why the last card of one count scores nothing; empty if it scores. played: all its cards."""
    if pegging.scores(played):
        return ()
    *before, last = played
    found: list[NearMiss] = []
    mate = next((card for card in reversed(before) if card.rank is last.rank), None)
    if mate is not None:
        found.append(NearMiss("broken-pair", (mate, last)))
    run = _run_with(played)
    if run:
        found.append(NearMiss("broken-run", run))
    found += _corner(played[-3:])
    return (NearMiss("card", (last,), sum([card.value for card in played])), *found)


def _corner(cards: Sequence[Card]) -> list[NearMiss]:
    """Return a near miss if some cards would be a run around the ace."""
    ranks = {card.rank for card in cards}
    corner = next((one for one in AROUND_THE_ACE if one <= ranks), None)
    if corner is None:
        return []
    return [NearMiss("corner", tuple([card for card in cards if card.rank in corner]))]


def _run_with(played: Sequence[Card]) -> tuple[Card, ...]:
    """Return three or more cards of successive ranks with the last card played, or no cards."""
    latest = {card.rank.value: card for card in played}
    low = high = played[-1].rank.value
    while low - 1 in latest:
        low -= 1
    while high + 1 in latest:
        high += 1
    return tuple([latest[rank] for rank in range(low, high + 1)]) if high - low > 1 else ()
