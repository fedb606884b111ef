"""An open page of a table: its outbox, and what it was last sent."""

import asyncio

from fifteentwo.server.live import wire

CLOSE_AND_RECONNECT = 1013
"""The code that a connection is closed with where the page should come back."""
CLOSE_FOR_GOOD = 1008
"""WebSocket close code after which the page does not reconnect."""
MAX_UNSENT_MESSAGES = 1024
"""Messages that wait in one outbox; a page that reads nothing is closed after that."""

SeatClock = tuple[str | None, str | None, float | None]
"""Of a seat's clock: what runs, which level plays, and when it runs out."""


class Outbox:
    """What is still to be sent to one open page."""

    def __init__(self) -> None:
        self.unsent: asyncio.Queue[bytes | int] = asyncio.Queue(MAX_UNSENT_MESSAGES)
        """Messages, and at the very end the code to close with."""
        self.is_closed = False
        """Nothing more is sent to the page or taken from it."""

    def send(self, message: bytes) -> None:
        """Queue a message; a page that has read nothing for very long is closed."""
        if self.is_closed:
            return
        try:
            self.unsent.put_nowait(message)
        except asyncio.QueueFull:
            self.close(CLOSE_AND_RECONNECT)

    def close(self, code: int) -> None:
        """Queue the code to close with; nothing follows it."""
        self.is_closed = True
        while self.unsent.full():
            self.unsent.get_nowait()
        self.unsent.put_nowait(code)


class SharedScreen:
    """Whose place one page shows, of several people who share it."""

    def __init__(self, persons: tuple[int, ...]) -> None:
        self.persons = persons
        self.shown_person: int | None = None
        """Whose place it shows; None while it is on its way to a player."""
        self.is_uncovered = False
        """They have pressed, and may see their cards."""
        self.next_person: int | None = None
        """Whom it is passed to; None where none of them is to act yet."""
        self.pass_number = 0
        """Of the last time it was passed on: a press for an earlier one opens nothing."""
        self.last_pass: wire.ScreenPass | None = None
        self.seen_versions: dict[int, int] = {}
        """Up to which event each of them has seen the table."""


class OpenPage(Outbox):
    """One open page: whose, in which language, and what it was last sent."""

    def __init__(self, person: int, lang: str, version: int | None, commitment: str | None = None) -> None:
        super().__init__()
        self.person = person
        self.screen: SharedScreen | None = None
        """Where several people of the table share the page."""
        self.commitment = commitment
        """To the seed of the present game, empty where it brings none; None: it takes no part in dealing."""
        self.lang = lang
        self.version = version
        self.session: str | None = None
        """That of the account they signed in with; None for a guest."""
        self.wants_verdicts = False
        """It wants to know the cost of this person's choices."""
        self.sent_people: wire.People | None = None
        """Who was at the table when it was last sent that."""
        self.sent_clock: list[SeatClock] | None = None
        """The clocks as it was last sent them."""
        self.sent_dealing: tuple[object, ...] | None = None
        """How the dealing stood when it was last sent that."""

    @property
    def persons(self) -> tuple[int, ...]:
        """Everyone who sits at this page."""
        return (self.person,) if self.screen is None else self.screen.persons
