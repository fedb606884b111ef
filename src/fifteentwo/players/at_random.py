"""The level `random`: any legal card and any discard, but correct claims."""

from typing import final

from fifteentwo.players.base import BasePlayer, generator
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.view import View, choices


@final
class AtRandom(BasePlayer):
    """A player without skill."""

    def discard(self, view: View) -> Discard:
        action = generator(self.seed, view).choice(choices(view))
        assert isinstance(action, Discard)
        return action

    def play(self, view: View) -> Play:
        open_now = choices(view)
        action = open_now[0] if len(open_now) == 1 else generator(self.seed, view).choice(open_now)
        assert isinstance(action, Play)
        return action
