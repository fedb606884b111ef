"""The change of win probabilities in pegging near the end, where players peg to win and not for points.

    python -m lab.bench.pegging_near_end --deals 700

`analysis.pegging.look_ahead` assumes that the other side pegs for points. Here `master` plays against itself
from boards near the end. A logistic regression of the results on the win probabilities before each card gives
the four numbers of `analysis.win.near_end.PEGGING_CHANGES`.
"""

import argparse
import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from fifteentwo.analysis.pegging import look_ahead
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.near_end import MIN_PROBABILITY, NEEDS, log_odds
from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.events import DealEnded
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import view
from lab.board.near_end import fit_log_odds, undecided_needs

PONE, DEALER = 0, 1
RIDGE, NEWTON_STEPS = 2.0, 8
"""Penalty and steps of the logistic regression."""
MIN_CHANCE = 0.04
"""Smallest win probability of a side at the boards."""
MAX_LESSER_NEED = 16
"""Largest number of points that the side nearer to the game hole needs."""


class Decision(NamedTuple):
    """A decision of one seat in pegging."""

    seat: int
    needs: tuple[int, int]
    """Points that this side and the other side need to win."""
    cards_held: int
    """Cards in both hands."""
    win_probability: float
    """Win probability by the look-ahead search, against the shipped strategies."""


def board_needs() -> list[tuple[int, int]]:
    """Return the needs (pone's, dealer's) at undecided boards; equal needs appear three times."""
    undecided = undecided_needs(range(1, NEEDS + 1), MIN_CHANCE)
    found = [needs for needs in undecided if min(needs) <= MAX_LESSER_NEED]
    return found + 2 * [needs for needs in found if needs[0] == needs[1]]


def play_deal(needs: tuple[int, int], luck: random.Random) -> tuple[list[Decision], float]:
    """Play one deal; return its decisions in pegging, and the pone's win probability after it."""
    deck, front = list(DECK), (121 - needs[PONE], 121 - needs[DEALER])
    luck.shuffle(deck)
    table = Table(rules_for("six-card", first_dealer="named"), lambda _: tuple(deck))
    table.adopt(table.name_dealer(DEALER))
    table.state = replace(table.state, front=front, rear=front, phase=Phase.DEAL, deck_cut=0)
    table.adopt(table.chance_due())
    players = [player("master", luck.randrange(1 << 30)) for _ in (PONE, DEALER)]
    found = []
    while not table.over:
        seat = table.waiting[0]
        seen = view(table.state, seat)
        if seen.phase is Phase.PLAY:
            values = look_ahead.LookAhead(seen).chances(games=False).values()
            if len(values) > 1:
                short = 121 - seen.front[seat], 121 - seen.front[1 - seat]
                found.append(Decision(seat, short, sum(seen.hand_sizes), (1 + max(values)) / 2))
        if any(isinstance(event, DealEnded) for event in table.submit(seat, players[seat].act(seen))):
            return found, float(1 + win.after_deal("game", False, False)[table.state.front]) / 2
    assert table.state.won is not None
    return found, float(table.state.won.side == PONE)


def decisions_and_results(deals: int, seed: int) -> Iterator[tuple[Decision, float]]:
    """Yield the decisions of random deals, each with its seat's win probability after the deal."""
    luck, known = random.Random(seed), board_needs()
    for _ in range(deals):
        decided, pone = play_deal(luck.choice(known), luck)
        for one in decided:
            yield one, pone if one.seat == PONE else 1 - pone


def fit_role(seen: list[tuple[Decision, float]]) -> list[float]:
    """Return by how much 1 / need, of this side and of the other, changes the log-odds of winning."""
    near = [[one.cards_held / 8 * max(1 / need - 1 / NEEDS, 0.0) for need in one.needs] for one, _ in seen]
    features, came = np.array(near), np.array([after for _, after in seen])
    ahead = log_odds(np.clip([one.win_probability for one, _ in seen], MIN_PROBABILITY, 1 - MIN_PROBABILITY))
    moves = fit_log_odds(features, ahead, came, RIDGE * np.eye(2), NEWTON_STEPS)
    return [round(float(move), 2) for move in moves]


def main() -> None:
    """Print the two fitted numbers of each role."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--deals", type=int, default=700)
    parser.add_argument("--seed", type=int, default=101)
    given = parser.parse_args()
    look_ahead.prepare()
    seen = list(decisions_and_results(given.deals, given.seed))
    for seat, role in ((PONE, "pone"), (DEALER, "dealer")):
        print(role, fit_role([one for one in seen if one[0].seat == seat]))


if __name__ == "__main__":
    main()
