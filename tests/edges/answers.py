"""Send Views to players in other processes, and check every answer.

    python -m tests.edges.answers WAY LEVEL

reads lines from standard input and writes [CPU seconds, answer] for each. WAY is how a View reaches a player:
`bot` through `fifteentwo bot`; `act` directly, without checks; `analysis` to the functions that call compiled
kernels, without a level.
"""

import contextlib
import faulthandler
import json
import math
import os
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.errors import FifteenTwoError, NotationError
from fifteentwo.rules.record import from_json
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Variant
from fifteentwo.rules.view import View, allows, choices

BAR = 1.0
"""Maximum CPU seconds of an answer after kernels and tables are loaded."""
HANGS = 120.0
"""Seconds without an answer after which a player is stopped."""
AT_ONCE = 5_000
"""Number of lines that one process gets."""
BOUNDS = "index is out of bounds"
"""Message of a kernel that checks bounds."""


class Outcome(NamedTuple):
    """The result of an attack."""

    acted: int
    refused: int
    wrong: list[str]
    slowest: float = 0.0
    """CPU seconds."""

    def __add__(self, other: "Outcome") -> "Outcome":  # type: ignore[override]
        wrong = [*self.wrong, *other.wrong]
        slowest = max(self.slowest, other.slowest)
        return Outcome(self.acted + other.acted, self.refused + other.refused, wrong, slowest)


NOTHING = Outcome(0, 0, [])


def attack(
    way: str, level: str, lines: Sequence[bytes], *, must_act: bool = False, **environment: str
) -> Outcome:
    """Send these Views to as many processes at a time as there are cores.

    A process that dies or hangs is a failure; another process continues with the next line. must_act: a seat
    that may act must act, as in Views of games.
    """

    def put(part: Sequence[bytes]) -> Outcome:
        outcome, begin = NOTHING, 0
        while begin < len(part):
            answers, died = _answered(way, level, part[begin:], environment)
            for line, (seconds, answer) in zip(part[begin:], answers, strict=False):
                outcome += _judged(way, line, answer, seconds, must_act=must_act)
            begin += len(answers)
            if died is not None:
                where = part[begin].decode()[:2000] if begin < len(part) else "the end"
                outcome += Outcome(0, 0, [f"{died} at {where}"])
                begin += 1
        return outcome

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        parts = [lines[first : first + AT_ONCE] for first in range(0, len(lines), AT_ONCE)]
        return sum(pool.map(put, parts), NOTHING)


def _judged(way: str, line: bytes, answer: str, seconds: float, *, must_act: bool) -> Outcome:
    wrong = _wrong_with(way, line, answer, must_act=must_act)
    if wrong is None and seconds > BAR:
        wrong = f"{seconds:.2f} s"
    if wrong is not None:
        return Outcome(0, 0, [f"{wrong}: {answer[:200]} to {line.decode()[:2000]}"], seconds)
    refused = '"error"' in answer
    return Outcome(int(not refused), int(refused), [], seconds)


