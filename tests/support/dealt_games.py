"""Whole games dealt from a committed secret."""

from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules.record import Record
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.table_log.dealing import commitment, committed

SECRET = bytes(range(32))


def finished(variant: str) -> Record:
    rules = rules_for(variant)
    table = Table(rules, committed(SECRET))
    play_out(table, [player("random", seat) for seat in range(rules.seats)])
    return Record(
        rules=rules,
        names=("",) * rules.seats,
        actions=tuple(table.actions),
        commitment=commitment(SECRET),
        secret=SECRET.hex(),
    )
