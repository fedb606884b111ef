"""Reads a database without the server: the rows of a log, and their ledger."""

import sqlite3
from pathlib import Path
from typing import Any

from fifteentwo.rules.events import Dealt, Discarded, Drew, Event, Played, Shown, StarterTurned
from fifteentwo.rules.record import from_json
from fifteentwo.rules.variants import Rules
from fifteentwo.server.table_log.ledger import Entry, Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Row


def found(database: Path | str, asked: str, game: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query about a game, from SQLite or PostgreSQL."""
    if str(database).startswith("postgresql://"):
        import psycopg

        with psycopg.connect(str(database)) as line:
            return line.execute(asked.replace("?", "%s").encode(), (game,)).fetchall()
    connection = sqlite3.connect(database)
    try:
        return connection.execute(asked, (game,)).fetchall()
    finally:
        connection.close()


def rows_of(database: Path | str, game: str) -> list[Row]:
    """Return the rows of a game's log."""
    rows = found(database, "SELECT seq, type, body FROM log_row WHERE match_id=? ORDER BY seq", game)
    return [Row(*row) for row in rows]


def ledger_of(database: Path | str, game: str, v: int | None = None) -> Ledger:
    """Return the match of a log, or its state at version v, because computers may have acted since."""
    [(rules, options)] = found(database, "SELECT rules, options FROM match WHERE id=?", game)
    chosen: Options = from_json(options, Options)
    ledger = Ledger(from_json(rules, Rules), next_dealer=chosen.next_dealer, length=chosen.length)
    for row in rows_of(database, game):
        if v is not None and ledger.seq and ledger.v >= v:
            break
        ledger.add(row)
    return ledger


def known_after(lines: list[Entry], person: int) -> list[set[str]]:
    """Return the cards of the deal that a player may know before the first event and after each.

    Found without `view` or `see`.
    """
    known: set[str] = set()
    after = [known]
    for line in lines:
        if isinstance(line.event, Dealt):
            known = set()
        if line.event is not None:
            known = known | _shown_by(line.event, line.person_by_seat.index(person))
        after.append(known)
    return after


def _shown_by(event: Event, seat: int) -> set[str]:
    match event:
        case Drew(card=card) | StarterTurned(card=card) | Played(card=card):
            return {card.text}
        case Shown(cards=cards):
            return {card.text for card in cards}
        case Dealt(hands=hands):
            return {card.text for card in hands[seat]}
        case Discarded(seat=other, cards=cards) if other == seat:
            return {card.text for card in cards}
        case _:
            return set()
