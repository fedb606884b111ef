"""The clocks of a table: a moment to challenge a claim, the time for a move, and the time to be away.

The clock of moves runs for each person the table waits for, while another person has a page open. While their
own page is open their move's time runs; while it is not, their time to be away in this game runs instead, and
the move's stands still. Where only one of the two was agreed, a move's time runs whether or not they are
here, and a time to be away runs only while they are not. Before all seeds are in, while a dealer is named,
and while a challenge has its own moment, nothing runs.

All of it is this program's own time, so a server that is down charges no one. After it comes back a move
begins again, and of the time away what the log has counts: less than a twentieth of what was agreed is lost.
For a while after a table came into memory no one is charged for being away (GRACE). What the database does
not take begins again as well, and a program that was stopped charges no more than MOST_CHARGED. A move by
correspondence runs by the dates in the log, present or not; none ends within an hour of the server's
start, and it is looked at when a page opens. Where several processes serve a table, the lease holder decides,
and sends the others what it has counted.

Without an agreed clock nothing is logged and nothing ends by itself: the others may claim the game from a
person who is away for too long, before the first card too, or who keeps their page open and does not move.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Literal, NamedTuple

from fifteentwo.rules.actions import Accept
from fifteentwo.rules.errors import FifteenTwoError, IllegalAction
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.state import Phase
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live import wire
from fifteentwo.server.live.audience import Audience, SeatClock
from fifteentwo.server.live.computers import LOOKS_AGAIN
from fifteentwo.server.live.log import CONFLICT, TableLog
from fifteentwo.server.live.page_updates import PageUpdates
from fifteentwo.server.live.peer_link import PeerLink
from fifteentwo.server.live.seating import Seating
from fifteentwo.server.peers import Leases
from fifteentwo.server.table_log import forfeits, proposals
from fifteentwo.server.table_log.rows import Row
from fifteentwo.server.table_log.time_controls import CLAIM_AFTER, CLAIMED, FORFEIT, LONG, Terms

GRACE = 10.0
"""Seconds after a table came into memory in which no one counts as away: pages come back after a restart."""
NOTED_BY = 20
"""Time away is noted whenever a part like this of what was agreed has passed."""
BEAT = 5.0
"""Seconds after which a clock that runs is looked at, whatever happens."""
MOST_CHARGED = 10.0
"""Seconds charged at most from one look to the next: a program that was stopped charges no more."""
AGAIN = 0.5
"""Seconds by which a page's clock may be off before it is sent again."""

ON_ITS_WAY = 0.3
"""Seconds for what was done in the last moment to reach the server."""

COMES_WITHIN = 5.0
"""Seconds for which a person who takes their seat again waits until the level has played."""

PLAYS_ON = "club"
"""The level that plays for a person away where no clock was agreed."""

Claimed = Literal["forfeit", "level"]
"""What may be asked for: that the person away has lost, or that a level plays on for them."""

Runs = Literal["move", "away"]
MOVE: Runs = "move"
AWAY: Runs = "away"
_WHY = {MOVE: ForfeitedFor.TIME, AWAY: ForfeitedFor.AWAY}

now: Callable[[], float] = time.monotonic
today: Callable[[], float] = time.time
_STARTED = now()


