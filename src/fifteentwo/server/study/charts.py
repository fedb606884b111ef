"""Coordinates of the lines and dots of a chart."""

import math
from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 360, 190
LEFT, RIGHT, TOP, BOTTOM = 44, 10, 10, 26
ROW = 240
"""Width of a row that compares a mean with best play."""


class Tick(NamedTuple):
    at: float
    label: str


class LineChart(NamedTuple):
    """A line over games, the oldest at the left."""

    points: str
    last: tuple[float, float]
    ticks: tuple[Tick, ...]
    zero: float | None
    """The height of 0, if it is in the chart."""
    first: int
    number: int


class Whisker(NamedTuple):
    """A mean and its interval on a row with best play in the middle."""

    mean: float
    low: float
    high: float


def line_chart(values: Sequence[float], *, signed: bool) -> LineChart | None:
    """Return a chart of one value a game; None for fewer than two games. signed: include 0 and signs."""
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    if signed or low >= 0:
        low, high = min(low, 0.0), max(high, 0.0)
    step = _step(high - low)
    low, high = step * math.floor(low / step), step * math.ceil(high / step)
    if high == low:
        high = low + step

    def across(place: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * place / (len(values) - 1)

    def up(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    places = [(round(across(place), 1), round(up(value), 1)) for place, value in enumerate(values)]
    lines = round((high - low) / step)
    digits = 0 if step >= 1 else 1 if step >= 0.1 else 2
    ticks = []
    for line in range(lines + 1):
        value = low + line * step
        label = f"{value:+.{digits}f}" if signed and abs(value) > step / 2 else f"{abs(value):.{digits}f}"
        ticks.append(Tick(round(up(value), 1), label.replace("-", "−")))
    return LineChart(
        " ".join(f"{x},{y}" for x, y in places),
        places[-1],
        tuple(ticks),
        round(up(0.0), 1) if low <= 0 <= high else None,
        1,
        len(values),
    )


def whisker(mean: float, either_way: float, best: float, reach: float) -> Whisker:
    """Return where a mean stands on its row. reach: points from best play to either end of the row."""

    def across(value: float) -> float:
        return round(ROW / 2 + max(-1.0, min(1.0, (value - best) / reach)) * (ROW / 2 - 8), 1)

    return Whisker(across(mean), across(mean - either_way), across(mean + either_way))


def _step(span: float) -> float:
    steps = (10.0**power * first for power in range(-2, 12) for first in (1, 2, 5))
    return next(step for step in steps if span <= 5 * step)
