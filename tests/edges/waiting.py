"""First answers do not wait for a compiler; after `fifteentwo prepare` no kernel is compiled."""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.record import to_json
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.rules.view import View, view
from tests.edges.command_lines import record_text
from tests.support.busy import busy

WITHIN = 1.0
"""Maximum seconds from a View to its answer, on an idle machine."""


class First(NamedTuple):
    """The first answer of an engine with an empty cache of compiled kernels."""

    seconds: float
    view: View

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s: {to_json(self.view).decode()}"


def first_answers(number: int, seed: int) -> list[First]:
    """Send one View to each of several engines with empty caches of compiled kernels."""
    return [_first_answer(asked) for asked in _views(number, seed)]


def _first_answer(asked: View) -> First:
    with tempfile.TemporaryDirectory() as folder:
        slower = busy()
        with subprocess.Popen(
            [sys.executable, "-m", "fifteentwo", "bot", "master"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "NUMBA_CACHE_DIR": folder},
        ) as engine:
            assert engine.stdin is not None
            assert engine.stdout is not None
            assert engine.stderr is not None
            assert engine.stderr.readline().startswith(b'{"type":"engine","level":"master"')
            began = time.monotonic()
            engine.stdin.write(to_json(asked) + b"\n")
            engine.stdin.flush()
            reply = json.loads(engine.stdout.readline())
            seconds = (time.monotonic() - began) / slower
        assert "seat" in reply, reply
        return First(seconds, asked)


def _views(number: int, seed: int) -> Iterator[View]:
    """Yield Views of discards and of pegging with a choice, in six-card games."""
    luck, rules = random.Random(seed), rules_for(Variant.SIX_CARD)
    players = [player("club", seed), player("club", seed + 1)]
    while number:
        table = Table(rules, seeded(luck.getrandbits(32)))
        table.adopt(table.chance_due())
        while not table.over and number:
            seat = table.waiting[0]
            seen = view(table.state, seat)
            choice = seen.phase is Phase.DISCARD or (seen.phase is Phase.PLAY and len(seen.hand) > 1)
            if choice and luck.random() < 0.02:
                number -= 1
                yield seen
            table.submit(seat, players[table.state.seating[seat]].act(seen))


def view_of_three_hands() -> View:
    """Return a three-handed View of pegging with a choice, which rollouts compare."""
    table = Table(rules_for(Variant.THREE_HANDED), seeded(1))
    table.adopt(table.chance_due())
    while True:
        seen = view(table.state, table.waiting[0])
        fits = {card.rank for card in seen.hand if seen.count + card.value <= 31}
        if seen.phase is Phase.PLAY and len(fits) > 1:
            return seen
        table.submit(seen.seat, player("club", 1).act(seen))


@cache
def prepare() -> None:
    subprocess.run([sys.executable, "-m", "lab", "prepare"], check=True, capture_output=True)


_GAMES = ("--games", "2", "--jobs", "1")
CONSUMERS: dict[str, tuple[str, ...]] = {
    "arena": ("arena", "master", "expert", *_GAMES),
    "arena, five-card": ("arena", "master", "expert", "--variant", "five-card", *_GAMES),
    "arena, three-handed": ("arena", "expert", "club", "--variant", "three-handed", *_GAMES),
    "arena, partners": ("arena", "expert", "club", "--variant", "partners", *_GAMES),
    "arena, four-handed": ("arena", "expert", "club", "--variant", "four-handed", *_GAMES),
    "review": ("review", "{folder}/game.txt"),
    "discard": ("discard", "5H", "5S", "6D", "7C", "JC", "KD", "--dealer", "--board", "110-116"),
    "score": ("score", "--all", "{folder}/hands.txt"),
}
"""Commands that compile missing kernels in their own process."""


def compiles(name: str) -> bool:
    """Return whether one of CONSUMERS compiles a kernel."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "game.txt").write_text(record_text(Variant.SIX_CARD, 1), encoding="utf-8")
        (Path(folder) / "hands.txt").write_text("5H 5S 5D JC 5C\n" * 70_000, encoding="utf-8")
        words = [word.format(folder=folder) for word in CONSUMERS[name]]
        done = subprocess.run(
            [sys.executable, "-m", "fifteentwo", *words],
            env={**os.environ, "NUMBA_DEBUG_CACHE": "1"},
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
    return "data saved to" in done.stdout
