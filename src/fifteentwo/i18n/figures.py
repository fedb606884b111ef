"""Figures as they are printed, with their units."""

import unicodedata

from fifteentwo.i18n.catalogue import text


def percent(share: float, places: int, lang: str) -> str:
    """A share of 1 as it is read.

    >>> percent(0.591, 1, "en"), percent(0.591, 1, "ja")
    ('59.1 %', '59.1%')
    """
    return text("report.percent", lang, number=f"{100 * share:.{places}f}")


def chance(value: float, places: int, lang: str) -> str:
    """A chance of winning; an estimate beyond 0 or 1, as of a game without luck, as that.

    >>> chance(1.359, 1, "en"), chance(-0.02, 1, "ja")
    ('100.0 %', '0.0%')
    """
    return percent(min(max(value, 0.0), 1.0), places, lang)


def difference(first: float, second: float, places: int) -> float:
    """What two figures differ by as they are printed: each rounded first.

    >>> difference(9.654, 4.445, 1), 9.654 - 4.445
    (5.3, 5.209)
    """
    return round(round(first, places) - round(second, places), places) + 0.0


def places_apart(first: float, second: float, places: int) -> int:
    """So many decimals, or one more where both figures would look alike."""
    return places if round(first, places) != round(second, places) else places + 1


def width_of(written: str) -> int:
    """Return the columns of a text on a screen; Japanese takes two each."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in written)
