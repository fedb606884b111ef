"""An external program as a player."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Self

import msgspec

from fifteentwo.engines.process import Child, Limit, words_of
from fifteentwo.engines.protocol import (
    PROTOCOL,
    Answer,
    Error,
    FromEngine,
    GameOver,
    Hello,
    Introduction,
    NewGame,
    Quit,
    Ready,
)
from fifteentwo.players import Player, PlayerFailed
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.errors import InvalidArgument, NotationError
from fifteentwo.rules.events import GameWon
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View, allows

TIME = 10.0
"""Seconds that an action may take."""
START = 30.0
"""Seconds until an engine's first answer."""


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """How an external program is run, and by which limits; an entrant of an arena."""

    command: tuple[str, ...]
    name: str
    time: float = TIME
    start: float = START
    options: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """The command and its limits: what decides how it plays."""
        return msgspec.json.encode((self.command, self.time, self.start, self.options)).decode()

    def players(self, seed: int, seats: int) -> Sequence[Player]:
        """A process for each seat: partners do not see each other's cards."""
        return [Engine(self, seed + (place << 32)) for place in range(seats)]


def program(
    command: str | Sequence[str],
    *,
    time: float = TIME,
    start: float = START,
    name: str | None = None,
    options: Mapping[str, object] | None = None,
) -> Program:
    """Return how a command is run; NoProgram where there is none."""
    if not isinstance(command, str | Sequence):
        raise InvalidArgument("not-text", "command", command)
    words = words_of(command)
    written = command if isinstance(command, str) else " ".join(command)
    chosen = tuple((key, str(value)) for key, value in (options or {}).items())
    return Program(command=words, name=name or written, time=time, start=start, options=chosen)


def engine(
    command: str | Sequence[str],
    *,
    time: float = TIME,
    start: float = START,
    seed: int = 0,
    name: str | None = None,
    options: Mapping[str, object] | None = None,
) -> "Engine":
    """Return an external program as a player; close it, or use it in a `with` statement.

    command: a program and its arguments, split as a shell does; it runs in this working directory, and with
    this environment less what begins with FIFTEENTWO_. time: seconds that an action may take. start: seconds
    until its first answer. seed, options: sent to it. NoProgram where there is none; it is started when it
    is first to act. Its `act` raises PlayerFailed where it hangs, crashes, floods or lies.
    """
    return Engine(program(command, time=time, start=start, name=name, options=options), seed)


