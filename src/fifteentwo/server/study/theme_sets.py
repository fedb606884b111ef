"""The sets by theme that ship: positions only; what is best in them is worked out as anywhere else."""

import gzip
import json
from functools import cache
from typing import Any

from fifteentwo.rules.record import from_json, to_plain
from fifteentwo.rules.variants import SIX_CARD
from fifteentwo.rules.view import View
from fifteentwo.strategy.files import data_bytes

FILE = "practice_sets.json.gz"
THEMES = ("crib", "keeping", "leads", "traps", "last-street", "counting-out")
"""As they are offered."""
LADDER = "ladder"
RUNGS = ("beginner", "casual", "club", "expert", "master")
"""The levels of the ladder, the easiest first, by the names of our levels."""


@cache
def sets() -> dict[str, tuple[View, ...]]:
    """The positions of each theme, the clearest first; all of them on the ladder, the easiest first.

    A problem is the easier the more win chance its second-best choice loses, by the deals it was made with.
    """
    read: dict[str, Any] = json.loads(gzip.decompress(data_bytes(FILE)))
    rules = to_plain(SIX_CARD)
    problems = [
        (one["gap"], one["theme"], from_json(json.dumps(one["view"] | {"rules": rules}), View))
        for one in read["problems"]
    ]
    found = {theme: tuple(view for _, of, view in problems if of == theme) for theme in THEMES}
    easiest_first = sorted(problems, key=lambda one: -one[0])
    return found | {LADDER: tuple(view for *_, view in easiest_first)}


def on_rung(rung: int, number: int) -> int:
    """Return a problem's place on the ladder: the number-th of a rung, which begins again after its last."""
    size = len(sets()[LADDER]) / len(RUNGS)
    rung = min(rung, len(RUNGS) - 1)
    first, end = round(rung * size), round((rung + 1) * size)
    return first + number % (end - first)
