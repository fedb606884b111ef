"""The table of five-card cribbage: packed, read back, and as strong as its figures say."""

import importlib.util
import json
import random

import numpy as np
import pytest

from fifteentwo.fast.play import playable, value_of
from fifteentwo.strategy import five_card
from fifteentwo.strategy.files import data_file, read_tables
from lab.cfr import PARTS, Cells
from lab.five_card import solve, tables
from tests.lab.five_card.stored_chances import card_chances

needs_numba = pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="hours without numba")


def test_rounded_probabilities_sum_to_one_and_change_little() -> None:
    rng = np.random.default_rng(3)
    chance = rng.dirichlet((0.3, 0.3, 0.3), 500)
    chance[:50, 2] = 0
    chance /= chance.sum(axis=1, keepdims=True)
    steps = tables._sevenths(chance)
    assert (steps.sum(axis=1) == five_card.STEPS).all()
    assert np.abs(steps / five_card.STEPS - chance).max() < 1 / five_card.STEPS
    assert (steps[:50, 2] == 0).all()


def deal(rng: random.Random) -> tuple[list[int], list[int], list[int]]:
    """Return some hand's three kept and two discarded ranks, and the cards before its turn with its own."""
    deck = [rank for rank in range(13) for _ in range(4)]
    rng.shuffle(deck)
    kept, discarded, number = deck[:3], deck[3:5], rng.randrange(4)
    played = deck[5 : 5 + number]
    for at in range(number % 2, number, 2):
        played[at] = kept[at // 2]
    return kept, discarded, played


@pytest.mark.long
def test_the_reader_finds_the_cells_that_are_measured() -> None:
    arrays = read_tables(data_file(five_card.FILE)).arrays
    blocks = [five_card.unpacked(arrays, number) for number in range(five_card.TYPES)]
    rng, compared = random.Random(4), set[tuple[int, bool]]()
    for starter in (0, 9):
        cells: Cells = tables.cells(blocks, starter)
        for _ in range(2000):
            kept, discarded, played = deal(rng)
            held = list(kept)
            for rank in played[len(played) % 2 :: 2]:
                held.remove(rank)
            count = sum(map(value_of, played))
            if len({*held}) < 2 or not all(playable(count, value_of(rank)) for rank in held):
                continue
            found = five_card.card_frequencies(kept, discarded, starter, played)
            compared.add((len(played), found is None))
            if found is not None:
                assert found == pytest.approx(card_chances(cells, kept, discarded, played))
    assert {(number, False) for number in range(4)} < compared


def test_shipped_figures_belong_to_the_table() -> None:
    stored = solve.report(measure=False, jobs=None, progress=print)
    assert stored["files_are_those_measured"]
    assert stored["exploitability"]["deal"] <= 0.003
    about = five_card.provenance()
    assert [about[name] for name in ("rounds", "version")] == [stored[name] for name in ("rounds", "version")]


@pytest.mark.slow
@needs_numba
def test_gains_of_best_responses_are_measured_again() -> None:
    """A minute of a core, 2 GB."""
    stored = json.loads(data_file(solve.FIGURES).read_text(encoding="utf-8"))
    found = solve.measured()
    for part in PARTS:
        assert found["exploitability"][part] == pytest.approx(stored["exploitability"][part], abs=2e-6)
