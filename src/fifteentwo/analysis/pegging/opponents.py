"""Models of the other side: the equilibrium, and the levels `club`, `casual` and `beginner`.

A model gives the probability of each four ranks kept of six and of each card played. Suits are left out.
`beliefs` uses the models for hands not seen, and `recognition` for earlier deals of the game.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.win.shows import dealt_ways, hand_points, kept_and_given
from fifteentwo.fast import plays
from fifteentwo.fast.crib_weights import pair_crib_points
from fifteentwo.fast.discards import ways
from fifteentwo.fast.hands import PAIRS, number_by_digits, place
from fifteentwo.fast.layout import VALUES
from fifteentwo.fast.play import COUNT
from fifteentwo.fast.plays import Plays
from fifteentwo.fast.show import rank_points
from fifteentwo.rules.cards import Card
from fifteentwo.rules.variants import Variant
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.files import DamagedTable, tables
from fifteentwo.strategy.means import mean_crib
from fifteentwo.strategy.pegging_points import dealt_ranks

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MODELS = BOOK, CLUB, CASUAL, BEGINNER = 0, 1, 2, 3
"""The models."""
NOTICED = {CASUAL: 11 / 12, BEGINNER: 2 / 3}
"""Probability that a model sees the points of a card."""
DISCARD_NOISE = {CASUAL: 0.5, BEGINNER: 1.5}
"""Standard deviation of the error of a discard's value, in points."""
_MIDDLES = np.array([0.5 - 12**-0.5, 0.5 + 12**-0.5])
"""Two Gauss points on (0, 1): exact for ties among up to four cards."""
AVOIDED_COUNTS = (5, 21)
"""Counts that `CASUAL` does not leave if another card pegs as much."""
MAX_POINTS = 16
"""More than a card pegs. A fifth card of a rank would peg more, but nobody holds one."""
UNFIT = 2 * MAX_POINTS
"""The class of a card that does not fit."""
CLASSES = UNFIT + 1
_FIVE = 4
FILE = "type_gains.table"
"""Made by `lab.six_card.type_gains`."""
GAIN_STEPS = 32.0
"""Steps of a point in this table."""


class SixCards(NamedTuple):
    """The discards of a model from every six ranks."""

    kept: Ints
    """(18395, 15) numbers of the four ranks kept by each way to discard."""
    given: Ints
    """(18395, 15) numbers of the two ranks discarded."""
    frequency: Floats
    """(18395, 15) probability of each way."""


@cache
def six_cards(kind: int, role: Role) -> SixCards:
    """Return the discards of `CLUB`, `CASUAL` or `BEGINNER`; the first call takes a tenth of a second."""
    dealt = dealt_ranks()
    given_at, kept_at = ways(6, 2)
    kept, given = dealt[:, kept_at], dealt[:, given_at]
    kept_number = number_by_digits(4)[kept @ 13 ** np.arange(3, -1, -1)]
    given_number = number_by_digits(2)[given @ np.array([13, 1])]
    own = role == "dealer"
    held = rank_points(2)[given @ np.array([13, 1])].astype(np.float64)
    if kind == BEGINNER:
        value = rank_points(4)[kept @ 13 ** np.arange(3, -1, -1)] + (held if own else 0.0)
    else:
        left = np.stack([4 - (dealt == rank).sum(axis=1) for rank in range(13)], axis=1)
        value = np.einsum("nr,rnw->nw", left / 46.0, hand_points()[:, kept_number])
        if kind == CLUB:
            cribs = [mean_crib(Variant.SIX_CARD, own, (one, two)) for one, two in PAIRS.tolist()]
            crib = np.array(cribs)[given_number]
        else:
            crib = held + (given == _FIVE).sum(axis=2)
        value = value + (crib if own else -crib)
    best = value.max(axis=1, keepdims=True)
    if kind == CLUB:
        weight = (value >= best - 1e-9).astype(np.float64)
    else:
        # The best of values with Gumbel errors of this standard deviation, for the best with normal ones.
        weight = np.exp((value - best) * (np.pi / 6**0.5 / DISCARD_NOISE[kind]))
    return SixCards(kept_number, given_number, weight / weight.sum(axis=1, keepdims=True))


@lru_cache(maxsize=64)
def keeps(kind: int, role: Role, left: tuple[int, ...]) -> Floats:
    """Return (1820,) probabilities of the four ranks kept; left: (13,) cards of each rank to deal from."""
    if kind == BOOK:
        return kept_and_given(role, left)[0]
    cards = six_cards(kind, role)
    weight = dealt_ways(left)[:, None] * cards.frequency
    kept: Floats = np.bincount(cards.kept.ravel(), weight.ravel(), 1820).astype(np.float64)
    kept /= kept.sum()
    kept.setflags(write=False)
    return kept


