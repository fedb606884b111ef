"""The clocks of a table: the time for a move, and the time a person may be absent.

A clock runs for each person the table waits for, while another person has a page open. While their own page
is open, the move's time runs. While it is closed, the time they may be absent in this game runs instead, and
the move's stands still. If only one of the two was agreed, a move's time runs in both cases, and an absence
only while they are absent. No clock runs before all seeds are in, while a dealer is named, or during a
challenge.

Times are measured by the monotonic clock of this process, so that nobody is charged while the server is down.
After a restart a move begins again; at most a twentieth of the agreed absence is lost, because absences are
written to the log. Nobody counts as absent until GRACE_SECONDS after the table came into memory. After a
write that the database refused, the times begin again, and a process that was suspended charges at most
MAX_CHARGED_SECONDS. A move by correspondence runs by the dates in the log; none ends within an hour of the
start of the server.

If no clock was agreed, nothing is logged and nothing ends by itself: the others may claim the game from a
person who is absent for too long, also before the first card, or who has a page open and does not move.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Literal, NamedTuple

from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.state import Phase
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live import wire
from fifteentwo.server.live.computers import MAX_RETRY_DELAY_SECONDS
from fifteentwo.server.live.open_page import SeatClock
from fifteentwo.server.live.table import LiveTable, Part
from fifteentwo.server.store.store import CONFLICT
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.rows import Person, Row
from fifteentwo.server.table_log.time_controls import CLAIM_AFTER, CLAIMED, FORFEIT, LONG, Terms

GRACE_SECONDS = 10.0
"""Seconds after a table came into memory in which nobody counts as absent, because pages reconnect then."""
ABSENCE_NOTES = 20
"""An absence is written to the log whenever one part in so many of the agreed time has passed."""
MAX_LOOK_SECONDS = 5.0
"""Seconds after which a running clock is looked at in any case."""
MAX_CHARGED_SECONDS = 10.0
"""Seconds charged at most from one look to the next; more passes only if the process was suspended."""
CLOCK_TOLERANCE_SECONDS = 0.5
"""Seconds by which a page's clock may differ before it is sent again."""
IN_TRANSIT_SECONDS = 0.3
"""Seconds allowed for an action that was sent in the last moment to arrive."""
MAX_COME_BACK_SECONDS = 5.0
"""Seconds for which a person who takes their seat again waits until the level has acted."""
STAND_IN_LEVEL = "club"
"""The level that plays for an absent person if no clock was agreed."""

Claimed = Literal["forfeit", "level"]
"""What may be claimed: that the absent person has lost, or that a level plays for them."""

Runs = Literal["move", "away"]
MOVE: Runs = "move"
AWAY: Runs = "away"
_WHY = {MOVE: ForfeitedFor.TIME, AWAY: ForfeitedFor.AWAY}

now: Callable[[], float] = time.monotonic
today: Callable[[], float] = time.time
_STARTED = now()


class Spent(NamedTuple):
    """What a person has used of a move: the row by which they were asked, and seconds."""

    asked: int
    seconds: float


