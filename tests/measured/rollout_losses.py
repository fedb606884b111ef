"""The loss of a card chosen by rollouts, by the number of sampled hands, with three and four players.

    python -m tests.measured.rollout_losses four-handed --games 26 --seed 21

Half of the choices in games of club players, each judged by 12,000 other sets; hundredths of win chance and
milliseconds of a core, means and standard errors.
"""

import argparse
import random
import time
from functools import partial

import numpy as np

from fifteentwo.analysis.discards.kept_hands import kept_ratios
from fifteentwo.analysis.rollouts import playouts
from fifteentwo.analysis.win.race import ChanceAfterPegging
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table, seeded
from fifteentwo.players.club import Club
from fifteentwo.rules.actions import Play, SeatAction
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View, go_bounds

SETS = (384, 768, 1536)
JUDGES = 12_000
NEVER = 1e9
"""Standard errors by which no card trails another."""
PART = 0.5
"""The choices that are judged."""


class Judged:
    """A club player whose choices are judged, and what a player by rollouts would choose in its place."""

    def __init__(self, seed: int, losses: list[list[float]], seconds: list[list[float]]) -> None:
        self._club = Club(seed)
        self._luck = random.Random(seed)
        self._losses, self._seconds = losses, seconds

    def act(self, view: View) -> SeatAction:
        action = self._club.act(view)
        if (
            isinstance(action, Play)
            and len({card.rank for card in view.playable}) > 1
            and self._luck.random() < PART
        ):
            self._judge(view, action.card.index >> 2)
        return action

    def _judge(self, view: View, by_club: int) -> None:
        values = partial(
            playouts.card_values,
            view,
            go_bounds(view),
            kept_ratios(view.rules.variant),
            payoff=ChanceAfterPegging(view),
        )
        picks, spent = [by_club], []
        for number in SETS:
            began = time.process_time()
            found = values(luck=random.Random(self._luck.random()), number=number)
            spent.append(time.process_time() - began)
            picks.append(max(found, key=lambda rank: (found[rank], rank)))
        self._seconds.append(spent)
        judged = dict.fromkeys(picks, 0.0)
        if len(judged) > 1:
            certain, playouts.CERTAIN = playouts.CERTAIN, NEVER
            judged = values(luck=random.Random(self._luck.random()), number=JUDGES)
            playouts.CERTAIN = certain
        self._losses.append([max(judged.values()) - judged[pick] for pick in picks])


def main() -> None:
    """Print a line for club players and for each number of sets."""
    parser = argparse.ArgumentParser()
    parser.add_argument("variant")
    parser.add_argument("--games", type=int, default=26)
    parser.add_argument("--seed", type=int, default=21)
    given = parser.parse_args()
    rules = rules_for(given.variant)
    playouts.prepare()
    losses: list[list[float]] = []
    seconds: list[list[float]] = []
    for game in range(given.games):
        players = [
            Judged(1000 * given.seed + 10 * game + seat, losses, seconds) for seat in range(rules.seats)
        ]
        play_out(Table(rules, seeded(f"{given.seed}-{game}")), players)
    lost, spent = 100 * np.array(losses), 1000 * np.array(seconds)
    means, errors = lost.mean(axis=0), lost.std(axis=0, ddof=1) / len(lost) ** 0.5
    print(f"{given.variant}: {len(lost)} choices")
    print(f"club: {means[0]:.3f} ± {errors[0]:.3f}")
    for at, number in enumerate(SETS, start=1):
        change = lost[:, at] - lost[:, 2]
        error = change.std(ddof=1) / len(lost) ** 0.5
        print(
            f"{number} sets: {means[at]:.3f} ± {errors[at]:.3f}, {spent[:, at - 1].mean():.1f} ms; "
            f"against 768: {change.mean():+.3f} ± {error:.3f}"
        )


if __name__ == "__main__":
    main()
