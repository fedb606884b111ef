"""How long a person waits at the table: an action is answered within 50 ms at the 95th percentile."""

import random
import time
from statistics import median, quantiles

import pytest

from fifteentwo.players import LEVELS
from tests.server.busy import busy, often_within
from tests.server.live import Live, Page

pytestmark = pytest.mark.timed

ANSWERED_WITHIN = 0.050


def alone(page: Page) -> None:
    """Listen until this seat alone may act: what is then heard first is the answer."""
    page.settle()
    while not page.view["won"] and page.waiting.get("seats") != [page.view["seat"]]:
        page.until("waiting")


def waits(page: Page, rng: random.Random, actions: int) -> tuple[list[float], list[float]]:
    """Seconds from each action to its first event, and to this seat's next turn."""
    answered, settled = [], []
    for _ in range(actions):
        alone(page)
        if page.view["won"]:
            break
        v, began = page.v, time.perf_counter()
        page.send("act", rng.choice(page.choices))
        page.choices = []
        while page.hear()["t"] not in ("event", "refused"):
            pass
        answered.append(time.perf_counter() - began)
        while page.v == v:
            page.until("waiting")
        alone(page)
        settled.append(time.perf_counter() - began)
    return answered, settled


@pytest.mark.parametrize("form", ["six-card", "four-handed"])
def test_an_action_is_answered_within_50_ms(live: Live, form: str) -> None:
    level = "club" if "club" in LEVELS else LEVELS[-1]
    rng = random.Random(form)
    turns, busier = [], []
    with live.person() as aiko:

        def run() -> float:
            game = aiko.new_game(form, level_1=level, level_2=level, level_3=level)
            with aiko.open(game) as page:
                answered, settled = waits(page, rng, 25)
            slower = busy()
            turns.append(quantiles(settled, n=20)[-1] / slower)
            busier.append(slower)
            return quantiles(answered, n=20)[-1] / slower

        runs = often_within(ANSWERED_WITHIN, run)
    print(
        f"{form} against {level}: answered within {median(runs) * 1000:.1f} ms at the 95th percentile, "
        f"back to the person within {median(turns) * 1000:.1f} ms (medians of {len(runs)} runs; "
        f"the machine was {median(busier):.1f} times slower than alone, which is divided out)"
    )
