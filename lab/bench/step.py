"""How many steps a second `rules.game.step` takes on one core, over recorded games of random actions."""

import random
import time
from collections.abc import Iterator

from fifteentwo.contest.table import Table, seeded
from fifteentwo.rules.actions import Action
from fifteentwo.rules.game import legal, step
from fifteentwo.rules.state import State, start
from fifteentwo.rules.variants import Rules, rules_for

GAMES = 40
ROUNDS = 9
BAR = 100_000
VARIANTS = ("six-card", "five-card", "three-handed", "partners", "four-handed")


def recorded(rules: Rules, games: int = GAMES) -> list[tuple[State, tuple[Action, ...]]]:
    """Whole games: where each starts, and every action of it, chance included."""
    found = []
    for number in range(games):
        chooser = random.Random(number)
        table = Table(rules, seeded(number))
        while not table.over:
            seat = chooser.choice(table.waiting)
            mine = [action for action in legal(table.state) if getattr(action, "seat", None) == seat]
            table.submit(seat, chooser.choice(mine))  # type: ignore[arg-type]
        found.append((start(rules), tuple(table.actions)))
    return found


def rate(games: list[tuple[State, tuple[Action, ...]]]) -> float:
    """Steps a second of processor time, the best of several rounds over all games."""
    steps = sum(len(actions) for _, actions in games)
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        for state, actions in games:
            for action in actions:
                state, _ = step(state, action)
        best = min(best, time.process_time() - began)
    return steps / best


def rows() -> Iterator[tuple[str, float, str, None, None, str, bool | None]]:
    """The rows of `bench.rows`: every variant, then all of them together against the bar."""
    every = []
    for variant in VARIANTS:
        games = recorded(rules_for(variant))
        every += games
        yield f"step, {variant}", rate(games), "steps/s", None, None, "", None
    together = rate(every)
    yield "step, all variants", together, "steps/s", None, None, f"{BAR:,}", together >= BAR


if __name__ == "__main__":
    for name, figure, unit, *_ in rows():
        print(f"{name:24} {figure:12,.0f} {unit}")
