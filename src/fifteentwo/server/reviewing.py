"""Reviews, worked out beside the tables: one at a time, in line, each part told as it is found.

Lines of JSON, each {"t": …, "d": …}:

    story      the game as pictures to be stepped through (`server.moments`), at once
    ahead      how many reviews are worked out before this one
    decision   a decision as `analysis.review` judges it, with "why": sentences about a costly one
    luck       what chance did
    point      the chance of winning of seat 0, between both seats' views, after an action; a later one of
               the same step takes its place
    whole      the review without those: curve, seats, engine
    refused    what went wrong half-way

Whoever asks brings the record along; a review that was asked for lately is told at once (`reviewed_games`).
"""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec

from fifteentwo import i18n
from fifteentwo.i18n.reasons import reasons_text
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import Record, read, replay, to_json
from fifteentwo.rules.state import start
from fifteentwo.rules.view import view
from fifteentwo.server.background import begin
from fifteentwo.server.errors import Refused, ServerError
from fifteentwo.server.moments import Story, story
from fifteentwo.server.reviewed_games import ReviewedGames

MOST_RECORD = 64 * 1024
"""Bytes of a record; the longest of our own games, for four who count for themselves, has half as many."""
MOST_ACTIONS = 2000
MOST_IN_LINE = 16
MOST_EACH = 2
"""Reviews that one browser may have in line."""

log = logging.getLogger("fifteentwo.server")
Tell = Callable[[bytes | None], None]


class Told(msgspec.Struct, frozen=True):
    """One line of a review."""

    t: str
    d: Any


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A record to be reviewed, for whom, and in which language."""

    record: Record
    story: Story
    client: str
    lang: str


def opened(text: str, lang: str, viewer: int | None = None) -> tuple[Record, Story]:
    """A record and its story, for the seat whose game it is; NotationError names the line that is wrong."""
    if len(text) > MOST_RECORD:
        raise Refused("record-too-long", status=413, most=MOST_RECORD // 1024)
    record = read(text)
    if len(record.actions) > MOST_ACTIONS:
        raise Refused("record-too-many-actions", status=413, most=MOST_ACTIONS)
    if viewer is not None and not 0 <= viewer < record.rules.seats:
        viewer = None
    return record, story(record, lang, viewer)


class Reviews:
    """Who is in line, and whose review is being worked out."""

    def __init__(self) -> None:
        self._line: list[Asked] = []
        self._moved = asyncio.Condition()

    def admit(self, client: str) -> None:
        """Refused where this browser has enough in line, or the line is full."""
        if sum(asked.client == client for asked in self._line) >= MOST_EACH:
            raise Refused("reviews-enough", status=429, most=MOST_EACH)
        if len(self._line) >= MOST_IN_LINE:
            raise Refused("reviews-busy", status=503)

    async def told(self, asked: Asked, games: ReviewedGames) -> AsyncIterator[bytes]:
        """The lines of a review as they come; whoever stops listening leaves the line."""
        self.admit(asked.client)
        self._line.append(asked)
        stopped = threading.Event()
        try:
            yield _line("story", asked.story)
            async for ahead in self._waiting(asked):
                yield _line("ahead", ahead)
            async for line in _worked_out(asked, games, stopped):
                yield line
        finally:
            stopped.set()
            # By identity: two may have asked for the same.
            self._line[:] = [other for other in self._line if other is not asked]
            begin(self._tell_line())

    async def _waiting(self, asked: Asked) -> AsyncIterator[int]:
        """How many are ahead, whenever that changes, until nobody is."""
        told = None
        async with self._moved:
            while ahead := next(place for place, other in enumerate(self._line) if other is asked):
                if ahead != told:
                    told = ahead
                    yield ahead
                    continue
                await self._moved.wait()

    async def _tell_line(self) -> None:
        async with self._moved:
            self._moved.notify_all()


async def _worked_out(asked: Asked, games: ReviewedGames, stopped: threading.Event) -> AsyncIterator[bytes]:
    """What a thread of its own finds, line by line."""
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def tell(line: bytes | None) -> None:
        # A loop that has ended meanwhile has nobody to tell.
        if not stopped.is_set():
            loop.call_soon_threadsafe(lines.put_nowait, line)

    def work() -> None:
        try:
            _work(asked, games, tell, stopped)
        except FifteenTwoError as error:
            tell(_line("refused", i18n.refusal(error, asked.lang)))
        except Exception:
            log.exception("a review went wrong")
            tell(_line("refused", i18n.refusal(ServerError("went-wrong"), asked.lang)))
        finally:
            tell(None)

    # Not a daemon: a program that ends while a thread compiles crashes within LLVM.
    threading.Thread(target=work, name="review", daemon=False).start()
    while (line := await lines.get()) is not None:
        yield line


def _work(asked: Asked, games: ReviewedGames, tell: Tell, stopped: threading.Event) -> None:
    # Loaded with the first review: it brings numpy, tables and compiled loops.
    from fifteentwo.analysis import reasons, review

    record = asked.record
    states = [start(record.rules, named=record.named)]
    states += [state for _, state, _ in replay(record)]
    by_chance = bool(review.loops_for(record))
    course = []
    for one in games.course(record):
        if stopped.is_set():
            return
        course.append(one)
        plain: dict[str, Any] = msgspec.to_builtins(one)
        if isinstance(one, review.Decision):
            facts = reasons.reasons(view(states[one.step], one.seat), one) if one.mark else ()
            plain["why"] = reasons_text(plain, reasons.report(facts), asked.lang)
            tell(_line("decision", plain))
        else:
            tell(_line("luck", plain))
        if by_chance:
            tell(_line("point", review.curve(course)[-1]))
    whole = review.report(record, course)
    tell(_line("whole", {name: value for name, value in whole.items() if name not in ("decisions", "luck")}))


def _line(kind: str, data: object) -> bytes:
    return to_json(Told(kind, data)) + b"\n"
