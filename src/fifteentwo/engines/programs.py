"""The programs that an operator gives as opponents, and the processes of those that play."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable

from fifteentwo.engines.engine import Engine, Program
from fifteentwo.players import PlayerFailed
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.view import View

PROGRAM = "program"
"""What stands for the level of a player that is a program; the program is known by the player's name."""
MOST = 32
"""Processes at a time: where another is needed, the one that was idle longest ends."""

Place = tuple[str, int]
"""A table, and which of its people."""


class _Sitting:
    """A program at its place."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.game = 0
        self.acting = threading.Lock()

    def end(self) -> None:
        """End its process, whatever it is at."""
        self.engine.stop()
        with self.acting:
            self.engine.close()


class Programs:
    """Programs by name. Its methods wait for processes: call them in a thread."""

    def __init__(self, programs: Iterable[Program] = ()) -> None:
        self._programs = {one.name: one for one in programs}
        self._sitting: OrderedDict[Place, _Sitting] = OrderedDict()
        self._lock = threading.Lock()
        self._is_closed = False

    def __contains__(self, name: str) -> bool:
        return name in self._programs

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the order they were given."""
        return tuple(self._programs)

    def act(self, name: str, place: Place, game: int, seen: View) -> SeatAction:
        """Return what a program does in the game of this number; PlayerFailed where it fails."""
        one = self._at(name, place)
        with one.acting:
            if one.game != game:
                one.game = game
                one.engine.new_game(seen.rules)
            return one.engine.act(seen)

    def _at(self, name: str, place: Place) -> _Sitting:
        idle: list[_Sitting] = []
        with self._lock:
            if self._is_closed:
                raise PlayerFailed("crash", "-")
            if place not in self._sitting:
                self._sitting[place] = _Sitting(Engine(self._programs[name], secrets.randbits(32)))
            self._sitting.move_to_end(place)
            while len(self._sitting) > MOST:
                idle.append(self._sitting.popitem(last=False)[1])
            found = self._sitting[place]
        for one in idle:
            one.end()
        return found

    def release(self, table: str) -> None:
        """End the processes of a table."""
        self._end(lambda place: place[0] == table)

    def close(self) -> None:
        """End all processes; none starts any more."""
        self._is_closed = True
        self._end(lambda _: True)

    def _end(self, which: Callable[[Place], bool]) -> None:
        with self._lock:
            ended = [self._sitting.pop(place) for place in list(self._sitting) if which(place)]
        for one in ended:
            one.engine.stop()
        for one in ended:
            one.end()
