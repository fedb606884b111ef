"""Checkpoints of five-card pegging."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from fifteentwo.fast.hands import copies
from lab.cfr import load, save
from lab.five_card.pegging import FiveCardPegging, weights

pytestmark = pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="hours without numba")


@pytest.mark.long
def test_a_solve_continues_exactly_from_its_checkpoint(tmp_path: Path) -> None:
    possible = (copies(3)[:, None] + copies(2) <= 4).all(axis=2)
    ranges = (weights(np.where(possible, 0.1, 0.0)),) * 2
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
