"""Whatever a program gives as a player, made an entrant of a game or an arena."""

import pickle
import random
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeAlias, TypeGuard, cast

from fifteentwo.contest.entrants import Entrant, Level
from fifteentwo.players import LEVELS, Closes, Follows, Player, PlayerFailed, UnknownLevel
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.errors import FifteenTwoError, InvalidArgument
from fifteentwo.rules.events import GameWon
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View, allows

PlayerLike: TypeAlias = str | Player | Callable[[], Player] | Entrant
"""A player as the library takes it: a level's name, an object with `act`, what makes one (a class, a
function without arguments), or an external program (`engine`)."""

Action: TypeAlias = SeatAction
"""What a player does: `Draw`, `Cut`, `Discard`, `Play`, `Claim`, `CallMuggins` or `Accept`."""


class FaultyPlayer(FifteenTwoError, RuntimeError):
    """A player's program failed: it raised an exception (`__cause__`), or did what the rules forbid.

    `player` is its name, `seat` and `deal` say where, `detail` what, in English.
    """

    def __init__(self, code: str, player: str, seat: int, deal: int, detail: str) -> None:
        self.code = code
        self.player = player
        self.seat = seat
        self.deal = deal
        self.detail = detail
        super().__init__(f"{code}: {player} at seat {seat} in deal {deal}: {detail}")

    def __reduce__(self) -> tuple[type, tuple[str, str, int, int, str]]:
        return type(self), (self.code, self.player, self.seat, self.deal, self.detail)


class Guarded:
    """A player of a user's program: what it does is checked, and its random choices follow from a seed."""

    def __init__(self, player: Player, name: str, seed: int | None, *, owned: bool = True) -> None:
        """seed: of Python's `random` and NumPy's, set before its first action of a game; None: left alone.

        owned: the player is a copy, and closed with this.
        """
        self._owned = owned
        self._player = player
        self._name = name
        self._seed = seed
        self._begun = False

    def new_game(self, rules: Rules) -> None:
        """Notify the player, if it wants to know."""
        self._begun = False
        if isinstance(self._player, Follows):
            self._player.new_game(rules)

    def game_over(self, won: GameWon) -> None:
        """Notify the player, if it wants to know."""
        if isinstance(self._player, Follows):
            self._player.game_over(won)

    def close(self) -> None:
        """Close the player, if it can be closed."""
        if self._owned and isinstance(self._player, Closes):
            self._player.close()

    def act(self, view: View) -> SeatAction:
        """The player's action; FaultyPlayer where it gives none, or one that is not allowed."""
        if not self._begun and self._seed is not None:
            # By what it sees, so that it does not matter which process plays which games.
            _set_chance(f"{self._seed}/{view.seat}/{view.dealer}/{view.hand}")
        self._begun = True
        try:
            action = self._player.act(view)
        except PlayerFailed:
            raise
        except Exception as error:
            raise self._faulty("player-raised", view, f"{type(error).__name__}: {error}") from error
        try:
            allowed = allows(view, action)
        except Exception:
            # No action at all, or one with no cards in it.
            allowed = False
        if not allowed:
            raise self._faulty("player-not-allowed", view, repr(action)[:200])
        return action

    def _faulty(self, code: str, view: View, detail: str) -> FaultyPlayer:
        return FaultyPlayer(code, self._name, view.seat, view.deal, detail)


class Given:
    """An entrant from a user's object or from what makes one; each process plays with copies of its own."""

    def __init__(self, given: Player | Callable[[], Player]) -> None:
        self._given: Any = given
        self.name = _name_of(given)

    @property
    def key(self) -> str:
        return self.name

    def players(self, seed: int, seats: int) -> Sequence[Player]:
        """A player for each seat: a new one, a copy, or the object itself where it cannot be copied."""
        if not _acts(self._given):
            return [Guarded(self._made(), self.name, seed) for _ in range(seats)]
        try:
            pickled = _pickled(self._given)
        except Exception:
            return [Guarded(self._given, self.name, seed, owned=False)] * seats
        return [Guarded(pickle.loads(pickled), self.name, seed) for _ in range(seats)]

    def player(self, seed: int | None) -> Player:
        """One player: a new one where it is made, else the object itself."""
        if not _acts(self._given):
            return Guarded(self._made(), self.name, seed)
        return Guarded(self._given, self.name, seed, owned=False)

    def _made(self) -> Player:
        made = self._given()
        if not _acts(made):
            raise InvalidArgument("not-a-player", "players", made)
        return made

    def __reduce__(self) -> tuple[Callable[[bytes], "Given"], tuple[bytes]]:
        try:
            return _given, (_pickled(self._given),)
        except Exception as error:
            raise InvalidArgument("player-not-sent", "jobs", f"{self.name}: {error}") from error


def _given(pickled: bytes) -> Given:
    return Given(pickle.loads(pickled))


def _pickled(given: object) -> bytes:
    """The object with its class, if that stands in a notebook or in the program itself."""
    pickled: bytes = import_module("cloudpickle").dumps(given)
    return pickled


def entrant(given: object) -> Entrant:
    """Return what a program gave as an entrant; UnknownLevel, or InvalidArgument where it is no player."""
    if isinstance(given, str):
        if given not in LEVELS:
            raise UnknownLevel(given)
        return Level(given)
    if not isinstance(given, type) and hasattr(given, "players") and hasattr(given, "key"):
        return cast("Entrant", given)
    if _acts(given) or callable(given):
        return Given(given)
    raise InvalidArgument("not-a-player", "players", given)


@contextmanager
def chance_kept() -> Iterator[None]:
    """Put the random choices of Python and NumPy back to what they were, whatever players do meanwhile."""
    before = random.getstate()
    numpy_random = getattr(sys.modules.get("numpy"), "random", None)
    numpy_before = None if numpy_random is None else numpy_random.get_state()
    try:
        yield
    finally:
        random.setstate(before)
        if numpy_random is not None:
            numpy_random.set_state(numpy_before)


def _set_chance(seed: str) -> None:
    random.seed(seed)
    numpy_random = getattr(sys.modules.get("numpy"), "random", None)
    if numpy_random is not None:
        numpy_random.seed(zlib.crc32(seed.encode()))


def _acts(given: object) -> TypeGuard[Player]:
    return not isinstance(given, type) and callable(getattr(given, "act", None))


def _name_of(given: object) -> str:
    """What a player is called: its `name`, or that of its class or function."""
    of = type(given) if _acts(given) else given
    names = [getattr(given, "name", None), getattr(of, "__name__", None), type(given).__name__]
    return next(" ".join(name.split())[:100] for name in names if isinstance(name, str) and name.strip())
