"""The engine protocol of bots: every line gets a response."""

import json
from typing import Any

import msgspec
import pytest

from fifteentwo.contest.table import Table
from fifteentwo.engines.bot import Bot
from fifteentwo.players import LEVELS, UnknownLevel
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.game import legal
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View, choices, view


def seen(phase: Phase, seat: int = 0) -> View:
    """Return a seat's View when a game first reaches a phase."""
    table = Table(rules_for("six-card"), seeded(3))
    while table.state.phase != phase:
        action = legal(table.state)[0]
        table.submit(action.seat, action)  # type: ignore[union-attr, arg-type]
    return view(table.state, seat)


def answers(*lines: bytes, level: str = "greedy") -> list[dict[str, Any]]:
    return [json.loads(answer) for answer in Bot(level, 1).responses(lines)]


def test_every_view_is_answered_with_a_bare_action() -> None:
    """Our decoder and the server's refuse unknown fields."""
    for phase in (Phase.DRAW, Phase.DISCARD, Phase.PLAY):
        seats = [asked for asked in (seen(phase, seat) for seat in (0, 1)) if choices(asked)]
        assert seats
        for asked in seats:
            (answer,) = Bot("greedy", 1).responses([to_json(asked)])
            assert from_json(answer, SeatAction) in choices(asked)  # type: ignore[arg-type]


def test_a_bot_names_its_level_only_when_asked() -> None:
    about = {"type": "engine", "level": "club", "protocol": 1}
    result = answers(b"engine\n", to_json(seen(Phase.DISCARD)) + b"\r\n", b" engine \n", level="club")
    assert result[0] == result[2] == about
    assert result[1]["type"] == "Discard"
    assert json.loads(Bot("club", 1).introduction) == about


def test_an_invalid_line_is_answered_and_so_is_the_next() -> None:
    good = to_json(seen(Phase.DISCARD))
    result = answers(b"nonsense\n", b"\xff\xfe\n", b"\n", good[:-5], b'{"seat":0}', b"[" * 5000, good)
    assert [answer.get("code") for answer in result] == ["not-readable"] * 5 + [None]
    assert result[-1]["type"] == "Discard"


def test_a_view_without_a_seat_to_act_is_answered_with_not_now() -> None:
    asked = msgspec.structs.replace(seen(Phase.DISCARD), phase=Phase.OVER)
    assert answers(to_json(asked)) == [{"type": "error", "code": "not-now", "rule": "R125"}]


def test_a_view_no_game_leads_to_does_not_end_the_engine(subtests: pytest.Subtests) -> None:
    for level in LEVELS:
        with subtests.test(level=level):
            asked = next(one for one in (seen(Phase.PLAY, seat) for seat in (0, 1)) if choices(one))
            empty = to_json(msgspec.structs.replace(asked, hand=()))
            first, second = answers(empty, b"engine", level=level)
            assert first["type"] == "error"
            assert first["code"] in ("impossible-view", "impossible-play")
            assert second["level"] == level


def test_quit_ends_the_bot() -> None:
    assert answers(b"engine\n", b"quit\n", b"engine\n") == answers(b"engine\n")


def test_an_unknown_level_is_refused_before_anything_is_read() -> None:
    with pytest.raises(UnknownLevel):
        Bot("wizard", 1)
