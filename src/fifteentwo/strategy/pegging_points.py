"""What both sides peg under the strategies that ship, and what the other side keeps and gives.

For two with six cards, as `fifteentwo solve plays` counts it from the book of the play and the table of
discarding. Own points come with the other side's: by the own four ranks kept, and by the class of the
other's hand (what it makes before a starter, and whether it has ten-cards), so that who pegs much and who
shows much go together as they do.
"""

import zlib
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.discards import ways
from fifteentwo.fast.hands import number_by_digits
from fifteentwo.strategy.discards import FILE as DISCARDS
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.files import DamagedTable, data_file, read_tables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FILE = "play_points.table"
SPAN = 24
"""Points of a side in one play, the last place for all above."""
NEAR = 12
"""Who pegs so many points first is known for so many, or fewer, of each side."""
SUM, ALWAYS = 512, 255
"""What the chances of a class add up to in the file, and what stands there for how often, if it is always."""


class PlayPoints(NamedTuple):
    """The play of one role's kept hands."""

    joint: npt.NDArray[np.uint16]
    """(1820, classes, SPAN, SPAN) own kept hand, class of the other's, own points, other's; sums to SUM."""
    given: npt.NDArray[np.int8]
    """(1820, 13, SPAN, SPAN) what a card of each rank that one gives away adds, for it is not against one;
    in parts of SUM."""
    first: npt.NDArray[np.uint8]
    """(1820, NEAR, NEAR) [x - 1, y - 1]: of ALWAYS times that both get there, how often own side first."""


class RestOfPlay(NamedTuple):
    """Points still to be pegged after so many cards played, 0 to 8, over all hands."""

    joint: Floats
    """(9, SPAN, SPAN) chances of pone's and dealer's points."""
    pone_first: Floats
    """(9, NEAR, NEAR) as `PlayPoints.first`, for the pone."""


class Keeping(NamedTuple):
    """How one role discards each class of six ranks, suits averaged: a row for each way it takes."""

    six: Ints
    """(n,) which six ranks, 0–18,394."""
    kept: Ints
    """(n,) the four ranks kept, 0–1,819."""
    given: Ints
    """(n,) the two ranks discarded, 0–90."""
    frequency: Floats
    """(n,) how often; sums to 1 for each six."""
    flush: Floats
    """(1820,) how often kept ranks are all of one suit."""


@cache
def hand_classes() -> npt.NDArray[np.uint8]:
    """(1820,) the class of each four ranks the other side may have kept."""
    return _array("classes")


@cache
def play_points(role: Role) -> PlayPoints:
    """The play of this role's kept hands; raises DamagedTable. 50 ms once."""
    return PlayPoints(*(_array(f"{role}_{name}") for name in PlayPoints._fields))


@cache
def rest_of_play() -> RestOfPlay:
    """The rest of the play after so many cards; raises DamagedTable."""
    return RestOfPlay(_array("rest_joint").astype(float), _array("rest_first").astype(float))


@cache
def six_ranks() -> Ints:
    """(18395, 6) every six ranks a hand can have, ascending."""
    keys = read_tables(data_file(DISCARDS)).arrays["ranks"]
    return np.stack([keys // 13**place % 13 for place in range(5, -1, -1)], axis=1)


@cache
def keeping(role: Role) -> Keeping:
    """How this role discards; raises DamagedTable."""
    each = _array(f"{role}_ways").astype(np.int64)
    option, weight = (_array(f"{role}_{name}").astype(np.int64) for name in ("options", "shares"))
    six = np.repeat(np.arange(len(each)), each)
    # The ways of one six follow each other and their parts of 255 need not add up.
    total = np.bincount(six, weight, minlength=len(each))
    ranks = six_ranks()[six]
    kept, given = (np.take_along_axis(ranks, places[option], axis=1) for places in reversed(ways(6, 2)))
    return Keeping(
        six,
        _number(kept),
        _number(given),
        weight / total[six],
        _array(f"{role}_flush") / ALWAYS,
    )


@cache
def provenance() -> dict[str, Any]:
    """What the table was made from: digests of both strategies, version."""
    return read_tables(data_file(FILE)).about


def _number(ranks: Ints) -> Ints:
    """The place of ascending ranks (n, size) among all hands of that size."""
    size = ranks.shape[1]
    numbers: Ints = number_by_digits(size)[ranks @ 13 ** np.arange(size - 1, -1, -1)]
    return numbers


def compressed(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """An array as bytes, plane by plane, compressed."""
    flat = np.ascontiguousarray(array).view(np.uint8).reshape(array.size, array.itemsize)
    return np.frombuffer(zlib.compress(np.ascontiguousarray(flat.T).tobytes(), 9), np.uint8)


def _array(name: str) -> npt.NDArray[Any]:
    """One array of the file, unpacked; read-only."""
    tables = read_tables(data_file(FILE))
    try:
        dtype, shape = tables.about["packed"][name]
        data = zlib.decompress(tables.arrays[name].tobytes())
    except (KeyError, zlib.error):
        raise DamagedTable(FILE, f"it holds no {name}") from None
    size = np.dtype(dtype).itemsize
    planes = np.frombuffer(data, np.uint8).reshape(size, -1)
    array: npt.NDArray[Any] = np.ascontiguousarray(planes.T).view(dtype).reshape(shape)
    array.setflags(write=False)
    return array
