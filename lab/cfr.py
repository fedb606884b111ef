"""Discounted regret minimisation for two sides: the core of both solved games.

The algorithm is discounted CFR (N. Brown and T. Sandholm, "Solving Imperfect-Information Games via Discounted
Regret Minimization", AAAI 2019, arXiv:1809.04040) with alpha 1.5, beta 0 and gamma 2. Each information set
plays by regret matching. At iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1), negative
ones by a half, and sums of strategies by ((t - 1) / t)^gamma. The two sides are updated in turn. All hands of
a side walk the public tree together as one vector (M. Johanson and others, "Accelerating Best Response
Calculation in Large Extensive Games", IJCAI 2011), so an iteration, a best response and a measurement are one
walk a side each.

`Pegging` is the pegging phase of a game and `Discards` one side's discard. `Joint` solves them together: the
hands that the discards keep are the ranges of the pegging, and the points that a hand pegs are part of the
value of a discard. `six_card` and `five_card` give the trees, the hands and the kernels.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from lab.files import whole_file

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Reals = npt.NDArray[Any]
"""Arrays of float32 in five-card and of float64 in six-card cribbage."""
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Arrays = Mapping[str, Any]
Say = Callable[[str], None]
"""A function that prints a progress line."""

PONE, DEALER = 0, 1
ROLES = ("pone", "dealer")
SIDES = (PONE, DEALER)
BRANCH_COUNT = 169
"""Number of branches of the pegging tree: branch 13 · lead + reply, with ranks 0–12."""
UPDATE, BEST_RESPONSE, MEASURE = 0, 1, 2
"""Modes of a traversal: update regrets, or value best responses, or value the given strategies."""
ALPHA = 1.5
"""Exponent of the discount of positive regrets: t^ALPHA / (t^ALPHA + 1) in iteration t."""
PARTS = ("pegging", "discard", "deal")
"""What a measured best response may change: its pegging, its discards, or both ("deal")."""


class Discounts(NamedTuple):
    """Factors by which regrets and strategy sums are multiplied in one iteration."""

    positive_regret: float = 1.0
    negative_regret: float = 1.0
    strategy_sum: float = 1.0


NO_DISCOUNTS = Discounts()


def discounts(iteration: int, averaging_delay: int = 0, real: Callable[[float], Any] = float) -> Discounts:
    """Return the discounts of an iteration.

    Args:
        iteration: The number of the iteration, from 1.
        averaging_delay: Number of first iterations that the average strategies leave out. Six-card discards
            pass -1: their sums are multiplied by (t / (t + 1))² in iteration t.
        real: The type in which the factor of the sums is squared: float32 for five-card discards.
    """
    t = float(max(iteration, 1))
    u = t - averaging_delay - 1
    return Discounts(t**ALPHA / (t**ALPHA + 1), 0.5, float(real(u / (u + 1)) ** 2))


def update(regret: Floats, total: Floats, gain: Reals, reach: Reals, factors: Discounts) -> None:
    """Discount `regret` and the strategy sums `total` in place, then add `gain` and `reach` to them."""
    regret *= np.where(regret > 0, np.float32(factors.positive_regret), np.float32(factors.negative_regret))
    regret += gain.astype(np.float32)
    total *= np.float32(factors.strategy_sum)
    total += reach.astype(np.float32)


class TraversalSettings(NamedTuple):
    """What a kernel does in one traversal of a pegging tree or of all discards."""

    mode: int
    """UPDATE, BEST_RESPONSE or MEASURE."""
    positive_discount: np.float32
    """Factor by which positive regrets are multiplied."""
    negative_discount: np.float32
    """Factor by which negative regrets are multiplied."""
    sum_discount: np.float32
    """Factor by which strategy sums are multiplied."""
    side: int
    """The side whose values and regrets are computed: PONE or DEALER."""
    dealer_point_value: np.float32
    """1 to compute net points; 0 to ignore the dealer's points."""


def traversal_settings(
    mode: int, factors: Discounts, side: int = PONE, dealer_point_value: int = 1
) -> TraversalSettings:
    """Return the settings of a traversal with these discounts, converted to float32 for the kernels."""
    up, down, sums = (np.float32(factor) for factor in factors)
    return TraversalSettings(mode, up, down, sums, side, np.float32(dealer_point_value))


class RegretTables(NamedTuple):
    """The arrays of cells after the lead and the reply that a pegging kernel reads and updates."""

    source: Floats
    """Cells from which strategies are read, for example those of `regret` or `total`."""
    regret: Floats
    """Cumulative regret of each card in each information set."""
    total: Floats
    """Discounted sum of past strategies, for each card in each information set."""


