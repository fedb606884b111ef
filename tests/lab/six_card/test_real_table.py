"""How both sides' kept hands fall together, against counting the ways one deck deals them."""

import importlib.util
from math import comb

import numpy as np
import pytest

from fifteentwo.fast.compiled import compiled
from lab.six_card.discard_kernels import RankPolicy
from lab.six_card.discards import rank_policy
from lab.six_card.ranges import HANDS
from lab.six_card.six_cards import six_cards

pytestmark = pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="slow without numba")


def policy(often: float) -> RankPolicy:
    """Hand 3 so often, else hand 7, whatever six there are."""
    row, where = np.repeat(np.arange(4), 2), np.tile([3, 7], 4)
    return rank_policy(row, where, np.tile([often, 1 - often], 4), 4)


def test_hands_fall_together_as_one_deck_deals_them() -> None:
    six = six_cards()
    chosen = [0, 5000, 5001, 12000]
    copies, deals = six.copies[chosen], six.deals()[chosen]
    found = np.zeros((HANDS, HANDS))
    kernels = compiled("lab.six_card.discard_kernels")
    kernels.kept_together(copies, deals, policy(0.25), policy(0.5), found)
    dealt = 0.0
    for own, ways in zip(copies.tolist(), deals.tolist(), strict=True):
        for other in copies.tolist():
            dealt += ways * np.prod([comb(4 - mine, theirs) for mine, theirs in zip(own, other, strict=True)])
    assert found.sum() == pytest.approx(dealt)
    assert found[3, 7] == pytest.approx(0.25 * 0.5 * dealt)
    assert found[7, 7] == pytest.approx(0.75 * 0.5 * dealt)
