"""Worker processes, kept going by the one that was started.

That one serves nothing itself. A process that dies is replaced; all end with it, however it ends.
"""

import logging
import signal
import time
from collections.abc import Callable, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType

from fifteentwo.processes import started
from fifteentwo.server.errors import ServerError

log = logging.getLogger("fifteentwo.server")

TO_END = 6.0
"""Seconds that processes have to end in order; less than the program itself has."""
WELL = 30.0
"""Seconds after which a process that dies was no failed start."""
LONGEST_PAUSE = 30.0
"""Seconds between two starts, where each process dies soon after: at most."""


Work = Callable[[Callable[[], None]], None]
"""What a process does until a signal ends it; it calls what it is given once it responds."""


def supervise(works: Sequence[Work], started: Callable[[], None]) -> None:
    """Run each in a process of its own until a signal comes. started: called once all respond."""
    everyone = [_Worker(number, work) for number, work in enumerate(works, 1)]
    try:
        _keep_going(everyone, started)
    finally:
        _end(everyone)


class _Worker:
    """One of the processes, and those that took its place."""

    def __init__(self, number: int, work: Work) -> None:
        self.number = number
        self._work = work
        self.process: SpawnProcess | None = None
        self.answers: Connection | None = None
        """Says once that the process answers."""
        self.is_settled = False
        """It has answered once, or died instead."""
        self.due = 0.0
        self._began = 0.0
        self._failed = 0

    def start(self) -> None:
        """Start it, or another in its place."""
        self.answers, theirs = Pipe(duplex=False)
        self._began = time.monotonic()
        self.process = started(_run, self._work, theirs)
        theirs.close()

    def look(self) -> None:
        """See whether it answers, and whether it still is there."""
        assert self.process is not None
        assert self.answers is not None
        if not self.answers.closed and self.answers.poll():
            self.is_settled = True
            self.answers.close()
        if self.process.exitcode is None:
            return
        lived, self.is_settled = time.monotonic() - self._began, True
        self._failed = 0 if lived >= WELL else self._failed + 1
        pause = min(LONGEST_PAUSE, 2.0 ** (self._failed - 2)) if self._failed > 1 else 0.0
        log.warning("process %d ended (%s); %g s to the next", self.number, self.process.exitcode, pause)
        self.answers.close()
        self.process.close()
        self.process, self.due = None, time.monotonic() + pause

    @property
    def signs(self) -> list[Connection | int]:
        """What to wait for: that it answers, that it ends."""
        if self.process is None or self.answers is None:
            return []
        answers: list[Connection | int] = [] if self.answers.closed else [self.answers]
        return [self.process.sentinel, *answers]


def _keep_going(everyone: list[_Worker], started: Callable[[], None]) -> None:
    all_started = False
    while True:
        now = time.monotonic()
        for one in everyone:
            if one.process is None and one.due <= now:
                one.start()
        dues = [max(0.0, one.due - now) for one in everyone if one.process is None]
        wait([sign for one in everyone for sign in one.signs], min(dues, default=None))
        for one in everyone:
            if one.process is not None:
                one.look()
        if not all_started and all(one.is_settled for one in everyone):
            all_started = True
            started()


def _end(everyone: list[_Worker]) -> None:
    """Have each finish what it writes; who takes too long is killed."""
    processes = [one.process for one in everyone if one.process is not None]
    for process in processes:
        process.terminate()
    until = time.monotonic() + TO_END
    for process in processes:
        process.join(max(0.0, until - time.monotonic()))
        if process.exitcode is None:
            process.kill()
            process.join()


# ── In a process of its own ──────────────────────────────────────────────────────────────────────────────


def _run(work: Work, answers: Connection) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))

    def responds() -> None:
        answers.send_bytes(b"responds")
        answers.close()

    try:
        work(responds)
    except ServerError as error:
        log.error("a process could not begin: %s", error)
        raise SystemExit(1) from None


def _leave(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)
