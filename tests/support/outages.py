"""Outages of the database, and a table that must continue after them."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fifteentwo.server.live import thinking
from tests.support.busy import busy
from tests.support.live_server import Live, Page, Person
from tests.support.postgres import Cluster

BACK_WITHIN = 5.0
"""Seconds after the database's return, on a machine that does nothing else."""


@contextmanager
def away(cluster: Cluster) -> Iterator[None]:
    """Stop PostgreSQL in the block."""
    cluster.end()
    try:
        yield
    finally:
        cluster.start()


@contextmanager
def held(file: Path) -> Iterator[None]:
    """Lock a SQLite file in the block, as another program would."""
    holder = sqlite3.connect(file)
    holder.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        holder.rollback()
        holder.close()


def goes_on(live: Live, seconds: float, outage: Callable[[], object]) -> float:
    """Start an outage while three computers must act, and check that they act after it.

    Return the seconds from the end of the outage until they have acted.
    """
    with live.person() as aiko:
        game = aiko.new_game("four-handed", first_dealer="named", cut_before_deal="no")
        with aiko.open(game) as page, pytest.MonkeyPatch.context() as patch:
            page.until("waiting")
            page.act({"type": "NameDealer", "dealer": 0})
            # The computers wait until the outage has begun.
            patch.setattr(thinking, "QUICK_LEVEL_DELAY", thinking.Delay(0.5, 0.5))
            page.alone()
            known = page.v
            page.send("act", page.choices[0])
            page.until("waiting")
            assert page.waiting["seats"] != [0], "computers are to act"
            with outage():  # type: ignore[attr-defined]
                patch.setattr(thinking, "QUICK_LEVEL_DELAY", thinking.Delay(0, 0))
                time.sleep(seconds)
            back = time.monotonic()
            page.alone()
            took = (time.monotonic() - back) / busy()
            assert sorted(v for v in page.events if v > known) == list(range(known + 1, page.v + 1))
            page_shows_only_what_is_stored(aiko, game, page)
    print(f"{seconds} s away: all three computers had acted {took:.2f} s after the return")
    return took


def page_shows_only_what_is_stored(person: Person, game: str, page: Page) -> None:
    """Check that a page that reconnects is sent the same state."""
    with person.open(game, v=0) as again:
        again.until("waiting")
        assert again.v == page.v
        assert again.view == page.view
