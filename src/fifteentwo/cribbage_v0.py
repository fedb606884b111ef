"""Cribbage for PettingZoo: `from fifteentwo import cribbage_v0`, then `cribbage_v0.env("six-card")`.

Needs the extra `env`; docs/environments.md has actions, observations and rewards.
"""

from fifteentwo.environments.aec import Cribbage, env

raw_env = Cribbage

__all__ = ["Cribbage", "env", "raw_env"]
