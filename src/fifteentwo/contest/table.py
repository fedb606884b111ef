"""A table without I/O: seats, rules, the decks and the log of what was done.

Chance comes from `Decks`: a shuffled deck for each deal and each round of draws, asked for by name
("deal-1", "draw-1"). Cuts move the deck as they would at a real table, so who cuts where decides the cards.
"""

import random
from collections.abc import Callable, Iterable

import msgspec

from fifteentwo.rules.actions import Action, ChanceAction, Deal, Forfeit, NameDealer, SeatAction, TurnUp
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.errors import IllegalAction, is_seat
from fifteentwo.rules.events import Event, ForfeitedFor
from fifteentwo.rules.game import step, to_act
from fifteentwo.rules.state import Phase, State, start
from fifteentwo.rules.variants import Rules

Decks = Callable[[str], tuple[Card, ...]]
"""The shuffled deck of a deal or a round of draws, by its name; the same name always gives the same deck."""


def seeded(seed: int | str) -> Decks:
    """Decks that a seed decides; for arenas and tests, not for play between people."""

    def deck(name: str) -> tuple[Card, ...]:
        shuffled = list(DECK)
        random.Random(f"{seed}/{name}").shuffle(shuffled)
        return tuple(shuffled)

    return deck


class Taken(msgspec.Struct, frozen=True):
    """What an action and the chance that follows it lead to; nothing has changed until a table adopts it."""

    state: State
    actions: tuple[Action, ...]
    events: tuple[Event, ...]


class Table:
    """One game being played."""

    def __init__(
        self, rules: Rules, decks: Decks, *, named: bool = False, actions: Iterable[Action] = ()
    ) -> None:
        """A fresh game, or one brought back by the actions of its log (chance included)."""
        self.decks = decks
        self.state = start(rules, named=named)
        self.actions: list[Action] = []
        self.events: list[Event] = []
        for action in actions:
            state, events = step(self.state, action)
            self.adopt(Taken(state, (action,), events))

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that may act now."""
        return to_act(self.state)

    @property
    def over(self) -> bool:
        """Whether the game is won."""
        return self.state.won is not None

    def propose(self, seat: int, action: SeatAction) -> Taken:
        """What a seat's action would lead to; IllegalAction where it may not be done."""
        if action.seat != seat or not is_seat(seat, self.state.rules.seats):
            raise IllegalAction("not-your-seat", "R50", seat, acting=action.seat)
        return self._with_chance(action)

    def adopt(self, taken: Taken) -> None:
        """Make a proposal, or logged actions, the table's own."""
        self.state = taken.state
        self.actions.extend(taken.actions)
        self.events.extend(taken.events)

    def submit(self, seat: int, action: SeatAction) -> tuple[Event, ...]:
        """Do it: the seat's action and all the chance that follows."""
        taken = self.propose(seat, action)
        self.adopt(taken)
        return taken.events

    def forfeit(self, seat: int, why: ForfeitedFor) -> None:
        """Let a seat give the game up, whosever turn it is."""
        self.adopt(self._with_chance(Forfeit(seat, why)))

    def name_dealer(self, dealer: int) -> Taken:
        """What it leads to that the table agrees on the first dealer (R28)."""
        return self._with_chance(NameDealer(dealer))

    def chance_due(self) -> Taken:
        """The chance that must happen before any seat can act, if the log stopped just there."""
        return self._with_chance(None)

    def _with_chance(self, action: Action | None) -> Taken:
        state, actions, events = self.state, list[Action](), list[Event]()
        action = action or chance(state, self.decks)
        while action is not None:
            state, more = step(state, action)
            actions.append(action)
            events.extend(more)
            action = chance(state, self.decks)
        return Taken(state, tuple(actions), tuple(events))


def chance(state: State, decks: Decks) -> ChanceAction | None:
    """What chance does now, if it is chance's turn: the decks decide, as cut by the players (R32, R45)."""
    rules = state.rules
    dealt = rules.seats * rules.dealt + rules.dealt_to_crib
    match state.phase:
        case Phase.DRAW_TURN:
            drawn = len(state.drawn[state.drawer]) + 1
            return TurnUp(decks(f"draw-{drawn}")[state.drawn_at[-1]])
        case Phase.DEAL:
            return Deal(_cut(decks(f"deal-{state.deal + 1}"), state.deck_cut)[:dealt])
        case Phase.STARTER:
            stock = _cut(decks(f"deal-{state.deal}"), state.deck_cut)[dealt:]
            return TurnUp(stock[state.stock_cut])
        case _:
            return None


def _cut(deck: tuple[Card, ...], at: int) -> tuple[Card, ...]:
    return deck[at:] + deck[:at]
