"""Forfeited games, forfeited at any moment, survive writing and reading in every notation."""

import random
from collections.abc import Iterator
from itertools import product

import pytest

from fifteentwo.formats import FORMATS, CannotBeWritten, read_one, write
from fifteentwo.formats.forfeit_lines import MARK
from fifteentwo.rules.actions import Deal, Forfeit
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.events import ClaimSettled, DealEnded, ForfeitedFor, GameWon
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.record import read as read_record
from fifteentwo.rules.record import write as write_record
from fifteentwo.rules.variants import SIX_CARD, Muggins, rules_for
from tests.formats.written_games import happenings, written_game
from tests.support.careless_games import careless
from tests.support.errors import raises_code

AGREED = (SIX_CARD, rules_for("six-card", target=61, cut_before_deal=False, starter="top"))


def given_up(game: Record, after: int, luck: random.Random) -> Record:
    forfeit = Forfeit(luck.randrange(2), luck.choice(tuple(ForfeitedFor)))
    return Record(rules=game.rules, names=game.names, actions=(*game.actions[:after], forfeit))


def ending(record: Record, *, turned: bool) -> Iterator[object]:
    """Yield everything seen and scored, and who forfeited and why."""
    yield from happenings(record, first_pone=turned)
    for _, _, events in replay(record):
        yield from (event.why for event in events if isinstance(event, GameWon))


def assert_comes_back(game: Record, format_name: str) -> None:
    text = write(game, format_name)
    back = read_one(text, target=game.rules.target).record
    assert list(ending(back, turned=False)) == list(ending(game, turned=format_name == "transcript")), text
    assert write(back, format_name) == text, "written again it reads the same"
    assert read_record(write_record(back)) == back, "and it is a record like any other"


def test_a_game_forfeited_at_any_moment_survives_writing_and_reading(subtests: pytest.Subtests) -> None:
    for format_name, rules in product(FORMATS, AGREED):
        with subtests.test(format_name=format_name, rules=rules):
            luck = random.Random(5)
            for number in range(2):
                game = written_game(number, rules)
                # Every third moment of the first deal, some later ones, and the last before the game is won.
                some = luck.sample(range(len(game.actions)), 4)
                for after in sorted({*range(0, 45 if number == 1 else 1, 3), *some, len(game.actions) - 1}):
                    assert_comes_back(given_up(game, after, luck), format_name)


def no_wrong_claim_before_the_open_deal(game: Record) -> bool:
    wrong = 0
    for _, _, events in replay(game):
        for event in events:
            wrong += isinstance(event, ClaimSettled) and event.claimed != event.right
            if isinstance(event, DealEnded) and wrong:
                return False
    return True


def test_claims_in_the_open_deal_come_back(subtests: pytest.Subtests) -> None:
    for muggins in list(Muggins):
        with subtests.test(muggins=muggins):
            luck, written = random.Random(6), 0
            for number in range(2):
                game = careless(number, muggins)
                for after in luck.sample(range(len(game.actions)), 5):
                    gone = given_up(game, after, luck)
                    for format_name in FORMATS:
                        if format_name == "halscrib" or no_wrong_claim_before_the_open_deal(gone):
                            written += 1
                            assert_comes_back(gone, format_name)
                        else:
                            with raises_code(CannotBeWritten, "format-claim"):
                                write(gone, format_name)
            assert written > 8


def refused(text: str) -> tuple[str, int]:
    with pytest.raises(NotationError) as error:
        read_one(text)
    return error.value.code, error.value.position


def test_a_wrong_line_of_ours_is_named(subtests: pytest.Subtests) -> None:
    for format_name in FORMATS:
        with subtests.test(format_name=format_name):
            game = written_game(3)
            third = [place for place, action in enumerate(game.actions) if isinstance(action, Deal)][2]
            text = write(given_up(game, third + 6, random.Random(1)), format_name)
            lines = text.splitlines()
            [*_, last] = [place for place, line in enumerate(lines) if line.startswith(MARK)]
            assert last == len(lines) - 1
            for wrong in ("forfeit 0", "fly", "muggins high", "counting claimed", "seat 0 Aiko"):
                assert refused("\n".join((*lines[:-1], MARK + wrong))) == ("not-an-action", last + 1)
            for wrong in ("forfeit 2 resigned", "play 0 5H", "deal 5H"):
                assert refused("\n".join((*lines[:-1], MARK + wrong))) == ("action-refused", last + 1)
            again = "\n".join((*lines, lines[-1]))
            assert refused(again) == ("action-refused", last + 2)
