"""The rules of cribbage: pure values and functions, cited by rule number (docs/rules.md).

Chance        chance seeded: the action of chance that is due, from decks shuffled by a seed
Actions       Deal TurnUp (chance), NameDealer Forfeit (the table); those of seats are in `fifteentwo`
Events        decide: the events of an action; evolve: the state after an event; see: an event for one seat
"""

from importlib import import_module

TYPE_CHECKING = False

if TYPE_CHECKING:
    from fifteentwo.rules.actions import Deal, Forfeit, NameDealer, TurnUp
    from fifteentwo.rules.decks import chance, seeded
    from fifteentwo.rules.game import decide
    from fifteentwo.rules.state import evolve
    from fifteentwo.rules.view import see

    __all__ = ["Deal", "Forfeit", "NameDealer", "TurnUp", "chance", "decide", "evolve", "see", "seeded"]

_MODULES = {
    "actions": ("Deal", "Forfeit", "NameDealer", "TurnUp"),
    "decks": ("chance", "seeded"),
    "game": ("decide",),
    "state": ("evolve",),
    "view": ("see",),
}


def __getattr__(name: str) -> object:
    """Return a public name of this package. Its module is imported when the name is first used."""
    for module, names in _MODULES.items():
        if name in names:
            found: object = getattr(import_module(f"{__name__}.{module}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
