"""A cache of the last reviews: each is worked out once, for all requests.

The review page, statistics, practice and the daily deal ask for the same games, often at the same time.
"""

import threading
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import Record, to_json

if TYPE_CHECKING:
    # Loaded with the first review: it brings numpy, tables and compiled kernels.
    from fifteentwo.analysis.review.luck import Luck
    from fifteentwo.analysis.review.review import Decision

MOST = 32
"""Games kept, some 0.2 MB each; the one asked for longest ago makes way."""


class ReviewedGames:
    """Reviews by what was played. Not for the event loop: call from threads, any number of them."""

    def __init__(self) -> None:
        self._courses: dict[bytes, _Course] = {}
        self._lock = threading.Lock()

    def course(self, record: Record) -> "Iterator[Decision | Luck]":
        """What `analysis.review.review.reviewed` finds, part by part; IllegalAction where it does.

        A second request meanwhile gets what there is at once, and the rest as it is found.
        """
        return self._of(record).parts()

    def report(self, record: Record) -> dict[str, Any]:
        """What `analysis.review.review.review` gives."""
        from fifteentwo.analysis.review.review import report

        return report(record, list(self.course(record)))

    def has(self, record: Record) -> bool:
        """Whether all of it is there: `course` works nothing out."""
        with self._lock:
            course = self._courses.get(to_json(_played(record)))
        return course is not None and course.is_whole

    def put(self, record: Record, parts: "Iterable[Decision | Luck]") -> None:
        """Have the parts of a review that was worked out earlier."""
        self._keep(record, _Course(_played(record), parts))

    def _of(self, record: Record) -> "_Course":
        return self._keep(record, None)

    def _keep(self, record: Record, new: "_Course | None") -> "_Course":
        """Keep this course of a game, else the one there is, else a new one."""
        played = _played(record)
        key = to_json(played)
        with self._lock:
            course = self._courses.pop(key, None)
            course = new or course or _Course(played)
            self._courses[key] = course
            while len(self._courses) > MOST:
                del self._courses[next(iter(self._courses))]
        return course


def _played(record: Record) -> Record:
    """Return what was played alone: neither names nor how it was dealt change the values of choices."""
    return Record(rules=record.rules, names=(), actions=record.actions, named=record.named)


class _Course:
    """The parts of one review. The first to need the next one finds it; the others wait for that."""

    def __init__(self, record: Record, parts: "Iterable[Decision | Luck] | None" = None) -> None:
        """parts: all of them, where they are known."""
        self._record = record
        self._left: Iterator[Decision | Luck] | None = None
        self._parts: list[Decision | Luck] = list(parts or ())
        self._refused: FifteenTwoError | None = None
        self._over = parts is not None
        self._lock = threading.Lock()

    @property
    def is_whole(self) -> bool:
        """Whether all parts are there."""
        return self._over and self._refused is None

    def parts(self) -> "Iterator[Decision | Luck]":
        """All of them, from the first."""
        place = 0
        while self._is_there(place):
            yield self._parts[place]
            place += 1

    def _is_there(self, place: int) -> bool:
        """Whether there is such a part; found now if it was not asked for before."""
        with self._lock:
            if place == len(self._parts) and not self._over:
                self._go_on()
        if place < len(self._parts):
            return True
        if self._refused is not None:
            raise self._refused
        return False

    def _go_on(self) -> None:
        from fifteentwo.analysis.review.review import reviewed

        if self._left is None:
            self._left = islice(reviewed(self._record), len(self._parts), None)
        try:
            self._parts.append(next(self._left))
        except StopIteration:
            self._over, self._left = True, None
        except FifteenTwoError as error:
            self._over, self._left, self._refused = True, None, error
        except BaseException:
            # What went wrong may not go wrong again: who asks next goes over it once more.
            self._left = None
            raise
