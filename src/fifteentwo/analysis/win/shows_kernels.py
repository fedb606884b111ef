"""`add_shows` and `add_hands` of `shows` as kernels for numba, which need no arrays between the steps."""

from typing import Any

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.layout import JACK


@kernel
def add_hands(weight: Any, left: Any, nobs: Any, held: Any, jacks: Any, cells: Any, hands: Any) -> None:
    """Add the probabilities of the other side's hands to `hands`, as `shows.add_hands` does."""
    for rank in range(13):
        for row in range(len(weight)):
            cell = cells[rank, row]
            chance = weight[row] * (left[rank] - held[rank, row])
            of_nobs = chance * jacks[row] * nobs[rank]
            hands[rank, cell] += chance - of_nobs
            if of_nobs > 0.0:
                hands[rank, cell + 91] += of_nobs


@kernel
def add_shows(hands: Any, crib: Any, own: Any, dealer: bool, counted: Any, shown: Any, cribs: Any) -> None:
    """Add probabilities to `shown` and `cribs`, as `shows.add_shows` does. counted: work memory."""
    points, jacks, nobs, flush = crib
    _, classes, most, _ = hands.shape
    for rank in range(13):
        if not own[rank].any():
            continue
        for cell in range(classes * most):
            number, made = cell // most, cell % most
            part = classes if rank == JACK else number
            if count_crib(hands[rank, number, made], points[rank], jacks, nobs[rank], flush, counted):
                add_own(counted, own[rank], made, dealer, shown[:, part], cribs)


@kernel
def count_crib(held: Any, points: Any, jacks: Any, nobs: float, flush: Any, counted: Any) -> bool:
    """Write probabilities of the crib's points to `counted` (ways, HAND); return False if all are 0."""
    ways, most = counted.shape
    if not held.any():
        return False
    counted[:] = 0.0
    for pair in range(len(held)):
        if held[pair] == 0.0:
            continue
        chance = held[pair] * nobs * jacks[pair]
        for way in range(ways):
            counted[way, points[pair, way]] += held[pair] - chance
            if chance > 0.0:
                counted[way, points[pair, way] + 1] += chance
    for way in range(ways):
        if flush[way] > 0.0:
            for made in range(most - 6, -1, -1):
                moved = counted[way, made] * flush[way]
                counted[way, made] -= moved
                counted[way, made + 5] += moved
    return True


@kernel
def add_own(counted: Any, own: Any, made: int, dealer: bool, shown: Any, cribs: Any) -> None:
    """Add the probabilities of points for one other hand, of `made` points, with every own hand."""
    ways, most = counted.shape
    for way in range(ways):
        for held in range(most):
            for nobs in range(2):
                chance = own[way, held, nobs]
                if chance > 0.0:
                    row, first = (made, held + nobs) if dealer else (held, made + nobs)
                    for crib in range(most - nobs):
                        found = chance * counted[way, crib]
                        cribs[way, crib + nobs] += found
                        shown[way, row, first + crib] += found
