"""How much slower than alone this machine runs just now, so that a bound in seconds still means something."""

import time
from collections.abc import Callable


def busy() -> float:
    """Seconds on the clock for a second of work: 1 on an idle machine, 2 where others take half of it."""
    began, worked = time.perf_counter(), time.thread_time()
    while time.thread_time() - worked < 0.1:
        sum(range(1000))
    return max(1.0, (time.perf_counter() - began) / (time.thread_time() - worked))


def mostly_within(bar: float, measure: Callable[[], float], *, of: int = 3) -> list[float]:
    """Measure until more than half of `number` measurements are within the bar, or can no longer be.

    Of three measurements two must be within the bar, so that one busy moment of the machine does no harm.
    """
    measured: list[float] = []
    while max(_within(bar, measured), len(measured) - _within(bar, measured)) <= of // 2:
        measured.append(measure())
    seconds = ", ".join(f"{one:.3f}" for one in measured)
    assert _within(bar, measured) > of // 2, f"not half of {of} within {bar}: {seconds}"
    return measured


def _within(bar: float, measured: list[float]) -> int:
    return sum(one <= bar for one in measured)
