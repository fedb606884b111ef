"""Writing to a terminal, a pipe or a file: nothing that steers a terminal, nothing that it cannot show."""

import codecs
import errno
import json
import os
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

_STEERING = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control characters, marks that turn the direction of writing, what cannot be seen, halves of characters."""
_LETTERS = str.maketrans(
    {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "–": "-", "—": "-", "−": "-", "“": '"', "”": '"', "’": "'"}
    | {"…": "...", "≥": ">=", "≤": "<=", "×": "x", "：": ": "}
)
"""What stands for a sign on a console that has not got it."""
LONGEST = 400
"""Characters of a line on the error stream."""


def visible(written: str) -> str:
    r"""A text with everything that would steer a terminal, or hide, spelt out; line ends stay.

    >>> visible("Aiko\x1b[2J\u202e")
    'Aiko\\x1b[2J\\u202e'
    """
    return _STEERING.sub(lambda sign: ascii(sign[0])[1:-1], written)


def _in_letters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return lacking.translate(_LETTERS).encode("ascii", "backslashreplace").decode("ascii"), error.end


codecs.register_error("fifteentwo.letters", _in_letters)


def make_ready() -> None:
    """Make the output streams write a letter for a sign that they lack."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="fifteentwo.letters")


def has_signs(written: str) -> bool:
    """Return whether standard output can write a text as it is."""
    try:
        written.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def write(line: str) -> None:
    """Write a line, or several, to standard output."""
    print(visible(line))


def write_json(value: object) -> None:
    """Write a value as one line of JSON."""
    written = json.dumps(value, ensure_ascii=False)
    if not has_signs(written):
        written = json.dumps(value)
    # Outside of strings JSON has none of these signs.
    print(_STEERING.sub(lambda sign: json.dumps(sign[0])[1:-1], written))


def write_report(report: object, as_json: bool, in_words: Callable[[], str]) -> None:
    """Write a report as JSON, or in words."""
    if as_json:
        write_json(report)
    else:
        write(in_words())


def write_figures(figures: Mapping[str, Any], as_json: bool) -> None:
    """Write figures as JSON, or each on a line of its own."""
    write_report(figures, as_json, lambda: "\n".join(f"{name}: {value}" for name, value in figures.items()))


def write_error(line: str) -> None:
    """Write one line to the error stream; do nothing where it is closed."""
    whole = " ".join(visible(re.sub("[\n\t]", " ", line)).split())
    short = whole if len(whole) <= LONGEST else whole[: LONGEST - 1] + "…"
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            print(short, file=sys.stderr, flush=True)


def refuse(sentence: str) -> None:
    """Write why the input was refused."""
    write_error(f"fifteentwo: {sentence}")


def finish() -> None:
    """Write what is still buffered; OSError where it cannot be."""
    if sys.stdout is not None:
        sys.stdout.flush()


def drop_output() -> None:
    """Write what is still buffered, or drop it: Python does not try again at the end of the program."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
            continue
        with suppress(OSError, ValueError, AttributeError), open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())


def standard_input() -> Any:
    """Return standard input as a stream of bytes; OSError where it is closed."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "stdin")
    return sys.stdin.buffer
