"""Who plays: the levels, weakest first. A player is given a View and never a State.

Every player is a function of its seed and the View: the same View always gets the same action.
"""

from importlib import import_module
from typing import Protocol, runtime_checkable

from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.events import GameWon
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View

__all__ = ["LEVELS", "Closes", "Follows", "Player", "PlayerFailed", "UnknownLevel", "player"]


class Player(Protocol):
    """A player at a table: what every level implements."""

    def act(self, view: View) -> SeatAction:
        """What to do now, where the table waits for this View's seat."""
        ...


@runtime_checkable
class Follows(Protocol):
    """A player that is also notified when games begin and end."""

    def new_game(self, rules: Rules) -> None:
        """A game by these rules begins."""
        ...

    def game_over(self, won: GameWon) -> None:
        """The game is over, by a forfeit too."""
        ...


@runtime_checkable
class Closes(Protocol):
    """A player that holds something until it is closed."""

    def close(self) -> None:
        """It plays no more."""
        ...


class PlayerFailed(FifteenTwoError, RuntimeError):
    """A player cannot go on: its game is lost. `detail` says what happened, in English."""

    def __init__(self, code: str, detail: str) -> None:
        self.code = code
        self.detail = detail
        super().__init__(f"{code}: {detail}")

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.code, self.detail)


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
