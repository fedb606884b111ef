"""The clocks of a table, with a time that the tests set: clocks that run, charged time, and timeouts."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.rules.actions import Accept, NameDealer
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.rules.view import view
from fifteentwo.server.errors import Refused
from fifteentwo.server.live import computers, move_clock
from fifteentwo.server.live.move_clock import MoveClock
from fifteentwo.server.live.table import LiveTable, Part, RowAdded
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.time_controls import FORFEIT_ON_TIMEOUT, TimeControl
from tests.support.clocked_tables import BOTH, DAY, LOSES, MINUTE, NAMES, Time, again, at_a_table
from tests.support.errors import raises_code

# ── Time for a move ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("variant", "then"),
    [
        pytest.param(
            one, then, marks=[] if one is Variant.SIX_CARD or then == FORFEIT_ON_TIMEOUT else pytest.mark.long
        )
        for one in Variant
        for then in ("club", FORFEIT_ON_TIMEOUT)
    ],
)
async def test_move_timeout_forfeits_or_starts_a_level_in_every_variant(
    tmp_path: Path, time: Time, variant: Variant, then: str
) -> None:
    rules = rules_for(variant.value)
    async with at_a_table(
        tmp_path, time, TimeControl(move_seconds=60.0, on_timeout=then), rules, people=rules.seats
    ) as table:
        await table.until(0, phase=Phase.PLAY)
        await table.later(59.9)
        assert table.ledger.disconnects.levels_by_person == {}
        assert table.asked() == [0]
        await table.later(0.5)
        if then == FORFEIT_ON_TIMEOUT:
            won = table.ledger.table.state.won
            assert won is not None
            assert (won.forfeited, won.why) == (table.ledger.seat_of(0), ForfeitedFor.TIME)
            return
        assert table.ledger.disconnects.levels_by_person == {0: "club"}
        # The level plays all further turns of its seat; the others play to the end.
        while not table.ledger.table.over:
            await table.settled()
            if waiting := [one for one in table.asked() if one != 0]:
                await table.act(waiting[0])
        record = table.ledger.record(1, NAMES[: rules.seats])
        (one,) = record.stood_in
        assert (one.level, one.last) == ("club", len(record.actions))


async def test_each_move_starts_with_its_whole_time(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, MINUTE) as table:
        for _ in range(30):
            if not (asked := table.asked()):
                break
            await table.later(55)
            await table.act(asked[0])
            # The other player, who must discard too, has also used those 55 seconds.
            for person in [one for one in table.asked() if one in asked]:
                await table.act(person)
        assert table.ledger.disconnects.spans == ()


async def test_each_player_who_must_discard_has_a_clock(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, BOTH, rules_for("three-handed"), people=3) as table:
        await table.until(0, 1, 2, phase=Phase.DISCARD)
        await table.later(30)
        table.go(1)
        await table.later(29)
        await table.act(2)
        await table.later(2)
        # Aiko has used up her minute; Ben's clock was paused while he was away; Cyd has discarded.
        assert table.ledger.disconnects.levels_by_person == {0: "club"}
        assert [seat["running"] for seat in table.clock_of(2)["seats"]] == [None, "away", None]
        assert table.clock_of(2)["seats"][1]["seconds_left"] == pytest.approx(120 - 31, abs=0.6)
        await table.come(1)
        own = table.clock_of(1)["seats"][1]
        assert own == {"running": "move", "seconds_left": pytest.approx(30, abs=0.6), "level": None}
        await table.later(31)
        assert table.ledger.disconnects.levels_by_person == {0: "club", 1: "club"}


async def test_action_received_before_the_timeout_counts(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, MINUTE) as table:
        await table.until(0, phase=Phase.PLAY)
        append, waits = table.store.append, asyncio.Event()

        async def slow(game_id: str, row: Any) -> None:
            await waits.wait()
            await append(game_id, row)

        table.store.append = slow  # type: ignore[method-assign]
        seen = view(table.ledger.table.state, table.ledger.seat_of(0))
        acting = asyncio.ensure_future(table.live.act(0, table.players[0].act(seen)))
        await asyncio.sleep(0.01)
        # The disk is slow: the row is being written when the time runs out.
        time.go(61)
        table.live.part(MoveClock).check(table.live)
        await asyncio.sleep(0.01)
        waits.set()
        await acting
        await table.settled()
        assert table.ledger.disconnects.levels_by_person == {}
        assert (
            table.ledger.waiting_since.get(0) is None
            or table.ledger.waiting_since[0].row_seq == table.ledger.seq
        )


async def test_no_clock_runs_before_the_seeds_are_known_or_for_a_person_who_need_not_act(
    tmp_path: Path, time: Time
) -> None:
    async with at_a_table(tmp_path, time, LOSES) as table:
        # The pages of the first game took no part. The next game waits for Ben's seed.
        await move_clock.resign(table.live, 0, 1)
        taking_part = "ab" * 32
        table.pages[1].commitment = taking_part
        await table.live.next_game()
        await table.settled()
        assert table.ledger.awaited_for_seeds == (1,)
        await table.later(10_000)
        assert not table.ledger.table.over
        with raises_code(Refused, "seeds-awaited"):
            await move_clock.resign(table.live, 1, 2)


async def test_no_clock_runs_while_a_dealer_must_be_named(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, LOSES, rules_for("six-card", first_dealer="named")) as table:
        assert table.ledger.table.state.phase is Phase.NAME_DEALER
        await table.later(10_000)
        assert not table.ledger.table.over
        await table.live.act(0, NameDealer(0))
        await table.later(61)
        assert table.ledger.table.over


async def test_r24_timeout_draws_the_committed_card_for_the_deal(tmp_path: Path, time: Time) -> None:

    rules = rules_for("partners", partners_by_draw=True)
    async with at_a_table(tmp_path, time, MINUTE, rules, people=3) as table:
        assert sorted(table.asked()) == [0, 1, 2]
        await table.act(1)
        await table.later(61)
        assert {0, 2} <= set(table.ledger.disconnects.levels_by_person)
        for _ in range(8):
            if table.ledger.table.state.phase is not Phase.DRAW:
                break
            # A tie: Ben draws again, and the server draws for the others.
            await table.act(1)
        assert table.ledger.table.state.phase is not Phase.DRAW


async def test_r97_only_the_challenge_clock_runs_during_a_challenge(tmp_path: Path, time: Time) -> None:

    rules = rules_for("six-card", counting="claimed", muggins="missed")
    async with at_a_table(tmp_path, time, LOSES, rules) as table:
        for _ in range(200):
            if table.ledger.table.state.phase is Phase.CHALLENGE:
                break
            await table.act(table.asked()[0])
        (person,) = table.asked()
        table.go(person)
        assert all(seat["running"] is None for seat in table.clock_of(1 - person)["seats"])
        await table.later(10_000)
        assert table.ledger.disconnects.levels_by_person == {}
        assert not table.ledger.table.over
        await table.live.act(person, Accept(table.ledger.seat_of(person)))


# ── Being away ───────────────────────────────────────────────────────────────────────────────────────────


async def test_absence_is_totalled_over_a_game_and_runs_only_while_the_table_waits(
    tmp_path: Path, time: Time
) -> None:
    async with at_a_table(tmp_path, time, BOTH) as table:
        await table.until(0, phase=Phase.PLAY)
        table.go(0)
        await table.later(50, step=1)
        await table.come(0)
        await table.until(1, phase=Phase.PLAY)
        table.go(0)
        # Nobody waits for Aiko, because it is Ben's turn.
        await table.later(40, step=1)
        await table.act(1)
        while table.asked() == [1]:
            await table.act(1)
        left = table.clock_of(1)["seats"][0]["seconds_left"] if table.asked() == [0] else None
        await table.later(60, step=1)
        assert left is None or left == pytest.approx(70, abs=1.0)
        assert table.ledger.disconnects.levels_by_person == {}
        await table.later(12, step=1)
        assert table.ledger.disconnects.levels_by_person == {0: "club"}
        assert table.ledger.disconnects.absences[0] == pytest.approx(120, abs=7)


async def test_long_absence_forfeits_if_that_was_agreed(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, LOSES) as table:
        await table.until(1, phase=Phase.PLAY)
        table.go(1)
        await table.later(121, step=1)
        won = table.ledger.table.state.won
        assert won is not None
        assert (won.side, won.forfeited, won.why) == (0, 1, ForfeitedFor.AWAY)
        sentence = [one for one in table.messages(0) if one["t"] == "event"][-1]["d"]["sentence"]
        assert sentence.startswith("Ben was away for too long and forfeits the game. You win,")
        # The time is whole again in a new game.
        await table.come(1)
        await table.live.next_game()
        await table.settled()
        assert table.ledger.disconnects.absences == {}


async def test_nothing_is_charged_while_nobody_waits(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, BOTH) as table:
        await table.until(0, phase=Phase.PLAY)
        table.go(1)
        # Aiko thinks while nobody else is at the table.
        await table.later(10_000)
        assert table.ledger.disconnects.levels_by_person == {}
        table.go(0)
        await table.later(10_000)
        await table.come(1)
        await table.later(119, step=1)
        assert table.ledger.disconnects.levels_by_person == {}
        await table.later(3, step=1)
        assert table.ledger.disconnects.levels_by_person == {0: "club"}


async def test_repeated_absences_get_no_more_than_the_agreed_time(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, LOSES) as table:
        await table.until(0, phase=Phase.PLAY)
        waited = 0.0
        while not table.ledger.table.over:
            await table.later(0.4)
            table.go(0)
            await table.later(0.4)
            await table.come(0)
            waited += 0.8
            assert waited < 200
        # An absence of 120 s by halves, or a minute of the move: the first one used up counts.
        assert waited == pytest.approx(120, abs=2)
        rows = [row.type for row in await table.store.rows(table.name, 1, 1000)]
        assert rows.count("away") <= move_clock.ABSENCE_ROWS


async def test_returning_person_plays_until_the_next_timeout(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, BOTH) as table:
        await table.until(0, phase=Phase.PLAY)
        table.go(0)
        await table.later(121, step=1)
        assert table.ledger.disconnects.levels_by_person == {0: "club"}
        await table.come(0)
        await table.settled()
        with raises_code(Refused, "level-plays-for-you"):
            await table.live.act(0, Accept(0))
        views = [one["d"] for one in table.messages(0) if one["t"] in ("view", "table")]
        assert views[-1]["choices"] == []
        assert table.clock_of(1)["seats"][0]["level"] == "club"
        await move_clock.come_back(table.live, 0)
        await table.settled()
        assert table.clock_of(1)["seats"][0]["level"] is None
        await table.until(0, phase=Phase.PLAY)
        await table.later(59)
        await table.act(0)
        await table.until(0, phase=Phase.PLAY)
        table.go(0)
        # No time of absence is left.
        await table.later(1)
        assert table.ledger.disconnects.levels_by_person == {0: "club"}
        assert len(table.ledger.disconnects.spans) == 2


class AtOnce(Part):
    """A part that calls a function whenever a row was added."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call = call

    def on_row_added(self, _table: LiveTable, _row: RowAdded) -> None:
        self.call()