class Engine:
    """An external program that plays at one seat; it is started again after a failure, for the next game."""

    def __init__(self, how: Program, seed: int = 0) -> None:
        self.how = how
        self.seed = seed
        self.introduction: Introduction | None = None
        """What it says of itself, once it has."""
        self.value: float | None = None
        """What it gave with its last action: its chance to win."""
        self.comment: str | None = None
        self._child: Child | None = None
        self._speaks: bool | None = None
        """Whether it speaks the protocol, or answers Views alone; None: not known yet."""
        self._excused = 0
        """Lines of the protocol that it may not understand."""
        self._is_ready = False
        self._start = how.start
        """Seconds until its first answer; less once it was silent that long."""
        self._rules: Rules | None = None
        self._is_stopped = False

    def __reduce__(self) -> tuple[type, tuple[Program, int]]:
        return type(self), (self.how, self.seed)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """What it is called: by itself where it has said so."""
        return self.how.name if self.introduction is None else self.introduction.name

    @property
    def pid(self) -> int | None:
        """The process that guards the program; None while it does not run."""
        return None if self._child is None else self._child.pid

    @property
    def key(self) -> str:
        """As an entrant of an arena, the program's."""
        return self.how.key

    def players(self, seed: int, seats: int) -> Sequence[Player]:
        """As an entrant of an arena: processes of its own, one for each seat."""
        return self.how.players(seed, seats)

    def new_game(self, rules: Rules) -> None:
        """A game begins. What goes wrong here shows when it is to act."""
        self._rules = rules
        if self._child is not None and self._speaks is not False:
            with suppress(PlayerFailed):
                self._notify(NewGame(rules))

    def game_over(self, won: GameWon) -> None:
        """The game is over."""
        self._rules = None
        if self._child is not None and self._speaks is not False:
            with suppress(PlayerFailed):
                self._notify(GameOver(won))

    def act(self, view: View) -> SeatAction:
        """Return its action, which the rules allow; PlayerFailed where there is none in time."""
        try:
            try:
                return self._act(view)
            except PlayerFailed as error:
                # A bot that answers Views alone may fall over its first line of anything else.
                if error.code != "crash" or self._speaks is not None or not self._excused:
                    raise
                self._kill()
                self._speaks = False
                return self._act(view)
        except BaseException as error:
            if isinstance(error, PlayerFailed) and error.code == "time" and not self._is_ready:
                self._start = 0
            self._kill()
            raise

    def _act(self, view: View) -> SeatAction:
        child, was_ready = self._started(), self._is_ready
        limit = self._limit()
        while child.waiting():
            if (answer := self._heard(child, limit)) is not None:
                raise PlayerFailed("unasked", _short(to_json(answer)))
        child.send(to_json(view), limit)
        while (answer := self._heard(child, limit)) is None:
            if self._is_ready and not was_ready:
                was_ready, limit = True, self._limit()
        if self._speaks is None:
            self._speaks = False
        self._is_ready, self._excused = True, 0
        action = answer.action if isinstance(answer, Answer) else answer
        self.value = answer.value if isinstance(answer, Answer) else None
        self.comment = answer.comment if isinstance(answer, Answer) else None
        if action.seat != view.seat:
            raise PlayerFailed("other-seat", _short(to_json(action)))
        if not allows(view, action):
            raise PlayerFailed("illegal", _short(to_json(action)))
        return action

    def _limit(self) -> Limit:
        return Limit(self.how.time if self._is_ready else max(self._start, self.how.time))

    def _started(self) -> Child:
        """Return the running program, started if it does not run."""
        if self._is_stopped:
            raise PlayerFailed("crash", "-")
        if self._child is None:
            self._excused, self._is_ready = 0, False
            self._child = Child(self.how.command)
            if self._speaks is not False:
                self._speaks = None
                options = dict(self.how.options)
                hello = Hello(protocol=PROTOCOL, time=self.how.time, seed=self.seed, options=options)
                self._notify(hello)
                if self._rules is not None:
                    self._notify(NewGame(self._rules))
        return self._child

    def _notify(self, message: Hello | NewGame | GameOver) -> None:
        assert self._child is not None
        if self._speaks is None:
            self._excused += 1
        self._child.send(to_json(message), self._limit())

    def _heard(self, child: Child, limit: Limit) -> Answer | SeatAction | None:
        """Return an action of the next line; None for a line that is none, and may be."""
        line = child.line(limit)
        if not line.strip():
            return None
        try:
            read: Any = from_json(line, FromEngine)  # type: ignore[arg-type]
        except NotationError as error:
            raise PlayerFailed("not-readable", f"{_short(line)} ({error.text})") from None
        message: Introduction | Ready | Answer | Error | SeatAction = read
        match message:
            case Introduction():
                if message.protocol != PROTOCOL or self._speaks is not None:
                    raise PlayerFailed("unasked", _short(line))
                self._speaks, self._excused, self.introduction = True, 0, message
            case Ready():
                if not self._speaks or self._is_ready:
                    raise PlayerFailed("unasked", _short(line))
                self._is_ready = True
            case Error():
                if self._speaks or not self._excused:
                    raise PlayerFailed("refused", _short(line))
                self._excused -= 1
                self._speaks = None if self._excused else False
            case _:
                return message
        return None

    def _kill(self) -> None:
        if self._child is not None:
            child, self._child = self._child, None
            child.kill()

    def stop(self) -> None:
        """End it for good, from another thread too; it may be thinking, and fails then."""
        self._is_stopped = True
        child = self._child
        if child is not None:
            child.terminate()

    def close(self) -> None:
        """Ask it to end, and end it."""
        if self._child is not None:
            child, self._child = self._child, None
            child.close(to_json(Quit()) if self._speaks else b"quit")


def _short(line: bytes) -> str:
    """A line for people: printable, and not long."""
    text = line.decode(errors="replace")
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text[:200])
