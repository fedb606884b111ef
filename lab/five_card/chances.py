"""The tables behind five-card win probabilities: board values to 61, kept hands and their points.

    python -m lab solve five-card-chances --out FOLDER

Deals are played by the shipped table, an equal number with each rank of the starter; an induction over them
gives the board values. The points that a kept hand pegs are counted from other deals, in which one side keeps
every hand equally often. The means of each type are exact.
"""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.five_card import fitting
from fifteentwo.fast.hands import TRIPLES, copies
from fifteentwo.fast.layout import VALUES, Cards
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.fast.show import rank_points
from fifteentwo.fast.suits import ClassIndex
from fifteentwo.strategy.board import FIVE_CARD_NAME, pays
from fifteentwo.strategy.discards import class_index
from fifteentwo.strategy.files import data_file, read_tables
from fifteentwo.strategy.five_card import FILE, TYPES, unpacked
from fifteentwo.strategy.pegging_points import FIVE_CARD_FILE, MEANS, NEAR, SPAN, SUM
from lab.board.board import add_errors, monotonic
from lab.board.deal import Tally, empty_tally
from lab.board.deal_counts import add_tallies, summarise
from lab.board.deal_kernels import MAX_EVENTS
from lab.board.induction import induct
from lab.cfr import BRANCH_COUNT, DEALER, MEASURE, PONE, Cells, Doubles, Floats, Ints, Say
from lab.files import write_tables
from lab.five_card import tables
from lab.five_card.deals import five_cards
from lab.five_card.discards import Discards, action_probabilities, fractions
from lab.five_card.joint import mean_points_by_type
from lab.five_card.pegging import FiveCardPegging, branch_cells, empty_cells, payoffs, weights
from lab.five_card.play_kernels import Strategies
from lab.five_card.types import DISCARDED, KEPT
from lab.five_card.walk_kernels import Payoffs, count_cells
from lab.six_card.play_counts import (
    CELLS,
    CLASSES,
    ROLES,
    UNUSED_DISCARD_PROBABILITY,
    Arrays,
    DiscardPolicy,
    discard_arrays,
    flush_rates,
    hand_classes,
    merge_equal_keeps,
    reached_first,
    round_to_steps,
)

KERNELS = "lab.five_card.play_kernels"
SAMPLE_SETS = 40
"""Number of sets of deals; the spread of their board values gives the standard errors."""
BATCH_DEALS = 20_000
"""Deals played by one call of the kernels."""
SMOOTHING_DEALS = 50.0
"""Deals, averaged over all classes, that are added to the counts of each class of opponent's hand."""
FIRST_SCORES = 0, 3
"""Scores of the dealer and of the pone at the start of a five-card game (R100)."""


class Job(NamedTuple):
    """Numbers of deals and the seed of a computation; equal jobs give equal tables."""

    deals: int = 20_000_000
    """Deals played for the board values."""
    pegged: int = 13_000_000
    """Deals played for each side's pegging points."""
    seed: int = 5


SHIPPED_JOB = Job()
"""The job that made the shipped tables."""


