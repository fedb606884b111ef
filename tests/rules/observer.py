"""What each seat may know, computed apart from the package from deals, plays and shows."""

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from fifteentwo.rules.actions import Deal, Discard, Play, TurnUp
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.events import (
    DealEnded,
    Dealt,
    Discarded,
    Drew,
    Event,
    PartnersMade,
    Played,
    Shown,
    StarterTurned,
)
from fifteentwo.rules.state import State
from fifteentwo.rules.variants import Rules
from tests.rules.random_games import Moment


class Observer:
    """Follows a game and records which seat may know which card."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.drawn: set[Card] = set()
        self.own: list[list[Card]] = [[] for _ in range(rules.seats)]
        """Cards dealt to each seat."""
        self.in_crib: list[list[Card]] = [[] for _ in range(rules.seats)]
        self.extra: list[Card] = []
        self.open: set[Card] = set()

    def may_know(self, seat: int) -> set[Card]:
        return self.open | set(self.own[seat])

    def follow(self, moment: Moment, event: Event) -> None:
        """Update the cards that each seat may know. The cards are those of the action behind the event."""
        action = moment.action
        match event:
            case Drew():
                assert isinstance(action, TurnUp)
                self.drawn.add(action.card)
            case PartnersMade():
                pass
            case Dealt():
                assert isinstance(action, Deal)
                seats, first = self.rules.seats, moment.before.dealer + 1
                for place, card in enumerate(action.cards[: seats * self.rules.dealt]):
                    self.own[(first + place) % seats].append(card)
                self.extra = list(action.cards[seats * self.rules.dealt :])
            case Discarded():
                assert isinstance(action, Discard)
                self.in_crib[action.seat] = list(action.cards)
            case StarterTurned():
                assert isinstance(action, TurnUp)
                self.open.add(action.card)
            case Played():
                assert isinstance(action, Play)
                self.open.add(action.card)
            case Shown(seat=seat, crib=True):
                self.open.update(self.extra, *self.in_crib)
            case Shown(seat=seat):
                self.open.update(card for card in self.own[seat] if card not in self.in_crib[seat])
            case DealEnded():
                self.__init__(self.rules)  # type: ignore[misc]
            case _:
                pass


def cards_in(value: Any) -> Iterator[Card]:
    if isinstance(value, Card):
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from cards_in(getattr(value, name))
    elif isinstance(value, tuple | list | set):
        for inner in value:
            yield from cards_in(inner)
    else:
        assert value is None or isinstance(value, int | str), value


def swapped(known: set[Card], chooser: random.Random) -> dict[Card, Card]:
    """Return another distribution of the cards that a seat does not know."""
    hidden = [card for card in DECK if card not in known]
    other = hidden[:]
    chooser.shuffle(other)
    return {**{card: card for card in known}, **dict(zip(hidden, other, strict=True))}


def with_other_cards(state: State, lie: dict[Card, Card]) -> State:
    """Return the game with hidden cards distributed differently."""

    def hands(held: tuple[tuple[Card, ...], ...]) -> tuple[tuple[Card, ...], ...]:
        return tuple(tuple(lie[card] for card in hand) for hand in held)

    return msgspec.structs.replace(
        state,
        hands=hands(state.hands),
        kept=hands(state.kept),
        discarded=hands(state.discarded),
        crib=tuple(sorted(lie[card] for card in state.crib)),
    )


def event_with_other_cards(event: Event, lie: dict[Card, Card]) -> Event:
    match event:
        case Dealt(hands=hands, crib=crib):
            return Dealt(
                tuple(tuple(lie[card] for card in hand) for hand in hands), tuple(lie[card] for card in crib)
            )
        case Discarded(seat=seat, cards=cards):
            return Discarded(seat, tuple(lie[card] for card in cards))
        case Shown(seat=seat, cards=cards, crib=crib):
            return Shown(seat, tuple(lie[card] for card in cards), crib)
        case _:
            return event
