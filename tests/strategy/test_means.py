"""The stored mean cribs equal measured ones and agree with common knowledge."""

import pytest

from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.strategy.means import mean_crib
from lab.measure.measuring import discards, mean_cribs

SAMPLED = [
    pytest.param(Variant.THREE_HANDED, 60),
    pytest.param(Variant.PARTNERS, 400, marks=pytest.mark.slow),
    pytest.param(Variant.FOUR_HANDED, 400, marks=pytest.mark.slow),
    pytest.param(Variant.SIX_CARD, 400, marks=pytest.mark.slow),
    pytest.param(Variant.FIVE_CARD, 400, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("variant", "deals"), SAMPLED)
def test_stored_means_equal_measured_ones(variant: Variant, deals: int) -> None:
    """Another seed with fewer deals: each pair is near, and all pairs together are very near."""
    found = mean_cribs(rules_for(variant), deals, 3, 77)
    strays = [mean - mean_crib(variant, own, pair) for (own, pair), mean in found.items()]
    error = 2.2 / deals**0.5
    assert max(map(abs, strays)) < 5 * error
    assert abs(sum(strays)) / len(strays) < 5 * error / len(strays) ** 0.5 + 0.03


@pytest.mark.parametrize("variant", list(Variant))
def test_every_discard_of_every_variant_has_a_mean(variant: Variant) -> None:
    for pair in discards(rules_for(variant)):
        for own in (True, False):
            assert 2.0 < mean_crib(variant, own, pair) < 10.0


def test_fives_are_the_best_discard_to_an_own_crib() -> None:
    six = {pair: mean_crib(Variant.SIX_CARD, True, pair) for pair in discards(rules_for("six-card"))}
    assert max(six, key=lambda pair: six[pair]) == (4, 4)
    against = {pair: mean_crib(Variant.SIX_CARD, False, pair) for pair in six}
    assert all(against[pair] > six[pair] for pair in six)
