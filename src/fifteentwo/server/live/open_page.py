"""An open page of a table: its outbox, and the state that it was last sent."""

import asyncio

from fifteentwo.server.live import wire

CLOSE_AND_RECONNECT = 1013
"""WebSocket close code after which the page reconnects."""
CLOSE_FOR_GOOD = 1008
"""WebSocket close code after which the page does not reconnect."""
MAX_UNSENT_MESSAGES = 1024
"""Messages that may wait in one outbox. A page that receives none is closed after that."""

SeatClock = tuple[str | None, str | None, float | None]
"""A seat's clock: its kind, the level that plays there, and when the time runs out (monotonic seconds)."""


class Outbox:
    """The messages that are still to be sent to one open page."""

    def __init__(self) -> None:
        self.unsent: asyncio.Queue[bytes | int] = asyncio.Queue(MAX_UNSENT_MESSAGES)
        """Messages, and after the last message the close code."""
        self.is_closed = False
        """Whether nothing more is sent to the page or read from it."""

    def send(self, message: bytes) -> None:
        """Queue a message; close the page if too many messages wait."""
        if self.is_closed:
            return
        try:
            self.unsent.put_nowait(message)
        except asyncio.QueueFull:
            self.close(CLOSE_AND_RECONNECT)

    def close(self, code: int) -> None:
        self.is_closed = True
        while self.unsent.full():
            self.unsent.get_nowait()
        self.unsent.put_nowait(code)


class SharedScreen:
    """A page that several people share: whose hand it shows, and who receives it next."""

    def __init__(self, persons: tuple[int, ...]) -> None:
        self.persons = persons
        self.shown: int | None = None
        """The person whose view is shown; None while the screen is passed on."""
        self.is_uncovered = False
        """Whether the shown person has pressed to see their cards."""
        self.next_person: int | None = None
        """The person who receives the screen; None if none of the sharers must act."""
        self.pass_number = 0
        """Number of the last pass. A press that names an earlier pass is refused."""
        self.last_pass: wire.ScreenPass | None = None
        self.seen_versions: dict[int, int] = {}
        """The version of the table that each person has seen last."""


class OpenPage(Outbox):
    """One open page: its person, its language, and the state that it was last sent."""

    def __init__(self, person: int, lang: str, version: int | None, commitment: str | None = None) -> None:
        super().__init__()
        self.person = person
        self.screen: SharedScreen | None = None
        """The shared screen; None if one person uses the page."""
        self.commitment = commitment
        """Commitment to its seed of the present game; empty if it has none now, None if it takes no part."""
        self.lang = lang
        self.version = version
        """Version of the last event that the page has; None if it has no events."""
        self.session: str | None = None
        """Hash of the session token of a signed-in user; None for a guest."""
        self.wants_verdicts = False
        """Whether the coach sends the page verdicts on its person's choices."""
        self.sent_people: wire.People | None = None
        """The people, the clocks and the progress of dealing that the page was last sent."""
        self.sent_clock: list[SeatClock] | None = None
        self.sent_dealing: tuple[object, ...] | None = None

    @property
    def persons(self) -> tuple[int, ...]:
        return (self.person,) if self.screen is None else self.screen.persons
