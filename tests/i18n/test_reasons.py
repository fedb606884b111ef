"""Reasons why another choice was better: each sentence has the figures printed elsewhere."""

import pytest

from fifteentwo.i18n.reasons import reasons_text

DECISION = {"kind": "discard", "hand": ["7H", "4S", "2D"], "best": "4S 2D", "chosen": "7H 4S"}


def test_a_difference_of_win_chances_is_said_in_games(subtests: pytest.Subtests) -> None:
    for chosen, games in ((0.498, "1.4 more of 100 games"), (0.5116, "0.04 more of 100 games")):
        with subtests.test(chosen=chosen):
            fact = {"type": "wins-more", "win": 0.512, "chosen_win": chosen, "points": 0.3}
            [sentence] = reasons_text(DECISION, [fact], "en")
            assert games in sentence
            assert "0.3 points" in sentence
            assert "%" not in sentence
