"""The clock of challenges: a person asked whether a claim may stand has a moment (R97)."""

import asyncio
import contextlib
from typing import TYPE_CHECKING

from fifteentwo.rules.actions import Accept
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.state import Phase

if TYPE_CHECKING:
    from fifteentwo.server.rooms import Room


class ChallengeClock:
    """The clock of one table; it runs while somebody looks."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._timer: asyncio.TimerHandle | None = None
        self._claim: tuple[int, int] | None = None

    def set(self) -> None:
        """Start it where persons are asked about a claim it does not run for yet, and stop it elsewhere."""
        room, table = self._room, self._room.ledger.table
        persons = [seat for seat in table.waiting if room.level(seat) is None]
        asked = table.state.phase is Phase.CHALLENGE and persons
        if not asked or not room.listeners or room.options.moment is None:
            self.stop()
            return
        claim = (room.restarts, len(table.state.played) * 100 + table.state.shown)
        if self._timer is None or self._claim != claim:
            self.stop()
            self._claim = claim
            self._timer = asyncio.get_running_loop().call_later(room.options.moment, self._time_is_up)

    def stop(self) -> None:
        """Nobody is asked, or nobody looks."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._claim = None

    @property
    def left(self) -> float | None:
        """Seconds that are left; None where it does not run."""
        return None if self._timer is None else self._timer.when() - asyncio.get_running_loop().time()

    def _time_is_up(self) -> None:
        self._timer = self._claim = None
        self._room.start(self._accept_for_all(self._room.restarts))

    async def _accept_for_all(self, restarts: int) -> None:
        room, table = self._room, self._room.ledger.table
        for seat in table.waiting:
            if room.level(seat) is None and table.state.phase is Phase.CHALLENGE:
                with contextlib.suppress(IllegalAction):
                    await room.act_for(room.ledger.seated[seat], Accept(seat), restarts)
