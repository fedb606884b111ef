"""Environments for reinforcement learning: arrays, PettingZoo, and policies as players.

encoding      Views and actions as numbers
six_card      many six-card games at once
policies      a policy over observations as a player
integer_game  one game on integers, for `aec`
aec           the PettingZoo environment (`fifteentwo.cribbage_v0`)
"""

from importlib import import_module

from fifteentwo.extras import need

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fifteentwo.environments.encoding import action, layout, mask, observe
    from fifteentwo.environments.policies import PolicyPlayer
    from fifteentwo.environments.six_card import SixCard
    from fifteentwo.environments.vector import SixCardVectorEnv

    __all__ = ["PolicyPlayer", "SixCard", "SixCardVectorEnv", "action", "layout", "mask", "observe"]

need("numpy")
_MODULES = {"PolicyPlayer": "policies", "SixCard": "six_card", "SixCardVectorEnv": "vector"}


def __getattr__(name: str) -> object:
    """Return a public name. Its module is imported when the name is first used, as some need an extra."""
    if name in _MODULES or name in ("action", "layout", "mask", "observe"):
        found: object = getattr(import_module(f"{__name__}.{_MODULES.get(name, 'encoding')}"), name)
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