async def test_returning_at_once_each_time_cannot_delay_the_game(tmp_path: Path, time: Time) -> None:
    """A page that returned before the level has played would have its whole time again."""
    async with at_a_table(tmp_path, time, MINUTE) as table:
        await table.until(0, phase=Phase.PLAY)
        parts = table.live.parts
        for _ in range(3):
            before = len(table.ledger.table.actions)
            coming: list[asyncio.Task[None]] = []

            def come_back(before: int = before, coming: list[asyncio.Task[None]] = coming) -> None:
                if 0 in table.ledger.disconnects.levels_by_person and not coming:
                    assert len(table.ledger.table.actions) == before
                    with raises_code(Refused, "level-plays-first"):
                        proposals.come_back(table.ledger, 0)
                    coming.append(asyncio.get_running_loop().create_task(move_clock.come_back(table.live, 0)))

            at_once = AtOnce(come_back)
            table.live.parts = (*parts, at_once)
            await table.later(61, step=1)
            await asyncio.wait_for(asyncio.gather(*coming), 20)
            table.live.parts = parts
            assert len(coming) == 1
            assert len(table.ledger.table.actions) > before, "the level made the move that was due"
            assert table.ledger.disconnects.levels_by_person == {}
            await table.until(0, phase=Phase.PLAY)
        spans = table.ledger.disconnects.spans
        assert len(spans) == 3
        assert all(span.end_action is not None and span.end_action > span.first_action for span in spans)


