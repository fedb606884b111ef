"""How much slower than alone this machine runs just now, so that a bound in seconds still means something."""

import time
from collections.abc import Callable


def busy() -> float:
    """Seconds on the clock for a second of work: 1 on an idle machine, 2 where others take half of it."""
    began, worked = time.perf_counter(), time.thread_time()
    while time.thread_time() - worked < 0.1:
        sum(range(1000))
    return max(1.0, (time.perf_counter() - began) / (time.thread_time() - worked))


def often_within(bar: float, measure: Callable[[], float], *, wanted: int = 3, most: int = 12) -> list[float]:
    """Measure until so many are within the bar; a hiccup now and then is the machine's."""
    measured: list[float] = []
    while sum(one <= bar for one in measured) < wanted and len(measured) < most:
        measured.append(measure())
    told = ", ".join(f"{one:.3f}" for one in measured)
    assert sum(one <= bar for one in measured) >= wanted, f"{wanted} within {bar} of {told}"
    return measured
