"""How long a person waits at the table: an action is answered within 50 ms at the 95th percentile."""

import random
import time
from statistics import median, quantiles

import pytest

from fifteentwo.players import LEVELS
from tests.server.busy import busy
from tests.server.live import Live, Page

pytestmark = pytest.mark.timed

ANSWERED_WITHIN = 0.050
RUNS = 5


def waits(page: Page, rng: random.Random, actions: int) -> tuple[list[float], list[float]]:
    """Seconds from each action to its first event, and to this seat's next turn."""
    answered, settled = [], []
    for _ in range(actions):
        page.settle()
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
        page.settle()
        settled.append(time.perf_counter() - began)
    return answered, settled


@pytest.mark.parametrize("form", ["six-card", "four-handed"])
def test_an_action_is_answered_within_50_ms(live: Live, form: str) -> None:
    level = "club" if "club" in LEVELS else LEVELS[-1]
    rng = random.Random(form)
    runs, turns, busier = [], [], []
    with live.person() as aiko:
        for _ in range(RUNS):
            game = aiko.new_game(form, level_1=level, level_2=level, level_3=level)
            with aiko.open(game) as page:
                answered, settled = waits(page, rng, 25)
            slower = busy()
            runs.append(quantiles(answered, n=20)[-1] / slower)
            turns.append(quantiles(settled, n=20)[-1] / slower)
            busier.append(slower)
    print(
        f"{form} against {level}: answered within {median(runs) * 1000:.1f} ms at the 95th percentile, "
        f"back to the person within {median(turns) * 1000:.1f} ms (medians of {RUNS} runs; "
        f"the machine was {median(busier):.1f} times slower than alone, which is divided out)"
    )
    assert median(runs) <= ANSWERED_WITHIN
