"""How long the Book takes to answer: `python -m tests.measured.book_speed [--hands 300]`.

A server of its own, one request after another, every hand a new one. Before it counts, both roles have been
asked for and the kernels of pegging are compiled. Processor time, the client's own included, is what a page
costs however busy the machine is.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

# `play` and `serve` set it too, before numpy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import httpx
import numpy as np

from fifteentwo.rules.cards import DECK
from tests.support.live_server import serving


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return the milliseconds that passed, and those of the processor."""
    began, worked = time.perf_counter(), time.process_time()
    work()
    return 1000 * (time.perf_counter() - began), 1000 * (time.process_time() - worked)


def ask(client: httpx.Client, address: str) -> None:
    """Return the bytes of a page, or fail."""
    answer = client.get(address)
    answer.raise_for_status()


def main(hands: int) -> None:
    """Request pages, and print a line for each kind."""
    luck = random.Random(1)
    took: dict[str, list[tuple[float, float]]] = {
        name: [] for name in ("entry", "map", "entry again", "play")
    }
    with ExitStack() as open_:
        folder = open_.enter_context(tempfile.TemporaryDirectory())
        live = open_.enter_context(serving(Path(folder) / "games.sqlite3"))
        with httpx.Client(base_url=live.http, timeout=300, follow_redirects=True) as client:
            for number in range(hands + 4):
                six = luck.sample(DECK, 6)
                role, board = ("pone", "dealer")[number % 2], f"{luck.randrange(121)}-{luck.randrange(121)}"
                entry = f"/book/{''.join(card.text for card in six)}/{role}/{board}"
                away, starter = f"{six[0]}{six[1]}", next(card for card in DECK if card not in six)
                other = next(card for card in DECK[::-1] if card not in (*six, starter))
                played = f"/{other}" if role == "dealer" else ""
                # A board from which no heels win.
                play = f"{entry.rsplit('/', 1)[0]}/60-60/{away}/{starter}{played}"
                for name, address in (("entry", entry), ("map", f"{entry}/map"), ("play", play)):
                    milliseconds = timed(lambda: ask(client, address))  # noqa: B023
                    if number >= 4:
                        took[name].append(milliseconds)
                if number >= 4:
                    took["entry again"].append(timed(lambda: ask(client, entry)))  # noqa: B023
    print(f"{hands} hands, ms   {'passed':^30}{'processor':^30}")
    print(f"{'':<18}" + 2 * f"{'median':>10}{'p99':>10}{'longest':>10}")
    for name, times in took.items():
        rows = [np.percentile(kind, (50, 99, 100)) for kind in np.array(times).T]
        print(f"{name:<18}" + "".join(f"{figure:10.1f}" for row in rows for figure in row))


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("--hands", type=int, default=300)
    main(asked.parse_args().hands)
