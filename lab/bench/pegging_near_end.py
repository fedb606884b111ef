"""The change of win probabilities in pegging near the end, where players peg to win and not for points.

    python -m lab.bench.pegging_near_end --deals 700

`analysis.pegging.look_ahead` assumes that the other side pegs for points. Here `master` plays against itself
from boards near the end. A logistic regression of the results on the win probabilities before each card gives
the four numbers of `analysis.win.near_end.PEGGING`.
"""

import argparse
import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from fifteentwo.analysis.pegging import look_ahead
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.near_end import LEAST, NEEDS, log_odds
from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.events import DealEnded
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import view
from lab.board.near_end import fit_log_odds, undecided_needs

PONE, DEALER = 0, 1
RIDGE, ROUNDS = 2.0, 8
OPEN = 0.04
MAX_LEAST_NEED = 16
"""Points that the side nearer to the game hole needs at most."""


class Decided(NamedTuple):
    """A decision in pegging."""

    seat: int
    needs: tuple[int, int]
    """Points that this side and the other side need."""
    held: int
    """Cards in both hands."""
    chance: float
    """Win probability by the look-ahead search against the shipped strategies."""


def boards() -> list[tuple[int, int]]:
    """Return the needs of pone and dealer at undecided boards; equal needs appear three times."""
    found = [needs for needs in undecided_needs(range(1, NEEDS + 1), OPEN) if min(needs) <= MAX_LEAST_NEED]
    return found + 2 * [needs for needs in found if needs[0] == needs[1]]


def deal(needs: tuple[int, int], luck: random.Random) -> tuple[list[Decided], float]:
    """Return the decisions of one deal, and the pone's win probability after it."""
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
                found.append(Decided(seat, short, sum(seen.hand_sizes), (1 + max(values)) / 2))
        if any(isinstance(event, DealEnded) for event in table.submit(seat, players[seat].act(seen))):
            return found, float(1 + win.after_deal("game", False, False)[table.state.front]) / 2
    assert table.state.won is not None
    return found, float(table.state.won.side == PONE)


def rows(deals: int, seed: int) -> Iterator[tuple[Decided, float]]:
    """Yield the decisions of a number of deals, each with its seat's win probability after the deal."""
    luck, known = random.Random(seed), boards()
    for _ in range(deals):
        decided, pone = deal(luck.choice(known), luck)
        for one in decided:
            yield one, pone if one.seat == PONE else 1 - pone


def fitted(seen: list[tuple[Decided, float]]) -> list[float]:
    """Return the change of log-odds for each 1 / need, of this side and the other, before the first card."""
    near = [[one.held / 8 * max(1 / need - 1 / NEEDS, 0.0) for need in one.needs] for one, _ in seen]
    features, came = np.array(near), np.array([after for _, after in seen])
    ahead = log_odds(np.clip([one.chance for one, _ in seen], LEAST, 1 - LEAST))
    moves = fit_log_odds(features, ahead, came, RIDGE * np.eye(2), ROUNDS)
    return [round(float(move), 2) for move in moves]


def main() -> None:
    """Print the two numbers of each role."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--deals", type=int, default=700)
    parser.add_argument("--seed", type=int, default=101)
    given = parser.parse_args()
    look_ahead.prepare()
    seen = list(rows(given.deals, given.seed))
    for seat, role in ((PONE, "pone"), (DEALER, "dealer")):
        print(role, fitted([one for one in seen if one[0].seat == seat]))


if __name__ == "__main__":
    main()
