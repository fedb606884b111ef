"""Ratings: counted decisions, marked losses, and predictions from ratings."""

import pytest

from fifteentwo.analysis.review import rating
from fifteentwo.analysis.review.rating import band, is_obvious, mark, predicted, rated, weight
from fifteentwo.players import LEVELS
from fifteentwo.rules.variants import HALF_GAME, SIX_CARD


def test_a_loss_is_marked_from_its_threshold_on(subtests: pytest.Subtests) -> None:
    for by_chance, marks in ((True, rating.MARKS_BY_CHANCE), (False, rating.MARKS_BY_POINTS)):
        with subtests.test(by_chance=by_chance, marks=marks):
            assert mark(0.0, by_chance=by_chance) is None
            for name, least in marks:
                assert mark(least, by_chance=by_chance) == name
                assert mark(least * 0.999, by_chance=by_chance) != name
            assert mark(1e9, by_chance=by_chance) == marks[0][0]


def test_a_decision_in_which_nothing_can_be_lost_does_not_count() -> None:
    assert is_obvious([0.0, 0.0004, 0.0009], 0.0009, by_chance=True)
    assert not is_obvious([0.0, 0.0004, 0.001], 0.0, by_chance=True)


def test_an_obvious_choice_counts_only_if_it_was_missed() -> None:
    clear = [0.0, rating.CLEAR_LEAD_WIN, 0.3]
    assert is_obvious(clear, 0.0, by_chance=True)
    assert not is_obvious(clear, 0.3, by_chance=True)
    assert not is_obvious([0.0, rating.CLEAR_LEAD_WIN * 0.99, 0.3], 0.0, by_chance=True)


def test_a_rating_is_the_mean_loss_with_its_error() -> None:
    rating = rated([0.01, 0.0, 0.02, 0.01], [1.0, 1.0, 1.0, 1.0])
    assert rating is not None
    assert rating.rating == pytest.approx(100.0)
    # The standard error of the mean: sqrt(2/3) / 2 hundredths.
    assert rating.error == pytest.approx(100 * (2 / 3) ** 0.5 / 2)
    assert rating.counted == 4
    assert rated([], []) is None


def test_a_decision_that_weighs_double_may_lose_double() -> None:
    even = rated([0.01] * 6, [1.0] * 6)
    uneven = rated([0.02, 0.01, 0.02, 0.005], [2.0, 1.0, 2.0, 0.5])
    assert even is not None
    assert uneven is not None
    assert uneven.rating == pytest.approx(even.rating)
    assert uneven.error == pytest.approx(0.0, abs=1e-9)


def test_a_point_weighs_more_near_the_end() -> None:
    starts = [weight(SIX_CARD, (0, 0), dealer=dealer) for dealer in (True, False)]
    assert sum(starts) == pytest.approx(2)
    for dealer in (True, False):
        assert weight(SIX_CARD, (110, 110), dealer=dealer) > 2
        assert weight(SIX_CARD, (120, 60), dealer=dealer) < 0.01
        assert all(
            weight(SIX_CARD, (own, other), dealer=dealer) >= 0 for own in range(121) for other in (0, 90, 120)
        )
    assert sum(weight(HALF_GAME, (0, 0), dealer=dealer) for dealer in (True, False)) == pytest.approx(2)


RATINGS = tuple(own for own, _ in rating.WEAKNESSES)


def test_bands_follow_each_other_and_bear_the_names_of_levels() -> None:
    names, ends = zip(*rating.LEVEL_BANDS, strict=True)
    assert list(ends) == sorted(ends)
    assert [name for name in LEVELS if name in names] == list(reversed(names))
    for name, end in rating.LEVEL_BANDS[:-1]:
        assert band(end) == name
        assert band(end + 0.01) != name
    assert band(0.0) == "master"
    assert band(1e6) == "random"


def test_the_lower_rating_wins_more_often() -> None:
    assert predicted(20.0, 20.0) == pytest.approx(0.5)
    ratings = [0.0, 10.0, 30.0, 60.0, 150.0]
    chances = [predicted(20.0, other) for other in ratings]
    assert chances == sorted(chances)
    for other, chance in zip(ratings, chances, strict=True):
        assert predicted(other, 20.0) == pytest.approx(1 - chance)


PLAYED = {
    ("beginner", "random"): 0.964,
    ("casual", "random"): 0.986,
    ("club", "random"): 0.993,
    ("expert", "random"): 0.994,
    ("master", "random"): 0.996,
    ("casual", "beginner"): 0.667,
    ("club", "beginner"): 0.764,
    ("expert", "beginner"): 0.762,
    ("master", "beginner"): 0.810,
    ("club", "casual"): 0.615,
    ("expert", "casual"): 0.625,
    ("master", "casual"): 0.676,
    ("expert", "club"): 0.547,
    ("master", "club"): 0.605,
    ("master", "expert"): 0.535,
}
"""Arenas of 10,000 games each, of 1,000 with `master` (docs/rating.md)."""


def test_ratings_of_our_levels_foretell_the_games_they_played(subtests: pytest.Subtests) -> None:
    for strong, weak in PLAYED:
        with subtests.test(strong=strong, weak=weak):
            of = dict(zip(("master", "expert", "club", "casual", "beginner", "random"), RATINGS, strict=True))
            assert predicted(of[strong], of[weak]) == pytest.approx(PLAYED[strong, weak], abs=0.02)


def test_predictions_are_limited_to_the_range_of_the_levels() -> None:
    assert predicted(0.0, RATINGS[0]) == pytest.approx(0.5)
    assert predicted(RATINGS[-1], 1e6) == pytest.approx(0.5)
