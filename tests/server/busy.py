"""How much slower than alone this machine runs just now, so that a bound in seconds still means something."""

import time


def busy() -> float:
    """Seconds on the clock for a second of work: 1 on an idle machine, 2 where others take half of it."""
    began, worked = time.perf_counter(), time.thread_time()
    while time.thread_time() - worked < 0.1:
        sum(range(1000))
    return max(1.0, (time.perf_counter() - began) / (time.thread_time() - worked))
