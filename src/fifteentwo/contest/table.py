"""A table without I/O: seats, rules, decks and the log of actions."""

from collections.abc import Iterable

import msgspec

from fifteentwo.rules.actions import Action, Forfeit, NameDealer, SeatAction
from fifteentwo.rules.decks import Decks, chance
from fifteentwo.rules.errors import IllegalAction, is_seat
from fifteentwo.rules.events import Event, ForfeitedFor
from fifteentwo.rules.game import step, to_act
from fifteentwo.rules.state import State, start
from fifteentwo.rules.variants import Rules


class Outcome(msgspec.Struct, frozen=True):
    """The result of an action and the chance that follows; a table changes only if it adopts it."""

    state: State
    actions: tuple[Action, ...]
    events: tuple[Event, ...]


class Table:
    """One game."""

    def __init__(
        self, rules: Rules, decks: Decks, *, named: bool = False, actions: Iterable[Action] = ()
    ) -> None:
        """Create a new game, or restore one from all its actions, chance included."""
        self.decks = decks
        self.state = start(rules, named=named)
        self.actions: list[Action] = []
        self.events: list[Event] = []
        for action in actions:
            state, events = step(self.state, action)
            self.adopt(Outcome(state, (action,), events))

    @property
    def waiting(self) -> tuple[int, ...]:
        """Seats that may act now."""
        return to_act(self.state)

    @property
    def over(self) -> bool:
        """Whether the game is won."""
        return self.state.won is not None

    def propose(self, seat: int, action: SeatAction) -> Outcome:
        """Return the outcome of a seat's action; raise IllegalAction if it is not allowed."""
        if action.seat != seat or not is_seat(seat, self.state.rules.seats):
            raise IllegalAction("not-your-seat", "R50", seat, acting=action.seat)
        return self._with_chance(action)

    def adopt(self, taken: Outcome) -> None:
        """Change the table to an outcome."""
        self.state = taken.state
        self.actions.extend(taken.actions)
        self.events.extend(taken.events)

    def submit(self, seat: int, action: SeatAction) -> tuple[Event, ...]:
        """Do a seat's action and the chance that follows; return the events."""
        taken = self.propose(seat, action)
        self.adopt(taken)
        return taken.events

    def forfeit(self, seat: int, why: ForfeitedFor) -> None:
        """Let a seat forfeit the game, on turn or not."""
        self.adopt(self._with_chance(Forfeit(seat, why)))

    def name_dealer(self, dealer: int) -> Outcome:
        """Return the outcome of naming the first dealer (R28)."""
        return self._with_chance(NameDealer(dealer))

    def chance_due(self) -> Outcome:
        """Return the outcome of the chance that must happen before any seat can act."""
        return self._with_chance(None)

    def _with_chance(self, action: Action | None) -> Outcome:
        state = self.state
        actions: list[Action] = []
        events: list[Event] = []
        action = action or chance(state, self.decks)
        while action is not None:
            state, more = step(state, action)
            actions.append(action)
            events.extend(more)
            action = chance(state, self.decks)
        return Outcome(state, tuple(actions), tuple(events))
