"""The stored gains against weaker models are what a search finds."""

import pytest

from fifteentwo.analysis.pegging.opponents import BOOK, GAIN_STEPS, MODELS, pegging_gains
from fifteentwo.fast.hands import place
from lab.six_card.type_gains import pegging_points


@pytest.mark.parametrize("ranks", [(4, 4, 9, 10), (0, 1, 2, 12)])
def test_stored_gains_are_what_a_search_finds(ranks: tuple[int, ...]) -> None:
    hand = place(4)[ranks]
    for side in (0, 1):
        usual = pegging_points(BOOK, side, hand)
        for kind in MODELS[1:]:
            found = pegging_points(kind, side, hand) - usual
            assert pegging_gains()[kind - 1, side, hand] == pytest.approx(found, abs=0.51 / GAIN_STEPS)
