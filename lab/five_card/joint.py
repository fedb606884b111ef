"""Five-card discards and pegging solved together: the discards of each side are the ranges of pegging.

Every starter has its own game of pegging, all with the same discards.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import comb, perm
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.hands import copies
from fifteentwo.strategy.files import whole_file
from lab.five_card.discards import (
    DEALER,
    PONE,
    Discards,
    exact_cribs,
    for_hand_and_crib,
    fractions,
    mixed,
    quick_cribs,
)
from lab.five_card.pegging import FiveCardPegging, weights
from lab.five_card.solve import load, save
from lab.five_card.types import deck
from lab.five_card.walk_kernels import BEST_RESPONSE, MEASURE, UPDATE

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

FLOOR = 0.01
"""The part of every type's deals that discards any two while it learns, so that no type is left out."""
CORRECT_EVERY = 20
"""Rounds between two exact counts of the cribs."""
HANDS_LEFT = comb(46, 5)
"""Hands the other side may hold, for each type and starter."""
EVEN = 0.1
ROUGH = 40
"""Rounds that count in no average: after them averages begin again."""
DISCARDS_A_ROUND = 4
"""Iterations of the discards in each round from then on: they learn more slowly, and cost little."""


def ordered_ways(left: npt.NDArray[np.int64]) -> Doubles:
    """(41405,) ordered ways to draw the five ranks of each type from these cards of each rank."""
    falling = np.array([[perm(m, n) if n <= m else 0 for n in range(6)] for m in range(5)], np.float64)
    held = copies(3)[:, None] + copies(2)[None, :]
    return np.asarray(np.prod([falling[left[r]][held[..., r]] for r in range(13)], axis=0).ravel())


def mean_of_types(values: Sequence[Doubles], starters: Sequence[int]) -> Doubles:
    """(41405,) mean points of each type from its counterfactual values with each of these starters."""
    deals = sum(ordered_ways(deck(starter)) for starter in starters) * HANDS_LEFT
    total = np.asarray(sum(values), dtype=np.float64).ravel()
    return np.where(deals > 0, total / np.where(deals > 0, deals, 1), 0.0)


