"""How far win chances in pegging move near the end: python -m lab.bench.pegging_near_end --deals 700

`analysis.pegging.look_ahead` takes the other side to peg for points. Here `master` plays against itself from
boards near the end, and what came of the deals is compared with the chances before every card: a logistic
regression, whose four numbers are `analysis.win.near_end.PEGGING`.
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
from fifteentwo.strategy.board import board as board_values

PONE, DEALER = 0, 1
RIDGE, ROUNDS = 2.0, 8
OPEN = 0.04
NEAREST = 16
"""One side at least needs so few points."""


class Decided(NamedTuple):
    """A decision in pegging."""

    seat: int
    needs: tuple[int, int]
    """Own and the other's."""
    held: int
    chance: float
    """By looking ahead against the strategies that ship."""


def boards() -> list[tuple[int, int]]:
    """Pone's and dealer's needs of open boards; the even ones three times as often."""
    game = board_values().game
    found = [
        (x, y)
        for x in range(1, NEEDS + 1)
        for y in range(1, NEEDS + 1)
        if min(x, y) <= NEAREST and abs(float(game[121 - y, 121 - x])) < 1 - 2 * OPEN
    ]
    return found + 2 * [needs for needs in found if needs[0] == needs[1]]


def deal(needs: tuple[int, int], luck: random.Random) -> tuple[list[Decided], float]:
    """The decisions of one deal, and the value of the board after it to the pone."""
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
    """Decisions of so many deals, and what came of each to its seat."""
    luck, known = random.Random(seed), boards()
    for _ in range(deals):
        decided, pone = deal(luck.choice(known), luck)
        for one in decided:
            yield one, pone if one.seat == PONE else 1 - pone


def fitted(seen: list[tuple[Decided, float]]) -> list[float]:
    """How far log-odds move for each 1 / need, own and the other's, with all cards held."""
    near = [[one.held / 8 * max(1 / need - 1 / NEEDS, 0.0) for need in one.needs] for one, _ in seen]
    features, came = np.array(near), np.array([after for _, after in seen])
    ahead = log_odds(np.clip([one.chance for one, _ in seen], LEAST, 1 - LEAST))
    moves = np.zeros(2)
    for _ in range(ROUNDS):
        expected = 1 / (1 + np.exp(-(ahead + features @ moves)))
        weight = np.maximum(expected * (1 - expected), 1e-4)
        normal = (features * weight[:, None]).T @ features + RIDGE * np.eye(2)
        moves += np.linalg.solve(normal, features.T @ (came - expected) - RIDGE * moves)
    return [round(float(move), 2) for move in moves]


def main() -> None:
    """Both roles' numbers."""
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
