"""Reviews of games: each is computed once, cached, and stored if its game was played on this server.

The review page, statistics, practice and the daily deal use the same reviews, often at the same time. A
review is stored as compressed JSON, some 10 kB for a game. Sentences are not stored: readers have different
languages.
"""

import asyncio
import contextlib
import threading
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import count, islice
from typing import TYPE_CHECKING, Any

import msgspec

from fifteentwo.processes import PoolFull, WorkerPool
from fifteentwo.rules.record import Record, to_json
from fifteentwo.rules.state import State
from fifteentwo.server.background import log
from fifteentwo.server.store.history import History, seat_reviews

if TYPE_CHECKING:
    # Imported with the first review, because they load NumPy, tables and compiled kernels.
    from fifteentwo.analysis.review.luck import Luck
    from fifteentwo.analysis.review.review import Decision


MAX_CACHED_REVIEWS = 32
"""Limit on games in the cache, some 0.2 MB each."""
WARM_UP_POINTS_NEEDED = 30
"""Tables and kernels are loaded when the leading side needs this number of points or fewer."""
PARTS_BATCH_SECONDS = 0.1
"""Time for which a worker searches for more parts before it takes its other jobs."""
MAX_UNFINISHED_REVIEWS = 8
"""Limit on reviews that a worker can continue; other games are reviewed from their beginning."""


class ReviewedGames:
    """The cache of reviews, by rules and actions. Its methods block: call them from threads."""

    def __init__(self, pool: WorkerPool | None = None) -> None:
        """Create an empty cache. pool: one worker; without it the calling threads make the reviews."""
        self._pool = pool
        self._courses: dict[bytes, _Course] = {}
        self._lock = threading.Lock()
        self._is_warm = False

    def warm_up_near_the_end(self, state: State) -> None:
        """Load tables and kernels for a review if a game is nearly over. Does not block."""
        if max(state.front) >= state.rules.target - WARM_UP_POINTS_NEEDED:
            self.warm_up()

    def warm_up(self) -> None:
        """Load tables and kernels in the worker, once. This takes a second or two, but does not block."""
        if self._pool is not None and not self._is_warm:
            self._is_warm = True
            with contextlib.suppress(PoolFull, RuntimeError):
                self._pool.submit(_load_review_tables)

    def review_parts(self, record: Record) -> "Iterator[Decision | Luck]":
        """Yield the parts of a review, and raise its errors. All callers share what was found."""
        return self._cached(record).parts()

    def report(self, record: Record) -> dict[str, Any]:
        """Return the report of a review (`analysis.review.review.report`)."""
        from fifteentwo.analysis.review.review import report

        return report(record, list(self.review_parts(record)))

    def has_review(self, record: Record) -> bool:
        with self._lock:
            course = self._courses.get(to_json(_without_names(record)))
        return course is not None and course.is_whole

    def cache_parts(self, record: Record, parts: "Iterable[Decision | Luck]") -> None:
        self._cached(record, _Course(_without_names(record), parts))

    def _cached(self, record: Record, new: "_Course | None" = None) -> "_Course":
        """Return the cached course of a game: `new`, or the known one, or an empty one."""
        played = _without_names(record)
        key = to_json(played)
        with self._lock:
            course = new or self._courses.get(key) or _Course(played, pool=self._pool)
            self._courses.pop(key, None)
            self._courses[key] = course  # the most recently used last
            while len(self._courses) > MAX_CACHED_REVIEWS:
                del self._courses[next(iter(self._courses))]
        return course


def _without_names(record: Record) -> Record:
    rules, actions, named, stood_in = record.rules, record.actions, record.named, record.stood_in
    return Record(rules=rules, names=(), actions=actions, named=named, stood_in=stood_in)


class _Course:
    """The parts of one review. The first thread that needs the next part computes it; the others wait."""

    def __init__(
        self, record: Record, parts: "Iterable[Decision | Luck] | None" = None, pool: WorkerPool | None = None
    ) -> None:
        """Create a course with no part, or with all `parts` if they are known."""
        self._record = record
        self._pool = pool
        self._parts: list[Decision | Luck] = list(parts or ())
        self._lock = threading.Lock()
        self.is_whole = parts is not None

    def parts(self) -> "Iterator[Decision | Luck]":
        for place in count():
            with self._lock:
                if place == len(self._parts) and not self.is_whole:
                    self._find_more()
            if place == len(self._parts):
                return
            yield self._parts[place]

    def _find_more(self) -> None:
        job = self._record, len(self._parts)
        more = more_parts(*job) if self._pool is None else self._pool.submit(more_parts, *job).result()
        self._parts += more
        self.is_whole = not more


