"""The decorator of the pegging kernels: numba when it is there, plain Python otherwise."""

from typing import Any

njit: Any
try:
    from numba import njit
except ModuleNotFoundError:
    njit = None


def compiled(function: Any) -> Any:
    """Compile with nogil, cached on disk; plain Python arithmetic where numba is missing."""
    if njit is None:
        return function
    return njit(nogil=True, cache=True, fastmath=True, error_model="numpy")(function)
