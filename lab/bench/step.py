"""Speed of `rules.game.step` on one core, over games of random actions."""

import random
from collections.abc import Iterator

from fifteentwo.contest.table import Table
from fifteentwo.rules.actions import Action
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.game import legal, step
from fifteentwo.rules.state import State, start
from fifteentwo.rules.variants import Rules, Variant, rules_for
from lab.bench.against_c import fastest_seconds
from lab.bench.table import Row

GAMES = 40
"""Games of each variant."""
ROUNDS = 9
"""Repetitions of which the fastest counts."""
MIN_STEPS = 100_000
"""Required steps a second."""
RecordedGames = list[tuple[State, tuple[Action, ...]]]
"""The first state of each game, and all its actions, including chance (cuts and deals)."""


def play_random_games(rules: Rules) -> RecordedGames:
    """Play games in which every action is random; return their first states and actions."""
    games = []
    for number in range(GAMES):
        chooser = random.Random(number)
        table = Table(rules, seeded(number))
        while not table.over:
            seat = chooser.choice(table.waiting)
            mine = [action for action in legal(table.state) if getattr(action, "seat", None) == seat]
            table.submit(seat, chooser.choice(mine))  # type: ignore[arg-type]
        games.append((start(rules), tuple(table.actions)))
    return games


def steps_per_second(games: RecordedGames) -> float:
    """Return the steps per second of processor time, in the fastest round over all games."""

    def replay() -> None:
        for state, actions in games:
            for action in actions:
                state, _ = step(state, action)

    return sum(len(actions) for _, actions in games) / fastest_seconds(replay, ROUNDS)


def rows() -> Iterator[Row]:
    """Yield a row for each variant, and one for all variants together with the required speed."""
    every = []
    for variant in Variant:
        games = play_random_games(rules_for(variant))
        every += games
        yield Row(f"step, {variant}", steps_per_second(games), "steps/s")
    together = steps_per_second(every)
    met = together >= MIN_STEPS
    yield Row("step, all variants", together, "steps/s", required=f"{MIN_STEPS:,}", is_met=met)
