"""`random`: any legal card, any discard. It only counts honestly."""

from typing import final

from fifteentwo.players.manners import Courteous, chance
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.view import View, choices


@final
class AtRandom(Courteous):
    """The measure of luck alone."""

    def discard(self, view: View) -> Discard:
        action = chance(self.seed, view).choice(choices(view))
        assert isinstance(action, Discard)
        return action

    def play(self, view: View) -> Play:
        action = chance(self.seed, view).choice(choices(view))
        assert isinstance(action, Play)
        return action
