"""Many six-card games of one agent against an opponent, as a Gymnasium vector environment.

>>> games = SixCardVectorEnv(1000, opponent="random")
>>> seen, _ = games.reset(seed=7)
>>> seen, rewards, terminated, truncated, infos = games.step(seen["action_mask"].argmax(axis=1))
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fifteentwo.contest.entrants import Level
from fifteentwo.environments.encoding import layout, number, view_of
from fifteentwo.environments.six_card import SixCard
from fifteentwo.rules.errors import InvalidArgument, NotInstalled
from fifteentwo.rules.variants import Rules

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise NotInstalled("env") from None

BatchPolicy = Callable[[NDArray[np.uint8], NDArray[np.bool_]], ArrayLike]
"""Function from observations (k, 437) and masks (k, 67) to the numbers of k legal actions."""
Seen = dict[str, NDArray[Any]]
"""Dictionary of `observation` (n, 437) uint8 and `action_mask` (n, 67) int8."""


class SixCardVectorEnv(VectorEnv[Seen, NDArray[np.int64], NDArray[Any]]):
    """n games in which the agent sits at seat 0; a step ends when it is on turn again in every game.

    Chance names each game's dealer. A finished game is replaced in the same step: the observation is that of
    the new game, and `infos["final_obs"]` has the agent's last one with the final scores.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self, num_envs: int, opponent: str | BatchPolicy = "random", *, copy: bool = True, **options: Any
    ) -> None:
        """Create the games; `reset` starts them.

        Args:
            num_envs: number of games.
            opponent: name of a level, or a function from observations and masks to actions.
            copy: whether each step returns new arrays; otherwise the next step but one overwrites them.
            options: target, skunk and double_skunk, as in `rules_for`.

        Raises:
            InvalidArgument: an argument or option is not possible.
            UnknownLevel: no level has the opponent's name.
        """
        if isinstance(opponent, type) or not (isinstance(opponent, str) or callable(opponent)):
            raise InvalidArgument("not-an-opponent", "opponent", opponent)
        self._opponent = opponent
        self._options = options
        self._copies = copy
        self._level = (
            Level(opponent).players(0, 1)[0] if isinstance(opponent, str) and opponent != "random" else None
        )
        self._games = SixCard(num_envs, 0, **options)
        self.num_envs = num_envs
        _, size = self._games.observations.shape
        _, actions = self._games.masks.shape
        self.single_observation_space = spaces.Dict(
            observation=spaces.Box(0, 255, (size,), np.uint8),
            action_mask=spaces.Box(0, 1, (actions,), np.int8),
        )
        self._spare = np.zeros((num_envs, size), np.uint8)
        self._masks = [np.zeros((num_envs, actions), np.int8) for _ in range(2)]
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @property
    def rules(self) -> Rules:
        return self._games.rules

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - Gymnasium's
    ) -> tuple[Seen, dict[str, Any]]:
        """Start new games. seed: one whole number for all games, or None for games that differ each time."""
        if not (seed is None or (isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0)):
            raise InvalidArgument("not-a-number", "seed", seed)
        if isinstance(self._opponent, str) and self._level is not None:
            self._level = Level(self._opponent).players(seed or 0, 1)[0]
        self._games = SixCard(self.num_envs, seed, **self._options)
        self._let_opponent_act()
        return self._seen(), {}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Seen, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Do the agent's action in each game, and the opponent's until the agent is on turn again.

        Raises:
            IllegalAction: an action is not legal; then nothing is done in any game.
        """
        # Every game acts, so each row of the other array is written, and the last observations remain.
        games, before = self._games, self._games.observations
        games.observations = self._spare
        try:
            result = games.step(actions)
        except Exception:
            games.observations = before
            raise
        self._spare = before
        rewards, ended, scores = result.rewards[:, 0].astype(float), result.done.copy(), result.scores.copy()
        self._let_opponent_act(rewards, ended, scores)
        infos: dict[str, Any] = {}
        if ended.any():
            last, nothing = before[ended], np.zeros(self._games.masks.shape[1], np.int8)
            last[:, layout(self.rules)["score"]] = scores[ended]
            final = np.full(self.num_envs, None, object)
            for place, seen in zip(np.flatnonzero(ended), last, strict=True):
                final[place] = {"observation": seen, "action_mask": nothing}
            infos = {"final_obs": final, "_final_obs": ended}
        return self._seen(), rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def _seen(self) -> Seen:
        observations, masks = self._games.observations, self._games.masks.view(np.int8)
        if self._copies:
            return {"observation": observations.copy(), "action_mask": masks.copy()}
        self._masks.reverse()
        np.copyto(self._masks[0], masks)
        return {"observation": observations, "action_mask": self._masks[0]}

    def _let_opponent_act(self, *so_far: NDArray[Any]) -> None:
        """Do the opponent's actions, and add to the rewards, ends and final scores of this step so far."""
        games = self._games
        waiting = np.flatnonzero(games.seats)
        while len(waiting):
            result = games.step(self._opponents_actions(waiting), only=waiting)
            over = waiting[result.done[waiting]]
            if so_far and len(over):
                rewards, ended, scores = so_far
                rewards[over] += result.rewards[over, 0]
                scores[over] = result.scores[over]
                ended[over] = True
            waiting = waiting[games.seats[waiting] != 0]

    def _opponents_actions(self, waiting: NDArray[np.int64]) -> NDArray[np.int64]:
        games = self._games
        if self._level is None and isinstance(self._opponent, str):
            return games.random_actions(waiting)
        actions = np.zeros(self.num_envs, np.int64)
        seen = games.observations[waiting]
        if self._level is not None:
            actions[waiting] = [_choice(self._level, one, games.rules) for one in seen]
        else:
            assert callable(self._opponent)
            actions[waiting] = self._opponent(seen, games.masks[waiting])
        return actions


def _choice(level: Any, seen: NDArray[np.uint8], rules: Rules) -> int:
    view = view_of(seen, rules, 1)
    return number(view, level.act(view))
