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
Arrays = Mapping[str, Any]

PONE, DEALER = 0, 1
ROLES = ("pone", "dealer")
SIDES = (PONE, DEALER)
BRANCHES = 169
"""Leads and replies by rank: lead · 13 + reply."""
UPDATE, BEST_RESPONSE, MEASURE = 0, 1, 2
"""Modes of a walk: update regrets, compute a best response to strategies, or the value of strategies."""
ALPHA = 1.5
PARTS = ("pegging", "discard", "deal")
"""Parts whose exploitability is measured."""


# ── Regrets ──────────────────────────────────────────────────────────────────────────────────────────────


class Discounts(NamedTuple):
    """Factors by which an iteration multiplies positive regrets, negative regrets and strategy sums."""

    up: float = 1.0
    down: float = 1.0
    sums: float = 1.0


NO_DISCOUNTS = Discounts()


def discounts(iteration: int, averaging_delay: int = 0, real: Callable[[float], Any] = float) -> Discounts:
    """Return the factors at an iteration, from 1.

    Args:
        iteration: The iteration that begins.
        averaging_delay: Iterations that no average contains. With -1 averages are discounted by
            (t / (t + 1))², as the discards of six cards are.
        real: The type in which the factor of the sums is squared, float32 for the discards of five cards.
    """
    t = float(max(iteration, 1))
    u = t - averaging_delay - 1
    return Discounts(t**ALPHA / (t**ALPHA + 1), 0.5, float(real(u / (u + 1)) ** 2))


def update(regret: Floats, total: Floats, gain: Reals, reach: Reals, factors: Discounts) -> None:
    """Discount regrets and sums of strategies, then add the gains and the reach probabilities to them."""
    regret *= np.where(regret > 0, np.float32(factors.up), np.float32(factors.down))
    regret += gain.astype(np.float32)
    total *= np.float32(factors.sums)
    total += reach.astype(np.float32)


class Lesson(NamedTuple):
    """The mode, discounts and side of an update of regrets, in the form of the kernels."""

    mode: int
    keep_up: np.float32
    keep_down: np.float32
    keep_sum: np.float32
    """The three discounts: of positive regrets, negative regrets and strategy sums."""
    side: int
    """The side whose values and regrets are computed."""
    dealer_counts: np.float32
    """Value of a dealer's point: 1, or 0 to count the pone's points only."""


def lesson(mode: int, factors: Discounts, side: int = PONE, dealer_counts: int = 1) -> Lesson:
    """Return the parameters of an update of regrets with these discounts, in float32."""
    up, down, sums = (np.float32(factor) for factor in factors)
    return Lesson(mode, up, down, sums, side, np.float32(dealer_counts))


class RegretTables(NamedTuple):
    """Flat arrays of cells, in the form of the kernels."""

    source: Floats
    """The cells that strategies are read from: the regrets, or the strategy sums."""
    regret: Floats
    total: Floats


class Hands(NamedTuple):
    """The hands of a side, and the rests of hands after one card is played."""

    before: Ints
    """(13, rests) the hand, by the rank played and the rest."""
    number: int
    """Number of different hands."""
    ranks: Reals
    """(13, rests, …) number of different ranks in that hand; strategies have the same type."""

    def total(self, values: Reals) -> Reals:
        """(hands, …) the sum over the rank played of values (13, rests, …)."""
        total = np.zeros((self.number, *values.shape[2:]), values.dtype)
        for rank in range(13):
            total[self.before[rank]] += values[rank]
        return total

    def best(self, values: Reals) -> Reals:
        """(hands, …) the largest over the rank played of values (13, rests, …)."""
        best = np.full((self.number, *values.shape[2:]), -np.inf, values.dtype)
        for rank in range(13):
            before = self.before[rank]
            best[before] = np.maximum(best[before], values[rank])
        return best

    def strategy(self, cells: Floats) -> Reals:
        """(13, rests, …) action probabilities, from regrets or sums of strategies."""
        positive = np.maximum(cells, 0).astype(self.ranks.dtype)
        total = self.total(positive)[self.before]
        return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / self.ranks)


