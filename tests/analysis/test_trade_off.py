"""What a point of the other side costs by the score, and the book that comes nearest."""

import pytest

from fifteentwo.analysis.pegging import PRICES, load_pegging_book
from fifteentwo.analysis.race import ImpossibleScore, Payoff, win_chance
from fifteentwo.analysis.trade_off import FLAT, nearest_book, price_at

SCORES = ((0, 0), (31, 60), (90, 75), (104, 111), (117, 99), (120, 120), (3, 118))


@pytest.mark.parametrize(("own", "other"), SCORES)
@pytest.mark.parametrize("payoff", ["game", "double"])
def test_what_costs_one_side_more_costs_the_other_less_and_both_find_one_book(
    own: int, other: int, payoff: Payoff
) -> None:
    for dealer in (True, False):
        mine, theirs = price_at(own, other, dealer, payoff), price_at(other, own, not dealer, payoff)
        assert mine.price * theirs.price == pytest.approx(1, abs=1e-4)
        assert mine.book == theirs.book


def test_the_price_is_the_ratio_of_the_slopes_of_the_board() -> None:
    gain = (win_chance(107, 95, True) - win_chance(101, 95, True)) * 2 / 6
    loss = (win_chance(103, 93, True) - win_chance(103, 99, True)) * 2 / 6
    expected = (loss + FLAT) / (gain + FLAT)
    assert price_at(103, 95, dealer=True).price == pytest.approx(expected, rel=1e-6)
    # Up to the game hole and no further: a dealer at 118 is three points from winning.
    gain = (1 - win_chance(116, 90, True)) * 2 / 5
    loss = (win_chance(118, 88, True) - win_chance(118, 94, True)) * 2 / 6
    assert price_at(118, 90, dealer=True).price == pytest.approx((loss + FLAT) / (gain + FLAT), rel=1e-6)


def test_near_home_own_points_are_dear_to_who_counts_first_and_a_lost_race_has_no_price() -> None:
    # The pone at 115 counts first: own points win; the dealer at 105 needs more than a deal.
    assert price_at(115, 105, dealer=False).book == 0.5
    # Far behind with the other side about to go out, holding it back is all that helps.
    assert price_at(105, 118, dealer=True).price > 3
    assert price_at(105, 118, dealer=True).book == 0.5
    assert price_at(0, 120, dealer=True).price == pytest.approx(1, abs=0.05)
    assert price_at(0, 0, dealer=True).book == 1.0


def test_books_are_nearest_by_ratio_and_a_dealers_price_is_turned_round() -> None:
    assert [nearest_book(price, dealer=False) for price in (0.01, 0.7, 0.72, 1.41, 1.42, 9)] == [
        0.5,
        0.5,
        1.0,
        1.0,
        2.0,
        2.0,
    ]
    assert nearest_book(3, dealer=True) == 0.5
    assert nearest_book(0.3, dealer=True) == 2.0


@pytest.mark.parametrize(("own", "other", "payoff"), [(121, 0, "game"), (0, -1, "skunk"), (61, 3, "half")])
def test_scores_no_deal_starts_with_are_refused(own: int, other: int, payoff: Payoff) -> None:
    with pytest.raises(ImpossibleScore):
        price_at(own, other, dealer=True, payoff=payoff)


def test_each_price_loads_its_own_book_and_others_are_refused() -> None:
    assert [load_pegging_book(price).price for price in PRICES] == list(PRICES)
    with pytest.raises(ValueError, match=r"3\.0"):
        load_pegging_book(3.0)
