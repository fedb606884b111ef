"""Writing to standard output and standard error: control characters and missing signs are spelt out."""

import codecs
import errno
import json
import os
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

_CONTROL_PATTERN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control characters, marks of writing direction, invisible characters and single surrogates."""
_SIGN_LETTERS = str.maketrans(
    {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "–": "-", "—": "-", "−": "-", "“": '"', "”": '"', "’": "'"}
    | {"…": "...", "≥": ">=", "≤": "<=", "×": "x", "：": ": "}
)
"""Letters for signs that an encoding lacks."""
JSON_VERSION = 1
"""Version of the fields that all commands print with --json (docs/json.md)."""
MAX_ERROR_CHARACTERS = 400
"""Limit of a line on standard error; longer lines are cut."""


def visible(written: str) -> str:
    r"""Return a text with control and invisible characters as escapes. Line ends are not changed.

    >>> visible("Aiko\x1b[2J\u202e")
    'Aiko\\x1b[2J\\u202e'
    """
    return _CONTROL_PATTERN.sub(lambda sign: ascii(sign[0])[1:-1], written)


def _spell_in_letters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return lacking.translate(_SIGN_LETTERS).encode("ascii", "backslashreplace").decode("ascii"), error.end


codecs.register_error("fifteentwo.letters", _spell_in_letters)


def spell_missing_signs() -> None:
    """Let standard output and standard error write letters for signs that their encodings lack."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="fifteentwo.letters")


def can_show(written: str) -> bool:
    """Return whether the encoding of standard output has every character of a text."""
    try:
        written.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def write(line: str) -> None:
    """Write one or more lines to standard output."""
    print(visible(line))


def write_json(fields: Mapping[str, Any]) -> None:
    """Write fields as one line of JSON, after the version of the fields."""
    value = {"version": JSON_VERSION, **fields}
    written = json.dumps(value, ensure_ascii=False)
    if not can_show(written):
        written = json.dumps(value)
    # JSON has control characters only in strings, where an escape has the same meaning.
    print(_CONTROL_PATTERN.sub(lambda sign: json.dumps(sign[0])[1:-1], written))


def write_report(report: Mapping[str, Any], as_json: bool, in_words: Callable[[], str]) -> None:
    """Write a report as JSON, or the text that `in_words` returns."""
    if as_json:
        write_json(report)
    else:
        write(in_words())


def write_figures(figures: Mapping[str, Any], as_json: bool) -> None:
    """Write figures as JSON, or one figure on each line."""
    write_report(figures, as_json, lambda: "\n".join(f"{name}: {value}" for name, value in figures.items()))


def write_error(line: str) -> None:
    """Write one line to standard error, unless it is closed."""
    whole = " ".join(visible(re.sub("[\n\t]", " ", line)).split())
    short = whole if len(whole) <= MAX_ERROR_CHARACTERS else whole[: MAX_ERROR_CHARACTERS - 1] + "…"
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            print(short, file=sys.stderr, flush=True)


def refuse(sentence: str) -> None:
    write_error(f"fifteentwo: {sentence}")


def flush() -> None:
    """Write buffered output. Raise OSError if it cannot be written."""
    if sys.stdout is not None:
        sys.stdout.flush()


def drop_output() -> None:
    """Write buffered output or discard it, so that Python prints no error when it ends."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
            continue
        with suppress(OSError, ValueError, AttributeError), open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())


def standard_input() -> Any:
    """Return standard input as a stream of bytes. Raise OSError if it is closed."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "stdin")
    return sys.stdin.buffer