async def test_open_seats_and_computers_have_no_clock(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, BOTH, rules_for("three-handed"), people=2) as table:
        await table.until(0, phase=Phase.PLAY)
        seats = table.clock_of(0)["seats"]
        assert [seats[table.ledger.seat_of(person)]["running"] for person in (1, 2)] == [None, None]


# ── Kills, and a database that is away ───────────────────────────────────────────────────────────────────


async def test_kill_charges_nobody_and_loses_less_than_a_twentieth_of_an_absence(
    tmp_path: Path, time: Time
) -> None:
    async with at_a_table(tmp_path, time, BOTH) as table:
        await table.until(0, phase=Phase.PLAY)
        table.go(0)
        await table.later(100, step=1)
        used = table.ledger.disconnects.absences[0]
        assert 100 - 120 / move_clock.ABSENCE_ROWS < used <= 100
        # An hour passes before the server runs again.
        time.go(3600)
        await again(table)
        assert table.ledger.disconnects.absences[0] == used
        await table.come(1)
        await table.later(move_clock.GRACE_SECONDS - 0.1, step=0.5)
        assert table.ledger.disconnects.levels_by_person == {}
        await table.later(120 - used, step=0.5)
        assert table.ledger.disconnects.levels_by_person == {}
        await table.later(1, step=0.5)
        assert table.ledger.disconnects.levels_by_person == {0: "club"}
        # The level continues after another kill.
        await again(table)
        assert table.ledger.disconnects.levels_by_person == {0: "club"}


