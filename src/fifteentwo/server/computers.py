"""The computers that play along at a table: whose turn it is, what they do, and what became of it."""

import asyncio
import logging
import secrets
from typing import TYPE_CHECKING

from fifteentwo.players import Player, player
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.variants import Form
from fifteentwo.rules.view import View, allows, choices, view
from fifteentwo.server import wire
from fifteentwo.server.dealing import dice_of
from fifteentwo.server.errors import StoreError

if TYPE_CHECKING:
    from fifteentwo.server.rooms import Room

log = logging.getLogger("fifteentwo.server")

BOARD_TABLE = "board_values.table"
"""The one solved table without which a master still plays as an expert does."""
TRIES = 20
"""How often a computer's action is tried where the database does not take it."""


class Computers:
    """The computers of one table."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._playing: asyncio.Task[None] | None = None
        self._players: dict[int, Player] = {}

    @property
    def busy(self) -> bool:
        """Whether one of them is at it."""
        return self._playing is not None

    def wake(self) -> None:
        """Let the computers act, if it is theirs to."""
        if self._playing is None and not self._room.coach.holds and self._next() is not None:
            self._playing = self._room.start(self._play())

    def stop(self) -> None:
        """Leave off, whatever they are at."""
        if self._playing is not None:
            self._playing.cancel()

    def _next(self) -> int | None:
        waiting = self._room.ledger.waiting
        return next((seat for seat in waiting if self._room.level(seat) is not None), None)

    async def _play(self) -> None:
        """Let the computers act as long as the table waits for one."""
        room, failed = self._room, 0
        try:
            while not room.coach.holds and (seat := self._next()) is not None and failed < TRIES:
                person, restarts, seq = room.ledger.seated[seat], room.restarts, room.ledger.seq
                action = await self._thought(person, view(room.ledger.table.state, seat))
                try:
                    await room.act_for(person, action, restarts)
                    failed = 0
                except StoreError as error:
                    failed += 1
                    log.warning("a computer's action was not kept: %s", error)
                    await asyncio.sleep(0.25)
                except IllegalAction as error:
                    # Others may have gone on while it thought: then it looks again.
                    if room.ledger.seq == seq:
                        failed += 1
                        log.warning("a computer's action was not taken: %s", error)
        finally:
            self._playing = None

    async def _thought(self, person: int, seen: View) -> SeatAction:
        """What a computer does. Its thinking never holds up the room; one that fails plays something.

        Where it cuts it is not asked: that was committed to with the cards. Its other dice choose no card.
        """
        if cut := self._room.ledger.computers_cut():
            return cut
        try:
            action = await asyncio.to_thread(lambda: self._player(person).act(seen))
            if allows(seen, action):
                return action
            log.error("a computer wanted what may not be done: %s", action)
        except Exception:
            log.exception("a computer could not decide")
        return choices(seen)[0]  # type: ignore[return-value]

    def _player(self, person: int) -> Player:
        if person not in self._players:
            level = self._room.people[person].level
            assert level is not None
            self._players[person] = player(level, self._dice(person))
        return self._players[person]

    def _dice(self, _person: int) -> int:
        """The seed of a computer's luck; on a day's deal the same for everyone."""
        daily = self._room.options.daily
        return secrets.randbits(32) if daily is None else dice_of(daily)

    @property
    def trouble(self) -> tuple[wire.Trouble, ...]:
        """Computers that play below their level because a solved table is damaged: which, and like whom."""
        if self._room.rules.form is not Form.SIX_CARD:
            return ()
        damaged_at = []
        for seat, person in enumerate(self._room.ledger.seated):
            damaged = getattr(self._players.get(person), "trouble", None)
            if damaged is not None:
                level = "expert" if damaged.name == BOARD_TABLE else "club"
                damaged_at.append(wire.Trouble(seat, damaged.name, level))
        return tuple(damaged_at)
