"""The computers that play along at a table: whose turn it is, what they do, and what became of it."""

import asyncio
import logging
import secrets
from contextlib import suppress

from fifteentwo.engines.programs import PROGRAM
from fifteentwo.players import PlayerFailed
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.variants import Variant
from fifteentwo.rules.view import View, view
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live import wire
from fifteentwo.server.live.audience import Audience
from fifteentwo.server.live.coach import Coach
from fifteentwo.server.live.log import CONFLICT, TableLog
from fifteentwo.server.live.peer_link import PeerLink
from fifteentwo.server.live.seating import Seating
from fifteentwo.server.live.thinking import Thinking, answers_at, delay_of
from fifteentwo.server.peers import Leases
from fifteentwo.server.table_log import forfeits
from fifteentwo.server.table_log.dealing import dice_of

log = logging.getLogger("fifteentwo.server")

BOARD_TABLE = "board_values.table"
"""The one solved table without which a master still plays as an expert does."""
INSTEAD = "club"
"""The level that plays for a program which the server was not started with."""
LOOKS_AGAIN = 0.25, 2.0
"""Seconds until what the database did not take is tried again: at first, and at most."""


class Computers:
    """The computers of one table."""

    def __init__(
        self,
        log: TableLog,
        audience: Audience,
        leases: Leases,
        seating: Seating,
        link: PeerLink,
        coach: Coach,
        thinking: Thinking,
    ) -> None:
        self._log = log
        self._audience = audience
        self._leases = leases
        self._seating = seating
        self._coach = coach
        self._thinking = thinking
        self._playing: asyncio.Task[None] | None = None
        self._seeds: dict[int, int] = {}
        self._damaged: dict[int, str] = {}
        """Which solved table a computer misses."""
        self._instead: dict[int, str] = {}
        """Which lower level decided last for a computer that could not think."""
        self._prepared: set[str] = set()
        audience.joined.triggers(self._joined)
        log.changed.triggers(self.wake)
        seating.changed.triggers(self._seats_changed)
        coach.released.subscribe(self.wake)
        link.lease_taken.subscribe(self.wake)

    @property
    def busy(self) -> bool:
        """Whether one of them is at it."""
        return self._playing is not None

    def wake(self) -> None:
        """Let the computers act, if it is theirs to."""
        if self._playing is None and self._may() and self._next() is not None:
            self._playing = self._log.tasks.begin(self._play())

    def stop(self) -> None:
        """Leave off, whatever they are at."""
        if self._playing is not None:
            self._playing.cancel()
        if any(one.level == PROGRAM for one in self._seating.people):
            self._log.tasks.begin(asyncio.to_thread(self._thinking.programs.release, self._log.id))

    def _may(self) -> bool:
        """Whether they act in this process, and just now."""
        return not self._coach.pauses and self._leases.owns(self._log.id)

    def _next(self) -> int | None:
        waiting = self._log.ledger.waiting
        return next((seat for seat in waiting if self._seating.level(seat) is not None), None)

    def _joined(self) -> None:
        self._prepare()
        self.wake()

    def _seats_changed(self) -> None:
        if self._prepared:
            self._prepare()
        self.wake()

    def _prepare(self) -> None:
        """Load what they think with, before it is their turn."""
        levels = {one.level for one in self._seating.people if one.level is not None}
        for level in levels - self._prepared:
            self._log.tasks.begin(self._thinking.prepare(level))
        self._prepared |= levels

    async def _play(self) -> None:
        """Let the computers act as long as the table waits for one, however long the database is away."""
        table, ledger, pause = self._log, self._log.ledger, LOOKS_AGAIN[0]
        try:
            while self._may() and (seat := self._next()) is not None:
                person, restarts, seq = ledger.seated[seat], table.restarts, ledger.seq
                epoch = self._leases.epoch(table.id)
                try:
                    try:
                        action = await self._answer(person, view(ledger.table.state, seat))
                    except PlayerFailed as failed:
                        await self._forfeit(person, failed, epoch)
                        continue
                    if not self._may():
                        break
                    await table.act_for(person, action, restarts, epoch)
                    pause = LOOKS_AGAIN[0]
                    continue
                except StoreError as error:
                    if not self._may():
                        # Another process has taken the table over; if it comes back, it is woken.
                        break
                    if pause == LOOKS_AGAIN[0] and error.code != CONFLICT:
                        # Or people would wait, and not know for what.
                        self._audience.refuse(error)
                except IllegalAction as error:
                    # Others may have gone on while it thought: then it looks again.
                    if ledger.seq != seq:
                        continue
                    log.warning("a computer's action was not taken: %s", error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LOOKS_AGAIN[1])
        finally:
            self._playing = None

    async def _answer(self, person: int, seen: View) -> SeatAction:
        """What a computer does, no sooner than it would with any other cards."""
        clock = asyncio.get_running_loop().time
        level = self._seating.level(seen.seat)
        assert level is not None
        began = clock()
        action = await self._thought(person, level, seen)
        await asyncio.sleep(answers_at(began, clock(), delay_of(level, seen)) - clock())
        return action

    async def _thought(self, person: int, level: str, seen: View) -> SeatAction:
        """What it wants to do.

        Where it cuts it is not asked: that was committed to with the cards. Its other dice choose no card.
        """
        if cut := self._log.ledger.dealing.computers_cut():
            return cut
        if level == PROGRAM:
            return await self._of_program(person, seen)
        if person not in self._seeds:
            self._seeds[person] = self._dice(person)
        action, damaged, by = await self._thinking.decide(level, self._seeds[person], seen)
        if damaged is not None:
            self._damaged[person] = damaged
        if by == level:
            self._instead.pop(person, None)
        elif by is not None:
            self._instead[person] = by
        return action

    async def _of_program(self, person: int, seen: View) -> SeatAction:
        """What the program does that sits there; where it is not given any more, what a level does."""
        name, programs = self._seating.people[person].name, self._thinking.programs
        if name not in programs:
            action, _, _ = await self._thinking.decide(INSTEAD, 0, seen)
            self._instead[person] = INSTEAD
            return action
        self._instead.pop(person, None)
        place = self._log.id, person
        return await asyncio.to_thread(programs.act, name, place, self._log.ledger.match.game, seen)

    async def _forfeit(self, person: int, failed: PlayerFailed, epoch: int | None) -> None:
        """A program that cannot go on loses the game."""
        if not self._may():
            return
        name, ledger = self._seating.people[person].name, self._log.ledger
        log.warning("the program %s forfeits a game: %s", name, failed)
        why = ForfeitedFor.TIME if failed.code == "time" else ForfeitedFor.FAILED
        # Refused where the game ended in this very moment.
        with suppress(IllegalAction, Refused):
            await self._log.add(lambda: forfeits.forfeit(ledger, person, why), epoch)

    def _dice(self, _person: int) -> int:
        """Return the seed of a computer's luck; on a day's deal the same for everyone."""
        daily = self._seating.options.daily
        return secrets.randbits(32) if daily is None else dice_of(daily)

    def trouble(self) -> tuple[wire.Trouble, ...]:
        """Return the computers that play below their level, like whom, and which table is damaged."""
        found = []
        for seat, person in enumerate(self._log.ledger.seated):
            damaged = self._damaged.get(person) if self._seating.rules.variant is Variant.SIX_CARD else None
            if damaged is not None:
                level = "expert" if damaged == BOARD_TABLE else "club"
                found.append(wire.Trouble(seat, damaged, level))
            elif person in self._instead:
                found.append(wire.Trouble(seat, None, self._instead[person]))
        return tuple(found)
