"""The induction of the board values, from the game hole backwards.

Net games are the dealer's: 2 × win probability − 1, or more if losers pay for skunks
(`strategy.board.games_paid`).
"""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from fifteentwo.strategy.board import TARGET, Payoff, pays
from lab.board.deal import DEALER, PONE, Tally

Floats = NDArray[np.float64]
Cell = tuple[int, int]
"""A board at the start of a deal: (dealer's score, pone's score)."""

PAYOFFS: tuple[Payoff, ...] = ("game", "skunk", "double")
"""Payoffs of the six-card board values: without skunks, with skunks, and with double skunks."""


def loser_pays() -> Floats:
    """(3, 121) games that a loser pays, [payoff, loser's score] (R18, R20)."""
    return np.stack([pays(payoff) for payoff in PAYOFFS])


class DealProbabilities:
    """How probable each result of one deal is, in several sets of deals."""

    def __init__(self, counts: Iterable[Tally], deals_in_set: int | None = None) -> None:
        """Compute each set's probabilities from its tally. deals_in_set: by default the tally's deals."""
        sets = list(counts)
        number = np.array([deals_in_set or one.deals for one in sets], np.float64)[:, None, None]
        dealer, pone = np.argwhere(sum(one.ended for one in sets)).max(axis=0)
        x, y = int(dealer) + 1, int(pone) + 1
        self.span = x, y
        # [set, dealer's points, pone's points]: of the end of a deal, and of one side's first points there.
        self.ended = np.stack([one.ended[:x, :y] for one in sets]) / number
        self.dealer_first = np.stack([one.reached[DEALER, :x, :y] for one in sets]) / number
        self.pone_first = np.stack([one.reached[PONE, :y, :x].T for one in sets]) / number

    def value(self, cell: Cell, net: Floats, pays: Floats) -> Floats:
        """Return the dealer's expected net games (won less lost) at one board: (sets, payoffs).

        net: (sets, payoffs, target, target), [dealer's score, pone's score], known for later boards; pays:
        (payoffs, target) games that a loser pays, by its score.
        """
        dealer, pone = cell
        far_x, far_y = self.span
        target = pays.shape[1]
        needed, pone_needed = target - dealer, target - pone
        x, y = min(needed, far_x), min(pone_needed, far_y)
        value = -np.einsum(
            "bxy,bkyx->bk", self.ended[:, :x, :y], net[:, :, pone : pone + y, dealer : dealer + x]
        )
        if needed < far_x:
            value += np.einsum("by,ky->bk", self.dealer_first[:, needed, :y], pays[:, pone : pone + y])
        if pone_needed < far_y:
            value -= np.einsum("bx,kx->bk", self.pone_first[:, :x, pone_needed], pays[:, dealer : dealer + x])
        return np.asarray(value)


def diagonals(target: int = TARGET) -> Iterable[list[Cell]]:
    """Yield all boards from 120–120 to 0–0 in lists; a list has the boards with the same sum of scores."""
    for total in range(2 * target - 2, -1, -1):
        yield [
            (dealer, total - dealer)
            for dealer in range(max(0, total - target + 1), min(total, target - 1) + 1)
        ]


def induct(
    counts: Iterable[Tally], pays: Floats | None = None, added: Callable[[Cell, int], Floats] | None = None
) -> Floats:
    """Return the dealer's expected net games at every board: (sets, payoffs, dealer's score, pone's score).

    pays: (payoffs, target) games that a loser pays, by default `loser_pays()`. added: returns the gain
    (payoffs,) from play to win at a board in a set. Forty sets of three payoffs take about four seconds.
    """
    pays = loser_pays() if pays is None else pays
    deals = DealProbabilities(counts)
    target = pays.shape[1]
    net = np.zeros((len(deals.ended), len(pays), target, target))
    for cells in diagonals(target):
        for cell in cells:
            value = deals.value(cell, net, pays)
            if added is not None:
                value += np.stack([added(cell, number) for number in range(len(value))])
            net[:, :, cell[0], cell[1]] = value
    return net
