"""Five-card: every discard's figures against deals played out: hand, crib, pegging and the chance of winning.

    python -m tests.measured.five_card_figures --hands 100

As `tests.measured.discard_figures`, by the strategies that ship. Each hand is played with all ten discards on
the same deals, as many with each rank of the starter. Win chances are those of a deal played for points,
before they are moved near the end.
"""

import argparse
import os

# A process uses one core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.discards.discard import options
from fifteentwo.analysis.win.shows import WAYS_OF
from fifteentwo.fast.compiled import compiled
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.variants import FIVE_CARD
from fifteentwo.strategy.board import HALF_LEAD, TARGET, five_card_board
from lab.board.deal import KERNELS
from lab.five_card.chances import Solution, play_deals
from lab.measure.rollouts import point_play_chances
from tests.measured.discard_figures import Compared, Floats, points_made, print_table

BOARDS = ((0, 3), (3, 0), (30, 30), (45, 45), (40, 52), (54, 50))
COLUMNS = ("hand", "crib", "pegging", *(f"win {own}-{other}" for own, other in BOARDS))
WAYS = WAYS_OF[5]


def shown(five: tuple[int, ...], dealer: bool) -> Floats:
    """(columns, 10) what is printed for each discard."""
    held = tuple(DECK[card] for card in five)
    found = {option.discard: option for option in options(held, own_crib=dealer, rules=FIVE_CARD)}
    ordered = [found[tuple(held[place] for place in way)] for way in WAYS]
    points = [(one.hand.mean, one.crib.mean, one.pegging or 0.0) for one in ordered]
    wins = [point_play_chances(held, dealer=dealer, board=board) for board in BOARDS]
    return np.concatenate([np.array(points).T, np.array(wins)])


def wins_made(events: npt.NDArray[np.int16], dealer: bool) -> Floats:
    """(boards, deals) the chance of winning after each deal."""
    # The race to 61 is one to 121 begun at 60–60.
    net, paid = np.zeros((1, TARGET, TARGET)), np.ones((1, TARGET))
    net[0, HALF_LEAD:, HALF_LEAD:] = five_card_board().game
    wins = np.zeros((len(BOARDS), len(events)))
    for row, board in enumerate(BOARDS):
        dealers, pones = (HALF_LEAD + score for score in (board if dealer else board[::-1]))
        made = np.zeros((len(events), 1))
        compiled(KERNELS).outcomes(events, dealers, pones, net, paid, made)
        wins[row] = (1 + (made[:, 0] if dealer else -made[:, 0])) / 2
    return wins


def dealt(five: tuple[int, ...], dealer: bool, starter: int, deals: int, seed: int) -> npt.NDArray[np.uint8]:
    """(deals, 11) these five cards, a starter of this rank, and five others."""
    chance = np.random.default_rng([seed, starter, dealer])
    turned = chance.choice([card for card in range(4 * starter, 4 * starter + 4) if card not in five], deals)
    rest = np.array([card for card in range(52) if card not in five])
    keys = np.where(rest == turned[:, None], 2.0, chance.random((deals, len(rest))))
    others = rest[np.argpartition(keys, 5, axis=1)[:, :5]]
    own = np.broadcast_to(np.array(five), (deals, 5))
    return np.column_stack([*((others, own) if dealer else (own, others)), turned]).astype(np.uint8)


def main() -> None:
    """Compare, and print a table for each role."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--hands", type=int, default=100)
    asked.add_argument("--deals", type=int, default=20_000, help="for each discard, over all starters")
    asked.add_argument("--seed", type=int, default=1)
    how = asked.parse_args()
    found, luck = Solution(), np.random.default_rng(how.seed)
    hands = [tuple(sorted(luck.choice(52, 5, replace=False).tolist())) for _ in range(how.hands)]
    deals = how.deals // 13
    means = np.zeros((how.hands, 2, len(COLUMNS), len(WAYS)))
    spread = np.zeros_like(means)
    for starter in range(13):
        strategies = found.strategies(found.cells(starter))
        for place, five in enumerate(hands):
            often = (4 - sum(card >> 2 == starter for card in five)) / 47
            if not often:
                continue
            for dealer in (0, 1):
                cards = dealt(five, bool(dealer), starter, deals, how.seed + place)
                for way, (one, two) in enumerate(WAYS):
                    chosen = np.full((deals, 2), -1, np.int8)
                    chosen[:, dealer] = 5 * one + two
                    chance = np.random.default_rng([how.seed, place, starter, dealer])
                    events, _ = play_deals(cards, chosen, strategies, chance)
                    made = np.concatenate(
                        [points_made(events, bool(dealer)), wins_made(events, bool(dealer))]
                    )
                    means[place, dealer, :, way] += often * made.mean(axis=1)
                    spread[place, dealer, :, way] += often**2 * made.var(axis=1) / deals
    for dealer, role in enumerate(("pone", "dealer")):
        lot = [
            Compared(
                shown(five, bool(dealer)), means[place, dealer], np.sqrt(spread[place, dealer]), (0, 0), 0.0
            )
            for place, five in enumerate(hands)
        ]
        print_table(f"{role}, {how.hands} hands", lot, COLUMNS)


if __name__ == "__main__":
    main()
