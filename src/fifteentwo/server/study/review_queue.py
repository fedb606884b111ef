"""Reviews in the background: one at a time, each part sent as it is found.

Lines of JSON, each {"t": …, "d": …}:

    story      the game as pictures to be stepped through (`server.study.moments`), at once
    ahead      how many reviews are worked out before this one
    decision   a decision as `analysis.review.review` judges it, with "why": sentences about a costly one
    luck       what chance did
    point      the chance of winning of seat 0, between both seats' views, after an action; a later one of
               the same step takes its place
    whole      the review without those: curve, seats
    refused    what went wrong half-way

A request is admitted first, then its record is read, then it waits for its turn. What is found goes to a
list of its own that the response is written from: a client that reads slowly delays no other, and its turn is
over when the review is worked out, not when it is read.
A review that was asked for lately is there at once (`reviewed_games`), and waits for no other.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import CancelledError
from functools import partial
from typing import Any

import msgspec

from fifteentwo import i18n
from fifteentwo.i18n.reasons import reasons_text
from fifteentwo.processes import PoolFull, WorkerLost
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import Record, read, replay, to_json
from fifteentwo.rules.state import start
from fifteentwo.rules.view import view
from fifteentwo.server.background import Tasks, begin
from fifteentwo.server.errors import Refused, ServerError
from fifteentwo.server.study.moments import Story, story
from fifteentwo.server.study.reviews import ReviewedGames
from fifteentwo.server.work_queue import Places

MOST_RECORD = 64 * 1024
"""Bytes of a record; the longest of our own games, for four who count for themselves, has half as many."""
MOST_ACTIONS = 2000
MAX_WAITING = 16
"""Reviews in the queue."""
MAX_UNREAD = 64
"""Reviews that are not read to the end: each may keep some 0.5 MB."""
MOST_EACH = 2
"""Reviews of one browser that are not read to the end."""

log = logging.getLogger("fifteentwo.server")
Send = Callable[[bytes], None]


class Line(msgspec.Struct, frozen=True):
    """One line of a review."""

    t: str
    d: Any


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A record to be reviewed, its story, and the language to review it in."""

    record: Record
    story: Story
    lang: str
    found: Callable[[dict[str, Any]], object] = lambda _: None
    """Called in the event loop with the report of a review that is whole."""


