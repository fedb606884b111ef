"""The end of five-card games, where both sides discard to win, as `master` does.

    python -m lab solve five-card-chances --out FOLDER

At each board where both sides need at most `FIVE_CARD_NEEDS` points, from the game hole backwards, the same
cards are played twice: with the table's discards, and with discards for the win probability. The difference
is added to the board value of play for points. Pegging follows the table. `analysis.win` assumes that the
other side discards for points; therefore the log-odds of its win probabilities are changed by a constant for
each role and needs, so that the mean of the best discards over all hands is the board value.
"""

import time
from pathlib import Path
from typing import Any

import numpy as np

from fifteentwo.analysis.win.model import TIE_MARGIN, value_after
from fifteentwo.analysis.win.near_end import FIVE_CARD_NEEDS, shift_log_odds
from fifteentwo.fast.compiled import compiled
from fifteentwo.strategy.board import FIVE_CARD_NAME, TARGET
from fifteentwo.strategy.files import read_tables
from fifteentwo.strategy.five_card import ROLES
from lab.board.board import monotonic
from lab.board.deal import empty_tally
from lab.board.induction import Cell, DealProbabilities, diagonals
from lab.board.near_end import solve_increasing
from lab.cfr import DEALER, PONE, Doubles, Floats, Say
from lab.files import write_tables
from lab.five_card.chances import Solution, count_board, deals_with_starter, play_deals
from lab.five_card.deals import five_cards
from lab.five_card.discards import action_probabilities
from lab.five_card.play_kernels import Strategies
from lab.five_card.win_discards import option_values

FIVE_CARD_TARGET = 61
"""Points that win a five-card game."""
SCORE_OFFSET = TARGET - FIVE_CARD_TARGET
"""Points added to five-card scores, because the kernels score games to 121."""
DEALS = 1_000
"""Deals at each board (pair of scores), with each rank of the starter."""
TABLE_DEALS = 40_000
"""Deals in which both sides discard by the table, with each rank of the starter."""
SEED = 9
"""Seed of the random deals."""
BINS = 500
"""Bins of the histogram of win probabilities over all hands."""


class ReplayedDeals:
    """Random deals with each starter, played by the table's discards and again by other discards."""

    def __init__(self, progress: Say) -> None:
        """Play the deals with the table's discards; 13 progress lines."""
        self.solution = Solution()
        self.tally = empty_tally()
        self.starters = []
        options = np.full((DEALS, 2), -1, np.int8)
        for starter in range(13):
            chance = np.random.default_rng([SEED, starter])
            strategies = self.solution.strategies(self.solution.cells(starter))
            count_board(strategies, starter, TABLE_DEALS, [self.tally], chance)
            dealt, draws = deals_with_starter(DEALS, starter, chance), chance.random((DEALS, 6))
            self.starters.append(
                (strategies, dealt, draws, play_deals(dealt, options, strategies, chance, draws)[0])
            )
            progress(f"deals with {starter + 1} of 13 starters")

    def net_gain(self, cell: Cell, net: Doubles, chances: tuple[Floats, Floats]) -> float:
        """Return by how much the dealer's value rises if both sides discard to win, -1 to 1.

        cell: the scores of dealer and pone. net: values after the deal. chances: cumulative probabilities of
        the options of pone and dealer.
        """
        whole, paid = np.zeros((1, TARGET, TARGET)), np.ones((1, TARGET))
        whole[0, SCORE_OFFSET:, SCORE_OFFSET:] = net
        made, total = np.zeros((DEALS, 1)), 0.0
        options = np.full((DEALS, 2), -1, np.int8)
        outcomes = compiled("lab.board.deal_kernels").outcomes
        for strategies, dealt, draws, usual in self.starters:
            own: Strategies = strategies._replace(
                pone_discards=chances[PONE], dealer_discards=chances[DEALER]
            )
            events = play_deals(dealt, options, own, np.random.default_rng(0), draws)[0]
            for each, sign in ((events, 1), (usual, -1)):
                outcomes(each, cell[0] + SCORE_OFFSET, cell[1] + SCORE_OFFSET, whole, paid, made)
                total += sign * float(made.sum())
        return total / (13 * DEALS)


