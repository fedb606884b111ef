"""External programs as players."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Self

import msgspec

from fifteentwo.engines.process import ChildProcess, Deadline, split_command
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
from fifteentwo.players import EngineError, Player
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.errors import InvalidArgument, NotationError
from fifteentwo.rules.events import GameWon
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View, allows

ACTION_SECONDS = 10.0
"""Default seconds for an action."""
START_SECONDS = 30.0
"""Default seconds until an engine's first response."""


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """An external program with its limits; also an entrant of an arena."""

    command: tuple[str, ...]
    name: str
    time: float = ACTION_SECONDS
    start: float = START_SECONDS
    options: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """The command, limits and options, which decide how the program plays."""
        return msgspec.json.encode((self.command, self.time, self.start, self.options)).decode()

    def players(self, seed: int, seats: int) -> Sequence[Player]:
        """Return an engine for each seat, because partners must not see each other's cards."""
        return [Engine(self, seed + (place << 32)) for place in range(seats)]


def program(
    command: str | Sequence[str],
    *,
    time: float = ACTION_SECONDS,
    start: float = START_SECONDS,
    name: str | None = None,
    options: Mapping[str, object] | None = None,
) -> Program:
    """Return a program with its limits; raise NoProgram if its command does not exist."""
    if not isinstance(command, str | Sequence):
        raise InvalidArgument("not-text", "command", command)
    words = split_command(command)
    written = command if isinstance(command, str) else " ".join(command)
    chosen = tuple((key, str(value)) for key, value in (options or {}).items())
    return Program(command=words, name=name or written, time=time, start=start, options=chosen)


def engine(
    command: str | Sequence[str],
    *,
    time: float = ACTION_SECONDS,
    start: float = START_SECONDS,
    seed: int = 0,
    name: str | None = None,
    options: Mapping[str, object] | None = None,
) -> "Engine":
    """Return an external program as a player. Close it, or use it in a `with` statement.

    The program is started before its first action, in the current directory, with this environment except
    variables that begin with FIFTEENTWO_. `act` raises EngineError if the program hangs, crashes, sends too
    much, or breaks the protocol.

    Args:
        command: a program and its arguments; a string is split as by a shell.
        time: seconds for an action.
        start: seconds until the first response.
        seed: sent to the program, as are `options`.
        name: name until the program introduces itself; by default the command.
        options: settings of the program.

    Raises:
        NoProgram: the command does not exist.
    """
    return Engine(program(command, time=time, start=start, name=name, options=options), seed)


