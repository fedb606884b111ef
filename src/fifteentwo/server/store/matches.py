"""A match read from its log: the game being played alone, or an earlier one, from where it begins.

Where each game begins, and how the match stood then, is stored next to the log and follows from it: what is
missing there is read from the log, once, and written down. So a match of 10,000 games opens like one of two.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from fifteentwo.contest.match import new_match
from fifteentwo.rules.record import Record, from_json, to_json
from fifteentwo.rules.variants import FirstDealer, Rules
from fifteentwo.server.errors import StoreError
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.ledger import Beginning, Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person, Row, StoredGameStart, StoredTable

T = TypeVar("T")

AT_ONCE = 1000
"""Rows read at once: some twenty games."""
IN_LOOP = 150
"""Rows added in the event loop: a game has some sixty. More are added in a thread."""


class _Stood(msgspec.Struct, frozen=True):
    """How a match stood, without what is agreed for all of it."""

    tally: tuple[int, ...]
    games: tuple[int, ...]
    spread: tuple[int, ...]
    lost: tuple[int, ...]
    seating: tuple[int, ...]
    played: int
    earlier: int
    dealer: int


def ledger_of(
    rules: Rules, options: Options, rows: Iterable[Row] = (), since: Beginning | None = None
) -> Ledger:
    """The ledger of a table as it was agreed, with these rows of its log."""
    return Ledger(
        rules,
        next_dealer=options.next_dealer,
        length=options.length,
        rows=rows,
        tops=options.deck_tops,
        since=since,
    )


def imported(name: str, game: Record, owner: str, seat: int | None, kind: str) -> StoredTable:
    """A table with a finished game that was played elsewhere. seat: where the owner sat, None: nowhere.

    What of the rules only a match would ask, who deals first without a draw, is set to what the game did.
    """
    rules = game.rules
    if game.named:
        rules = msgspec.structs.replace(rules, first_dealer=FirstDealer.NAMED, partners_by_draw=False)
    people = tuple(
        Person(name=name, owner=owner if number == (seat or 0) else None)
        for number, name in enumerate(game.names)
    )
    rows = (
        Row(1, "began", to_json({"secret": "", "actions": ()}).decode()),
        Row(2, "acted", to_json({"actions": game.actions}).decode()),
    )
    options = to_json(Options(imported=kind, by_spectator=seat is None)).decode()
    return StoredTable(id=name, rules=to_json(rules).decode(), options=options, people=people, rows=rows)


async def opened(store: Store, name: str) -> tuple[StoredTable, Ledger] | None:
    """Return what is stored of a table, its latest rows, and its ledger; None where there is none.

    What the log holds wrong raises as `Ledger.add`.
    """
    found = await store.latest(name, AT_ONCE)
    if found is None:
        return None
    stored, begun = found
    ledger, rows = _since(stored, begun), stored.rows
    while rows:
        await note(store, name, await in_thread(rows, _add, ledger, rows))
        rows = await store.rows(name, ledger.seq + 1, AT_ONCE) if len(rows) == AT_ONCE else ()
    return stored, ledger


async def holding(store: Store, stored: StoredTable, number: int) -> Ledger:
    """The ledger of a game of the match, from 1; it may hold others too, and none where there is none."""
    ledger = await read_from(store, stored, number)
    while rows := await store.rows(stored.id, ledger.seq + 1, IN_LOOP):
        if await in_thread(rows, _add_up_to, ledger, rows, number):
            break
    return ledger


async def read_from(store: Store, stored: StoredTable, number: int) -> Ledger:
    """A ledger from which a match can be read on at this game or earlier; no row is added yet."""
    return _since(stored, await store.begun(stored.id, number))


async def in_thread(rows: Sequence[Row], work: Callable[..., T], /, *given: Any) -> T:
    """Do it at once with few rows, in a thread with many."""
    return work(*given) if len(rows) <= IN_LOOP else await asyncio.to_thread(work, *given)


def _add(ledger: Ledger, rows: Iterable[Row]) -> list[Beginning]:
    noted = []
    for row in rows:
        before = ledger.beginning.seq
        ledger.add(row)
        if ledger.beginning.seq != before:
            noted.append(ledger.beginning)
            ledger.forget()
    return noted


def _add_up_to(ledger: Ledger, rows: Iterable[Row], number: int) -> bool:
    for row in rows:
        ledger.add(row)
        ledger.forget()
        if ledger.table.over and ledger.match.game >= number:
            return True
    return False


def _since(stored: StoredTable, begun: StoredGameStart | None) -> Ledger:
    rules, options = from_json(stored.rules, Rules), from_json(stored.options, Options)
    since = None
    if begun is not None:
        stood = msgspec.structs.asdict(from_json(begun.body, _Stood))
        agreed = new_match(rules, next_dealer=options.next_dealer, length=options.length)
        since = Beginning(msgspec.structs.replace(agreed, **stood), begun.seq, begun.version)
    return ledger_of(rules, options, since=since)


async def note(store: Store, name: str, beginnings: Iterable[Beginning]) -> None:
    """Store where the second and later games begin."""
    rows = [
        StoredGameStart(
            game_number=one.match.game,
            seq=one.seq,
            version=one.v,
            body=to_json(_Stood(*[getattr(one.match, field) for field in _Stood.__struct_fields__])).decode(),
        )
        for one in beginnings
        if one.match.played
    ]
    if rows:
        # It follows from the log, and is written another time.
        with contextlib.suppress(StoreError):
            await store.note_begun(name, rows)
