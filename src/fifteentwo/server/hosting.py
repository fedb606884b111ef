"""What the host of a table may do before the first card: clear a seat, put in a computer, cancel."""

import sqlalchemy as sa

from fifteentwo.players import LEVELS
from fifteentwo.server import lobby, seats
from fifteentwo.server.errors import Refused
from fifteentwo.server.rooms import Room, Rooms
from fifteentwo.server.seeds import Stage
from fifteentwo.server.store import person, seated

HOST = 0
"""The person who made the table."""


def may_arrange(room: Room) -> bool:
    """Whether seats may be cleared and filled: no page has told its seed yet, and no game was played here."""
    ledger = room.ledger
    committing = ledger.seeds is not None and ledger.seeds.stage is Stage.COMMITTING
    return committing and not ledger.closed and ledger.match.game == 1


async def clear_seat(rooms: Rooms, room: Room, number: int, level: str | None = None) -> None:
    """Free a seat, so that its invitation holds again; or put a computer of a level there. Refused else."""
    if not 0 < number < len(room.people) or room.people[number].level is not None:
        raise Refused("seat-not-cleared", status=409)
    if level is not None and level not in LEVELS:
        raise Refused("option-unknown", name=level[:40])
    if not may_arrange(room) or (level is None and room.people[number].owner is None):
        raise Refused("seat-not-cleared", status=409)
    # First the log, where it must say so: then whoever sits there next is asked for a seed, or is not.
    seeds = room.ledger.seeds
    if level is not None or (seeds is not None and number in seeds.commitments):
        await room.add(lambda: room.ledger.unseat(number, asked=level is None))
    store, own = rooms.store, (person.c.game == room.id, person.c.number == number)
    if level is None:
        async with store.reading() as connection:
            asked = sa.select(seated.c.called).where(seated.c.game == room.id, seated.c.number == number)
            called = (await connection.execute(asked)).scalar() or ""
        await seats.free(store, room.id, number, called)
    else:
        async with store.writing() as connection:
            computer = {"owner": None, "name": "", "invitation": None, "level": level}
            await connection.execute(person.update().where(*own).values(**computer))
            await connection.execute(
                seated.delete().where(seated.c.game == room.id, seated.c.number == number)
            )
    await rooms.seat_anew([room.id])
    room.computers.prepare()
    room.wake()


async def cancel(rooms: Rooms, room: Room) -> None:
    """End a table at which no card was dealt; Refused where one was."""
    if room.ledger.match.game != 1 or not room.ledger.awaited:
        raise Refused("table-not-cancelled", status=409)
    await room.add(room.ledger.close)
    await lobby.take_out(rooms.store, room.id)
