"""A check of whether a program follows the engine protocol."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table
from fifteentwo.engines.engine import Engine, Program
from fifteentwo.engines.process import ChildProcess, Deadline
from fifteentwo.engines.protocol import PROTOCOL, Error, FromEngine, Hello, Introduction, Quit, Ready
from fifteentwo.players import EngineError, Player, player
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.rules.view import View, allows, view

MAX_EXIT_SECONDS = 2.0
"""Seconds within which an engine must exit when it is asked to."""
_CLAIMED_GAME_RULES = {"counting": "claimed", "muggins": "missed-and-overclaims"}


class Check(msgspec.Struct, frozen=True):
    """One check. `code` and `detail` come from `EngineError` if it failed, the other texts are then set."""

    name: str
    passed: bool
    code: str = ""
    detail: str = ""
    sent: str = ""
    """The last line that the program received."""
    expected: str = ""
    """One of the valid responses to that line; empty if the program should have ended."""


class _CheckFailure(EngineError):
    """A failure with the line that was sent."""

    def __init__(self, error: EngineError, sent: bytes, expected: bytes = b"") -> None:
        super().__init__(error.code, error.detail)
        self.sent = sent.decode(errors="replace")
        self.expected = expected.decode()


def _act(engine: Engine, seen: View) -> SeatAction:
    try:
        return engine.act(seen)
    except EngineError as error:
        expected = to_json(player("greedy", 1).act(seen))
        raise _CheckFailure(error, to_json(msgspec.structs.replace(seen, past=())), expected) from error


class Report(msgspec.Struct, frozen=True):
    """The results of all checks of a program."""

    command: tuple[str, ...]
    name: str
    protocol: int | None
    """None for a bot that only answers Views."""
    passed: bool
    actions: int
    slowest: float
    """Seconds of the slowest action, without the first action of a process."""
    same_again: bool | None
    """Whether the same seed and Views gave the same actions after another game; None if the check failed."""
    checks: tuple[Check, ...]


class _TimedEngine:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.taken: list[tuple[View, SeatAction]] = []
        self.slowest = 0.0
        self._is_first = True

    def act(self, seen: View) -> SeatAction:
        began = time.monotonic()
        action = _act(self.engine, seen)
        if not self._is_first:
            self.slowest = max(self.slowest, time.monotonic() - began)
        self._is_first = False
        self.taken.append((seen, action))
        return action

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)


def check(program: Program, seed: int = 1) -> Report:
    """Check a program: hello, every variant, claims and muggins, invalid lines, quit.

    This takes about 20 s.
    """
    engine = Engine(program, seed)
    measured = _TimedEngine(engine)
    same: list[bool] = []
    checks: list[Check] = []

    def run_check(name: str, what: Callable[[], object]) -> None:
        try:
            what()
        except EngineError as error:
            sent, expected = (getattr(error, which, "") for which in ("sent", "expected"))
            checks.append(Check(name, False, error.code, error.detail, sent, expected))
        else:
            checks.append(Check(name, True))

    try:
        run_check("hello", lambda: _act_once(measured, seed))
        for variant in Variant:
            run_check(variant.value, lambda variant=variant: _play_game(measured, variant, seed))  # type: ignore[misc]
        run_check("claims", lambda: _play_game(measured, Variant.SIX_CARD, seed, **_CLAIMED_GAME_RULES))
        run_check("memory", lambda: same.append(_is_reproducible(engine, seed)))
    finally:
        engine.close()
    speaks = engine.introduction is not None
    run_check(
        "garbage", lambda: _check_survives(program, (b"nonsense", b'{"seat":0}', b"\xff\xfe", b"[" * 5000))
    )
    run_check("unknown-message", lambda: _check_survives(program, (b'{"type":"from-the-future","x":[1]}',)))
    run_check("quit", lambda: _check_exit(program, to_json(Quit()) if speaks else b"quit"))
    run_check("end-of-input", lambda: _check_exit(program, b""))
    return Report(
        program.command,
        engine.name,
        PROTOCOL if speaks else None,
        all(one.passed for one in checks),
        len(measured.taken),
        round(measured.slowest, 4),
        same[0] if same else None,
        tuple(checks),
    )


def _act_once(measured: _TimedEngine, seed: int) -> None:
    """Let the engine act once in a new game; lines before its action are read."""
    seen = _views(Variant.SIX_CARD, seed)[0]
    measured.new_game(seen.rules)
    measured.act(seen)


def _play_game(engine: _TimedEngine, variant: Variant, seed: int, **options: Any) -> None:
    rules = rules_for(variant, **options)
    seat = seed % 2 * (rules.seats - 1)
    players: list[Player] = [player("greedy", seed + other) for other in range(rules.seats)]
    players[seat] = engine
    if failed := play_out(Table(rules, seeded(seed)), players):
        raise failed.error


def _is_reproducible(engine: Engine, seed: int) -> bool:
    """Return whether a new process, and one that has played another game, give the same actions."""
    taken = []
    for before in (None, Variant.FIVE_CARD):
        if before is None:
            engine.close()
        else:
            seen = _views(before, seed)
            engine.new_game(seen[0].rules)
            for one in seen[:5]:
                _act(engine, one)
        seen = _views(Variant.SIX_CARD, seed)
        engine.new_game(seen[0].rules)
        taken.append([_act(engine, one) for one in seen])
    return taken[0] == taken[1]


def _views(variant: Variant, seed: int) -> Sequence[View]:
    """Return the first seat's View at each of its turns in a game of the level `greedy`."""
    recorded = _RecordingPlayer(seed)
    rules = rules_for(variant)
    play_out(Table(rules, seeded(seed)), [recorded, *[player("greedy", seed)] * (rules.seats - 1)])
    return recorded.views


