"""The page's modules under node's test runner, with games as test data."""

import json
import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from fifteentwo.contest.table import Table
from fifteentwo.i18n import LANGUAGES, catalogue
from fifteentwo.i18n.scores import near_miss_text
from fifteentwo.players import player
from fifteentwo.rules import near_misses, pegging
from fifteentwo.rules.board import hole_a, hole_b
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.events import PartnersMade
from fifteentwo.rules.record import to_json, to_plain
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import choices, see, view
from fifteentwo.server.study.hand_count import SCORES_BY_PART, count_hand

HERE = Path(__file__).parent
TESTS = sorted(HERE.glob("*.test.mjs"))
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("four-handed", {}),
    ("six-card", {}),
    ("six-card", {"counting": "claimed", "muggins": "missed-and-overclaims"}),
    ("five-card", {}),
    ("three-handed", {"counting": "claimed"}),
    ("partners", {"partners_by_draw": True}),
]
"""The index is the seed; the first game begins with a tied draw."""
HANDS = 1500
SKILLED = 12
"""Whole games to 121 between good players, in which the waiting time of a person is counted."""


def _moves(variant: str, options: dict[str, Any], seed: int) -> Iterator[dict[str, Any]]:
    """Return a random game for every seat: the views before and after each action, and its events."""
    table, rng = Table(rules_for(variant, **{"target": 61, **options}), seeded(seed)), random.Random(seed)
    while not table.over:
        before, seen = table.state, len(table.events)
        acting = rng.choice(table.waiting)
        table.submit(acting, rng.choice(choices(view(before, acting))))
        events = table.events[seen:]
        moved = next((event.seating for event in events if isinstance(event, PartnersMade)), None)
        for seat in range(table.state.rules.seats):
            yield {
                "before": view(before, seat),
                "events": [see(event, seat) for event in events],
                "after": view(table.state, seat if moved is None else moved.index(seat)),
            }


def _skilled(seed: int) -> list[dict[str, Any]]:
    """Return a whole game for its first seat, each event with the view before it."""
    table = Table(rules_for("six-card"), seeded(seed))
    both = [player("greedy", seed), player("greedy", seed + 1)]
    moves: list[dict[str, Any]] = []
    while not table.over:
        before, seen, seat = table.state, len(table.events), table.waiting[0]
        table.submit(seat, both[seat].act(view(before, seat)))
        moves.append({"before": view(before, 0), "events": [see(event, 0) for event in table.events[seen:]]})
    return moves


def _hands() -> Iterator[dict[str, Any]]:
    """Return requests of the hand checker with the server's answers; None for an invalid hand."""
    rng = random.Random(29)
    for number in range(HANDS):
        lang = ("en", "ja")[number % 2]
        # Every third from few ranks: pairs, runs and flushes are rare otherwise.
        drawn = rng.sample(DECK if number % 3 else [card for card in DECK if 3 <= card.rank <= 6], 6)
        size = rng.choice((3, 4, 4, 4))
        texts = [card.text.replace("T", rng.choice(("T", "10"))) for card in drawn]
        asked = {"hand": " ".join(texts[:size]), "starter": texts[5], "crib": str(number % 5 // 4)}
        asked |= rng.choice(({}, {}, {"five": "1"}, {"part": rng.choice(list(SCORES_BY_PART))}))
        if number % 11 == 0:
            asked |= rng.choice(
                ({"starter": ""}, {"starter": texts[0]}, {"hand": "5H 5H 6D 7C"}, {"hand": "5X"})
            )
        try:
            answer = count_hand(asked, lang)
        except FifteenTwoError:
            answer = None
        yield {"lang": lang, "asked": urlencode(asked), "answer": answer}


def _plays() -> Iterator[dict[str, Any]]:
    """Return cards of one count whose last card scores nothing, and the reason."""
    rng = random.Random(31)
    for number in range(HANDS):
        few = [card for card in DECK if number % 2 or card.rank <= 3 or card.rank >= 12]
        played = rng.sample(few, rng.randint(1, 6))
        if sum(card.value for card in played) > pegging.LIMIT or pegging.scores(played):
            continue
        lang = LANGUAGES[number % len(LANGUAGES)]
        why = near_miss_text(to_plain(near_misses.card_near_misses(played)), lang)
        yield {"lang": lang, "played": [card.text for card in played], "why": why}


def node_path() -> str:
    """Return the path of node with a test runner. Without it, skip; fail if it is required."""
    node = shutil.which("node")
    if node is None:
        if "node" in os.environ.get("FIFTEENTWO_REQUIRE", ""):
            pytest.fail("node is required")
        pytest.skip("no node here")
    return node


def test_the_scripts_pass_their_node_tests(tmp_path: Path) -> None:
    games = tmp_path / "games.json"
    moves = [move for seed, (variant, options) in enumerate(GAMES) for move in _moves(variant, options, seed)]
    games.write_bytes(to_json(moves))
    skilled = tmp_path / "skilled.json"
    skilled.write_bytes(to_json([_skilled(seed) for seed in range(SKILLED)]))
    hands = tmp_path / "hands.json"
    words = {lang: catalogue(lang) for lang in LANGUAGES}
    holes = [(hole_a(score), hole_b(score)) for score in range(1, 121)]
    data = {"words": words, "hands": list(_hands()), "plays": list(_plays()), "holes": holes}
    hands.write_bytes(to_json(data))
    # One process for all files takes a third of the time of one process for each.
    imports = "\n".join(f"import {json.dumps(path.as_uri())};" for path in TESTS)
    done = subprocess.run(
        [node_path(), "--test-reporter=tap", "--input-type=module", "--eval", imports],
        env=os.environ
        | {
            "FIFTEENTWO_GAMES": str(games),
            "FIFTEENTWO_SKILLED": str(skilled),
            "FIFTEENTWO_HANDS": str(hands),
        },
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
