"""The queue of reviews: one review runs at a time, and each part is sent when it is found.

A review is sent as lines of JSON, each {"t": …, "d": …}:

    story      the game as pictures to step through (`server.study.game_story`); sent first
    ahead      the number of reviews that run before this one
    decision   a decision judged by `analysis.review.review`, with "why": sentences if it was costly, or good;
               with "why_of" if it was costly: why the best choice is better, by every other discard or card
    luck       the luck of a chance event
    point      seat 0's win probability after an action; a later line for a step replaces an earlier one
    whole      the rest of the report: curve, seats
    refused    an error after the response has begun

A client is admitted before its record is read. Each client has its own queue of lines, so one that reads
slowly delays no other. A review in the cache (`reviews.ReviewedGames`) is sent at once.
"""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import CancelledError
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from fifteentwo import i18n
from fifteentwo.i18n.reasons import reasons_text
from fifteentwo.processes import PoolFull, WorkerLost
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import Record, read, replay, to_json
from fifteentwo.rules.state import start
from fifteentwo.rules.view import view
from fifteentwo.server.background import Tasks, log, start_task
from fifteentwo.server.errors import Refused, ServerError
from fifteentwo.server.study.game_story import Story, tell_story
from fifteentwo.server.study.reviews import ReviewedGames
from fifteentwo.server.work_queue import QueuePlaces

if TYPE_CHECKING:
    from fifteentwo.analysis.review.reasons import Reason
    from fifteentwo.analysis.review.review import Decision

MAX_RECORD_BYTES = 64 * 1024
"""Limit on a record: twice the longest of our own games, of four players with claimed counting."""
MAX_RECORD_ACTIONS = 2000
MAX_WAITING_REVIEWS = 16
MAX_UNREAD_REVIEWS = 64
"""Limit on reviews whose client has not read to the end; each can use some 0.5 MB."""
MAX_REVIEWS_PER_CLIENT = 2
"""Limit on reviews that one browser has not read to the end."""

Send = Callable[[bytes], None]
"""Function that sends one line of a review."""
OnReviewFinished = Callable[[dict[str, Any]], object]
"""A function that receives the report of a finished review."""


class Line(msgspec.Struct, frozen=True):
    """A line of a streamed review: its type and its data."""

    t: str
    d: Any


class ReviewRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A record to review, its story, and the language of the sentences."""

    record: Record
    story: Story
    lang: str
    by_points: bool = False
    """Whether to judge by points although win probabilities are known: in a race to fewer points."""
    on_finished: OnReviewFinished = lambda _: None
    """Called in the event loop with the report when the review is finished."""


def read_record(text: str) -> Record:
    """Return a record that is short enough for a review; otherwise raise Refused."""
    if len(text) > MAX_RECORD_BYTES:
        raise Refused("record-too-long", status=413, most=MAX_RECORD_BYTES // 1024)
    record = read(text)
    if len(record.actions) > MAX_RECORD_ACTIONS:
        raise Refused("record-too-many-actions", status=413, most=MAX_RECORD_ACTIONS)
    return record


def read_with_story(text: str, lang: str, viewer: int | None = None) -> tuple[Record, Story]:
    """Return a record and its story as `viewer` saw it. This takes some 60 ms: run it in a thread."""
    record = read_record(text)
    if viewer is not None and not 0 <= viewer < record.rules.seats:
        viewer = None
    return record, tell_story(record, lang, viewer)


class AdmittedReview:
    """A client's review from its admission until the client has read it or disconnected."""

    def __init__(self, client: str, block: str, rank: int) -> None:
        self.client = client
        self.block = block
        self.rank = rank
        """Number of reviews of the address block that were in the queue before this one."""
        self.is_ended = False
        self.is_released = threading.Event()
        """Set when the client has disconnected; the review then stops at its next part."""
        self._ahead = 0
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()

    def add_line(self, line: bytes) -> None:
        self._lines.put_nowait(line)

    def send_place_in_queue(self, ahead: int) -> None:
        """Send the number of reviews ahead if it has changed and is not 0."""
        if ahead and ahead != self._ahead:
            self.add_line(_to_line("ahead", ahead))
        self._ahead = ahead

    def end_lines(self) -> None:
        self.is_ended = True
        self._lines.put_nowait(None)

    async def lines(self) -> AsyncIterator[bytes]:
        while (line := await self._lines.get()) is not None:
            yield line


