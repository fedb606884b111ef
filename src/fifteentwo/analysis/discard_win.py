"""The chance to win a game to 121 by how two cards are laid away: an estimate on top of the race by score.

Exact in the kept hand, the crib and the order of the show. Estimated: points of the play scatter about their
mean as rare events do; the other side's hand is any that its best discards keep; hands, crib and play are
taken as independent; heels are left out.
"""

from functools import cache
from math import exp, factorial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fifteentwo.analysis.discard import Option
from fifteentwo.book import board as race
from fifteentwo.book import laying_away as equilibrium
from fifteentwo.book.means import averages

TARGET = 121
Chances = NDArray[np.float64]


def win_chance(option: Option, own_crib: bool, board: tuple[int, int]) -> float:
    """The chance to win from this board, own points first, both below 121. About 0.1 ms.

    >>> from fifteentwo.analysis.discard import options
    >>> from fifteentwo.rules.cards import cards
    >>> held = options(cards("5H 5S 6D 7C JC KD"), own_crib=False)
    >>> win_chance(held[0], False, (110, 60)) > win_chance(held[0], False, (60, 110))
    True
    """
    pegged = equilibrium.mean_pegging(
        [int(card.rank) for card in option.keep], "dealer" if own_crib else "pone"
    )
    hand, crib = _chances(option.hand.weights), _chances(option.crib.weights)
    # In the show pone counts first, so a dealer's hand and crib count together, after it.
    if own_crib:
        mine, theirs = np.convolve(hand, crib), _chances(averages().pone_hands)
    else:
        mine, theirs = hand, np.convolve(_chances(averages().dealer_hands), crib)
    own_played = _capped(np.convolve(_at(board[0]), _pegs(pegged.own, dealer=own_crib)))
    other_played = _capped(np.convolve(_at(board[1]), _pegs(pegged.opponent, dealer=not own_crib)))
    own_out, other_out = own_played[TARGET], other_played[TARGET]
    own_shown = _capped(np.convolve(own_played[:TARGET], mine))
    other_shown = _capped(np.convolve(other_played[:TARGET], theirs))
    shown = own_shown @ _worth(own_crib) @ other_shown
    # Which of two that both get there in the play was first cannot be told from the means.
    found = float(shown + own_out * (1 - other_out) + own_out * other_out / 2)
    return min(max(found, 0.0), 1.0)


@cache
def _worth(own_crib: bool) -> Chances:
    """The chance to win by both scores after the show, 121 for whoever got there: (122, 122), own first."""
    net = race.board().game.astype(np.float64)
    # The dealer of the next deal is the other side; the board has the dealer's net games by dealer and pone.
    next_deal = (1 - net.T) / 2 if own_crib else (1 + net) / 2
    worth = np.zeros((TARGET + 1, TARGET + 1))
    worth[:TARGET, :TARGET] = next_deal
    worth[TARGET, :] = 1.0
    # Pone counts first and wins where both would get there (R91).
    worth[TARGET, TARGET] = 0.0 if own_crib else 1.0
    return worth


def _at(points: int) -> Chances:
    sure = np.zeros(points + 1)
    sure[points] = 1.0
    return sure


def _capped(chances: Chances) -> Chances:
    """Chances of each score, 121 for all that get there: (122,)."""
    capped = np.zeros(TARGET + 1)
    capped[: min(len(chances), TARGET)] = chances[:TARGET]
    capped[TARGET] = chances[TARGET:].sum()
    return capped


def _pegs(mean: float, *, dealer: bool) -> Chances:
    """Chances of each number of points in the play: Poisson of this mean; a dealer never pegs 0 (C21)."""
    least = 1 if dealer else 0
    each = max(mean - least, 0.0)
    chances = np.array([each**points * exp(-each) / factorial(points) for points in range(24)])
    return np.concatenate([np.zeros(least), chances / chances.sum()])


def _chances(weights: ArrayLike) -> Chances:
    counted = np.asarray(weights, np.float64)
    chances: Chances = counted / counted.sum()
    return chances