def _load_review_tables() -> None:
    from fifteentwo.analysis.review import review

    review.prepare()


_unfinished_reviews: "dict[bytes, tuple[int, Iterator[Decision | Luck]]]" = {}
"""Reviews that this worker can continue, by game: number of parts found, and iterator of the others."""


def more_parts(record: Record, known: int) -> "list[Decision | Luck]":
    """Return parts of a review after the known ones: those found within BATCH_SECONDS, none at the end."""
    from fifteentwo.analysis.review.review import reviewed

    key = to_json(record)
    found, left = _unfinished_reviews.pop(key, (-1, iter(())))
    if found != known:
        left = islice(reviewed(record), known, None)
    ends = time.monotonic() + PARTS_BATCH_SECONDS
    more: list[Decision | Luck] = []
    for part in left:
        more.append(part)
        if time.monotonic() >= ends:
            break
    if more:
        _unfinished_reviews[key] = known + len(more), left
        while len(_unfinished_reviews) > MAX_UNFINISHED_REVIEWS:
            del _unfinished_reviews[next(iter(_unfinished_reviews))]
    return more


class StoredReviews:
    """The reviews stored in the database, with the cache in front."""

    def __init__(self, history: History, games: ReviewedGames) -> None:
        self._history = history
        self._games = games

    async def load_into_cache(self, name: str, number: int, record: Record) -> bool:
        """Load the stored review of a game into the cache; return whether the cache has the whole review."""
        if await asyncio.to_thread(self._games.has_review, record):
            return True
        stored = await self._history.findings(name, number)
        if stored is None:
            return False
        try:
            parts = await asyncio.to_thread(unpack_parts, stored, record)
        except (zlib.error, msgspec.DecodeError):
            log.exception("the review of game %s/%d cannot be read and is computed again", name, number)
            return False
        if parts is None:
            return False
        await asyncio.to_thread(self._games.cache_parts, record, parts)
        return True

    async def report(self, name: str, number: int, record: Record) -> dict[str, Any]:
        """Return the report of a review (`ReviewedGames.report`), and store the review if it is new."""
        known = await self.load_into_cache(name, number, record)
        report = await asyncio.to_thread(self._games.report, record)
        # The review of an equal record can be in the cache but not in the store.
        if not known or await self._history.findings(name, number) is None:
            await self.store_review(name, number, record, report)
        return report

    async def store_review(self, name: str, number: int, record: Record, report: dict[str, Any]) -> None:
        """Store the results of a review for the history, and its parts if the cache has them."""
        data = None
        if await asyncio.to_thread(self._games.has_review, record):
            data = await asyncio.to_thread(lambda: pack_parts(record, list(self._games.review_parts(record))))
        await self._history.save_review(name, number, seat_reviews(report), data)


class _StoredParts(msgspec.Struct, frozen=True):
    played: str
    """Digest of the actions, which differ after an undo at the end of a game."""
    parts: list[tuple[str, msgspec.Raw]]


def pack_parts(record: Record, parts: "Sequence[Decision | Luck]") -> bytes:
    from fifteentwo.analysis.review.review import Decision

    kinds = ("decision" if isinstance(one, Decision) else "luck" for one in parts)
    plain = [(kind, msgspec.Raw(to_json(one))) for kind, one in zip(kinds, parts, strict=True)]
    return zlib.compress(msgspec.json.encode(_StoredParts(_actions_digest(record), plain)))


def unpack_parts(stored: bytes, record: Record) -> "list[Decision | Luck] | None":
    """Return the parts of a stored review; None if it is of other actions. Raise if the bytes are damaged."""
    from fifteentwo.analysis.review.luck import Luck
    from fifteentwo.analysis.review.review import Decision

    kinds: dict[str, type[Decision | Luck]] = {"decision": Decision, "luck": Luck}
    kept = msgspec.json.decode(zlib.decompress(stored), type=_StoredParts)
    if kept.played != _actions_digest(record):
        return None
    return [msgspec.json.decode(part, type=kinds[kind]) for kind, part in kept.parts]


def _actions_digest(record: Record) -> str:
    return sha256(to_json([record.rules, record.actions, record.named])).hexdigest()
