"""The core of the solver against a plain walk over information sets, on a game of two ranks a hand."""

import json
from collections import defaultdict
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from fifteentwo.fast.compiled import has_numba
from fifteentwo.fast.hands import PAIRS, UP2
from lab import cfr
from lab.cfr import DEALER, PONE, SIDES
from tests.lab.commands import run

Doubles = npt.NDArray[np.float64]
RANKS = np.bincount(UP2.ravel(), minlength=91)[UP2].astype(np.float64)


class TwoRanks(cfr.Pegging):
    """The pone plays one of two ranks, the dealer replies; the cards played and left decide the points."""

    hands = cfr.Hands(UP2, 91, RANKS)
    remaining_shape = (13,)

    def __init__(self, points: Doubles) -> None:
        super().__init__(0)
        self.points = points

    def values_after_reply(self, traversal: cfr.Traversal) -> Doubles:
        if traversal.side == PONE:
            return np.asarray(np.einsum("abpd,abd->abp", self.points, np.array(traversal.dealer)))
        return np.asarray(-np.einsum("abpd,ap->abd", self.points, traversal.pone))


def setting() -> tuple[Doubles, tuple[Doubles, Doubles]]:
    """Points, and ranges in which few hands come often and most never."""
    rng = np.random.default_rng(9)
    pone, dealer = (rng.random(91) * (rng.random(91) < 0.2) for _ in SIDES)
    return rng.uniform(-2, 2, (13, 13, 13, 13)), (pone / pone.sum(), dealer / dealer.sum())


class Plain:
    """Discounted regret minimisation, one information set after another."""

    def __init__(self, points: Doubles, ranges: tuple[Doubles, Doubles]) -> None:
        self.points, self.ranges = points, ranges
        self.regret: dict[Any, float] = defaultdict(float)
        self.total: dict[Any, float] = defaultdict(float)

    def chances(self, at: Any, hand: int) -> dict[int, float]:
        """Return the action probabilities in an information set, by rank."""
        ranks = sorted(set(PAIRS[hand].tolist()))
        positive = [max(self.regret[at, hand, rank], 0.0) for rank in ranks]
        whole = sum(positive)
        return {
            rank: one / whole if whole else 1 / len(ranks) for rank, one in zip(ranks, positive, strict=True)
        }

    def step(self, t: int) -> None:
        for side in SIDES:
            values: dict[Any, float] = defaultdict(float)
            hands = [np.flatnonzero(weights).tolist() for weights in self.ranges]
            for pone, dealer in product(*hands):
                for lead, led in self.chances("lead", pone).items():
                    for reply, replied in self.chances(lead, dealer).items():
                        stay = PAIRS[pone].sum() - lead, PAIRS[dealer].sum() - reply
                        points = float(self.points[lead, reply, *stay])
                        if side == PONE:
                            values["lead", pone, lead] += self.ranges[DEALER][dealer] * replied * points
                        else:
                            values[lead, dealer, reply] -= self.ranges[PONE][pone] * led * points
            for at, hand in {key[:2] for key in values}:
                chances = self.chances(at, hand)
                mean = sum(chance * values[at, hand, rank] for rank, chance in chances.items())
                for rank, chance in chances.items():
                    key = at, hand, rank
                    before = self.regret[key]
                    kept = t**1.5 / (t**1.5 + 1) if before > 0 else 0.5
                    self.regret[key] = before * kept + values[key] - mean
                    self.total[key] = self.total[key] * ((t - 1) / t) ** 2 + self.ranges[side][hand] * chance


def test_regrets_and_sums_equal_a_plain_walk_over_information_sets() -> None:
    points, ranges = setting()
    game, plain = TwoRanks(points), Plain(points, ranges)
    for t in range(1, 5):
        game.step(ranges)
        plain.step(t)
    assert len(plain.regret) > 200
    for name in ("regret", "total"):
        cells = getattr(game, name)
        for (at, hand, rank), expected in getattr(plain, name).items():
            stays = int(PAIRS[hand].sum()) - rank
            found = (cells.lead if at == "lead" else cells.reply[at])[rank, stays]
            assert found == pytest.approx(expected, abs=2e-6), (name, at, hand, rank)


def test_average_strategies_become_an_equilibrium_that_best_responses_cannot_beat() -> None:
    points, ranges = setting()
    game = TwoRanks(points)
    gains = []
    for number in (1, 49, 150):
        for _ in range(number):
            game.step(ranges)
        figures = game.exploitability(ranges)
        assert figures["imbalance"] == pytest.approx(0, abs=1e-6)
        assert min(figures["pone_gain"], figures["dealer_gain"]) > -1e-6
        gains.append(figures["exploitability"])
    assert gains[0] > 30 * gains[1] > 100 * gains[2]


def test_later_averages_leave_out_earlier_iterations() -> None:
    points, ranges = setting()
    game = TwoRanks(points)
    for _ in range(3):
        game.step(ranges)
    game.averaging_delay = 3
    held = game.hands.action_probabilities(game.regret.lead)
    game.step(ranges)
    assert game.total.lead == pytest.approx(ranges[PONE][UP2] * held, abs=1e-6)


@pytest.mark.long
@pytest.mark.skipif(not has_numba(), reason="minutes without numba")
def test_the_command_solves_a_small_deck_from_nothing(tmp_path: Any) -> None:
    words = ("solve", "pegging", "--ranks", "5TJ", "--iterations", "25", "--json")
    done = run(*words, "--checkpoint", str(tmp_path))
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    first, last = (gain for _, gain in found["history"])
    assert found["iterations"] == 25
    assert 0 < last < first < 0.1
    again = json.loads(run(*words, "--checkpoint", str(tmp_path)).stdout)
    assert again["exploitability"] == found["exploitability"]
    assert run("solve", "pegging", "--ranks", "5X").exit_code == 2