class Hands(NamedTuple):
    """The different hands of a side in pegging, and what remains of each after its first card."""

    hand_of: Ints
    """(13, remaining) the number of the hand that consists of this rank and these remaining cards."""
    hand_count: int
    """Number of different hands."""
    rank_count: Reals
    """(13, remaining, …) number of different ranks in the hand of `hand_of`, in the dtype of strategies."""

    def sum_over_ranks(self, values: Reals) -> Reals:
        """Return (hands, …): the sum of (13, remaining, …) over the first rank that a hand plays."""
        total = np.zeros((self.hand_count, *values.shape[2:]), values.dtype)
        for rank in range(13):
            total[self.hand_of[rank]] += values[rank]
        return total

    def max_over_ranks(self, values: Reals) -> Reals:
        """Return (hands, …): the maximum of (13, remaining, …) over the first rank that a hand plays."""
        best = np.full((self.hand_count, *values.shape[2:]), -np.inf, values.dtype)
        for rank in range(13):
            before = self.hand_of[rank]
            best[before] = np.maximum(best[before], values[rank])
        return best

    def action_probabilities(self, cells: Floats) -> Reals:
        """Return (13, remaining, …) probabilities of the first card, from regrets or strategy sums."""
        positive = np.maximum(cells, 0).astype(self.rank_count.dtype)
        total = self.sum_over_ranks(positive)[self.hand_of]
        return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / self.rank_count)


@dataclass
class Cells:
    """A number for each information set and card of one pegging game: a regret, or a strategy sum."""

    lead: Floats
    """(13, remaining, …) numbers for the pone's first card: by the rank led and the cards that remain."""
    reply: Floats
    """(13, 13, remaining, …) numbers for the dealer's first card: by lead, reply and cards that remain."""
    rest: Floats
    """(cells,) numbers for all cards after the reply, in the order in which traversals visit the nodes."""

    @classmethod
    def zeros(cls, shape: tuple[int, ...], cells: int) -> "Cells":
        """Return zeros. shape: of arrays over the cards that remain; cells: number after the reply."""
        sizes = (13, *shape), (13, 13, *shape), (cells,)
        return cls(*(np.zeros(size, np.float32) for size in sizes))


class Traversal(NamedTuple):
    """The input of a traversal of the pegging tree after every lead and reply."""

    side: int
    """The side whose values are computed: PONE or DEALER."""
    mode: int
    """UPDATE, BEST_RESPONSE or MEASURE."""
    factors: Discounts
    """Discounts of regrets and strategy sums in mode UPDATE."""
    pone: Reals
    """(13, remaining, …) the pone's reach probabilities after each lead."""
    dealer: Sequence[Reals]
    """13 arrays, one for each lead: (13, remaining, …) the dealer's reach probabilities after each reply."""
    source: Cells
    """Regrets or strategy sums from which strategies are read."""
    branches: Iterable[int]
    """The branches to traverse: 13 · lead + reply."""


