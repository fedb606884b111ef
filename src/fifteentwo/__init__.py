"""Cribbage: the rules as pure functions, analysis, computer players and a table in the browser.

>>> import fifteentwo as ft
>>> ft.score("5H 5S 5D JC 5C").points
29

Cards      Card Rank Suit DECK cards
Counting   score HandScore Score; show and pegging: the rules of both
Decisions  discards Discards DiscardOption; Position CardOption; win_probability WinProbability; simulate
Rules      rules_for Rules Variant; start step legal to_act State Phase Event
Seats      view View choices; Action: Draw Cut Discard Play Go Claim CallMuggins Accept
Players    LEVELS player Player engine; a player is also an object with `act`, or a function of a View
Games      play match MatchResult; Record review Review; picture Picture
Errors     FifteenTwoError: IllegalAction InvalidArgument InvalidRules NotationError NotInstalled
           UnknownVariant UnknownLevel PlayerError EngineError
More       rules: chance, `decide` and `evolve`, events as a seat sees them

Cards can be text everywhere. `help(ft.score)` describes one name, docs/library.md all names.
"""

from importlib import import_module

# Type checkers know this name. Importing `typing` for it would delay the handler of Ctrl-C.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from fifteentwo import rules
    from fifteentwo.engines.engine import engine
    from fifteentwo.library.cards import DECK, Card, Rank, Suit, cards
    from fifteentwo.library.chances import WinProbability, win_probability
    from fifteentwo.library.entrants import Action, PlayerError
    from fifteentwo.library.games import MatchResult, match, play
    from fifteentwo.library.hands import DiscardOption, Discards, HandScore, discards, score
    from fifteentwo.library.pictures import Picture, picture
    from fifteentwo.library.position import CardOption, Position
    from fifteentwo.library.records import Record, Review, review
    from fifteentwo.library.simulate import simulate
    from fifteentwo.players import LEVELS, EngineError, Player, UnknownLevel, player
    from fifteentwo.rules import pegging, show
    from fifteentwo.rules.actions import Accept, CallMuggins, Claim, Cut, Discard, Draw, Go, Play
    from fifteentwo.rules.errors import (
        FifteenTwoError,
        IllegalAction,
        InvalidArgument,
        InvalidRules,
        NotationError,
        NotInstalled,
        UnknownVariant,
    )
    from fifteentwo.rules.events import Event, Score
    from fifteentwo.rules.game import legal, step, to_act
    from fifteentwo.rules.state import Phase, State, start
    from fifteentwo.rules.variants import Rules, Variant, rules_for
    from fifteentwo.rules.view import View, choices, view

    # Not at run time: `help` would describe every name in full.
    __all__ = [
        "DECK", "LEVELS", "Accept", "Action", "CallMuggins", "Card", "CardOption", "Claim", "Cut",
        "Discard", "DiscardOption", "Discards", "Draw", "EngineError", "Event", "FifteenTwoError", "Go",
        "HandScore", "IllegalAction", "InvalidArgument", "InvalidRules", "MatchResult", "NotInstalled",
        "NotationError", "Phase", "Picture", "Play", "Player", "PlayerError", "Position", "Rank", "Record",
        "Review", "Rules", "Score", "State", "Suit", "UnknownLevel", "UnknownVariant", "Variant", "View",
        "WinProbability", "cards", "choices", "discards", "engine", "legal", "match", "pegging", "picture",
        "play", "player", "review", "rules", "rules_for", "score", "show", "simulate", "start", "step",
        "to_act", "view", "win_probability",
    ]  # fmt: skip

__version__ = "0.1.0"

# fmt: off
_MODULES = {
    "": ("rules",),
    "engines.engine": ("engine",),
    "library.cards": ("DECK", "Card", "Rank", "Suit", "cards"),
    "library.chances": ("WinProbability", "win_probability"),
    "library.entrants": ("Action", "PlayerError"),
    "library.games": ("MatchResult", "match", "play"),
    "library.hands": ("DiscardOption", "Discards", "HandScore", "discards", "score"),
    "library.pictures": ("Picture", "picture"),
    "library.position": ("CardOption", "Position"),
    "library.records": ("Record", "Review", "review"),
    "library.simulate": ("simulate",),
    "players": ("LEVELS", "EngineError", "Player", "UnknownLevel", "player"),
    "rules": ("pegging", "show"),
    "rules.actions": ("Accept", "CallMuggins", "Claim", "Cut", "Discard", "Draw", "Go", "Play"),
    "rules.errors": ("FifteenTwoError", "IllegalAction", "InvalidArgument", "InvalidRules",
        "NotInstalled", "NotationError", "UnknownVariant"),
    "rules.events": ("Event", "Score"),
    "rules.game": ("legal", "step", "to_act"),
    "rules.state": ("Phase", "State", "start"),
    "rules.variants": ("Rules", "Variant", "rules_for"),
    "rules.view": ("View", "choices", "view"),
}
# fmt: on


def __getattr__(name: str) -> object:
    """Return a public name. Its module is imported when the name is first used."""
    for module, names in _MODULES.items():
        if name in names:
            if module in ("", "rules"):
                return import_module(".".join(part for part in (__name__, module, name) if part))
            found: object = getattr(import_module(f"{__name__}.{module}"), name)
            # Found without this function from now on.
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, for completion."""
    return sorted([name for names in _MODULES.values() for name in names])
