"""Many six-card games for two at once, in arrays: for programs that learn by playing.

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
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.variants import rules_for

_KERNELS = "fifteentwo.environments.six_card_kernels"


class Step(NamedTuple):
    """What one action in each of n games brought, by seat. `SixCard.step` fills the same arrays again."""

    rewards: NDArray[np.float32]
    """(n, 2) 0; at the end of a game the games won or lost: 1, with skunks agreed 2 or 4."""
    done: NDArray[np.bool_]
    """(n,) whether the game is over. A new one is begun in its place."""
    scores: NDArray[np.int16]
    """(n, 2) the points after this action; of a game that is over its last."""
    pegged: NDArray[np.int16]
    """(n, 2) the points pegged by this action, starter and last card included; the show is not."""


class SixCard:
    """n six-card games between seats 0 and 1. Chance names each game's dealer; no one cuts.

    Arrays change with every step: copy what you keep.
    """

    observations: NDArray[np.uint8]
    """(n, 437) what the seat on turn sees, as `encoding.observe` writes it."""
    masks: NDArray[np.bool_]
    """(n, 67) the actions open to it, by number as in `encoding`."""

    def __init__(self, number: int, seed: int | None = None, **options: Any) -> None:
        """Begin `number` games. options: target, skunk and double_skunk, as `rules_for` takes them.

        Game i of a seed is the same whatever the number; without a seed games differ each time. ValueError
        for a negative number, or for another option; InvalidRules where options do not go together. Memory:
        0.8 kB a game.
        """
        if number < 0:
            raise ValueError(f"cannot play {number} games")
        if other := options.keys() - {"target", "skunk", "double_skunk"}:
            raise ValueError(f"no option of these games: {', '.join(sorted(other))}")
        self.rules = rules_for(
            "six-card", first_dealer="named", cut_before_deal=False, starter="top", **options
        )
        self.observations = np.zeros((number, observation_size(self.rules)), np.uint8)
        self.masks = np.zeros((number, action_count(self.rules)), np.bool_)
        self._lines = np.array([self.rules.games_lost(at) for at in range(self.rules.target + 1)], np.float32)
        self._games: Any = np.zeros(number, GAME).view(np.recarray)
        self._games["chance"], self._chance = _first_states(number, seed)
        self._actions = np.zeros(number, np.int64)
        self._step = Step(
            np.zeros((number, 2), np.float32),
            np.zeros(number, np.bool_),
            np.zeros((number, 2), np.int16),
            np.zeros((number, 2), np.int16),
        )
        _kernels().begin_games(self._games, self.rules.target, self.observations, self.masks)

    @property
    def seats(self) -> NDArray[np.int64]:
        """(n,) the seat on turn, 0 or 1; the same memory after each step."""
        seats: NDArray[np.int64] = self._games["seat"]
        return seats

    @property
    def dealers(self) -> NDArray[np.int64]:
        """(n,) the seat that deals."""
        dealers: NDArray[np.int64] = self._games["dealer"]
        return dealers

    @property
    def decks(self) -> NDArray[np.uint8]:
        """(n, 13) hidden from the seats: pone's six cards, the dealer's six, the starter."""
        decks: NDArray[np.uint8] = self._games["deck"][:, :13]
        return decks

    def step(self, actions: ArrayLike) -> Step:
        """Do one action in each game; IllegalAction for one that is not open, and then nothing is done.

        actions: (n,) numbers of any integer type. Cost: about 0.1 µs a game compiled, 0.2 ms without numba.
        """
        given = np.asarray(actions)
        if given.shape != self._actions.shape or (given.size and given.dtype.kind not in "iu"):
            raise ValueError(
                f"actions: expected {self._actions.shape} whole numbers, got {given.shape} {given.dtype}"
            )
        chosen = np.ascontiguousarray(given, np.int64)
        closed = int(_kernels().first_closed(self.masks, chosen))
        if closed >= 0:
            raise IllegalAction(
                "action-not-open", "R50", int(self.seats[closed]), action=int(chosen[closed]), game=closed
            )
        _kernels().step_games(
            self._games,
            chosen,
            self._lines,
            rank_points(5),
            self.observations,
            self.masks,
            self._step,
        )
        return self._step

    def random_actions(self) -> NDArray[np.int64]:
        """Return an open action for each game by chance, (n,); the decks do not depend on it."""
        self._chance = int(_kernels().random_actions(self.masks, self._chance, self._actions))
        return self._actions


@cache
def _kernels() -> ModuleType:
    """The kernels, which no game holds, so that games can be copied and pickled."""
    return compiled(_KERNELS)


def prepare() -> None:
    """Compile the kernels, or load them."""
    games = SixCard(1, 1)
    games.step(games.random_actions())


def _first_states(number: int, seed: int | None) -> tuple[NDArray[np.int64], int]:
    """Where chance begins for each game, and for `random_actions`: 1 to MULTIPLIER * 2**32 - 2."""
    words = np.random.SeedSequence(seed).generate_state(2 * number + 2, np.uint32).astype(np.int64)
    states = 1 + words[::2] % (MULTIPLIER - 1) * (LOW + 1) + words[1::2]
    return states[1:], int(states[0])
