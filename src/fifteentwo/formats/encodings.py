"""Decoding of files in an unknown encoding: UTF-8, UTF-16, Windows-1252, or Japanese Windows."""

import re
from contextlib import suppress

from fifteentwo.rules.errors import NotationError

UTF_8 = "utf-8"
UTF_16 = "utf-16"
WINDOWS = "windows-1252"
JAPANESE = "shift-jis"
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig", UTF_8),
    (b"\xff\xfe", "utf-16", UTF_16),
    (b"\xfe\xff", "utf-16", UTF_16),
)
_NOT_JAPANESE = re.compile("[\uff61-\uff9f]|[A-Za-z][^\x00-\x7f]")
"""Half-width signs, and a Japanese character within a Latin word, which was an accented letter."""
_SAMPLE_BYTES = 4096
"""Bytes from which UTF-16 without a byte order mark is detected."""


def decode(data: bytes | str) -> tuple[str, str]:
    """Return the text and its encoding.

    Raises:
        NotationError: 'not-decoded' with the index of the first wrong byte, or 'nul-character' with its line.
    """
    text, encoding = (data.removeprefix("\ufeff"), UTF_8) if isinstance(data, str) else _decode(data)
    if "\0" in text:
        raise NotationError("nul-character", "", 1 + text[: text.index("\0")].count("\n"))
    return text, encoding


def _decode(data: bytes) -> tuple[str, str]:
    for mark, codec, encoding in _BOMS:
        if data.startswith(mark):
            return _decode_strictly(data, codec), encoding
    if wide := _utf_16_codec(data):
        return _decode_strictly(data, wide), UTF_16
    with suppress(UnicodeDecodeError):
        return data.decode("utf-8"), UTF_8
    return _decode_windows(data)


def _utf_16_codec(data: bytes) -> str:
    """Return the codec of UTF-16 without a mark, in which every other byte of Latin text is 0, or ""."""
    sample = data[: _SAMPLE_BYTES - _SAMPLE_BYTES % 2]
    high, low = sample[::2].count(0), sample[1::2].count(0)
    for zeros, others, codec in ((low, high, "utf-16-le"), (high, low, "utf-16-be")):
        if zeros > len(sample) // 6 and not others:
            return codec
    return ""


def _decode_strictly(data: bytes, codec: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise NotationError("not-decoded", "", error.start) from None


def _decode_windows(data: bytes) -> tuple[str, str]:
    """Decode as Japanese if the bytes are whole characters, none within a Latin word, or as Western."""
    with suppress(UnicodeDecodeError):
        text = data.decode("cp932")
        if _NOT_JAPANESE.search(text) is None:
            return text, JAPANESE
    return _decode_strictly(data, "cp1252"), WINDOWS