class MoveClock(Part):
    """The clock of moves at one table. It is updated after every change, and by its own timer."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None
        self._opened = self._looked = now()
        self._running: dict[int, Runs] = {}
        """What has run for whom since the last look."""
        self._spent: dict[int, Spent] = {}
        self._unnoted: dict[int, float] = {}
        """Seconds of absence that are not in the log yet."""
        self._noted: dict[int, float] = {}
        """Seconds of absence that were in the log at the last look."""
        self._game = 0
        self._was_claimed = False
        self._busy: set[int] = set()
        """People whose time is being ended or noted."""

    # ── Running ──────────────────────────────────────────────────────────────────────────────────────────

    def changed(self, table: LiveTable) -> None:
        """Charge what has passed, run for whom it runs now, and send pages the clocks."""
        terms = _terms(table)
        if terms is None:
            return
        self._charge(table)
        if self._was_claimed and terms is not CLAIMED:
            # The agreed times run from here on, from their beginning.
            self._unnoted.clear()
        self._was_claimed = terms is CLAIMED
        self._running = self._runs(table)
        self._set_timer(table, terms)
        self._send(table, terms)

    def write_failed(self, table: LiveTable, error: StoreError) -> None:
        """Begin all times again: nobody is charged for an action that the database could not store."""
        if error.code != CONFLICT:
            self._spent.clear()
            self._unnoted.clear()
            self._looked = now()
            self.changed(table)

    def stop(self, table: LiveTable) -> None:
        self._running = {}
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def look(self, table: LiveTable) -> None:
        """End the time of whoever has used it up, and write absences to the log."""
        self.changed(table)
        terms = _terms(table)
        if terms is None or terms is CLAIMED:
            return
        for person, kind in self._running.items():
            if person in self._busy:
                continue
            if self._left(table, terms, person, kind) + IN_TRANSIT_SECONDS <= 0.0:
                asked = table.ledger.asked[person].seq
                self._begin(table, person, self._end(table, terms, person, kind, asked))
            elif kind == AWAY and self._unnoted.get(person, 0.0) >= _note_seconds(terms):
                self._begin(table, person, self._note(table, person))

    def _begin(self, table: LiveTable, person: int, work: Coroutine[Any, Any, None]) -> None:
        self._busy.add(person)
        table.tasks.begin(work)

    def _set_timer(self, table: LiveTable, terms: Terms) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if table.pages and (left := self._next(table, terms)) is not None:
            left = min(max(left, 0.0), MAX_LOOK_SECONDS)
            self._timer = asyncio.get_running_loop().call_later(left, self.look, table)

    def _charge(self, table: LiveTable) -> None:
        """Charge what has run since the last look."""
        passed, self._looked = min(now() - self._looked, MAX_CHARGED_SECONDS), now()
        ledger = table.ledger
        if self._game != ledger.beginning.seq:
            self._game = ledger.beginning.seq
            self._spent, self._unnoted, self._running = {}, {}, {}
            self._noted = dict(ledger.disconnects.used)
        for person, kind in self._running.items():
            if kind == AWAY:
                self._unnoted[person] = self._unnoted.get(person, 0.0) + passed
            elif person in self._spent:
                spent = self._spent[person]
                self._spent[person] = Spent(spent.asked, spent.seconds + passed)
        for person, seconds in ledger.disconnects.used.items():
            noted = seconds - self._noted.get(person, 0.0)
            self._unnoted[person] = max(0.0, self._unnoted.get(person, 0.0) - noted)
        self._noted = dict(ledger.disconnects.used)
        # Each move begins with its whole time.
        for person, asked in ledger.asked.items():
            if person not in self._spent or self._spent[person].asked != asked.seq:
                self._spent[person] = Spent(asked.seq, 0.0)

    def _runs(self, table: LiveTable) -> dict[int, Runs]:
        """Return what runs for whom now."""
        terms, ledger = _terms(table), table.ledger
        has_own_clock = (
            ledger.table.state.phase is Phase.CHALLENGE and table.options.challenge_seconds is not None
        )
        if terms is None or has_own_clock or ledger.closed:
            return {}
        waited: Iterable[int] = ledger.awaited if terms is CLAIMED and ledger.awaited else ledger.asked
        present = table.present()
        people = {number for number, one in enumerate(table.people) if one.level is None}
        running: dict[int, Runs] = {}
        if terms is CLAIMED:
            # A person who is back, or no longer waited for, has the whole time again.
            self._unnoted = {
                one: s for one, s in self._unnoted.items() if one in waited and one not in present
            }
        for person in waited:
            if person not in people or person in ledger.disconnects.levels or _is_open(table.people[person]):
                continue
            if terms.is_long:
                running[person] = MOVE
            elif (present & people) - {person}:
                if person in present or terms.away_seconds is None:
                    if terms.move_seconds is not None and (
                        terms is not CLAIMED or _can_be_idle(table, person)
                    ):
                        running[person] = MOVE
                elif now() >= self._opened + GRACE_SECONDS:
                    running[person] = AWAY
        return running

    def _left(self, table: LiveTable, terms: Terms, person: int, kind: Runs) -> float:
        """Return the seconds that are left."""
        ledger = table.ledger
        if kind == AWAY:
            assert terms.away_seconds is not None
            return (
                terms.away_seconds - ledger.disconnects.used.get(person, 0.0) - self._unnoted.get(person, 0.0)
            )
        assert terms.move_seconds is not None
        if terms.is_long:
            at = ledger.asked[person].at or today()
            return max(at + terms.move_seconds - today(), _STARTED + LONG - now())
        return terms.move_seconds - self._spent[person].seconds

    def _next(self, table: LiveTable, terms: Terms) -> float | None:
        """Return the seconds until the next look; None if no clock runs."""
        dues = []
        for person, kind in self._running.items():
            if terms is CLAIMED:
                dues.append(MAX_LOOK_SECONDS)
            elif person not in self._busy:
                dues.append(self._left(table, terms, person, kind) + IN_TRANSIT_SECONDS)
                if kind == AWAY:
                    dues.append(_note_seconds(terms) - self._unnoted.get(person, 0.0))
        if now() < self._opened + GRACE_SECONDS:
            dues.append(self._opened + GRACE_SECONDS - now())
        return min(dues, default=None)

    # ── Consequences ─────────────────────────────────────────────────────────────────────────────────────

    async def _end(self, table: LiveTable, terms: Terms, person: int, kind: Runs, asked: int) -> None:
        """Append what was agreed for a person whose time is used up, unless they have acted or come back."""
        ledger = table.ledger

        def decide() -> Row:
            is_back = kind == AWAY and self._runs(table).get(person) != AWAY
            if person not in ledger.asked or ledger.asked[person].seq != asked or is_back:
                raise Refused("acted-in-time")
            if terms.on_timeout == FORFEIT:
                return proposals.forfeit(ledger, person, _WHY[kind])
            return proposals.stand_in(ledger, person, terms.on_timeout)

        await self._append(table, person, decide)

    async def _note(self, table: LiveTable, person: int) -> None:
        seconds = round(self._unnoted.get(person, 0.0), 2)
        await self._append(table, person, lambda: proposals.note_away(table.ledger, person, seconds))

    async def _append(self, table: LiveTable, person: int, decide: Callable[[], Row]) -> None:
        try:
            await table.add(decide)
        except StoreError as error:
            if error.code != CONFLICT:
                await asyncio.sleep(MAX_RETRY_DELAY_SECONDS)
            self.write_failed(table, error)
        except FifteenTwoError:
            # They have just acted or come back, or the game is over.
            pass
        finally:
            self._busy.discard(person)
            if not table.is_dropped:
                self.changed(table)

    async def claim(self, table: LiveTable, by: int, seat: int, then: Claimed) -> None:
        """Append what a person claims from another who was absent or idle for too long; Refused before."""
        ledger = table.ledger
        self.changed(table)

        def decide() -> Row:
            person = ledger.seated[seat] if 0 <= seat < len(ledger.seated) else by
            is_claimable = _terms(table) is CLAIMED and person != by
            kind = self._runs(table).get(person) if is_claimable else None
            # A page's own clock may be ahead by the tolerance.
            if kind is None or self._left(table, CLAIMED, person, kind) > CLOCK_TOLERANCE_SECONDS:
                raise Refused("nothing-to-claim", status=409)
            if ledger.awaited:
                return proposals.close(ledger)
            if then == FORFEIT:
                return proposals.forfeit(ledger, person, _WHY[kind])
            return proposals.stand_in(ledger, person, STAND_IN_LEVEL)

        await table.add(decide)

    # ── Sending ──────────────────────────────────────────────────────────────────────────────────────────

    def _send(self, table: LiveTable, terms: Terms) -> None:
        """Send the clocks to every page that does not know them."""
        levels = table.ledger.disconnects.levels
        seats = []
        for person in table.ledger.seated:
            kind = self._running.get(person)
            left = None if kind is None else round(max(self._left(table, terms, person, kind), 0.0), 2)
            if terms is CLAIMED and kind == MOVE and left is not None and left > CLAIM_AFTER:
                # Pages show the last minutes only: a person who thinks for a while is not hurried.
                kind = left = None
            seats.append(wire.SeatTime(kind, left, levels.get(person)))
        until: list[SeatClock] = [
            (one.running, one.level, now() + one.seconds_left if one.seconds_left else one.seconds_left)
            for one in seats
        ]
        is_empty = terms is CLAIMED and all(one.running is None and one.level is None for one in seats)
        for page in table.pages:
            if not _are_close(page.clock, until) and not (is_empty and page.clock is None):
                page.clock = until
                clock = wire.Clock(tuple(seats), terms.move_seconds, terms.away_seconds, terms.on_timeout)
                page.send(wire.message(wire.ClockMessage(clock)))


def _terms(table: LiveTable) -> Terms | None:
    """Return the time control in force; CLAIMED if none runs that was agreed and several people play."""
    agreed = table.options.clock
    # No clock makes a page reveal its seed: before that, too, others may ask to go on without it.
    if agreed is not None and (agreed.is_long or not table.ledger.awaited):
        return agreed
    return CLAIMED if sum(one.level is None for one in table.people) > 1 else None


def _can_be_idle(table: LiveTable, person: int) -> bool:
    people = table.people
    here = table.present()
    waiting = any(people[one].level is None and people[one].owner != people[person].owner for one in here)
    return waiting and person in table.ledger.asked


def _note_seconds(terms: Terms) -> float:
    return max((terms.away_seconds or 0.0) / ABSENCE_NOTES, 0.05)


def _is_open(person: Person) -> bool:
    return person.invitation is not None and person.owner is None


def _are_close(sent: list[SeatClock] | None, other: list[SeatClock]) -> bool:
    """Return whether a page already has these clocks, within the tolerance."""
    return sent is not None and all(
        one[:2] == two[:2] and abs((one[2] or 0.0) - (two[2] or 0.0)) < CLOCK_TOLERANCE_SECONDS
        for one, two in zip(sent, other, strict=True)
    )


async def resign(table: LiveTable, person: int, game: int) -> None:
    """Append a resignation from the game of this number; Refused or IllegalAction if none is possible."""
    if table.options.daily is not None:
        raise Refused("not-in-the-daily-deal")

    def decide() -> Row:
        if table.ledger.match.number_in_match != game:
            raise Refused("another-game", status=409)
        return proposals.forfeit(table.ledger, person, ForfeitedFor.RESIGNED)

    await table.add(decide)


async def come_back(table: LiveTable, person: int) -> None:
    """Append that a person is back, once the level has done what was due; Refused if none plays for them."""
    until = now() + MAX_COME_BACK_SECONDS
    while proposals.plays_first(table.ledger, person) and now() < until:
        await asyncio.sleep(0.02)
    await table.add(lambda: proposals.come_back(table.ledger, person))
