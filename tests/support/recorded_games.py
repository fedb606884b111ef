"""Records of games by levels and their reviews, made once per process."""

from functools import cache
from typing import Any

from fifteentwo.analysis.review.luck import Luck
from fifteentwo.analysis.review.review import Decision, report, reviewed
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.record import Record
from fifteentwo.rules.variants import rules_for


def played(levels: list[str], seed: int, variant: str = "six-card", **options: Any) -> Record:
    """Return a whole game of these levels."""
    return _played(tuple(levels), seed, variant, **options)


@cache
def _played(levels: tuple[str, ...], seed: int, variant: str, **options: Any) -> Record:
    rules = rules_for(variant, **options)
    table = Table(rules, seeded(seed))
    play_out(table, [player(level, seat) for seat, level in enumerate(levels)])
    return Record(rules=rules, names=levels, actions=tuple(table.actions))


@cache
def course_of(record: Record) -> tuple[Decision | Luck, ...]:
    """Return the parts of a review, in order."""
    return tuple(reviewed(record))


@cache
def report_of(record: Record) -> dict[str, Any]:
    """Return the review of a game, not to be changed."""
    return report(record, course_of(record))
