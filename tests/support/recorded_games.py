"""Records of games by levels."""

from typing import Any

from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table, seeded
from fifteentwo.players import player
from fifteentwo.rules.record import Record
from fifteentwo.rules.variants import rules_for


def played(levels: list[str], seed: int, variant: str = "six-card", **options: Any) -> Record:
    """A whole game of these levels."""
    rules = rules_for(variant, **options)
    table = Table(rules, seeded(seed))
    play_out(table, [player(level, seat) for seat, level in enumerate(levels)])
    return Record(rules=rules, names=tuple(levels), actions=tuple(table.actions))
