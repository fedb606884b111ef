"""Matches played at random, row by row."""

import random

from fifteentwo.contest.match import Length
from fifteentwo.players import player
from fifteentwo.rules.record import to_json
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import view
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.proposals import undoable_row
from fifteentwo.server.table_log.rows import Person, Row, StoredTable


def played(
    rules: Rules, games: int, seed: int, *, undo: float = 0.0, length: Length = Length.OPEN
) -> tuple[Ledger, list[Row]]:
    """Play a match through the ledger, and return it with its rows."""
    rng = random.Random(seed)
    ledger, rows = Ledger(rules, length=length), list[Row]()
    players = [player("random", seed + person) for person in range(rules.seats)]

    def keep(row: Row) -> None:
        ledger.add(row)
        rows.append(row)

    for _ in range(games):
        keep(proposals.new_game(ledger, rng.randbytes(32)))
        while not ledger.table.over:
            seat = rng.choice(ledger.table.waiting)
            if rng.random() < undo and undoable_row(ledger, seat) is not None:
                keep(proposals.undo(ledger, seat))
                continue
            seen = view(ledger.table.state, seat)
            keep(proposals.act(ledger, seat, players[ledger.seated[seat]].act(seen))[0])
    return ledger, rows


def same(one: Ledger, other: Ledger) -> bool:
    return (
        one.table.state == other.table.state
        and one.entries == other.entries
        and one.match == other.match
        and one.finished == other.finished
        and one.restart_version == other.restart_version
        and one.seq == other.seq
        and one.table.actions == other.table.actions
        and [undoable_row(one, seat) for seat in range(one.match.rules.seats)]
        == [undoable_row(other, seat) for seat in range(other.match.rules.seats)]
    )


NAMES = ("Aiko", "Ken", "Mei", "Taro")


def stored_table(rules: Rules, rows: list[Row], name: str = "AAAAAAAAAAAAAAAA") -> StoredTable:
    people = tuple(Person(name=one, owner=one) for one in NAMES[: rules.seats])
    return StoredTable(
        id=name,
        rules_json=to_json(rules).decode(),
        options_json=to_json(Options()).decode(),
        people=people,
        rows=tuple(rows),
    )
