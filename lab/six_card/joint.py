"""The joint solution of six-card discards and pegging; kept hands are the ranges of the pegging."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lab import cfr
from lab.cfr import BEST_RESPONSE, DEALER, MEASURE, PONE, SIDES, Arrays, Doubles, Floats, HandPoints
from lab.six_card import discards
from lab.six_card.discards import DiscardGame, keep_frequencies
from lab.six_card.pegging import PeggingGame
from lab.six_card.ranges import HANDS, Ranges, mix_random_hands
from lab.six_card.six_cards import six_cards
from lab.six_card.tree import Tree, build_tree

CRIB_CORRECTION_ROUNDS = (15, 40, 90, 200)
"""Rounds after which exact cribs are computed."""
TINY = 1e-12
"""Added to the frequency of each hand, because ranges can be fitted only to positive frequencies."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Numbers of iterations of a solution; the defaults are those of the shipped tables."""

    rounds: int = 210
    """Number of rounds in which pegging and discards are both updated."""
    floor: float = 0.01
    """Part (0–1) of random hands mixed into the hands that pegging is solved for, at first."""
    late_floor: float = 0.001
    """Part of random hands from iteration `late_from` on, instead of `floor`."""
    late_from: int = 176
    """Iteration from which `late_floor` replaces `floor`."""
    rest: int = 68
    """Number of iterations of pegging alone after the rounds; ranges stay as they are."""
    settle: int = 53
    """Number of last iterations of pegging; only these are averaged."""

    @property
    def iterations(self) -> int:
        """Total number of pegging iterations."""
        return self.rounds + self.rest + self.settle


@dataclass
class Joint(cfr.Joint):
    """A solution of six-card discards and of pegging with the hands that they keep."""

    recipe: Recipe = field(default_factory=Recipe)
    ranges: Ranges = field(default_factory=Ranges)
    """Weights of both sides' hands, fitted to the frequencies of the discards."""

    @classmethod
    def fresh(cls, threads: int = 2, tree: Tree | None = None, recipe: Recipe | None = None) -> "Joint":
        """Return a solution before its first iteration: every discard and every card is equally likely."""
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
    def iterations_done(self) -> int:
        return self.game.iteration

    def keeps(self) -> list[Doubles]:
        """Return (1820,) how often pone and dealer keep each four ranks, by the average discards."""
        return [keep_frequencies(mean, six_cards()) for mean in self.means]

    def approximate_crib_means(self, average_discards: Doubles) -> Floats:
        return discards.approximate_crib_means(average_discards, six_cards(), self._pool)

    def exact_crib_means(self, average_discards: Doubles) -> Floats:
        return discards.exact_crib_means(average_discards, six_cards(), self._pool)

    @property
    def _pool(self) -> Any:
        return self.discards[PONE].pool  # type: ignore[attr-defined]

    def run_iteration(self) -> None:
        if self.rounds == 0:
            self.update_discards(20)
            self.correct_cribs()
        together = self.rounds < self.recipe.rounds
        if self.iterations_done == self.recipe.rounds + self.recipe.rest:
            self.game.averaging_delay = self.iterations_done
        self.run_pegging_iteration(4 if together else 2)
        if together:
            self.update_discards()
            self.rounds += 1
            if self.rounds in CRIB_CORRECTION_ROUNDS:
                self.correct_cribs()

    def run_pegging_iteration(self, fits: int = 4) -> None:
        """Run one iteration of pegging, with ranges fitted in `fits` rounds to the present discards."""
        late = self.iterations_done >= self.recipe.late_from
        floor = self.recipe.late_floor if late else self.recipe.floor
        keeps = [mix_random_hands(keep, floor) for keep in self.keeps()]
        x, y = self.ranges.fit(keeps[PONE], keeps[DEALER], fits)
        pone, dealer = self.game.step((x, y))
        self.pegging = [pone / (self.ranges.ways @ y), dealer / (self.ranges.ways.T @ x)]

    def hand_points(self) -> HandPoints:
        """Return the points that each hand pegs under the average strategies, without random hands."""
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
        """Return what best responses gain, in points a deal, and "pegging_value", the pone's net points."""
        points = points or self.hand_points()
        value = float(self.keeps()[PONE] @ points.value[PONE])
        return super().exploitability(points) | {"pegging_value": value}

    def checkpoint_arrays(self) -> dict[str, Any]:
        return super().checkpoint_arrays() | {"ranges": np.array([self.ranges.pone, self.ranges.dealer])}

    def restore_checkpoint(self, stored: Arrays) -> None:
        super().restore_checkpoint(stored)
        self.ranges.pone, self.ranges.dealer = stored["ranges"]
