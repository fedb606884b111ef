"""The joint solution of six-card discards and pegging; kept hands are the ranges of the pegging."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from lab import cfr
from lab.cfr import BEST_RESPONSE, DEALER, MEASURE, PONE, SIDES, Arrays, HandPoints
from lab.six_card import discards
from lab.six_card.discards import DiscardGame, keep_frequencies
from lab.six_card.pegging import PeggingGame
from lab.six_card.ranges import HANDS, Ranges, floored
from lab.six_card.six_cards import six_cards
from lab.six_card.tree import Tree, build_tree

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

CORRECTED = (15, 40, 90, 200)
"""Rounds after which exact cribs are computed."""
TINY = 1e-12
"""Added to each frequency so that ranges can be fitted."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The numbers of iterations of the shipped solution; the same numbers give the same strategies."""

    rounds: int = 210
    """Rounds of pegging and discards together."""
    floor: float = 0.01
    late_floor: float = 0.001
    late_from: int = 176
    """The share of random hands in the ranges, and the round after which it is smaller."""
    rest: int = 68
    """Further iterations of pegging alone, with the same ranges."""
    settle: int = 53
    """Number of last iterations of pegging, with new averages that leave out the ranges of early rounds."""

    @property
    def iterations(self) -> int:
        """Iterations of pegging in all."""
        return self.rounds + self.rest + self.settle


@dataclass
class Joint(cfr.Joint):
    """The discards of both sides and the pegging under the hands that they keep."""

    recipe: Recipe = field(default_factory=Recipe)
    ranges: Ranges = field(default_factory=Ranges)

    @classmethod
    def fresh(cls, threads: int = 2, tree: Tree | None = None, recipe: Recipe | None = None) -> "Joint":
        """Return a solution without regrets: every discard and every card is equally likely."""
        six = six_cards()
        joint = cls(
            (PeggingGame(tree or build_tree(), threads),),
            (DiscardGame(PONE, threads), DiscardGame(DEALER, threads)),
            recipe=recipe or Recipe(),
        )
        even = np.repeat(six.deals().astype(np.float32)[:, None] / 15, 15, axis=1)
        joint.means = [even.astype(np.float64), even.astype(np.float64)]
        joint.corrections = [np.zeros((len(six.ranks), 15), dtype=np.float32) for _ in SIDES]
        joint.pegging = [np.zeros(HANDS), np.zeros(HANDS)]
        return joint

    @property
    def game(self) -> PeggingGame:
        (game,) = self.games
        assert isinstance(game, PeggingGame)
        return game

    @property
    def done(self) -> int:
        return self.game.iteration

    def keeps(self) -> list[Doubles]:
        """(1820,) keep frequencies of pone and dealer under the average strategies."""
        return [keep_frequencies(mean, six_cards()) for mean in self.means]

    def quick_cribs(self, mean: Doubles) -> Floats:
        return discards.quick_cribs(mean, six_cards(), self._pool)

    def exact_cribs(self, mean: Doubles) -> Floats:
        return discards.exact_cribs(mean, six_cards(), self._pool)

    @property
    def _pool(self) -> Any:
        return self.discards[PONE].pool  # type: ignore[attr-defined]

    def advance(self) -> None:
        if self.rounds == 0:
            self.learn_discards(20)
            self.correct()
        together = self.rounds < self.recipe.rounds
        if self.done == self.recipe.rounds + self.recipe.rest:
            self.game.averaging_delay = self.done
        self.play(4 if together else 2)
        if together:
            self.learn_discards()
            self.rounds += 1
            if self.rounds in CORRECTED:
                self.correct()

    def play(self, fits: int = 4) -> None:
        """Run one iteration of pegging with ranges fitted to the present discards."""
        late = self.done >= self.recipe.late_from
        floor = self.recipe.late_floor if late else self.recipe.floor
        keeps = [floored(keep, floor) for keep in self.keeps()]
        x, y = self.ranges.fit(keeps[PONE], keeps[DEALER], fits)
        pone, dealer = self.game.step((x, y))
        self.pegging = [pone / (self.ranges.ways @ y), dealer / (self.ranges.ways.T @ x)]

    def hand_points(self) -> HandPoints:
        """Measure the pegging of the average strategies, with ranges that contain no random hands."""
        keeps = self.keeps()
        own = Ranges(self.ranges.ways, self.ranges.pone, self.ranges.dealer)
        x, y = own.fit(keeps[PONE] + TINY, keeps[DEALER] + TINY, 100)
        scale = own.ways @ y, own.ways.T @ x
        value, best = (
            [points / ways for points, ways in zip(self.game.values(mode, (x, y)), scale, strict=True)]
            for mode in (MEASURE, BEST_RESPONSE)
        )
        return HandPoints(value, best)

    def exploitability(self, points: HandPoints | None = None) -> dict[str, Any]:
        """Return the mean gains of best responses in points a deal, and the value of pegging to the pone."""
        points = points or self.hand_points()
        value = float(self.keeps()[PONE] @ points.value[PONE])
        return super().exploitability(points) | {"pegging_value": value}

    def arrays(self) -> dict[str, Any]:
        return super().arrays() | {"ranges": np.array([self.ranges.pone, self.ranges.dealer])}

    def restore(self, stored: Arrays) -> None:
        super().restore(stored)
        self.ranges.pone, self.ranges.dealer = stored["ranges"]
