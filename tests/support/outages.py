"""A database that is away for a while, and a table that must go on after it."""

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
    """PostgreSQL gone, as when its machine fails."""
    cluster.end()
    try:
        yield
    finally:
        cluster.start()


@contextmanager
def held(file: Path) -> Iterator[None]:
    """A SQLite file that another program holds."""
    holder = sqlite3.connect(file)
    holder.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        holder.rollback()
        holder.close()


def goes_on(live: Live, seconds: float, outage: Callable[[], object]) -> float:
    """Leave while three computers are to act, through an outage; then they must act by themselves.

    Returns how many seconds after the end of the outage they had acted.
    """
    with live.person() as aiko:
        game = aiko.new_game("four-handed", first_dealer="named", cut_before_deal="no")
        with aiko.open(game) as page, pytest.MonkeyPatch.context() as patch:
            page.until("waiting")
            page.act({"type": "NameDealer", "dealer": 0})
            # They think long enough for the outage to begin.
            patch.setattr(thinking, "CHEAP_DELAY", thinking.Delay(0.5, 0.5))
            page.alone()
            known = page.v
            page.send("act", page.choices[0])
            page.until("waiting")
            assert page.waiting["seats"] != [0], "computers are to act"
            with outage():  # type: ignore[attr-defined]
                patch.setattr(thinking, "CHEAP_DELAY", thinking.Delay(0, 0))
                time.sleep(seconds)
            back = time.monotonic()
            page.alone()
            took = (time.monotonic() - back) / busy()
            assert sorted(v for v in page.events if v > known) == list(range(known + 1, page.v + 1))
            page_shows_only_what_is_stored(aiko, game, page)
    print(f"{seconds} s away: all three computers had acted {took:.2f} s after the return")
    return took


def page_shows_only_what_is_stored(person: Person, game: str, page: Page) -> None:
    """Assert that a page that comes back is sent the same."""
    with person.open(game, v=0) as again:
        again.until("waiting")
        assert again.v == page.v
        assert again.view == page.view
