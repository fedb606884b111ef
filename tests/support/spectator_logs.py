"""Logs of games with spectators."""

import random
from collections.abc import Iterator

from fifteentwo.players import player
from fifteentwo.rules.actions import NameDealer
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import view
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.proposals import undoable_row
from fifteentwo.server.table_log.rows import Row

NAMES = ("Ada", "Ben", "Cleo", "Dan")


def rows(rules: Rules, seed: int, *, undo: bool = False) -> Iterator[tuple[Row, Ledger]]:
    """Yield the rows of a random game with the ledger after each; with undo, some actions are undone."""
    rng = random.Random(seed)
    ledger = Ledger(rules)
    players = [player("random", seed + seat) for seat in range(rules.seats)]

    def added(row: Row) -> tuple[Row, Ledger]:
        ledger.add(row)
        return row, ledger

    yield added(proposals.new_game(ledger, rng.randbytes(32)))
    while not ledger.table.over:
        if ledger.table.state.phase is Phase.NAME_DEALER:
            yield added(proposals.act(ledger, 0, NameDealer(rng.randrange(rules.seats)))[0])
            continue
        if undo and rng.random() < 0.5 and undoable_row(ledger, 0) is not None:
            yield added(proposals.undo(ledger, 0))
        seat = rng.choice(ledger.table.waiting)
        yield added(proposals.act(ledger, seat, players[seat].act(view(ledger.table.state, seat)))[0])
