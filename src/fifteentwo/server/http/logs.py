"""The format of the server's log: one line an event, without secrets and without floods of repeated lines."""

import asyncio
import json
import logging
import re
import sys
import time
from typing import Any

from fifteentwo.server.background import log_thread_exceptions

MAX_LINES_PER_KIND = 10
COUNTING_PERIOD_SECONDS = 10.0
"""Seconds in which at most MAX_LINES_PER_KIND lines of a kind are logged; the next line counts the others."""
MAX_COUNTED_KINDS = 256
_SECRET_PATTERNS = (
    (re.compile(r"(/(?:join|spectate|board)/)[^\s/?\"']+"), r"\1…"),
    (re.compile(r"(://[^\s:/@]*:)[^\s/@]+@"), r"\1…@"),
    (re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])"), "…"),
    (re.compile(r"(?<![0-9A-Fa-f])[0-9a-fA-F]{64}(?![0-9A-Fa-f])"), "…"),
    (re.compile(r"(?i)((?:cookie|authorization)\W{1,4})[^\r\n]+"), r"\1…"),
)
"""Patterns of invitations, passwords, sessions, secrets of a dealing, and headers with any of them."""


def without_secrets(text: str) -> str:
    """Return the text without secrets.

    >>> without_secrets("no route to /game/abc/join/Zm9vYmFyYmF6 at postgresql://ann:hunter2@db/games")
    'no route to /game/abc/join/… at postgresql://ann:…@db/games'
    """
    for pattern, instead in _SECRET_PATTERNS:
        text = pattern.sub(instead, text)
    return text


class PlainFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{record.msecs:03.0f}Z",
            "level": record.levelname.lower(),
            "of": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        return json.dumps({key: without_secrets(text) for key, text in fields.items()}, ensure_ascii=False)


class RepetitionFilter(logging.Filter):
    """A filter of repeated lines, so that a flood of errors does not fill the disk."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        kind, now = (record.name, str(record.msg)[:200]), time.monotonic()
        began, number = self._seen.pop(kind, (now, 0))
        if now - began > COUNTING_PERIOD_SECONDS:
            if (more := number - MAX_LINES_PER_KIND) > 0:
                record.msg, record.args = f"{record.getMessage()} (and {more} more before)", ()
            began, number = now, 0
        self._seen[kind] = (began, number + 1)
        if len(self._seen) > MAX_COUNTED_KINDS:
            del self._seen[next(iter(self._seen))]
        return number < MAX_LINES_PER_KIND


def log_to_stderr(*, structured: bool) -> None:
    """Log to stderr: warnings and errors of every library, and everything that the server logs."""
    handler, plain = logging.StreamHandler(sys.stderr), "%(asctime)s %(levelname)s %(message)s"
    handler.setFormatter(JsonFormatter() if structured else PlainFormatter(plain))
    handler.addFilter(RepetitionFilter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    log_thread_exceptions()
    logging.getLogger("fifteentwo").setLevel(logging.INFO if structured else logging.WARNING)


def log_loop_errors(loop: asyncio.AbstractEventLoop) -> None:
    """Log the errors of an event loop, in one line if file descriptors are exhausted."""

    def log_it(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, OSError) and "accept" in context.get("message", ""):
            logging.getLogger("fifteentwo.server").error("no connection can be taken: %s", error.strerror)
        else:
            logging.getLogger("asyncio").error(context.get("message", ""), exc_info=error)

    loop.set_exception_handler(log_it)
