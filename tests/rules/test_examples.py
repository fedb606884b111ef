"""Every worked example of the documents, in every order of its cards."""

import json
from collections.abc import Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.rules import board, pegging, show
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.events import Pegged, PeggedFor, Played, ScoreName
from fifteentwo.rules.variants import rules_for
from tests.rules.positions import VARIANTS, at_play, do, pegging_entries, plays, read

LINES = [
    json.loads(line)
    for line in (Path(__file__).parent / "examples.jsonl").read_text("utf-8").splitlines()
    if line.strip()
]

PARTS = {
    "fifteens": {ScoreName.FIFTEEN},
    "pairs": {ScoreName.PAIR, ScoreName.PAIR_ROYAL, ScoreName.DOUBLE_PAIR_ROYAL},
    "runs": {ScoreName.RUN},
    "flush": {ScoreName.FLUSH},
    "nobs": {ScoreName.NOBS},
}


def of(kind: str) -> list[Any]:
    return [line for line in LINES if line["kind"] == kind]


def test_all_lines_are_of_a_kind_tested_here() -> None:
    kinds = ["show", "part", "shape", "play", "frag", "peg", "skunk", "boardB", "spoken"]
    assert all(of(kind) for kind in kinds)
    assert sum(len(of(kind)) for kind in kinds) == len(LINES) == 95


def readings(line: dict[str, Any]) -> list[tuple[str, list[str]]]:
    return [(line["starter"], line["hand"]), *[(starter, hand) for starter, hand in line.get("alts", ())]]


def test_show(subtests: pytest.Subtests) -> None:
    for line in of("show"):
        with subtests.test(line=line["id"]):
            crib = line.get("crib", False)
            for starter, hand in readings(line):
                assert len(hand) == (3 if line.get("five") and not crib else 4)
                # The order in which a hand lies must not matter.
                for lie in permutations(read(hand)):
                    assert show.points(lie, Card(starter), crib=crib) == line["expect"], (starter, hand)
            scores = show.scores(read(line["hand"]), Card(line["starter"]), crib=crib)
            for part, points in line.get("parts", {}).items():
                assert sum(score.points for score in scores if score.name in PARTS[part]) == points, part
            if "spoken" in line:
                totals = [sum(score.points for score in scores[: place + 1]) for place in range(len(scores))]
                assert totals == line["spoken"]


NO_FLUSH = [
    (starter, hand)
    for line in LINES
    if line["kind"] == "show"
    for starter, hand in readings(line)
    if len(hand) == 4 and len({word[-1] for word in hand}) > 1
]


def test_hands_without_a_flush_score_the_same_as_cribs(subtests: pytest.Subtests) -> None:
    for starter, hand in NO_FLUSH:
        with subtests.test(starter=starter, hand=hand):
            assert show.points(read(hand), Card(starter), crib=True) == show.points(read(hand), Card(starter))


def test_part(subtests: pytest.Subtests) -> None:
    for line in of("part"):
        with subtests.test(line=line["id"]):
            held = read(line["cards"])
            if line["part"] == "flush":
                # A starter of another suit that makes nothing of its own.
                starter = next(card for card in DECK if card.suit != held[0].suit and card not in held)
                scores = show.scores(held, starter)
            else:
                scores = show.scores(held[:-1], held[-1])
            assert (
                sum(score.points for score in scores if score.name in PARTS[line["part"]]) == line["expect"]
            )


def test_shape(subtests: pytest.Subtests) -> None:
    for line in of("shape"):
        with subtests.test(line=line["id"]):
            tried = 0
            for copies in set(permutations(line["mult"])):
                for lowest in range(1, 15 - len(copies)):
                    held = [
                        DECK[(lowest + place - 1) * 4 + suit]
                        for place, many in enumerate(copies)
                        for suit in range(many)
                    ]
                    runs_and_pairs = PARTS["runs"] | PARTS["pairs"]
                    for starter in held:
                        hand = [card for card in held if card is not starter]
                        scores = show.scores(hand, starter)
                        assert sum(s.points for s in scores if s.name in runs_and_pairs) == line["expect"]
                    assert show.run_shape([card.rank for card in held]) is not None
                    tried += 1
            assert tried >= 9


def test_play(subtests: pytest.Subtests) -> None:
    for line in of("play"):
        with subtests.test(line=line["id"]):
            variant = (
                "five-card" if line.get("onecount") else {2: "six-card", 3: "three-handed"}[line["players"]]
            )
            rules = rules_for(variant)
            state = at_play(rules, line["hands"])
            steps = line["steps"]
            played = [f"{done[0]}:{done[1]}" for done in steps if len(done) == 4]
            state, events = do(state, plays(*played))
            assert pegging_entries(events) == steps
            totals = [0] * rules.sides
            for event in events:
                if isinstance(event, Pegged) and event.reason in (PeggedFor.PLAY, PeggedFor.LAST_CARD):
                    totals[event.side] += event.points
            assert totals == line["totals"]


def test_frag(subtests: pytest.Subtests) -> None:
    for line, variant in product(of("frag"), VARIANTS):
        with subtests.test(line=line["id"], variant=variant):
            rules = rules_for(variant)
            words: list[str] = line["cards"]
            state = at_play(rules, [words[seat :: rules.seats] for seat in range(rules.seats)])
            if rules.seats > len(words):
                # Seats without cards are skipped without an event (C6).
                assert any(not hand for hand in state.hands)
            _, events = do(
                state, plays(*[f"{place % rules.seats}:{word}" for place, word in enumerate(words)])
            )
            result = [entry for entry in pegging_entries(events) if len(entry) == 4]
            assert [entry[2] for entry in result] == line["counts"]
            assert [entry[3] for entry in result] == line["points"]
            assert [event.card.text for event in events if isinstance(event, Played)] == words
            played = read(words)
            for place, expected in enumerate(line["points"], start=1):
                assert sum(score.points for score in pegging.scores(played[:place])) == expected


def test_peg(subtests: pytest.Subtests) -> None:
    for line in of("peg"):
        with subtests.test(line=line["id"]):
            moved = board.Pegs(line["front"], line["rear"]).move(line["score"])
            assert moved == board.Pegs(line["newfront"], line["newrear"])


def test_skunk(subtests: pytest.Subtests) -> None:
    for line in of("skunk"):
        with subtests.test(line=line["id"]):
            rules = rules_for(
                "six-card", target=line["target"], skunk=line["skunk"], double_skunk=line["double"]
            )
            assert rules.games_lost(line["loser"]) == line["games"]


def test_board_b(subtests: pytest.Subtests) -> None:
    for line in of("boardB"):
        with subtests.test(line=line["id"]):
            hole = board.HoleB(line["lap"], board.Column(line["column"]), line["row"])
            assert board.hole_b(line["score"]) == hole


def counted(starter: str, hand: Sequence[str]) -> list[list[object]]:
    total, result = 0, list[list[object]]()
    for score in show.scores(read(hand), Card(starter)):
        total += score.points
        result.append([score.name.value, total])
    return result


def test_spoken(subtests: pytest.Subtests) -> None:
    for line in of("spoken"):
        with subtests.test(line=line["id"]):
            for lie in permutations(line["hand"]):
                assert counted(line["starter"], lie) == line["seq"]
