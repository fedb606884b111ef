"""Evenings from the first to the last round, on a server that is killed: `tests.measured.evening`."""

import asyncio
from pathlib import Path

import pytest

from tests.measured.evening import Simulation, whole_steps


@pytest.mark.long
def test_an_evening_with_a_kill_loses_no_result(tmp_path: Path) -> None:
    evening = Simulation(str(tmp_path / "games.sqlite3"), 12, 3, "five-card")
    steps = {
        (0, 2): Simulation.leave,
        (0, 4): Simulation.arrive,
        (1, 1): Simulation.substitute,
        (1, 3): Simulation.kill,
        (2, 1): Simulation.leave,
    }
    asyncio.run(evening.run(steps))
    assert len(asyncio.run(evening.check())) == 13


@pytest.mark.slow
def test_an_evening_of_sixty_people_with_two_kills_loses_no_result(address: str) -> None:
    evening = Simulation(address, 60, 9, "five-card")
    asyncio.run(evening.run(whole_steps()))
    assert len(asyncio.run(evening.check())) == 61
