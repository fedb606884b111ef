"""The games under examples/games: each replays, is read in every notation, and has its review."""

from pathlib import Path

import pytest

from fifteentwo.formats import read, read_one
from fifteentwo.rules.record import last_state
from fifteentwo.rules.record import read as read_record
from fifteentwo.rules.variants import Variant
from tests.formats.written_games import happenings
from tests.support.commands import run

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "games"
REVIEWS = sorted(FOLDER.glob("*.review.txt"))
RECORDS = [file.with_name(file.name.replace(".review", "")) for file in REVIEWS]


def test_every_variant_has_a_finished_game() -> None:
    games = [read_record(file.read_text()) for file in RECORDS]
    assert {game.rules.variant for game in games} == set(Variant)
    assert all(last_state(game).won is not None for game in games)
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 400_000


def test_the_same_game_stands_in_other_notations(subtests: pytest.Subtests) -> None:
    for notation in ("halscrib", "transcript"):
        with subtests.test(notation=notation):
            game = read_record((FOLDER / "six-card.txt").read_text())
            other = read_one((FOLDER / f"six-card.{notation}.txt").read_bytes())
            assert other.format == notation
            turned = notation == "transcript"
            assert list(happenings(other.record)) == list(happenings(game, first_pone=turned))


def test_the_histories_of_openspiel_are_read_with_their_differences() -> None:
    games = read((FOLDER / "openspiel.txt").read_bytes())
    assert [[notice.code for notice in game.notices] for game in games] == [
        [],
        ["crib-flush"],
        ["counting-order"],
    ]


@pytest.mark.long
def test_the_stored_review_of_a_game_is_its_review(subtests: pytest.Subtests) -> None:
    for file in RECORDS:
        with subtests.test(file=file):
            result = run("review", str(file), "--lang", "en")
            assert (result.exit_code, result.stdout) == (0, file.with_suffix(".review.txt").read_text())
