"""The open pages of a table: each with its outbox, and how far it has been brought up to date."""

import asyncio

from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.server.errors import Refused
from fifteentwo.server.live import wire
from fifteentwo.server.signals import Signal

TRY_AGAIN = 1013
"""The code that a connection is closed with where the page should come back."""
MOST_UNSENT = 1024
MOST_PAGES = 32
"""Pages open at one table, shared alike among its seats: no one keeps the others out by opening many."""

SeatClock = tuple[str | None, str | None, float | None]
"""Of a seat's clock: what runs, which level plays, and when it runs out."""


class Outbox:
    """What is still to be sent to one open page."""

    def __init__(self) -> None:
        self.unsent: asyncio.Queue[bytes | int] = asyncio.Queue(MOST_UNSENT)
        """Messages, and at the very end the code to close with."""
        self.closed = False
        """Nothing more is sent to the page or taken from it."""

    def send(self, message: bytes) -> None:
        """Queue a message; a page that has read nothing for very long is closed."""
        try:
            self.unsent.put_nowait(message)
        except asyncio.QueueFull:
            self.close(TRY_AGAIN)

    def close(self, code: int) -> None:
        """Queue the code to close with; nothing follows it."""
        self.closed = True
        while self.unsent.full():
            self.unsent.get_nowait()
        self.unsent.put_nowait(code)


class SharedScreen:
    """Whose place one page shows, of several people who share it."""

    def __init__(self, persons: tuple[int, ...]) -> None:
        self.persons = persons
        self.shown: int | None = None
        """Whose place it shows; None while it is on its way to a player."""
        self.open = False
        """They have pressed, and may see their cards."""
        self.to: int | None = None
        """Whom it is passed to; None where none of them is to act yet."""
        self.number = 0
        """Of the last time it was passed on: a press for an earlier one opens nothing."""
        self.sent: wire.Passed | None = None
        self.seen: dict[int, int] = {}
        """Up to which event each of them has seen the table."""


class OpenPage(Outbox):
    """One open page: whose, in which language, and what it was last sent."""

    def __init__(self, person: int, lang: str, v: int | None, commitment: str | None = None) -> None:
        super().__init__()
        self.person = person
        self.screen: SharedScreen | None = None
        """Where several people of the table share the page."""
        self.commitment = commitment
        """To the seed of the present game, empty where it brings none; None: it takes no part in dealing."""
        self.lang = lang
        self.v = v
        self.session: str | None = None
        """That of the account they signed in with; None for a guest."""
        self.coach = False
        """It wants to know the cost of this person's choices."""
        self.people: wire.People | None = None
        """Who was at the table when it was last sent that."""
        self.clock: list[SeatClock] | None = None
        """The clocks as it was last sent them."""
        self.dealing: tuple[object, ...] | None = None
        """How the dealing stood when it was last sent that."""

    @property
    def persons(self) -> tuple[int, ...]:
        """Everyone who sits at this page."""
        return (self.person,) if self.screen is None else self.screen.persons


class Audience(list[OpenPage]):
    """Every open page of one table in this process."""

    def __init__(self, seats: int) -> None:
        super().__init__()
        self._most_of_a_person = MOST_PAGES // seats
        self.joined = Signal[[OpenPage]]()
        self.left = Signal[[OpenPage]]()

    def join(self, page: OpenPage) -> None:
        """Add a page that opens, or comes back knowing all up to its v; Refused where it is too many."""
        own = sum(one.persons[0] == page.persons[0] for one in self)
        if own >= self._most_of_a_person:
            raise Refused("too-many-pages", status=429)
        self.append(page)
        self.joined.send(page)

    def leave(self, page: OpenPage) -> None:
        """Remove a page that closes."""
        if page in self:
            self.remove(page)
        self.left.send(page)

    def broadcast(self, message: bytes) -> None:
        """Send a message to every page."""
        for page in self:
            page.send(message)

    def refuse(self, error: FifteenTwoError) -> None:
        """Say on every page that something cannot be done now which none of them asked for."""
        for page in self:
            page.send(wire.refused(error, page.lang))

    def close(self, code: int = TRY_AGAIN) -> None:
        """Close every page."""
        for page in self:
            page.close(code)
