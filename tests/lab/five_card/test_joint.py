"""Five-card discards and pegging solved together."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from lab.cfr import DEALER, PONE, load, save
from lab.five_card import joint as joint_solution
from lab.five_card.joint import HANDS_LEFT, Joint, ordered_ways
from lab.five_card.pegging import FiveCardPegging
from lab.five_card.types import DISCARDED, KEPT

needs_numba = pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="hours without numba")


@needs_numba
@pytest.mark.long
def test_joint_solving_reduces_exploitability_and_continues_from_a_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one starter, whose deals every type must be counted in exactly as the walk counts them.

    Averages begin again on the way.
    """
    monkeypatch.setattr(joint_solution, "UNAVERAGED_ROUNDS", 2)
    joint = Joint.empty([4])
    joint.start()
    game = joint.games[0]
    assert isinstance(game, FiveCardPegging)
    expected = ordered_ways(game.deck.left).reshape(KEPT, DISCARDED) * HANDS_LEFT
    for side in (PONE, DEALER):
        ways = game.type_ways(side, joint.ranges())
        assert ways == pytest.approx(expected, rel=1e-4, abs=1e-4 * expected.max())
    before = joint.exploitability()
    assert before["deal"] >= max(before["pegging"], before["discard"])
    for _ in range(3):
        joint.run_iteration()
    after = joint.exploitability()
    assert after["pegging"] < before["pegging"] / 5
    assert after["deal"] < before["deal"] / 2
    assert min(after["deal_by_role"]) > 0
    save(joint, tmp_path / "joint.npz")
    again = Joint.empty([4])
    assert load(again, tmp_path / "joint.npz")
    joint.run_iteration()
    again.run_iteration()
    assert again.rounds == joint.rounds == 4
    assert np.array_equal(again.discards[DEALER].total, joint.discards[DEALER].total)
    assert np.array_equal(again.games[0].total.rest, joint.games[0].total.rest)