class Pegging(ABC):
    """The pegging phase as a game: regrets and strategy sums of both sides. Values are net points."""

    hands: ClassVar[Hands]
    """The different hands of a side."""
    remaining_shape: ClassVar[tuple[int, ...]]
    """Shape of arrays over the cards that remain after a side's first card."""

    def __init__(self, cells: int, branches: Iterable[int] = range(BRANCH_COUNT)) -> None:
        """Start with zeros. cells: number of cells after the reply. branches: 13 · lead + reply."""
        self.regret = Cells.zeros(self.remaining_shape, cells)
        self.total = Cells.zeros(self.remaining_shape, cells)
        self.iteration = 0
        self.averaging_delay = 0
        """Number of first iterations that averages leave out; set it to `iteration` to restart averaging."""
        self.branches = branches

    @abstractmethod
    def values_after_reply(self, traversal: Traversal) -> Reals:
        """Return (13, 13, remaining, …) values of a side. Mode UPDATE also updates later cells."""

    def total_weight(self, _: tuple[Reals, Reals]) -> float:
        """Return the sum of the weights of all pairs of hands; values are divided by it."""
        return 1.0

    def traverse(
        self,
        side: int,
        mode: int,
        ranges: tuple[Reals, Reals],
        source: Cells,
        factors: Discounts = NO_DISCOUNTS,
        branches: Iterable[int] | None = None,
    ) -> Doubles:
        """Return (hands, …) counterfactual values of a side's hands. Mode UPDATE also updates its cells.

        Args:
            side: PONE or DEALER.
            mode: UPDATE, BEST_RESPONSE or MEASURE.
            ranges: Weights of the pone's and the dealer's hands.
            source: Regrets or strategy sums from which both sides' strategies are read.
            factors: Discounts of mode UPDATE.
            branches: Branches to traverse, 13 · lead + reply; other leads and replies get wrong values.
        """
        before = self.hands.hand_of
        lead = self.hands.action_probabilities(source.lead)
        replies = [self.hands.action_probabilities(cells) for cells in source.reply]
        pone = ranges[PONE][before] * lead
        dealer = [ranges[DEALER][before] * reply for reply in replies]
        walked = self.branches if branches is None else branches
        below = self.values_after_reply(Traversal(side, mode, factors, pone, dealer, source, walked))

        def first_card(
            values: Doubles, strategy: Reals, reach: Reals, regret: Floats, total: Floats
        ) -> Doubles:
            if mode == BEST_RESPONSE:
                return self.hands.max_over_ranks(values)
            expected = self.hands.sum_over_ranks(strategy * values)
            if mode == UPDATE:
                update(regret, total, values - expected[before], reach, factors)
            return expected

        if side == PONE:
            values = below.sum(axis=1, dtype=np.float64)
            return first_card(values, lead, pone, self.regret.lead, self.total.lead)
        cells = zip(below, replies, dealer, self.regret.reply, self.total.reply, strict=True)
        after_each = [first_card(values.astype(np.float64), *rest) for values, *rest in cells]
        return np.asarray(sum(after_each[1:], start=after_each[0]))

    def step(self, ranges: tuple[Reals, Reals]) -> list[Doubles]:
        """Run one iteration. Return the counterfactual values of the pone's and the dealer's hands in it."""
        self.iteration += 1
        factors = discounts(self.iteration, self.averaging_delay)
        return [self.traverse(side, UPDATE, ranges, self.regret, factors) for side in SIDES]

    def values(
        self, mode: int, ranges: tuple[Reals, Reals], source: Cells | None = None
    ) -> tuple[Doubles, Doubles]:
        """Return the values of both sides' hands. source: the strategies, by default the averages."""
        pone, dealer = (self.traverse(side, mode, ranges, source or self.total) for side in SIDES)
        return pone, dealer

    def exploitability(self, ranges: tuple[Reals, Reals], source: Cells | None = None) -> dict[str, float]:
        """Return what best responses gain on the strategies, in points a deal, and the value to the pone.

        "exploitability" is the mean of both sides' gains. source: the strategies, by default the averages.
        """
        deals = self.total_weight(ranges)
        best, value = (
            [
                float((r * v).sum()) / deals
                for r, v in zip(ranges, self.values(mode, ranges, source), strict=True)
            ]
            for mode in (BEST_RESPONSE, MEASURE)
        )
        gains = [best[side] - value[side] for side in SIDES]
        return {
            "exploitability": sum(gains) / 2,
            "pone_gain": gains[PONE],
            "dealer_gain": gains[DEALER],
            "value": value[PONE],
            "imbalance": sum(value),
            "deals": deals,
        }

    def checkpoint_arrays(self) -> dict[str, Any]:
        """Return the arrays that a checkpoint stores, by name."""
        cells = {f"regret_{part}": array for part, array in vars(self.regret).items()}
        cells |= {f"total_{part}": array for part, array in vars(self.total).items()}
        return {"iteration": self.iteration, "averaging_delay": self.averaging_delay, **cells}

    def restore_checkpoint(self, stored: Arrays) -> None:
        self.iteration, self.averaging_delay = int(stored["iteration"]), int(stored["averaging_delay"])
        self.regret, self.total = (
            Cells(*(stored[f"{name}_{part}"] for part in ("lead", "reply", "rest")))
            for name in ("regret", "total")
        )


@dataclass
class Discards(ABC):
    """Regrets and strategy sums of the discards of one role, the pone or the dealer."""

    role: int
    """PONE or DEALER."""
    regret: Floats
    """(suit classes, options) cumulative regret of each way to discard two cards."""
    total: Floats
    """(suit classes, options) discounted sum of past strategies."""
    iteration: int = 0
    """Number of iterations done."""

    @abstractmethod
    def run(self, mode: int, crib: Floats, pegging: Doubles, suited: float) -> float:
        """Return the role's mean net points over all deals. Mode UPDATE also updates regrets and sums.

        Args:
            mode: UPDATE, BEST_RESPONSE or MEASURE.
            crib: (rank classes, options) mean crib points of each discard.
            pegging: Mean net points that each hand pegs, in the game's order of hands.
            suited: How often the other role's discards have one suit, relative to random pairs.
        """

    @abstractmethod
    def average(self) -> Doubles:
        """Return (rank classes, options) how often the average strategy makes each discard."""

    @abstractmethod
    def suited_ratio(self) -> float:
        """Return how often this role's discards have one suit, relative to random pairs (1 = as often)."""


