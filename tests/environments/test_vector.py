"""`SixCardVectorEnv`: the games of `SixCard`, seen by one agent."""

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fifteentwo.environments.encoding import layout, mask, observe, view_of
from fifteentwo.environments.six_card import SixCard
from fifteentwo.environments.vector import SixCardVectorEnv
from fifteentwo.players import LEVELS, UnknownLevel, player
from fifteentwo.rules.errors import IllegalAction, InvalidArgument
from fifteentwo.rules.state import Phase
from fifteentwo.rules.view import allows
from tests.support.errors import raises_code
from tests.support.views import asked


def first(masks: NDArray[Any]) -> NDArray[np.int64]:
    """Return the first legal action of each game."""
    actions: NDArray[np.int64] = masks.argmax(axis=1)
    return actions


def lowest(observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Play the first legal action, and look at the observation."""
    assert observations.shape == (len(masks), 437)
    return first(masks)


def test_the_agent_sees_the_games_of_six_card_on_its_turn() -> None:
    env = SixCardVectorEnv(5, lowest, target=61)
    seen, _ = env.reset(seed=3)
    games = SixCard(5, 3, target=61)
    ended = 0
    for _ in range(150):
        for place in range(5):
            while games.seats[place] == 1:
                games.step(first(games.masks), only=np.array([place]))
        assert np.array_equal(seen["observation"], games.observations)
        assert np.array_equal(seen["action_mask"], games.masks)
        assert env.observation_space.contains(seen)
        actions = first(seen["action_mask"])
        rewards, done, scores = np.zeros(5), np.zeros(5, bool), np.zeros((5, 2), int)
        for place in range(5):
            # The other side answers until the agent is on turn again.
            seat = 0
            while True:
                result = games.step(actions if seat == 0 else first(games.masks), only=np.array([place]))
                rewards[place] += result.rewards[place, 0]
                if result.done[place]:
                    done[place], scores[place] = True, result.scores[place]
                seat = int(games.seats[place])
                if seat == 0:
                    break
        seen, got, terminated, truncated, infos = env.step(actions)
        assert got.tolist() == rewards.tolist()
        assert terminated.tolist() == done.tolist()
        assert not truncated.any()
        for over in np.flatnonzero(done):
            final = infos["final_obs"][over]["observation"]
            assert final[layout(env.rules)["score"]].tolist() == scores[over].tolist()
        ended += int(done.sum())
    assert ended > 10


def test_steps_in_some_games_leave_the_others_as_they_were() -> None:
    games = SixCard(6, 4)
    before = games.observations.copy()
    result = games.step(games.random_actions(), only=np.array([1, 4]))
    changed = (games.observations != before).any(axis=1)
    assert changed.tolist() == [False, True, False, False, True, False]
    assert not result.done.any()


def test_a_view_comes_back_from_its_observation(subtests: pytest.Subtests) -> None:
    views = [seen for seed in range(4) for seen in asked("six-card", seed)]
    for number, seen in enumerate([one for one in views if one.phase in (Phase.DISCARD, Phase.PLAY)]):
        with subtests.test(number=number):
            again = view_of(observe(seen), seen.rules, seen.seat)
            assert np.array_equal(observe(again), observe(seen))
            assert np.array_equal(mask(again), mask(seen))
            for name in ("hand", "kept", "discarded"):
                assert sorted(getattr(again, name)) == sorted(getattr(seen, name))
            for name in (
                "played",
                "count_ends",
                "to_act",
                "said_go",
                "dealer",
                "hand_sizes",
                "starter",
                "front",
            ):
                assert getattr(again, name) == getattr(seen, name), name
            assert allows(seen, player("club", 1).act(again))


def test_every_level_is_an_opponent(subtests: pytest.Subtests) -> None:
    for level in LEVELS:
        with subtests.test(level=level):
            env = SixCardVectorEnv(2, level)
            seen, _ = env.reset(seed=1)
            for _ in range(6):
                seen, *_ = env.step(first(seen["action_mask"]))


def test_the_same_seed_and_a_pickled_copy_give_the_same_games() -> None:
    env, other = SixCardVectorEnv(4, "random"), SixCardVectorEnv(4, "random", copy=False)
    seen, _ = env.reset(seed=9)
    other.reset(seed=9)
    for step in range(40):
        if step == 20:
            other = pickle.loads(pickle.dumps(other))
        actions = first(seen["action_mask"])
        again, rewards, ended, *_ = other.step(actions)
        seen, same_rewards, same_ended, *_ = env.step(actions)
        assert np.array_equal(seen["observation"], again["observation"])
        assert rewards.tolist() == same_rewards.tolist()
        assert ended.tolist() == same_ended.tolist()


def test_impossible_arguments_are_refused() -> None:
    wrong: Any = 5
    with raises_code(InvalidArgument, "number-too-small"):
        SixCardVectorEnv(-1)
    with raises_code(InvalidArgument, "not-an-opponent"):
        SixCardVectorEnv(1, wrong)
    with raises_code(InvalidArgument, "unknown-option"):
        SixCardVectorEnv(1, muggins="missed")
    with pytest.raises(UnknownLevel):
        SixCardVectorEnv(1, "wizard")
    env = SixCardVectorEnv(2)
    for wrong in (-1, True, "x", [1, 2]):
        with raises_code(InvalidArgument, "not-a-number"):
            env.reset(seed=wrong)
    env.reset(seed=1)
    with raises_code(IllegalAction, "action-not-open"):
        env.step(np.array([52, 0]))
