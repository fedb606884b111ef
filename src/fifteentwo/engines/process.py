"""A program that is run for its lines: one in, one out, each within a time; nothing stays behind."""

import os
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress

from fifteentwo.players import PlayerFailed
from fifteentwo.rules.errors import FifteenTwoError

LONGEST_LINE = 1_000_000
"""Bytes of a line that is read."""
LAST_WORDS = 2_000
"""Bytes of the error stream that are kept: the last."""
GRACE = 0.5
"""Seconds that a program has to end once it is asked to."""
_WATCH = 'read line; sleep 0.5; kill -s KILL -- "-$0"'
"""A shell script that kills a process group when its input ends, which only this process can write to."""
_AT_ONCE = 65_536


class NoProgram(FifteenTwoError, OSError):
    """A program cannot be run: there is none of this name, or this system runs none as engines."""

    def __init__(self, code: str, command: str) -> None:
        self.code = code
        self.command = command
        super().__init__(f"{code}: {command}")

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.code, self.command)


class Limit:
    """So many seconds from now."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._ends = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds that are left; PlayerFailed where there are none."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise PlayerFailed("time", f"{self.seconds:g}")
        return left


def words_of(command: str | Sequence[str]) -> tuple[str, ...]:
    """Return a command as words, split as a shell does; nothing else of a shell is done.

    NoProgram where its first word is no program, or on Windows, which has no process groups.
    """
    written = command if isinstance(command, str) else shlex.join(command)
    try:
        words = tuple(shlex.split(command) if isinstance(command, str) else command)
    except ValueError:
        raise NoProgram("program-unreadable", written) from None
    if sys.platform == "win32":
        raise NoProgram("programs-need-unix", written)
    if not words or shutil.which(words[0]) is None:
        raise NoProgram("no-such-program", written)
    return words


def environment() -> dict[str, str]:
    """Return what a program finds in its environment: this one, without our settings, which may be secret.

    Python's own output is not buffered: a bot that forgets to flush would seem to hang.
    """
    ours = {name: value for name, value in os.environ.items() if not name.startswith("FIFTEENTWO_")}
    return {**ours, "PYTHONUNBUFFERED": "1"}


class Child:
    """A running program. PlayerFailed from any method says what is wrong with it; then `kill` it."""

    def __init__(self, words: Sequence[str]) -> None:
        """Run it in this working directory, with `environment`."""
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=environment(),
                process_group=0,
            )
        except OSError as error:
            raise PlayerFailed("crash", f"{words[0]}: {error.strerror}") from None
        # In the program's group, so that the group's number stays taken until all of the group is killed.
        self._watch = subprocess.Popen(
            ["sh", "-c", _WATCH, str(self.pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=self.pid,
        )
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._in, self._out, self._error = self._process.stdin, self._process.stdout, self._process.stderr
        for pipe in (self._in, self._out, self._error):
            os.set_blocking(pipe.fileno(), False)
        self._read = b""
        self._last_words = b""
        self._ended = False

    @property
    def pid(self) -> int:
        """The process and process group of the program."""
        return self._process.pid

    def send(self, line: bytes, limit: Limit) -> None:
        """Write a line; what it writes on its error stream is read meanwhile."""
        left = memoryview(line + b"\n")
        with selectors.DefaultSelector() as selector:
            selector.register(self._in, selectors.EVENT_WRITE)
            self._hear_errors(selector)
            while left:
                for key in self._ready(selector, limit):
                    if key.fileobj is self._error:
                        self._note_errors(selector)
                        continue
                    try:
                        left = left[os.write(self._in.fileno(), left) :]
                    except BlockingIOError:
                        continue
                    except BrokenPipeError:
                        raise self._crashed() from None

    def line(self, limit: Limit) -> bytes:
        """Return the next line that it writes."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._out, selectors.EVENT_READ)
            self._hear_errors(selector)
            while b"\n" not in self._read:
                if len(self._read) > LONGEST_LINE:
                    raise PlayerFailed("flood", f"{LONGEST_LINE:,}")
                for key in self._ready(selector, limit):
                    if key.fileobj is self._error:
                        self._note_errors(selector)
                    else:
                        self._take()
        line, _, self._read = self._read.partition(b"\n")
        return line

    def waiting(self) -> bool:
        """Whether it has written something that was not read."""
        if not self._read and not self._ended:
            with suppress(PlayerFailed):
                self._take()
        return bool(self._read)

    def _ready(self, selector: selectors.BaseSelector, limit: Limit) -> list[selectors.SelectorKey]:
        return [key for key, _ in selector.select(limit.left())]

    def _take(self) -> None:
        with suppress(BlockingIOError):
            came = os.read(self._out.fileno(), _AT_ONCE)
            if not came:
                raise self._crashed()
            self._read += came

    def _hear_errors(self, selector: selectors.BaseSelector) -> None:
        if not self._error.closed:
            selector.register(self._error, selectors.EVENT_READ)

    def _note_errors(self, selector: selectors.BaseSelector | None = None) -> bool:
        """Read some of the error stream; whether there was any."""
        if self._error.closed:
            return False
        try:
            came = os.read(self._error.fileno(), _AT_ONCE)
        except BlockingIOError:
            return False
        self._last_words = (self._last_words + came)[-LAST_WORDS:]
        if not came:
            if selector is not None:
                selector.unregister(self._error)
            self._error.close()
        return bool(came)

    def _crashed(self) -> PlayerFailed:
        """Return what it ended with: its status and the last line of its error stream."""
        self._ended = True
        try:
            code = self._process.wait(GRACE)
            status = str(code if code >= 0 else 128 - code)
        except subprocess.TimeoutExpired:
            status = "-"
        for _ in range(LAST_WORDS):
            if not self._note_errors():
                break
        lines = self._last_words.decode(errors="replace").strip().splitlines()
        words = "".join(sign if sign.isprintable() else " " for sign in lines[-1])[:200] if lines else ""
        return PlayerFailed("crash", f"{status}: {words}" if words else status)

    def close(self, last: bytes = b"") -> None:
        """Send a last line, end its input, wait for the end a moment, then kill it."""
        if last:
            self.ends(last, 0)
        self.ends(b"", GRACE)
        self.kill()

    def ends(self, last: bytes, seconds: float) -> bool:
        """Send a last line, or close its input where that is empty; whether it ends in so many seconds."""
        with suppress(PlayerFailed, OSError):
            if last and not self._ended:
                self.send(last, Limit(seconds or GRACE))
        if not last:
            with suppress(OSError):
                self._in.close()
        ends = time.monotonic() + seconds
        # What it still writes is read and dropped, or it might wait for that before it ends.
        while self._process.poll() is None and time.monotonic() < ends:
            self._drain(min(0.05, max(0.0, ends - time.monotonic())))
        return self._process.poll() is not None

    def _drain(self, seconds: float) -> None:
        with selectors.DefaultSelector() as selector:
            if not self._ended:
                selector.register(self._out, selectors.EVENT_READ)
            self._hear_errors(selector)
            if not selector.get_map():
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(seconds)
            for key, _ in selector.select(seconds) if selector.get_map() else ():
                if key.fileobj is self._error:
                    self._note_errors()
                else:
                    with suppress(BlockingIOError):
                        self._ended = not os.read(self._out.fileno(), _AT_ONCE)

    def terminate(self) -> None:
        """Kill the program and all that it started, without waiting; any thread may call this."""
        if self._watch.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()

    def kill(self) -> None:
        """Kill the program and all that it started, and wait until it has ended."""
        self.terminate()
        with self._watch:
            self._process.wait()
        for pipe in (self._in, self._out, self._error):
            with suppress(OSError):
                pipe.close()