class HandPoints(NamedTuple):
    """Mean net points in pegging of each hand of the pone, and of each hand of the dealer."""

    value: Sequence[Doubles]
    """One array for each role: points if both sides play the average strategies."""
    best: Sequence[Doubles]
    """One array for each role: points of a best response to the other side's average strategy."""


@dataclass
class Joint(ABC):
    """A solution of discards and pegging together, and its progress."""

    games: tuple[Pegging, ...]
    """The pegging games: one, or in five-card cribbage one for each rank of the starter."""
    discards: tuple[Discards, Discards]
    """The discards of the pone and of the dealer."""
    means: list[Doubles] = field(default_factory=list)
    """(rank classes, options) average discards of the pone and of the dealer, from `Discards.average`."""
    corrections: list[Floats] = field(default_factory=list)
    """For each role: (rank classes, options) points that make approximate mean cribs exact."""
    suited: list[float] = field(default_factory=lambda: [1.0, 1.0])
    """For each role: how often its discards have one suit, relative to random pairs."""
    pegging: Sequence[Doubles] = ()
    """For each role: mean net points that each hand pegged in the last iteration."""
    rounds: int = 0
    """Number of rounds in which both pegging and discards were updated."""

    @property
    @abstractmethod
    def iterations_done(self) -> int:
        """Number of pegging iterations done."""

    @abstractmethod
    def run_iteration(self) -> None:
        """Run one iteration of pegging and, if discards are still being solved, of the discards."""

    @abstractmethod
    def hand_points(self) -> HandPoints:
        """Return the points that each hand pegs under the average strategies."""

    @abstractmethod
    def approximate_crib_means(self, average_discards: Doubles) -> Floats:
        """Return (rank classes, options) mean crib points against pairs drawn by overall frequency."""

    @abstractmethod
    def exact_crib_means(self, average_discards: Doubles) -> Floats:
        """Return (rank classes, options) exact mean crib points, by a sum over all pairs of hands."""

    def cribs(self, role: int) -> Floats:
        """Return (rank classes, options) a role's mean crib points against the other's average discards."""
        return self.approximate_crib_means(self.means[1 - role]) + self.corrections[role]

    def correct_cribs(self) -> None:
        """Recompute `corrections` and `suited` for the present average discards."""
        others = self.means[::-1]
        self.corrections = [
            self.exact_crib_means(mean) - self.approximate_crib_means(mean) for mean in others
        ]
        self.suited = [each.suited_ratio() for each in self.discards]

    def update_discards(self, times: int = 1) -> None:
        """Run this number of iterations of each role's discards against the other role's average discards."""
        for _ in range(times):
            for role in SIDES:
                crib, suited = self.cribs(role), self.suited[1 - role]
                self.discards[role].run(UPDATE, crib, self.pegging[role], suited)
                self.means[role] = self.discards[role].average()

    def exploitability(self, points: HandPoints | None = None) -> dict[str, Any]:
        """Return what best responses gain on the average strategies, in points a deal, for each of `PARTS`.

        Means over both roles, and "…_by_role" lists. Crib points are those of the last `correct_cribs`.
        """
        value, best = points or self.hand_points()
        gains: dict[str, list[float]] = {part: [] for part in PARTS}
        for role in SIDES:
            crib, suited, run = self.cribs(role), self.suited[1 - role], self.discards[role].run
            mean = run(MEASURE, crib, value[role], suited)
            gains["pegging"].append(run(MEASURE, crib, best[role], suited) - mean)
            gains["discard"].append(run(BEST_RESPONSE, crib, value[role], suited) - mean)
            gains["deal"].append(run(BEST_RESPONSE, crib, best[role], suited) - mean)
        means = {part: sum(gains[part]) / 2 for part in PARTS}
        return means | {f"{part}_by_role": gains[part] for part in PARTS}

    def exploitability_figures(self) -> dict[str, float]:
        """Return the exploitability of each of `PARTS`, in points a deal, for progress lines."""
        found = self.exploitability()
        return {part: found[part] for part in PARTS}

    def checkpoint_arrays(self) -> dict[str, Any]:
        """Return the arrays that a checkpoint stores, by name."""
        games = {
            f"{n}_{name}": each
            for n, game in enumerate(self.games)
            for name, each in game.checkpoint_arrays().items()
        }
        discards = {
            f"{name}_{role}": getattr(each, name)
            for role, each in zip(ROLES, self.discards, strict=True)
            for name in ("regret", "total", "iteration")
        }
        names = ("corrections", "suited", "pegging", "rounds")
        return games | discards | {name: np.array(getattr(self, name)) for name in names}

    def restore_checkpoint(self, stored: Arrays) -> None:
        for n, game in enumerate(self.games):
            names = game.checkpoint_arrays()
            game.restore_checkpoint({name: stored[f"{n}_{name}"] for name in names})
        for role, each in zip(ROLES, self.discards, strict=True):
            each.regret, each.total = stored[f"regret_{role}"], stored[f"total_{role}"]
            each.iteration = int(stored[f"iteration_{role}"])
        self.means = [each.average() for each in self.discards]
        self.corrections, self.pegging = list(stored["corrections"]), list(stored["pegging"])
        self.suited, self.rounds = stored["suited"].tolist(), int(stored["rounds"])


