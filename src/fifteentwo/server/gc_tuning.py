"""How often Python looks for what nobody holds any more: seldom, for everybody waits meanwhile.

With a thousand tables in memory it looked through all of them again and again, and one move in a hundred
waited half a second. Nearly everything goes by itself, when the last that holds it goes.
"""

import gc

AFTER = 5_000
"""New objects after which the newest are looked through, 5 ms for everybody; Python's own is 700 to 2,000."""
OLDER = 10
"""Such looks after which those that stayed are looked through too, 50 ms."""
ALL = 50
"""Such looks again after which all are, once they are a quarter more than the last time: with a thousand
tables a third of a second. Tables that nobody is at go before that, by themselves."""


def collect_seldom() -> None:
    """From now on look seldom, and never at what the program itself is made of."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(AFTER, OLDER, ALL)
