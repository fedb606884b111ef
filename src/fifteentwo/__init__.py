"""Cribbage, whole: the rules as pure functions, players, analysis and a table.

>>> from fifteentwo import Card, cards, show
>>> show.points(cards("5H 5S 5D JC"), Card("5C"))
29
"""

from importlib import import_module

# As in typing, which would be loaded for this alone: until the program's first line, Ctrl-C gives a trace.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from fifteentwo.engines.engine import engine
    from fifteentwo.rules import pegging, show
    from fifteentwo.rules.cards import DECK, Card, Rank, Suit, cards
    from fifteentwo.rules.errors import (
        FifteenTwoError,
        IllegalAction,
        InvalidRules,
        NotationError,
        UnknownVariant,
    )
    from fifteentwo.rules.game import decide, legal, step, to_act
    from fifteentwo.rules.record import Record
    from fifteentwo.rules.state import Phase, State, evolve, start
    from fifteentwo.rules.variants import Rules, rules_for
    from fifteentwo.rules.view import View, choices, see, view

__version__ = "0.1.0"

__all__ = [
    "DECK",
    "Card",
    "FifteenTwoError",
    "IllegalAction",
    "InvalidRules",
    "NotationError",
    "Phase",
    "Rank",
    "Record",
    "Rules",
    "State",
    "Suit",
    "UnknownVariant",
    "View",
    "cards",
    "choices",
    "decide",
    "engine",
    "evolve",
    "legal",
    "pegging",
    "rules_for",
    "see",
    "show",
    "start",
    "step",
    "to_act",
    "view",
]

_MODULES = {
    "cards": ("DECK", "Card", "Rank", "Suit", "cards"),
    "errors": ("FifteenTwoError", "IllegalAction", "InvalidRules", "NotationError", "UnknownVariant"),
    "game": ("decide", "legal", "step", "to_act"),
    "record": ("Record",),
    "state": ("Phase", "State", "evolve", "start"),
    "variants": ("Rules", "rules_for"),
    "view": ("View", "choices", "see", "view"),
}


def __getattr__(name: str) -> object:
    """Return one of the names above, its module loaded when it is first asked for."""
    if name in ("pegging", "show"):
        return import_module(f"{__name__}.rules.{name}")
    if name == "engine":
        return import_module(f"{__name__}.engines.engine").engine
    for module, names in _MODULES.items():
        if name in names:
            found: object = getattr(import_module(f"{__name__}.rules.{module}"), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
