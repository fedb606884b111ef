"""Policies over observations and masks, as players at a table."""

from collections.abc import Callable

from fifteentwo.environments.encoding import Mask, Observation, action, mask, observe
from fifteentwo.rules.actions import Cut, Draw, SeatAction
from fifteentwo.rules.state import Phase
from fifteentwo.rules.view import View, choices

Policy = Callable[[Observation, Mask], int]
"""Function from an observation and a mask to the number of a legal action."""


class PolicyPlayer:
    """A `players.Player` that follows a policy; draws and cuts, which are luck, take the first choice."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def act(self, view: View) -> SeatAction:
        """Return the policy's action; raise IllegalAction if it is not legal."""
        if view.phase in (Phase.DRAW, Phase.CUT, Phase.CUT_STOCK):
            first = choices(view)[0]
            assert isinstance(first, Draw | Cut)
            return first
        return action(view, int(self.policy(observe(view), mask(view))))
