"""The other processes that serve the same database: what they are told, and what is heard of them.

    GAME SEQ                       on the hearer's own channel, with the row itself: it was added
    WORKER stands GAME:SEQ …       its last rows, said once it knows of another that was told of none before
    WORKER hello                   it begins to hear, and wants to know who is there
    WORKER people GAME …           somebody sat down or went, or the table is gone: look who sits there
    WORKER out OWNER               every page of this owner is to come again and say whose it is
    WORKER free GAME …             these leases may be taken
    WORKER looking GAME:0,2+ …     who looks at which table in that process; + takes part in the dealing
    WORKER courtesy GAME:1:luck    somebody said so; lost, it is not said again
    WORKER clock GAME:0,17,2.5;…   who, asked by which row, has spent how many seconds
    WORKER bye                     it ends

What is lost is found by looking: all tables open here are compared with the database every POLLED seconds.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import sqlalchemy as sa

from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.server.background import begin
from fifteentwo.server.cluster.leases import Leases
from fifteentwo.server.cluster.pg_listen import TABLES, keep_listening
from fifteentwo.server.cluster.presence import FORGOTTEN, Looking, Presence, looking_read, looking_text
from fifteentwo.server.errors import StoreError
from fifteentwo.server.live.audience import TRY_AGAIN
from fifteentwo.server.store.store import Store, people_at

if TYPE_CHECKING:
    from fifteentwo.server.live.rooms import Room

log = logging.getLogger("fifteentwo.server")

POLLED = 1.5
"""Seconds after which every table open here is compared with the database."""
TOLD_AGAIN = 5.0
"""Seconds after which it is said again who looks at which table."""
_LONGEST = 7_000
"""Bytes of one notification; PostgreSQL takes 8,000."""
_SAY = sa.text("SELECT pg_notify(:channel, said) FROM unnest(CAST(:said AS text[])) AS said")
_ENDED = sa.text(
    "SELECT session FROM unnest(CAST(:sessions AS varchar[])) AS open (session) "
    "WHERE NOT EXISTS (SELECT FROM signed_in WHERE signed_in.session = open.session)"
)
_DIFFERS = """
SELECT known.game, log.seq, sitting.people
FROM unnest(CAST(:games AS varchar[]), CAST(:seqs AS int[]), CAST(:people AS text[]))
  AS known (game, seq, people),
LATERAL (SELECT max(seq) AS seq FROM event WHERE event.game = known.game) AS log,
LATERAL (SELECT string_agg(person.xmin::text, ' ' ORDER BY number) AS people
         FROM person WHERE person.game = known.game) AS sitting
