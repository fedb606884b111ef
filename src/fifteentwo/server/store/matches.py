"""A match read from its log: the game in progress alone, or an earlier game from its start.

The start of each game, with the result of the match up to it, is stored beside the log. A missing start is
read from the log once, and stored. A match of 10,000 games therefore opens as fast as a match of two.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from fifteentwo.contest.match import Match, new_match
from fifteentwo.rules.record import Record, from_json, to_json
from fifteentwo.rules.variants import FirstDealer, Rules
from fifteentwo.server.errors import StoreError
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.ledger import GameStart, Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person, Row, StoredGameStart, StoredTable

T = TypeVar("T")

ROWS_PER_READ = 1000
"""Rows read at a time, which are about twenty games."""
MAX_ROWS_IN_LOOP = 150
"""Rows that are added in the event loop; more are added in a thread. A game has about sixty."""


_SCORE_FIELDS = ("tally", "games", "spread", "lost", "seating", "played", "earlier", "dealer")
"""Fields of a Match that are stored where a game starts; the other fields were agreed for the table."""
_MatchScore = msgspec.defstruct(
    "_MatchScore",
    [(one.name, one.type) for one in msgspec.structs.fields(Match) if one.name in _SCORE_FIELDS],
)


def ledger_of(
    rules: Rules, options: Options, rows: Iterable[Row] = (), start: GameStart | None = None
) -> Ledger:
    """Return the ledger of a table with these rows of its log."""
    return Ledger(
        rules,
        next_dealer=options.next_dealer,
        length=options.length,
        rows=rows,
        deck_tops=options.deck_tops,
        start=start,
    )


def imported_match(match_id: str, game: Record, owner: str, seat: int | None, notation: str) -> StoredTable:
    """Return a table with a finished game that was played elsewhere. seat: the owner's, or None."""
    # If the first dealer was named, the rules say so, because the record has no draw for the deal.
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
    options = to_json(Options(imported=notation, by_spectator=seat is None)).decode()
    ruled = to_json(rules).decode()
    return StoredTable(id=match_id, rules_json=ruled, options_json=options, people=people, rows=rows)


async def load_match(store: Store, match_id: str) -> tuple[StoredTable, Ledger] | None:
    """Return a table, its latest rows and its ledger; None if it does not exist. Raise as `Ledger.add`."""
    found = await store.load_last_game(match_id, ROWS_PER_READ)
    if found is None:
        return None
    stored, begun = found
    ledger, rows = _empty_ledger(stored, begun), stored.rows
    while rows:
        await save_game_starts(store, match_id, await run_in_thread_if_many(rows, _add_rows, ledger, rows))
        rows = await store.rows(match_id, ledger.seq + 1, ROWS_PER_READ) if len(rows) == ROWS_PER_READ else ()
    return stored, ledger


async def load_game(store: Store, stored: StoredTable, game_number: int) -> Ledger:
    """Return the ledger of a match with a game, numbered from 1; the ledger may have other games too."""
    ledger = await ledger_before_game(store, stored, game_number)
    while rows := await store.rows(stored.id, ledger.seq + 1, MAX_ROWS_IN_LOOP):
        if await run_in_thread_if_many(rows, _add_until_game_over, ledger, rows, game_number):
            break
    return ledger


async def ledger_before_game(store: Store, stored: StoredTable, game_number: int) -> Ledger:
    """Return a ledger without rows, to which the rows from this game or an earlier one can be added."""
    return _empty_ledger(stored, await store.last_game_start(stored.id, game_number))


async def run_in_thread_if_many(rows: Sequence[Row], work: Callable[..., T], /, *arguments: Any) -> T:
    """Run work at once for few rows, in a thread for many; return its result."""
    return work(*arguments) if len(rows) <= MAX_ROWS_IN_LOOP else await asyncio.to_thread(work, *arguments)


def _add_rows(ledger: Ledger, rows: Iterable[Row]) -> list[GameStart]:
    noted = []
    for row in rows:
        before = ledger.game_start.seq
        ledger.add(row)
        if ledger.game_start.seq != before:
            noted.append(ledger.game_start)
            ledger.drop_finished_games()
    return noted


def _add_until_game_over(ledger: Ledger, rows: Iterable[Row], game_number: int) -> bool:
    for row in rows:
        ledger.add(row)
        ledger.drop_finished_games()
        if ledger.table.over and ledger.match.game >= game_number:
            return True
    return False


def _empty_ledger(stored: StoredTable, start: StoredGameStart | None) -> Ledger:
    rules, options = from_json(stored.rules_json, Rules), from_json(stored.options_json, Options)
    since = None
    if start is not None:
        stood = msgspec.structs.asdict(from_json(start.body, _MatchScore))
        agreed = new_match(rules, next_dealer=options.next_dealer, length=options.length)
        since = GameStart(msgspec.structs.replace(agreed, **stood), start.seq, start.version)
    return ledger_of(rules, options, start=since)


async def save_game_starts(store: Store, match_id: str, starts: Iterable[GameStart]) -> None:
    """Store where the second and later games start."""
    rows = []
    for one in starts:
        if one.match_before.played:
            score = _MatchScore(*[getattr(one.match_before, field) for field in _SCORE_FIELDS])
            number, body = one.match_before.game, to_json(score).decode()
            rows.append(StoredGameStart(game_number=number, seq=one.seq, version=one.version, body=body))
    if rows:
        # The starts follow from the log, and are stored another time.
        with contextlib.suppress(StoreError):
            await store.save_game_starts(match_id, rows)
