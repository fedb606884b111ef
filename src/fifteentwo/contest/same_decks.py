"""Games with known decks: decks prepared in advance, and a record's decks dealt again.

Cuts are off, so that the cards of each deal follow from the deck for any players.
"""

from msgspec.structs import replace

from fifteentwo.contest.table import Table
from fifteentwo.rules.actions import Deal, TurnUp
from fifteentwo.rules.cards import Card
from fifteentwo.rules.decks import Decks
from fifteentwo.rules.events import DealerChosen
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.variants import FirstDealer, Rules, Starter

DeckTops = tuple[tuple[Card, ...], ...]
"""For each deal the cards on top of its deck in dealing order, the starter last."""


def without_cuts(rules: Rules) -> Rules:
    """Return the same rules without cuts."""
    return replace(
        rules,
        first_dealer=FirstDealer.NAMED,
        partners_by_draw=False,
        cut_before_deal=False,
        starter=Starter.TOP,
    )


def new_record(rules: Rules, decks: Decks, dealer: int) -> Record:
    """Return a game before its first decision, with this dealer; rules: `without_cuts`."""
    table = Table(rules, decks)
    table.adopt(table.name_dealer(dealer))
    return Record(rules=rules, names=(), actions=tuple(table.actions))


def deck_tops(record: Record) -> DeckTops:
    """Return the tops of the decks of a game after cuts."""
    found: list[tuple[Card, ...]] = []
    for action in record.actions:
        if isinstance(action, Deal):
            found.append(action.cards)
        elif isinstance(action, TurnUp) and found:
            found[-1] = (*found[-1], action.card)
    return tuple(found)


def first_dealer(record: Record) -> int:
    """Return the seat that dealt first; raise ValueError if there was no dealer."""
    for _, _, events in replay(record):
        for event in events:
            if isinstance(event, DealerChosen):
                return event.dealer
    raise ValueError("no dealer was chosen")


def with_tops(decks: Decks, known: DeckTops) -> Decks:
    """Return decks that begin with the known tops; the other cards keep their order."""

    def deck(name: str) -> tuple[Card, ...]:
        kind, _, number = name.partition("-")
        top = known[int(number) - 1] if kind == "deal" and int(number) <= len(known) else ()
        return (*top, *[card for card in decks(name) if card not in top])

    return deck
