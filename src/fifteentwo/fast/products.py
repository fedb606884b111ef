"""Products of large matrices on one core, for every setting of BLAS.

OpenBLAS, which NumPy's wheels contain, distributes a product of more than 2**18 multiplications to all cores,
and its threads wait actively. On a busy machine that took up to eight times the processor time.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

ONE_THREAD_LIMIT = 2**18
"""Multiplications that OpenBLAS does in one thread (SMP_THRESHOLD_MIN × GEMM_MULTITHREAD_THRESHOLD)."""


def product(left: npt.NDArray[Any], right: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the matrix product left @ right, computed block by block in one thread."""
    made = np.empty((len(left), right.shape[1]), np.result_type(left, right))
    side = max(1, int((ONE_THREAD_LIMIT / max(len(right), 1)) ** 0.5))
    for row in range(0, len(left), side):
        for column in range(0, right.shape[1], side):
            block = made[row : row + side, column : column + side]
            np.matmul(left[row : row + side], right[:, column : column + side], out=block)
    return made