class _RecordingPlayer:
    def __init__(self, seed: int) -> None:
        self.views: list[View] = []
        self._player = player("greedy", seed)

    def act(self, seen: View) -> SeatAction:
        self.views.append(seen)
        return self._player.act(seen)


def _check_survives(program: Program, lines: Sequence[bytes]) -> None:
    """Send invalid lines; after each the program must still act on a View."""
    child = ChildProcess(program.command)
    try:
        for line in lines:
            try:
                child.send(line, Deadline(program.start))
                _check_action(child, program, _discard_view())
            except EngineError as error:
                raise _CheckFailure(error, line[:200], to_json(Error(code="not-readable"))) from error
    finally:
        child.kill()


def _check_action(child: ChildProcess, program: Program, seen: View) -> None:
    """Send a View, and check that the action is legal; errors before it are ignored."""
    limit = Deadline(program.start)
    child.send(to_json(seen), limit)
    while True:
        line = child.line(limit)
        try:
            answer: Any = from_json(line, FromEngine)  # type: ignore[arg-type]
        except ValueError as error:
            raise EngineError("not-readable", f"{line!r} ({error})") from None
        if isinstance(answer, Introduction | Ready | Error):
            continue
        action = getattr(answer, "action", answer)
        if not allows(seen, action):
            raise EngineError("illegal", to_json(action).decode())
        return


def _check_exit(program: Program, last: bytes) -> None:
    """Check that the program exits within MAX_EXIT_SECONDS after the last line."""
    child = ChildProcess(program.command)
    try:
        if last.startswith(b"{"):
            child.send(to_json(Hello(protocol=PROTOCOL)), Deadline(program.start))
        _check_action(child, program, _discard_view())
        if not child.wait_for_exit(last, MAX_EXIT_SECONDS):
            raise _CheckFailure(EngineError("stays", f"{MAX_EXIT_SECONDS:g}"), last)
    finally:
        child.kill()


def _discard_view() -> View:
    table = Table(rules_for("six-card", first_dealer="named", cut_before_deal=False), seeded(1))
    table.adopt(table.name_dealer(0))
    assert table.state.phase is Phase.DISCARD
    return view(table.state, 0)
