"""Many six-card games of two players at once, in arrays, for learning programs.

>>> games = SixCard(1000, seed=7)
>>> result = games.step(games.random_actions())
>>> games.observations.shape, games.masks.shape, result.rewards.shape
((1000, 437), (1000, 67), (1000, 2))
"""

from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fifteentwo.environments.encoding import action_count, observation_size
from fifteentwo.environments.six_card_kernels import GAME
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.random_games_kernels import LOW, MULTIPLIER
from fifteentwo.fast.show import rank_points
from fifteentwo.rules.errors import IllegalAction, InvalidArgument
from fifteentwo.rules.variants import rules_for

OPTIONS = ("target", "skunk", "double_skunk")
"""Options of the rules that these games have."""
_KERNELS = "fifteentwo.environments.six_card_kernels"


class Step(NamedTuple):
    """Results of one action in each of n games, by seat. `SixCard.step` overwrites the arrays."""

    rewards: NDArray[np.float32]
    """Shape (n, 2): 0, or at the end of a game the games won or lost: 1, with skunks 2 or 4."""
    done: NDArray[np.bool_]
    """Shape (n,): whether the game is over; a new game starts in its place."""
    scores: NDArray[np.int16]
    """Shape (n, 2): scores after this action; the final scores if the game is over."""
    pegged: NDArray[np.int16]
    """Shape (n, 2): points pegged by this action with heels and last card, without the show."""


class SixCard:
    """n six-card games between seats 0 and 1. Chance names each game's dealer, and nobody cuts.

    A step overwrites the arrays: copy what you need later.
    """

    observations: NDArray[np.uint8]
    """Shape (n, 437): observations of the seat on turn, encoded by `encoding.observe`."""
    masks: NDArray[np.bool_]
    """Shape (n, 67): the legal actions, by number as in `encoding`."""

    def __init__(self, number: int, seed: int | None = None, **options: Any) -> None:
        """Start games; each takes 0.8 kB of memory.

        Args:
            number: number of games.
            seed: seed of the games. Game i does not depend on the number of games; without a seed games
                differ each time.
            options: target, skunk and double_skunk, as in `rules_for`.

        Raises:
            InvalidArgument: the number is negative, or another option is given.
            InvalidRules: the options are not allowed together.
        """
        if number < 0:
            raise InvalidArgument("number-too-small", "number", number)
        if other := options.keys() - set(OPTIONS):
            raise InvalidArgument("unknown-option", min(other), number, OPTIONS)
        self.rules = rules_for(
            "six-card", first_dealer="named", cut_before_deal=False, starter="top", **options
        )
        self.observations = np.zeros((number, observation_size(self.rules)), np.uint8)
        self.masks = np.zeros((number, action_count(self.rules)), np.bool_)
        self._lines = np.array([self.rules.games_lost(at) for at in range(self.rules.target + 1)], np.float32)
        self._games: Any = np.zeros(number, GAME).view(np.recarray)
        self._games["chance"], self._chance = _initial_chance(number, seed)
        self._actions = np.zeros(number, np.int64)
        self._all = np.arange(number)
        self._step = Step(
            np.zeros((number, 2), np.float32),
            np.zeros(number, np.bool_),
            np.zeros((number, 2), np.int16),
            np.zeros((number, 2), np.int16),
        )
        _kernels().begin_games(self._games, self.rules.target, self.observations, self.masks)

    @property
    def seats(self) -> NDArray[np.int64]:
        """Shape (n,): the seat on turn, 0 or 1; the same memory after each step."""
        seats: NDArray[np.int64] = self._games["seat"]
        return seats

    @property
    def dealers(self) -> NDArray[np.int64]:
        """Shape (n,): the seat of the dealer."""
        dealers: NDArray[np.int64] = self._games["dealer"]
        return dealers

    @property
    def decks(self) -> NDArray[np.uint8]:
        """Shape (n, 13), hidden from the seats: pone's six cards, the dealer's six, and the starter."""
        decks: NDArray[np.uint8] = self._games["deck"][:, :13]
        return decks

    def step(self, actions: ArrayLike, *, only: NDArray[np.int64] | None = None) -> Step:
        """Do one action in each game. A step takes about 0.1 µs a game with numba, 0.2 ms without.

        Args:
            actions: shape (n,), action numbers of any integer type.
            only: shape (k,), numbers of the games in which the action is done; None for all. In the others
                rewards are 0, `done` is False, and scores and `pegged` do not change.

        Raises:
            IllegalAction: an action is not legal; then no action is done in any game.
        """
        given = np.asarray(actions)
        if given.shape != self._actions.shape or (given.size and given.dtype.kind not in "iu"):
            raise InvalidArgument("not-actions", "actions", f"{given.shape} {given.dtype}")
        chosen = np.ascontiguousarray(given, np.int64)
        places = self._all if only is None else only
        closed = int(_kernels().first_illegal(self.masks, chosen, places))
        if closed >= 0:
            raise IllegalAction(
                "action-not-open", "R50", int(self.seats[closed]), action=int(chosen[closed]), game=closed
            )
        if only is not None:
            self._step.rewards[:], self._step.done[:] = 0, False
        _kernels().step_games(
            self._games,
            chosen,
            places,
            self._lines,
            rank_points(5),
            self.observations,
            self.masks,
            self._step,
        )
        return self._step

    def random_actions(self, only: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Return a random legal action for each game, or each of `only`, (n,); decks do not depend on it."""
        places = self._all if only is None else only
        self._chance = int(_kernels().random_actions(self.masks, places, self._chance, self._actions))
        return self._actions


@cache
def _kernels() -> ModuleType:
    """Return the kernels. Games do not store them, so that they can be copied and pickled."""
    return compiled(_KERNELS)


def prepare() -> None:
    """Compile the kernels, or load them from the cache."""
    games = SixCard(1, 1)
    games.step(games.random_actions())


def _initial_chance(number: int, seed: int | None) -> tuple[NDArray[np.int64], int]:
    """Return the state of chance of each game, and of `random_actions`: 1 to MULTIPLIER * 2**32 - 2."""
    words = np.random.SeedSequence(seed).generate_state(2 * number + 2, np.uint32).astype(np.int64)
    states = 1 + words[::2] % (MULTIPLIER - 1) * (LOW + 1) + words[1::2]
    return states[1:], int(states[0])
