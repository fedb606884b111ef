"""The levels, weakest first. A player receives a View and never a State.

Every level is a function of its seed and the View: for the same View it always returns the same action.
"""

from importlib import import_module
from typing import Protocol, runtime_checkable

from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.events import GameWon
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View

__all__ = ["LEVELS", "Closes", "EngineError", "Follows", "Player", "UnknownLevel", "player"]


class Player(Protocol):
    """A player at a table: what every level implements."""

    def act(self, view: View) -> SeatAction:
        """Return the action of this View's seat, for which the table waits."""
        ...


@runtime_checkable
class Follows(Protocol):
    """A player that is also notified when games begin and end."""

    def new_game(self, rules: Rules) -> None:
        """Receive the rules of a game that begins."""
        ...

    def game_over(self, won: GameWon) -> None:
        """Receive the result of a game, also after a forfeit."""
        ...


@runtime_checkable
class Closes(Protocol):
    """A player that must be closed after its last game."""

    def close(self) -> None:
        """Release processes and files."""
        ...


class EngineError(FifteenTwoError, RuntimeError):
    """An external program failed and forfeits its game; `detail` describes the failure in English."""

    def __init__(self, code: str, detail: str) -> None:
        self.code = code
        self.detail = detail
        super().__init__(f"{code}: {detail}")


class UnknownLevel(FifteenTwoError, LookupError):
    """No level has this name."""

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
"""The names of all levels, weakest first."""


def player(level: str, seed: int) -> Player:
    """Create a player of this level; only the code of this level is imported.

    Raises:
        UnknownLevel: No level has this name.
    """
    try:
        module, name = _MODULES[level]
    except KeyError:
        raise UnknownLevel(level) from None
    made: Player = getattr(import_module(f"fifteentwo.players.{module}"), name)(seed)
    return made