class Engine:
    """An external program at one seat. After a failure it is started again for the next game."""

    def __init__(self, program: Program, seed: int = 0) -> None:
        self.program = program
        self.seed = seed
        self.introduction: Introduction | None = None
        """The program's introduction, once received."""
        self.value: float | None = None
        """Win probability that the program sent with its last action."""
        self.comment: str | None = None
        self._child: ChildProcess | None = None
        self._has_protocol: bool | None = None
        """Whether the program speaks the protocol; False: it only answers Views; None: unknown."""
        self._unanswered = 0
        """Number of protocol lines that the program may reject as unknown."""
        self._is_ready = False
        self._start = program.start
        """Seconds until the first response; 0 after the program was silent for that long."""
        self._rules: Rules | None = None
        self._is_stopped = False

    def __reduce__(self) -> tuple[type, tuple[Program, int]]:
        return type(self), (self.program, self.seed)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """Name from the program's introduction, or else from its settings."""
        return self.program.name if self.introduction is None else self.introduction.name

    @property
    def pid(self) -> int | None:
        """Id of the process, or None if the program does not run."""
        return None if self._child is None else self._child.pid

    @property
    def key(self) -> str:
        """Key as an entrant of an arena."""
        return self.program.key

    def players(self, seed: int, seats: int) -> Sequence[Player]:
        """Return new engines for an arena, one for each seat."""
        return self.program.players(seed, seats)

    def new_game(self, rules: Rules) -> None:
        """Tell the program that a game begins. Errors appear at its next action."""
        self._rules = rules
        if self._child is not None and self._has_protocol is not False:
            with suppress(EngineError):
                self._notify(NewGame(rules))

    def game_over(self, won: GameWon) -> None:
        self._rules = None
        if self._child is not None and self._has_protocol is not False:
            with suppress(EngineError):
                self._notify(GameOver(won))

    def act(self, view: View) -> SeatAction:
        """Return the program's action; raise EngineError if there is no legal one in time."""
        try:
            try:
                return self._act(view)
            except EngineError as error:
                # A bot that only answers Views may crash on the first line of the protocol.
                if error.code != "crash" or self._has_protocol is not None or not self._unanswered:
                    raise
                self._kill()
                self._has_protocol = False
                return self._act(view)
        except BaseException as error:
            if isinstance(error, EngineError) and error.code == "time" and not self._is_ready:
                self._start = 0
            self._kill()
            raise

    def _act(self, view: View) -> SeatAction:
        child, was_ready = self._running_child(), self._is_ready
        limit = self._limit()
        while child.has_output():
            if (answer := self._read_action(child, limit)) is not None:
                raise EngineError("unasked", _printable(to_json(answer)))
        wants_past = self.introduction is not None and self.introduction.past
        child.send(to_json(view if wants_past else msgspec.structs.replace(view, past=())), limit)
        while (answer := self._read_action(child, limit)) is None:
            if self._is_ready and not was_ready:
                was_ready, limit = True, self._limit()
        if self._has_protocol is None:
            self._has_protocol = False
        self._is_ready, self._unanswered = True, 0
        action = answer.action if isinstance(answer, Answer) else answer
        self.value = answer.value if isinstance(answer, Answer) else None
        self.comment = answer.comment if isinstance(answer, Answer) else None
        if action.seat != view.seat:
            raise EngineError("other-seat", _printable(to_json(action)))
        if not allows(view, action):
            raise EngineError("illegal", _printable(to_json(action)))
        return action

    def _limit(self) -> Deadline:
        return Deadline(self.program.time if self._is_ready else max(self._start, self.program.time))

    def _running_child(self) -> ChildProcess:
        if self._is_stopped:
            raise EngineError("crash", "-")
        if self._child is None:
            self._unanswered, self._is_ready = 0, False
            self._child = ChildProcess(self.program.command)
            if self._has_protocol is not False:
                self._has_protocol = None
                options = dict(self.program.options)
                hello = Hello(protocol=PROTOCOL, time=self.program.time, seed=self.seed, options=options)
                self._notify(hello)
                if self._rules is not None:
                    self._notify(NewGame(self._rules))
        return self._child

    def _notify(self, message: Hello | NewGame | GameOver) -> None:
        assert self._child is not None
        if self._has_protocol is None:
            self._unanswered += 1
        self._child.send(to_json(message), self._limit())

    def _read_action(self, child: ChildProcess, limit: Deadline) -> Answer | SeatAction | None:
        """Read a line; return its action, or None if it is another valid message."""
        line = child.line(limit)
        if not line.strip():
            return None
        try:
            read: Any = from_json(line, FromEngine)  # type: ignore[arg-type]
        except NotationError as error:
            raise EngineError("not-readable", f"{_printable(line)} ({error.text})") from None
        message: Introduction | Ready | Answer | Error | SeatAction = read
        match message:
            case Introduction():
                if message.protocol != PROTOCOL or self._has_protocol is not None:
                    raise EngineError("unasked", _printable(line))
                self._has_protocol, self._unanswered, self.introduction = True, 0, message
            case Ready():
                if not self._has_protocol or self._is_ready:
                    raise EngineError("unasked", _printable(line))
                self._is_ready = True
            case Error():
                if self._has_protocol or not self._unanswered:
                    raise EngineError("refused", _printable(line))
                self._unanswered -= 1
                self._has_protocol = None if self._unanswered else False
            case _:
                return message
        return None

    def _kill(self) -> None:
        if self._child is not None:
            child, self._child = self._child, None
            child.kill()

    def stop(self) -> None:
        """Kill the program for good. Any thread may call this; an action in progress fails."""
        self._is_stopped = True
        child = self._child
        if child is not None:
            child.terminate()

    def close(self) -> None:
        """Ask the program to exit, and kill it if it does not."""
        if self._child is not None:
            child, self._child = self._child, None
            child.close(to_json(Quit()) if self._has_protocol else b"quit")


def _printable(line: bytes) -> str:
    text = line.decode(errors="replace")
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text[:200])
