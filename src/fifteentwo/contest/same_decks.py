"""The same cards for several players: decks known beforehand, and a record's decks dealt again.

There is no cut: each deal's cards come in the order of the deck, for any players.
"""

from typing import Any

from fifteentwo.contest.table import Decks, Table
from fifteentwo.rules.actions import Deal, TurnUp
from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import DealerChosen
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.variants import Rules, options_of, rules_for

Tops = tuple[tuple[Card, ...], ...]
"""The cards on top of the deck of each deal, in the order they are dealt, the starter last."""


def uncut(rules: Rules) -> Rules:
    """Return the same rules where no cut decides the cards."""
    options: dict[str, Any] = options_of(rules)
    options |= {
        "first_dealer": "named",
        "partners_by_draw": False,
        "cut_before_deal": False,
        "starter": "top",
    }
    return rules_for(rules.variant.value, **options)


def begun(rules: Rules, decks: Decks, dealer: int) -> Record:
    """A game of `uncut` rules as it lies before the first decision, this seat dealing."""
    table = Table(rules, decks)
    table.adopt(table.name_dealer(dealer))
    return Record(rules=rules, names=(), actions=tuple(table.actions))


def tops(record: Record) -> Tops:
    """Return the cards on top of each deck of a game, as it was cut."""
    found: list[tuple[Card, ...]] = []
    for action in record.actions:
        if isinstance(action, Deal):
            found.append(action.cards)
        elif isinstance(action, TurnUp) and found:
            found[-1] = (*found[-1], action.card)
    return tuple(found)


def first_dealer(record: Record) -> int:
    """The seat that dealt first; ValueError where there was no dealer."""
    for _, _, events in replay(record):
        for event in events:
            if isinstance(event, DealerChosen):
                return event.dealer
    raise ValueError("no dealer was chosen")


def topped(decks: Decks, known: Tops) -> Decks:
    """Decks with these cards on top of the first deals; the rest, and all later decks, as they were."""

    def deck(name: str) -> tuple[Card, ...]:
        kind, _, number = name.partition("-")
        top = known[int(number) - 1] if kind == "deal" and int(number) <= len(known) else ()
        return (*top, *[card for card in decks(name) if card not in top])

    return deck
