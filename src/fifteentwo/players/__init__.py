"""Who plays: the levels, weakest first. A player is given a View and never a State.

Every player is a function of its seed, the View and, at some levels, the engine: the same View always gets
the same action.
"""

from importlib import import_module
from typing import Protocol

from fifteentwo.analysis.engine import engine
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.variants import Variant
from fifteentwo.rules.view import View

__all__ = ["LEVELS", "Player", "UnknownLevel", "engine", "engine_of", "loops_of", "player"]


class Player(Protocol):
    """Somebody who can sit at a table."""

    def act(self, view: View) -> SeatAction:
        """What to do now, where the table waits for this View's seat."""
        ...


class UnknownLevel(FifteenTwoError, LookupError):
    """There is no player of that name."""

    code = "unknown-level"

    def __init__(self, level: str) -> None:
        self.level = level
        self.levels = LEVELS
        super().__init__(f"no such level: {level!r}; the levels are {', '.join(LEVELS)}")


_MODULES = {
    "random": ("at_random", "AtRandom"),
    "beginner": ("beginner", "Beginner"),
    "greedy": ("greedy", "Greedy"),
    "casual": ("casual", "Casual"),
    "club": ("club", "Club"),
    "expert": ("expert", "Expert"),
    "master": ("master", "Master"),
}

LEVELS: tuple[str, ...] = tuple(_MODULES)
"""Every level there is, weakest first."""


def player(level: str, seed: int) -> Player:
    """A player of this level; UnknownLevel where there is none. Only that level's code is loaded."""
    try:
        module, name = _MODULES[level]
    except KeyError:
        raise UnknownLevel(level) from None
    made: Player = getattr(import_module(f"fifteentwo.players.{module}"), name)(seed)
    return made


def loops_of(level: str, variant: str) -> tuple[str, ...]:
    """The modules whose compiled loops change how a level plays a form; raises UnknownLevel."""
    if level not in LEVELS:
        raise UnknownLevel(level)
    if variant != Variant.SIX_CARD:
        return ("fifteentwo.analysis.rollouts.playouts",) if level in ("expert", "master") else ()
    return (
        ("fifteentwo.analysis.pegging.look_ahead", "fifteentwo.analysis.pegging.endgame")
        if level == "master"
        else ()
    )


def engine_of(level: str, variant: str) -> str | None:
    """By which method a level would play a form now, as `engine`; None where it plays the same by both.

    Where nobody may wait (`analysis.compiling_aside`), asking begins to compile what is missing, aside.
    """
    loops = loops_of(level, variant)
    if not loops:
        return None
    # All are asked, so that all begin.
    at_hand = [import_module(name).at_hand() for name in loops]
    return "compiled" if all(at_hand) else "plain"
