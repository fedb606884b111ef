"""The health of what the server needs. A log line reports when a thing fails, and when it works again."""

import time
from collections.abc import Callable

from fifteentwo.server.background import log

RECOVERY_SECONDS = 5.0
"""Seconds without a failure after which a success is logged as recovery. A disk that is nearly full accepts
one small row and refuses the next; without this, each such pair would log two lines."""


class Health:
    """The health of one thing, known from the last attempts to use it."""

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        """Create the health of a thing that works. name: in log lines, such as "writing to the database"."""
        self._name = name
        self._clock = clock
        self._reasons: set[str] = set()
        self._failed_at = float("-inf")
        self._worked_at = float("-inf")
        self.failure_code: str | None = None
        """The code of the last failure; None while the thing works."""

    def note_failure(self, code: str, error: BaseException | None = None, *, is_bug: bool = False) -> None:
        """Note a failure, and log it once. is_bug: whether it is a fault of the program."""
        now = self._clock()
        if self._failed_at < self._worked_at <= now - RECOVERY_SECONDS:
            # There was no attempt for a while: earlier failures are over.
            self._reasons.clear()
        self.failure_code, self._failed_at = code, now
        if code not in self._reasons:
            self._reasons.add(code)
            detail = str(error or "").strip().splitlines()[:1]
            why = f"{code} ({detail[0]})" if detail else code
            log.error("%s fails: %s", self._name, why, exc_info=error if is_bug else None)

    def note_success(self) -> None:
        """Note a success at this moment, and log it if the thing works again."""
        self._worked_at = now = self._clock()
        if self.failure_code is not None and now - self._failed_at >= RECOVERY_SECONDS:
            self.failure_code = None
            self._reasons.clear()
            log.warning("%s works again", self._name)

    def worked_within(self, seconds: float) -> bool:
        return self.failure_code is None and self._clock() - self._worked_at < seconds