@dataclass
class Cells:
    """One number for each information set and card: regrets, or sums of strategies."""

    lead: Floats
    """(13, rests, …) by the card led."""
    reply: Floats
    """(13, 13, rests, …) by the card led and the reply."""
    rest: Floats
    """(cells,) everything after the reply, in the order of the walk."""

    @classmethod
    def zeros(cls, shape: tuple[int, ...], cells: int) -> "Cells":
        """Return cells of zeros; shape: the shape of the rests."""
        sizes = (13, *shape), (13, 13, *shape), (cells,)
        return cls(*(np.zeros(size, np.float32) for size in sizes))


# ── Pegging ──────────────────────────────────────────────────────────────────────────────────────────────


class Walk(NamedTuple):
    """A walk over the tree below every lead and reply."""

    side: int
    """The side whose values are computed."""
    mode: int
    factors: Discounts
    pone: Reals
    """(13, rests, …) the pone's reach probabilities below each lead."""
    dealer: Sequence[Reals]
    """13 × (13, rests, …) the dealer's below each lead and reply."""
    source: Cells
    """Regrets or sums from which strategies are read."""
    branches: Iterable[int]


class Pegging(ABC):
    """The pegging phase of a game: regrets and average strategies of both sides.

    Values are in points of the side that has them; only net points count.
    """

    hands: ClassVar[Hands]
    rests: ClassVar[tuple[int, ...]]

    def __init__(self, cells: int, branches: Iterable[int] = range(BRANCHES)) -> None:
        self.regret = Cells.zeros(self.rests, cells)
        self.total = Cells.zeros(self.rests, cells)
        self.iteration = 0
        self.averaging_delay = 0
        """Iterations that no average contains: set to `iteration` to start averaging again."""
        self.branches = branches

    @abstractmethod
    def below(self, walk: Walk) -> Reals:
        """Return (13, 13, rests, …) counterfactual values of a side after each lead and reply.

        Mode UPDATE also updates the cells after the reply.
        """

    def deals(self, _: tuple[Reals, Reals]) -> float:
        """Return the mass of all pairs of hands under these ranges."""
        return 1.0

    def sweep(
        self,
        side: int,
        mode: int,
        ranges: tuple[Reals, Reals],
        source: Cells,
        factors: Discounts = NO_DISCOUNTS,
        branches: Iterable[int] | None = None,
    ) -> Doubles:
        """(hands, …) counterfactual values of a side's hands; mode UPDATE also changes its regrets and sums.

        Args:
            side: PONE or DEALER.
            mode: UPDATE, BEST_RESPONSE or MEASURE.
            ranges: Weights of the pone's and the dealer's hands.
            source: Regrets or sums from which strategies are read.
            factors: Discounts of mode UPDATE.
            branches: Leads and replies to walk; hands that have others get wrong values.
        """
        before = self.hands.before
        lead = self.hands.strategy(source.lead)
        replies = [self.hands.strategy(cells) for cells in source.reply]
        pone = ranges[PONE][before] * lead
        dealer = [ranges[DEALER][before] * reply for reply in replies]
        walked = self.branches if branches is None else branches
        below = self.below(Walk(side, mode, factors, pone, dealer, source, walked))

        def first_card(
            values: Doubles, strategy: Reals, reach: Reals, regret: Floats, total: Floats
        ) -> Doubles:
            if mode == BEST_RESPONSE:
                return self.hands.best(values)
            expected = self.hands.total(strategy * values)
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
        """Run one iteration; return the counterfactual values of the pone's and dealer's hands in it."""
        self.iteration += 1
        factors = discounts(self.iteration, self.averaging_delay)
        return [self.sweep(side, UPDATE, ranges, self.regret, factors) for side in SIDES]

    def values(
        self, mode: int, ranges: tuple[Reals, Reals], source: Cells | None = None
    ) -> tuple[Doubles, Doubles]:
        """Return both sides' values against the average strategies, or the strategies of `source`."""
        pone, dealer = (self.sweep(side, mode, ranges, source or self.total) for side in SIDES)
        return pone, dealer

    def exploitability(self, ranges: tuple[Reals, Reals], source: Cells | None = None) -> dict[str, float]:
        """Return the mean gain of the two best responses in points a deal, and the value to the pone."""
        deals = self.deals(ranges)
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

    def arrays(self) -> dict[str, Any]:
        """Return the arrays of a checkpoint."""
        cells = {f"regret_{part}": array for part, array in vars(self.regret).items()}
        cells |= {f"total_{part}": array for part, array in vars(self.total).items()}
        return {"iteration": self.iteration, "averaging_delay": self.averaging_delay, **cells}

    def restore(self, stored: Arrays) -> None:
        """Continue from the arrays of a checkpoint."""
        self.iteration, self.averaging_delay = int(stored["iteration"]), int(stored["averaging_delay"])
        self.regret, self.total = (
            Cells(*(stored[f"{name}_{part}"] for part in ("lead", "reply", "rest")))
            for name in ("regret", "total")
        )


