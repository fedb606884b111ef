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
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from fifteentwo.strategy.files import whole_file

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Reals = npt.NDArray[Any]
"""Of float32 or float64: five cards use float32 for what six cards have in float64."""
Ints = npt.NDArray[np.int64]
Arrays = Mapping[str, Any]

PONE, DEALER = 0, 1
ROLES = ("pone", "dealer")
SIDES = (PONE, DEALER)
BRANCHES = 169
"""Leads and replies by rank: lead · 13 + reply."""
UPDATE, BEST_RESPONSE, MEASURE = 0, 1, 2
"""What a walk does: update regrets; best response to stored strategies; value of stored strategies."""
ALPHA = 1.5
PARTS = ("pegging", "discard", "deal")
"""What exploitability is measured of."""


# ── Regrets ──────────────────────────────────────────────────────────────────────────────────────────────


class Discounts(NamedTuple):
    """Factors of earlier iterations at this iteration."""

    up: float = 1.0
    """Of positive regrets."""
    down: float = 1.0
    """Of negative regrets."""
    sums: float = 1.0
    """Of sums of strategies."""


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


class Hands(NamedTuple):
    """How the hands of a side and what stays of them after a card belong together."""

    before: Ints
    """(13, rests) the hand, by the rank played and what stays."""
    number: int
    ranks: Reals
    """(13, rests, …) different ranks in that hand; its type is that of strategies."""

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
        """Return cells of zeros; shape: what stays of a hand after a card."""
        sizes = (13, *shape), (13, 13, *shape), (cells,)
        return cls(*(np.zeros(size, np.float32) for size in sizes))


# ── Pegging ──────────────────────────────────────────────────────────────────────────────────────────────


class Walk(NamedTuple):
    """A walk over the tree below every lead and reply."""

    side: int
    """Whose values are asked for."""
    mode: int
    factors: Discounts
    pone: Reals
    """(13, rests, …) the pone's reach probabilities below each lead."""
    dealer: Sequence[Reals]
    """13 × (13, rests, …) the dealer's below each lead and reply."""
    source: Cells
    """Where strategies are read from."""
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
        """(13, 13, rests, …) counterfactual values of a side below each lead and reply.

        In mode UPDATE the cells after the reply are updated.
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
        """(hands, …) counterfactual values of a side's hands; in mode UPDATE its regrets and sums change.

        Args:
            side: PONE or DEALER.
            mode: UPDATE, BEST_RESPONSE or MEASURE.
            ranges: Weights of the pone's and the dealer's hands.
            source: Where strategies are read from.
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
        """Return both sides' values in a mode against the average strategies, or those of `source`."""
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
        """Return what a checkpoint stores."""
        cells = {f"regret_{part}": array for part, array in vars(self.regret).items()}
        cells |= {f"total_{part}": array for part, array in vars(self.total).items()}
        return {"iteration": self.iteration, "averaging_delay": self.averaging_delay, **cells}

    def restore(self, stored: Arrays) -> None:
        """Continue from what `arrays` returned."""
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
        """Return the mean points of this side over all deals; in mode UPDATE regrets and sums change.

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
    def suited_rate(self) -> float:
        """Return how much more often than at random this role discards two cards of one suit; about 1."""


class HandPoints(NamedTuple):
    """Mean net points of pegging of each hand, pone's and dealer's."""

    value: Sequence[Doubles]
    """By the average strategies."""
    best: Sequence[Doubles]
    """By a best response to them."""


@dataclass
class Joint(ABC):
    """A solution of discards and pegging together."""

    games: tuple[Pegging, ...]
    """Pegging: of five cards one game for each rank of the starter."""
    discards: tuple[Discards, Discards]
    means: list[Doubles] = field(default_factory=list)
    """Average discards of pone and dealer."""
    corrections: list[Floats] = field(default_factory=list)
    """What exact cribs were above quick ones when they were last counted."""
    suited: list[float] = field(default_factory=lambda: [1.0, 1.0])
    pegging: Sequence[Doubles] = ()
    """Points that each hand pegged in the last iteration."""
    rounds: int = 0

    @property
    @abstractmethod
    def done(self) -> int:
        """Iterations so far."""

    @abstractmethod
    def advance(self) -> None:
        """Run one iteration of pegging, and those of the discards that belong to it."""

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
        self.suited = [each.suited_rate() for each in self.discards]

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
        """Return what a checkpoint stores."""
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
        """Continue from what `arrays` returned."""
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


class Solution(Protocol):
    """What can be solved further."""

    @property
    def done(self) -> int:
        """Iterations so far."""

    def advance(self) -> None:
        """Run one iteration."""

    def figures(self) -> dict[str, float]:
        """Return the exploitability to print, by name."""

    def arrays(self) -> dict[str, Any]:
        """Return what a checkpoint stores."""

    def restore(self, stored: Arrays) -> None:
        """Continue from what `arrays` returned."""


@dataclass
class Alone:
    """Pegging alone, under ranges that stay."""

    game: Pegging
    ranges: tuple[Reals, Reals]
    averaging_delay: int = 0

    @property
    def done(self) -> int:
        """Iterations so far."""
        return self.game.iteration

    def advance(self) -> None:
        """Run one iteration."""
        self.game.averaging_delay = self.averaging_delay if self.done >= self.averaging_delay else 0
        self.game.step(self.ranges)

    def figures(self) -> dict[str, float]:
        """Return exploitability and value."""
        return self.game.exploitability(self.ranges)

    def arrays(self) -> dict[str, Any]:
        """Return what a checkpoint stores."""
        return self.game.arrays()

    def restore(self, stored: Arrays) -> None:
        """Continue from what `arrays` returned."""
        self.game.restore(stored)


class Solved(NamedTuple):
    """What a run measured and cost."""

    figures: dict[str, float]
    """Of the last iteration."""
    history: list[tuple[int, float]]
    """The first of the figures after some iterations."""
    seconds: float
    """An iteration, without measuring."""
    core_seconds: float


SAVE_SECONDS = 50.0
"""From one checkpoint to the next."""


def solve(
    solution: Solution,
    iterations: int,
    *,
    every: int,
    checkpoint: Path | None = None,
    progress: Callable[[str], None] = print,
) -> Solved:
    """Run iterations up to a number, from a checkpoint if it exists; print figures after some of them.

    Args:
        solution: What is solved.
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


def save(solution: Solution | Pegging, path: Path) -> None:
    """Write a checkpoint; a process that is killed leaves the last one complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        np.savez(file, **solution.arrays())


def load(solution: Solution | Pegging, path: Path) -> bool:
    """Continue from a checkpoint; return False if it does not exist."""
    if not path.exists():
        return False
    with np.load(path) as stored:
        solution.restore(stored)
    return True
