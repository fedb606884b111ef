"""Who plays: the levels, weakest first. A player is given a View and never a State.

Every player is a function of its seed and the View: the same View always gets the same action.
"""

from importlib import import_module
from typing import Protocol

from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.view import View

__all__ = ["LEVELS", "Player", "UnknownLevel", "player"]


class Player(Protocol):
    """A player at a table: what every level implements."""

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
