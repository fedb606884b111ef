"""Run every module of compiled kernels once with valid arguments, for FIFTEENTWO_NUMBA=checked.

    FIFTEENTWO_NUMBA=checked python -m tests.edges.kernels

`tests.edges.answers` also attacks the kernels of `analysis` with Views. The solver's kernels get small trees.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import fifteentwo
import lab
from fifteentwo.fast import compiled as compiling
from fifteentwo.fast.compiled import checks_bounds, compiled, make_ready

TREE = (13 * 9 + 4, 13 * 12 + 9, 13 * 4 + 10)
"""Pairs of a lead and its reply: ten and five, king and ten, five and jack."""


def shows() -> None:
    """Count some hands, and all possible hands."""
    from fifteentwo.fast import show
    from fifteentwo.fast.random_deals import random_deals

    dealt = random_deals(show.COMPILE_ROWS, 13, seed=1)
    show.points(dealt[:, :4], dealt[:, 12])
    show.points(dealt[:, :4], dealt[:, 12], crib=True)
    show.totals()


def random_games() -> None:
    """Play games of `random` and `greedy`; write some of them."""
    from fifteentwo.fast.random_games import play, record

    for players in (("random", "greedy"), ("greedy", "random")):
        play(1_000, 1, players)
        record(200, 2, players)


def deals() -> None:
    """Play deals by the book and to win, and count them for the board."""
    from fifteentwo.strategy.board import board
    from lab.board.board_ends import PLAY_STYLES, Pool, both_outcomes, plans_at
    from lab.board.deal_counts import count_deals

    count_deals(3_000, 2)
    pool = Pool.deal_and_play(1_000, np.random.SeedSequence(3))
    net = board().game.astype(np.float64)
    both, discards, plays = (PLAY_STYLES.index(way) for way in ((True, True), (True, False), (False, True)))
    for cell, ways in (
        ((0, 0), (both, plays)),
        ((120, 120), (both, both)),
        ((120, 0), (plays, both)),
        ((100, 93), (discards, both)),
    ):
        both_outcomes(cell, plans_at(cell, ways, net), net[None], np.ones((1, 121)), pool)


def plays() -> None:
    """Roll out the pegging of a deal in every variant, from every seat."""
    from fifteentwo.analysis.discards.kept_hands import kept_ratios
    from fifteentwo.rules.variants import Variant, rules_for
    from lab.measure.measuring import mean_net_pegging

    luck = random.Random(1)
    for variant in Variant:
        rules = rules_for(variant.value)
        for seat in range(rules.seats):
            for _ in range(20):
                keep = [card >> 2 for card in luck.sample(range(52), rules.kept)]
                mean_net_pegging(rules, seat, keep, kept_ratios(variant), luck, 30)


def searches() -> None:
    """Search cards of whole games to the end of the deal; roll some of them out."""
    from fifteentwo.analysis.pegging import compiled_search
    from fifteentwo.analysis.pegging.look_ahead import LookAhead
    from fifteentwo.contest.table import Table
    from fifteentwo.rules.decks import seeded
    from fifteentwo.rules.game import legal
    from fifteentwo.rules.state import Phase
    from fifteentwo.rules.variants import rules_for
    from fifteentwo.rules.view import view
    from lab.measure import card_rollouts

    assert make_ready(compiled_search.__name__) is None
    luck = random.Random(1)
    for seed in range(4):
        table = Table(rules_for("six-card", skunk=True), seeded(seed))
        while not table.over:
            state = table.state
            action = luck.choice(legal(state))
            seen = view(state, state.turn) if state.phase is Phase.PLAY else None
            if seen is not None and any(seen.count + card.value <= 31 for card in seen.hand):
                answers = LookAhead(seen)
                answers.points()
                answers.chances(games=True)
                if state.deal == 1:
                    fit = [card.index >> 2 for card in seen.hand if seen.count + card.value <= 31]
                    card_rollouts.rollout(seen, (0, 0), fit, 100, seed)
            table.submit(action.seat, action)  # type: ignore[union-attr, arg-type]


def solver_trees() -> None:
    """Solve, measure, write and read a small tree."""
    from fifteentwo.strategy.pegging import load_pegging_book
    from lab.six_card import pegging_book
    from lab.six_card.pegging import PeggingGame
    from lab.six_card.ranges import HANDS
    from lab.six_card.tree import build_tree

    even = np.ones(HANDS), np.ones(HANDS)
    trees = [build_tree(TREE, dealer_point_value) for dealer_point_value in (0, 1)]
    games = [PeggingGame(tree, 1) for tree in trees]
    for game in games:
        game.step(even)
        game.step(even)
        game.exploitability(even)
    tree, game = trees[1], games[1]
    with tempfile.TemporaryDirectory() as folder:
        pegging_book.write_book(tree, game.total, Path(folder, "book"), {})
    pegging_book.read_cells(tree, load_pegging_book())


def solver_hands() -> None:
    """Discard from some classes of six cards; value their cribs with and without own cards."""
    from fifteentwo.fast.hands import FOURS, copies, number_by_digits
    from fifteentwo.strategy.pegging_points import NEAR, SPAN
    from lab import cfr
    from lab.cfr import BEST_RESPONSE, MEASURE, UPDATE
    from lab.measure import best_response
    from lab.measure.response_kernels import new_walk
    from lab.six_card import discards, play_counts
    from lab.six_card.discard_kernels import DiscardTables, OptionValues
    from lab.six_card.play_counts_kernels import scratch
    from lab.six_card.ranges import HANDS
    from lab.six_card.six_cards import six_cards

    six = six_cards()
    rows, kernels = len(six.ranks), compiled("lab.six_card.discard_kernels")
    mean, value = np.zeros((rows, 15)), np.zeros(rows)
    values = OptionValues(
        np.zeros((rows, 15), np.float32), np.zeros(HANDS, np.float32), np.zeros_like(six.flush), np.float32(1)
    )
    learnt = DiscardTables(*np.zeros((2, six.suit_classes, 15), np.float32))
    for mode in (UPDATE, MEASURE, BEST_RESPONSE):
        for first in (0, rows // 2, rows - 16):
            settings = cfr.traversal_settings(mode, cfr.Discounts(1, 0.5, 1))
            kernels.discard_pass(first, first + 16, six, values, settings, learnt, mean, value)
    density, cribs = np.ones(91, np.float32), discards.crib_points()
    every = np.ones((rows, 15))
    shares = discards.pair_policy(every, six)
    for first in (0, rows - 2):
        kernels.mean_cribs(first, first + 2, six, density, cribs, np.zeros((rows, 15), np.float32))
        kernels.exact_pairs(first, first + 1, six.copies, shares, np.zeros((1, 91, 14), np.float32))
    keeps = best_response.keep_policy(every, six)
    kernels.exact_keeps(4 - six.copies[7], six.copies, keeps, np.zeros(HANDS))
    kernels.kept_together(six.copies[:20], six.deals(), keeps, keeps, np.zeros((HANDS, HANDS)))
    book, chances = (*_book(), number_by_digits(3), number_by_digits(2)), np.zeros(HANDS)
    chances[[700, 1200]] = 0.5
    respond = compiled("lab.measure.response_kernels").hand_values
    for side in (0, 1):
        respond(side, FOURS[900], chances, book, new_walk(), np.zeros(2))
    counts = tuple(np.zeros(shape) for shape in ((2, HANDS, NEAR, NEAR), (9, SPAN, SPAN), (9, NEAR, NEAR)))
    found = tuple(np.zeros(play_counts.MAX_PLAYS, kind) for kind in (np.int16, np.int16, np.float32))
    for pone in (0, 700, HANDS - 1):
        impossible = (copies(4)[pone] + copies(4) > 4).any(axis=1)
        weights = np.where(impossible, -1.0, np.ones((3, HANDS)))
        compiled(play_counts.KERNELS).count(pone, FOURS, weights, book, scratch(), counts, found)


def _book() -> Any:
    from fifteentwo.strategy.pegging import book_arrays, load_pegging_book

    return book_arrays(load_pegging_book())


DRIVES: tuple[Callable[[], None], ...] = (
    shows,
    random_games,
    deals,
    plays,
    searches,
    solver_trees,
    solver_hands,
)


def kernel_modules() -> set[str]:
    """Return every module with kernels to compile."""
    return {
        ".".join(path.relative_to(root.parent).with_suffix("").parts)
        for root in (Path(fifteentwo.__file__).parent, Path(lab.__file__).parent)
        for path in root.rglob("*.py")
        if any(mark in path.read_text("utf-8") for mark in ("\n@kernel", "\n@borrowing"))
    }


def main() -> int:
    """Call every kernel with valid arguments.

    Return 1 if an index is out of range, a module was not called, or indices are not checked.
    """
    wrong, driven, plain = 0, set(), compiling._compiled

    def noted(name: str) -> Any:
        driven.add(name)
        return plain(name)

    compiling._compiled = noted  # type: ignore[assignment]
    for drive in DRIVES:
        began = time.process_time()
        try:
            drive()
            outcome = "nothing wrong"
        except IndexError as error:
            outcome = f"IndexError: {error}"
            wrong += 1
        print(f"kernels of {drive.__name__}: {outcome}, {time.process_time() - began:.0f} s", flush=True)
    if left := kernel_modules() - driven:
        print(f"never driven: {', '.join(sorted(left))}")
    if not checks_bounds():
        print("bounds are not looked at: FIFTEENTWO_NUMBA is not checked")
    return 1 if wrong or left or not checks_bounds() else 0


if __name__ == "__main__":
    sys.exit(main())
