"""The golden games are replayed word for word."""

import pytest

from fifteentwo.rules.events import GameWon
from fifteentwo.rules.record import read, replay
from tests.rules.golden_games import AGREED, FOLDER, whole
from tests.rules.positions import VARIANTS
from tests.rules.second_referee import Referee

FILES = sorted(FOLDER.glob("*.txt"))


def test_every_agreed_game_is_kept() -> None:
    assert {path.stem for path in FILES} == set(AGREED)
    assert {rules.variant for rules in AGREED.values()} == set(VARIANTS)


def test_golden_game(subtests: pytest.Subtests) -> None:
    for path in FILES:
        with subtests.test(path=path):
            kept = path.read_text("utf-8")
            written, _, _ = kept.partition("\n\n")
            record = read(written + "\n")
            assert record.rules == AGREED[path.stem]
            assert whole(record).splitlines() == kept.splitlines()
            # The stored games are right, because the second referee agrees.
            *_, (_, last, events) = replay(record)
            assert isinstance(events[-1], GameWon)
            judged = Referee(record.rules, record.actions).judge()
            assert tuple(judged.scores) == last.front
            assert judged.winner == events[-1].side
