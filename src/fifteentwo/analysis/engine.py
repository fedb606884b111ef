"""By which method this process works things out. Some answers depend on it, so what is printed names it."""

from fifteentwo.fast.compiled import has_numba


def engine() -> str:
    """One of "compiled", where numba may compile the loops, and "plain", as with FIFTEENTWO_NUMBA=off.

    Discards are the same by both. Where the play is looked ahead (`review`, `master`, `expert` in the forms
    that are not solved) the plain engine looks less far. Costs no import of numba.
    """
    return "compiled" if has_numba() else "plain"
