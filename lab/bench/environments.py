"""Speed of random games in the environments on one core, and in OpenSpiel's cribbage if it is installed.

The environment variable FIFTEENTWO_OTHERS names a Python with OpenSpiel, which runs this file as a program.
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lab.bench.table import Row

GAMES, STEPS, ROUNDS = 4096, 300, 5
"""Games of `six_card` that run in parallel, steps in a round, and rounds of which the fastest counts."""
SECONDS = 3.0
"""Seconds for which each slower environment is measured."""
MIN_DECISIONS = 1_000_000
"""Required decisions a second of `six_card`."""
VARIANTS = ("six-card", "five-card", "three-handed", "partners", "four-handed")


def rows() -> "Iterator[Row]":
    """Yield the measured speeds of `six_card`, of `cribbage_v0` in each variant, and of OpenSpiel."""
    from lab.bench.table import Row

    decisions, games = vectorised_speed()
    name = "six_card, random decisions with masks and observations"
    met = decisions >= MIN_DECISIONS
    yield Row(name, decisions, "decisions/s", required=f"{MIN_DECISIONS:,}", is_met=met)
    yield Row("six_card, the same", games, "games/s")
    for variant in VARIANTS:
        decisions, games = agent_speed(variant)
        yield Row(f"cribbage_v0, {variant}", decisions, "decisions/s", note=f"{games:,.0f} games/s")
    python = os.environ.get("FIFTEENTWO_OTHERS", sys.executable)
    done = subprocess.run([python, __file__], capture_output=True, text=True, check=True)
    name = "OpenSpiel's cribbage, without tensors" if done.stdout else "OpenSpiel: not installed"
    yield Row(name, float(done.stdout or "nan"), "games/s")


def vectorised_speed() -> tuple[float, float]:
    """Return the decisions and games a second of `six_card`, in the fastest of some rounds."""
    from fifteentwo.environments.six_card import SixCard

    games = SixCard(GAMES, 7)
    # After these steps the games are in different phases.
    for _ in range(STEPS):
        games.step(games.random_actions())
    best = (0.0, 0.0)
    for _ in range(ROUNDS):
        won, began = 0, time.process_time()
        for _ in range(STEPS):
            won += int(games.step(games.random_actions()).done.sum())
        took = time.process_time() - began
        best = max(best, (GAMES * STEPS / took, won / took))
    return best


def agent_speed(variant: str) -> tuple[float, float]:
    """Return the decisions and games a second of `cribbage_v0`, with an observation for each decision."""
    from fifteentwo import cribbage_v0

    env: Any = cribbage_v0.raw_env(variant)
    luck = random.Random(1)
    env.reset(seed=1)
    decisions, games, began = 0, 0, time.process_time()
    while time.process_time() < began + SECONDS:
        env.reset()
        while not env.terminations["player_0"]:
            allowed = env.observe(env.agent_selection)["action_mask"]
            env.step(luck.choice(allowed.nonzero()[0].tolist()))
            decisions += 1
        games += 1
    took = time.process_time() - began
    return decisions / took, games / took


def open_spiel_speed() -> float:
    """Return the games a second of OpenSpiel's cribbage, with random actions."""
    game = import_module("pyspiel").load_game("cribbage")
    luck = random.Random(1)
    games, began = 0, time.process_time()
    while time.process_time() < began + SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(luck.choice(state.legal_actions()))
        games += 1
    return games / (time.process_time() - began)


if __name__ == "__main__":
    with suppress(ImportError):
        print(open_spiel_speed())
