"""A cache of the last reviews: each is worked out once, for all requests.

The review page, statistics, practice and the daily deal ask for the same games, often at the same time.
"""

import threading
from collections.abc import Iterator
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

    def _of(self, record: Record) -> "_Course":
        # Neither names nor how it was dealt change the values of choices.
        played = Record(rules=record.rules, names=(), actions=record.actions, named=record.named)
        key = to_json(played)
        with self._lock:
            course = self._courses.pop(key, None) or _Course(played)
            self._courses[key] = course
            while len(self._courses) > MOST:
                del self._courses[next(iter(self._courses))]
        return course


class _Course:
    """The parts of one review. The first to need the next one finds it; the others wait for that."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._left: Iterator[Decision | Luck] | None = None
        self._parts: list[Decision | Luck] = []
        self._refused: FifteenTwoError | None = None
        self._over = False
        self._lock = threading.Lock()

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
