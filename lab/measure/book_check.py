"""A check of the Book's pages against `analysis.win`, on random hands.

    python -m lab book check --sample 10000

The page of a hand is compared with the win probabilities of the same hand with other suits and in another
order. For one hand in a hundred the map of all boards, which is computed by other code, is compared at some
boards.
"""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from fifteentwo.analysis.book.entry import entry, in_order, report
from fifteentwo.analysis.book.zones import zones
from fifteentwo.analysis.win.all_boards import chances
from fifteentwo.analysis.win.model import JSON_DECIMALS, TIE_MARGIN, Prospects, prospects
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.rules.cards import DECK, Card

TOLERANCE = 1e-9
"""Largest difference between two win probabilities that count as equal."""
MAX_ROUNDING = 0.5 * 10**-JSON_DECIMALS + TOLERANCE
"""Largest difference between a computed win probability and its rounded value in JSON."""
HANDS_PER_JOB = 100
"""Hands that one job checks."""
BOARDS_PER_MAP = 40
"""Boards of a map that are compared, half of them near the end."""


class CheckResult(NamedTuple):
    """The result of one job: how far the Book's pages differ from recomputed win probabilities."""

    hands: int
    discards: int
    """Discards that were compared."""
    max_difference: float
    """Largest difference between a page's win probability of a discard and the recomputed one."""
    max_rounding: float
    """Largest difference between a win probability and its rounded value in JSON."""
    max_sum_error: float
    """Largest difference from 1 of a hand's sum of action probabilities."""
    boards_checked: int
    """Boards of maps that were compared."""
    max_map_difference: float
    """Largest difference between a map's win probability of a discard and the exact one."""
    misplaced: int
    """Boards where the map's discard is worse than the best by more than `TIE_MARGIN`."""


def check_hands(seed: int, number: int, hands: int) -> CheckResult:
    """Compare the Book's pages of random hands with `analysis.win`, and the map of the first hand."""
    luck = np.random.default_rng((seed, number))
    difference = rounding = off_by = map_difference = 0.0
    boards = misplaced = 0
    for place in range(hands):
        six = tuple([DECK[card] for card in luck.choice(52, 6, replace=False)])
        dealer, board = bool(luck.integers(2)), (int(luck.integers(121)), int(luck.integers(121)))
        page_entry = entry(six, dealer=dealer, board=board)
        page = json.loads(json.dumps(report(page_entry)))
        names = luck.permutation(4)
        renamed = {card: DECK[card.index & ~3 | int(names[card.index & 3])] for card in six}
        again = [renamed[six[place]] for place in luck.permutation(6)]
        wins = (1 + Prospects(again, dealer=dealer).values(*board)) / 2
        by_discard = {
            frozenset(again[card] for card in way): win for way, win in zip(WAYS, wins.tolist(), strict=True)
        }
        for choice, option in zip(page_entry.discards, page["options"], strict=True):
            discarded = frozenset(renamed[Card(card)] for card in option["discard"])
            difference = max(difference, abs(choice.win - by_discard[discarded]))
            rounding = max(rounding, abs(choice.win - option["win"]))
        off_by = max(off_by, abs(sum(option["frequency"] for option in page["options"]) - 1))
        if not place:
            found = _check_map(six, dealer, luck)
            boards, map_difference, misplaced = BOARDS_PER_MAP, found[0], found[1]
    discards = hands * len(WAYS)
    return CheckResult(hands, discards, difference, rounding, off_by, boards, map_difference, misplaced)


def _check_map(six: tuple[Card, ...], dealer: bool, luck: np.random.Generator) -> tuple[float, int]:
    """Return a map's largest error of a win probability, and the number of boards with a worse discard."""
    six = in_order(six)
    known = prospects(six, dealer)
    wins, found = chances(known), zones(six, dealer=dealer)
    difference, misplaced = 0.0, 0
    for number in range(BOARDS_PER_MAP):
        own, other = (int(points) for points in luck.integers(95 * (number % 2), 121, 2))
        values = (1 + known.values(own, other)) / 2
        difference = max(difference, float(np.abs(wins[:, own, other] - values).max()))
        way = found.zones[found.best[own, other]].way
        misplaced += bool(values[way] < values.max() - TIE_MARGIN - TOLERANCE)
    return difference, misplaced


def run(
    sample: int, *, seed: int = 1, jobs: int | None = None, progress: Callable[[str], None] = print
) -> dict[str, Any]:
    """Check a sample of random hands, 0.08 core-seconds each; return the largest differences."""
    todo = [
        (number, (seed, number, min(HANDS_PER_JOB, sample - number * HANDS_PER_JOB)))
        for number in range(-(-sample // HANDS_PER_JOB))
    ]
    done: list[CheckResult] = []
    with get_executor(jobs) as executor:
        for _, one in run_all(executor, check_hands, todo):
            done.append(one)
            if len(done) % 10 == 0:
                progress(f"{sum(each.hands for each in done):,} of {sample:,} hands")
    difference = max(one.max_difference for one in done)
    map_difference = max(one.max_map_difference for one in done)
    rounding = max(one.max_rounding for one in done)
    misplaced = sum(one.misplaced for one in done)
    return {
        "hands": sample,
        "discards": sum(one.discards for one in done),
        "largest_difference": difference,
        "largest_rounding": rounding,
        "frequencies_from_1": max(one.max_sum_error for one in done),
        "boards_of_maps": sum(one.boards_checked for one in done),
        "largest_difference_of_maps": map_difference,
        "boards_with_a_worse_discard": misplaced,
        "seed": seed,
        "equal": max(difference, map_difference) <= TOLERANCE and rounding <= MAX_ROUNDING and not misplaced,
    }