def _answered(
    way: str, level: str, lines: Sequence[bytes], environment: dict[str, str]
) -> tuple[list[tuple[float, str]], str | None]:
    """Return the answers with their seconds, and how the process died if it did."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.edges.answers", way, level],
        input=b"\n".join(lines) + b"\n",
        capture_output=True,
        env={**os.environ, **environment},
        check=False,
    )
    # The last line may be incomplete.
    answers = [tuple(json.loads(line)) for line in done.stdout.split(b"\n")[:-1]]
    if done.returncode == 0 and len(answers) == len(lines):
        return answers, None
    last_words = done.stderr.decode("utf-8", "replace").strip()[:600]
    return answers, f"{way} {level} ended with {done.returncode}: {last_words!r}"


def _wrong_with(way: str, line: bytes, answer: str, *, must_act: bool) -> str | None:
    reply = json.loads(answer)
    if way != "bot":
        return str(reply["wrong"]) if "wrong" in reply else None
    try:
        seen = from_json(line, View)
    except NotationError:
        return None if reply.get("code") == "not-readable" else "an answer to what is no View"
    if reply["type"] == "error":
        if "why" in reply:
            return "a player stumbled"
        return "an error where a seat may act" if must_act and choices(seen) else None
    action: Any = from_json(json.dumps(reply), SeatAction)  # type: ignore[arg-type]
    return None if allows(seen, action) else "an action that is not open"


# ── Functions of the answering process ─────────────────────────────────────────────────────────────────────


def _by_bot(level: str) -> Callable[[bytes], str]:
    from fifteentwo.engines.bot import Bot

    bot = Bot(level, 1)

    def answer(line: bytes) -> str:
        (reply,) = bot.responses([line])
        return reply.decode()

    return answer


def _by_level(level: str) -> Callable[[bytes], str]:
    """Return a function that answers a View; an exception is an answer, because levels may refuse Views."""
    from fifteentwo.players import player

    one = player(level, 1)

    def answer(line: bytes) -> str:
        return _outcome(lambda: one.act(from_json(line, View)), Exception)

    return answer


def _by_analysis(_: str) -> Callable[[bytes], str]:
    def answer(line: bytes) -> str:
        try:
            seen = from_json(line, View)
        except NotationError as error:
            return json.dumps({"error": error.code})
        reply = [_outcome(call, FifteenTwoError) for call in _reckonings(seen)]
        return next((one for word in ("wrong", "made") for one in reply if word in one), reply[0])

    return answer


def _reckonings(seen: View) -> Iterator[Callable[[], object]]:
    """Yield the calls of `analysis` to compiled kernels, on a View of the pegging or of the discard."""
    from fifteentwo.analysis.discards import discard
    from fifteentwo.analysis.discards.kept_hands import kept_ratios
    from fifteentwo.analysis.pegging.look_ahead import LookAhead
    from fifteentwo.analysis.rollouts import playouts
    from fifteentwo.analysis.win import model as win
    from fifteentwo.rules.view import go_bounds

    def rolled_out() -> object:
        bounds: Sequence[int] = (0,) * seen.rules.seats
        with contextlib.suppress(IndexError):
            bounds = go_bounds(seen)
        variant = Variant.SIX_CARD if seen.rules.kept == 4 else Variant.FIVE_CARD
        return playouts.card_values(seen, bounds, kept_ratios(variant), random.Random(1), 16)

    yield lambda: LookAhead(seen).points()
    yield lambda: LookAhead(seen).chances(games=seen.rules.skunk)
    yield rolled_out
    if seen.phase is Phase.DISCARD:
        own, other = (*seen.front, 0, 0)[:2]
        yield lambda: win.chances(seen.hand, dealer=True, board=(own, other)).tolist()
        yield lambda: discard.options(seen.hand, own_crib=True, rules=seen.rules)[0].net


def _outcome(call: Callable[[], object], allowed: type[Exception]) -> str:
    try:
        made = call()
    except allowed as error:
        if BOUNDS in str(error):
            return json.dumps({"wrong": f"{error}"})
        return json.dumps({"error": getattr(error, "code", type(error).__name__)})
    except Exception as error:
        return json.dumps({"wrong": f"{type(error).__name__}: {error}"})
    numbers = made.values() if isinstance(made, dict) else made if isinstance(made, list) else ()
    if not all(math.isfinite(number) for number in numbers):
        return json.dumps({"wrong": f"no numbers: {made}"})
    return json.dumps({"made": type(made).__name__})


def get_ready(way: str, level: str) -> None:
    """Load kernels and tables before the first answer is timed."""
    from fifteentwo.analysis.discards.kept_hands import kept_ratios
    from fifteentwo.analysis.pegging import look_ahead
    from fifteentwo.analysis.rollouts import playouts

    if way == "analysis" or level in ("expert", "master"):
        playouts.prepare()
        for variant in Variant:
            kept_ratios(variant)
    if way == "analysis" or level == "master":
        look_ahead.prepare()


WAYS = {"bot": _by_bot, "act": _by_level, "analysis": _by_analysis}


def main(way: str, level: str) -> None:
    """Answer every line of standard input."""
    faulthandler.enable()
    get_ready(way, level)
    answer = WAYS[way](level)
    for line in sys.stdin.buffer:
        faulthandler.dump_traceback_later(HANGS, exit=True)
        began = time.process_time()
        with warnings.catch_warnings():
            # A NaN or infinity is found in the answer.
            warnings.simplefilter("ignore" if way == "act" else "error", RuntimeWarning)
            reply = answer(line.strip())
        print(json.dumps([round(time.process_time() - began, 6), reply]), flush=True)
    faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main(*sys.argv[1:])
