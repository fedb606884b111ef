"""Solved tables on disk: named arrays, memory-mapped, with digests of every stored byte.

A table is: its magic; the SHA-256, in hex, of the next two parts; the header's length in 8 hex digits; the
header, JSON with the SHA-256 of the body as `digest`; the body. The first digest therefore covers the file,
and `digest` names the contents for other files. Arrays that the header lists as `packed` are compressed by
zlib, first byte of every element first. SHA256SUMS has the digests of stored JSON.
"""

import hashlib
import json
import mmap
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import resources
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fifteentwo.rules.errors import FifteenTwoError

if TYPE_CHECKING:
    import numpy.typing as npt

MAGIC = b"FIFTEENTWO TABLES 1\n"
"""First bytes of every table."""
SUMS = "SHA256SUMS"
"""File with the digests of files that cannot contain their own, in the format of `sha256sum --check`."""
HEX = 64
"""Length of a digest in hex digits."""


class DamagedTable(FifteenTwoError, ValueError):
    """Error: a solved table is missing, incomplete, or differs from its digest; `.name` is the file."""

    code = "damaged-table"

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name}: {why}")
        self.name = name
        self.why = why

    # The message says more than the sentence of the command line.
    __str__ = Exception.__str__


class SolvedTables(NamedTuple):
    """The content of one table file."""

    about: dict[str, Any]
    """The header: parameters, seed, code version, digest."""
    arrays: "Mapping[str, npt.NDArray[Any]]"
    """Read-only arrays by name: views of the mapped file, or unpacked when they are first read."""


class _Arrays(Mapping[str, "npt.NDArray[Any]"]):
    def __init__(
        self, stored: "dict[str, npt.NDArray[Any]]", packed: dict[str, tuple[str, tuple[int, ...]]]
    ) -> None:
        self._stored = stored
        self._packed = packed
        self._ready: dict[str, npt.NDArray[Any]] = {}

    def __getitem__(self, name: str) -> "npt.NDArray[Any]":
        if name not in self._ready:
            array = self._stored[name]
            self._ready[name] = _unpack(array, *self._packed[name]) if name in self._packed else array
        return self._ready[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._stored)

    def __len__(self) -> int:
        return len(self._stored)


def _unpack(packed: "npt.NDArray[Any]", dtype: str, shape: tuple[int, ...]) -> "npt.NDArray[Any]":
    """Return an array that `lab.files.write_tables` compressed."""
    import numpy as np

    size = np.dtype(dtype).itemsize
    # Without the size of the result, zlib takes half as long again.
    data = zlib.decompress(packed.tobytes(), bufsize=size * prod(shape))
    planes = np.frombuffer(data, np.uint8).reshape(size, -1)
    elements = planes
    if size > 1:
        elements = np.empty((planes.shape[1], size), np.uint8)
        for place, plane in enumerate(planes):
            elements[:, place] = plane
    array: npt.NDArray[Any] = elements.view(dtype).reshape(shape)
    array.setflags(write=False)
    return array


def data_file(name: str) -> Path:
    return Path(str(resources.files("fifteentwo"))) / "data" / name


def data_bytes(name: str) -> bytes:
    """Return the content of a stored file that is not a table; DamagedTable unless its digest is right."""
    path = data_file(name)
    try:
        held, sums = path.read_bytes(), path.with_name(SUMS).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise DamagedTable(name, "it cannot be read") from error
    if f"{hashlib.sha256(held).hexdigest()}  {name}" not in sums.splitlines():
        raise DamagedTable(name, f"its contents are not what {SUMS} says")
    return held


@cache
def tables_digest() -> str:
    """Return a digest of all files in `data`, from the digests in them and in SHA256SUMS."""
    whole = hashlib.sha256()
    for path in sorted(data_file(SUMS).parent.glob("*")):
        if path.name == SUMS or path.suffix in (".table", ".book"):
            with suppress(OSError), path.open("rb") as file:
                whole.update(file.read() if path.name == SUMS else file.readline() + file.read(HEX))
    return whole.hexdigest()[:12]


def split_file(name: str, data: bytes | mmap.mmap, magic: bytes) -> tuple[dict[str, Any], memoryview]:
    """Return the header and the body of a table with this magic; DamagedTable unless both digests hold."""
    view = memoryview(data)
    if bytes(view[: len(magic)]) != magic:
        raise DamagedTable(name, "this is no table of ours")
    stated, rest = bytes(view[len(magic) : len(magic) + HEX]), view[len(magic) + HEX :]
    try:
        end = 8 + int(bytes(rest[:8]), 16)
    except ValueError:
        raise DamagedTable(name, "its header cannot be read") from None
    if hashlib.sha256(rest[:end]).hexdigest().encode() != stated:
        raise DamagedTable(name, "its header is not what its digest says")
    header = json.loads(bytes(rest[8:end]))
    body = rest[end:]
    if hashlib.sha256(body).hexdigest() != header["digest"]:
        raise DamagedTable(name, "its contents are not what its digest says")
    return header, body


def map_file(path: Path) -> mmap.mmap:
    """Return the bytes of a file as a memory map; raise DamagedTable if it cannot be read."""
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise DamagedTable(path.name, "it cannot be read") from error


def read_tables(path: Path) -> SolvedTables:
    """Return the header and arrays of a table file; raise DamagedTable. About 3 ms a megabyte."""
    # Imported here, because the server reads other files with this module and starts without NumPy.
    import numpy as np

    header, body = split_file(path.name, map_file(path), MAGIC)
    arrays = {
        name: np.frombuffer(body, dtype=dtype, count=int(np.prod(shape)), offset=offset).reshape(shape)
        for name, dtype, shape, offset in header["arrays"]
    }
    return SolvedTables(header, _Arrays(arrays, dict(header.get("packed", {}))))


@cache
def tables(name: str) -> SolvedTables:
    """Return the header and arrays of a table file of the package; each file is read once."""
    return read_tables(data_file(name))
