"""Records of whole games by weak levels, which are quick and full of mistakes."""

from typing import Any

from fifteentwo.contest.match import new_match, play_out
from fifteentwo.players import player
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.record import Record
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import rules_for

NAMES = ("Aiko", "Ken", "Mei", "Jun")


def played(variant: str, seed: int = 1, level: str = "random", **options: Any) -> Record:
    """Play one game, which depends only on the arguments."""
    rules = rules_for(variant, **options)
    table = new_match(rules).table(seeded(f"{variant}/{seed}"))
    if table.state.phase is Phase.NAME_DEALER:
        table.adopt(table.name_dealer(0))
    play_out(table, [player(level, seed + number) for number in range(rules.seats)])
    return Record(rules=rules, names=NAMES[: rules.seats], actions=tuple(table.actions))
