"""By which method this process works things out. Both find the same; what is printed names it even so."""

from fifteentwo.fast.compiled import has_numba


def engine() -> str:
    """One of "compiled", where numba may compile the loops, and "plain", as with FIFTEENTWO_NUMBA=off.

    The plain one takes ten times as long where the play is looked ahead, and decides the same
    (`tests/players/test_engines.py`). Costs no import of numba.
    """
    return "compiled" if has_numba() else "plain"
