"""A policy over observations and masks as a player at a table."""

from collections.abc import Callable

from fifteentwo.environments.encoding import Mask, Observation, action, mask, observe
from fifteentwo.rules.actions import Cut, Draw, SeatAction
from fifteentwo.rules.state import Phase
from fifteentwo.rules.view import View, choices

Policy = Callable[[Observation, Mask], int]
"""Returns the number of an open action."""


class PolicyPlayer:
    """A `players.Player` that does what a policy says; draws and cuts, which are luck, it makes itself."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def act(self, view: View) -> SeatAction:
        """Return the policy's action; IllegalAction where it is not open."""
        if view.phase in (Phase.DRAW, Phase.CUT, Phase.CUT_STOCK):
            first = choices(view)[0]
            assert isinstance(first, Draw | Cut)
            return first
        return action(view, int(self.policy(observe(view), mask(view))))
