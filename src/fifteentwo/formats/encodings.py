"""The text of a file whose encoding is not written down: UTF-8, UTF-16, Windows-1252 or Japanese Windows."""

import re
from contextlib import suppress

from fifteentwo.rules.errors import NotationError

UTF_8, UTF_16, WINDOWS, JAPANESE = "utf-8", "utf-16", "windows-1252", "shift-jis"
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig", UTF_8),
    (b"\xff\xfe", "utf-16", UTF_16),
    (b"\xfe\xff", "utf-16", UTF_16),
)
_NOT_JAPANESE = re.compile("[\uff61-\uff9f]|[A-Za-z][^\x00-\x7f]")
"""Signs of half width, and a Japanese character within a Latin word: an accented letter was meant."""
_SAMPLE = 4096
"""Bytes by which UTF-16 without a mark is known."""


def decoded(data: bytes | str) -> tuple[str, str]:
    """Return the text and the encoding it was in; NotationError where it is no text.

    Text is returned as it is. Code 'not-decoded' with the place of the first byte that is wrong, from 0, or
    'nul-character' with its line.
    """
    text, encoding = (data.removeprefix("\ufeff"), UTF_8) if isinstance(data, str) else _decoded(data)
    if "\0" in text:
        raise NotationError("nul-character", "", 1 + text[: text.index("\0")].count("\n"))
    return text, encoding


def _decoded(data: bytes) -> tuple[str, str]:
    for mark, codec, encoding in _BOMS:
        if data.startswith(mark):
            return _strictly(data, codec), encoding
    if wide := _wide(data):
        return _strictly(data, wide), UTF_16
    with suppress(UnicodeDecodeError):
        return data.decode("utf-8"), UTF_8
    return _of_windows(data)


def _wide(data: bytes) -> str:
    """Return the codec of UTF-16 without a mark: most characters are Latin, so every other byte is 0."""
    sample = data[: _SAMPLE - _SAMPLE % 2]
    high, low = sample[::2].count(0), sample[1::2].count(0)
    for zeros, others, codec in ((low, high, "utf-16-le"), (high, low, "utf-16-be")):
        if zeros > len(sample) // 6 and not others:
            return codec
    return ""


def _strictly(data: bytes, codec: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise NotationError("not-decoded", "", error.start) from None


def _of_windows(data: bytes) -> tuple[str, str]:
    """Japanese where the bytes are whole characters, none of them within a Latin word, else Western."""
    with suppress(UnicodeDecodeError):
        text = data.decode("cp932")
        if _NOT_JAPANESE.search(text) is None:
            return text, JAPANESE
    return _strictly(data, "cp1252"), WINDOWS
