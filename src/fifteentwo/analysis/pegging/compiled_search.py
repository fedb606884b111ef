"""The look-ahead search by compiled kernels if they are stored, otherwise by arrays (`look_ahead_search`).

Kernels and arrays find the same values bit for bit. A card takes 4 ms with kernels and 31 with arrays, but
loading numba and the kernels takes 0.4 s. A process that searches only a few cards therefore does not load
them.
"""

import sys
import threading
from collections.abc import Sequence
from functools import cache
from itertools import count
from types import ModuleType
from typing import Any

import numpy as np

from fifteentwo.analysis.pegging import look_ahead_kernels, look_ahead_search
from fifteentwo.analysis.pegging.beliefs import OpponentTypes, members
from fifteentwo.analysis.pegging.look_ahead_kernels import (
    BELIEVED,
    CHANCE,
    COUNTED,
    FOUND_WIDTH,
    FREE,
    HAND,
    MADE,
    OTHER,
    OWN,
    PART,
    PLAYED_HAND,
    POINTS,
    SEARCH,
    Tables,
)
from fifteentwo.analysis.pegging.look_ahead_search import (
    Outlooks,
    Searched,
    Stakes,
    in_order,
)
from fifteentwo.analysis.pegging.opponents import CLASSES, MODELS, NOTICED, notice
from fifteentwo.background_compilation import stored_kernels
from fifteentwo.fast.book_policy import BookArrays
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import SIZES, hands, place, up
from fifteentwo.fast.layout import as_records
from fifteentwo.fast.play import HELD, WIDTH

KERNELS = look_ahead_kernels.__name__
SEARCHES_BEFORE_LOADING = 12
"""Searches by arrays that take as long as loading the kernels."""

_searches = count(1)
_memories = threading.local()


def search(
    side: int, root: Outlooks, types: OpponentTypes, stakes: Sequence[Stakes], *, parts: bool = False
) -> Searched:
    """Return `look_ahead_search.search`."""
    memory = _run(side, root, types, stakes, parts=parts)
    if memory is None:
        return look_ahead_search.search(side, root, types, stakes, parts=parts)
    found = memory.by_rank
    ranks = np.flatnonzero(found[:, BELIEVED]).tolist()
    places = [CHANCE if one.target else POINTS for one in stakes]
    return Searched(
        [{rank: float(found[rank, place]) for rank in ranks} for place in places],
        {rank: tuple(found[rank, PART:].tolist()) for rank in ranks if parts},
    )


def expected(side: int, root: Outlooks, types: OpponentTypes, stakes: Stakes) -> float:
    """Return `look_ahead_search.expected`."""
    memory = _run(side, root, types, [stakes], parts=False)
    if memory is None:
        return look_ahead_search.expected(side, root, types, stakes)
    return float(memory.found[0, CHANCE if stakes.target else POINTS])


def load() -> None:
    """Load the kernels if they are stored."""
    if (module := stored_kernels(KERNELS, __name__)) is not None:
        _search_nothing(module)


def prepare() -> None:
    """Load or compile the kernels."""
    _search_nothing(compiled(KERNELS))


def _search_nothing(module: ModuleType) -> None:
    memory = _memory()
    memory.rows[0], memory.has_points, memory.target = 0, False, 0
    none, top = np.zeros(0, np.int64), np.zeros(0, np.uint8)
    # numba would compile again if these arrays had other types than those of a book.
    top.setflags(write=False)
    module.search(memory, _tables(), BookArrays(none, none, np.zeros(0, np.uint8), none, top))


def _run(side: int, root: Outlooks, types: OpponentTypes, stakes: Sequence[Stakes], *, parts: bool) -> Any:
    """Search with kernels and return their memory; None without kernels, or if they lack these stakes."""
    asked = [one.target > 0 for one in stakes]
    if len(stakes[-1].counted) > COUNTED or asked not in ([False], [True], [False, True]):
        return None
    if "numba" not in sys.modules and next(_searches) <= SEARCHES_BEFORE_LOADING:
        return None
    module = stored_kernels(KERNELS, __name__)
    if module is None:
        return None
    memory = _memory()
    memory.side, memory.has_points, memory.target = side, not asked[0], stakes[-1].target
    memory.width = FOUND_WIDTH if parts else PART
    memory.types, memory.noise, memory.starter = root.belief.shape[1], types.noise, types.starter
    memory.kinds[: len(types.kinds)] = types.kinds
    if asked[-1]:
        _write_stakes(memory, stakes[-1])
    _write_root(memory, root)
    module.search(memory, _tables(), types.book)
    return memory


def _write_stakes(memory: Any, stakes: Stakes) -> None:
    size = len(stakes.counted)
    memory.show, memory.dealer = stakes.show, stakes.dealer
    memory.counted[:size, :size] = stakes.counted
    memory.shows, memory.suited = stakes.shows, stakes.suited


def _write_root(memory: Any, root: Outlooks) -> None:
    side, public, row = int(memory.side), root.plays.public[0], memory.rows[0]
    own, other = int(public[HELD + side]), int(public[HELD + 1 - side])
    played = sorted(root.theirs[0, : 4 - other].tolist())
    row[:] = 0
    row[:WIDTH] = public
    row[OWN], row[OTHER] = root.own[0], root.other[0]
    row[PLAYED_HAND] = place(len(played))[tuple(played)] if played else 0
    row[FREE] = root.belief[0].size
    row[MADE:HAND], row[HAND:] = root.made[0], root.hand[0]
    memory.held, memory.lead = (own, other), root.own[0] - root.other[0]
    memory.pile[: root.plays.pile.shape[1]] = root.plays.pile[0]
    memory.beliefs[: row[FREE]] = root.belief[0].ravel()
    memory.found[0, BELIEVED] = in_order(root.belief, 2)[0]
    memory.by_rank[:] = 0.0


def _memory() -> Any:
    if not hasattr(_memories, "search"):
        _memories.search = np.zeros(1, SEARCH).view(np.recarray)[0]
    return _memories.search


@cache
def _tables() -> Any:
    cards, rests = (np.zeros((5, SIZES[4], 4), np.int64) for _ in range(2))
    for size in range(1, 5):
        cards[size, : SIZES[size], :size] = hands(size)
        rests[size, : SIZES[size], :size] = members(size)[1]
    not_preferred = np.zeros((len(MODELS), 4, CLASSES, CLASSES))
    weight = np.zeros((len(MODELS), 4, CLASSES))
    for model in NOTICED:
        not_preferred[model], weight[model] = notice(model)
    preferred = in_order(np.moveaxis(weight[..., None] * not_preferred, 1, -1))
    return as_records(Tables(cards, rests, up(), not_preferred, weight, preferred))[0]
