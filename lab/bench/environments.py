"""Random games a second in the environments on one core, and in OpenSpiel's cribbage where it is installed.

FIFTEENTWO_OTHERS names a Python that has it (`open_spiel`); this file runs there by itself.
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
    from lab.bench.rows import Row

GAMES, STEPS, ROUNDS = 4096, 300, 5
SECONDS = 3.0
BAR = 1_000_000
VARIANTS = ("six-card", "five-card", "three-handed", "partners", "four-handed")


def rows() -> "Iterator[Row]":
    """Decisions with their masks and observations, chosen by chance; games; OpenSpiel's games."""
    from lab.bench.rows import Row

    decisions, games = at_once()
    yield Row(
        "six_card, random decisions with masks and observations",
        decisions,
        "decisions/s",
        bar=f"{BAR:,}",
        met=decisions >= BAR,
    )
    yield Row("six_card, the same", games, "games/s")
    for variant in VARIANTS:
        decisions, games = by_agents(variant)
        yield Row(f"cribbage_v0, {variant}", decisions, "decisions/s", note=f"{games:,.0f} games/s")
    python = os.environ.get("FIFTEENTWO_OTHERS", sys.executable)
    done = subprocess.run([python, __file__], capture_output=True, text=True, check=True)
    theirs = float(done.stdout or "nan")
    name = "OpenSpiel's cribbage, without tensors" if done.stdout else "OpenSpiel: not installed"
    yield Row(name, theirs, "games/s")


def at_once() -> tuple[float, float]:
    """Decisions and games a second of `six_card`, the best of several rounds."""
    from fifteentwo.environments.six_card import SixCard

    games = SixCard(GAMES, 7)
    # Until games are in every phase.
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


def by_agents(variant: str) -> tuple[float, float]:
    """Decisions and games a second of `cribbage_v0`, an observation made for each."""
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


def of_open_spiel() -> float:
    """Games a second of OpenSpiel's cribbage, every action by chance."""
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
        print(of_open_spiel())
