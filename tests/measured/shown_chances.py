"""Do both seats' chances of winning add up to one, and what are the results of `master` against itself?

    python -m tests.measured.shown_chances --deals 500                 before discards, ten boards
    python -m tests.measured.shown_chances --pegging --deals 500       at the beginning of pegging
    python -m tests.measured.shown_chances --hand "5H 5S 6D 7C JC KD" --boards 118-118 --deals 500
    python -m tests.measured.shown_chances --variant five-card --boards 3-0,30-30,50-50 --deals 500

Deals are played by `master` in both seats from a board; in five-card it plays the solution, for points. A
deal counts for the value of the board after it, which has less noise than the rest of the game. Chances are
those that reviews and hints print, in hundredths.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from fifteentwo.analysis.pegging import look_ahead
from fifteentwo.analysis.review.hint import card_values
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.shows import WAYS_OF
from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import DECK, Card, cards
from fifteentwo.rules.events import DealEnded
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View, view
from fifteentwo.strategy.board import board as board_values
from fifteentwo.strategy.board import five_card_board

BOARDS = tuple((score, score) for score in (100, 102, 105, 108, 110, 112, 114, 116, 118, 120))
PEGGING = ((0, 0), (60, 60), (90, 90))
PONE, DEALER = 0, 1
STAGES = ("dealt", "discarded", "turned", "pegging")
Floats = npt.NDArray[np.float64]


class Deal(NamedTuple):
    """Chances of one deal, pone's and then dealer's."""

    dealt: tuple[float, float]
    """With six cards and the best discard."""
    discarded: tuple[float, float]
    """With the discard that was chosen."""
    turned: tuple[float, float]
    """After the starter; the result if heels won the game."""
    pegging: tuple[float, float]
    """At each seat's first card; the result of the deal if the seat played none."""
    pone: float
    """The result of the deal for the pone."""


def dealt_at(
    board: tuple[int, int], seed: int, hand: Sequence[Card] = (), until: int = 9, variant: str = "six-card"
) -> Deal:
    """Play one deal at a board until `until` chances are known. hand: the pone's cards."""
    luck = random.Random(f"told/{seed}")
    deck = [card for card in DECK if card not in hand]
    luck.shuffle(deck)
    # The pone's cards are dealt first, third, ...
    for place, card in zip(range(0, 12, 2), hand, strict=False):
        deck.insert(place, card)
    rules = rules_for(variant, first_dealer="named")
    table = Table(rules, lambda _: tuple(deck))
    table.adopt(table.name_dealer(DEALER))
    table.state = replace(table.state, front=board, rear=board, phase=Phase.DEAL, deck_cut=0)
    table.adopt(table.chance_due())
    players = [player("master", seed), player("master", seed + 1)]
    found: dict[tuple[str, int], float] = {}
    six: dict[int, tuple[Card, ...]] = {}
    while not table.over and table.state.deal < 2:
        if len(found) >= until:
            break
        seat = table.waiting[0]
        seen = view(table.state, seat)
        action = players[seat].act(seen)
        match action:
            case Discard():
                scores, race = (board[seat], board[1 - seat]), win.race_of(rules)
                chances = win.chances(seen.hand, dealer=seen.is_dealer, board=scores, payoff=race)
                way = WAYS_OF[len(seen.hand)].index(
                    tuple([at for at, card in enumerate(seen.hand) if card in action.cards])
                )
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
    dealt, discarded, turned, pegging = (
        (found.get((stage, PONE), pone), found.get((stage, DEALER), 1 - pone)) for stage in STAGES
    )
    return Deal(dealt, discarded, turned, pegging, pone)


def _best_card(seen: View) -> float:
    """Return the win probability of the best card."""
    return max([value.win or 0.0 for value in card_values(seen).values.values()])


def _after_starter(seen: View, six: tuple[Card, ...], board: tuple[int, int]) -> float:
    way = WAYS_OF[len(six)].index(tuple([at for at, card in enumerate(six) if card in seen.discarded]))
    # Heels are counted from the board on.
    own, other = board[seen.seat], board[1 - seen.seat]
    assert seen.starter is not None
    prospects = win.prospects(six, seen.is_dealer).after_starter(way, seen.starter)
    return float(1 + prospects.values(own, other, win.race_of(seen.rules))[0]) / 2


def _outcome(table: Table) -> float:
    state = table.state
    if state.won is not None:
        return float(state.won.side == PONE)
    if state.deal < 2 and state.phase is not Phase.CUT:
        return float("nan")
    # The pone of this deal deals the next.
    return float(1 + win.after_deal(win.race_of(state.rules), False, False)[state.front]) / 2


def mean(chances: Sequence[float] | Floats) -> str:
    values = 100 * np.asarray(chances, np.float64)
    return f"{values.mean():6.2f} ± {values.std(ddof=1) / np.sqrt(len(values)):4.2f}"


def shown(board: tuple[int, int], deals: Sequence[Deal], variant: str) -> Iterator[str]:
    """Yield the results of a board's deals."""
    net = five_card_board().game if variant == "five-card" else board_values().game
    values = 50 - 50 * float(net[board[1], board[0]])
    yield f"{board[0]}–{board[1]}: board {values:.2f} for the pone, {len(deals)} deals"
    for name in STAGES:
        both = np.array([getattr(deal, name) for deal in deals])
        if np.isnan(both).any():
            return
        pone, dealer, together = mean(both[:, 0]), mean(both[:, 1]), mean(both.sum(axis=1))
        yield f"  {name:10} pone {pone}  dealer {dealer}  sum {together}"
    jump = np.array([deal.pegging for deal in deals]) - np.array([deal.turned for deal in deals])
    yield f"  jump       pone {mean(jump[:, 0])}  dealer {mean(jump[:, 1])}"
    yield f"  came of it pone {mean([deal.pone for deal in deals])}"


def main() -> None:
    """Boards, one after another."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--boards", help="as 114-114,117-117, pone's points first")
    parser.add_argument("--pegging", action="store_true", help="only until pegging has begun")
    parser.add_argument("--discards", action="store_true", help="only until both have discarded")
    parser.add_argument("--hand", default="", help="the pone's six cards")
    parser.add_argument("--variant", choices=["six-card", "five-card"], default="six-card")
    given = parser.parse_args()
    boards = [tuple(map(int, board.split("-"))) for board in (given.boards or "").split(",") if board]
    hand = cards(given.hand) if given.hand else ()
    until = 4 if given.discards else 8 if given.pegging else 9
    look_ahead.prepare()
    wanted = [(pone, dealer) for pone, dealer in boards or (PEGGING if given.pegging else BOARDS)]
    deals: dict[tuple[int, int], list[Deal]] = {board: [] for board in wanted}
    # Every board has the same cards, so that values without a board are computed once.
    for number in range(given.deals):
        for board in wanted:
            deals[board].append(dealt_at(board, given.seed + 2 * number, hand, until, given.variant))
    for board in wanted:
        print("\n".join(shown(board, deals[board], given.variant)))


if __name__ == "__main__":
    main()
