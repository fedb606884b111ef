"""`fifteentwo.cribbage_v0` is a valid PettingZoo environment, in every variant and with every option."""

import copy
import random
import subprocess
import sys
from collections import Counter
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra env is not installed")

from pettingzoo.test import api_test, seed_test

from fifteentwo import cribbage_v0
from fifteentwo.environments.encoding import DISCARD, mask, observe
from fifteentwo.environments.policies import PolicyPlayer
from fifteentwo.players import player
from fifteentwo.rules.errors import IllegalAction, InvalidArgument, InvalidRules, UnknownVariant
from fifteentwo.rules.variants import Variant
from fifteentwo.rules.view import View
from tests.support.errors import raises_code

CLAIMS: dict[str, Any] = {"counting": "claimed", "muggins": "missed-and-overclaims", "skunk": True}
# PettingZoo warns about every external environment with a mask.
KNOWN = (
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)


@pytest.mark.filterwarnings(*KNOWN)
def test_api_test(subtests: pytest.Subtests, capsys: pytest.CaptureFixture[str]) -> None:
    for variant, options in product(list(Variant), ({}, CLAIMS, {**CLAIMS, "cuts": True})):
        with subtests.test(variant=variant, options=options):
            api_test(cribbage_v0.env(variant, **options), num_cycles=100)
            assert "Passed API test" in capsys.readouterr().out


def test_seed_test(subtests: pytest.Subtests) -> None:
    for variant, options in product(list(Variant), ({}, CLAIMS, {"cuts": True})):
        with subtests.test(variant=variant, options=options):
            seed_test(partial(cribbage_v0.env, variant, **options), num_cycles=100)


def finished(env: Any, seed: int | None = None) -> dict[str, float]:
    """Play a game of random actions to its end; return the rewards."""
    env.reset(seed=seed)
    rewards: dict[str, float] = {}
    for agent in env.agent_iter(20_000):
        seen, reward, ended, _, _ = env.last()
        rewards[agent] = rewards.get(agent, 0) + reward
        env.step(None if ended else int(env.action_space(agent).sample(seen["action_mask"])))
    assert env.agents == []
    return rewards


def test_every_game_ends_with_one_winning_side(subtests: pytest.Subtests) -> None:
    for variant in list(Variant):
        with subtests.test(variant=variant):
            for seed in range(2):
                env = cribbage_v0.env(variant, cuts=seed % 2 == 1)
                rewards = finished(env, seed)
                assert set(rewards.values()) == {1.0, -1.0}
                if variant == "partners":
                    assert (
                        rewards["player_0"]
                        == rewards["player_2"]
                        != rewards["player_1"]
                        == rewards["player_3"]
                    )
                else:
                    assert Counter(rewards.values())[1.0] == 1


def test_r29_a_draw_for_partners_moves_no_agent_to_another_name() -> None:
    env = cribbage_v0.raw_env("partners", partners_by_draw=True, cuts=True)
    moved = 0
    for seed in range(5):
        rewards = finished(env, seed)
        # The last View is still there.
        seating = env.view("player_0").seating
        moved += seating != (0, 1, 2, 3)
        sides = {agent: seating.index(int(agent[-1])) % 2 for agent in rewards}
        assert {sides[agent] for agent in rewards if rewards[agent] == 1} != {
            sides[agent] for agent in rewards if rewards[agent] == -1
        }
    assert moved


def test_r18_a_skunk_is_two_games_where_skunks_are_agreed() -> None:
    found: set[float] = set()
    for seed in range(100):
        found.add(abs(finished(cribbage_v0.env(skunk=True), seed)["player_0"]))
        if len(found) > 1:
            break
    assert found == {1.0, 2.0}


def test_forced_passes_are_no_actions() -> None:
    """The agent on turn always has a legal card; no agent is asked to say go."""
    env = cribbage_v0.raw_env("four-handed")
    for seed in range(2):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            seen = env.observe(env.agent_selection)
            opened = np.flatnonzero(seen["action_mask"])
            assert len(opened)
            env.step(int(opened[0]))