# ── Discards, and both together ──────────────────────────────────────────────────────────────────────────


@dataclass
class Discards(ABC):
    """Regrets and sums of strategies of one side's discard."""

    role: int
    regret: Floats
    """(suit classes, options)."""
    total: Floats
    iteration: int = 0

    @abstractmethod
    def run(self, mode: int, crib: Floats, pegging: Doubles, suited: float) -> float:
        """Return the mean points of this side over all deals; mode UPDATE also changes regrets and sums.

        Args:
            mode: UPDATE, BEST_RESPONSE or MEASURE.
            crib: (rank classes, options) mean crib of each discard.
            pegging: Net points of pegging of each hand, in the game's order of hands.
            suited: How much more often than at random the other side discards two cards of one suit.
        """

    @abstractmethod
    def average(self) -> Doubles:
        """(rank classes, options) how often the average strategy makes each discard."""

    @abstractmethod
    def suited_ratio(self) -> float:
        """Return how many times as often as at random this role discards two cards of one suit; about 1."""


class HandPoints(NamedTuple):
    """Mean net points that each hand of pone and dealer pegs."""

    value: Sequence[Doubles]
    """With the average strategies."""
    best: Sequence[Doubles]
    """With a best response to the average strategies."""


@dataclass
class Joint(ABC):
    """A solution of discards and pegging together."""

    games: tuple[Pegging, ...]
    """Pegging; five-card cribbage has a game for each rank of the starter."""
    discards: tuple[Discards, Discards]
    means: list[Doubles] = field(default_factory=list)
    """Average discards of pone and dealer."""
    corrections: list[Floats] = field(default_factory=list)
    """Exact cribs less quick cribs when they were last counted."""
    suited: list[float] = field(default_factory=lambda: [1.0, 1.0])
    pegging: Sequence[Doubles] = ()
    """Points that each hand pegged in the last iteration."""
    rounds: int = 0

    @property
    @abstractmethod
    def done(self) -> int:
        """Number of iterations done."""

    @abstractmethod
    def advance(self) -> None:
        """Run one iteration of pegging, and the iterations of the discards that follow it."""

    @abstractmethod
    def hand_points(self) -> HandPoints:
        """Measure the pegging of the average strategies."""

    @abstractmethod
    def quick_cribs(self, mean: Doubles) -> Floats:
        """(rank classes, options) mean cribs against these discards, their pairs by frequency."""

    @abstractmethod
    def exact_cribs(self, mean: Doubles) -> Floats:
        """Return the same over all pairs of hands."""

    def cribs(self, role: int) -> Floats:
        """Return the mean crib of each option of a role against the other role's average discards."""
        return self.quick_cribs(self.means[1 - role]) + self.corrections[role]

    def correct(self) -> None:
        """Count the cribs exactly against the present average discards."""
        others = self.means[::-1]
        self.corrections = [self.exact_cribs(mean) - self.quick_cribs(mean) for mean in others]
        self.suited = [each.suited_ratio() for each in self.discards]

    def learn_discards(self, times: int = 1) -> None:
        """Run iterations of both roles' discards against the other's average."""
        for _ in range(times):
            for role in SIDES:
                crib, suited = self.cribs(role), self.suited[1 - role]
                self.discards[role].run(UPDATE, crib, self.pegging[role], suited)
                self.means[role] = self.discards[role].average()

    def exploitability(self, points: HandPoints | None = None) -> dict[str, Any]:
        """Return the mean gains of best responses in points a deal: pegging, discard, and both (deal).

        Under the average discards; cribs are exact as of the last `correct`.
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

    def figures(self) -> dict[str, float]:
        """Return the exploitability to print."""
        found = self.exploitability()
        return {part: found[part] for part in PARTS}

    def arrays(self) -> dict[str, Any]:
        """Return the arrays of a checkpoint."""
        games = {
            f"{n}_{name}": each for n, game in enumerate(self.games) for name, each in game.arrays().items()
        }
        discards = {
            f"{name}_{role}": getattr(each, name)
            for role, each in zip(ROLES, self.discards, strict=True)
            for name in ("regret", "total", "iteration")
        }
        names = ("corrections", "suited", "pegging", "rounds")
        return games | discards | {name: np.array(getattr(self, name)) for name in names}

    def restore(self, stored: Arrays) -> None:
        """Continue from the arrays of a checkpoint."""
        for n, game in enumerate(self.games):
            names = game.arrays()
            game.restore({name: stored[f"{n}_{name}"] for name in names})
        for role, each in zip(ROLES, self.discards, strict=True):
            each.regret, each.total = stored[f"regret_{role}"], stored[f"total_{role}"]
            each.iteration = int(stored[f"iteration_{role}"])
        self.means = [each.average() for each in self.discards]
        self.corrections, self.pegging = list(stored["corrections"]), list(stored["pegging"])
        self.suited, self.rounds = stored["suited"].tolist(), int(stored["rounds"])


# ── Running and checkpoints ──────────────────────────────────────────────────────────────────────────────


@dataclass
class Alone:
    """Pegging alone, with fixed ranges."""

    game: Pegging
    ranges: tuple[Reals, Reals]
    averaging_delay: int = 0

    @property
    def done(self) -> int:
        return self.game.iteration

    def advance(self) -> None:
        self.game.averaging_delay = self.averaging_delay if self.done >= self.averaging_delay else 0
        self.game.step(self.ranges)

    def figures(self) -> dict[str, float]:
        return self.game.exploitability(self.ranges)

    def arrays(self) -> dict[str, Any]:
        return self.game.arrays()

    def restore(self, stored: Arrays) -> None:
        self.game.restore(stored)


class Solved(NamedTuple):
    """The result and the cost of a run."""

    figures: dict[str, float]
    """Figures of the last iteration."""
    history: list[tuple[int, float]]
    """The first figure after some iterations."""
    seconds: float
    """Seconds an iteration, without measuring."""
    core_seconds: float


SAVE_SECONDS = 50.0
"""Seconds between two checkpoints."""


def solve(
    solution: Alone | Joint,
    iterations: int,
    *,
    every: int,
    checkpoint: Path | None = None,
    progress: Callable[[str], None] = print,
) -> Solved:
    """Run iterations up to a number, from a checkpoint if it exists; print figures after some of them.

    Args:
        solution: The solution to advance.
        iterations: The number of iterations in all.
        every: Iterations from one measurement to the next; the last is always measured.
        checkpoint: A file, written about every `SAVE_SECONDS` and at the end.
        progress: Prints a line.
    """
    if checkpoint is not None:
        load(solution, checkpoint)
    started, saved, spent, cores = solution.done, time.monotonic(), 0.0, 0.0
    history, figures = [], {}
    while solution.done < iterations:
        before = time.monotonic(), time.process_time()
        solution.advance()
        spent, cores = spent + time.monotonic() - before[0], cores + time.process_time() - before[1]
        done = solution.done
        if done % every == 0 or done == iterations:
            figures = solution.figures()
            history.append((done, next(iter(figures.values()))))
            left = spent / (done - started) * (iterations - done)
            shown = " ".join(f"{name} {value:.5f}" for name, value in figures.items() if name != "deals")
            progress(f"{done} of {iterations} iterations, about {left:.0f} s left: {shown}")
        if checkpoint is not None and (done == iterations or time.monotonic() - saved > SAVE_SECONDS):
            save(solution, checkpoint)
            saved = time.monotonic()
    number = max(solution.done - started, 1)
    return Solved(figures or solution.figures(), history, spent / number, cores / number)


def save(solution: Alone | Joint | Pegging, path: Path) -> None:
    """Write a checkpoint; if the process is killed, the last checkpoint stays complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        np.savez(file, **solution.arrays())


def load(solution: Alone | Joint | Pegging, path: Path) -> bool:
    """Continue from a checkpoint; return False if it does not exist."""
    if not path.exists():
        return False
    with np.load(path) as stored:
        solution.restore(stored)
    return True