@dataclass
class PeggingOnly:
    """A solution of pegging alone, in which the frequencies of kept hands are fixed."""

    game: Pegging
    ranges: tuple[Reals, Reals]
    """Weights of the pone's and of the dealer's hands."""
    averaging_delay: int = 0
    """Number of first iterations that the average strategies leave out."""

    @property
    def iterations_done(self) -> int:
        return self.game.iteration

    def run_iteration(self) -> None:
        self.game.averaging_delay = (
            self.averaging_delay if self.iterations_done >= self.averaging_delay else 0
        )
        self.game.step(self.ranges)

    def exploitability_figures(self) -> dict[str, float]:
        return self.game.exploitability(self.ranges)

    def checkpoint_arrays(self) -> dict[str, Any]:
        return self.game.checkpoint_arrays()

    def restore_checkpoint(self, stored: Arrays) -> None:
        self.game.restore_checkpoint(stored)


class SolveResult(NamedTuple):
    """The exploitability that a solver run reached, and its running time."""

    figures: dict[str, float]
    """Exploitability after the last iteration, by name, in points a deal."""
    history: list[tuple[int, float]]
    """Pairs of an iteration and the exploitability measured after it."""
    seconds: float
    """Mean wall-clock seconds of an iteration, measurements excluded."""
    core_seconds: float
    """Mean CPU seconds of an iteration over all cores, measurements excluded."""


SAVE_SECONDS = 50.0
"""Minimum seconds between two checkpoints."""


def solve(
    solution: PeggingOnly | Joint,
    iterations: int,
    *,
    every: int,
    checkpoint: Path | None = None,
    progress: Say = print,
) -> SolveResult:
    """Run a solver until it has done `iterations` in all; continue from the checkpoint if it exists.

    Args:
        solution: The solution to advance.
        iterations: Number of iterations in all, those before the checkpoint included.
        every: Measure and print the exploitability after each `every` iterations and after the last.
        checkpoint: A file that is written about every `SAVE_SECONDS` and at the end.
        progress: Prints a line.
    """
    if checkpoint is not None:
        load(solution, checkpoint)
    started, saved, spent, cores = solution.iterations_done, time.monotonic(), 0.0, 0.0
    history, figures = [], {}
    while solution.iterations_done < iterations:
        before = time.monotonic(), time.process_time()
        solution.run_iteration()
        spent, cores = spent + time.monotonic() - before[0], cores + time.process_time() - before[1]
        done = solution.iterations_done
        if done % every == 0 or done == iterations:
            figures = solution.exploitability_figures()
            history.append((done, next(iter(figures.values()))))
            left = spent / (done - started) * (iterations - done)
            shown = " ".join(f"{name} {value:.5f}" for name, value in figures.items() if name != "deals")
            progress(f"{done} of {iterations} iterations, about {left:.0f} s left: {shown}")
        if checkpoint is not None and (done == iterations or time.monotonic() - saved > SAVE_SECONDS):
            save(solution, checkpoint)
            saved = time.monotonic()
    number = max(solution.iterations_done - started, 1)
    return SolveResult(figures or solution.exploitability_figures(), history, spent / number, cores / number)


def save(solution: PeggingOnly | Joint | Pegging, path: Path) -> None:
    """Write a checkpoint; if the process is killed, the last checkpoint stays complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        np.savez(file, **solution.checkpoint_arrays())


def load(solution: PeggingOnly | Joint | Pegging, path: Path) -> bool:
    """Restore a solution from a checkpoint. Return False if the checkpoint does not exist."""
    if not path.exists():
        return False
    with np.load(path) as stored:
        solution.restore_checkpoint(stored)
    return True
