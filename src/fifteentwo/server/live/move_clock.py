"""The clocks of a table: the time for a move, and the time that a person may be absent.

A clock runs for each person who must act or reveal, while another person has a page open. If the person has a
page open, the time for the move runs. Otherwise the time of their absence in this game runs, and the time for
the move is paused. If only one of the two was agreed, a move's time runs in both cases, and an absence's time
only during the absence. No clock runs before all seeds are known, while a dealer is named, or during a
challenge.

The monotonic clock of this process measures the times, so that nobody is charged while the server is down.
After a restart or a failed write, a move starts again; absences are written to the log. A correspondence move
is timed by the dates in the log.

If no clock was agreed, nothing is logged and no time runs out. Instead, others may claim the game from a
person who is absent for too long, also before the first card, or who has a page open and does not move.
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.state import Phase
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live import wire
from fifteentwo.server.live.computers import MAX_WRITE_RETRY_SECONDS
from fifteentwo.server.live.open_page import SeatClock
from fifteentwo.server.live.table import LiveTable, Part
from fifteentwo.server.store.store import CONFLICT
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.rows import Row
from fifteentwo.server.table_log.time_controls import (
    ABSENCE_CLAIM_SECONDS,
    CORRESPONDENCE_SECONDS,
    FORFEIT_ON_TIMEOUT,
    NO_CLOCK,
    TimeControl,
)

GRACE_SECONDS = 10.0
"""Seconds after a table was loaded in which nobody counts as absent, because pages reconnect then."""
ABSENCE_ROWS = 20
"""Log rows for a whole agreed absence: one is written after each twentieth of it."""
MAX_TIMER_SECONDS = 5.0
"""Seconds after which a running clock is checked at the latest."""
MAX_CHARGED_SECONDS = 10.0
"""Seconds charged at most between two checks; more pass only if the process was suspended."""
CLOCK_TOLERANCE_SECONDS = 0.5
"""Seconds by which a page's clock may differ before it is sent again."""
TRANSIT_SECONDS = 0.3
"""Seconds added to each time, so that an action sent at the last moment still arrives."""
MAX_COME_BACK_SECONDS = 5.0
"""Seconds that a person who returns waits at most for the level to act first."""
STAND_IN_LEVEL = "club"
"""The level that plays for an absent person if no clock was agreed."""

ClaimOutcome = Literal["forfeit", "level"]
"""The outcomes that may be claimed: the absent person forfeits, or a level plays for them."""

ClockKind = Literal["move", "away"]
"""The time of a person's move, or the time of a person's absence."""
MOVE_CLOCK: ClockKind = "move"
ABSENCE_CLOCK: ClockKind = "away"
_FORFEIT_REASONS = {MOVE_CLOCK: ForfeitedFor.TIME, ABSENCE_CLOCK: ForfeitedFor.AWAY}

steady_clock: Callable[[], float] = time.monotonic
wall_clock: Callable[[], float] = time.time
_PROCESS_START = steady_clock()


class MoveTime(NamedTuple):
    """The seconds that a person has used of a move, and the log row that asked for the move."""

    asked_seq: int
    """Sequence number of the log row that asked for the move."""
    seconds_used: float


