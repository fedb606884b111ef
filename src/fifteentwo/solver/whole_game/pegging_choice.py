"""Which book of pegging suits each board: the one against which a responder gains least there.

fifteentwo solve pegging-by-score
"""

import zlib
from collections.abc import Callable, Sequence
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifteentwo.fast.deal import DEALER, PONE
from fifteentwo.solver.board.deal_counts import digests
from fifteentwo.solver.pegging.weighted_books import DEALER_WEIGHTS, Solved, solve
from fifteentwo.solver.whole_game.policy import DECIDED, Policy, discards_by_score
from fifteentwo.solver.whole_game.responder import WEIGHTS, Aim, best_pegging, ways_at
from fifteentwo.solver.whole_game.trials import deal, trial, usual_play
from fifteentwo.strategy.board import TARGET, board
from fifteentwo.strategy.files import write_tables
from fifteentwo.strategy.pegging import PeggingBook, load_pegging_book
from fifteentwo.strategy.pegging_by_score import NET, Tables, WeightedBook

Bytes = NDArray[np.uint8]

ITERATIONS, DELAY = 100, 70
TRIED = 8_000
"""Deals on which books are compared at a board."""
SEED = 11


def run(out: Path, jobs: int | None = None, progress: Callable[[str], None] = print) -> dict[str, Any]:
    """Solve the books, choose among them at every board, and write the table; about 20 core-minutes.

    Deterministic.
    """
    solved = solve(DEALER_WEIGHTS, ITERATIONS, DELAY, jobs or 2, progress)
    nowhere = np.zeros((TARGET, TARGET), np.uint8)
    ends, packed = joined(solved)
    books = [WeightedBook(Tables(nowhere, ends, packed), number + 1) for number in range(len(solved))]
    found = choose((load_pegging_book(), *books), progress)
    about = {
        "strategies": digests(),
        "weights": [one.weight for one in solved],
        "exploitability": [one.exploitability for one in solved],
        "iterations": ITERATIONS,
        "averaging_delay": DELAY,
        "tried": TRIED,
        "seed": SEED,
        "version": version("fifteentwo"),
    }
    write_tables(out, about, Tables(found, ends, packed)._asdict())
    return {"file": out.name, "bytes": out.stat().st_size, **about}


def joined(solved: Sequence[Solved]) -> tuple[NDArray[np.int64], Bytes]:
    """(ends, packed) of these books, as `Tables` has them."""
    small = [[zlib.compress(part.tobytes(), 9) for part in one.packed] for one in solved]
    sizes = [len(part) for parts in small for part in parts]
    ends = np.array([0, *accumulate(sizes)])
    each = len(small[0])
    starts = np.arange(len(small))[:, None] * each + np.arange(each + 1)
    return ends[starts], np.frombuffer(b"".join(part for parts in small for part in parts), np.uint8)


def choose(books: tuple[PeggingBook, ...], progress: Callable[[str], None]) -> Bytes:
    """(121, 121) number of the book for each board, [dealer's score, pone's]."""
    policy = discards_by_score(progress)._replace(books=books)
    best = best_pegging(books, WEIGHTS, progress)
    numbers = []
    for cell, seed in enumerate(np.random.SeedSequence(SEED).spawn(len(policy.cells))):
        gains = gains_at(policy, cell, best, np.random.default_rng(seed))
        numbers.append(int(np.argmin(gains)))
        progress(f"{policy.cells[cell]}: book {numbers[-1]}, gains {np.round(50 * gains, 2).tolist()}")
    return np.where(policy.of == DECIDED, NET, np.array(numbers, np.uint8)[policy.of]).astype(np.uint8)


def gains_at(
    policy: Policy, cell: int, best: Sequence[tuple[Any, Any]], chance: np.random.Generator
) -> NDArray[np.float64]:
    """(books,) net games that responders of both sides gain in a deal at a cell's boards, by book."""
    behind = board().game.astype(np.float64)
    dealt = deal(policy, np.full(TRIED, cell, np.int16), chance)
    gains = []
    for number, responses in enumerate(best):
        by_one = policy.with_book(number)
        usual, gain = usual_play(by_one, cell, dealt), 0.0
        for side in (PONE, DEALER):
            aim = Aim(None, ways_at(side, policy.cells[cell], responses[side], by_one.policies(cell)))
            gain += sum(trial(aim, side, dealt, usual).gains(policy.cells[cell], behind, side)[:2])
        gains.append(gain / 2)
    return np.array(gains)