WHERE log.seq > known.seq OR sitting.people IS DISTINCT FROM known.people
"""
"""People are told apart by the transactions that wrote them, so that any change shows."""


class Tables(Protocol):
    """The tables of this process."""

    def opened(self) -> "dict[str, Room]": ...
    def is_open(self, name: str, /) -> bool: ...
    async def room(self, name: str, /) -> "Room": ...
    async def clear(self, names: Iterable[str], /) -> None: ...


class Neighbours:
    """The other processes. Where the database is one process's alone nothing is said, and nobody is there."""

    def __init__(self, store: Store, tables: Tables | None = None) -> None:
        self._store = store
        self._tables = tables
        self.leases = Leases(store, self._taken, lambda games: self.tell("free", games))
        self._presence = Presence()
        self._others: dict[str, float] = {}
        """The other processes, and when they were last heard of (seconds)."""
        self._heard_at = 0.0
        """When anything was last heard (seconds), of this process itself too."""
        self._people: dict[str, str | None] = {}
        """By which transactions the people of each open table were written when they were last read."""
        self._unsaid: list[str] = []
        self._saying: asyncio.Task[None] | None = None
        self._beside: list[asyncio.Task[None]] = []
        self._poll_soon = asyncio.Event()
        self._work: set[asyncio.Task[None]] = set()
        self._meanwhile: dict[str, int] = {}
        self.forget_owner: Callable[[str], None] = lambda _: None
        """Called where what this process remembers of somebody's sessions may be over."""

    def start(self) -> None:
        """Hear others from now on, and look after what was not heard."""
        if self._store.is_shared and self._tables is not None and not self._beside:
            hearing = keep_listening(
                self._store.address, _channel(self.leases.worker), self._begins_to_hear, self._heard
            )
            self._beside = [begin(work) for work in (hearing, self._polling(), self._announcing())]

    async def close(self) -> None:
        """Say goodbye, and leave every table to the others."""
        for task in (*self._beside, *self._work):
            task.cancel()
        await asyncio.gather(*self._beside, *self._work, return_exceptions=True)
        await self.leases.close()
        if self._beside:
            self.tell("bye", ())
        if self._saying is not None:
            await self._saying

    # ── Telling ──────────────────────────────────────────────────────────────────────────────────────────

    def tell(self, kind: str, words: Iterable[str]) -> None:
        """Tell the others; whether they hear it is not sure."""
        if not self._store.is_shared:
            return
        self._unsaid.extend(_texts(f"{self.leases.worker} {kind}", words))
        if self._saying is None:
            self._saying = begin(self._say())

    async def _say(self) -> None:
        try:
            while self._unsaid:
                said, self._unsaid = self._unsaid, []
                with contextlib.suppress(StoreError):
                    async with self._store.writing() as connection:
                        await connection.execute(_SAY, {"channel": TABLES, "said": said})
        finally:
            self._saying = None

    def look(self, room: "Room") -> None:
        """Tell who looks at a table here, where others may want to know."""
        if not room.alone:
            self.tell("looking", [looking_text(room.id, _looking(room))])

    async def _announcing(self) -> None:
        while True:
            await asyncio.sleep(TOLD_AGAIN)
            self._look_everywhere()
            self._forget_silent(time.monotonic())

    def _forget_silent(self, now: float) -> None:
        """Forget whoever has long said nothing; not while this process hears nothing, not even itself."""
        if now - self._heard_at > 2 * TOLD_AGAIN:
            return
        for worker in [worker for worker, at in self._others.items() if now - at > FORGOTTEN]:
            self._lost(worker)
        for name in self._presence.expire(now):
            self._tell_people(name)

    def _look_everywhere(self) -> None:
        rooms = [room for room in self._opened().values() if room.listeners]
        self.tell("looking", [looking_text(room.id, _looking(room)) for room in rooms])

    # ── Who is there ─────────────────────────────────────────────────────────────────────────────────────

    def looking(self, name: str) -> Looking:
        """Who looks at a table in other processes, and whether their pages take part in the dealing."""
        return self._presence.at(name)

    def is_looked_at(self, name: str) -> bool:
        """Whether a table is open to somebody in another process."""
        return bool(self._presence.at(name))

    # ── Hearing ──────────────────────────────────────────────────────────────────────────────────────────

    def _begins_to_hear(self) -> None:
        now = time.monotonic()
        self._others = dict.fromkeys(self._others, now)
        self._presence.renew(now)
        self._poll_soon.set()
        self.tell("hello", ())

    def _heard(self, channel: str, payload: str) -> None:
        try:
            if channel != TABLES:
                self._heard_rows(payload)
                return
            self._heard_at = time.monotonic()
            worker, kind, *words = payload.split(" ")
            if worker != self.leases.worker:
                self._heard_from(worker)
                self._heard_of(worker, kind, words)
        except (ValueError, LookupError):
            log.warning("another process said what cannot be read: %s", payload[:100])
        except Exception:
            # Whatever it is, this process goes on hearing.
            log.exception("what another process said could not be taken in")

    def _heard_from(self, worker: str) -> None:
        is_new = worker not in self._others
        self._others[worker] = time.monotonic()
        if is_new:
            self._store.notify(tuple(map(_channel, self._others)))
            self.tell("stands", [f"{name}:{room.ledger.seq}" for name, room in self._opened().items()])
            self._look_everywhere()

    def _lost(self, worker: str) -> None:
        del self._others[worker]
        self._store.notify(tuple(map(_channel, self._others)))
        for name in self._presence.forget(worker):
            self._tell_people(name)

    def _heard_rows(self, payload: str) -> None:
        for one in payload.split(","):
            name, _, seq = one.partition(" ")
            self._heard_row(name, int(seq))

    def _heard_row(self, name: str, seq: int) -> None:
        opened = self._opened()
        if name in opened:
            opened[name].keeping.hear(seq)
        elif self._tables is not None and self._tables.is_open(name):
            self._meanwhile[name] = max(seq, self._meanwhile.get(name, 0))

    def heard_meanwhile(self, name: str) -> int:
        """The last row that was heard of while a table was being opened; 0 for none."""
        return self._meanwhile.pop(name, 0)

    def _heard_of(self, worker: str, kind: str, words: list[str]) -> None:
        match kind:
            case "people":
                if self._tables is not None:
                    self._start(self.read_people([name for name in words if self._tables.is_open(name)]))
            case "out":
                self.send_out(words[0])
            case "stands":
                for name, _, seq in (word.partition(":") for word in words):
                    self._heard_row(name, int(seq))
            case "free":
                self.leases.free(words)
            case "looking":
                for word in words:
                    self._is_looking(worker, *looking_read(word))
            case "courtesy":
                name, person_number, says = words[0].split(":")
                if (room := self._opened().get(name)) is not None:
                    room.courtesies.hear(int(person_number), says)
            case "clock":
                for name, _, spent in (word.partition(":") for word in words):
                    if name in self._opened():
                        self._opened()[name].move_clock.hear(spent)
            case "bye":
                self._lost(worker)

    def _is_looking(self, worker: str, name: str, looking: Looking) -> None:
        is_new = self._presence.note(worker, name, looking, time.monotonic())
        room = self._opened().get(name)
        if room is not None and room.listeners:
            if is_new:
                self.look(room)
                room.move_clock.say()
            room.listeners.tell_people()

    def _tell_people(self, name: str) -> None:
        room = self._opened().get(name)
        if room is not None:
            room.listeners.tell_people()

    def _taken(self, name: str) -> None:
        """A table's computers and clocks act here from now on."""
        room = self._opened().get(name)
        if room is not None:
            room.wake()

    def _opened(self) -> "dict[str, Room]":
        return {} if self._tables is None else self._tables.opened()

    def send_out(self, owner: str) -> None:
        """Have every page that somebody has open in this process come again."""
        self.forget_owner(owner)
        for room in self._opened().values():
            for listener in list(room.listeners):
                if room.people[listener.person].owner == owner:
                    listener.close(TRY_AGAIN)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        # Where the database is away, what was not read now is found by looking.
        task = begin(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    # ── Looking ──────────────────────────────────────────────────────────────────────────────────────────

    async def _polling(self) -> None:
        """Compare all that is open with the database, again and again, and at once after a silence."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLLED):
                    await self._poll_soon.wait()
            self._poll_soon.clear()
            try:
                await self.poll()
            except StoreError:
                # The database is away: what was missed is found once it is back.
                continue
            except Exception:
                log.exception("open tables could not be compared with the database")

    async def poll(self) -> None:
        """Compare every table open here with the database; StoreError."""
        rooms = self._opened()
        self._people = {name: told for name, told in self._people.items() if name in rooms}
        if not rooms:
            return
        given = {
            "games": list(rooms),
            "seqs": [room.ledger.seq for room in rooms.values()],
            "people": [self._people.get(name) for name in rooms],
        }
        async with self._store.reading() as connection:
            rows = (await connection.execute(sa.text(_DIFFERS), given)).all()
        await self._send_out_ended()
        changed = []
        for row in rows:
            if row.seq is not None:
                rooms[row.game].keeping.hear(row.seq)
            if row.people is None or row.people != self._people.get(row.game):
                changed.append(row.game)
        await self.read_people(changed)
        self._people |= {row.game: row.people for row in rows if row.game in changed}

    async def _send_out_ended(self) -> None:
        """Have pages come again whose session under a kept name has ended, through whichever process."""
        pages = [(room, page) for room in self._opened().values() for page in room.listeners if page.session]
        if not pages:
            return
        sessions = list({page.session for _, page in pages})
        async with self._store.reading() as connection:
            ended = set((await connection.execute(_ENDED, {"sessions": sessions})).scalars())
        for room, page in pages:
            if page.session in ended:
                self.forget_owner(room.people[page.person].owner or "")
                page.close(TRY_AGAIN)

    async def person_of(self, room: "Room", owner: str | None) -> int | None:
        """Which person a session is; looked up where it is none that is known here. None for a stranger."""
        if owner is not None and room.person_of(owner) is None and self._store.is_shared:
            # They may have sat down through another process just now.
            await self.read_people([room.id])
        return room.person_of(owner)

    async def read_people(self, names: Sequence[str]) -> None:
        """Read who sits at these open tables, and have it known there; one without people is gone."""
        if not names or self._tables is None:
            return
        async with self._store.reading() as connection:
            people = await people_at(connection, names)
        for name in names:
            if not (sitting := people.get(name)):
                await self._tables.clear([name])
            elif self._tables.is_open(name):
                with contextlib.suppress(FifteenTwoError):
                    (await self._tables.room(name)).seat_anew(sitting)


def _channel(worker: str) -> str:
    """On which a process is told of rows."""
    return f"fifteentwo_{worker}"


def _looking(room: "Room") -> Looking:
    now: Looking = {}
    for listener in room.listeners:
        for number in listener.persons:
            now[number] = now.get(number, False) or listener.commitment is not None
    return now


def _texts(head: str, words: Iterable[str]) -> Iterator[str]:
    """As many notifications as it takes."""
    text, is_said = head, False
    for word in words:
        if len(text) + len(word) >= _LONGEST:
            yield text
            text = head
        text, is_said = f"{text} {word}", True
    if text != head or not is_said:
        yield text