async def test_move_has_its_whole_time_again_after_a_kill(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, BOTH) as table:
        await table.until(0, phase=Phase.PLAY)
        await table.later(59)
        await again(table)
        await table.come(0, 1)
        await table.later(59)
        assert table.ledger.disconnects.levels_by_person == {}
        await table.later(2)
        assert table.ledger.disconnects.levels_by_person == {0: "club"}


@pytest.mark.parametrize("fails", ["before", "after"])
async def test_nobody_loses_time_while_the_database_is_unavailable(
    tmp_path: Path, time: Time, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    monkeypatch.setattr(move_clock, "MAX_WRITE_RETRY_SECONDS", 0.0)
    monkeypatch.setattr(computers, "WRITE_RETRY_SECONDS", 0.0)
    monkeypatch.setattr(computers, "MAX_WRITE_RETRY_SECONDS", 0.01)
    async with at_a_table(tmp_path, time, MINUTE) as table:
        await table.until(0, phase=Phase.PLAY)
        await table.later(50)
        seq, table.store.fails = table.ledger.seq, fails
        seen = view(table.ledger.table.state, table.ledger.seat_of(0))
        with pytest.raises(FifteenTwoError):
            await table.live.act(0, table.players[0].act(seen))
        await table.later(50)
        assert table.ledger.disconnects.levels_by_person == {}, "what Aiko tried was refused by the disk"
        await table.later(11)
        table.store.fails = None
        assert table.ledger.disconnects.levels_by_person == {}
        await table.later(59)
        if fails == "before":
            assert table.ledger.seq == seq
            assert table.ledger.disconnects.levels_by_person == {}
            await table.later(2)
            assert table.ledger.disconnects.levels_by_person == {0: "club"}
        else:
            # The row was stored before; later rows agree with it.
            await table.later(2)
            await table.settled()


async def test_suspended_process_charges_little_time(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, MINUTE) as table:
        await table.until(0, phase=Phase.PLAY)
        await table.later(20)
        time.go(3600)
        table.live.part(MoveClock).check(table.live)
        await table.settled()
        left = table.clock_of(1)["seats"][table.ledger.seat_of(0)]["seconds_left"]
        assert left == pytest.approx(60 - 20 - move_clock.MAX_CHARGED_SECONDS, abs=0.6)
        assert table.ledger.disconnects.levels_by_person == {}


# ── By correspondence ────────────────────────────────────────────────────────────────────────────────────


async def test_correspondence_move_is_timed_by_the_date_and_ends_when_a_page_opens(
    tmp_path: Path, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fifteentwo.server.live.table.time.time", lambda: time.date)
    async with at_a_table(tmp_path, time, TimeControl(move_seconds=DAY)) as table:
        await table.until(0, phase=Phase.PLAY)
        table.go(0, 1)
        time.go(DAY - 60)
        await again(table)
        await table.come(1)
        await table.later(0.001)
        assert table.ledger.disconnects.levels_by_person == {}
        assert table.clock_of(1)["seats"][table.ledger.seat_of(0)]["seconds_left"] == pytest.approx(
            60, abs=20
        )
        table.go(1)
        time.go(100)
        # The server was restarted just now: no correspondence move times out within an hour.
        monkeypatch.setattr(move_clock, "_PROCESS_START", time.now - 10)
        await again(table)
        await table.come(1)
        await table.later(3500)
        assert table.ledger.disconnects.levels_by_person == {}
        await table.later(100)
        assert table.ledger.disconnects.levels_by_person == {0: "club"}
