"""The other processes that serve the same PostgreSQL database: what is published to them and received.

    GAME SEQ                       on the receiver's own channel, with the row itself: it was added
    WORKER stands GAME:SEQ …       its last rows, sent once to each process that it did not know of
    WORKER hello                   it begins to listen, and wants to know who is there
    WORKER people GAME …           people sat down or went, or the table is gone: read who sits there
    WORKER out OWNER               every page of this owner is to reconnect
    WORKER free GAME …             these leases may be taken
    WORKER looking GAME:0,2+ …     who has a page open at which table there; + takes part in the dealing
    WORKER chat GAME:1:luck        a quick-chat message; where it is lost it is not sent again
    WORKER clock GAME:0,17,2.5;…   who, asked by which row, has spent how many seconds
    WORKER bye                     it ends

What is lost is found by polling: all tables open here are compared with the database every POLLED seconds.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Container, Coroutine, Iterable, Iterator, Mapping
from typing import Any, Protocol

import sqlalchemy as sa

from fifteentwo.server.background import begin
from fifteentwo.server.cluster.leases import Leases
from fifteentwo.server.cluster.pg_listen import TABLES, keep_listening
from fifteentwo.server.cluster.presence import FORGOTTEN, Looking, Presence, looking_read, looking_text
from fifteentwo.server.errors import StoreError
from fifteentwo.server.peers import Peers
from fifteentwo.server.signals import Signal
from fifteentwo.server.store.store import Store

log = logging.getLogger("fifteentwo.server")

POLLED = 1.5
"""Seconds after which every table open here is compared with the database."""
REPEATED = 5.0
"""Seconds after which it is published again who has which table open."""
_LONGEST = 7_000
"""Bytes of one notification; PostgreSQL takes 8,000."""
_PUBLISH = sa.text("SELECT pg_notify(:channel, text) FROM unnest(CAST(:texts AS text[])) AS text")
_ENDED = sa.text(
    "SELECT open.session FROM unnest(CAST(:sessions AS varchar[])) AS open (session) "
    "WHERE NOT EXISTS (SELECT FROM signed_in_browser WHERE token_hash = open.session)"
)
_DIFFERS = """
SELECT known.game, log.seq, sitting.people
FROM unnest(CAST(:games AS varchar[]), CAST(:seqs AS int[]), CAST(:people AS text[]))
  AS known (game, seq, people),
LATERAL (SELECT max(seq) AS seq FROM log_row WHERE match_id = known.game) AS log,
LATERAL (SELECT string_agg(player.xmin::text, ' ' ORDER BY player_number) AS people
         FROM player WHERE match_id = known.game) AS sitting