def discards_to_win(table: Floats, values: Floats) -> Floats:
    """Return (n, 10) cumulative probabilities of the best options; `table` decides between equal `values`."""
    best = values.max(axis=1, keepdims=True)
    # Values are twice as far apart as win probabilities.
    chances = np.where(values >= best - 2 * TIE_MARGIN, table, 0)
    chances[np.arange(len(values)), values.argmax(axis=1)] += 1 - chances.sum(axis=1)
    return np.cumsum(chances, axis=1, dtype=np.float32)


def log_odds_shift(chances: Doubles, weight: Doubles, mean: float) -> float:
    """Return the number to add to the log-odds of `chances` so that their weighted mean becomes `mean`."""
    return solve_increasing(lambda by: float(shift_log_odds(chances, np.array(by)) @ weight), mean, 8.0)


def run(folder: Path, progress: Say = print) -> dict[str, Any]:
    """Recompute a folder's board values with discards to win near the end; one core-minute, 2 GB."""
    began = time.process_time()
    pool = ReplayedDeals(progress)
    tables = [action_probabilities(each.total) for each in pool.solution.discards]
    weight = five_cards().weight.astype(np.float64)
    weight /= weight.sum()
    deals, paid = DealProbabilities([pool.tally]), np.ones((1, FIVE_CARD_TARGET))
    net, plain = (
        np.zeros((1, 1, FIVE_CARD_TARGET, FIVE_CARD_TARGET)),
        np.zeros((1, 1, FIVE_CARD_TARGET, FIVE_CARD_TARGET)),
    )
    moves = np.zeros((2, FIVE_CARD_NEEDS, FIVE_CARD_NEEDS))
    for cells in diagonals(FIVE_CARD_TARGET):
        for cell in cells:
            plain[0, 0][cell] = deals.value(cell, plain, paid)[0, 0]
            net[0, 0][cell] = deals.value(cell, net, paid)[0, 0]
            if min(cell) < FIVE_CARD_TARGET - FIVE_CARD_NEEDS:
                continue
            values = []
            for role in (PONE, DEALER):
                over = value_after(net[0, 0], paid[0], dealt=role == DEALER)
                board = cell if role == DEALER else cell[::-1]
                values.append(option_values(board, over, dealer=role == DEALER))
            pone, dealer = (discards_to_win(*both) for both in zip(tables, values, strict=True))
            net[0, 0][cell] += pool.net_gain(cell, net[0, 0], (pone, dealer))
            for role, sign in ((PONE, -1), (DEALER, 1)):
                own, other = cell if role == DEALER else cell[::-1]
                mean = (1 + sign * net[0, 0][cell]) / 2
                best = np.clip((1 + values[role].max(axis=1)) / 2, 0, 1)
                often, edges = np.histogram(best, BINS, (0, 1), weights=weight)
                middles = (edges[1:] + edges[:-1]) / 2
                moves[role, FIVE_CARD_TARGET - 1 - own, FIVE_CARD_TARGET - 1 - other] = log_odds_shift(
                    middles, often, mean
                )
        progress(f"boards of {sum(cells[0])} points together")
    return _write_changed_board(
        folder / FIVE_CARD_NAME, (net - plain)[0, 0], moves, round(time.process_time() - began)
    )


def _write_changed_board(path: Path, change: Doubles, moves: Doubles, core_seconds: int) -> dict[str, Any]:
    stored = read_tables(path)
    arrays = {name: array.copy() for name, array in stored.arrays.items()}
    before = arrays["game"]
    to_win = monotonic(np.stack([before, arrays["skunk"]]) + change).astype(np.float32)
    arrays |= {"game_by_points": before, "game": to_win[0], "skunk": to_win[1]}
    arrays |= {f"{role}_moves": moves[at].astype(np.float32) for at, role in enumerate(ROLES)}
    figures = {
        "largest_change": float(np.abs(change).max() / 2),
        "deals_a_board": 13 * DEALS,
        "seed": SEED,
        "core_seconds": core_seconds,
    }
    about = {name: value for name, value in stored.about.items() if name not in ("digest", "arrays")}
    write_tables(path, {**about, "near_end": figures}, arrays)
    return figures
