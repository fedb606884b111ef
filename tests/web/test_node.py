"""The page's pure modules under node's own test runner, and games of the rules for them to follow."""

import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.contest.table import Table, seeded
from fifteentwo.rules.events import PartnersMade
from fifteentwo.rules.record import to_json
from fifteentwo.rules.variants import variant
from fifteentwo.rules.view import choices, see, view

HERE = Path(__file__).parent
TESTS = sorted(HERE.glob("*.test.mjs"))
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("four-handed", {}),
    ("six-card", {}),
    ("six-card", {"counting": "claimed", "muggins": "missed-and-over"}),
    ("five-card", {}),
    ("three-handed", {"counting": "claimed"}),
    ("partners", {"partners_by_draw": True}),
]
"""Each with its place for a seed: the first begins with a tied draw."""


def _moves(form: str, options: dict[str, Any], seed: int) -> Iterator[dict[str, Any]]:
    """A random game as every seat sees it: the view before each action, its events, the view after them."""
    table, rng = Table(variant(form, **{"target": 61, **options}), seeded(seed)), random.Random(seed)
    while not table.over:
        before, told = table.state, len(table.events)
        acting = rng.choice(table.waiting)
        table.submit(acting, rng.choice(choices(view(before, acting))))  # type: ignore[arg-type]
        events = table.events[told:]
        moved = next((event.seating for event in events if isinstance(event, PartnersMade)), None)
        for seat in range(table.state.rules.seats):
            yield {
                "before": view(before, seat),
                "events": [see(event, seat) for event in events],
                "after": view(table.state, seat if moved is None else moved.index(seat)),
            }


def _node() -> str:
    """Node with a test runner; a skip without one, or a failure where it is required."""
    node = shutil.which("node")
    if node is None:
        if "node" in os.environ.get("FIFTEENTWO_REQUIRE", ""):
            pytest.fail("node is required")
        pytest.skip("no node here")
    return node


def test_the_pure_modules_pass_their_own_tests(tmp_path: Path) -> None:
    games = tmp_path / "games.json"
    moves = [move for seed, (form, options) in enumerate(GAMES) for move in _moves(form, options, seed)]
    games.write_bytes(to_json(moves))
    done = subprocess.run(
        [_node(), "--test", "--test-reporter=tap", *map(str, TESTS)],
        env=os.environ | {"FIFTEENTWO_GAMES": str(games)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr
    counted = dict(re.findall(r"^# (pass|fail|skipped) (\d+)", done.stdout, re.MULTILINE))
    written = sum(len(re.findall(r"^test\(", path.read_text("utf-8"), re.MULTILINE)) for path in TESTS)
    assert counted == {"pass": str(written), "fail": "0", "skipped": "0"}
    assert written > 40
