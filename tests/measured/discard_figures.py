"""Compares every discard's figures with played deals: hand, crib, pegging and the chance of winning.

    python -m tests.measured.discard_figures --hands 1000

Random hands, each as pone and as dealer; all fifteen discards are played on the same other cards by the
strategies that ship, the first few hands much longer. Prints column by column, for both lots, the share of
discards whose figure lies within three standard errors of the deals, the mean gap, the root of the mean
square with noise taken out, and the largest gap. Win chances are hundredths, both sides playing for points
to the last as the deals do (near the end another measurement: shown_chances). Last, at 0-0: the part of
hands whose most likely win is another discard than their most points.
"""

import argparse
import os
from typing import NamedTuple

# A process uses one core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.discards.discard import options
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.fast.compiled import compiled
from fifteentwo.rules.cards import DECK
from fifteentwo.strategy.board import TARGET
from fifteentwo.strategy.board import board as board_values
from lab.board.deal import KERNELS, Played
from lab.board.deal_kernels import CARD, CRIB, HAND, KIND_SHIFT, LAST_CARD, POINTS_SHIFT
from lab.measure.rollouts import deals_by_discard, point_play_chances

Floats = npt.NDArray[np.float64]

BOARDS = ((0, 0), (60, 60), (90, 90), (80, 92), (110, 105))
WITHIN = 3.0
COLUMNS = ("hand", "crib", "pegging", *(f"win {own}-{other}" for own, other in BOARDS))


class Compared(NamedTuple):
    """One hand in one role: (columns, 15) figures, means of the deals and their standard errors."""

    shown: Floats
    dealt: Floats
    error: Floats
    most: tuple[int, int]
    """At 0-0 the discards with the best chance of winning and with the most points."""
    lost: float
    """Chance of winning that the second of them loses."""


def compared(six: tuple[int, ...], dealer: bool, deals: int, seed: int) -> Compared:
    """Return one hand's figures both ways."""
    shown, even = _shown(six, dealer)
    means, errors = np.zeros((len(COLUMNS), len(WAYS))), np.zeros((len(COLUMNS), len(WAYS)))
    for way, played in enumerate(deals_by_discard(six, dealer, range(len(WAYS)), deals, seed)):
        made = np.concatenate([points_made(played.events, dealer), _wins(played, dealer)])
        means[:, way] = made.mean(axis=1)
        errors[:, way] = made.std(axis=1) / np.sqrt(deals)
    wins, nets = (np.array(column) for column in even)
    most = int(wins.argmax()), int(nets.argmax())
    return Compared(shown, means, errors, most, float(wins[most[0]] - wins[most[1]]))


def _shown(six: tuple[int, ...], dealer: bool) -> tuple[Floats, tuple[list[float], list[float]]]:
    held = tuple(DECK[card] for card in six)
    found = {option.discard: option for option in options(held, own_crib=dealer, board=BOARDS[0])}
    first = [found[tuple(held[place] for place in way)] for way in WAYS]
    points = [(one.hand.mean, one.crib.mean, one.pegging or 0.0) for one in first]
    wins = [point_play_chances(held, dealer=dealer, board=board) for board in BOARDS]
    shown = [one.win or 0.0 for one in first]
    assert np.allclose(shown, wins[0], atol=1e-6), "at 0-0 every player plays for points alone"
    return np.concatenate([np.array(points).T, np.array(wins)]), (shown, [one.net for one in first])


def points_made(played: npt.NDArray[np.int16], dealer: bool) -> Floats:
    """(3, deals) own hand, crib, own less the other's points of the play, from events."""
    events = played.astype(np.int64)
    side, kind, points = events & 1, events >> KIND_SHIFT & 7, events >> POINTS_SHIFT & 63
    own = side == int(dealer)
    pegged = points * ((kind == CARD) | (kind == LAST_CARD))
    hand, crib = ((points * (kind == one)) for one in (HAND, CRIB))
    whole = (hand * own, crib, np.where(own, pegged, -pegged))
    return np.stack([part.sum(axis=1) for part in whole]).astype(np.float64)


def _wins(played: Played, dealer: bool) -> Floats:
    """(boards, deals) hundredths of win chance by board."""
    net, paid = board_values().game.astype(np.float64)[None], np.ones((1, TARGET))
    wins = np.zeros((len(BOARDS), len(played.events)))
    for row, board in enumerate(BOARDS):
        dealers, pones = board if dealer else board[::-1]
        made = np.zeros((len(played.events), 1))
        compiled(KERNELS).outcomes(played.events, dealers, pones, net, paid, made)
        wins[row] = (1 + (made[:, 0] if dealer else -made[:, 0])) / 2
    return wins


def print_table(title: str, found: list[Compared], columns: tuple[str, ...] = COLUMNS) -> None:
    """Print the differences of figures and played deals, column by column."""
    print(f"{title:<28}{'within 3 s.e.':>14}{'mean gap':>10}{'rms less noise':>16}{'largest':>9}{'s.e.':>9}")
    for row, name in enumerate(columns):
        unit = 100.0 if name.startswith("win") else 1.0
        gap = unit * np.array([one.shown[row] - one.dealt[row] for one in found])
        error = unit * np.array([one.error[row] for one in found])
        within = float((np.abs(gap) <= WITHIN * error + 1e-9).mean())
        rest = float(np.sqrt(max((gap**2 - error**2).mean(), 0.0)))
        most = float(np.abs(gap).max())
        figures = f"{gap.mean():>+10.4f}{rest:>16.4f}{most:>9.3f}{error.mean():>9.4f}"
        print(f"{name:<28}{100 * within:>12.2f} %{figures}")


def main() -> None:
    """Compare, and print both tables."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--hands", type=int, default=1000)
    asked.add_argument("--deals", type=int, default=1000)
    asked.add_argument("--long", type=int, default=50, help="so many of the hands are played out longer")
    asked.add_argument("--long-deals", type=int, default=20_000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--jobs", type=int, default=1)
    how = asked.parse_args()
    luck = np.random.default_rng(how.seed)
    hands = [tuple(sorted(luck.choice(52, 6, replace=False).tolist())) for _ in range(how.hands)]
    todo = []
    for place, six in enumerate(hands):
        for dealer in (False, True):
            deals = how.long_deals if place < how.long else how.deals
            todo.append(((place, dealer), (six, dealer, deals, how.seed * 1_000_003 + place)))
    with get_executor(how.jobs) as executor:
        found = dict(run_all(executor, compared, todo))
    for title, few in (("played out long", True), ("all others", False)):
        for dealer in (False, True):
            lot = [
                one for (place, role), one in found.items() if (place < how.long) is few and role is dealer
            ]
            if lot:
                print_table(f"{title}, {'dealer' if dealer else 'pone'}, {len(lot)} hands", lot)
    for dealer in (False, True):
        apart = [one.lost for (_, role), one in found.items() if role is dealer and one.lost > 1e-9]
        print(
            f"{'dealer' if dealer else 'pone'} at 0-0: wins-most and points-most differ on "
            f"{100 * len(apart) / how.hands:.1f} % of hands; most it loses {100 * max(apart, default=0):.3f}"
        )


if __name__ == "__main__":
    main()
