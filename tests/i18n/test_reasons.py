"""Reasons why another choice was better: each sentence has the figures printed elsewhere."""

import pytest

from fifteentwo.i18n.reasons import reasons_text

DECISION = {"kind": "discard", "hand": ["7H", "4S", "2D"], "best": "4S 2D", "chosen": "7H 4S"}


def test_chances_of_winning_have_one_decimal_or_more_where_they_would_be_equal(
    subtests: pytest.Subtests,
) -> None:
    for chosen, shown in ((0.498, ("51.2 %", "49.8 %")), (0.5116, ("51.20 %", "51.16 %"))):
        with subtests.test(chosen=chosen, shown=shown):
            fact = {"type": "wins-more", "win": 0.512, "chosen_win": chosen, "points": 0.3}
            [sentence] = reasons_text(DECISION, [fact], "en")
            for figure in (*shown, "0.3"):
                assert figure in sentence
            assert "0.30" not in sentence