@cache
def third_cells() -> Ints:
    """Return (2197,) the first cell of the dealer's decision, by lead, reply and the pone's second rank."""
    cells = []
    for branch in range(BRANCH_COUNT):
        at = branch_cells()[branch] + count_cells(13)
        count = int(VALUES[branch // 13] + VALUES[branch % 13])
        for second in range(13):
            cells.append(at)
            at += count_cells(fitting(count + int(VALUES[second])))
    return np.array(cells)


class Solution:
    """The strategies of a five-card table, by default of the shipped table."""

    def __init__(self, path: Path | None = None) -> None:
        """Read a table, by default the shipped one."""
        read = read_tables(path or data_file(FILE))
        self.digest: str = read.about["digest"]
        self.index = class_index(read.arrays)
        self.discards = tables.discards(read.arrays)
        self._blocks = [unpacked(read.arrays, number) for number in range(TYPES)]
        self._chances = [np.cumsum(action_probabilities(each.total), axis=1) for each in self.discards]

    def cells(self, starter: int) -> Cells:
        """Return the pegging strategies of both sides with this starter's rank, 0–12; 0.1 GB."""
        return tables.cells(self._blocks, starter)

    def strategies(self, cells: Cells) -> Strategies:
        """Return both sides' discards and these pegging strategies in the form that kernels read."""
        pone, dealer = self._chances
        return strategies(self.index, (pone, dealer), cells)

    def ranges(self) -> tuple[Floats, Floats]:
        """Return (455, 91) weights of the pone's and of the dealer's kept and discarded ranks."""
        pone, dealer = (weights(fractions(each.average())) for each in self.discards)
        return pone, dealer


def strategies(index: ClassIndex, summed: tuple[Floats, Floats], cells: Cells) -> Strategies:
    """Return strategies for the kernels. summed: each role's cumulative probabilities of options."""
    starts = np.array(branch_cells()[:-1])
    return Strategies(index, *summed, cells.lead, cells.reply, cells.rest, starts, third_cells())


def play_deals(
    dealt: Cards,
    options: npt.NDArray[np.int8],
    strategies: Strategies,
    chance: np.random.Generator,
    draws: Doubles | None = None,
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int32]]:
    """Play deals; return events (n, MAX_EVENTS), as in `lab.board.deal_kernels`, and types (n, 2).

    dealt: (n, 11) pone's five cards, dealer's five, starter. options: (n, 2) places discarded of the
    ascending five cards, first * 5 + second, or -1 to use the strategies. draws: (n, 6) random numbers
    that replace `chance`.
    """
    events, types = np.zeros((len(dealt), MAX_EVENTS), np.int16), np.zeros((len(dealt), 2), np.int32)
    draws = chance.random((len(dealt), 6)) if draws is None else draws
    shows = rank_points(4), rank_points(5)
    compiled(KERNELS).play_deals(dealt, options, draws, strategies, shows, events, types)
    return events, types


def deals_with_starter(number: int, starter: int, chance: np.random.Generator) -> Cards:
    """Return `number` random deals, (n, 11) cards, whose last card is a starter of this rank."""
    dealt = random_deals(number, 11, chance)
    rank, turned = dealt >> 2, dealt[:, -1:] >> 2
    swapped = np.where(rank == turned, starter, np.where(rank == starter, turned, rank))
    changed: Cards = (4 * swapped + (dealt & 3)).astype(np.uint8)
    return changed


def count_board(
    strategies: Strategies, starter: int, deals: int, tallies: list[Tally], chance: np.random.Generator
) -> None:
    """Play this number of deals with a starter for each tally, and add their points to it."""
    for tally in tallies:
        for first in range(0, deals, BATCH_DEALS):
            dealt = deals_with_starter(min(BATCH_DEALS, deals - first), starter, chance)
            events, _ = play_deals(dealt, np.full((len(dealt), 2), -1, np.int8), strategies, chance)
            compiled("lab.board.deal_kernels").count_events(events, tally)


class PeggedPoints(NamedTuple):
    """Counts of the points that both sides peg, by a role's kept hand; see `strategy.pegging_points`."""

    joint: Doubles
    """(455, CLASSES, SPAN, SPAN) weight of deals: by kept hand, opponent's class, both sides' points."""
    first: Doubles
    """(455, NEAR, NEAR) [x - 1, y - 1]: weight of deals in which the role pegs x before the other y."""

    @classmethod
    def zeros(cls) -> "PeggedPoints":
        return cls(np.zeros((KEPT, CLASSES, SPAN, SPAN)), np.zeros((KEPT, NEAR, NEAR)))


def count_pegging(
    strategies: Strategies,
    starter: int,
    deals: int,
    side: int,
    often: Doubles,
    pegged: PeggedPoints,
    chance: np.random.Generator,
) -> None:
    """Play this number of deals with one starter, and add the points of pegging to `pegged`.

    The side's kept hands are drawn uniformly. often: (455, 91) the weight of each type: the fraction of the
    deals with its five ranks in which the strategy keeps and discards them this way.
    """
    kernels, held = compiled(KERNELS), copies(3)
    for first in range(0, deals, BATCH_DEALS):
        number = min(BATCH_DEALS, deals - first)
        hands = chance.integers(0, KEPT, number)
        ranks = TRIPLES[hands]
        # Pegging ignores suits: kept cards of a rank have the first suits, the starter the last suit.
        kept = 4 * ranks + (ranks[:, :, None] == ranks[:, None, :]).cumsum(axis=2).diagonal(0, 1, 2) - 1
        turned = np.full(number, 4 * starter + 3)
        around = np.zeros((number, 10), np.uint8)
        kernels.deal_remaining_cards(kept, turned, chance.random((number, 7)), around)
        five = np.sort(around[:, :5], axis=1)
        gone = [(five == around[:, at : at + 1]).argmax(axis=1) for at in (3, 4)]
        options = np.full((number, 2), -1, np.int8)
        options[:, side] = np.minimum(*gone) * 5 + np.maximum(*gone)
        cards = [five, around[:, 5:]]
        dealt = np.column_stack([*(cards if side == PONE else cards[::-1]), turned]).astype(np.uint8)
        events, types = play_deals(dealt, options, strategies, chance)
        own = types[:, side]
        weight = (often.ravel()[own] + UNUSED_DISCARD_PROBABILITY) * (4 - held[hands, starter])
        kernels.count_pegging(events, types, side, weight, hand_classes(3), tuple(pegged))


def exact_means(cells: Cells, starter: int, ranges: tuple[Floats, Floats]) -> list[list[Doubles]]:
    """Return (455, 91) counterfactual points by [role][0: the role's points, 1: the other side's points]."""
    game = FiveCardPegging(starter, threads=1)

    def pegged(side: int, who: int) -> Doubles:
        game.points = side_payoffs(who)
        return game.traverse(side, MEASURE, ranges, cells)

    by_side = [[pegged(side, who) for who in (side, 1 - side)] for side in (PONE, DEALER)]
    # The walk treats payoffs as the pone's, and negates them for the dealer.
    return [by_side[PONE], [-values for values in by_side[DEALER]]]


@cache
def side_payoffs(side: int) -> Payoffs:
    """Return the points of one side, instead of net points, for every end of the pegging."""
    made = Payoffs(*(np.zeros_like(part) for part in payoffs()))
    compiled(KERNELS).fill_points(made, side)
    return made


def discard_policy(discards: Discards) -> DiscardPolicy:
    """Return how often a role makes each discard and keeps a flush, summed over suits."""
    five = five_cards()
    kept_of = five.type_of // DISCARDED
    mass = action_probabilities(discards.total).astype(np.float64) * five.weight[:, None]
    flush = flush_rates(mass, kept_of[five.class_of], five.has_flush)
    return DiscardPolicy(merge_equal_keeps(discards.average(), kept_of), flush)


def pegging_arrays(role: str, pegged: PeggedPoints, deals: int, means: list[Doubles]) -> Arrays:
    """Return a role's arrays of the table of pegging points; deals: number of deals counted."""
    joint = pegged.joint.reshape(KEPT, CLASSES, CELLS)
    weight = joint.sum(axis=(1, 2))
    joint = joint / weight[:, None, None]
    usual = joint.sum(axis=1)
    # A rare class has about the probabilities of all classes together.
    chances = (joint * (deals / KEPT) + SMOOTHING_DEALS * usual[:, None]).reshape(-1, CELLS)
    chances /= chances.sum(axis=1, keepdims=True)
    first = reached_first(pegged.first / weight[:, None, None], usual.reshape(KEPT, SPAN, SPAN))
    return {
        f"{role}_joint": round_to_steps(chances, SUM).astype(np.uint16).reshape(KEPT, CLASSES, SPAN, SPAN),
        f"{role}_first": np.floor(255 * first + 0.5).astype(np.uint8),
        f"{role}_means": np.floor(MEANS * np.stack(means, axis=-1) + 0.5)
        .astype(np.uint16)
        .reshape(KEPT, DISCARDED, 2),
    }


def board_arrays(tallies: list[Tally]) -> tuple[dict[str, Any], Arrays]:
    """Return the summary and the arrays of the board values, by induction over the tallies of deals."""
    paid = np.stack([pays("five-card", games) for games in (False, True)])
    net = monotonic(induct([add_tallies(tallies)], paid)[0])
    error = induct(tallies, paid).std(axis=0, ddof=1) / np.sqrt(len(tallies))
    figures, arrays = add_errors(("game", "skunk"), net, error, FIRST_SCORES)
    return {**summarise(tallies, "five-card", FIRST_SCORES), **figures}, arrays


def run(out: Path, job: Job = SHIPPED_JOB, progress: Say = print) -> dict[str, Any]:
    """Play the deals (10 µs each, 0.7 GB) and write both tables to a folder; return the board's summary."""
    found = Solution()
    ranges = found.ranges()
    often = [fractions(each.average()) for each in found.discards]
    tallies = [empty_tally() for _ in range(SAMPLE_SETS)]
    pegged = PeggedPoints.zeros(), PeggedPoints.zeros()
    values: list[list[list[Doubles]]] = []
    for starter in range(13):
        chance = np.random.default_rng([job.seed, starter])
        cells = found.cells(starter)
        strategies = found.strategies(cells)
        count_board(strategies, starter, job.deals // SAMPLE_SETS // 13, tallies, chance)
        for side in (PONE, DEALER):
            count_pegging(strategies, starter, job.pegged // 13, side, often[side], pegged[side], chance)
        values.append(exact_means(cells, starter, ranges))
        progress(f"{starter + 1} of 13 starters")
    about = {"made_by": "lab.five_card.chances.run", **job._asdict(), "strategies": {FILE: found.digest}}
    summary, board = board_arrays(tallies)
    write_tables(out / FIVE_CARD_NAME, {**about, "summary": summary}, board)
    arrays: Arrays = {"classes": hand_classes(3).astype(np.uint8)}
    for side, role in enumerate(ROLES):
        means = [mean_points_by_type([one[side][whose] for one in values], range(13)) for whose in (0, 1)]
        arrays |= pegging_arrays(role, pegged[side], job.pegged, means)
        arrays |= discard_arrays(role, discard_policy(found.discards[side]))
    write_tables(out / FIVE_CARD_FILE, about, arrays)
    sizes = {name: (out / name).stat().st_size for name in (FIVE_CARD_NAME, FIVE_CARD_FILE)}
    return {**summary, "bytes": sizes}


def prepare() -> None:
    """Compile the kernels of this module, or load them from the cache."""
    nothing = np.zeros((KEPT, CLASSES, SPAN, SPAN)), np.zeros((KEPT, NEAR, NEAR))
    kernels, cells = compiled(KERNELS), empty_cells()
    flat, nowhere = np.zeros((1, 10), np.float32), np.zeros(1, np.int64)
    none = strategies(ClassIndex(nowhere, nowhere, nowhere, nowhere), (flat, flat), cells)
    options = np.zeros((0, 2), np.int8)
    events, types = play_deals(np.zeros((0, 11), np.uint8), options, none, np.random.default_rng(0))
    kernels.count_pegging(events, types, PONE, np.zeros(0), hand_classes(3), nothing)
    around = np.zeros((0, 10), np.uint8)
    kernels.deal_remaining_cards(np.zeros((0, 3), np.int64), np.zeros(0, np.int64), np.zeros((0, 7)), around)
    side_payoffs(PONE)
