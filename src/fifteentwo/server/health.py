"""Whether something the server needs works: one log line when it stops working, one when it works again."""

import logging
import time
from collections.abc import Callable

log = logging.getLogger("fifteentwo.server")

QUIET_SECONDS = 5.0
"""Seconds without a failure after which a success means that it works again. A disk that is nearly full takes
one small row and refuses the next: without this each pair would be two log lines."""


class Health:
    """Whether one thing works, by what was tried last."""

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        """name: what the log calls it, such as "writing to the database"."""
        self._name = name
        self._clock = clock
        self._reasons: set[str] = set()
        self._failed_at = float("-inf")
        self._worked_at = float("-inf")
        self.failure_code: str | None = None
        """The code of the last failure; None while it works."""

    def note_failure(
        self, code: str, error: BaseException | None = None, *, with_traceback: bool = False
    ) -> None:
        """Note that it failed just now, and log it unless this failure is known.

        trace: what was raised is a fault of the program.
        """
        now = self._clock()
        if self._failed_at < self._worked_at <= now - QUIET_SECONDS:
            # It was not tried for a while: what was known of an earlier failure is over.
            self._reasons.clear()
        self.failure_code, self._failed_at = code, now
        if code not in self._reasons:
            self._reasons.add(code)
            detail = str(error or "").strip().splitlines()[:1]
            why = f"{code} ({detail[0]})" if detail else code
            log.error("%s fails: %s", self._name, why, exc_info=error if with_traceback else None)

    def note_success(self) -> None:
        """Note that it worked just now."""
        self._worked_at = now = self._clock()
        if self.failure_code is not None and now - self._failed_at >= QUIET_SECONDS:
            self.failure_code = None
            self._reasons.clear()
            log.warning("%s works again", self._name)

    def worked_within(self, seconds: float) -> bool:
        """Return whether it works and was seen to within so many seconds."""
        return self.failure_code is None and self._clock() - self._worked_at < seconds
