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
from fifteentwo.analysis.pegging.beliefs import OpponentTypes, hand_cards
from fifteentwo.analysis.pegging.look_ahead_kernels import (
    BELIEVED,
    CHANCE,
    FOUND_WIDTH,
    FREE,
    HAND,
    MADE,
    OTHER,
    OWN,
    PART,
    PLAYED_HAND,
    POINTS,
    SCORES_SIZE,
    SEARCH,
    Tables,
)
from fifteentwo.analysis.pegging.look_ahead_search import CardValues, EndValues, Positions, in_order
from fifteentwo.analysis.pegging.opponents import CLASSES, MODELS, NOTICE_PROBABILITY, card_comparison
from fifteentwo.background_compilation import stored_kernels
from fifteentwo.fast.book_policy import BookArrays
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import SIZES, hands, place, up
from fifteentwo.fast.layout import as_records
from fifteentwo.fast.play import HELD, WIDTH

KERNELS = look_ahead_kernels.__name__
SEARCHES_BEFORE_LOADING = 12
"""Number of searches by arrays after which a process loads the kernels; they take as long."""

_search_numbers = count(1)
_memory_by_thread = threading.local()


def search(
    side: int, root: Positions, types: OpponentTypes, end_values: Sequence[EndValues], *, parts: bool = False
) -> CardValues:
    """Return what `look_ahead_search.search` returns, computed by kernels if they are loaded."""
    memory = _run(side, root, types, end_values, parts=parts)
    if memory is None:
        return look_ahead_search.search(side, root, types, end_values, parts=parts)
    found = memory.by_rank
    ranks = np.flatnonzero(found[:, BELIEVED]).tolist()
    places = [CHANCE if one.target else POINTS for one in end_values]
    return CardValues(
        [{rank: float(found[rank, place]) for rank in ranks} for place in places],
        {rank: tuple(found[rank, PART:].tolist()) for rank in ranks if parts},
    )


def expected(side: int, root: Positions, types: OpponentTypes, end_values: EndValues) -> float:
    """Return what `look_ahead_search.expected` returns, computed by kernels if they are loaded."""
    memory = _run(side, root, types, [end_values], parts=False)
    if memory is None:
        return look_ahead_search.expected(side, root, types, end_values)
    return float(memory.found[0, CHANCE if end_values.target else POINTS])


def load() -> None:
    """Load the compiled search kernels if they are stored."""
    if (module := stored_kernels(KERNELS, __name__)) is not None:
        _run_empty_search(module)


def prepare() -> None:
    """Load the search kernels; compile them first if they are not stored."""
    _run_empty_search(compiled(KERNELS))


def _run_empty_search(module: ModuleType) -> None:
    """Search no position, so that numba loads or compiles the kernels."""
    memory = _thread_memory()
    memory.rows[0], memory.has_points, memory.target = 0, False, 0
    none, top = np.zeros(0, np.int64), np.zeros(0, np.uint8)
    # numba would compile again if these arrays had other types than those of a book.
    top.setflags(write=False)
    module.search(memory, _kernel_tables(), BookArrays(none, none, np.zeros(0, np.uint8), none, top))


def _run(
    side: int, root: Positions, types: OpponentTypes, end_values: Sequence[EndValues], *, parts: bool
) -> Any:
    """Search with kernels and return their memory, or None if they are not loaded or not suitable."""
    asked = [one.target > 0 for one in end_values]
    if len(end_values[-1].by_score) > SCORES_SIZE or asked not in ([False], [True], [False, True]):
        return None
    if "numba" not in sys.modules and next(_search_numbers) <= SEARCHES_BEFORE_LOADING:
        return None
    module = stored_kernels(KERNELS, __name__)
    if module is None:
        return None
    memory = _thread_memory()
    memory.side, memory.has_points, memory.target = side, not asked[0], end_values[-1].target
    memory.width = FOUND_WIDTH if parts else PART
    memory.types, memory.noise, memory.starter = root.belief.shape[1], types.noise, types.starter
    memory.kinds[: len(types.kinds)] = types.kinds
    if asked[-1]:
        _write_end_values(memory, end_values[-1])
    _write_position(memory, root)
    module.search(memory, _kernel_tables(), types.book)
    return memory


def _write_end_values(memory: Any, end_values: EndValues) -> None:
    size = len(end_values.by_score)
    memory.show, memory.dealer = end_values.own_show, end_values.dealer
    memory.counted[:size, :size] = end_values.by_score
    memory.shows, memory.suited = end_values.other_show, end_values.suit_probability


def _write_position(memory: Any, root: Positions) -> None:
    """Write the position that a search starts from."""
    side, public, row = int(memory.side), root.plays.public[0], memory.rows[0]
    own, other = int(public[HELD + side]), int(public[HELD + 1 - side])
    played = sorted(root.other_played[0, : 4 - other].tolist())
    row[:] = 0
    row[:WIDTH] = public
    row[OWN], row[OTHER] = root.own_score[0], root.other_score[0]
    row[PLAYED_HAND] = place(len(played))[tuple(played)] if played else 0
    row[FREE] = root.belief[0].size
    row[MADE:HAND], row[HAND:] = root.net_points[0], root.own_hand[0]
    memory.held, memory.lead = (own, other), root.own_score[0] - root.other_score[0]
    memory.pile[: root.plays.pile.shape[1]] = root.plays.pile[0]
    memory.beliefs[: row[FREE]] = root.belief[0].ravel()
    memory.found[0, BELIEVED] = in_order(root.belief, 2)[0]
    memory.by_rank[:] = 0.0


def _thread_memory() -> Any:
    """Return the record of type SEARCH that this thread uses for all its searches."""
    if not hasattr(_memory_by_thread, "search"):
        _memory_by_thread.search = np.zeros(1, SEARCH).view(np.recarray)[0]
    return _memory_by_thread.search


@cache
def _kernel_tables() -> Any:
    cards, rests = (np.zeros((5, SIZES[4], 4), np.int64) for _ in range(2))
    for size in range(1, 5):
        cards[size, : SIZES[size], :size] = hands(size)
        rests[size, : SIZES[size], :size] = hand_cards(size)[1]
    not_preferred = np.zeros((len(MODELS), 4, CLASSES, CLASSES))
    weight = np.zeros((len(MODELS), 4, CLASSES))
    for model in NOTICE_PROBABILITY:
        not_preferred[model], weight[model] = card_comparison(model)
    preferred = in_order(np.moveaxis(weight[..., None] * not_preferred, 1, -1))
    return as_records(Tables(cards, rests, up(), not_preferred, weight, preferred))[0]
