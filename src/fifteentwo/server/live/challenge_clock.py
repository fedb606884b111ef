"""The clock of challenges: a person asked whether a claim may stand has a moment (R97)."""

import asyncio
from typing import TYPE_CHECKING

from fifteentwo.rules.actions import Accept
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.state import Phase
from fifteentwo.server.errors import StoreError
from fifteentwo.server.live.computers import LOOKS_AGAIN

if TYPE_CHECKING:
    from fifteentwo.server.live.rooms import Room


class ChallengeClock:
    """The clock of one table; it runs while somebody looks."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._timer: asyncio.TimerHandle | None = None
        self._claim: tuple[int, int] | None = None

    def set(self) -> None:
        """Start it where persons are asked about a claim it does not run for yet, and stop it elsewhere."""
        room = self._room
        if not self._asked() or not room.listeners or room.options.moment is None:
            self.stop()
            return
        if self._timer is None or self._claim != self._asked_about:
            self.stop()
            self._claim = self._asked_about
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
        self._room.start(self._accept_for_all(self._asked_about))

    @property
    def _asked_about(self) -> tuple[int, int]:
        """Which claim the table asks about, where it asks."""
        state = self._room.ledger.table.state
        return self._room.restarts, len(state.played) * 100 + state.shown

    async def _accept_for_all(self, claim: tuple[int, int]) -> None:
        """Accept for every person who is asked about this claim, however long the database is away."""
        room, pause = self._room, LOOKS_AGAIN[0]
        while self._asked_about == claim and (seats := self._asked()):
            if not room.neighbours.leases.holds(room.id):
                # The process that holds the table does it, or this one once it does.
                await asyncio.sleep(LOOKS_AGAIN[0])
                continue
            try:
                await room.act_for(room.ledger.seated[seats[0]], Accept(seats[0]), claim[0])
            except StoreError:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LOOKS_AGAIN[1])
            except IllegalAction:
                # They spoke for themselves in this very moment.
                return

    def _asked(self) -> list[int]:
        room, table = self._room, self._room.ledger.table
        if table.state.phase is not Phase.CHALLENGE:
            return []
        return [seat for seat in table.waiting if room.level(seat) is None]
