"""Rooms: a match being played, who listens to it, the computers that play along, and the clock of challenges.

What anybody does goes one way: decided by the table, put on disk by the store, adopted, and only then told.
"""

import asyncio
import contextlib
import functools
import logging
import re
import secrets
import weakref
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from fifteentwo.rules.actions import NameDealer, SeatAction
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import Record, from_json, to_json
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View, view
from fifteentwo.server.background import Tasks
from fifteentwo.server.cluster.peers import Neighbours
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live import hints, pass_and_play, seat_names, wire
from fifteentwo.server.live.audience import TRY_AGAIN, Listener, Listeners
from fifteentwo.server.live.challenge_clock import ChallengeClock
from fifteentwo.server.live.clocks import MoveClock
from fifteentwo.server.live.coach import Coach
from fifteentwo.server.live.computers import Computers
from fifteentwo.server.live.log_appender import Keeping
from fifteentwo.server.live.quick_chat import Courtesies
from fifteentwo.server.live.seeding import Seeding
from fifteentwo.server.live.spectators import Watching
from fifteentwo.server.live.thinking import Thinking
from fifteentwo.server.store import matches
from fifteentwo.server.store.history import History
from fifteentwo.server.store.store import Store
from fifteentwo.server.study import loading
from fifteentwo.server.study.reviewed_games import ReviewedGames
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.dealing import new_secret
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person, Row, StoredTable
from fifteentwo.server.table_log.undo import undoable

log = logging.getLogger("fifteentwo.server")
T = TypeVar("T")

AT_HOME = 8
"""Tables that a person is shown to go on with."""
MOST_IDLE = 64
"""Rooms kept in memory where nobody listens and nothing goes on; those used longest ago make way."""
MOST_GAMES = 10_000
"""Games of one match."""


_NAME = re.compile(r"[A-Za-z0-9_-]{16}")


def _same(secret: str, told: str) -> bool:
    return secrets.compare_digest(secret.encode(), told.encode(errors="replace"))