def opened(text: str, lang: str, viewer: int | None = None) -> tuple[Record, Story]:
    """Return a record and its story, for the seat whose game it is; NotationError names the wrong line.

    Some 60 ms: not for the event loop.
    """
    if len(text) > MOST_RECORD:
        raise Refused("record-too-long", status=413, most=MOST_RECORD // 1024)
    record = read(text)
    if len(record.actions) > MOST_ACTIONS:
        raise Refused("record-too-many-actions", status=413, most=MOST_ACTIONS)
    if viewer is not None and not 0 <= viewer < record.rules.seats:
        viewer = None
    return record, story(record, lang, viewer)


class Place:
    """A review that was admitted: what is found of it, until the client has read it or left."""

    def __init__(self, client: str, block: str, rank: int) -> None:
        self.client = client
        self.block = block
        self.rank = rank
        """How many reviews of the address block were in the queue before."""
        self.over = False
        """Nothing more is worked out."""
        self.left = threading.Event()
        """Its client has gone."""
        self._ahead = 0
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()

    def add(self, line: bytes) -> None:
        """Add a line; never waits."""
        self._lines.put_nowait(line)

    def wait_behind(self, ahead: int) -> None:
        """Send how many are ahead, where that has changed and it is not the first."""
        if ahead and ahead != self._ahead:
            self.add(_line("ahead", ahead))
        self._ahead = ahead

    def end(self) -> None:
        """Nothing is added from here on."""
        self.over = True
        self._lines.put_nowait(None)

    async def lines(self) -> AsyncIterator[bytes]:
        """Return the lines as they come."""
        while (line := await self._lines.get()) is not None:
            yield line


class Reviews:
    """The queue of reviews."""

    def __init__(self) -> None:
        self._places: list[Place] = []
        self._waiting, self._unread = Places(MAX_WAITING), Places(MAX_UNREAD)
        self._queue: list[tuple[Place, Callable[[], None]]] = []
        """The first is being worked out."""
        self._working: asyncio.Task[None] | None = None
        self._at_once = Tasks()
        """Of those that are known already."""

    def admit(self, client: str, block: str) -> Place:
        """Return a place for a client, before anything is done for it; Refused if there is none.

        `leave` gives the place back. client: a browser that the server knows, or else the address block.
        """
        if sum(one.client == client for one in self._places) >= MOST_EACH:
            raise Refused("too-many-own-reviews", status=429, most=MOST_EACH)
        self._unread.take(block)
        try:
            rank = self._waiting.take(block)
        except Refused:
            self._unread.give_back(block)
            raise
        place = Place(client, block, rank)
        self._places.append(place)
        return place

    def begin(self, place: Place, asked: Asked, games: ReviewedGames) -> None:
        """Have a review worked out when its turn comes."""
        loop = asyncio.get_running_loop()

        def send(line: bytes) -> None:
            if not place.left.is_set():
                _in_loop(loop, partial(place.add, line))

        def found(report: dict[str, Any]) -> None:
            _in_loop(loop, partial(asked.found, report))

        work = partial(_worked_out, msgspec.structs.replace(asked, found=found), games, send, place.left)
        place.add(_line("story", asked.story))
        if games.has(asked.record):
            self._at_once.begin(self._work(place, work))
            return
        # The second review of an address block waits for the first ones of the others.
        later = [ahead for ahead, (other, _) in enumerate(self._queue) if ahead and other.rank > place.rank]
        self._queue.insert(later[0] if later else len(self._queue), (place, work))
        self._send_ahead()
        if self._working is None:
            self._working = begin(self._work_through())

    def leave(self, place: Place) -> None:
        """Give a place back: what is worked out for it stops at the next part, or never begins."""
        if place not in self._places:
            return
        place.left.set()
        self._places.remove(place)
        self._unread.give_back(place.block)
        self._end(place)
        self._queue[1:] = [one for one in self._queue[1:] if one[0] is not place]
        self._send_ahead()

    async def _work_through(self) -> None:
        try:
            while self._queue:
                try:
                    await self._work(*self._queue[0])
                finally:
                    del self._queue[0]
                    self._send_ahead()
        finally:
            self._working = None

    async def _work(self, place: Place, work: Callable[[], None]) -> None:
        try:
            if not place.left.is_set():
                await _in_thread(work)
        finally:
            self._end(place)

    def _end(self, place: Place) -> None:
        if not place.over:
            place.end()
            self._waiting.give_back(place.block)

    def _send_ahead(self) -> None:
        for ahead, (place, _) in enumerate(self._queue):
            place.wait_behind(ahead)


async def _in_thread(work: Callable[[], None]) -> None:
    """Run it in a thread of its own, and wait for its end."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def run() -> None:
        try:
            work()
        finally:
            _in_loop(loop, ended.set)

    # Not a daemon: a program that ends while a thread compiles crashes within LLVM.
    threading.Thread(target=run, name="review", daemon=False).start()
    await ended.wait()


def _in_loop(loop: asyncio.AbstractEventLoop, done: Callable[[], object]) -> None:
    # The loop may have ended meanwhile.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(done)


def _worked_out(asked: Asked, games: ReviewedGames, send: Send, stopped: threading.Event) -> None:
    """Send what is found, line by line, and what goes wrong."""
    try:
        _work(asked, games, send, stopped)
    except FifteenTwoError as error:
        send(_line("refused", i18n.refusal(error, asked.lang)))
    except (WorkerLost, TimeoutError, PoolFull, CancelledError) as error:
        log.warning("a review has lost its worker: %r", error)
        send(_line("refused", i18n.refusal(ServerError("review-interrupted"), asked.lang)))
    except Exception:
        log.exception("a review went wrong")
        send(_line("refused", i18n.refusal(ServerError("internal-error"), asked.lang)))


def _work(asked: Asked, games: ReviewedGames, send: Send, stopped: threading.Event) -> None:
    # Loaded with the first review: it brings numpy and tables.
    from fifteentwo.analysis import win
    from fifteentwo.analysis.review import reasons, review

    record = asked.record
    states = [start(record.rules, named=record.named)]
    states += [state for _, state, _ in replay(record)]
    by_chance = win.known(record.rules)
    course = []
    for one in games.course(record):
        if stopped.is_set():
            return
        course.append(one)
        plain: dict[str, Any] = msgspec.to_builtins(one)
        if isinstance(one, review.Decision):
            facts = reasons.reasons(view(states[one.step], one.seat), one) if one.mark else ()
            plain["why"] = reasons_text(plain, reasons.report(facts), asked.lang)
            send(_line("decision", plain))
        else:
            send(_line("luck", plain))
        if by_chance:
            send(_line("point", review.curve(course)[-1]))
    whole = review.report(record, course)
    asked.found(whole)
    send(_line("whole", {name: value for name, value in whole.items() if name not in ("decisions", "luck")}))


def _line(kind: str, data: object) -> bytes:
    return to_json(Line(kind, data)) + b"\n"
