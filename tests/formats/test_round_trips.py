"""Games written in other notations and read back are equal; damaged ones are refused with their line."""

import random
import re

import pytest

from fifteentwo.formats import FORMATS, read_one, write
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.record import read as read_record
from fifteentwo.rules.record import write as write_record
from fifteentwo.rules.variants import rules_for
from tests.formats.written_games import breaking, happenings, written_game

HALF = rules_for("six-card", target=61, starter="top", skunk=True)


def assert_comes_back(number: int, format_name: str) -> None:
    rules = HALF if number % 5 == 4 else rules_for("six-card")
    game = written_game(number, rules)
    text = write(game, format_name)
    back = read_one(text, target=rules.target).record
    turned = format_name == "transcript"
    assert list(happenings(back)) == list(happenings(game, first_pone=turned)), (format_name, number)
    assert write(back, format_name) == text, "written again it reads the same"
    assert read_record(write_record(back)) == back, "and it is a record like any other"
    if not turned:
        assert back.names == tuple(" ".join(name.split()) for name in game.names)


def assert_refused_by_line(number: int, format_name: str) -> None:
    luck = random.Random(number)
    text, lines = breaking(write(written_game(number), format_name), luck)
    with pytest.raises(NotationError) as refused:
        read_one(text)
    assert refused.value.position in lines, (format_name, number, str(refused.value), lines)


@pytest.mark.parametrize("games", [7, pytest.param(10_000, marks=pytest.mark.slow)])
def test_games_survive_writing_and_reading(games: int, subtests: pytest.Subtests) -> None:
    for format_name in FORMATS:
        with subtests.test(format_name=format_name):
            for number in range(games):
                assert_comes_back(number, format_name)


@pytest.mark.parametrize("games", [20, pytest.param(1_000, marks=pytest.mark.slow)])
def test_damaged_games_are_refused_by_line(games: int, subtests: pytest.Subtests) -> None:
    for format_name in FORMATS:
        with subtests.test(format_name=format_name):
            for number in range(games):
                assert_refused_by_line(number, format_name)


def test_a_changed_text_is_refused_or_read_exactly(subtests: pytest.Subtests) -> None:
    """Any changed character is refused, or gives another game with exactly this text."""
    for format_name in FORMATS:
        with subtests.test(format_name=format_name):
            luck, taken = random.Random(12), 0
            text = write(written_game(7), format_name)
            for _ in range(60):
                at = luck.randrange(len(text))
                changed = text[:at] + luck.choice("A2359TJQKSHDCshdc-() \n:<>#?") + text[at + 1 :]
                again, line = _read_again(changed, format_name)
                assert 1 <= line <= changed.count("\n") + 1
                taken += bool(again)
                assert not again or _cards_of(again) == _cards_of(changed)
            assert taken < 20


def _read_again(text: str, format_name: str) -> tuple[str, int]:
    """Return the text of the game read from a text, or nothing and the line of the error."""
    try:
        return write(read_one(text).record, format_name), 1
    except NotationError as error:
        return "", error.position


def _cards_of(text: str) -> list[set[str]]:
    """Return the cards of each deal, without the owner of the starter."""
    deals = re.split(r"^Deal +\d+: |^PONE.*", text, flags=re.MULTILINE)[1:]
    return [set(re.findall(r"\b[A2-9TJQK][SHDC]\b", deal.upper())) for deal in deals]
