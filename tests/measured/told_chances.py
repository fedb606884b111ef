"""Do both seats' chances of winning add up to one, and what does `master` against itself come to?

    python -m tests.measured.told_chances --deals 500                 before discards, ten boards
    python -m tests.measured.told_chances --pegging --deals 500       at the beginning of pegging
    python -m tests.measured.told_chances --hand "5H 5S 6D 7C JC KD" --at 118 118 --deals 500

Deals are played by `master` in both seats from a board. A deal counts for the value of the board after it,
which has less noise than the rest of the game. Chances are those that reviews and hints print, in hundredths.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from fifteentwo.analysis import endgame, look_ahead, win
from fifteentwo.analysis.review import judged
from fifteentwo.analysis.shows import WAYS
from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules.actions import LayAway, Play
from fifteentwo.rules.cards import PACK, Card, cards
from fifteentwo.rules.events import DealEnded
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import variant
from fifteentwo.rules.view import view

BOARDS = tuple((score, score) for score in (100, 102, 105, 108, 110, 112, 114, 116, 118, 120))
PEGGING = ((0, 0), (60, 60), (90, 90))
PONE, DEALER = 0, 1


class Told(NamedTuple):
    """Chances of one deal, pone's and then dealer's."""

    dealt: tuple[float, float]
    """With six cards, by the best way."""
    discarded: tuple[float, float]
    """By what was discarded."""
    turned: tuple[float, float]
    """After the starter; both what came of it where heels won the game."""
    pegging: tuple[float, float]
    """At each seat's first card; what came of the deal where there was none."""
    pone: float
    """What came of the deal, for the pone."""


def told(board: tuple[int, int], seed: int, hand: Sequence[Card] = (), *, whole: bool = True) -> Told:
    """One deal. board: pone's and dealer's points; hand: the pone's, else random; whole: play it to its end."""
    luck = random.Random(f"told/{board}/{seed}")
    pack = [card for card in PACK if card not in hand]
    luck.shuffle(pack)
    # The pone's cards are dealt first, third, ...
    for place, card in zip(range(0, 12, 2), hand, strict=False):
        pack.insert(place, card)
    table = Table(variant("six-card", first_dealer="named"), lambda _: tuple(pack))
    table.adopt(table.name_dealer(DEALER))
    table.state = replace(table.state, front=board, rear=board, phase=Phase.DEAL, pack_cut=0)
    table.adopt(table.chance_due())
    players = [player("master", seed), player("master", seed + 1)]
    found: dict[tuple[str, int], float] = {}
    six: dict[int, tuple[Card, ...]] = {}
    while not table.over and table.state.deal < 2:
        if not whole and len(found) == 8:
            break
        seat = table.waiting[0]
        seen = view(table.state, seat)
        action = players[seat].act(seen)
        match action:
            case LayAway():
                chances = win.throws(seen.hand, dealer=seen.is_dealer, board=(board[seat], board[1 - seat]))
                way = WAYS.index(tuple([at for at, card in enumerate(seen.hand) if card in action.cards]))
                six[seat] = seen.hand
                found["dealt", seat], found["discarded", seat] = float(chances.max()), float(chances[way])
            case Play() if ("pegging", seat) not in found:
                if len(found) == 4:
                    for each in (PONE, DEALER):
                        found["turned", each] = _after_starter(view(table.state, each), six[each], board)
                found["pegging", seat] = _best_card(seen)
            case _:
                pass
        events = table.submit(seat, action)
        if any(isinstance(event, DealEnded) for event in events):
            break
    pone = _outcome(table)
    both = [pone, 1 - pone]
    stages = ("dealt", "discarded", "turned", "pegging")
    rows = [tuple(found.get((stage, seat), both[seat]) for seat in (PONE, DEALER)) for stage in stages]
    return Told(*rows, pone)  # type: ignore[arg-type]


def _best_card(seen) -> float:
    return (1 + max(look_ahead.Answers(seen).chances(games=False).values())) / 2


def _after_starter(seen, six: tuple[Card, ...], board: tuple[int, int]) -> float:
    way = WAYS.index(tuple([at for at, card in enumerate(six) if card in seen.laid_away]))
    own, other = seen.front[seen.seat], seen.front[1 - seen.seat]
    if board[seen.seat] != own or board[1 - seen.seat] != other:
        own, other = board[seen.seat], board[1 - seen.seat]
    prospects = win.prospects(six, seen.is_dealer).after_starter(way, seen.starter)
    return float(1 + prospects.values(own, other)[0]) / 2


def _outcome(table: Table) -> float:
    state = table.state
    if state.won is not None:
        return float(state.won.side == PONE)
    if state.phase is Phase.PLAY:
        return float("nan")
    # The pone of this deal deals the next.
    return float(1 + win.after_deal("game", False, False)[state.front]) / 2


def mean(values) -> str:
    values = 100 * np.asarray(values, float)
    return f"{values.mean():6.2f} ± {values.std(ddof=1) / np.sqrt(len(values)):4.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--boards", help="as 114-114,117-117, pone's points first")
    parser.add_argument("--pegging", action="store_true")
    parser.add_argument("--hand", default="")
    given = parser.parse_args()
    if look_ahead.at_hand():
        look_ahead.prepare()
        endgame.prepare()
    boards = PEGGING if given.pegging else BOARDS
    if given.boards:
        boards = [tuple(map(int, board.split("-"))) for board in given.boards.split(",")]
    hand = cards(given.hand) if given.hand else ()
    for board in boards:
        deals = [told(board, given.seed + 2 * n, hand, whole=not given.pegging) for n in range(given.deals)]
        print(f"{board[0]}–{board[1]}: board {50 - 50 * float(_board(board)):.2f}, {given.deals} deals")
        for name in ("dealt", "discarded", "turned", "pegging"):
            both = np.array([getattr(deal, name) for deal in deals])
            print(f"  {name:10} pone {mean(both[:, 0])}  dealer {mean(both[:, 1])}  sum {mean(both.sum(axis=1))}")
        if given.pegging:
            jump = np.array([deal.pegging for deal in deals]) - np.array([deal.turned for deal in deals])
            print(f"  jump       pone {mean(jump[:, 0])}  dealer {mean(jump[:, 1])}")
        print(f"  came of it pone {mean([deal.pone for deal in deals])}", flush=True)


def _board(board):
    from fifteentwo.book.board import board as values

    return values().game[board[1], board[0]]


if __name__ == "__main__":
    main()
