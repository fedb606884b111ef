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


@cache
def sets() -> dict[str, tuple[View, ...]]:
    """The positions of each theme, the clearest first."""
    read: dict[str, Any] = json.loads(gzip.decompress(data_bytes(FILE)))
    rules = to_plain(SIX_CARD)
    found: dict[str, list[View]] = {theme: [] for theme in THEMES}
    for one in read["problems"]:
        found[one["theme"]].append(from_json(json.dumps(one["view"] | {"rules": rules}), View))
    return {theme: tuple(views) for theme, views in found.items()}