def discard_gains(
    belief: Sequence[float], role: Role, hand: Sequence[Card], discarded: Sequence[Card]
) -> float:
    """Return the points that a discard gains because the other side may be weaker than the equilibrium.

    belief: probabilities of `MODELS`; role: of the side that discards.
    """
    kept, given = (
        place(len(cards))[tuple(sorted([card.index >> 2 for card in cards]))]
        for cards in ([card for card in hand if card not in discarded], discarded)
    )
    pegging: list[float] = pegging_gains()[:, int(role == "dealer"), kept].tolist()
    weaker = [kind for kind in MODELS[1:] if belief[kind] > 0]
    return sum(
        [belief[kind] * (float(crib_gains(kind, role)[given]) + pegging[kind - CLUB]) for kind in weaker]
    )


@cache
def crib_gains(kind: int, role: Role) -> Floats:
    """Return (91,) points that two ranks in the crib gain because a model discards to it."""
    other: Role = "pone" if role == "dealer" else "dealer"
    cards, left = six_cards(kind, other), (4,) * 13
    often = np.bincount(cards.given.ravel(), (dealt_ways(left)[:, None] * cards.frequency).ravel(), 91)
    points = pair_crib_points().reshape(91, 91, 13).mean(axis=2)
    gains: Floats = points @ (often / often.sum() - kept_and_given(other, left)[1])
    return gains if role == "dealer" else -gains


@cache
def pegging_gains() -> Floats:
    """Return (3, 2, 1820) points that pegging gains against each weaker model, by role and hand kept.

    Raises:
        DamagedTable: `FILE` is damaged.
    """
    stored = tables(FILE).arrays.get("gains")
    if stored is None or stored.shape != (3, 2, 1820):
        raise DamagedTable(FILE, "it does not hold gains of three models")
    return stored / GAIN_STEPS


class Notice(NamedTuple):
    """How `CASUAL` or `BEGINNER` compares two cards by their classes; the class of a card is `card_classes`.

    There are four cases of what the model sees of its card. The probability of a card is the sum over the
    cases of the weight times the product over the other cards of the hand.
    """

    not_preferred: Floats
    """(4, CLASSES, CLASSES) probability that a second card is not preferred to a first."""
    weight: Floats
    """(4, CLASSES) of each case, by the class of the first card."""


@cache
def notice(kind: int) -> Notice:
    """Return how a model compares cards."""
    points = np.tile(np.arange(MAX_POINTS), 2)
    low = np.repeat([0.0, -1.0], MAX_POINTS)
    sees, high = NOTICED[kind], low + points
    not_preferred, weights = np.ones((4, CLASSES, CLASSES)), np.zeros((4, CLASSES))
    for case, (own, weight) in enumerate(((high, sees), (low, 1 - sees))):
        below, equal = (
            sees * compare(high, own[:, None]) + (1 - sees) * compare(low, own[:, None])
            for compare in (np.less, np.equal)
        )
        for at, middle in enumerate(_MIDDLES, start=2 * case):
            not_preferred[at, :UNFIT, :UNFIT] = below + middle * equal
            weights[at, :UNFIT] = weight / 2
    return Notice(not_preferred, weights)


def card_class(kind: int, points: int, count: int) -> int:
    """Return the class of a card that fits; count: the count after it."""
    return points + MAX_POINTS * (kind == CASUAL and count in AVOIDED_COUNTS)


def card_classes(now: Plays, kind: int) -> Ints:
    """Return (plays, 13) the class of a card of each rank: its points, more if a model avoids its count."""
    classes = np.minimum(plays.points(now), MAX_POINTS - 1).astype(np.int64)
    if kind == CASUAL:
        count = now.public[:, COUNT, None] + VALUES
        classes += MAX_POINTS * np.isin(count, AVOIDED_COUNTS)
    return np.where(plays.fits(now), classes, UNFIT)


def from_hands(now: Plays, kind: int, rests: Ints) -> Floats:
    """Return (plays, 13, rests) the probability that `CASUAL` or `BEGINNER` plays each rank.

    rests: (rests, cards) the other ranks held; a rank held twice counts twice.
    """
    classes = card_classes(now, kind)
    total = np.zeros((len(now.public), 13, len(rests)))
    for not_preferred, weight in zip(*notice(kind), strict=True):
        over = not_preferred[classes[:, :, None], classes[:, None, :]]
        product = np.repeat(weight[classes][:, :, None], len(rests), axis=2)
        for card in rests.T:
            product *= over[:, :, card]
        total += product
    same = 1 + np.equal(rests[None, :, :], np.arange(13)[:, None, None]).sum(axis=2)
    chances: Floats = total * same
    return chances
