"""The fast count of the show equals the rules, in three ways, and has the known totals of all hands."""

from itertools import combinations, product

import numpy as np
import pytest

from fifteentwo.fast import random_deals as deals
from fifteentwo.fast import show, show_kernels
from fifteentwo.fast.compiled import compiled, has_numba
from fifteentwo.rules import show as rules
from fifteentwo.rules.cards import DECK

HANDS = (
    1009008, 99792, 2813796, 505008, 2855676, 697508, 1800268, 751324, 1137236, 361224, 388740, 51680, 317340,
    19656, 90100, 9168, 58248, 11196, 2708, 0, 8068, 2496, 444, 356, 3680, 0, 0, 0, 76, 4,
)  # fmt: skip
CRIBS = (
    1022208, 99792, 2839800, 508908, 2868960, 703496, 1787176, 755320, 1118336, 358368, 378240, 43880, 310956,
    16548, 88132, 9072, 57288, 11196, 2264, 0, 7828, 2472, 444, 356, 3680, 0, 0, 0, 76, 4,
)  # fmt: skip


def by_the_rules(hands: np.ndarray, starters: np.ndarray, *, crib: bool = False) -> list[int]:
    return [
        rules.points([DECK[card] for card in hand], DECK[starter], crib=crib)
        for hand, starter in zip(hands.tolist(), starters.tolist(), strict=True)
    ]


def flush_heavy(number: int, size: int, seed: int) -> np.ndarray:
    """Return deals with one frequent suit and many jacks."""
    chance = np.random.default_rng(seed)
    weights = np.ones(52)
    weights[2::4] = 6
    weights[40:44] = 8
    return np.array(
        [chance.choice(52, size, replace=False, p=weights / weights.sum()) for _ in range(number)], np.uint8
    )


def test_r80_to_r90_as_the_rules_count_hands_and_cribs(subtests: pytest.Subtests) -> None:
    for crib in (False, True):
        with subtests.test(crib=crib):
            dealt = np.concatenate([deals.random_deals(1500, 5, 1), flush_heavy(1500, 5, 2)])
            found = show.points(dealt[:, :4], dealt[:, 4], crib=crib)
            assert found.tolist() == by_the_rules(dealt[:, :4], dealt[:, 4], crib=crib)
            assert len(set(found.tolist())) > 15


def test_r103_a_hand_of_three_has_its_own_flush() -> None:
    dealt = np.concatenate([deals.random_deals(1000, 4, 3), flush_heavy(1000, 4, 4)])
    assert show.points(dealt[:, :3], dealt[:, 3]).tolist() == by_the_rules(dealt[:, :3], dealt[:, 3])


def test_all_hands_and_cribs_have_the_known_columns() -> None:
    totals = show.totals()
    assert totals[:, 0].tolist() == list(HANDS)
    assert totals[:, 1].tolist() == list(CRIBS)


def test_the_columns_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show, "has_numba", lambda: False)
    assert show.totals()[:, 1].tolist() == list(CRIBS)


def test_plain_compiled_and_vectorised_are_one(subtests: pytest.Subtests) -> None:
    for four in (0, 4):
        with subtests.test(four=four):
            dealt = np.concatenate([deals.random_deals(2000, 5, 5), flush_heavy(1000, 5, 6)])
            hands, starters = np.ascontiguousarray(dealt[:, :4]), np.ascontiguousarray(dealt[:, 4])
            packed, table = hands.view(np.uint32).ravel(), show.rank_points(5)
            plain, quick = np.empty(len(hands), np.uint8), np.empty(len(hands), np.uint8)
            assert show_kernels.score(packed, starters, four, table, plain) == 0
            assert compiled("fifteentwo.fast.show_kernels").score(packed, starters, four, table, quick) == 0
            assert plain.tolist() == quick.tolist() == show.points(hands, starters, crib=four == 0).tolist()


