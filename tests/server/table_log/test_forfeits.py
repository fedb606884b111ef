"""Resignations and forfeits, the choice of a clock, and tables without one."""

import itertools
from pathlib import Path

import msgspec
import pytest

from fifteentwo.contest.statistics import GameCount
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.state import Phase
from fifteentwo.server.errors import Refused
from fifteentwo.server.live import move_clock, seeding
from fifteentwo.server.pages import site
from fifteentwo.server.people.ratings import SignedInSeat, rated_sides
from fifteentwo.server.store.history import GameSummary
from fifteentwo.server.table_log.time_controls import FORFEIT_ON_TIMEOUT, TimeControl
from tests.support.clocked_tables import DAY, LOSES, Time, at_a_table
from tests.support.errors import raises_code


@pytest.mark.parametrize("terms", [LOSES, None])
async def test_person_can_resign_at_any_turn(tmp_path: Path, time: Time, terms: TimeControl | None) -> None:
    async with at_a_table(tmp_path, time, terms) as table:
        await table.until(0, phase=Phase.PLAY)
        await move_clock.resign(table.live, 1, 1)
        won = table.ledger.table.state.won
        assert won is not None
        assert (won.side, won.forfeited, won.why) == (0, 1, ForfeitedFor.RESIGNED)
        assert table.live.ledger.match_so_far.games == (1, 0)
        for person in (0, 1):
            with pytest.raises(IllegalAction):
                await move_clock.resign(table.live, person, 1)
        with pytest.raises(IllegalAction):
            await move_clock.come_back(table.live, 1)
        stories = [message["t"] for message in table.messages(0)]
        assert "event" in stories


async def test_resigning_from_an_earlier_game_is_refused(tmp_path: Path, time: Time) -> None:
    """The page still asks for confirmation when the game ends and a player starts the next."""
    async with at_a_table(tmp_path, time, None) as table:
        await table.until(0, phase=Phase.PLAY)
        await move_clock.resign(table.live, 1, 1)
        await table.live.next_game()
        for game in (1, 3, 0, -1):
            with raises_code(Refused, "another-game"):
                await move_clock.resign(table.live, 0, game)
        assert not table.ledger.table.over
        await move_clock.resign(table.live, 0, 2)
        assert table.live.ledger.match_so_far.games == (1, 1)


async def test_no_clock_runs_while_everyone_is_present_without_a_clock(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, None) as table:
        await table.until(0, phase=Phase.PLAY)
        table.go(1)
        await table.later(100_000, step=1000.0)
        assert {one["running"] for one in table.clock_of(0)["seats"]} == {None}
        assert table.ledger.disconnects.spans == ()


def test_chosen_clock_is_agreed_only_between_people(subtests: pytest.Subtests) -> None:
    cases: list[tuple[dict[str, str], TimeControl | None]] = [
        ({}, None),
        ({"clock_on_timeout": "forfeit"}, None),
        ({"clock_move": "60"}, TimeControl(60, None, "club")),
        (
            {"clock_move": "60", "clock_away": "300", "clock_on_timeout": "master"},
            TimeControl(60, 300, "master"),
        ),
        ({"clock_away": "120", "clock_on_timeout": "forfeit"}, TimeControl(600, 120, FORFEIT_ON_TIMEOUT)),
        ({"clock_move": "86400", "clock_away": "300"}, TimeControl(DAY, None, "club")),
    ]
    for fields, agreed in cases:
        with subtests.test(fields=fields, agreed=agreed):
            assert site.read_table_form({**fields, "level_1": "person"})[1].clock == agreed
            assert site.read_table_form({**fields, "level_1": "club"})[1].clock is None, "no computer is late"
            with_one = {**fields, "variant": "three-handed", "level_1": "club", "level_2": "person"}
            assert site.read_table_form(with_one)[1].clock == agreed


def test_a_clock_that_is_not_offered_is_refused(subtests: pytest.Subtests) -> None:
    for value, name in itertools.product(
        ["", "-1", "61", "1e3", "wizard", "nan"], ["clock_move", "clock_away", "clock_on_timeout"]
    ):
        with subtests.test(value=value, name=name), raises_code(Refused, "option-unknown"):
            site.read_table_form({name: value, "level_1": "person"})


@pytest.mark.parametrize("waited", [(1,), (0, 1)])
async def test_person_absent_for_a_week_forfeits(
    tmp_path: Path, time: Time, waited: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeding, "ABANDONED_SECONDS", 0)
    async with at_a_table(tmp_path, time, None) as table:
        phase = Phase.PLAY if len(waited) == 1 else Phase.DISCARD
        await table.until(*waited, phase=phase)
        await seeding.close_abandoned(table.live)
        won = table.ledger.table.state.won
        assert table.ledger.is_abandoned is (won is None) is (len(waited) == 2)
        if won is not None:
            assert (won.forfeited, won.why) == (table.ledger.seat_of(1), ForfeitedFor.AWAY)


async def test_daily_deal_cannot_be_resigned(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, None) as table:
        table.live.options = msgspec.structs.replace(table.live.options, daily="2026-11-22")
        with raises_code(Refused, "not-in-the-daily-deal"):
            await move_clock.resign(table.live, 0, 1)


def test_forfeiting_player_is_rated_last() -> None:
    kept = GameSummary(
        ended_at=1,
        variant="three-handed",
        target=121,
        players=(0, 1, 2),
        names=("A", "B", "C"),
        levels=(None, None, None),
        sides=3,
        winner=1,
        scores=(110, 90, 20),
        games_lost=(1, 0, 1),
        has_clock=True,
        count=GameCount((), ()),
    )
    seats = {number: SignedInSeat(owner) for number, owner in enumerate("abc")}
    left = msgspec.structs.replace(kept, forfeited_seat=0, forfeit_reason=ForfeitedFor.AWAY)
    assert [side.rank for side in rated_sides(kept, seats)] == [2, 1, 3]
    assert [side.rank for side in rated_sides(left, seats)] == [3, 1, 2]