class Room:
    """One match. Everything that changes it runs one at a time, and is never cut off half-way."""

    def __init__(
        self,
        store: Store,
        kept: StoredTable,
        thinking: Thinking | None = None,
        ledger: Ledger | None = None,
        neighbours: Neighbours | None = None,
    ) -> None:
        """ledger: the game being played, where it was read already; it is rebuilt from the rows else."""
        self.id = kept.id
        self.made_at = kept.made_at
        self.people = list(kept.people)
        self.rules = from_json(kept.rules, Rules)
        self.options = from_json(kept.options, Options)
        self._agreed = msgspec.structs.replace(kept, rows=())
        self.ledger = ledger or matches.ledger_of(self.rules, self.options, kept.rows)
        # Its parts do not hold it, so that it goes at once when nobody is at the table.
        own = weakref.proxy(self)
        self.listeners = Listeners(own)
        self._store = store
        self.neighbours = neighbours or Neighbours(store)
        self._one_at_a_time = asyncio.Lock()
        self.keeping = Keeping(own, store)
        self.restarts = 0
        self._tasks = Tasks(lambda: own._let_go())
        self.computers = Computers(own, thinking or Thinking())
        self._is_prepared = False
        self.coach = Coach(own)
        self.courtesies = Courtesies(own)
        self.clock = ChallengeClock(own)
        self.move_clock = MoveClock(own)
        self.seeding = Seeding(own)
        self.looking_on: Callable[[], int] = int
        """How many look on who do not play here."""

    @property
    def played(self) -> int:
        """How many games of the match are finished."""
        return self.ledger.standing.played

    async def holding(self, number: int) -> Ledger:
        """The ledger that holds a game of the match, from 1: its record and its result."""
        if number < 1 or self.ledger.holds(number):
            return self.ledger
        return await matches.holding(self._store, self._agreed, number)

    # ── Who is here ──────────────────────────────────────────────────────────────────────────────────────

    def person_of(self, owner: str | None) -> int | None:
        """Which person a session is, the first of those who share its screen; None for a stranger."""
        return next(iter(pass_and_play.persons_of(self.people, owner)), None)

    def viewer_of(self, owner: str | None) -> int | None:
        """The one person who is "you" to a session; None for a stranger, or where several share it."""
        persons = pass_and_play.persons_of(self.people, owner)
        return persons[0] if len(persons) == 1 else None

    def names(self, lang: str) -> tuple[str, ...]:
        """People's names by the order they came; a computer without one is called by its level."""
        return seat_names.called(self.people, lang)

    def invited(self, invitation: str) -> int:
        """The person an invitation is for; Refused where the place is taken or there is none."""
        for number, one in enumerate(self.people):
            if one.invitation is not None and _same(one.invitation, invitation):
                if one.owner is not None:
                    raise Refused("place-taken", status=409)
                return number
        raise Refused("no-such-invitation", status=404)

    async def sit(
        self,
        invitation: str,
        owner: str,
        name: str = "",
        noted: Callable[[int, str], Mapping[str, object]] | None = None,
    ) -> int:
        """Sit down at the place an invitation is for, under a name if one is given; Refused as `invited`.

        noted: what is kept of where they come from, by the place and what it was called.
        """
        if self._store.is_shared:
            # Somebody may have sat down through another process just now.
            self.seat_anew(await self._store.people(self.id))
        if (person := self.person_of(owner)) is not None:
            return person
        number = self.invited(invitation)
        name = name or self.people[number].name
        beside = None if noted is None else noted(number, self.people[number].name)
        if not await self._store.sit(self.id, number, owner, name, beside):
            self.seat_anew(await self._store.people(self.id))
            if (person := self.person_of(owner)) is not None:
                return person
            raise Refused("place-taken", status=409)
        self.people[number] = msgspec.structs.replace(self.people[number], owner=owner, name=name)
        self.neighbours.tell("people", [self.id])
        self.listeners.tell_everything()
        return number

    def people_now(self) -> wire.People:
        """Who looks at the table and which places are open, by seat."""
        looking = {person for listener in self.listeners for person in listener.persons}
        looking |= self.neighbours.looking(self.id).keys()
        seated = [(number, self.people[number]) for number in self.ledger.seated]
        return wire.People(
            present=tuple([one.level is not None or number in looking for number, one in seated]),
            open=tuple([one.invitation is not None and one.owner is None for _, one in seated]),
            came=self.ledger.seated,
            watching=self.looking_on(),
        )

    def seat_anew(self, people: tuple[Person, ...]) -> None:
        """Who sits here has changed on disk: seats went over to a kept name, or somebody has come or gone.

        Pages at such a seat come again and say whose they are: whoever else knew the cookie before cannot.
        """
        if not people or list(people) == self.people:
            return
        before, self.people[:] = list(self.people), people
        for listener in list(self.listeners):
            if any(people[person].owner != before[person].owner for person in listener.persons):
                listener.close(TRY_AGAIN)
            else:
                self.listeners.tell_table(listener)
        self.listeners.tell_people()

    # ── What people do ───────────────────────────────────────────────────────────────────────────────────

    async def act(self, person: int, action: SeatAction | NameDealer) -> None:
        """Do what somebody at the table wants done; IllegalAction or StoreError, and nothing has changed."""
        try:
            await self._whole(self.act_for(person, action))
        except StoreError as error:
            self.move_clock.refused(error)
            raise

    async def next_game(self) -> None:
        """Begin the next game of the match; Refused while one is being played."""
        if self.options.brought_in:
            raise Refused("brought-in-no-next")
        if self.played >= MOST_GAMES:
            raise Refused("match-long-enough", games=MOST_GAMES)
        await self.add(lambda: proposals.new_game(self.ledger, new_secret(), asked(self.people)))
        await self.seeding.began()

    async def add(self, made: Callable[[], Row], epoch: int | None = None) -> None:
        """Add a row to the log that no seat's action made; Refused or StoreError, and nothing has changed.

        epoch: of the lease under which a clock ran out.
        """
        await self._whole(self._add(made, epoch))

    async def undo(self, person: int) -> None:
        """Take back somebody's last action against computers, where no hidden card was learned since."""
        if not self.alone:
            raise Refused("undo-against-computers-only")
        if self.options.daily is not None:
            raise Refused("not-in-the-daily-deal")
        await self._whole(self._add(lambda: proposals.undo(self.ledger, self.ledger.seat_of(person))))

    @property
    def alone(self) -> bool:
        """Only one person plays here; the others are computers."""
        return sum(one.level is None for one in self.people) == 1

    @property
    def hints(self) -> bool:
        """Hints may be asked for: against computers, and where nobody counts for oneself."""
        return self.alone and not self.rules.claimed and self.options.daily is None

    def seen_by(self, person: int) -> View:
        """What somebody at the table sees now."""
        return view(self.ledger.table.state, self.ledger.seat_of(person))

    async def act_for(
        self,
        person: int,
        action: SeatAction | NameDealer,
        restarts: int | None = None,
        epoch: int | None = None,
    ) -> None:
        """As `act`, but it may be cut off.

        restarts: for computers and clocks, the game for which it was thought out; in any other it is dropped.
        epoch: the lease under which it was; the present one where it is not said.
        """
        async with self._one_at_a_time:
            seq = self.ledger.seq
            await self.keeping.settle()
            if restarts is not None and (restarts != self.restarts or seq != self.ledger.seq):
                return
            fence = None if restarts is None else epoch or self.keeping.epoch()
            seen = self.seen_by(person) if restarts is None and self.coach.judges(person, action) else None
            if seen is not None:
                # No computer of another process may answer before the coach has spoken.
                await self.neighbours.leases.claim(self.id)
            await self.keeping.kept(lambda: self.move_clock.acted(person, action, restarts is None), fence)
            self.coach.holds = seen is not None
            self._tell()
        if seen is not None:
            self.start(self.coach.judge(person, seen, action))

    async def _add(self, made: Callable[[], Row], epoch: int | None = None) -> None:
        async with self._one_at_a_time:
            await self.keeping.settle()
            row = await self.keeping.kept(lambda: (made(), None), epoch)
            self.restarts += 1
            if self.ledger.beginning.seq == row.seq:
                self.ledger.forget()
                self.start(matches.note(self._store, self.id, self.ledger))
            self.coach.holds = False
            self._tell()

    async def read_on(self, seq: int = 0) -> None:
        """Read what other processes have added, if they have, and tell everyone. seq: a row they added."""
        async with self._one_at_a_time:
            self.keeping.doubt = self.keeping.doubt or seq > self.ledger.seq
            await self.keeping.settle()

    async def up_to_date(self) -> None:
        """Read on where this is known to stand behind the database, which may be away."""
        if self.keeping.doubt and not self._one_at_a_time.locked():
            with contextlib.suppress(StoreError):
                await self._whole(self.read_on())

    def came_about(self, *, same_game: bool) -> None:
        """Rows were added that were not decided just now: whoever goes by what was before looks again."""
        self.restarts += not same_game
        self.coach.holds = False
        self._tell()

    async def _whole(self, work: Coroutine[Any, Any, T]) -> T:
        """Finish even if whoever asked goes away: what is on disk must also be on the table."""
        return await self._tasks.whole(work)

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Have something done beside; the room is not idle until it is."""
        return self._tasks.begin(work)

    # ── Telling ──────────────────────────────────────────────────────────────────────────────────────────

    async def about_to_join(self) -> None:
        """Read what other processes have added, and who sits here: no page is told less than it was there.

        StoreError where the database is away; those who look here already are told what there is.
        """
        if self._store.is_shared:
            self.keeping.doubt = True
            try:
                await self._whole(self.read_on())
                self.seat_anew(await self._store.people(self.id))
            except StoreError:
                if not self.listeners:
                    raise

    def join(self, listener: Listener) -> None:
        """A page opens, or comes back knowing everything up to its v."""
        self.listeners.admit(listener)
        if not self._is_prepared:
            self._is_prepared = True
            self.computers.prepare()
            if self.hints:
                self.start(asyncio.to_thread(hints.prepare, self.rules))
        self.neighbours.leases.want(self.id)
        self.clock.set()
        self.listeners.catch_up(listener)
        self.listeners.tell_people()
        self.neighbours.look(self)
        self.wake()

    def leave(self, listener: Listener) -> None:
        """A page closes."""
        if listener in self.listeners:
            self.listeners.remove(listener)
        self.coach.left()
        if not self.listeners:
            self.clock.stop()
        self.listeners.tell_people()
        self.neighbours.look(self)
        self._let_go()

    def _let_go(self) -> None:
        """Where nobody looks and nothing goes on, another process may have the computers act."""
        if self.idle:
            self.neighbours.leases.give_up(self.id)

    def speak(self, listener: Listener, lang: str) -> None:
        """From now on in this language; what was told is told again."""
        listener.lang = lang
        self.listeners.tell_table(listener)

    def _tell(self) -> None:
        loading.near_the_end(self.ledger.table.state)
        self.clock.set()
        for listener in self.listeners:
            self.listeners.catch_up(listener)
        self.listeners.tell_people()
        self.wake()

    def wake(self) -> None:
        """Let the computers act, if it is theirs to."""
        self.computers.wake()

    def now(self, person: int) -> wire.RoomNow:
        """What a page is told of the room itself."""
        return wire.RoomNow(
            levels=tuple([self.people[other].level for other in self.ledger.seated]),
            options=wire.TableOptions(self.options.board, self.options.moment, self.options.daily),
            undo=self.may_undo(person),
            hints=self.hints,
            trouble=self.computers.trouble,
            invitations=self.invitations(),
        )

    def may_undo(self, person: int) -> bool:
        """Whether somebody's last action can be taken back."""
        if self.options.daily is not None:
            return False
        return self.alone and undoable(self.ledger, self.ledger.seat_of(person)) is not None

    def invitations(self) -> tuple[wire.Invitation, ...]:
        """The places still open, each with the way in, for those at the table to pass on."""
        seated = self.ledger.seated
        return tuple(
            wire.Invitation(seated.index(number), f"/game/{self.id}/join/{one.invitation}")
            for number, one in enumerate(self.people)
            if one.invitation is not None and one.owner is None
        )

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that the table waits for; everyone who is a person, where a dealer is to be named."""
        if self.ledger.awaited:
            return ()
        if self.ledger.table.state.phase is Phase.NAME_DEALER:
            return tuple(seat for seat in range(self.rules.seats) if self.level(seat) is None)
        return self.ledger.waiting

    def level(self, seat: int) -> str | None:
        """The level that plays a seat now, or plays it for somebody away; None where a person does."""
        person = self.ledger.seated[seat]
        return self.people[person].level or self.ledger.absences.levels.get(person)

    @property
    def idle(self) -> bool:
        """Nobody looks and nothing is going on."""
        return not self.listeners and not self._tasks

    async def close(self) -> None:
        """Let every page go and finish what is being written."""
        self.clock.stop()
        self.move_clock.stop()
        for listener in self.listeners:
            listener.close(TRY_AGAIN)
        self.computers.stop()
        await self._tasks.ended_within(2.0)


def asked(people: Iterable[Person]) -> tuple[int, ...]:
    """Everyone at a table who is asked for a seed: all but the computers."""
    return tuple([number for number, one in enumerate(people) if one.level is None])


class Rooms:
    """The rooms that are open; others wait on disk."""

    def __init__(self, store: Store, thinking: Thinking | None = None) -> None:
        self._store = store
        self.history = History(store)
        self.reviews = ReviewedGames()
        self.thinking = thinking or Thinking()
        self.neighbours = Neighbours(store, self)
        self.watching = Watching(store, self._watched)
        self._opening: dict[str, asyncio.Task[Room]] = {}

    @property
    def store(self) -> Store:
        """Where the tables are kept, and what is kept beside them."""
        return self._store

    def is_open(self, name: str) -> bool:
        """Whether a table is in memory here, so that it may be changed any moment."""
        return name in self._opening

    def __len__(self) -> int:
        return len(self._opening)

    async def create(
        self,
        rules: Rules,
        options: Options,
        people: tuple[Person, ...],
        position: Record | None = None,
        *,
        name: str | None = None,
        secret: bytes | None = None,
    ) -> str:
        """Keep a new table and its first game, which may go on from the position of a record; its id."""
        name, secret = name or secrets.token_urlsafe(12), secret or new_secret()
        ledger = matches.ledger_of(rules, options)
        first = (
            proposals.new_game(ledger, secret, asked(people))
            if position is None
            else proposals.go_on(ledger, secret, position)
        )
        await self._store.create(
            StoredTable(
                id=name,
                rules=to_json(rules).decode(),
                options=to_json(options).decode(),
                people=people,
                rows=(first,),
            )
        )
        return name

    async def bring_in(self, game: Record, owner: str, seat: int | None, kind: str) -> str:
        """Keep a finished game that was played elsewhere; its id. seat: where the owner sat, or None."""
        kept = matches.brought_in(secrets.token_urlsafe(12), game, owner, seat, kind)
        await self._store.create(kept)
        return kept.id

    async def room(self, name: str) -> Room:
        """The room of a game; Refused where there is none."""
        if not _NAME.fullmatch(name):
            raise Refused("no-such-game", status=404)
        if name in self._opening:
            # Those used longest ago stand first.
            self._opening[name] = self._opening.pop(name)
        else:
            self._make_way()
            self._opening[name] = asyncio.get_running_loop().create_task(self._open(name))
        try:
            room = await asyncio.shield(self._opening[name])
            await room.up_to_date()
            return room
        except BaseException:
            task = self._opening.get(name)
            if task is not None and task.done() and (task.cancelled() or task.exception() is not None):
                self._opening.pop(name, None)
            raise

    async def _open(self, name: str) -> Room:
        try:
            found = await matches.opened(self._store, name)
            if found is None:
                raise Refused("no-such-game", status=404)
            self.neighbours.start()
            room = Room(self._store, found[0], self.thinking, found[1], self.neighbours)
            room.keeping.hear(self.neighbours.heard_meanwhile(name))
            room.looking_on = functools.partial(self.watching.number, name)
            return room
        except (Refused, StoreError):
            raise
        except (FifteenTwoError, ValueError, LookupError) as error:
            log.exception("table %s cannot be rebuilt", name)
            raise StoreError("game-damaged") from error

    def _watched(self, name: str) -> None:
        """More or fewer look on at a table than before."""
        task = self._opening.get(name)
        if task is not None and task.done() and not task.cancelled() and task.exception() is None:
            task.result().listeners.tell_people()

    def _make_way(self) -> None:
        idle = [
            name
            for name, task in self._opening.items()
            if task.done() and not task.cancelled() and task.exception() is None and task.result().idle
        ]
        for name in idle[: max(0, len(idle) - MOST_IDLE + 1)]:
            del self._opening[name]

    async def of_owner(self, owner: str, most: int = AT_HOME) -> list[Room]:
        """The rooms where a session may have a game going on; what cannot be read is left out."""
        rooms = []
        for name in await self._store.of_owner(owner, most):
            with contextlib.suppress(StoreError):
                rooms.append(await self.room(name))
        return rooms

    async def seat_anew(self, names: Iterable[str]) -> None:
        """Read anew who sits at these tables, where they are open; one without people is gone."""
        self.neighbours.tell("people", names := list(names))
        await self.neighbours.read_people([name for name in names if name in self._opening])

    async def clear(self, names: Iterable[str]) -> None:
        """Close the rooms of these tables, where they are open: nobody plays there any more."""
        for name in names:
            task = self._opening.pop(name, None)
            if task is not None:
                with contextlib.suppress(FifteenTwoError):
                    await (await task).close()

    async def show_out(self, owner: str) -> None:
        """Have every page that somebody has open come again, and say anew whose it is."""
        self.neighbours.tell("out", [owner])
        self.neighbours.send_out(owner)

    def opened(self) -> dict[str, Room]:
        """The rooms in memory here."""
        done = [(name, task) for name, task in self._opening.items() if task.done() and not task.cancelled()]
        return {name: task.result() for name, task in done if task.exception() is None}

    async def close(self) -> None:
        """Close every room."""
        await self.watching.close()
        for task in self._opening.values():
            task.cancel()
        await asyncio.gather(*[room.close() for room in self.opened().values()])
        await self.neighbours.close()
        await self.thinking.close()
