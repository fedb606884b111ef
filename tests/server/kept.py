"""What a database holds, read past the server: the log as rows, and the ledger they make."""

import sqlite3
from pathlib import Path

from fifteentwo.rules.events import (
    Dealt,
    Drew,
    Event,
    LaidAway,
    Played,
    Shown,
    StarterTurned,
)
from fifteentwo.rules.record import from_json
from fifteentwo.rules.variants import Rules
from fifteentwo.server.ledger import Ledger, Line
from fifteentwo.server.options import Options
from fifteentwo.server.store import Row


def rows_of(database: Path, game: str) -> list[Row]:
    """The rows of a game's log."""
    connection = sqlite3.connect(database)
    try:
        found = connection.execute("SELECT seq, type, body FROM event WHERE game=? ORDER BY seq", (game,))
        return [Row(*row) for row in found]
    finally:
        connection.close()


def ledger_of(database: Path, game: str, v: int | None = None) -> Ledger:
    """The match as its log tells it; with v as it stood then, for computers may have gone on since."""
    connection = sqlite3.connect(database)
    try:
        rules, options = connection.execute("SELECT rules, options FROM game WHERE id=?", (game,)).fetchone()
    finally:
        connection.close()
    chosen: Options = from_json(options, Options)
    ledger = Ledger(from_json(rules, Rules), next_dealer=chosen.next_dealer, length=chosen.length)
    for row in rows_of(database, game):
        if v is not None and ledger.seq and ledger.v >= v:
            break
        ledger.add(row)
    return ledger


def known_after(lines: list[Line], person: int) -> list[set[str]]:
    """The cards of the deal that somebody may know before the first event and after each.

    Found without `view` or `see`.
    """
    known: set[str] = set()
    after = [known]
    for line in lines:
        if isinstance(line.event, Dealt):
            known = set()
        if line.event is not None:
            known = known | _shown_by(line.event, line.seated.index(person))
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
        case LaidAway(seat=other, cards=cards) if other == seat:
            return {card.text for card in cards}
        case _:
            return set()
