"""Child processes that read and write lines, each within a time limit; none of their processes survives."""

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
from pathlib import Path

from fifteentwo.players import EngineError
from fifteentwo.rules.errors import FifteenTwoError

MAX_LINE_BYTES = 1_000_000
MAX_ERROR_BYTES = 2_000
"""Bytes of the error stream that are stored: the last ones."""
EXIT_SECONDS = 0.5
"""Seconds for a program to exit when it is asked to."""
_WATCH_SCRIPT = 'read line; sleep 0.5; kill -s KILL -- "-$0"'
"""Shell script that kills a process group when its input ends; only this process can write to it."""
_READ_BYTES = 65_536


class NoProgram(FifteenTwoError, OSError):
    """Raised if a program does not exist, or this system cannot run engines."""

    def __init__(self, code: str, command: str) -> None:
        self.code = code
        self.command = command
        super().__init__(f"{code}: {command}")


class Deadline:
    """A deadline this number of seconds from now."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._ends = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds until the deadline; raise EngineError if it has passed."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise EngineError("time", f"{self.seconds:g}")
        return left


def split_command(command: str | Sequence[str]) -> tuple[str, ...]:
    """Return a command as words, split as by a shell without its other features.

    Raises:
        NoProgram: the first word is not a program, or this is Windows, which has no process groups.
    """
    written = command if isinstance(command, str) else shlex.join(command)
    try:
        words = tuple(shlex.split(command) if isinstance(command, str) else command)
    except ValueError:
        raise NoProgram("program-unreadable", written) from None
    if sys.platform == "win32":
        raise NoProgram("programs-need-unix", written)
    if not words or shutil.which(words[0]) is None:
        is_file = bool(words) and Path(words[0]).is_file()
        raise NoProgram("not-executable" if is_file else "no-such-program", written)
    return words


def environment() -> dict[str, str]:
    """Return the environment of a program: this one without our settings, which may be secret.

    Python's output is unbuffered, because a bot that forgets to flush would seem to hang.
    """
    ours = {name: value for name, value in os.environ.items() if not name.startswith("FIFTEENTWO_")}
    return {**ours, "PYTHONUNBUFFERED": "1"}


class ChildProcess:
    """A running program. Any method may raise EngineError; then call `kill`."""

    def __init__(self, words: Sequence[str]) -> None:
        """Start the program in the current directory, with `environment`."""
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
            raise EngineError("crash", f"{words[0]}: {error.strerror}") from None
        # The watcher is in the program's group, so that the group's number stays in use until all are killed.
        self._watch = subprocess.Popen(
            ["sh", "-c", _WATCH_SCRIPT, str(self.pid)],
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
        self._error_tail = b""
        self._ended = False

    @property
    def pid(self) -> int:
        """Id of the program and of its process group."""
        return self._process.pid

    def send(self, line: bytes, limit: Deadline) -> None:
        """Write a line; the error stream is read at the same time."""
        unwritten = memoryview(line + b"\n")
        with selectors.DefaultSelector() as selector:
            selector.register(self._in, selectors.EVENT_WRITE)
            self._register_errors(selector)
            while unwritten:
                for key in self._ready(selector, limit):
                    if key.fileobj is self._error:
                        self._read_errors(selector)
                        continue
                    try:
                        unwritten = unwritten[os.write(self._in.fileno(), unwritten) :]
                    except BlockingIOError:
                        continue
                    except BrokenPipeError:
                        raise self._crashed() from None

    def line(self, limit: Deadline) -> bytes:
        with selectors.DefaultSelector() as selector:
            selector.register(self._out, selectors.EVENT_READ)
            self._register_errors(selector)
            while b"\n" not in self._read:
                if len(self._read) > MAX_LINE_BYTES:
                    raise EngineError("flood", f"{MAX_LINE_BYTES:,}")
                for key in self._ready(selector, limit):
                    if key.fileobj is self._error:
                        self._read_errors(selector)
                    else:
                        self._read_output()
        line, _, self._read = self._read.partition(b"\n")
        return line

    def has_output(self) -> bool:
        """Return whether the program has written anything that was not read."""
        if not self._read and not self._ended:
            with suppress(EngineError):
                self._read_output()
        return bool(self._read)

    def _ready(self, selector: selectors.BaseSelector, limit: Deadline) -> list[selectors.SelectorKey]:
        return [key for key, _ in selector.select(limit.left())]

    def _read_output(self) -> None:
        with suppress(BlockingIOError):
            read = os.read(self._out.fileno(), _READ_BYTES)
            if not read:
                raise self._crashed()
            self._read += read

    def _register_errors(self, selector: selectors.BaseSelector) -> None:
        if not self._error.closed:
            selector.register(self._error, selectors.EVENT_READ)

    def _read_errors(self, selector: selectors.BaseSelector | None = None) -> bool:
        """Read a part of the error stream; return whether there was one."""
        if self._error.closed:
            return False
        try:
            read = os.read(self._error.fileno(), _READ_BYTES)
        except BlockingIOError:
            return False
        self._error_tail = (self._error_tail + read)[-MAX_ERROR_BYTES:]
        if not read:
            if selector is not None:
                selector.unregister(self._error)
            self._error.close()
        return bool(read)

    def _crashed(self) -> EngineError:
        """Return the error for a program that has exited: its status, and its last line of errors."""
        self._ended = True
        try:
            code = self._process.wait(EXIT_SECONDS)
            status = str(code if code >= 0 else 128 - code)
        except subprocess.TimeoutExpired:
            status = "-"
        for _ in range(MAX_ERROR_BYTES):
            if not self._read_errors():
                break
        lines = self._error_tail.decode(errors="replace").strip().splitlines()
        words = "".join(sign if sign.isprintable() else " " for sign in lines[-1])[:200] if lines else ""
        return EngineError("crash", f"{status}: {words}" if words else status)

    def close(self, last: bytes = b"") -> None:
        """Send a last line, close the input, wait EXIT_SECONDS, and kill the program."""
        if last:
            self.wait_for_exit(last, 0)
        self.wait_for_exit(b"", EXIT_SECONDS)
        self.kill()

    def wait_for_exit(self, last: bytes, seconds: float) -> bool:
        """Send a last line, or close the input if it is empty; return whether the program exits in time."""
        with suppress(EngineError, OSError):
            if last and not self._ended:
                self.send(last, Deadline(seconds or EXIT_SECONDS))
        if not last:
            with suppress(OSError):
                self._in.close()
        ends = time.monotonic() + seconds
        # Output is read and dropped, because the program might wait for that before it exits.
        while self._process.poll() is None and time.monotonic() < ends:
            self._drain(min(0.05, max(0.0, ends - time.monotonic())))
        return self._process.poll() is not None

    def _drain(self, seconds: float) -> None:
        with selectors.DefaultSelector() as selector:
            if not self._ended:
                selector.register(self._out, selectors.EVENT_READ)
            self._register_errors(selector)
            if not selector.get_map():
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(seconds)
            for key, _ in selector.select(seconds) if selector.get_map() else ():
                if key.fileobj is self._error:
                    self._read_errors()
                else:
                    with suppress(BlockingIOError):
                        self._ended = not os.read(self._out.fileno(), _READ_BYTES)

    def terminate(self) -> None:
        """Kill the program and all its processes without waiting; any thread may call this."""
        if self._watch.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()

    def kill(self) -> None:
        """Kill the program and all its processes, and wait until it has exited."""
        self.terminate()
        with self._watch:
            self._process.wait()
        for pipe in (self._in, self._out, self._error):
            with suppress(OSError):
                pipe.close()
