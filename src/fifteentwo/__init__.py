"""Cribbage: the rules as pure functions, analysis, computer players and a table in the browser.

>>> import fifteentwo as ft
>>> ft.score("5H 5S 5D JC", starter="5C").points
29

* Values: `score`, `discards`, `Position`, `win_probability`, `simulate`
* Rules: `rules_for`, `start`, `legal`, `step`, `view`, `choices`
* Games: `play`, `match`. A player is the name of a level, an object with `act`, or `engine("./bot")`.
* Records: `Record`, `review`, `picture`

Cards can be text everywhere. `help(ft.score)` describes one name, docs/library.md all names.
"""

from importlib import import_module

# Type checkers know this name. Importing `typing` for it would delay the handler of Ctrl-C.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from fifteentwo.contest.table import chance, seeded
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
    from fifteentwo.rules.actions import (
        Accept,
        CallMuggins,
        Claim,
        Cut,
        Deal,
        Discard,
        Draw,
        Forfeit,
        NameDealer,
        Play,
        TurnUp,
    )
    from fifteentwo.rules.errors import (
        FifteenTwoError,
        IllegalAction,
        InvalidArgument,
        InvalidRules,
        NotationError,
        NotInstalled,
        UnknownVariant,
    )
    from fifteentwo.rules.events import Event
    from fifteentwo.rules.game import decide, legal, step, to_act
    from fifteentwo.rules.state import Phase, State, evolve, start
    from fifteentwo.rules.variants import Rules, rules_for
    from fifteentwo.rules.view import View, choices, see, view

__version__ = "0.1.0"

# fmt: off
__all__ = [
    "DECK",
    "LEVELS",
    "Accept",
    "Action",
    "CallMuggins",
    "Card",
    "CardOption",
    "Claim",
    "Cut",
    "Deal",
    "Discard",
    "DiscardOption",
    "Discards",
    "Draw",
    "EngineError",
    "Event",
    "FifteenTwoError",
    "Forfeit",
    "HandScore",
    "IllegalAction",
    "InvalidArgument",
    "InvalidRules",
    "MatchResult",
    "NameDealer",
    "NotInstalled",
    "NotationError",
    "Phase",
    "Picture",
    "Play",
    "Player",
    "PlayerError",
    "Position",
    "Rank",
    "Record",
    "Review",
    "Rules",
    "State",
    "Suit",
    "TurnUp",
    "UnknownLevel",
    "UnknownVariant",
    "View",
    "WinProbability",
    "cards",
    "chance",
    "choices",
    "decide",
    "discards",
    "engine",
    "evolve",
    "legal",
    "match",
    "pegging",
    "picture",
    "play",
    "player",
    "review",
    "rules_for",
    "score",
    "see",
    "seeded",
    "show",
    "simulate",
    "start",
    "step",
    "to_act",
    "view",
    "win_probability",
]

_MODULES = {
    "contest.table": ("chance", "seeded"),
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
    "players": ("LEVELS", "Player", "EngineError", "UnknownLevel", "player"),
    "rules": ("pegging", "show"),
    "rules.actions": ("Accept", "CallMuggins", "Claim", "Cut", "Deal", "Discard", "Draw", "Forfeit",
        "NameDealer", "Play", "TurnUp"),
    "rules.errors": ("FifteenTwoError", "IllegalAction", "InvalidArgument", "InvalidRules",
        "NotInstalled", "NotationError", "UnknownVariant"),
    "rules.events": ("Event",),
    "rules.game": ("decide", "legal", "step", "to_act"),
    "rules.state": ("Phase", "State", "evolve", "start"),
    "rules.variants": ("Rules", "rules_for"),
    "rules.view": ("View", "choices", "see", "view"),
}
# fmt: on


def __getattr__(name: str) -> object:
    """Return a public name. Its module is imported when the name is first used."""
    for module, names in _MODULES.items():
        if name in names:
            if module == "rules":
                return import_module(f"{__name__}.{module}.{name}")
            found: object = getattr(import_module(f"{__name__}.{module}"), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, for completion."""
    return __all__
