"""Figures as they are printed, with their units."""

import unicodedata

from fifteentwo.i18n.catalogue import text


def percent(share: float, places: int, lang: str) -> str:
    """Return a share of 1 in percent.

    >>> percent(0.591, 1, "en"), percent(0.591, 1, "ja")
    ('59.1 %', '59.1%')
    """
    return text("report.percent", lang, number=f"{100 * share:.{places}f}")


def win_percent(value: float, places: int, lang: str) -> str:
    """Return a win probability in percent; estimates below 0 or above 1 are limited to this range.

    >>> win_percent(1.359, 1, "en"), win_percent(-0.02, 1, "ja")
    ('100.0 %', '0.0%')
    """
    return percent(min(max(value, 0.0), 1.0), places, lang)


CHANCE_STEP = 5
"""Steps, in percent, of printed estimates about hidden cards; the models of opponents are no more precise."""


def estimate(share: float, lang: str) -> str:
    """Return a probability about hidden cards in words. No estimate is printed as 0 or 100 %.

    >>> estimate(0.67, "en"), estimate(0.0003, "en"), estimate(0.99, "ja")
    ('about 65 %', 'less than 5 %', '95%以上')
    """
    percents = CHANCE_STEP * round(100 * share / CHANCE_STEP)
    key = "figure.less" if not percents else "figure.more" if percents == 100 else "figure.about"
    shown = min(max(percents, CHANCE_STEP), 100 - CHANCE_STEP)
    return text(key, lang, percent=percent(shown / 100, 0, lang))


def games_lost(loss: float) -> str:
    """Return a loss of win probability as a number of games of 100, below 2 in tenths.

    >>> games_lost(0.069), games_lost(0.0069)
    ('7', '0.7')
    """
    games = 100 * loss
    return f"{games:.{distinct_decimals(games, 0.0, 1 if games < 1.95 else 0)}f}"


def difference(first: float, second: float, places: int) -> float:
    """Return the difference of two figures as printed: each is rounded first.

    >>> difference(9.654, 4.445, 1), 9.654 - 4.445
    (5.3, 5.209)
    """
    return round(round(first, places) - round(second, places), places) + 0.0


def distinct_decimals(first: float, second: float, places: int) -> int:
    """Return the number of decimals, or one more if the rounded figures would be equal."""
    return places if round(first, places) != round(second, places) else places + 1


def display_width(written: str) -> int:
    """Return the columns of a text on a screen; a Japanese character takes two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in written)


def signed(points: float, places: int = 1) -> str:
    """Return a difference of points with its sign."""
    return f"{round(points, places) + 0.0:+.{places}f}"
