"""Runs one program and ends with it, and it with this; started by `process.Child` as a script of its own.

The program gets a process group of its own. It is killed, with all that it started, when SIGTERM comes, or a
moment after the other end of standard input is closed: however the host ends, nothing stays behind.
"""

import os
import select
import signal
import sys
from contextlib import suppress

GRACE = 1.0
"""Seconds that a program has to end once its input is closed."""


def main(command: list[str]) -> int:
    """Run a command and return its exit status; a signal's is 128 and its number."""
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes)
    terminated: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: terminated.append(number))
    signal.signal(signal.SIGCHLD, lambda *_: None)
    # The host ends this by its input alone, also where it ignores Ctrl-C itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    child = os.fork()
    if not child:
        _become(command)
    with suppress(OSError):
        # Both do it, so that the group is there before it is killed.
        os.setpgid(child, child)
    os.close(1)
    os.close(2)
    poll = select.poll()
    poll.register(0, 0)
    poll.register(woken, select.POLLIN)
    wait: float | None = None
    while True:
        found = dict(poll.poll(wait))
        if woken in found:
            os.read(woken, 64)
        if 0 in found:
            poll.unregister(0)
            wait = GRACE * 1000
        elif wait is not None and not found:
            terminated.append(signal.SIGTERM)
        ended, status = os.waitpid(child, os.WNOHANG)
        if terminated or ended:
            with suppress(OSError):
                os.killpg(child, signal.SIGKILL)
            if not ended:
                _, status = os.waitpid(child, 0)
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def _become(command: list[str]) -> None:
    """Turn into the program, in a new process group and with the signals of a new process."""
    os.setpgid(0, 0)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode(errors="replace"))
    os._exit(127)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
