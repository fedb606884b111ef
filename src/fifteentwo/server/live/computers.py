"""The computers of a table: their turns, their actions, and which of them play below their level."""

import asyncio
import secrets
from contextlib import suppress

from fifteentwo.engines.programs import PROGRAM
from fifteentwo.players import EngineError
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Variant
from fifteentwo.rules.view import View, view
from fifteentwo.server.background import log
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live import wire
from fifteentwo.server.live.open_page import OpenPage
from fifteentwo.server.live.table import LiveTable, Part, RowAdded
from fifteentwo.server.live.thinking import Thinking, answer_time, delay_of
from fifteentwo.server.store.store import CONFLICT
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.dealing import daily_computer_seed
from fifteentwo.server.table_log.rows import Person

BOARD_TABLE = "board_values.table"
"""The solved table without which a master plays like an expert."""
FALLBACK_LEVEL = "club"
"""Level that plays for an external program if this server was not started with that program."""
WRITE_RETRY_SECONDS = 0.25
"""Seconds before an action that the database could not store is tried again; doubled each time."""
MAX_WRITE_RETRY_SECONDS = 2.0


class Computers(Part):
    """The part of a table that chooses and appends the actions of its computers."""

    def __init__(self, thinking: Thinking) -> None:
        self._thinking = thinking
        self._turn: asyncio.Task[None] | None = None
        self._seeds: dict[int, int] = {}
        self._damaged_tables: dict[int, str] = {}
        """The damaged solved table that a person's level lacks."""
        self._fallback_levels: dict[int, str] = {}
        """The lower level that chose last for a computer whose own level failed."""
        self._prepared_levels: set[str] = set()

    def start_turn(self, table: LiveTable) -> None:
        if self._turn is None and _may_computers_act(table) and _computer_seat_to_act(table) is not None:
            self._turn = table.tasks.start(self._play_turn(table))

    def stop(self, table: LiveTable) -> None:
        """Cancel the computers' turn, and stop their external programs."""
        if self._turn is not None:
            self._turn.cancel()
        if any(one.level == PROGRAM for one in table.people):
            table.tasks.start(asyncio.to_thread(self._thinking.programs.release, table.id))

    def on_row_added(self, table: LiveTable, row: RowAdded) -> None:
        self.start_turn(table)

    def on_page_joined(self, table: LiveTable, page: OpenPage) -> None:
        self._prepare_levels(table)
        self.start_turn(table)

    def on_people_changed(self, table: LiveTable, before: list[Person]) -> None:
        if self._prepared_levels:
            self._prepare_levels(table)
        self.start_turn(table)

    def _prepare_levels(self, table: LiveTable) -> None:
        levels = {one.level for one in table.people if one.level is not None}
        for level in levels - self._prepared_levels:
            table.tasks.start(self._thinking.prepare(level))
        self._prepared_levels |= levels

    async def _play_turn(self, table: LiveTable) -> None:
        """Act while the table waits for a computer. Retry while the database is unavailable."""
        ledger, delay = table.ledger, WRITE_RETRY_SECONDS
        try:
            while _may_computers_act(table) and (seat := _computer_seat_to_act(table)) is not None:
                seq = ledger.seq
                try:
                    await self._act(table, seat)
                    delay = WRITE_RETRY_SECONDS
                    continue
                except StoreError as error:
                    if delay == WRITE_RETRY_SECONDS and error.code != CONFLICT:
                        # Without the error people would not know why they wait.
                        for page in table.pages:
                            page.send(wire.refused_message(error, page.lang))
                except IllegalAction as error:
                    if ledger.seq != seq:
                        # Another person has acted while the computer was choosing.
                        continue
                    log.warning("a computer's action was refused: %s", error)
                await asyncio.sleep(delay)
                delay = min(2 * delay, MAX_WRITE_RETRY_SECONDS)
        finally:
            self._turn = None

    async def _act(self, table: LiveTable, seat: int) -> None:
        """Choose and append the action of a computer. A program that has failed forfeits the game."""
        person, revision = table.ledger.seated[seat], table.revision
        try:
            seen = view(table.ledger.table.state, seat, past=True)
            action = await self._choose_and_wait(table, person, seen)
        except EngineError as failed:
            await _forfeit_for_failed_program(table, person, failed)
            return
        if _may_computers_act(table):
            await table.act_for(person, action, revision)

    async def _choose_and_wait(self, table: LiveTable, person: int, seen: View) -> SeatAction:
        """Return a computer's action after a delay that does not depend on its cards."""
        clock = asyncio.get_running_loop().time
        level = table.level(seen.seat)
        assert level is not None
        began = clock()
        action = await self._choose(table, person, level, seen)
        await asyncio.sleep(answer_time(began, clock(), delay_of(level, seen)) - clock())
        return action

    async def _choose(self, table: LiveTable, person: int, level: str, seen: View) -> SeatAction:
        """Return a computer's action. A cut is not chosen: the seeds decide it like the cards."""
        if cut := table.ledger.dealing.next_cut():
            return cut
        if level == PROGRAM:
            return await self._ask_program(table, person, seen)
        if person not in self._seeds:
            self._seeds[person] = computer_seed(table, person)
        action, damaged, by = await self._thinking.decide(level, self._seeds[person], seen)
        if damaged is not None:
            self._damaged_tables[person] = damaged
        if by == level:
            self._fallback_levels.pop(person, None)
        elif by is not None:
            self._fallback_levels[person] = by
        return action

    async def _ask_program(self, table: LiveTable, person: int, seen: View) -> SeatAction:
        """Return the action of an external program, or of FALLBACK_LEVEL if the server lacks the program."""
        name, programs = table.people[person].name, self._thinking.programs
        if name not in programs:
            action, _, _ = await self._thinking.decide(FALLBACK_LEVEL, 0, seen)
            self._fallback_levels[person] = FALLBACK_LEVEL
            return action
        self._fallback_levels.pop(person, None)
        place = table.id, person
        return await asyncio.to_thread(programs.act, name, place, table.ledger.match.game, seen)

    def fallbacks(self, table: LiveTable) -> tuple[wire.Fallback, ...]:
        """Return the computers that play below their level, at which level, and the damaged table."""
        found = []
        for seat, person in enumerate(table.ledger.seated):
            damaged = self._damaged_tables.get(person) if table.rules.variant is Variant.SIX_CARD else None
            if damaged is not None:
                level = "expert" if damaged == BOARD_TABLE else "club"
                found.append(wire.Fallback(seat, damaged, level))
            elif person in self._fallback_levels:
                found.append(wire.Fallback(seat, None, self._fallback_levels[person]))
        return tuple(found)


def computer_seed(table: LiveTable, _person: int) -> int:
    """Return a new random seed for a computer; in the daily deal, all tables have the same seed."""
    daily = table.options.daily
    return secrets.randbits(32) if daily is None else daily_computer_seed(daily)


def _may_computers_act(table: LiveTable) -> bool:
    return not table.are_computers_paused and not table.is_dropped


def _computer_seat_to_act(table: LiveTable) -> int | None:
    waiting = table.ledger.waiting
    # In a first game the person discards first, because no discard can be taken back after the last one.
    if table.options.first_game and table.ledger.table.state.phase is Phase.DISCARD:
        waiting = waiting if all(table.level(seat) is not None for seat in waiting) else ()
    return next((seat for seat in waiting if table.level(seat) is not None), None)


async def _forfeit_for_failed_program(table: LiveTable, person: int, failed: EngineError) -> None:
    log.warning("the program %s forfeits a game: %s", table.people[person].name, failed)
    why = ForfeitedFor.TIME if failed.code == "time" else ForfeitedFor.FAILED
    # Refused if the game has just ended.
    with suppress(IllegalAction, Refused):
        await table.add_row(lambda: proposals.forfeit(table.ledger, person, why))
