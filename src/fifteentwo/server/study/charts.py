"""Coordinates of the lines and dots of a chart."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from fifteentwo.contest.statistics import Mean

LINE_CHART_WIDTH = 360
LINE_CHART_HEIGHT = 190
LEFT_MARGIN = 44
RIGHT_MARGIN = 10
TOP_MARGIN = 10
BOTTOM_MARGIN = 26
WHISKER_ROW_WIDTH = 240
"""Width of the row of a mean and its interval, in SVG units."""


class Tick(NamedTuple):
    """A label on the vertical axis of a chart."""

    at: float
    """Vertical position in SVG units, from the top."""
    label: str


class LineChart(NamedTuple):
    """A line with one point for each game, the oldest at the left."""

    points: str
    """The points of the line as an SVG polyline: "x,y x,y …"."""
    last: tuple[float, float]
    """Coordinates (x, y) of the last point."""
    ticks: tuple[Tick, ...]
    zero: float | None
    """Vertical position of 0, or None if the chart does not include 0."""


class Whisker(NamedTuple):
    """Horizontal positions of a mean and its interval; best play is in the middle of the row."""

    mean: float
    low: float
    """Position of the lower end of the interval."""
    high: float


def line_chart(values: Sequence[float], *, signed: bool) -> LineChart | None:
    """Return a chart of two values or more, the oldest first. signed: with signs, and including 0."""
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    if signed or low >= 0:
        low, high = min(low, 0.0), max(high, 0.0)
    steps = (10.0**power * first for power in range(-2, 12) for first in (1, 2, 5))
    step = next(step for step in steps if high - low <= 5 * step)
    low, high = step * math.floor(low / step), step * math.ceil(high / step)
    if high == low:
        high = low + step

    def across(place: int) -> float:
        return LEFT_MARGIN + (LINE_CHART_WIDTH - LEFT_MARGIN - RIGHT_MARGIN) * place / (len(values) - 1)

    def up(value: float) -> float:
        return TOP_MARGIN + (LINE_CHART_HEIGHT - TOP_MARGIN - BOTTOM_MARGIN) * (high - value) / (high - low)

    places = [(round(across(place), 1), round(up(value), 1)) for place, value in enumerate(values)]
    lines = round((high - low) / step)
    digits = 0 if step >= 1 else 1 if step >= 0.1 else 2
    ticks = []
    for line in range(lines + 1):
        value = low + line * step
        label = f"{value:+.{digits}f}" if signed and abs(value) > step / 2 else f"{abs(value):.{digits}f}"
        ticks.append(Tick(round(up(value), 1), label.replace("-", "−")))
    points, zero = " ".join(f"{x},{y}" for x, y in places), round(up(0.0), 1) if low <= 0 <= high else None
    return LineChart(points, places[-1], tuple(ticks), zero)


def whisker_on_row(mean: Mean | None, best: float, reach: float) -> Whisker | None:
    """Return a mean on its row, if its interval is known. reach: points from `best` to the row's ends."""
    if mean is None or mean.margin is None:
        return None

    half = WHISKER_ROW_WIDTH / 2

    def across(value: float) -> float:
        return round(half + max(-1.0, min(1.0, (value - best) / reach)) * (half - 8), 1)

    return Whisker(across(mean.mean), across(mean.mean - mean.margin), across(mean.mean + mean.margin))