@dataclass
class Joint:
    """Pegging with each starter, both sides' discards, and what each knows of the other."""

    games: tuple[FiveCardPegging, ...]
    discards: tuple[Discards, Discards]
    corrections: list[Floats] = field(default_factory=list)
    suited: list[float] = field(default_factory=lambda: [1.0, 1.0])
    rounds: int = 0

    @classmethod
    def empty(cls, starters: Sequence[int] = range(13), threads: int = 2) -> "Joint":
        """Return a solution that has learned nothing: `load` or `begin` comes next.

        starters: fewer than all 13 is the game whose starter is known to be one of these. 0.2 GB each.
        """
        games = tuple(FiveCardPegging(starter, threads) for starter in starters)
        return cls(games, (Discards(PONE), Discards(DEALER)))

    def begin(self) -> None:
        """Discard for hand and crib alone, without regrets of pegging."""
        self.discards = for_hand_and_crib()
        self.correct()

    def means(self) -> list[Doubles]:
        """(6175, 10) each: the average discards of pone and dealer."""
        return [each.average() for each in self.discards]

    def correct(self) -> None:
        """Set the cribs right, exact in ranks, against the present average discards."""
        means = self.means()
        self.corrections = [exact_cribs(means[1 - r]) - quick_cribs(means[1 - r]) for r in (PONE, DEALER)]
        self.suited = [each.suited_rate() for each in self.discards]

    def ranges(self, floor: float = 0.0) -> tuple[Floats, Floats]:
        """Weights of pone's and dealer's types under the average discards."""
        pone, dealer = (weights(fractions((1 - floor) * mean + floor * EVEN)) for mean in self.means())
        return pone, dealer

    def per_type(self, values: list[Doubles]) -> Doubles:
        """(41405,) mean points of each type from its counterfactual values with every starter."""
        return mean_of_types(values, [game.starter for game in self.games])

    def round(self) -> None:
        """One iteration of pegging with every starter, then one of both sides' discards."""
        if self.rounds == ROUGH:
            self.begin_averages()
        ranges = self.ranges(FLOOR)
        values = [game.step(ranges) for game in self.games]
        means = self.means()
        pegging = [self.per_type([each[role] for each in values]) for role in (PONE, DEALER)]
        for _ in range(1 if self.rounds < ROUGH else DISCARDS_A_ROUND):
            for role in (PONE, DEALER):
                crib = quick_cribs(means[1 - role]) + self.corrections[role]
                self.discards[role].run(UPDATE, crib, pegging[role], self.suited[1 - role])
                means[role] = self.discards[role].average()
        self.rounds += 1
        if self.rounds % CORRECT_EVERY == 0:
            self.correct()

    def begin_averages(self) -> None:
        """Leave what was played so far out of the averages."""
        for game in self.games:
            game.averaging_delay = game.iteration
        for each in self.discards:
            each.total[:] = 0
            each.total += mixed(each.regret)

    def exploitability(self) -> dict[str, Any]:
        """Mean gains of best responses, points a deal: of pegging, of discards, of both together.

        Under the average discards without a floor; cribs exact as of the last `correct`.
        """
        ranges, means = self.ranges(), self.means()
        pegging, discards, deal = [], [], []
        for role in (PONE, DEALER):
            source = [game.total for game in self.games]
            value = [g.sweep(role, MEASURE, ranges, s) for g, s in zip(self.games, source, strict=True)]
            best = [g.sweep(role, BEST_RESPONSE, ranges, s) for g, s in zip(self.games, source, strict=True)]
            crib = quick_cribs(means[1 - role]) + self.corrections[role]
            suited, run = self.suited[1 - role], self.discards[role].run
            mixed = run(MEASURE, crib, self.per_type(value), suited)
            pegging.append(run(MEASURE, crib, self.per_type(best), suited) - mixed)
            discards.append(run(BEST_RESPONSE, crib, self.per_type(value), suited) - mixed)
            deal.append(run(BEST_RESPONSE, crib, self.per_type(best), suited) - mixed)
        names = ("pegging", "discard", "deal")
        by_role = dict(zip(names, (pegging, discards, deal), strict=True))
        means_of = {name: sum(gains) / 2 for name, gains in by_role.items()}
        return means_of | {f"{name}_by_role": gains for name, gains in by_role.items()}

    def save(self, folder: Path) -> None:
        """Write everything needed to go on (0.2 GB a starter): a kill leaves the last one whole."""
        target = folder / f"round-{self.rounds}"
        if target.exists():
            return
        earlier = [*folder.glob("round-*")]
        own = folder / f"{target.name}.part"
        for game in self.games:
            save(game, own / f"{game.starter}.npz")
        with whole_file(own / "discards.npz") as file:
            np.savez(
                file,
                regret=np.array([each.regret for each in self.discards]),
                total=np.array([each.total for each in self.discards]),
                iteration=self.discards[0].iteration,
                corrections=np.array(self.corrections),
                suited=np.array(self.suited),
                rounds=self.rounds,
            )
        own.rename(target)
        for path in earlier:
            shutil.rmtree(path, ignore_errors=True)

    def load(self, folder: Path) -> bool:
        """Go on from a checkpoint; False where there is none."""
        found = [path for path in folder.glob("round-*") if path.suffix != ".part"]
        if not found:
            return False
        own = max(found, key=lambda path: int(path.name.removeprefix("round-")))
        for game in self.games:
            if not load(game, own / f"{game.starter}.npz"):
                raise ValueError(f"{own} has no starter {game.starter}")
        with np.load(own / "discards.npz") as kept:
            for each, regret, total in zip(self.discards, kept["regret"], kept["total"], strict=True):
                each.regret, each.total, each.iteration = regret, total, int(kept["iteration"])
            self.corrections = list(kept["corrections"])
            self.suited = [float(rate) for rate in kept["suited"]]
            self.rounds = int(kept["rounds"])
        for game in self.games:
            game.averaging_delay = ROUGH if self.rounds > ROUGH else 0
        return True
