"""Settings of Python's garbage collector: it runs seldom, because every table waits meanwhile.

With a thousand tables in memory it searched all of them again and again, and one move in a hundred waited
half a second. Nearly all objects are freed by their reference counts.
"""

import gc

AFTER = 5_000
"""New objects after which the youngest generation is collected, 5 ms; Python's own is 700 to 2,000."""
OLDER = 10
"""Such collections after which the next generation is collected too, 50 ms."""
ALL = 50
"""Such collections again after which all objects are, once they are a quarter more than the last time: with a
thousand tables a third of a second. Tables without pages are freed before that, by their reference counts."""


def collect_seldom() -> None:
    """From now on collect seldom, and never what the program itself is made of."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(AFTER, OLDER, ALL)