def test_games_on_integers_are_those_of_the_definition(subtests: pytest.Subtests) -> None:
    """Every position of every agent is compared to the end. A View makes the definition continue a game."""
    agreed: tuple[dict[str, Any], ...] = ({"skunk": True}, {"target": 61})
    for variant, options in product(list(Variant), agreed):
        with subtests.test(variant=variant, options=options):
            quick, defined = (cribbage_v0.raw_env(variant, **options) for _ in range(2))
            luck = random.Random(7)
            for game in range(20):
                for env in (quick, defined):
                    env.reset(seed=game)
                defined.view("player_0")
                while not any(defined.terminations.values()):
                    require_equal(quick, defined)
                    allowed = defined.observe(defined.agent_selection)["action_mask"]
                    chosen = luck.choice(np.flatnonzero(allowed).tolist())
                    for env in (quick, defined):
                        env.step(chosen)
                require_equal(quick, defined)
                assert quick.view("player_1") == defined.view("player_1")


def require_equal(quick: Any, defined: Any) -> None:
    """Require equal rewards, ends, agents on turn, observations and masks; the latter are those of Views."""
    for name in ("agents", "agent_selection", "rewards", "terminations", "infos"):
        assert getattr(quick, name) == getattr(defined, name)
    for agent in quick.possible_agents:
        seen, by_definition = quick.observe(agent), defined.view(agent)
        assert np.array_equal(seen["observation"], observe(by_definition))
        assert np.array_equal(seen["action_mask"], mask(by_definition))


def test_a_seed_gives_the_same_games_one_after_another() -> None:
    one, two = cribbage_v0.raw_env(), cribbage_v0.raw_env()
    seen = []
    for env in (one, two):
        env.reset(seed=5)
        first = env.observe("player_0")["observation"].tolist()
        env.reset()
        seen.append((first, env.observe("player_0")["observation"].tolist()))
    assert seen[0] == seen[1]
    assert seen[0][0] != seen[0][1]


def test_an_illegal_action_is_refused_or_loses() -> None:
    raw = cribbage_v0.raw_env()
    raw.reset(seed=1)
    for wrong in (0, 10_000, -1, None):
        with raises_code(IllegalAction, "action-not-open"):
            raw.step(wrong)
    env = cribbage_v0.env()
    env.reset(seed=1)
    env.step(0)
    assert env.rewards["player_0"] == -1
    assert all(env.terminations.values())


def test_an_environment_can_be_copied_in_the_middle_of_a_game() -> None:
    env = cribbage_v0.raw_env()
    env.reset(seed=3)
    env.step(DISCARD)
    other = copy.deepcopy(env)
    env.step(DISCARD)
    assert other.agent_selection == "player_1"
    other.step(DISCARD)
    for agent in env.agents:
        assert np.array_equal(other.observe(agent)["observation"], env.observe(agent)["observation"])


def test_invalid_rules_are_refused() -> None:
    with pytest.raises(UnknownVariant):
        cribbage_v0.env("whist")
    with raises_code(InvalidArgument, "unknown-option"):
        cribbage_v0.env("six-card", trumps=True)
    with pytest.raises(InvalidRules):
        cribbage_v0.env("six-card", double_skunk=True)


def test_render_is_a_line_of_what_the_agent_on_turn_sees(capsys: pytest.CaptureFixture[str]) -> None:
    env = cribbage_v0.env(render_mode="ansi")
    env.reset(seed=4)
    line = env.render()
    assert line.count("\n") == 0
    assert "player_0=0" in line.replace("*", "")
    loud = cribbage_v0.env(render_mode="human")
    loud.reset(seed=4)
    assert loud.render() is None
    assert capsys.readouterr().out == f"{line}\n"


def test_an_agent_can_be_a_level_and_a_policy_a_player() -> None:
    """A level plays from the View of its agent, and a policy plays at a table."""
    env = cribbage_v0.raw_env()
    level = player("greedy", 1)
    env.reset(seed=8)
    by_policy = PolicyPlayer(lambda _, allowed: int(np.flatnonzero(allowed)[-1]))
    for agent in env.agent_iter(5000):
        if env.terminations[agent]:
            env.step(None)
            continue
        seen: View = env.view(agent)
        acted = (level if agent == "player_0" else by_policy).act(seen)
        env.step(env.number(agent, acted))
    assert env.agents == []


def test_without_the_extra_one_error_names_it() -> None:
    program = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "from fifteentwo.rules.errors import NotInstalled\n"
        "try:\n    from fifteentwo import cribbage_v0\n"
        "except NotInstalled as error:\n    print(error.extra)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "env\n"