class MoveClock(Part):
    """The part that runs the clocks, after every change of the table and by its own timer."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None
        self._opened_at = self._charged_at = steady_clock()
        self._running: dict[int, ClockKind] = {}
        """The clock that has run for each person since the last charge."""
        self._move_times: dict[int, MoveTime] = {}
        self._unlogged: dict[int, float] = {}
        """Seconds of absence by person that are not in the log yet."""
        self._logged: dict[int, float] = {}
        """Seconds of absence by person that were in the log at the last charge."""
        self._game_seq = 0
        self._had_no_agreed_clock = False
        self._appending: set[int] = set()

    def on_change(self, table: LiveTable) -> None:
        """Charge the time that has passed, choose the clocks that run now, and send them to the pages."""
        terms = _time_control_in_force(table)
        if terms is None:
            return
        self._charge_elapsed_time(table)
        if self._had_no_agreed_clock and terms is not NO_CLOCK:
            # The agreed times start here, in full.
            self._unlogged.clear()
        self._had_no_agreed_clock = terms is NO_CLOCK
        self._running = self._clocks_to_run(table)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if table.pages and (left := self._seconds_until_check(table, terms)) is not None:
            left = min(max(left, 0.0), MAX_TIMER_SECONDS)
            self._timer = asyncio.get_running_loop().call_later(left, self.check, table)
        self._send_clocks(table, terms)

    def on_write_failed(self, table: LiveTable, error: StoreError) -> None:
        """Start all times again: nobody is charged for an action that the database could not store."""
        if error.code != CONFLICT:
            self._move_times.clear()
            self._unlogged.clear()
            self._charged_at = steady_clock()
            self.on_change(table)

    def stop(self, table: LiveTable) -> None:
        self._running = {}
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def check(self, table: LiveTable) -> None:
        """Append a timeout for each person whose time has run out, and write absences to the log."""
        self.on_change(table)
        terms = _time_control_in_force(table)
        if terms is None or terms is NO_CLOCK:
            return
        for person, kind in self._running.items():
            if person in self._appending:
                continue
            if self._seconds_left(table, terms, person, kind) + TRANSIT_SECONDS <= 0.0:
                self._appending.add(person)
                asked = table.ledger.waiting_since[person].row_seq
                table.tasks.start(self._append_timeout(table, terms, person, kind, asked))
            elif kind == ABSENCE_CLOCK and self._unlogged.get(person, 0.0) >= _seconds_per_absence_row(terms):
                self._appending.add(person)
                table.tasks.start(self._append_absence(table, person))

    def _charge_elapsed_time(self, table: LiveTable) -> None:
        passed, self._charged_at = min(steady_clock() - self._charged_at, MAX_CHARGED_SECONDS), steady_clock()
        ledger = table.ledger
        if self._game_seq != ledger.game_start.seq:
            self._game_seq = ledger.game_start.seq
            self._move_times, self._unlogged, self._running = {}, {}, {}
            self._logged = dict(ledger.disconnects.absences)
        for person, kind in self._running.items():
            if kind == ABSENCE_CLOCK:
                self._unlogged[person] = self._unlogged.get(person, 0.0) + passed
            elif person in self._move_times:
                spent = self._move_times[person]
                self._move_times[person] = MoveTime(spent.asked_seq, spent.seconds_used + passed)
        for person, seconds in ledger.disconnects.absences.items():
            noted = seconds - self._logged.get(person, 0.0)
            self._unlogged[person] = max(0.0, self._unlogged.get(person, 0.0) - noted)
        self._logged = dict(ledger.disconnects.absences)
        # A new move has its whole time.
        for person, asked in ledger.waiting_since.items():
            if person not in self._move_times or self._move_times[person].asked_seq != asked.row_seq:
                self._move_times[person] = MoveTime(asked.row_seq, 0.0)

    def _clocks_to_run(self, table: LiveTable) -> dict[int, ClockKind]:
        terms, ledger = _time_control_in_force(table), table.ledger
        is_timed = ledger.table.state.phase is Phase.CHALLENGE and table.options.challenge_seconds is not None
        if terms is None or is_timed or ledger.is_abandoned:
            return {}
        seeding = ledger.awaited_for_seeds if terms is NO_CLOCK else ()
        waited: Iterable[int] = seeding or ledger.waiting_since
        present, levels = table.present_people(), ledger.disconnects.levels_by_person
        people = {number for number, one in enumerate(table.people) if one.level is None}
        running: dict[int, ClockKind] = {}
        if terms is NO_CLOCK:
            # A person who is back, or need not act any more, has the whole time again.
            away = [one for one in waited if one not in present]
            self._unlogged = {one: s for one, s in self._unlogged.items() if one in away}
        for person in waited:
            if person not in people or person in levels or table.people[person].is_seat_open:
                continue
            if terms.is_correspondence:
                running[person] = MOVE_CLOCK
            elif (present & people) - {person}:
                if person in present or terms.away_seconds is None:
                    if terms.move_seconds is not None and (
                        terms is not NO_CLOCK or _delays_another_person(table, person)
                    ):
                        running[person] = MOVE_CLOCK
                elif steady_clock() >= self._opened_at + GRACE_SECONDS:
                    running[person] = ABSENCE_CLOCK
        return running

    def _seconds_left(self, table: LiveTable, terms: TimeControl, person: int, kind: ClockKind) -> float:
        ledger = table.ledger
        if kind == ABSENCE_CLOCK:
            assert terms.away_seconds is not None
            logged = ledger.disconnects.absences.get(person, 0.0)
            return terms.away_seconds - logged - self._unlogged.get(person, 0.0)
        assert terms.move_seconds is not None
        if terms.is_correspondence:
            at = ledger.waiting_since[person].unix_seconds or wall_clock()
            return max(
                at + terms.move_seconds - wall_clock(),
                _PROCESS_START + CORRESPONDENCE_SECONDS - steady_clock(),
            )
        is_discard = ledger.table.state.phase is Phase.DISCARD
        agreed = terms.discard_seconds if is_discard else None
        return (agreed or terms.move_seconds) - self._move_times[person].seconds_used

    def _seconds_until_check(self, table: LiveTable, terms: TimeControl) -> float | None:
        """Return the seconds until the next check; None if no clock runs."""
        dues = []
        for person, kind in self._running.items():
            if terms is NO_CLOCK:
                dues.append(MAX_TIMER_SECONDS)
            elif person not in self._appending:
                dues.append(self._seconds_left(table, terms, person, kind) + TRANSIT_SECONDS)
                if kind == ABSENCE_CLOCK:
                    dues.append(_seconds_per_absence_row(terms) - self._unlogged.get(person, 0.0))
        if steady_clock() < self._opened_at + GRACE_SECONDS:
            dues.append(self._opened_at + GRACE_SECONDS - steady_clock())
        return min(dues, default=None)

    async def _append_timeout(
        self, table: LiveTable, terms: TimeControl, person: int, kind: ClockKind, asked_seq: int
    ) -> None:
        """Append the agreed consequence of a timeout, unless the person has acted or is back."""
        ledger = table.ledger

        def decide() -> Row:
            is_back = kind == ABSENCE_CLOCK and self._clocks_to_run(table).get(person) != ABSENCE_CLOCK
            since = ledger.waiting_since.get(person)
            if since is None or since.row_seq != asked_seq or is_back:
                raise Refused("acted-in-time")
            if terms.on_timeout == FORFEIT_ON_TIMEOUT:
                return proposals.forfeit(ledger, person, _FORFEIT_REASONS[kind])
            return proposals.stand_in(ledger, person, terms.on_timeout)

        await self._append_row(table, person, decide)

    async def _append_absence(self, table: LiveTable, person: int) -> None:
        seconds = round(self._unlogged.get(person, 0.0), 2)
        await self._append_row(table, person, lambda: proposals.log_absence(table.ledger, person, seconds))

    async def _append_row(self, table: LiveTable, person: int, decide: Callable[[], Row]) -> None:
        try:
            await table.add_row(decide)
        except StoreError as error:
            if error.code != CONFLICT:
                await asyncio.sleep(MAX_WRITE_RETRY_SECONDS)
            self.on_write_failed(table, error)
        except FifteenTwoError:
            # The person has just acted or is back, or the game is over.
            pass
        finally:
            self._appending.discard(person)
            if not table.is_dropped:
                self.on_change(table)

    async def claim(self, table: LiveTable, claimant: int, seat: int, outcome: ClaimOutcome) -> None:
        """Append a claim against a person who was absent or idle for long enough, or raise Refused."""
        ledger = table.ledger
        self.on_change(table)

        def decide() -> Row:
            person = ledger.seated[seat] if 0 <= seat < len(ledger.seated) else claimant
            is_claimable = _time_control_in_force(table) is NO_CLOCK and person != claimant
            kind = self._clocks_to_run(table).get(person) if is_claimable else None
            # A page's clock may be ahead by the tolerance.
            if kind is None or self._seconds_left(table, NO_CLOCK, person, kind) > CLOCK_TOLERANCE_SECONDS:
                raise Refused("nothing-to-claim", status=409)
            if ledger.awaited_for_seeds:
                return proposals.abandon(ledger)
            if outcome == FORFEIT_ON_TIMEOUT:
                return proposals.forfeit(ledger, person, _FORFEIT_REASONS[kind])
            return proposals.stand_in(ledger, person, STAND_IN_LEVEL)

        await table.add_row(decide)

    def _send_clocks(self, table: LiveTable, terms: TimeControl) -> None:
        levels = table.ledger.disconnects.levels_by_person
        seats = []
        for person in table.ledger.seated:
            kind = self._running.get(person)
            left = None if kind is None else round(max(self._seconds_left(table, terms, person, kind), 0), 2)
            if terms is NO_CLOCK and kind == MOVE_CLOCK and left is not None and left > ABSENCE_CLAIM_SECONDS:
                # Pages show only the last minutes, so that nobody is hurried who thinks for a while.
                kind = left = None
            seats.append(wire.SeatTime(kind, left, levels.get(person)))
        now = steady_clock()
        until: list[SeatClock] = [
            (one.running, one.level, one.seconds_left and now + one.seconds_left) for one in seats
        ]
        is_empty = terms is NO_CLOCK and all(one.running is None and one.level is None for one in seats)
        for page in table.pages:
            if not _nearly_equal(page.sent_clock, until) and not (is_empty and page.sent_clock is None):
                page.sent_clock = until
                clock = wire.Clock(tuple(seats), terms.move_seconds, terms.away_seconds, terms.on_timeout)
                page.send(wire.encode(wire.ClockMessage(clock)))


def _time_control_in_force(table: LiveTable) -> TimeControl | None:
    """Return the time control in force; NO_CLOCK if several people play without one."""
    agreed = table.options.clock
    # No clock makes a page reveal its seed, so before that, too, the others may claim.
    if agreed is not None and (agreed.is_correspondence or not table.ledger.awaited_for_seeds):
        return agreed
    return NO_CLOCK if sum(one.level is None for one in table.people) > 1 else None


def _delays_another_person(table: LiveTable, person: int) -> bool:
    """Return whether a person delays another one, who has a page open."""
    people = table.people
    here = table.present_people()
    waiting = any(people[one].level is None and people[one].owner != people[person].owner for one in here)
    return waiting and person in table.ledger.waiting_since


def _seconds_per_absence_row(terms: TimeControl) -> float:
    return max((terms.away_seconds or 0.0) / ABSENCE_ROWS, 0.05)


def _nearly_equal(sent: list[SeatClock] | None, other: list[SeatClock]) -> bool:
    return sent is not None and all(
        one[:2] == two[:2] and abs((one[2] or 0.0) - (two[2] or 0.0)) < CLOCK_TOLERANCE_SECONDS
        for one, two in zip(sent, other, strict=True)
    )


async def resign(table: LiveTable, person: int, game: int) -> None:
    """Append a resignation from the game with this number. Raise Refused or IllegalAction if it is over."""
    if table.options.daily is not None:
        raise Refused("not-in-the-daily-deal")

    def decide() -> Row:
        if table.ledger.match.number_in_match != game:
            raise Refused("another-game", status=409)
        return proposals.forfeit(table.ledger, person, ForfeitedFor.RESIGNED)

    await table.add_row(decide)


async def come_back(table: LiveTable, person: int) -> None:
    """Append that a person plays again, once the level has acted. Raise Refused if none plays for them."""
    until = steady_clock() + MAX_COME_BACK_SECONDS
    while proposals.must_level_act_first(table.ledger, person) and steady_clock() < until:
        await asyncio.sleep(0.02)
    await table.add_row(lambda: proposals.come_back(table.ledger, person))
