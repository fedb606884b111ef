"""SIGINT (Ctrl-C) and SIGTERM end a command within a second, with one line and status 130 or 143.

The signal raises `Stopped` in the main thread, so that `with` blocks close files and end child processes. A
thread ends the process in compiled code and in callbacks of weak references, where nothing can be raised.
Files are never left half written, because a file gets its name when it is complete.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM)
GRACE_SECONDS = 0.6
"""Time from a signal to the end of the process at the latest."""
SERVER_GRACE_SECONDS = 8.0
"""GRACE_SECONDS if the program has its own handler of the signal, as uvicorn has."""
NOTICE_SECONDS = 0.1
"""Seconds allowed for writing the notice: standard error may be a full pipe."""


_received: list[int] = []
"""The signal that came in the present block of `stoppable`."""


class Stopped(SystemExit):
    """A signal ended the command; `code` is the exit status."""


@contextmanager
def stoppable(notice: Callable[[], None]) -> Iterator[None]:
    """End the process if SIGINT or SIGTERM comes in this block, unless the signal was ignored before.

    notice: called once; writes the line that says that the command was stopped.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _received.clear()
    is_unwritten = threading.Lock()

    def write_notice() -> None:
        if is_unwritten.acquire(blocking=False):
            notice()

    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    numbers = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    handlers = {number: signal.signal(number, _raise_stopped) for number in numbers}
    wakeup = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    hook = sys.unraisablehook
    sys.unraisablehook = lambda raised: None if isinstance(raised.exc_value, Stopped) else hook(raised)
    threading.Thread(target=_end_process, args=(reader, write_notice), daemon=True).start()
    try:
        yield
    except Stopped:
        write_notice()
        raise
    finally:
        sys.unraisablehook = hook
        signal.set_wakeup_fd(wakeup)
        os.close(writer)
        for number, handler in handlers.items():
            # After a signal, all signals stay ignored until the process has ended.
            if signal.getsignal(number) is _raise_stopped:
                signal.signal(number, handler)
        if _received and not isinstance(sys.exc_info()[1], Stopped):
            # `Stopped` was raised in a callback of a weak reference, which ignores exceptions.
            write_notice()
            raise Stopped(128 + _received[0])


def _raise_stopped(number: int, _: FrameType | None) -> NoReturn:
    for one in SIGNALS:
        signal.signal(one, signal.SIG_IGN)
    _received.append(number)
    raise Stopped(128 + number)


def _end_process(reader: int, write_notice: Callable[[], None]) -> None:
    """Wait for the number of a signal, give the main thread time to end, and end the process."""
    numbers = os.read(reader, 1)
    if not numbers:
        os.close(reader)
        return
    is_ours = signal.getsignal(numbers[0]) in (_raise_stopped, signal.SIG_IGN)
    time.sleep(GRACE_SECONDS if is_ours else SERVER_GRACE_SECONDS)
    writer = threading.Thread(target=write_notice, daemon=True)
    writer.start()
    writer.join(NOTICE_SECONDS)
    os._exit(128 + numbers[0])
