"""Views of deals in the midst of pegging."""

from functools import cache

from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.players.base import BasePlayer
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View


class Recorder(BasePlayer):
    """Plays like a level, `club` by default, and keeps the Views it was asked on while pegging."""

    def __init__(self, seed: int, level: str = "club") -> None:
        super().__init__(seed)
        self.seen: list[View] = []
        self._inner = player(level, seed)

    def discard(self, view: View) -> Discard:
        found = self._inner.act(view)
        assert isinstance(found, Discard)
        return found

    def play(self, view: View) -> Play:
        self.seen.append(view)
        found = self._inner.act(view)
        assert isinstance(found, Play)
        return found


@cache
def pegging_views(other: str) -> tuple[View, ...]:
    """Return every View of the pegging of two games against a level."""
    found: list[View] = []
    for game in range(2):
        table = Table(rules_for("six-card", first_dealer="named"), seeded(f"watched/{game}"))
        table.adopt(table.name_dealer(game))
        recorder = Recorder(1)
        play_out(table, [recorder, player(other, 2)])
        found += recorder.seen
    return tuple(found)
