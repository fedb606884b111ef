"""Pegging points of both sides under the stored strategies, and what the other side keeps and discards.

With six cards `python -m lab solve plays` counts them from the pegging book and the table of discards, with
five cards `python -m lab solve five-card-chances` from a solution. Own and other's points are joint: by the
own ranks kept, and by the class of the other's hand (its points without a starter, and whether it has
ten-cards), because pegging and show of a hand are related.

`kept` is the number of cards that a hand keeps: 4 with six cards, 3 with five. Documented shapes are for six
cards; with five there are 6,175 classes of dealt ranks and 455 of kept ranks.
"""

from functools import cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.discards import ways
from fifteentwo.fast.hands import hand_numbers
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.files import DamagedTable, tables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FILE, FIVE_CARD_FILE = "play_points.table", "five_card_points.table"
"""Files of pegging points, six-card and five-card."""
SPAN = 24
"""Size of an axis of points that a side pegs in one deal; the last element includes all higher points."""
NEAR = 12
"""Largest number of points for which the order of reaching it is stored."""
SUM, ALWAYS = 512, 255
"""Stored values: the sum of the probabilities of a class of hands, and a probability of 1."""
MEANS = 4096
"""Stored units of one mean point."""


class PlayPoints(NamedTuple):
    """Pegging points of both sides, by the hand that one role keeps."""

    joint: npt.NDArray[np.uint16]
    """(1820, classes, SPAN, SPAN) probabilities in units of 1 / SUM: [ranks kept, class of the other's
    hand, own points, other's points]."""
    given: npt.NDArray[np.int8]
    """(1820, 13, SPAN, SPAN) change of these probabilities if a card of this rank is discarded, which the
    other side cannot hold. Zero with five cards, whose `mean_points` include it."""
    first: npt.NDArray[np.uint8]
    """(1820, NEAR, NEAR) [ranks kept, x - 1, y - 1]: ALWAYS times the probability that the own side pegs x
    points before the other side pegs y."""


class RestOfPlay(NamedTuple):
    """Points still to be pegged after 0 to 8 cards have been played, averaged over all hands."""

    joint: Floats
    """(9, SPAN, SPAN) probabilities: [cards played, pone's points, dealer's points]."""
    pone_first: Floats
    """(9, NEAR, NEAR) [cards played, x - 1, y - 1]: probability that the pone pegs x points before the
    dealer pegs y."""


class Keeping(NamedTuple):
    """Discards of one role from each six ranks, averaged over suits: n rows, one for each discard."""

    dealt: Ints
    """(n,) number of the six ranks dealt, 0–18,394."""
    kept: Ints
    """(n,) number of the four ranks kept, 0–1,819."""
    given: Ints
    """(n,) number of the two ranks discarded, 0–90."""
    frequency: Floats
    """(n,) probability of the discard; sums to 1 for each six ranks."""
    flush: Floats
    """(1820,) probability that kept cards of these ranks have the same suit."""


@cache
def hand_classes(kept: int = 4) -> npt.NDArray[np.uint8]:
    """Return (1820,) the class of the ranks that the other side may have kept."""
    return _stored_array("classes", kept)


@cache
def play_points(role: Role, kept: int = 4) -> PlayPoints:
    """Return the pegging points with this role's kept hands; raise DamagedTable. 50 ms once."""
    joint, first = (_stored_array(f"{role}_{name}", kept) for name in ("joint", "first"))
    if kept == 4:
        return PlayPoints(joint, _stored_array(f"{role}_by_discard"), first)
    return PlayPoints(joint, np.broadcast_to(np.int8(0), (len(joint), 13, SPAN, SPAN)), first)


@cache
def mean_points(role: Role) -> Floats:
    """Return (455, 91, 2) mean pegging points with five cards: [kept, discarded, own or other side]."""
    means: Floats = _stored_array(f"{role}_means", 3) / MEANS
    return means


@cache
def rest_of_play() -> RestOfPlay:
    """Return the points still to be pegged by number of cards played; raise DamagedTable."""
    return RestOfPlay(_stored_array("rest_joint").astype(float), _stored_array("rest_first").astype(float))


@cache
def dealt_ranks(kept: int = 4) -> Ints:
    """Return (18395, 6) every possible six ranks, ascending; with five cards (6175, 5)."""
    size = kept + 2
    every = np.array(list(combinations_with_replacement(range(13), size)), np.int64)
    # No deck has five cards of a rank.
    possible: Ints = every[(every[:, 4:] != every[:, :-4]).all(axis=1)]
    return possible


@cache
def keeping(role: Role, kept: int = 4) -> Keeping:
    """Return how often this role makes each discard; raise DamagedTable."""
    each = _stored_array(f"{role}_ways", kept).astype(np.int64)
    option, weight = (
        _stored_array(f"{role}_{name}", kept).astype(np.int64) for name in ("options", "probabilities")
    )
    dealt = np.repeat(np.arange(len(each)), each)
    # The discards of one six are adjacent rows; their parts of 255 need not sum to 255.
    total = np.bincount(dealt, weight, minlength=len(each))
    ranks = dealt_ranks(kept)[dealt]
    stays, given = (np.take_along_axis(ranks, places[option], 1) for places in reversed(ways(kept + 2, 2)))
    return Keeping(
        dealt,
        hand_numbers(stays),
        hand_numbers(given),
        weight / total[dealt],
        _stored_array(f"{role}_flush", kept) / ALWAYS,
    )


@cache
def provenance(kept: int = 4) -> dict[str, Any]:
    """Return the header of the table: digests and versions of the strategies from which it was made."""
    return tables(_file_for(kept)).about


def _file_for(kept: int) -> str:
    return FILE if kept == 4 else FIVE_CARD_FILE


def _stored_array(name: str, kept: int = 4) -> npt.NDArray[Any]:
    arrays = tables(_file_for(kept)).arrays
    if name not in arrays:
        raise DamagedTable(_file_for(kept), f"it holds no {name}")
    return arrays[name]