class ChallengeClock:
    """The clock of challenges at one table; it runs while a page is open."""

    def __init__(self, log: TableLog, audience: Audience, leases: Leases, seating: Seating) -> None:
        self._log = log
        self._audience = audience
        self._leases = leases
        self._seating = seating
        self._timer: asyncio.TimerHandle | None = None
        self._claim: tuple[int, int] | None = None
        log.changed.triggers(self.set)
        audience.joined.triggers(self.set)
        audience.left.triggers(self.set)

    def set(self) -> None:
        """Start it where persons are asked about a claim it does not run for yet, and stop it elsewhere."""
        moment = self._seating.options.moment
        if not self._asked() or not self._audience or moment is None:
            self.stop()
            return
        if self._timer is None or self._claim != self._asked_about:
            self.stop()
            self._claim = self._asked_about
            self._timer = asyncio.get_running_loop().call_later(moment, self._time_is_up)

    def stop(self) -> None:
        """Stop it: no one is asked, or no page is open."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._claim = None

    def left(self) -> float | None:
        """Return the seconds that are left; None where it does not run."""
        return None if self._timer is None else self._timer.when() - asyncio.get_running_loop().time()

    def _time_is_up(self) -> None:
        self._timer = self._claim = None
        self._log.tasks.begin(self._accept_for_all(self._asked_about))

    @property
    def _asked_about(self) -> tuple[int, int]:
        """Which claim the table asks about, where it asks."""
        state = self._log.ledger.table.state
        return self._log.restarts, len(state.played) * 100 + state.shown

    async def _accept_for_all(self, claim: tuple[int, int]) -> None:
        """Accept for every person who is asked about this claim, however long the database is away."""
        table, pause = self._log, LOOKS_AGAIN[0]
        while self._asked_about == claim and (seats := self._asked()):
            if not self._leases.owns(table.id):
                # The process with the lease does it, or this one once it has it.
                await asyncio.sleep(LOOKS_AGAIN[0])
                continue
            try:
                await table.act_for(table.ledger.seated[seats[0]], Accept(seats[0]), claim[0])
            except StoreError:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LOOKS_AGAIN[1])
            except IllegalAction:
                # They spoke for themselves in this very moment.
                return

    def _asked(self) -> list[int]:
        table = self._log.ledger.table
        if table.state.phase is not Phase.CHALLENGE:
            return []
        return [seat for seat in table.waiting if self._seating.level(seat) is None]


class Spent(NamedTuple):
    """What a person has used of a move: the row by which they were asked, and seconds."""

    asked: int
    seconds: float


class MoveClock:
    """The clock of moves at one table. It is set whenever anything changes, and by its own timer."""

    def __init__(
        self,
        log: TableLog,
        audience: Audience,
        leases: Leases,
        seating: Seating,
        link: PeerLink,
        updates: PageUpdates,
    ) -> None:
        self._log = log
        self._audience = audience
        self._leases = leases
        self._seating = seating
        self._link = link
        self._people = updates.now
        log.failed.subscribe(self.failed)
        updates.people_sent.subscribe(self.set)
        link.presence_changed.subscribe(self._presence_changed)
        link.clock.subscribe(self.take_over)
        self._timer: asyncio.TimerHandle | None = None
        self._opened = self._looked = now()
        self._running: dict[int, Runs] = {}
        """What has run for whom since it was last looked."""
        self._spent: dict[int, Spent] = {}
        self._unnoted: dict[int, float] = {}
        """Seconds away that are not in the log yet."""
        self._noted: dict[int, float] = {}
        """Those that were in the log when it was last looked, whichever process noted them."""
        self._game = 0
        self._was_claimed = False
        self._busy: set[int] = set()
        """Whose time is being ended or noted."""

    # ── Running ──────────────────────────────────────────────────────────────────────────────────────────

    def set(self) -> None:
        """Something has changed: count what has passed, and run on for whom it runs now."""
        if self._terms is None:
            return
        self._count()
        if self._was_claimed and not self._is_claimed:
            # From here on what was agreed runs, from its beginning.
            self._unnoted.clear()
        self._was_claimed = self._is_claimed
        self._running = self._runs()
        self._go_on()
        self._send()

    def stop(self) -> None:
        """Stop it: no page is open, or another process runs it from now on."""
        if self._terms is not None:
            self._count()
        self._running = {}
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def failed(self, error: StoreError) -> None:
        """The database did not take what a person did: none is charged for that, and moves begin again."""
        if error.code != CONFLICT:
            self._begin_again()

    def _presence_changed(self, is_new: bool) -> None:
        if is_new and self._audience:
            self.publish()

    def _begin_again(self) -> None:
        self._spent.clear()
        self._unnoted.clear()
        self._looked = now()
        self.set()

    def _go_on(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._audience and (left := self._next()) is not None:
            # Where another process has the table, it ends what is to be ended.
            left = min(max(left, 0.0 if self._is_owner else LOOKS_AGAIN[0]), BEAT)
            self._timer = asyncio.get_running_loop().call_later(left, self.look)

    @property
    def _is_owner(self) -> bool:
        """Whether this table's clock decides in this process."""
        return self._leases.owns(self._log.id)

    def look(self) -> None:
        """Whose time is up loses it; what is to be noted is."""
        self.set()
        if self._is_claimed:
            return
        for person, kind in self._running.items():
            if person in self._busy or not self._is_owner:
                continue
            if self._left(person, kind) + ON_ITS_WAY <= 0.0:
                self._begin(person, self._end(person, kind, self._log.ledger.asked[person].seq))
            elif kind == AWAY and self._unnoted.get(person, 0.0) >= self._mark:
                self._begin(person, self._note(person))

    def _begin(self, person: int, work: Coroutine[Any, Any, None]) -> None:
        self._busy.add(person)
        self._log.tasks.begin(work)

    @property
    def _terms(self) -> Terms | None:
        agreed = self._seating.options.clock
        # No clock makes a page reveal its seed: before that, too, others may ask to go on without it.
        if agreed is not None and (agreed.is_long or not self._log.ledger.awaited):
            return agreed
        return CLAIMED if sum(one.level is None for one in self._seating.people) > 1 else None

    @property
    def _is_claimed(self) -> bool:
        """Where no clock runs that was agreed nothing ends by itself: those who stay may ask for it."""
        return self._terms is CLAIMED

    @property
    def _mark(self) -> float:
        """Seconds away after which they are noted."""
        terms = self._terms
        return max((terms.away or 0.0) / NOTED_BY, 0.05) if terms is not None else 0.0

    def _count(self) -> None:
        """Charge what has run since it was last looked."""
        passed, self._looked = min(now() - self._looked, MOST_CHARGED), now()
        ledger = self._log.ledger
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
        # A move that was made is paid for; another begins at nothing.
        for person, asked in ledger.asked.items():
            if person not in self._spent or self._spent[person].asked != asked.seq:
                self._spent[person] = Spent(asked.seq, 0.0)

    def _runs(self) -> dict[int, Runs]:
        """What runs for whom, as things stand."""
        seating, terms, ledger = self._seating, self._terms, self._log.ledger
        own_moment = ledger.table.state.phase is Phase.CHALLENGE and seating.options.moment is not None
        if terms is None or own_moment or ledger.closed:
            return {}
        waited: Iterable[int] = ledger.asked
        if self._is_claimed and ledger.awaited:
            waited = ledger.awaited
        seats = self._people()
        here = {person for person, is_here in zip(ledger.seated, seats.present, strict=True) if is_here}
        empty = {person for person, is_open in zip(ledger.seated, seats.open, strict=True) if is_open}
        people = {number for number, one in enumerate(seating.people) if one.level is None}
        running: dict[int, Runs] = {}
        if self._is_claimed:
            # A person who is back, or no longer waited for, has the whole time again.
            self._unnoted = {one: s for one, s in self._unnoted.items() if one in waited and one not in here}
        for person in waited:
            if person in empty or person not in people or person in ledger.disconnects.levels:
                continue
            if terms.is_long:
                running[person] = MOVE
            elif (here & people) - {person}:
                if person in here or terms.away is None:
                    if terms.move is not None and (not self._is_claimed or self._can_be_idle(person, here)):
                        running[person] = MOVE
                elif now() >= self._opened + GRACE:
                    running[person] = AWAY
        return running

    def _can_be_idle(self, person: int, here: Iterable[int]) -> bool:
        """Return whether a person may act now, and somebody at another screen waits for them."""
        people = self._seating.people
        waiting = any(people[one].level is None and people[one].owner != people[person].owner for one in here)
        return waiting and person in self._log.ledger.asked

    def _left(self, person: int, kind: Runs) -> float:
        """Seconds that are left."""
        terms, ledger = self._terms, self._log.ledger
        assert terms is not None
        if kind == AWAY:
            assert terms.away is not None
            return terms.away - ledger.disconnects.used.get(person, 0.0) - self._unnoted.get(person, 0.0)
        assert terms.move is not None
        if terms.is_long:
            at = ledger.asked[person].at or today()
            return max(at + terms.move - today(), _STARTED + LONG - now())
        return terms.move - self._spent[person].seconds

    def _next(self) -> float | None:
        """Seconds until it must be looked again."""
        dues = []
        for person, kind in self._running.items():
            if self._is_claimed:
                dues.append(BEAT)
            elif person not in self._busy:
                dues.append(self._left(person, kind) + ON_ITS_WAY)
                if kind == AWAY:
                    dues.append(self._mark - self._unnoted.get(person, 0.0))
        if now() < self._opened + GRACE:
            dues.append(self._opened + GRACE - now())
        return min(dues, default=None)

    # ── What comes of it ─────────────────────────────────────────────────────────────────────────────────

    async def _end(self, person: int, kind: Runs, asked: int) -> None:
        """Do what was agreed for a person whose time is used up; what reached the server before it stands."""
        terms, ledger = self._terms, self._log.ledger
        assert terms is not None

        def row() -> Row:
            came = kind == AWAY and self._runs().get(person) != AWAY
            if person not in ledger.asked or ledger.asked[person].seq != asked or came:
                raise Refused("in-time")
            if terms.then == FORFEIT:
                return forfeits.forfeit(ledger, person, _WHY[kind])
            return forfeits.stand_in(ledger, person, terms.then)

        await self._kept(person, row)

    async def _note(self, person: int) -> None:
        """Append how long a person has been away."""
        seconds = round(self._unnoted.get(person, 0.0), 2)

        await self._kept(person, lambda: forfeits.note_away(self._log.ledger, person, seconds))

    async def _kept(self, person: int, row: Callable[[], Row]) -> None:
        try:
            await self._log.add(row, self._log.epoch())
        except StoreError as error:
            if error.code != CONFLICT:
                await asyncio.sleep(LOOKS_AGAIN[1])
            self.failed(error)
        except FifteenTwoError:
            # They acted, or came, in this very moment; or the game is over.
            pass
        finally:
            self._busy.discard(person)
            self.set()

    async def resign(self, person: int, game: int) -> None:
        """Append a resignation from the game of this number; Refused or IllegalAction where none is taken."""
        ledger = self._log.ledger
        if self._seating.options.daily is not None:
            raise Refused("not-in-the-daily-deal")

        def forfeit() -> Row:
            if ledger.match.of_match != game:
                raise Refused("another-game", status=409)
            return forfeits.forfeit(ledger, person, ForfeitedFor.RESIGNED)

        await self._log.add(forfeit)

    async def claim(self, by: int, seat: int, then: Claimed) -> None:
        """End or continue a game whose player was away or idle for too long; Refused before that."""
        ledger = self._log.ledger
        self.set()

        def row() -> Row:
            person = ledger.seated[seat] if 0 <= seat < len(ledger.seated) else by
            kind = self._runs().get(person) if self._is_claimed and person != by else None
            # A page counts by itself, and may be so much ahead.
            if kind is None or self._left(person, kind) > AGAIN:
                raise Refused("nothing-to-claim", status=409)
            if ledger.awaited:
                return proposals.close(ledger)
            if then == FORFEIT:
                return forfeits.forfeit(ledger, person, _WHY[kind])
            return forfeits.stand_in(ledger, person, PLAYS_ON)

        await self._log.add(row)

    async def come_back(self, person: int) -> None:
        """Append that a person is back, once the level has done what was due; Refused where none plays."""
        until = now() + COMES_WITHIN
        while forfeits.plays_first(self._log.ledger, person) and now() < until:
            await asyncio.sleep(0.02)
        await self._log.add(lambda: forfeits.come_back(self._log.ledger, person))

    # ── Sending ──────────────────────────────────────────────────────────────────────────────────────────

    def _send(self) -> None:
        """Send the clocks to every page that does not know them."""
        terms, ledger = self._terms, self._log.ledger
        assert terms is not None
        levels = ledger.disconnects.levels
        seats = []
        for person in ledger.seated:
            kind = self._running.get(person)
            left = None if kind is None else round(max(self._left(person, kind), 0.0), 2)
            if self._is_claimed and kind == MOVE and left is not None and left > CLAIM_AFTER:
                # A person who thinks for a while is not hurried.
                kind = left = None
            seats.append(wire.SeatTime(kind, left, levels.get(person)))
        changed = False
        until: list[SeatClock] = [
            (one.runs, one.level, now() + one.left if one.left else one.left) for one in seats
        ]
        nothing = self._is_claimed and all(one.runs is None and one.level is None for one in seats)
        for page in self._audience:
            if not _alike(page.clock, until) and not (nothing and page.clock is None):
                page.clock, changed = until, True
                clock = wire.Clock(tuple(seats), terms.move, terms.away, terms.then)
                page.send(wire.message(wire.ClockMessage(clock)))
        if changed:
            self.publish()

    def publish(self) -> None:
        """Send other processes that serve this table what has been spent, where it is decided here."""
        if self._spent and self._is_owner and self._link.presence:
            spent = [f"{person},{one.asked},{one.seconds:.1f}" for person, one in self._spent.items()]
            self._link.publish("clock", ";".join(spent))

    def take_over(self, text: str) -> None:
        """Take over what has been spent as the deciding process counts it; ValueError where unreadable."""
        if self._terms is None or self._is_owner:
            return
        self._count()
        for one in text.split(";"):
            person, asked, seconds = one.split(",")
            if int(person) in self._spent and self._spent[int(person)].asked == int(asked):
                self._spent[int(person)] = Spent(int(asked), float(seconds))
        self.set()


def _alike(sent: list[SeatClock] | None, other: list[SeatClock]) -> bool:
    """Whether a page already knows this, as near as it matters."""
    return sent is not None and all(
        one[:2] == two[:2] and abs((one[2] or 0.0) - (two[2] or 0.0)) < AGAIN
        for one, two in zip(sent, other, strict=True)
    )
