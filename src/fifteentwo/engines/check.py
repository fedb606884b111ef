"""Whether a program keeps to the engine protocol: a report, check by check."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table, seeded
from fifteentwo.engines.engine import Engine, Program
from fifteentwo.engines.process import Child, Limit
from fifteentwo.engines.protocol import PROTOCOL, Error, FromEngine, Hello, Introduction, Quit, Ready
from fifteentwo.players import Player, PlayerFailed, player
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.rules.view import View, allows, view

ENDS = 2.0
"""Seconds in which an engine ends once it is asked to."""
_CLAIMS = {"counting": "claimed", "muggins": "missed-and-overclaims"}


class Check(msgspec.Struct, frozen=True):
    """One thing that was tried. `code` and `detail` are of `PlayerFailed` where it failed."""

    name: str
    passed: bool
    code: str = ""
    detail: str = ""


class Report(msgspec.Struct, frozen=True):
    """What a program did with everything that was tried."""

    command: tuple[str, ...]
    name: str
    protocol: int | None
    """None for a bot that answers Views alone."""
    passed: bool
    actions: int
    slowest: float
    """Seconds that the slowest action took, but the first of a process."""
    same_again: bool | None
    """Whether the same seed and Views gave the same actions after another game; None where that failed."""
    checks: tuple[Check, ...]


class _Measured:
    """An engine whose actions are counted and timed."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.taken: list[tuple[View, SeatAction]] = []
        self.slowest = 0.0
        self._is_first = True

    def act(self, seen: View) -> SeatAction:
        began = time.monotonic()
        action = self.engine.act(seen)
        if not self._is_first:
            self.slowest = max(self.slowest, time.monotonic() - began)
        self._is_first = False
        self.taken.append((seen, action))
        return action

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)


def check(how: Program, seed: int = 1) -> Report:
    """Try a program: hello, every variant, claims and muggins, lines that mean nothing, quit. About 20 s."""
    engine = Engine(how, seed)
    measured = _Measured(engine)
    same: list[bool] = []
    checks: list[Check] = []

    def tried(name: str, what: Callable[[], object]) -> None:
        try:
            what()
        except PlayerFailed as error:
            checks.append(Check(name, False, error.code, error.detail))
        else:
            checks.append(Check(name, True))

    try:
        tried("hello", lambda: _introduced(measured, seed))
        for variant in Variant:
            tried(variant.value, lambda variant=variant: _plays(measured, variant, seed))  # type: ignore[misc]
        tried("claims", lambda: _plays(measured, Variant.SIX_CARD, seed, **_CLAIMS))
        tried("memory", lambda: same.append(_is_same_again(engine, seed)))
    finally:
        engine.close()
    speaks = engine.introduction is not None
    tried("garbage", lambda: _survives(how, (b"nonsense", b'{"seat":0}', b"\xff\xfe", b"[" * 5000)))
    tried("unknown-message", lambda: _survives(how, (b'{"type":"from-the-future","x":[1]}',)))
    tried("quit", lambda: _ends(how, to_json(Quit()) if speaks else b"quit"))
    tried("end-of-input", lambda: _ends(how, b""))
    return Report(
        how.command,
        engine.name,
        PROTOCOL if speaks else None,
        all(one.passed for one in checks),
        len(measured.taken),
        round(measured.slowest, 4),
        same[0] if same else None,
        tuple(checks),
    )


def _introduced(measured: _Measured, seed: int) -> None:
    """The first action of a game; what it says before is read on the way."""
    seen = _views(Variant.SIX_CARD, seed)[0]
    measured.new_game(seen.rules)
    measured.act(seen)


def _plays(engine: _Measured, variant: Variant, seed: int, **options: Any) -> None:
    """One whole game, with draws and cuts; the engine at the first seat or the last."""
    rules = rules_for(variant, **options)
    seat = seed % 2 * (rules.seats - 1)
    players: list[Player] = [player("greedy", seed + other) for other in range(rules.seats)]
    players[seat] = engine
    if failed := play_out(Table(rules, seeded(seed)), players):
        raise failed.error


def _is_same_again(engine: Engine, seed: int) -> bool:
    """Whether a new process gives the same actions to the same Views, and so after a game of another kind."""
    taken = []
    for before in (None, Variant.FIVE_CARD):
        if before is None:
            engine.close()
        else:
            seen = _views(before, seed)
            engine.new_game(seen[0].rules)
            for one in seen[:5]:
                engine.act(one)
        seen = _views(Variant.SIX_CARD, seed)
        engine.new_game(seen[0].rules)
        taken.append([engine.act(one) for one in seen])
    return taken[0] == taken[1]


def _views(variant: Variant, seed: int) -> Sequence[View]:
    """What the first seat sees, at each of its turns in a game of the level `greedy`."""
    recorded = _Recorded(seed)
    rules = rules_for(variant)
    play_out(Table(rules, seeded(seed)), [recorded, *[player("greedy", seed)] * (rules.seats - 1)])
    return recorded.views


class _Recorded:
    def __init__(self, seed: int) -> None:
        self.views: list[View] = []
        self._player = player("greedy", seed)

    def act(self, seen: View) -> SeatAction:
        self.views.append(seen)
        return self._player.act(seen)


def _survives(how: Program, lines: Sequence[bytes]) -> None:
    """Every line is passed over or answered with an error, and the View after it with an action."""
    child = Child(how.command)
    try:
        for line in lines:
            child.send(line, Limit(how.start))
            _acts(child, how, _a_view())
    finally:
        child.kill()


def _acts(child: Child, how: Program, seen: View) -> None:
    """Its action to a View, after any number of errors."""
    limit = Limit(how.start)
    child.send(to_json(seen), limit)
    while True:
        line = child.line(limit)
        try:
            answer: Any = from_json(line, FromEngine)  # type: ignore[arg-type]
        except ValueError as error:
            raise PlayerFailed("not-readable", str(error)) from None
        if isinstance(answer, Introduction | Ready | Error):
            continue
        action = getattr(answer, "action", answer)
        if not allows(seen, action):
            raise PlayerFailed("illegal", to_json(action).decode())
        return


def _ends(how: Program, last: bytes) -> None:
    """It ends by itself within `ENDS`, after a hello and an action."""
    child = Child(how.command)
    try:
        if last.startswith(b"{"):
            child.send(to_json(Hello(protocol=PROTOCOL)), Limit(how.start))
        _acts(child, how, _a_view())
        if not child.ends(last, ENDS):
            raise PlayerFailed("stays", f"{ENDS:g}")
    finally:
        child.kill()


def _a_view() -> View:
    """A View of a discard."""
    table = Table(rules_for("six-card", first_dealer="named", cut_before_deal=False), seeded(1))
    table.adopt(table.name_dealer(0))
    assert table.state.phase is Phase.DISCARD
    return view(table.state, 0)
