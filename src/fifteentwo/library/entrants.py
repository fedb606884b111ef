"""Players in any form that a program passes, as entrants of a game or an arena."""

import pickle
import random
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from inspect import signature
from typing import Any, TypeAlias, TypeGuard, cast

from fifteentwo.contest.entrants import Entrant, Level
from fifteentwo.players import Closes, EngineError, Follows, Player
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.errors import FifteenTwoError, InvalidArgument
from fifteentwo.rules.events import GameWon
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View, allows

PlayerLike: TypeAlias = str | Player | Callable[[], Player] | Callable[[View], SeatAction] | Entrant
"""A level's name, an object with `act`, a function of a View, what creates a player, or an `engine`."""

Action: TypeAlias = SeatAction
"""An action of a seat: `Draw`, `Cut`, `Discard`, `Play`, `Claim`, `CallMuggins` or `Accept`."""


class PlayerError(FifteenTwoError, RuntimeError):
    """Raised if a player raises an exception (`__cause__`) or returns an illegal action.

    `player` is its name, `seat` and `deal` say where it failed, and `detail` says how, in English.
    """

    def __init__(self, code: str, player: str, seat: int, deal: int, detail: str) -> None:
        self.code = code
        self.player = player
        self.seat = seat
        self.deal = deal
        self.detail = detail
        super().__init__(f"{code}: {player} at seat {seat} in deal {deal}: {detail}")


class CheckedPlayer:
    """A user's player whose actions are checked, and whose random choices follow from a seed."""

    def __init__(self, player: Player, name: str, seed: int | None, *, owned: bool = True) -> None:
        """Wrap a player.

        Args:
            player: the user's object.
            name: name for errors.
            seed: seed of Python's `random` and NumPy's, set before its first action of a game; None for no
                seed.
            owned: whether the player is a copy that `close` closes.
        """
        self._owned = owned
        self._player = player
        self._name = name
        self._seed = seed
        self._has_acted = False

    def new_game(self, rules: Rules) -> None:
        self._has_acted = False
        if isinstance(self._player, Follows):
            self._player.new_game(rules)

    def game_over(self, won: GameWon) -> None:
        if isinstance(self._player, Follows):
            self._player.game_over(won)

    def close(self) -> None:
        if self._owned and isinstance(self._player, Closes):
            self._player.close()

    def act(self, view: View) -> SeatAction:
        """Return the player's action; raise PlayerError if there is no legal one."""
        if not self._has_acted and self._seed is not None:
            # The seed includes the View, so that results do not depend on which process plays which games.
            _seed_random(f"{self._seed}/{view.seat}/{view.dealer}/{view.hand}")
        self._has_acted = True
        try:
            action = self._player.act(view)
        except EngineError:
            raise
        except Exception as error:
            raise self._faulty("player-raised", view, f"{type(error).__name__}: {error}") from error
        try:
            allowed = allows(view, action)
        except Exception:
            # The value is not an action, or has fields of wrong types.
            allowed = False
        if not allowed:
            raise self._faulty("player-not-allowed", view, repr(action)[:200])
        return action

    def _faulty(self, code: str, view: View, detail: str) -> PlayerError:
        return PlayerError(code, self._name, view.seat, view.deal, detail)


class FunctionPlayer:
    """A player whose choices a function of the View makes."""

    def __init__(self, function: Callable[[View], SeatAction]) -> None:
        self.name = _name_of(function)
        self._function = function

    def act(self, view: View) -> SeatAction:
        """Return the function's action."""
        return self._function(view)


class UserEntrant:
    """An entrant from a user's object or factory; each process plays with its own copies."""

    def __init__(self, given: Player | Callable[[], Player]) -> None:
        self._given: Any = given
        self.name = _name_of(given)

    @property
    def key(self) -> str:
        return self.name

    def players(self, seed: int, seats: int) -> Sequence[Player]:
        """Return a player for each seat: created, or copied, or the object itself if it cannot be copied."""
        if not _is_player(self._given):
            return [CheckedPlayer(self._create(), self.name, seed) for _ in range(seats)]
        try:
            pickled = _pickled(self._given)
        except Exception:
            return [CheckedPlayer(self._given, self.name, seed, owned=False)] * seats
        return [CheckedPlayer(pickle.loads(pickled), self.name, seed) for _ in range(seats)]

    def player(self, seed: int | None) -> Player:
        """Return a created player, or the object itself."""
        if not _is_player(self._given):
            return CheckedPlayer(self._create(), self.name, seed)
        return CheckedPlayer(self._given, self.name, seed, owned=False)

    def _create(self) -> Player:
        made = self._given()
        if not _is_player(made):
            raise InvalidArgument("not-a-player", "players", made)
        return made

    def __reduce__(self) -> tuple[Callable[[bytes], "UserEntrant"], tuple[bytes]]:
        try:
            return _unpickled, (_pickled(self._given),)
        except Exception as error:
            raise InvalidArgument("player-not-sent", "jobs", f"{self.name}: {error}") from error


def _unpickled(pickled: bytes) -> UserEntrant:
    return UserEntrant(pickle.loads(pickled))


def _pickled(given: object) -> bytes:
    """Return a pickle that includes the object's class if it was defined in a notebook or main program."""
    pickled: bytes = import_module("cloudpickle").dumps(given)
    return pickled


def entrant(given: object) -> Entrant:
    """Return an entrant from any form of player; raise UnknownLevel or InvalidArgument."""
    if isinstance(given, str):
        return Level(given)
    if not isinstance(given, type) and hasattr(given, "players") and hasattr(given, "key"):
        return cast("Entrant", given)
    if _is_player(given):
        return UserEntrant(given)
    if callable(given) and _takes_a_view(given):
        return UserEntrant(FunctionPlayer(given))
    if callable(given) and _can_be_called_with(given):
        return UserEntrant(given)
    raise InvalidArgument("not-a-player", "players", given)


@contextmanager
def random_state_restored() -> Iterator[None]:
    """Restore the state of Python's and NumPy's random generators afterwards."""
    before = random.getstate()
    numpy_random = getattr(sys.modules.get("numpy"), "random", None)
    numpy_before = None if numpy_random is None else numpy_random.get_state()
    try:
        yield
    finally:
        random.setstate(before)
        if numpy_random is not None:
            numpy_random.set_state(numpy_before)


def _seed_random(seed: str) -> None:
    random.seed(seed)
    numpy_random = getattr(sys.modules.get("numpy"), "random", None)
    if numpy_random is not None:
        numpy_random.seed(zlib.crc32(seed.encode()))


def _is_player(given: object) -> TypeGuard[Player]:
    return not isinstance(given, type) and callable(getattr(given, "act", None))


def _takes_a_view(given: Callable[..., Any]) -> bool:
    """Return whether this is a function of one argument, and no class or function that creates a player."""
    if isinstance(given, type) or not _can_be_called_with(given, None):
        return False
    return all(one.default is one.empty for one in list(signature(given).parameters.values())[:1])


def _can_be_called_with(given: Callable[..., Any], *arguments: object) -> bool:
    try:
        signature(given).bind(*arguments)
    except TypeError:
        return False
    except ValueError:
        # A class of an extension may have no signature; it may create players, but is no function of a View.
        return not arguments
    return True


def _name_of(given: object) -> str:
    """Return a player's name: its `name`, or the name of its class or function."""
    of = type(given) if _is_player(given) else given
    names = [getattr(given, "name", None), getattr(of, "__name__", None), type(given).__name__]
    return next(" ".join(name.split())[:100] for name in names if isinstance(name, str) and name.strip())
