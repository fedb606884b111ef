"""Discarding and pegging solved together: each side's keeps are the ranges under which pegging is solved."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.strategy.files import whole_file
from lab.six_card.discard_kernels import BEST_RESPONSE, MEASURE, STEP
from lab.six_card.ranges import HANDS, Ranges, floored
from lab.six_card.regret import CELL_PARTS, Cells, PeggingGame
from lab.six_card.six_cards import DEALS, six_cards
from lab.six_card.solve_discards import (
    DiscardGame,
    exact_cribs,
    keep_frequencies,
    quick_cribs,
    suited_rate,
)
from lab.six_card.tree import DEALER, PONE, build_tree

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

CORRECTED = (15, 40, 90, 200)
"""Rounds after which the cribs are set right by the exact count."""


@dataclass
class Joint:
    """The two games and what each knows of the other."""

    game: PeggingGame
    discarding: tuple[DiscardGame, DiscardGame]
    floor: float = 0.01
    ranges: Ranges = field(default_factory=Ranges)
    means: list[Doubles] = field(default_factory=list)
    corrections: list[Floats] = field(default_factory=list)
    suited: list[float] = field(default_factory=lambda: [1.0, 1.0])
    pegging: list[Doubles] = field(default_factory=list)
    rounds: int = 0

    @classmethod
    def fresh(cls, threads: int = 2) -> "Joint":
        """Return a joint solution without regrets: every discard and every card equally likely."""
        six = six_cards()
        joint = cls(
            PeggingGame(build_tree(), threads), (DiscardGame(PONE, threads), DiscardGame(DEALER, threads))
        )
        even = np.repeat(six.deals().astype(np.float32)[:, None] / 15, 15, axis=1)
        joint.means = [even.astype(np.float64), even.astype(np.float64)]
        joint.corrections = [np.zeros((len(six.ranks), 15), dtype=np.float32) for _ in range(2)]
        joint.pegging = [np.zeros(HANDS), np.zeros(HANDS)]
        return joint

    @property
    def pool(self) -> ThreadPoolExecutor:
        """The threads of the discard kernels."""
        return self.discarding[0]._pool

    def keeps(self) -> list[Doubles]:
        """Keep frequencies of pone and dealer under the average strategies."""
        return [keep_frequencies(mean, six_cards()) for mean in self.means]

    def cribs(self, role: int) -> Floats:
        """Mean crib of each option of `role` against the other's average strategy."""
        return quick_cribs(self.means[1 - role], six_cards(), self.pool) + self.corrections[role]

    def discard(self, times: int = 1) -> None:
        """Regret steps of both roles' discard against the other's average, pegging values as last seen."""
        for _ in range(times):
            for role in (PONE, DEALER):
                crib = self.cribs(role)
                self.discarding[role].run(STEP, crib, self.pegging[role], self.suited[1 - role])
                self.means[role] = self.discarding[role].average()

    def play(self, rounds: int = 4) -> None:
        """One step of pegging under the present ranges."""
        keeps = [floored(keep, self.floor) for keep in self.keeps()]
        x, y = self.ranges.fit(keeps[PONE], keeps[DEALER], rounds)
        pone, dealer = self.game.step((x, y))
        self.pegging = [pone / (self.ranges.ways @ y), dealer / (self.ranges.ways.T @ x)]

    def correct(self) -> None:
        """Set the cribs right: exact in ranks against the present average strategies (30 s)."""
        six = six_cards()
        for role in (PONE, DEALER):
            mean = self.means[1 - role]
            self.corrections[role] = exact_cribs(mean, six, self.pool) - quick_cribs(mean, six, self.pool)
            self.suited[role] = suited_rate(self.discarding[role])

    def exploitability(
        self, cells: Cells | None = None, totals: list[Floats] | None = None
    ) -> dict[str, Any]:
        """Mean best-response gains, points a deal, of pegging, of discarding, and of both together.

        Ranges are the strategies' own, without a floor; cribs exact as of the last `correct`.
        """
        six = six_cards()
        means = self.means
        if totals is not None:
            flat = np.zeros((len(six.ranks), 15), dtype=np.float32)
            none = np.zeros(HANDS)
            means = [
                self.discarding[role].run(MEASURE, flat, none, 1.0, totals[role])[0]
                for role in (PONE, DEALER)
            ]
        keeps = [keep_frequencies(mean, six) for mean in means]
        own = Ranges(self.ranges.ways, self.ranges.pone, self.ranges.dealer)
        x, y = own.fit(keeps[PONE] + 1e-12, keeps[DEALER] + 1e-12, 100)
        best = self.game.best_response((x, y), cells)
        value = self.game.measure((x, y), cells)
        scale = (own.ways @ y, own.ways.T @ x)
        play = [float(r @ b - r @ v) for r, b, v in zip((x, y), best, value, strict=True)]
        discard_gains, deal, values = [], [], []
        for role in (PONE, DEALER):
            crib = quick_cribs(means[1 - role], six, self.pool) + self.corrections[role]
            run = self.discarding[role].run
            suited = self.suited[1 - role]
            total = None if totals is None else totals[role]
            mixed = run(MEASURE, crib, value[role] / scale[role], suited, total)[1].sum() / DEALS
            discard_gains.append(
                run(BEST_RESPONSE, crib, value[role] / scale[role], suited)[1].sum() / DEALS - mixed
            )
            deal.append(run(BEST_RESPONSE, crib, best[role] / scale[role], suited)[1].sum() / DEALS - mixed)
            values.append(mixed)
        return {
            "pegging": sum(play) / 2,
            "discard": float(sum(discard_gains)) / 2,
            "deal": float(sum(deal)) / 2,
            "pegging_by_role": play,
            "discard_by_role": [float(a) for a in discard_gains],
            "deal_by_role": [float(a) for a in deal],
            "pegging_value": float(x @ value[PONE]),
            "value_by_role": [float(w) for w in values],
            "keep_mismatch": [
                float(np.abs(x * scale[0] - keeps[0]).sum()),
                float(np.abs(y * scale[1] - keeps[1]).sum()),
            ],
        }

    def save(self, folder: Path) -> None:
        """Write everything needed to go on: a kill leaves the last one whole."""
        folder.mkdir(parents=True, exist_ok=True)
        with whole_file(folder / "joint.npz") as file:
            np.savez(
                file,
                **{part: getattr(self.game.regret, part) for part in CELL_PARTS},
                **{f"sum_{part}": getattr(self.game.total, part) for part in CELL_PARTS},
                iteration=self.game.iteration,
                averaging_delay=self.game.averaging_delay,
                regret_pone=self.discarding[0].regret,
                regret_dealer=self.discarding[1].regret,
                total_pone=self.discarding[0].total,
                total_dealer=self.discarding[1].total,
                discard_iterations=self.discarding[0].iteration,
                means=np.array(self.means),
                corrections=np.array(self.corrections),
                pegging=np.array(self.pegging),
                suited=np.array(self.suited),
                ranges=np.array([self.ranges.pone, self.ranges.dealer]),
                rounds=self.rounds,
                floor=self.floor,
            )

    def load(self, folder: Path) -> bool:
        """Go on from a checkpoint; False where there is none."""
        path = folder / "joint.npz"
        if not path.exists():
            return False
        with np.load(path) as kept:
            self.game.regret = Cells(*(kept[part] for part in CELL_PARTS))
            self.game.total = Cells(*(kept[f"sum_{part}"] for part in CELL_PARTS))
            self.game.iteration = int(kept["iteration"])
            self.game.averaging_delay = int(kept["averaging_delay"])
            for discarding, name in zip(self.discarding, ("pone", "dealer"), strict=True):
                discarding.regret = kept[f"regret_{name}"]
                discarding.total = kept[f"total_{name}"]
                discarding.iteration = int(kept["discard_iterations"])
            self.means = list(kept["means"])
            self.corrections = list(kept["corrections"])
            self.pegging = list(kept["pegging"])
            self.suited = [float(s) for s in kept["suited"]]
            self.ranges.pone, self.ranges.dealer = kept["ranges"]
            self.rounds = int(kept["rounds"])
            self.floor = float(kept["floor"])
        return True


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How what ships was made; the same numbers give the same strategies."""

    rounds: int = 210
    """Rounds of play and discarding together."""
    floor: float = 0.01
    late_floor: float = 0.001
    late_from: int = 176
    """The share of hands dealt at random among the keeps, and the round after which it is smaller."""
    rest: int = 68
    """Then iterations of pegging alone, keeps unchanged."""
    settle: int = 53
    """Then iterations of pegging with averages begun again, so that keeps of early rounds do not count."""


def solve(
    joint: Joint,
    recipe: Recipe,
    *,
    checkpoint: Path | None = None,
    progress: Callable[[str], None] = print,
    every: int = 50,
) -> dict[str, Any]:
    """Follow a recipe from where `joint` stands; figures every `every` iterations."""
    began = saved = time.monotonic()
    whole = recipe.rounds + recipe.rest + recipe.settle
    started = joint.game.iteration
    if joint.rounds == 0:
        joint.discard(20)
        joint.correct()
    while joint.game.iteration < whole:
        joint.floor = recipe.floor if joint.game.iteration < recipe.late_from else recipe.late_floor
        if joint.rounds < recipe.rounds:
            joint.play()
            joint.discard()
            joint.rounds += 1
            if joint.rounds in CORRECTED:
                joint.correct()
        else:
            if joint.game.iteration == recipe.rounds + recipe.rest:
                joint.game.averaging_delay = joint.game.iteration
            joint.play(2)
        done = joint.game.iteration
        if done % every == 0:
            figures = joint.exploitability()
            left = (time.monotonic() - began) / (done - started) * (whole - done)
            progress(
                f"{done} of {whole} iterations, about {left:.0f} s left: exploitability pegging"
                f" {figures['pegging']:.5f} discard {figures['discard']:.5f} deal {figures['deal']:.5f}"
            )
        if checkpoint is not None and time.monotonic() - saved > 50:
            joint.save(checkpoint)
            saved = time.monotonic()
    joint.correct()
    if checkpoint is not None:
        joint.save(checkpoint)
    return joint.exploitability()
