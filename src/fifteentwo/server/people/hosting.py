"""Actions of a table's host before the first card: clear a seat, add a computer, cancel the table."""

import msgspec
import sqlalchemy as sa

from fifteentwo.players import LEVELS
from fifteentwo.server.errors import Refused
from fifteentwo.server.live import seats
from fifteentwo.server.live.open_page import CLOSE_AND_RECONNECT
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.live.table_state import TableState
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.people import lobby
from fifteentwo.server.store.schema import player, taken_seat
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.game_dealing import Stage

HOST_PERSON = 0


def can_change_seats(table: TableState) -> bool:
    """Return whether seats may be cleared and filled: no page has sent its seed, and no game was played."""
    ledger = table.ledger
    if ledger.seeds is None or ledger.is_abandoned or ledger.match.game != 1 or table.options.evening:
        return False
    half_cleared = any(_is_cleared_only_in_log(table, number) for number in range(1, len(table.people)))
    return half_cleared or ledger.seeds.stage is Stage.COMMITTING


def _is_cleared_only_in_log(table: TableState, number: int) -> bool:
    """Return whether the log says that a seat was cleared, but the database has not freed the seat yet."""
    seeds = table.ledger.seeds
    return seeds is not None and number not in seeds.people and table.people[number].level is None


async def clear_seat(tables: Tables, table: LiveTable, number: int, level: str | None = None) -> None:
    """Clear a seat, so that its invitation is open again, or seat a computer if a level is given."""
    if not 0 < number < len(table.people) or table.people[number].level is not None:
        raise Refused("seat-not-cleared", status=409)
    if level is not None and level not in LEVELS:
        raise Refused("option-unknown", name=level[:40])
    people = list(table.people)
    before = people[number]
    is_logged = _is_cleared_only_in_log(table, number)
    # A player who shares the host's screen has no invitation, so nobody else could take the seat.
    cannot_clear = level is None and (is_logged or None in (before.owner, before.invitation))
    if not can_change_seats(table) or cannot_clear:
        raise Refused("seat-not-cleared", status=409)
    # Without the owner the player's page cannot commit a seed between the log row and the seat's row.
    table.people[number] = msgspec.structs.replace(before, owner=None)
    for page in table.pages:
        if number in page.persons:
            page.close(CLOSE_AND_RECONNECT)
    try:
        # The log comes first, because it decides whether the next player is asked for a seed.
        if not is_logged:
            ledger, is_next_asked = table.ledger, level is None
            await table.add_row(lambda: proposals.clear_seat(ledger, number, is_next_asked=is_next_asked))
        await _store_cleared_seat(tables, table, number, level)
    except BaseException:
        table.people[number] = before
        raise
    await tables.read_people([table.id])
    table.announce_people(people)


async def _store_cleared_seat(tables: Tables, table: LiveTable, number: int, level: str | None) -> None:
    store, own = tables.store, (player.c.match_id == table.id, player.c.player_number == number)
    taken = sa.and_(taken_seat.c.match_id == table.id, taken_seat.c.player_number == number)
    if level is None:
        before = await store.first(taken_seat.select().where(taken))
        await seats.free_seat(store, table.id, number, "" if before is None else before.previous_name)
        return
    async with store.writing() as connection:
        computer = {"owner": None, "name": "", "invitation": None, "level": level}
        await connection.execute(player.update().where(*own).values(**computer))
        await connection.execute(taken_seat.delete().where(taken))


async def cancel_table(tables: Tables, table: LiveTable) -> None:
    """Close a table before its first card; raise Refused later."""
    if table.ledger.match.game != 1 or not table.ledger.awaited_for_seeds or table.options.evening:
        raise Refused("table-not-cancelled", status=409)
    await table.add_row(lambda: proposals.abandon(table.ledger))
    await lobby.remove_listing(tables.store, table.id)
