"""What both sides peg under the strategies that ship, and what the other side keeps and gives.

With six cards as `python -m lab solve plays` counts it from the book of the play and the table of discarding,
with five as `python -m lab solve five-card-chances` does from a solution. Own points come with the other's:
by the own ranks kept, and by the class of the other's hand (what it makes before a starter, and whether it
has ten-cards), so that who pegs much and who shows much go together as they do.

`kept` is how many cards a hand keeps: 4 with six cards, 3 with five. Shapes are those of six cards; with five
there are 6,175 classes of ranks dealt and 455 of ranks kept.
"""

import zlib
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.discards import ways
from fifteentwo.fast.hands import number_by_digits
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.files import DamagedTable, tables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FILE, FIVE_CARD_FILE = "play_points.table", "five_card_points.table"
SPAN = 24
"""Points of a side in one play, the last place for all above."""
NEAR = 12
"""Who pegs so many points first is known for so many, or fewer, of each side."""
SUM, ALWAYS = 512, 255
"""What the chances of a class add up to in the file, and what stands there for how often, if it is always."""


MEANS = 4096
"""Mean points are in parts of this."""


class PlayPoints(NamedTuple):
    """The play of one role's kept hands."""

    joint: npt.NDArray[np.uint16]
    """(1820, classes, SPAN, SPAN) own kept hand, class of the other's, own points, other's; sums to SUM."""
    given: npt.NDArray[np.int8]
    """(1820, 13, SPAN, SPAN) what a card of each rank that one gives away adds, for it is not against one;
    in parts of SUM. Nothing with five cards: `mean_points` says it."""
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

    dealt: Ints
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
def hand_classes(kept: int = 4) -> npt.NDArray[np.uint8]:
    """(1820,) the class of each four ranks the other side may have kept."""
    return _array("classes", kept)


@cache
def play_points(role: Role, kept: int = 4) -> PlayPoints:
    """The play of this role's kept hands; raises DamagedTable. 50 ms once."""
    joint, first = (_array(f"{role}_{name}", kept) for name in ("joint", "first"))
    if kept == 4:
        return PlayPoints(joint, _array(f"{role}_by_discard"), first)
    return PlayPoints(joint, np.broadcast_to(np.int8(0), (len(joint), 13, SPAN, SPAN)), first)


@cache
def mean_points(role: Role) -> Floats:
    """(455, 91, 2) mean points of own and other side with five cards, by the ranks kept and discarded."""
    means: Floats = _array(f"{role}_means", 3) / MEANS
    return means


@cache
def rest_of_play() -> RestOfPlay:
    """The rest of the play after so many cards; raises DamagedTable."""
    return RestOfPlay(_array("rest_joint").astype(float), _array("rest_first").astype(float))


@cache
def dealt_ranks(kept: int = 4) -> Ints:
    """(18395, 6) every six ranks a hand can have, ascending; with five cards (6175, 5)."""
    size = kept + 2
    every = [ranks for ranks in combinations_with_replacement(range(13), size) if _fits(ranks)]
    return np.array(every, np.int64)


def _fits(ranks: tuple[int, ...]) -> bool:
    """Whether a deck has these ascending ranks."""
    return all(ranks[at] != ranks[at + 4] for at in range(len(ranks) - 4))


@cache
def keeping(role: Role, kept: int = 4) -> Keeping:
    """How this role discards; raises DamagedTable."""
    each = _array(f"{role}_ways", kept).astype(np.int64)
    option, weight = (
        _array(f"{role}_{name}", kept).astype(np.int64) for name in ("options", "probabilities")
    )
    dealt = np.repeat(np.arange(len(each)), each)
    # The ways of one six follow each other and their parts of 255 need not add up.
    total = np.bincount(dealt, weight, minlength=len(each))
    ranks = dealt_ranks(kept)[dealt]
    stays, given = (np.take_along_axis(ranks, places[option], 1) for places in reversed(ways(kept + 2, 2)))
    return Keeping(
        dealt,
        _number(stays),
        _number(given),
        weight / total[dealt],
        _array(f"{role}_flush", kept) / ALWAYS,
    )


@cache
def provenance(kept: int = 4) -> dict[str, Any]:
    """What the table was made from: digests of both strategies, version."""
    return tables(_file(kept)).about


def _file(kept: int) -> str:
    return FILE if kept == 4 else FIVE_CARD_FILE


def _number(ranks: Ints) -> Ints:
    """The place of ascending ranks (n, size) among all hands of that size."""
    size = ranks.shape[1]
    numbers: Ints = number_by_digits(size)[ranks @ 13 ** np.arange(size - 1, -1, -1)]
    return numbers


def compressed(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """An array as bytes, plane by plane, compressed."""
    flat = np.ascontiguousarray(array).view(np.uint8).reshape(array.size, array.itemsize)
    return np.frombuffer(zlib.compress(np.ascontiguousarray(flat.T).tobytes(), 9), np.uint8)


def _array(name: str, kept: int = 4) -> npt.NDArray[Any]:
    """One array of a file, unpacked; read-only."""
    try:
        dtype, shape = tables(_file(kept)).about["packed"][name]
        data = zlib.decompress(tables(_file(kept)).arrays[name].tobytes())
    except (KeyError, zlib.error):
        raise DamagedTable(_file(kept), f"it holds no {name}") from None
    size = np.dtype(dtype).itemsize
    planes = np.frombuffer(data, np.uint8).reshape(size, -1)
    array: npt.NDArray[Any] = np.ascontiguousarray(planes.T).view(dtype).reshape(shape)
    array.setflags(write=False)
    return array
