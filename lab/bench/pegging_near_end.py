"""The change of win probabilities in pegging near the end, where players peg to win and not for points.

    python -m lab.bench.pegging_near_end --deals 1200

`analysis.pegging.look_ahead` assumes that the other side pegs for points. Here `master` plays against itself
from boards near the end. A logistic regression of the win probabilities after the starter on those before
each seat's first card gives `analysis.win.near_end.PEGGING_CHANGE`.
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
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules.cards import DECK
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


class FirstCard(NamedTuple):
    """The first decision of one seat in pegging."""

    needs: tuple[int, int]
    """Points that this side and the other side need to win."""
    cards_held: int
    """Cards in both hands."""
    win_probability: float
    """Win probability by the look-ahead search, against the shipped strategies."""
    after_starter: float
    """Win probability by `analysis.win` after the starter."""


def board_needs() -> list[tuple[int, int]]:
    """Return the needs (pone's, dealer's) at undecided boards; equal needs appear three times."""
    undecided = undecided_needs(range(1, NEEDS + 1), MIN_CHANCE)
    found = [needs for needs in undecided if min(needs) <= MAX_LESSER_NEED]
    return found + 2 * [needs for needs in found if needs[0] == needs[1]]


def play_deal(needs: tuple[int, int], luck: random.Random) -> Iterator[FirstCard]:
    """Play the discards and the first cards of a deal; yield the first decision of each seat in pegging."""
    deck, front = list(DECK), (121 - needs[PONE], 121 - needs[DEALER])
    luck.shuffle(deck)
    table = Table(rules_for("six-card", first_dealer="named"), lambda _: tuple(deck))
    table.adopt(table.name_dealer(DEALER))
    table.state = replace(table.state, front=front, rear=front, phase=Phase.DEAL, deck_cut=0)
    table.adopt(table.chance_due())
    six = table.state.hands
    players = [player("master", luck.randrange(1 << 30)) for _ in (PONE, DEALER)]
    waiting = [PONE, DEALER]
    while waiting and not table.state.won:
        seat = table.waiting[0]
        seen = view(table.state, seat)
        if seen.phase is Phase.PLAY and seat in waiting:
            waiting.remove(seat)
            assert seen.starter is not None
            way = WAYS.index(tuple([at for at, card in enumerate(six[seat]) if card in seen.discarded]))
            turned = win.prospects(six[seat], seen.is_dealer).after_starter(way, seen.starter)
            after = (1 + float(turned.values(front[seat], front[1 - seat])[0])) / 2
            ahead = (1 + max(look_ahead.LookAhead(seen).chances(games=False).values())) / 2
            short = 121 - seen.front[seat], 121 - seen.front[1 - seat]
            yield FirstCard(short, sum(seen.hand_sizes), ahead, after)
        table.submit(seat, players[seat].act(seen))


def fit(seen: list[FirstCard]) -> float:
    """Return by how much the nearness of the end changes the log-odds of winning."""
    near = [[one.cards_held / 8 * max(1 - max(one.needs) / NEEDS, 0.0)] for one in seen]
    after = np.array([one.after_starter for one in seen])
    ahead = log_odds(np.clip([one.win_probability for one in seen], MIN_PROBABILITY, 1 - MIN_PROBABILITY))
    return round(float(fit_log_odds(np.array(near), ahead, after, RIDGE * np.eye(1), NEWTON_STEPS)[0]), 2)


def main() -> None:
    """Print the fitted number of both roles together."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--deals", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    look_ahead.prepare()
    luck, known = random.Random(given.seed), board_needs()
    deals = [play_deal(luck.choice(known), luck) for _ in range(given.deals)]
    print(fit([one for deal in deals for one in deal]))


if __name__ == "__main__":
    main()
