"""Writing of tables in the format of `strategy.files`, and of other files, whole or not at all."""

import hashlib
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from fifteentwo.strategy.files import HEX, MAGIC


def join_file(magic: bytes, about: dict[str, Any], body: bytes) -> bytes:
    """Return a table's bytes, with both digests and blanks that align the body to a multiple of 16."""
    text = json.dumps({**about, "digest": hashlib.sha256(body).hexdigest()}, separators=(",", ":")).encode()
    text += b" " * (-(len(magic) + HEX + 8 + len(text)) % 16)
    text = f"{len(text):08x}".encode() + text
    return magic + hashlib.sha256(text).hexdigest().encode() + text + body


def write_tables(path: Path, about: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Write arrays with their provenance. An array is compressed if that saves a quarter of its bytes."""
    body = b""
    places = []
    packed = {}
    for name, whole in arrays.items():
        array = _compressed(whole)
        if array.nbytes <= 0.75 * whole.nbytes:
            packed[name] = [whole.dtype.str, list(whole.shape)]
        else:
            array = whole
        places.append([name, array.dtype.str, list(array.shape), len(body)])
        body += array.tobytes()
        body += bytes(-len(body) % 16)
    write_whole(path, join_file(MAGIC, {**about, "packed": packed, "arrays": places}, body))


def _compressed(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Return the bytes of an array compressed: first byte of every element first."""
    flat = np.ascontiguousarray(array).view(np.uint8).reshape(array.size, array.itemsize)
    return np.frombuffer(zlib.compress(np.ascontiguousarray(flat.T).tobytes(), 9), np.uint8)


def write_whole(path: Path, content: bytes) -> None:
    """Write a whole file or nothing."""
    with whole_file(path) as file:
        file.write(content)


def write_json(path: Path, figures: dict[str, Any]) -> None:
    """Write figures as JSON, whole or not at all."""
    write_whole(path, f"{json.dumps(figures, indent=1)}\n".encode())


def stored_rows(checkpoint: Path | None) -> list[dict[str, Any]]:
    """Return the rows of a checkpoint, which has a line of JSON for each; none without a checkpoint."""
    rows = []
    for line in checkpoint.read_text().splitlines() if checkpoint is not None and checkpoint.exists() else ():
        # A killed process leaves an incomplete line.
        with suppress(json.JSONDecodeError):
            rows.append(json.loads(line))
    return rows


def store_row(checkpoint: Path | None, row: dict[str, Any]) -> None:
    """Append a row to a checkpoint; do nothing without a checkpoint."""
    if checkpoint is not None:
        checkpoint.parent.mkdir(parents=True, exist_ok=True)
        with naming(checkpoint), checkpoint.open("a") as lines:
            lines.write("\n" + json.dumps(row))


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write, whole or not at all: after a crash the previous content is still there.

    Raise OSError as `naming` does.
    """
    unfinished = path.with_name(f"{path.name}.tmp")
    with naming(path):
        with unfinished.open("wb") as file:
            yield file
        unfinished.replace(path)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add the name of this file to any OSError: for a full disk the system names none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
