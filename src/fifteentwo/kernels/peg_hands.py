"""Hands of one to four ranks by number, and which hand a card more makes of them."""

import numpy as np
import numpy.typing as npt

from fifteentwo.kernels.peg_rules import VALUE

PAIRS = np.array([(i, j) for i in range(13) for j in range(i, 13)], dtype=np.int64)
TRIPLES = np.array(
    [(i, j, k) for i in range(13) for j in range(i, 13) for k in range(j, 13)],
    dtype=np.int64,
)
FOURS = np.array(
    [(i, j, k, m) for i in range(13) for j in range(i, 13) for k in range(j, 13) for m in range(k, 13)],
    dtype=np.int64,
)


def _with_one_more(small: npt.NDArray[np.int64], large: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """(13, len(small)) int64: index in `large` of each multiset of `small` with one more card of a rank."""
    where = {tuple(int(x) for x in row): i for i, row in enumerate(large)}
    return np.array(
        [[where[tuple(sorted([*map(int, row), rank]))] for row in small] for rank in range(13)],
        dtype=np.int64,
    )


UP2 = _with_one_more(np.arange(13, dtype=np.int64).reshape(13, 1), PAIRS)
UP3 = _with_one_more(PAIRS, TRIPLES)
UP4 = _with_one_more(TRIPLES, FOURS)
SLOT = PAIRS[:, 0] * 16 + PAIRS[:, 1]
MIRROR = PAIRS[:, 1] * 16 + PAIRS[:, 0]
LOW2 = VALUE[PAIRS[:, 0]]
LOW3 = VALUE[TRIPLES[:, 0]]
