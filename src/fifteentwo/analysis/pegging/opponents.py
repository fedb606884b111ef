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
"""Numbers of the opponent models: the solved strategies ("book"), and the levels of these names."""
NOTICE_PROBABILITY = {CASUAL: 11 / 12, BEGINNER: 2 / 3}
"""Probability that a model notices the points that a card would peg."""
DISCARD_NOISE = {CASUAL: 0.5, BEGINNER: 1.5}
"""Standard deviation, in points, of the error that a model makes about a discard's value."""
_TIE_POINTS = np.array([0.5 - 12**-0.5, 0.5 + 12**-0.5])
"""Two Gauss quadrature points on (0, 1), which break ties among up to four cards exactly evenly."""
AVOIDED_COUNTS = (5, 21)
"""Counts that model `CASUAL` does not leave to the opponent if another card pegs as much."""
POINTS_BOUND = 16
"""A number of points that is higher than any card can peg."""
UNFIT = 2 * POINTS_BOUND
"""The class (`card_classes`) of a card that cannot be played on the count."""
CLASSES = UNFIT + 1
_FIVE_RANK = 4
FILE = "type_gains.table"
"""Name of the table of `pegging_gains`, which `lab.six_card.type_gains` writes."""
GAIN_STEPS = 32.0
"""Integer steps of a point in the table FILE."""


class DiscardPolicy(NamedTuple):
    """How often a model makes each of the 15 discards from each of the 18395 hands of six ranks."""

    kept: Ints
    """(18395, 15) number (0–1819) of the four ranks kept, by dealt ranks and discard."""
    discarded: Ints
    """(18395, 15) number (0–90) of the two ranks discarded, by dealt ranks and discard."""
    frequency: Floats
    """(18395, 15) probability that the model chooses each discard, by dealt ranks."""


@cache
def discard_policy(kind: int, role: Role) -> DiscardPolicy:
    """Return how model `CLUB`, `CASUAL` or `BEGINNER` discards in this role. The first call takes 0.1 s."""
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
            crib = held + (given == _FIVE_RANK).sum(axis=2)
        value = value + (crib if own else -crib)
    best = value.max(axis=1, keepdims=True)
    if kind == CLUB:
        weight = (value >= best - 1e-9).astype(np.float64)
    else:
        # The best of values with Gumbel errors of this standard deviation, for the best with normal ones.
        weight = np.exp((value - best) * (np.pi / 6**0.5 / DISCARD_NOISE[kind]))
    return DiscardPolicy(kept_number, given_number, weight / weight.sum(axis=1, keepdims=True))


@lru_cache(maxsize=64)
def kept_probabilities(kind: int, role: Role, left: tuple[int, ...]) -> Floats:
    """Return (1820,) probabilities that a model keeps each four ranks, dealt from the cards `left` (13,)."""
    if kind == BOOK:
        return kept_and_given(role, left)[0]
    cards = discard_policy(kind, role)
    weight = dealt_ways(left)[:, None] * cards.frequency
    kept: Floats = np.bincount(cards.kept.ravel(), weight.ravel(), 1820).astype(np.float64)
    kept /= kept.sum()
    kept.setflags(write=False)
    return kept


def discard_gains(
    belief: Sequence[float], role: Role, hand: Sequence[Card], discarded: Sequence[Card]
) -> float:
    """Return the mean points that a discard gains if the other side is weaker than the solved strategies.

    belief: probability of each of `MODELS` for the other side; role: of the side that discards.
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
    """Return (91,) mean points that a role's two discards gain if the other side discards by this model."""
    other: Role = "pone" if role == "dealer" else "dealer"
    cards, left = discard_policy(kind, other), (4,) * 13
    often = np.bincount(cards.discarded.ravel(), (dealt_ways(left)[:, None] * cards.frequency).ravel(), 91)
    points = pair_crib_points().reshape(91, 91, 13).mean(axis=2)
    gains: Floats = points @ (often / often.sum() - kept_and_given(other, left)[1])
    return gains if role == "dealer" else -gains


@cache
def pegging_gains() -> Floats:
    """Return (3, 2, 1820) mean pegging points gained against each weaker model, by own role and kept hand.

    Raises:
        DamagedTable: `FILE` is damaged.
    """
    stored = tables(FILE).arrays.get("gains")
    if stored is None or stored.shape != (3, 2, 1820):
        raise DamagedTable(FILE, "it does not hold gains of three models")
    return stored / GAIN_STEPS


class CardComparison(NamedTuple):
    """How `CASUAL` or `BEGINNER` chooses between cards by their classes (`card_classes`).

    The four cases are: the model notices or overlooks the card's points, each with two ways to break ties. A
    card's probability is the sum over the cases of `weight` times the product of `not_preferred` over the
    other cards of the hand.
    """

    not_preferred: Floats
    """(4, CLASSES, CLASSES) by case, classes of two cards: probability that the second is not preferred."""
    weight: Floats
    """(4, CLASSES) probability of each case, by the class of the first card."""


@cache
def card_comparison(kind: int) -> CardComparison:
    """Return how model `CASUAL` or `BEGINNER` compares cards."""
    points = np.tile(np.arange(POINTS_BOUND), 2)
    low = np.repeat([0.0, -1.0], POINTS_BOUND)
    sees, high = NOTICE_PROBABILITY[kind], low + points
    not_preferred, weights = np.ones((4, CLASSES, CLASSES)), np.zeros((4, CLASSES))
    for case, (own, weight) in enumerate(((high, sees), (low, 1 - sees))):
        below, equal = (
            sees * compare(high, own[:, None]) + (1 - sees) * compare(low, own[:, None])
            for compare in (np.less, np.equal)
        )
        for at, middle in enumerate(_TIE_POINTS, start=2 * case):
            not_preferred[at, :UNFIT, :UNFIT] = below + middle * equal
            weights[at, :UNFIT] = weight / 2
    return CardComparison(not_preferred, weights)


def card_class(kind: int, points: int, count: int) -> int:
    """Return a playable card's class for a model `kind`: its points, plus POINTS_BOUND if it is avoided.

    points: what the card pegs; count: the count after it.
    """
    return points + POINTS_BOUND * (kind == CASUAL and count in AVOIDED_COUNTS)


def card_classes(now: Plays, kind: int) -> Ints:
    """Return (plays, 13) each rank's class: its points, plus POINTS_BOUND if the model avoids its count."""
    classes = np.minimum(plays.points(now), POINTS_BOUND - 1).astype(np.int64)
    if kind == CASUAL:
        count = now.public[:, COUNT, None] + VALUES
        classes += POINTS_BOUND * np.isin(count, AVOIDED_COUNTS)
    return np.where(plays.fits(now), classes, UNFIT)


def card_probabilities(now: Plays, kind: int, rests: Ints) -> Floats:
    """Return (plays, 13, rests) probabilities that `CASUAL` or `BEGINNER` plays a rank and keeps a rest."""
    classes = card_classes(now, kind)
    total = np.zeros((len(now.public), 13, len(rests)))
    for not_preferred, weight in zip(*card_comparison(kind), strict=True):
        over = not_preferred[classes[:, :, None], classes[:, None, :]]
        product = np.repeat(weight[classes][:, :, None], len(rests), axis=2)
        for card in rests.T:
            product *= over[:, :, card]
        total += product
    same = 1 + np.equal(rests[None, :, :], np.arange(13)[:, None, None]).sum(axis=2)
    chances: Floats = total * same
    return chances
