"""Solving five-card pegging from the command, and going on from a checkpoint."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from lab.cfr import load, save
from lab.five_card.pegging import FiveCardPegging, weights
from lab.five_card.types import five_ranks
from tests.lab.commands import run

pytestmark = pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="hours without numba")


@pytest.mark.long
def test_a_killed_solve_goes_on_exactly_where_its_checkpoint_was(tmp_path: Path) -> None:
    _, which = five_ranks()
    ranges = (weights(np.where(which >= 0, 0.1, 0.0)),) * 2
    whole, killed, again = FiveCardPegging(4), FiveCardPegging(4, threads=1), FiveCardPegging(4)
    whole.step(ranges)
    whole.step(ranges)
    killed.step(ranges)
    save(killed, tmp_path / "one.npz")
    assert load(again, tmp_path / "one.npz")
    again.step(ranges)
    assert again.iteration == 2
    for mine, theirs in ((whole.regret, again.regret), (whole.total, again.total)):
        assert np.array_equal(mine.lead, theirs.lead)
        assert np.array_equal(mine.reply, theirs.reply)
        assert np.array_equal(mine.rest, theirs.rest)
    assert not load(again, tmp_path / "none.npz")
    with pytest.raises(ValueError, match="another starter"):
        load(FiveCardPegging(5), tmp_path / "one.npz")


@pytest.mark.long
def test_the_command_prints_size_and_exploitability_of_a_starter(tmp_path: Path) -> None:
    command = ["solve", "five-card", "--starter", "J", "--iterations", "2", "--json"]
    done = run(*command, "--checkpoint", str(tmp_path))
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)["five_card"]["starters"]["J"]
    assert found["cells"] == 25_869_662
    assert found["iterations"] == 2
    assert 0 < found["exploitability"] < 0.3
    assert abs(found["imbalance"]) < 1e-5
    assert (tmp_path / "five-card-J.npz").exists()
