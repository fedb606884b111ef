"""Ctrl-C and SIGTERM end a command within a second, whatever it is at, with one line and its own status.

`Stopped` is raised wherever the program is, so that files are closed and workers ended. Deep in a compiled
loop, or waiting for a thread that is, nothing can be raised: then a thread of its own ends the process. What
is on disk is whole either way, since checkpoints are written to a new file and renamed, or line by line.
"""

import atexit
import os
import signal
import sys
import threading
import time
from _thread import start_new_thread
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import NoReturn, Self, TypeVar

from fifteentwo.cli import terminal

Result = TypeVar("Result")

GRACE = 0.6
"""Seconds to end in order."""
A_MOMENT = 0.01
SIGNALS = (signal.SIGINT, signal.SIGTERM)
_NO_MORE = 0
"""No signal has this number."""


def allow(seconds: float) -> None:
    """Give this program so long to end in order."""
    global GRACE
    GRACE = seconds


class Stopped(KeyboardInterrupt):
    """The program is to end, by this signal."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(number)

    @property
    def status(self) -> int:
        """130 after Ctrl-C, 143 after SIGTERM."""
        return 128 + self.number


class Stoppable:
    """While this lasts, SIGINT and SIGTERM raise `Stopped`, and end the process where that does not.

    Once one has come the process is to end. A signal that was ignored before stays ignored.
    """

    def __init__(self, notice: Callable[[], None]) -> None:
        """notice: writes in a line that the command was stopped."""
        self._notice = notice
        self._not_written = threading.Lock()
        self._before: dict[int, object] = {}
        self._hook_before = sys.unraisablehook
        self._came = _NO_MORE
        self._pipe_before = -1
        self._pipe = (-1, -1)

    def write(self) -> None:
        """Write the one line, unless it was written already."""
        if self._not_written.acquire(blocking=False):
            self._notice()

    def leave(self, status: int) -> NoReturn:
        """Write the line and end the process, without waiting for threads that are still at work."""
        self.write()
        terminal.drop_output()
        atexit._run_exitfuncs()
        os._exit(status)

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._observe()
            heard = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
            self._before = {number: signal.signal(number, self._stop) for number in heard}
            self._hook_before = sys.unraisablehook
            sys.unraisablehook = self._once_more
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._came == _NO_MORE:
                self._hear_no_more()
        except Stopped:
            # The last thing that is heard.
            pass
        # Else the program is ending: it is ended after GRACE, and not stopped once more.
        if self._came != _NO_MORE and kind is None:
            # It came where nothing could be raised, and by now all is done.
            self.leave(Stopped(self._came).status)

    def _hear_no_more(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        if self._before:
            sys.unraisablehook = self._hook_before
        if self._pipe != (-1, -1):
            signal.set_wakeup_fd(self._pipe_before)
            os.write(self._pipe[1], bytes([_NO_MORE]))

    def _stop(self, number: int, _: FrameType | None) -> None:
        self._came = number
        for one in SIGNALS:
            signal.signal(one, signal.SIG_IGN)
        raise Stopped(number)

    def _once_more(self, raised: "sys.UnraisableHookArgs") -> None:
        """Where nothing can be raised, as in a weak reference's callback: raise it again, a moment later."""
        if not isinstance(raised.exc_value, Stopped):
            self._hook_before(raised)
            return
        number = raised.exc_value.number
        signal.signal(number, self._stop)
        # Without waiting for the thread to begin, as threading would: this is to be over before.
        start_new_thread(self._again, (number,))

    @staticmethod
    def _again(number: int) -> None:
        time.sleep(A_MOMENT)
        os.kill(os.getpid(), number)

    def _observe(self) -> None:
        """Have the numbers of signals written to a pipe the moment they come, whatever the program is at."""
        if sys.platform == "win32":
            return
        self._pipe = os.pipe()
        os.set_blocking(self._pipe[1], False)
        self._pipe_before = signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        threading.Thread(target=self._end_process, daemon=True).start()

    def _end_process(self) -> None:
        """Wait for a signal, then for the end; then end the process."""
        number = _NO_MORE
        while number not in SIGNALS:
            number = os.read(self._pipe[0], 1)[0]
            if number == _NO_MORE:
                for end in self._pipe:
                    os.close(end)
                return
        time.sleep(GRACE)
        # Perhaps the line cannot be written: a full pipe that is not read.
        writer = threading.Thread(target=self.write, daemon=True)
        writer.start()
        writer.join(0.1)
        os._exit(Stopped(number).status)


def run(program: Callable[[], Result], notice: Callable[[], None]) -> Result:
    """Return the result of a program, if it is not stopped."""
    with Stoppable(notice) as stoppable:
        try:
            return program()
        except Stopped as stopped:
            stoppable.leave(stopped.status)