@pytest.mark.skipif(not has_numba(), reason="numba is not installed")
def test_many_rows_are_compiled_and_threads_change_nothing() -> None:
    dealt = deals.random_deals(show.COMPILE_ROWS + 3, 5, 7)
    hands, starters = dealt[:, :4], dealt[:, 4]
    whole = show.points(hands, starters)
    parts = [
        show.points(hands[start : start + 20_000], starters[start : start + 20_000])
        for start in range(0, 80_000, 20_000)
    ]
    assert np.array_equal(whole, np.concatenate(parts))
    assert np.array_equal(whole, show.points(hands, starters, workers=3))


def test_any_integer_dtype_and_layout() -> None:
    dealt = deals.random_deals(50, 5, 8)
    expected = show.points(dealt[:, :4], dealt[:, 4])
    for dtype in (np.int8, np.int32, np.uint64):
        assert np.array_equal(
            expected, show.points(np.asfortranarray(dealt[:, :4].astype(dtype)), dealt[:, 4].astype(dtype))
        )
    assert np.array_equal(expected, show.points(dealt[:, :4].tolist(), dealt[:, 4].tolist()))


def test_a_card_twice_is_refused_with_its_row(subtests: pytest.Subtests) -> None:
    for rows, (row, column) in product((10, 70_000), ((0, 1), (7, 3), (9, 4))):
        with subtests.test(rows=rows, row=row, column=column):
            dealt = deals.random_deals(rows, 5, 9)
            dealt[row, column] = dealt[row, 0]
            dealt[rows - 1, 1] = dealt[rows - 1, 2]
            with pytest.raises(ValueError, match=f"row {row} has .. twice"):
                show.points(dealt[:, :4], dealt[:, 4])


def test_no_card_is_refused_with_its_row(subtests: pytest.Subtests) -> None:
    for rows, wrong in product((10, 70_000), (-1, 52, 300)):
        with subtests.test(rows=rows, wrong=wrong):
            dealt = deals.random_deals(rows, 5, 10).astype(np.int64)
            dealt[6, 2] = wrong
            with pytest.raises(ValueError, match=f"hands: row 6 has {wrong}"):
                show.points(dealt[:, :4], dealt[:, 4])
            dealt = deals.random_deals(rows, 5, 10).astype(np.int64)
            dealt[5, 4] = wrong
            with pytest.raises(ValueError, match=f"starters: row 5 has {wrong}"):
                show.points(dealt[:, :4], dealt[:, 4])


def test_wrong_shapes_and_dtypes_are_refused() -> None:
    good = deals.random_deals(4, 5, 11)
    for hands, starters, crib in (
        (good, good[:, 4], False),
        (good[:, :4].ravel(), good[:, 4], False),
        (good[:, :4], good[:3, 4], False),
        (good[:, :4], good[:, 4:], False),
        (good[:, :4].astype(float), good[:, 4], False),
        (good[:, :4] > 3, good[:, 4], False),
        (good[:, :3], good[:, 4], True),
    ):
        with pytest.raises(ValueError, match=r"hands|starters"):
            show.points(hands, starters, crib=crib)


def test_nothing_makes_nothing() -> None:
    assert show.points([], []).tolist() == []
    empty = show.points(np.empty((0, 3), np.int32), np.empty(0, np.int32))
    assert empty.shape == (0,)
    assert empty.dtype == np.uint8


@pytest.mark.slow
def test_every_hand_and_crib_as_the_rules_count_it() -> None:
    points = rules.points
    for first in range(49):
        hands = np.array([(first, *rest) for rest in combinations(range(first + 1, 52), 3)], np.uint8)
        for starter in range(52):
            free = hands[(hands != starter).all(axis=1)]
            starters = np.full(len(free), starter, np.uint8)
            as_hands, as_cribs = show.points(free, starters), show.points(free, starters, crib=True)
            turned = DECK[starter]
            for row, one, other in zip(free.tolist(), as_hands.tolist(), as_cribs.tolist(), strict=True):
                hand = [DECK[card] for card in row]
                assert points(hand, turned) == one
                assert points(hand, turned, crib=True) == other