WHERE log.seq > known.seq OR sitting.people IS DISTINCT FROM known.people
"""
"""People are compared by the transactions that wrote them, so that any change shows."""


class Link(Protocol):
    """What a table in memory and the other processes exchange."""

    chat: Signal[[str]]
    clock: Signal[[str]]
    presence_changed: Signal[[bool]]
    lease_taken: Signal[[]]

    @property
    def seq(self) -> int: ...
    @property
    def is_open(self) -> bool: ...
    @property
    def own_presence(self) -> Mapping[int, bool]: ...
    @property
    def sessions(self) -> set[str]: ...
    def announce(self) -> None: ...
    def rows_added(self, seq: int, /) -> None: ...
    def end_sessions(self, ended: Container[str], /) -> list[str]: ...


class Tables(Protocol):
    """The tables of this process."""

    def link(self, name: str, /) -> Link | None: ...
    def links(self) -> Mapping[str, Link]: ...
    def is_open(self, name: str, /) -> bool: ...
    async def read_people(self, names: Iterable[str], /) -> None: ...
    def close_pages(self, owner: str, /) -> None: ...
    def forget_owner(self, owner: str, /) -> None: ...


class PostgresPeers(Peers):
    """The other processes that serve the same PostgreSQL database."""

    leases: Leases

    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._tables = tables
        self.leases = Leases(store, self._taken, lambda games: self.publish("free", games))
        self._presence = Presence()
        self._others: dict[str, float] = {}
        """The other processes, and when each last sent anything (seconds)."""
        self._received_at = 0.0
        """When anything was last received (seconds), from this process itself too."""
        self._people: dict[str, str | None] = {}
        """By which transactions the people of each open table were written when they were last read."""
        self._unsent: list[str] = []
        self._sending: asyncio.Task[None] | None = None
        self._background: list[asyncio.Task[None]] = []
        self._poll_soon = asyncio.Event()
        self._work: set[asyncio.Task[None]] = set()
        self._meanwhile: dict[str, int] = {}

    def start(self) -> None:
        """Receive notifications from now on, and poll for those lost."""
        if not self._background:
            listening = keep_listening(
                self._store.address, _channel(self.leases.worker), self._listening_began, self._received
            )
            self._background = [begin(work) for work in (listening, self._polling(), self._announcing())]

    async def close(self) -> None:
        """Say goodbye, and leave every table to the others."""
        for task in (*self._background, *self._work):
            task.cancel()
        await asyncio.gather(*self._background, *self._work, return_exceptions=True)
        await self.leases.close()
        if self._background:
            self.publish("bye", ())
        if self._sending is not None:
            await self._sending

    # ── Publishing ──────────────────────────────────────────────────────────────────────────────────────────

    def publish(self, kind: str, words: Iterable[str]) -> None:
        """Send the other processes something; whether they receive it is not sure."""
        self._unsent.extend(_texts(f"{self.leases.worker} {kind}", words))
        if self._sending is None:
            self._sending = begin(self._send())

    async def _send(self) -> None:
        try:
            while self._unsent:
                texts, self._unsent = self._unsent, []
                with contextlib.suppress(StoreError):
                    async with self._store.writing() as connection:
                        await connection.execute(_PUBLISH, {"channel": TABLES, "texts": texts})
        finally:
            self._sending = None

    def announce(self, game: str, presence: Mapping[int, bool]) -> None:
        """Send the other processes who has a page of a table open here."""
        self.publish("looking", [looking_text(game, presence)])

    async def _announcing(self) -> None:
        while True:
            await asyncio.sleep(REPEATED)
            self._look_everywhere()
            self._forget_silent(time.monotonic())

    def _forget_silent(self, now: float) -> None:
        """Forget processes silent for long; not while this one receives nothing, not even its own."""
        if now - self._received_at > 2 * REPEATED:
            return
        for worker in [worker for worker, at in self._others.items() if now - at > FORGOTTEN]:
            self._lost(worker)
        self._presence_changed(self._presence.expire(now))

    def _look_everywhere(self) -> None:
        links = self._tables.links()
        self.publish(
            "looking", [looking_text(name, one.own_presence) for name, one in links.items() if one.is_open]
        )

    # ── Who is there ─────────────────────────────────────────────────────────────────────────────────────

    def presence(self, game: str) -> Mapping[int, bool]:
        """Return who has a page of a table open in other processes; True: it takes part in the dealing."""
        return self._presence.at(game)

    # ── Receiving ──────────────────────────────────────────────────────────────────────────────────────────

    def _listening_began(self) -> None:
        now = time.monotonic()
        self._others = dict.fromkeys(self._others, now)
        self._presence.renew(now)
        self._poll_soon.set()
        self.publish("hello", ())

    def _received(self, channel: str, payload: str) -> None:
        try:
            if channel != TABLES:
                self._rows_added(payload)
                return
            self._received_at = time.monotonic()
            worker, kind, *words = payload.split(" ")
            if worker != self.leases.worker:
                self._note_process(worker)
                self._handle(worker, kind, words)
        except (ValueError, LookupError):
            log.warning("another process said what cannot be read: %s", payload[:100])
        except Exception:
            # Whatever it is, this process goes on listening.
            log.exception("what another process said could not be taken in")

    def _note_process(self, worker: str) -> None:
        is_new = worker not in self._others
        self._others[worker] = time.monotonic()
        if is_new:
            self._store.notify(tuple(map(_channel, self._others)))
            self.publish("stands", [f"{name}:{one.seq}" for name, one in self._tables.links().items()])
            self._look_everywhere()

    def _lost(self, worker: str) -> None:
        del self._others[worker]
        self._store.notify(tuple(map(_channel, self._others)))
        self._presence_changed(self._presence.forget(worker))

    def _rows_added(self, payload: str) -> None:
        for one in payload.split(","):
            name, _, seq = one.partition(" ")
            self._row_added(name, int(seq))

    def _row_added(self, name: str, seq: int) -> None:
        if (link := self._tables.link(name)) is not None:
            link.rows_added(seq)
        elif self._tables.is_open(name):
            self._meanwhile[name] = max(seq, self._meanwhile.get(name, 0))

    def missed(self, game: str) -> int:
        """Return the last row that was received while a table was being opened; 0 for none."""
        return self._meanwhile.pop(game, 0)

    def _handle(self, worker: str, kind: str, words: list[str]) -> None:
        match kind:
            case "people":
                self._start(self._tables.read_people(words))
            case "out":
                self._tables.close_pages(words[0])
            case "stands":
                for name, _, seq in (word.partition(":") for word in words):
                    self._row_added(name, int(seq))
            case "free":
                self.leases.free(words)
            case "looking":
                for word in words:
                    self._is_looking(worker, *looking_read(word))
            case "chat" | "clock":
                for name, _, text in (word.partition(":") for word in words):
                    if (link := self._tables.link(name)) is not None:
                        (link.chat if kind == "chat" else link.clock).send(text)
            case "bye":
                self._lost(worker)

    def _is_looking(self, worker: str, name: str, looking: Looking) -> None:
        is_new = self._presence.note(worker, name, looking, time.monotonic())
        link = self._tables.link(name)
        if link is not None and link.is_open:
            if is_new:
                link.announce()
            link.presence_changed.send(is_new)

    def _presence_changed(self, names: Iterable[str]) -> None:
        for name in names:
            if (link := self._tables.link(name)) is not None:
                link.presence_changed.send(False)

    def _taken(self, name: str) -> None:
        """A table's computers and clocks act here from now on."""
        if (link := self._tables.link(name)) is not None:
            link.lease_taken.send()

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
        links = self._tables.links()
        self._people = {name: known for name, known in self._people.items() if name in links}
        if not links:
            return
        given = {
            "games": list(links),
            "seqs": [link.seq for link in links.values()],
            "people": [self._people.get(name) for name in links],
        }
        async with self._store.reading() as connection:
            rows = (await connection.execute(sa.text(_DIFFERS), given)).all()
        await self._close_ended()
        changed = []
        for row in rows:
            if row.seq is not None:
                links[row.game].rows_added(row.seq)
            if row.people is None or row.people != self._people.get(row.game):
                changed.append(row.game)
        await self._tables.read_people(changed)
        self._people |= {row.game: row.people for row in rows if row.game in changed}

    async def _close_ended(self) -> None:
        """Close pages whose session has ended, through whichever process, so that they come again."""
        links = list(self._tables.links().values())
        sessions = {session for link in links for session in link.sessions}
        if not sessions:
            return
        async with self._store.reading() as connection:
            ended = set((await connection.execute(_ENDED, {"sessions": list(sessions)})).scalars())
        for link in links:
            for owner in link.end_sessions(ended):
                self._tables.forget_owner(owner)


def _channel(worker: str) -> str:
    """Return the channel on which a process is notified of rows."""
    return f"fifteentwo_{worker}"


def _texts(head: str, words: Iterable[str]) -> Iterator[str]:
    """As many notifications as it takes."""
    text, is_sent = head, False
    for word in words:
        if len(text) + len(word) >= _LONGEST:
            yield text
            text = head
        text, is_sent = f"{text} {word}", True
    if text != head or not is_sent:
        yield text
