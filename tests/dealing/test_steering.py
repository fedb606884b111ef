"""A server that steers finds no free choice (`python -m tests.dealing.steering`)."""

import pytest

from tests.dealing.steering import WAYS, played, refuted

A_DAY, ALL = 12, 100


@pytest.mark.parametrize("company", ["alone", "with an accomplice"])
def test_steering_is_shown_by_every_record(company: str) -> None:
    way = WAYS[f"steering openly, {company}"]
    assert all(refuted(played(game, way)[1]) for game in range(A_DAY))


def same_as_honest(games: int) -> dict[str, int]:
    """Count the wins of a cheat whose records verify; each game must equal the honest game."""
    wins = {"alone": 0, "with an accomplice": 0}
    for company, honest in zip(wins, ("a computer", "two people"), strict=True):
        for game in range(games):
            won, record = played(game, WAYS[f"steering within what verifies, {company}"])
            assert record == played(game, WAYS[f"honest, {honest}"])[1]
            wins[company] += won
    return wins


def test_a_server_whose_records_verify_has_no_choice() -> None:
    same_as_honest(A_DAY)


@pytest.mark.slow
def test_in_a_hundred_games_a_cheat_wins_no_more_than_an_honest_player() -> None:
    for company, wins in same_as_honest(ALL).items():
        assert wins <= ALL / 2 + 2 * (ALL / 4) ** 0.5, company
