"""The time to challenge a claim. After it, the claim is accepted for everyone who was asked."""

import asyncio

from fifteentwo.rules.actions import Accept
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.state import Phase
from fifteentwo.server.errors import StoreError
from fifteentwo.server.live.computers import MAX_WRITE_RETRY_SECONDS, WRITE_RETRY_SECONDS
from fifteentwo.server.live.table import LiveTable, Part


class ChallengeClock(Part):
    """The part that times challenges. The clock runs while a page is open."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None
        self._timed_claim: tuple[int, int] | None = None

    def on_change(self, table: LiveTable) -> None:
        """Start the clock for a new claim that people may challenge; stop it if there is none."""
        seconds = table.options.challenge_seconds
        if not _seats_that_may_challenge(table) or not table.pages or seconds is None:
            self._cancel()
        elif self._timer is None or self._timed_claim != _claim_key(table):
            self._cancel()
            self._timed_claim = _claim_key(table)
            self._timer = asyncio.get_running_loop().call_later(seconds, self._accept_after_timeout, table)

    def stop(self, table: LiveTable) -> None:
        self._cancel()

    def seconds_left(self) -> float | None:
        """Return the seconds left; None if the clock does not run."""
        return None if self._timer is None else self._timer.when() - asyncio.get_running_loop().time()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._timed_claim = None

    def _accept_after_timeout(self, table: LiveTable) -> None:
        self._timer = self._timed_claim = None
        table.tasks.start(_accept_for_all(table, _claim_key(table)))


async def _accept_for_all(table: LiveTable, claim: tuple[int, int]) -> None:
    """Accept a claim for every person who was asked. Retry while the database is unavailable."""
    delay = WRITE_RETRY_SECONDS
    while not table.is_dropped and _claim_key(table) == claim and (seats := _seats_that_may_challenge(table)):
        try:
            await table.act_for(table.ledger.seated[seats[0]], Accept(seats[0]), claim[0])
        except StoreError:
            await asyncio.sleep(delay)
            delay = min(2 * delay, MAX_WRITE_RETRY_SECONDS)
        except IllegalAction:
            # The person has just acted.
            return


def _claim_key(table: LiveTable) -> tuple[int, int]:
    """Return a key of the claim that people may challenge now; it changes with each claim."""
    state = table.ledger.table.state
    return table.revision, len(state.played) * 100 + state.shown


def _seats_that_may_challenge(table: LiveTable) -> list[int]:
    match = table.ledger.table
    if match.state.phase is not Phase.CHALLENGE:
        return []
    return [seat for seat in match.waiting if table.level(seat) is None]
