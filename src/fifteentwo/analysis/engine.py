"""By which method this process works things out. Both find the same; what is printed names it even so."""

from fifteentwo.fast.compiled import has_numba


def engine() -> str:
    """One of "compiled", where numba may compile the loops, and "plain", as with FIFTEENTWO_NUMBA=off.

    Both decide the same (`tests/players/test_master.py`). Costs no import of numba.
    """
    return "compiled" if has_numba() else "plain"
