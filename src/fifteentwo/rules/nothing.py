"""Why cards that look as if they scored score nothing: facts by the rules, for hands, cribs and pegging."""

from collections.abc import Sequence

import msgspec

from fifteentwo.rules import pegging, show
from fifteentwo.rules.cards import Card, Rank

CORNERS = ({Rank.QUEEN, Rank.KING, Rank.ACE}, {Rank.KING, Rank.ACE, Rank.TWO})
"""No runs: the ace is low (R8)."""


class Nothing(msgspec.Struct, frozen=True):
    """What is nearly a score, and why it is none.

    crib-flush, starter-flush: four of a suit that are no flush. corner: no run around the ace. jack: of
    another suit than the starter. broken-pair, broken-run: other cards lie between. hand, card: no score.
    """

    why: str
    cards: tuple[Card, ...]
    count: int | None = None


def of_hand(hand: Sequence[Card], starter: Card, *, crib: bool = False) -> tuple[Nothing, ...]:
    """Return why a hand or crib of four makes nothing; empty where it scores."""
    if show.points(hand, starter, crib=crib):
        return ()
    found: list[Nothing] = []
    alike = [card for card in hand if card.suit is starter.suit]
    if crib and len({card.suit for card in hand}) == 1:
        found.append(Nothing("crib-flush", tuple(hand)))
    elif len(hand) == 4 and len(alike) == 3:
        found.append(Nothing("starter-flush", (*alike, starter)))
    together = [*hand, starter]
    found += _corner(together)
    found += [Nothing("jack", (card,)) for card in hand if card.rank is Rank.JACK]
    return (Nothing("hand", ()), *found)


def of_card(played: Sequence[Card]) -> tuple[Nothing, ...]:
    """Return why the last of these cards of one count pegs nothing; empty where it scores."""
    if pegging.scores(played):
        return ()
    *before, last = played
    found: list[Nothing] = []
    mate = next((card for card in reversed(before) if card.rank is last.rank), None)
    if mate is not None:
        found.append(Nothing("broken-pair", (mate, last)))
    run = _run_with(played)
    if run:
        found.append(Nothing("broken-run", run))
    found += _corner(played[-3:])
    return (Nothing("card", (last,), sum([card.value for card in played])), *found)


def _corner(cards: Sequence[Card]) -> list[Nothing]:
    ranks = {card.rank for card in cards}
    corner = next((one for one in CORNERS if one <= ranks), None)
    if corner is None:
        return []
    return [Nothing("corner", tuple([card for card in cards if card.rank in corner]))]


def _run_with(played: Sequence[Card]) -> tuple[Card, ...]:
    """Three cards or more of following ranks, the last one played among them; none where there are not."""
    latest = {card.rank.value: card for card in played}
    low = high = played[-1].rank.value
    while low - 1 in latest:
        low -= 1
    while high + 1 in latest:
        high += 1
    return tuple([latest[rank] for rank in range(low, high + 1)]) if high - low > 1 else ()