class ReviewQueue:
    """The reviews that pages have asked for. One is computed at a time; cached ones start at once."""

    def __init__(self) -> None:
        self._unreleased: list[AdmittedReview] = []
        self._waiting, self._unread = QueuePlaces(MAX_WAITING_REVIEWS), QueuePlaces(MAX_UNREAD_REVIEWS)
        self._queue: list[tuple[AdmittedReview, Callable[[], None]]] = []
        """Reviews with the functions that run them; the first one is running."""
        self._queue_task: asyncio.Task[None] | None = None
        self._cached = Tasks()

    def admit(self, client: str, block: str) -> AdmittedReview:
        """Admit a client's review, which must be released; raise Refused if there are too many."""
        if sum(one.client == client for one in self._unreleased) >= MAX_REVIEWS_PER_CLIENT:
            raise Refused("too-many-own-reviews", status=429, most=MAX_REVIEWS_PER_CLIENT)
        self._unread.take(block)
        try:
            rank = self._waiting.take(block)
        except Refused:
            self._unread.release(block)
            raise
        review = AdmittedReview(client, block, rank)
        self._unreleased.append(review)
        return review

    def start(self, review: AdmittedReview, request: ReviewRequest, games: ReviewedGames) -> None:
        """Start a review when its turn comes, or at once if it is in the cache."""
        loop = asyncio.get_running_loop()

        def send(line: bytes) -> None:
            if not review.is_released.is_set():
                _call_in_loop(loop, partial(review.add_line, line))

        def on_finished(report: dict[str, Any], callback: OnReviewFinished = request.on_finished) -> None:
            _call_in_loop(loop, partial(callback, report))

        in_thread = msgspec.structs.replace(request, on_finished=on_finished)
        work = partial(_send_review, in_thread, games, send, review.is_released)
        review.add_line(_to_line("story", request.story))
        if games.has_review(request.record):
            self._cached.start(self._run_one(review, work))
            return
        # An address block's second review waits for the first ones of the other blocks.
        later = [ahead for ahead, (other, _) in enumerate(self._queue) if ahead and other.rank > review.rank]
        self._queue.insert(later[0] if later else len(self._queue), (review, work))
        self._send_places_in_queue()
        if self._queue_task is None:
            self._queue_task = start_task(self._run_queue())

    def release(self, review: AdmittedReview) -> None:
        """Remove a review: it stops at its next part, or never starts."""
        if review not in self._unreleased:
            return
        review.is_released.set()
        self._unreleased.remove(review)
        self._unread.release(review.block)
        self._end_review(review)
        self._queue[1:] = [one for one in self._queue[1:] if one[0] is not review]
        self._send_places_in_queue()

    async def _run_queue(self) -> None:
        try:
            while self._queue:
                try:
                    await self._run_one(*self._queue[0])
                finally:
                    del self._queue[0]
                    self._send_places_in_queue()
        finally:
            self._queue_task = None

    async def _run_one(self, review: AdmittedReview, work: Callable[[], None]) -> None:
        loop, ended = asyncio.get_running_loop(), asyncio.Event()

        def run() -> None:
            try:
                work()
            finally:
                _call_in_loop(loop, ended.set)

        try:
            if not review.is_released.is_set():
                # A daemon thread that compiles at exit would crash LLVM.
                threading.Thread(target=run, name="review", daemon=False).start()
                await ended.wait()
        finally:
            self._end_review(review)

    def _end_review(self, review: AdmittedReview) -> None:
        if not review.is_ended:
            review.end_lines()
            self._waiting.release(review.block)

    def _send_places_in_queue(self) -> None:
        for ahead, (review, _) in enumerate(self._queue):
            review.send_place_in_queue(ahead)


def _call_in_loop(loop: asyncio.AbstractEventLoop, done: Callable[[], object]) -> None:
    # The loop may be closed.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(done)


def _send_review(request: ReviewRequest, games: ReviewedGames, send: Send, stopped: threading.Event) -> None:
    """Send the lines of a review, and a line "refused" if it fails."""
    try:
        _send_parts(request, games, send, stopped)
        return
    except FifteenTwoError as error:
        refused = error
    except (WorkerLost, TimeoutError, PoolFull, CancelledError) as error:
        log.warning("the worker of a review has ended: %r", error)
        refused = ServerError("review-interrupted")
    except Exception:
        log.exception("a review has failed")
        refused = ServerError("internal-error")
    send(_to_line("refused", i18n.refusal(refused, request.lang)))


def _send_parts(request: ReviewRequest, games: ReviewedGames, send: Send, stopped: threading.Event) -> None:
    # Imported here because they load NumPy and tables.
    from fifteentwo.analysis.review import luck, reasons, review
    from fifteentwo.analysis.win import model as win

    record = request.record
    states = [start(record.rules, named=record.named)]
    states += [state for _, state, _ in replay(record)]
    by_chance = win.has_win_probability(record.rules) and not request.by_points
    course: list[review.Decision | luck.Luck] = []
    praised: dict[tuple[int, bool], float] = {}
    for one in games.review_parts(record):
        if stopped.is_set():
            return
        if request.by_points:
            if not isinstance(one, review.Decision):
                continue
            one = review.by_points(one)
        course.append(one)
        plain: dict[str, Any] = msgspec.to_builtins(one)
        if isinstance(one, review.Decision):
            seen = view(states[one.step], one.seat)
            scored_on = reasons.reply_scored(record, states, one.step, one.seat)
            told = reasons.told(seen, one, praised, scored_on=scored_on)
            plain["why"] = [] if told is None else _sentences(*told, request.lang)
            if one.mark:
                each = reasons.by_choice(seen, one)
                plain["why_of"] = {name: _sentences(*other, request.lang) for name, other in each.items()}
            send(_to_line("decision", plain))
        else:
            send(_to_line("luck", plain))
        if by_chance:
            send(_to_line("point", review.curve(course)[-1]))
    whole = review.report(record, course, by_chance=by_chance)
    request.on_finished(whole)
    rest = {name: value for name, value in whole.items() if name not in ("decisions", "luck")}
    send(_to_line("whole", rest))


def _sentences(decision: "Decision", facts: "Sequence[Reason]", lang: str) -> list[str]:
    from fifteentwo.analysis.review.reasons import report

    return reasons_text(msgspec.to_builtins(decision), report(facts), lang)


def _to_line(kind: str, data: object) -> bytes:
    return to_json(Line(kind, data)) + b"\n"
