"""External programs that an operator offers as opponents, and their running processes."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable

from fifteentwo.engines.engine import Engine, Program
from fifteentwo.players import EngineError
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.view import View

PROGRAM = "program"
"""Level of a player that is an external program; the player's name identifies the program."""
MAX_PROCESSES = 32
"""Limit on processes; when it is exceeded, the process that was idle longest ends."""

Seat = tuple[str, int]
"""A table's id and a player number."""


class _SeatedEngine:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.game = 0
        self.acting = threading.Lock()

    def end(self) -> None:
        """End the process, even during an action."""
        self.engine.stop()
        with self.acting:
            self.engine.close()


class Programs:
    """The offered programs by name. Methods wait for processes: call them in a thread."""

    def __init__(self, programs: Iterable[Program] = ()) -> None:
        self._programs = {one.name: one for one in programs}
        self._seated: OrderedDict[Seat, _SeatedEngine] = OrderedDict()
        self._lock = threading.Lock()
        self._is_closed = False

    def __contains__(self, name: str) -> bool:
        return name in self._programs

    @property
    def names(self) -> tuple[str, ...]:
        """Names in the order given."""
        return tuple(self._programs)

    def act(self, name: str, place: Seat, game: int, seen: View) -> SeatAction:
        """Return a program's action in a game; raise EngineError if it fails."""
        one = self._engine_at(name, place)
        with one.acting:
            if one.game != game:
                one.game = game
                one.engine.new_game(seen.rules)
            return one.engine.act(seen)

    def _engine_at(self, name: str, place: Seat) -> _SeatedEngine:
        idle: list[_SeatedEngine] = []
        with self._lock:
            if self._is_closed:
                raise EngineError("crash", "-")
            if place not in self._seated:
                self._seated[place] = _SeatedEngine(Engine(self._programs[name], secrets.randbits(32)))
            self._seated.move_to_end(place)
            while len(self._seated) > MAX_PROCESSES:
                idle.append(self._seated.popitem(last=False)[1])
            found = self._seated[place]
        for one in idle:
            one.end()
        return found

    def release(self, table: str) -> None:
        self._end(lambda place: place[0] == table)

    def close(self) -> None:
        """End all processes, and prevent new ones."""
        self._is_closed = True
        self._end(lambda _: True)

    def _end(self, which: Callable[[Seat], bool]) -> None:
        with self._lock:
            ended = [self._seated.pop(place) for place in list(self._seated) if which(place)]
        for one in ended:
            one.engine.stop()
        for one in ended:
            one.end()
