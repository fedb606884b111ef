"""The open pages of a table: who looks, how far each has been told, and what it is told now."""

import asyncio
from typing import TYPE_CHECKING

from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live import pass_and_play, wire

if TYPE_CHECKING:
    from fifteentwo.server.live.rooms import Room

TRY_AGAIN = 1013
"""The code that a line is closed with where the page should come back."""
MOST_UNSENT = 1024
MOST_LISTENERS = 32
"""Pages open at one table, shared alike among its seats: nobody keeps the others out by opening many."""


Told = tuple[str | None, str | None, float | None]
"""Of a seat's clock: what runs, which level plays, and when it runs out."""


class Outgoing:
    """What is still to be sent to one open page."""

    def __init__(self) -> None:
        self.unsent: asyncio.Queue[bytes | int] = asyncio.Queue(MOST_UNSENT)
        """Messages, and at the very end the code to close with."""
        self.closed = False
        """It has been told to go: nothing more is sent to it or taken from it."""

    def send(self, message: bytes) -> None:
        """Put a message in line; a page that reads nothing for very long is let go."""
        try:
            self.unsent.put_nowait(message)
        except asyncio.QueueFull:
            self.close(TRY_AGAIN)

    def close(self, code: int) -> None:
        """Nothing more will come, and why."""
        self.closed = True
        while self.unsent.full():
            self.unsent.get_nowait()
        self.unsent.put_nowait(code)


class Listener(Outgoing):
    """One open page: who looks, in which language, how far it has been told, and what is still to be sent."""

    def __init__(self, person: int, lang: str, v: int | None, commitment: str | None = None) -> None:
        super().__init__()
        self.person = person
        self.screen: pass_and_play.Screen | None = None
        """Where several people of the table share the page."""
        self.commitment = commitment
        """To the seed of the present game, empty where it brings none; None: it takes no part in dealing."""
        self.lang = lang
        self.v = v
        self.session: str | None = None
        """That of the kept name they came with; None for a guest."""
        self.coach = False
        """Told what this person's choices were worth."""
        self.people: wire.People | None = None
        """Who it was last told is at the table."""
        self.clock: list[Told] | None = None
        """Whose time it was last told runs out when, and which levels play for people."""
        self.dealing: tuple[object, ...] | None = None
        """How it was last told that the dealing stands."""

    @property
    def persons(self) -> tuple[int, ...]:
        """Everyone who looks at this page."""
        return (self.person,) if self.screen is None else self.screen.persons


class Listeners(list[Listener]):
    """Everyone who listens at one table."""

    def __init__(self, room: "Room") -> None:
        super().__init__()
        self._room = room

    def admit(self, listener: Listener) -> None:
        """One more page; Refused where whoever opens it has enough of them."""
        own = sum(one.persons[0] == listener.persons[0] for one in self)
        if own >= MOST_LISTENERS // self._room.rules.seats:
            raise Refused("too-many-pages", status=429)
        self.append(listener)

    def catch_up(self, listener: Listener) -> None:
        """Tell one page what has happened since it was last told; the whole table where it must be."""
        room, ledger = self._room, self._room.ledger
        room.seeding.tell(listener)
        if listener.screen is not None:
            pass_and_play.tell(room, listener)
            return
        if listener.v is None or not ledger.restarted <= listener.v <= ledger.v:
            self.tell_table(listener)
            return
        for v in range(listener.v + 1, ledger.v + 1):
            line = ledger.line(v)
            listener.send(wire.event(v, line, listener.person, listener.lang, room.names, room.rules.sides))
        listener.v = ledger.v
        listener.send(wire.view_now(ledger, listener.person, room.now(listener.person)))
        listener.send(wire.waiting(room.waiting, room.clock.left))

    def tell_table(self, listener: Listener) -> None:
        """Tell one page the whole table."""
        room = self._room
        room.seeding.tell(listener)
        if listener.screen is not None:
            pass_and_play.tell(room, listener, whole=True)
            return
        now = room.now(listener.person)
        listener.send(wire.table(room.ledger, listener.person, listener.lang, room.names, now))
        listener.v = room.ledger.v
        listener.send(wire.waiting(room.waiting, room.clock.left))

    def tell_everything(self) -> None:
        """Tell everyone the whole table, and who is here."""
        for listener in self:
            self.tell_table(listener)
        self.tell_people()

    def refuse(self, error: StoreError) -> None:
        """Tell everyone that something cannot be done now which nobody of them asked for."""
        for listener in self:
            listener.send(wire.refused(error, listener.lang))

    def tell_people(self) -> None:
        """Tell everyone who does not know it yet who is here; whose clock runs depends on it."""
        now = self._room.people_now()
        for listener in self:
            if listener.people != now:
                listener.people = now
                listener.send(wire.people(now))
        self._room.move_clock.set()
