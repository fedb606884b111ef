"""The value of a card in pegging, in any variant, by rollouts.

Hands of the other seats are drawn from the unseen cards by the probability that they are kept and that their
seats played as they did. After that every seat plays like a club player. Values are points of the own side
less the weighted points of the others, or the result of an `AfterPegging`. With compiled kernels a decision
takes a few milliseconds. The first one on a machine compiles for about 12 s; a server compiles in another
process (`background_compilation`).
"""

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from fifteentwo.analysis.pegging import compiled_search
from fifteentwo.analysis.pegging.possible_play import check_play
from fifteentwo.analysis.rollouts import playouts_kernels
from fifteentwo.analysis.rollouts.playouts_kernels import (
    BEGINS,
    SETTLED,
    Draw,
    Now,
    Scoring,
    Table,
    empty_table,
    in_lists,
)
from fifteentwo.analysis.win.counting import VALUES, unseen
from fifteentwo.background_compilation import kernels
from fifteentwo.fast.compiled import compiled
from fifteentwo.rules.variants import Rules, Variant
from fifteentwo.rules.view import View
from fifteentwo.strategy.pegging import ImpossiblePlay

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

AfterPegging = Callable[[Ints, Ints], Floats]
"""A function of kept hands (n, seats, 13) and pegged points (n, cards, sides) that returns the value of each
deal with each tried card, (n, cards)."""
UNREACHABLE_POINTS = 10**6
"""A target in points that no side can reach, for pegging that a win does not end."""

KERNELS = "fifteentwo.analysis.rollouts.playouts_kernels"
CARDS = 384
"""Sampled deals in which cards are first compared. Chosen for speed, like the next constants."""
CLOSE_CARDS = 2 * CARDS
"""Sampled deals in which cards of nearly equal value are compared."""
CANDIDATES_PER_SAMPLE = 3
"""Deals drawn at random for each sampled deal; the probable ones are picked from them."""
ROUNDS = 6
"""Rounds into which sampled deals are divided; clearly worse cards are dropped after each."""
DROP_STANDARD_ERRORS = 2.5
"""Standard errors by which a card must be worse than the best one to be dropped."""


def prepare() -> None:
    """Load the rollout kernels; compile them first if they are not stored."""
    module = compiled(KERNELS)
    none, rank, seats = np.zeros(0, np.int64), np.zeros(13, np.int64), np.zeros(2, np.int64)
    hands, pegged = np.zeros((0, 2, 13), np.int64), np.zeros((0, 1, 2), np.int64)
    acts, each = np.zeros((0, 3), np.int64), np.zeros((2, 13), np.int64)
    draw = Draw(none, none, none, seats, each, rank, seats, np.ones((2, 1)), acts)
    scoring = Scoring(False, 2, 1.0)
    table = empty_table(2, seats)
    module.sample(1, 0, scoring, draw, table, none, hands, np.zeros(0))
    now = Now(0, none, 0, seats, 0, rank)
    module.pegged_by_card(scoring, now, none, hands, table, pegged)


def kernels_of(levels: Collection[str], variant: str) -> tuple[str, ...]:
    """Return the names of the modules whose kernels must be loaded for these levels to play a variant."""
    if variant == Variant.SIX_CARD:
        return (compiled_search.__name__,) if "master" in levels else ()
    return (__name__,) if {"expert", "master"} & {*levels} else ()


def points_by_card(
    rules: Rules, now: Now, ranks: Sequence[int], hands: Ints, needs: Sequence[int] | None = None
) -> Ints:
    """Return (n, cards, sides) points that sides peg after each card, if all play like club players.

    ranks: cards that the seat on turn tries next; GO leaves the choice to it. hands: (n, seats, 13) cards of
    each rank. needs: points with which each side wins; None if a win does not end pegging.
    """
    pegged = np.zeros((len(hands), len(ranks), rules.sides), np.int64)
    module, asked = kernels(KERNELS, __name__), np.array(ranks, np.int64)
    module.pegged_by_card(_scoring(rules), now, asked, hands, _table(module, rules, needs), pegged)
    return pegged


def net_points(rules: Rules, seat: int, pegged: Ints) -> Floats:
    """Return points of a seat's side less the mean of the other sides'. pegged: (…, sides) points."""
    own = pegged[..., rules.side(seat)]
    net: Floats = own - (pegged.sum(axis=-1) - own) * (1 / (rules.sides - 1))
    return net


def card_values(
    view: View,
    bounds: Sequence[int],
    ratios: Floats,
    luck: random.Random,
    number: int,
    payoff: AfterPegging | None = None,
) -> dict[int, float]:
    """Return by playable rank (0–12) the mean net points to the end of pegging, or the mean `payoff`.

    The mean is over sampled hands of the other seats, fewer of them for clearly worse ranks.

    bounds: by seat, a count value below that of every card that it holds. ratios: as `kept_ratios` returns
    them. number: sampled deals.

    Raises:
        ImpossiblePlay: No hands of the others fit the View.
        ValueError: Every possible hand has ratio 0.
    """
    check_play(view)
    rules = view.rules
    if ratios.shape != (2, 13**rules.kept):
        raise ValueError(f"ratios: expected shape (2, {13**rules.kept}), got {ratios.shape}")
    if number < 1:
        raise ValueError(f"{number} sets of hands are none")
    if len(bounds) != rules.seats:
        raise ValueError(f"bounds: expected one for each of {rules.seats} seats, got {len(bounds)}")
    draw = _draw(view, bounds, ratios)
    gone = sum(1 << seat for seat in view.said_go)
    played = np.array([card.index >> 2 for card in view.in_count], np.int64)
    open_to_all = draw.left - rank_counts([card.index >> 2 for _, card in view.played])
    now = Now(view.seat, played, view.count, draw.held, gone, open_to_all)
    needs = [rules.target - score for score in view.front] if payoff else None
    ranks = sorted({card.index >> 2 for card in view.playable})
    values: dict[int, float] = {}
    tried, weights = np.zeros((0, len(ranks))), np.zeros(0)
    for hands, times in _rounds(view, draw, luck, number):
        kept = hands + draw.played
        kept[:, view.seat] = draw.played[view.seat]
        pegged = points_by_card(rules, now, ranks, hands, needs)
        more = payoff(kept, pegged) if payoff else net_points(rules, view.seat, pegged)
        tried, weights = np.concatenate([tried, more]), np.concatenate([weights, times])
        means = weights @ tried / weights.sum()
        values |= dict(zip(ranks, means.tolist(), strict=True))
        open_still = _still_compared(tried, means)
        ranks = [rank for rank, still in zip(ranks, open_still.tolist(), strict=True) if still]
        tried = tried[:, open_still]
        if len(ranks) < 2:
            break
    return values


def _rounds(view: View, draw: Draw, luck: random.Random, number: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield `number` sampled deals in rounds: (n, seats, 13) hands, and (n,) how often each deal counts."""
    for first in range(0, number, CARDS):
        hands, times = sampled(view.rules, view.seat, draw, luck, min(CARDS, number - first))
        hands[:, view.seat] = rank_counts([card.index >> 2 for card in view.hand])
        step = -(-len(hands) // ROUNDS)
        for at in range(0, len(hands), step):
            yield hands[at : at + step], times[at : at + step]


def _still_compared(tried: Floats, means: Floats) -> NDArray[np.bool_]:
    """Return (cards,) whether a card is not clearly worse than the best one. tried: (n, cards) values."""
    gaps = tried[:, [means.argmax()]] - tried
    close: NDArray[np.bool_] = (
        means.max() - means <= DROP_STANDARD_ERRORS * gaps.std(axis=0) / len(tried) ** 0.5
    )
    return close


def _scoring(rules: Rules) -> Scoring:
    return Scoring(rules.one_count, rules.sides, 1 / (rules.sides - 1))


def _table(module: ModuleType, rules: Rules, needs: Sequence[int] | None = None) -> Table:
    """Return an empty table in the form that a module of kernels needs. needs: as in `points_by_card`."""
    table = empty_table(rules.seats, np.array(needs or [UNREACHABLE_POINTS] * rules.sides, np.int64))
    return in_lists(table) if module is playouts_kernels else table


def own_cribs(rules: Rules, dealer: int) -> Ints:
    """Return (seats,) 1 for seats whose side has the crib, otherwise 0."""
    return np.array([rules.side(seat) == rules.side(dealer) for seat in range(rules.seats)], np.int64)


def _draw(view: View, bounds: Sequence[int], ratios: Floats) -> Draw:
    """Return what is needed to draw the hands of the other seats, or raise ImpossiblePlay."""
    rules = view.rules
    held = np.array(view.hand_sizes, np.int64)
    pool = np.array(sorted([card.index >> 2 for card in unseen(view)], reverse=True), np.int64)
    # The most limited seat draws first, from the front of the remaining cards.
    others = [seat for seat in range(rules.seats) if seat != view.seat and held[seat]]
    others.sort(key=lambda seat: -bounds[seat])
    fits = [sum([VALUES[rank] > bounds[seat] for rank in pool.tolist()]) for seat in others]
    taken = 0
    for seat, fitting in zip(others, fits, strict=True):
        # Earlier seats drew from the same cards.
        if fitting - taken < held[seat]:
            raise ImpossiblePlay(f"Seat {seat} can hold no {held[seat]} cards above {bounds[seat]}.")
        taken += int(held[seat])
    left = np.full(13, 4, np.int64)
    if view.starter is not None:
        left[view.starter.index >> 2] -= 1
    done = np.zeros((rules.seats, 13), np.int64)
    for seat, card in view.played:
        done[seat, card.index >> 2] += 1
    done[view.seat] = rank_counts([card.index >> 2 for card in view.kept])
    order, numbers = np.array(others, np.int64), np.array(fits, np.int64)
    return Draw(pool, order, numbers, held, done, left, own_cribs(rules, view.dealer), ratios, _acts(view))


def sampled(rules: Rules, seat: int, draw: Draw, luck: random.Random, number: int) -> tuple[Ints, Ints]:
    """Return (n, seats, 13) sampled hands of the other seats, and (n,) how often each counts."""
    hands = np.zeros((CANDIDATES_PER_SAMPLE * number, rules.seats, 13), np.int64)
    weights = np.zeros(len(hands))
    module, state, rest = kernels(KERNELS, __name__), luck.getrandbits(60) + 1, draw.pool.copy()
    module.sample(state, seat, _scoring(rules), draw, _table(module, rules), rest, hands, weights)
    times = _pick_counts(weights, number, luck.random())
    return hands[times > 0], times[times > 0]


def rank_counts(ranks: Sequence[int]) -> Ints:
    """Return (13,) how often each rank occurs."""
    return np.bincount(np.array(ranks, np.int64), minlength=13).astype(np.int64)


def _acts(view: View) -> Ints:
    """Return (n, 3): seat, rank (0–12) and marks (BEGINS, SETTLED) of each card played so far."""
    rows = [
        (seat, card.index >> 2, BEGINS * (at == began) + SETTLED * (not view.hand_sizes[seat]))
        for began, ended in pairwise((0, *view.count_ends, len(view.played)))
        for at, (seat, card) in enumerate(view.played[began:ended], start=began)
    ]
    return np.array(rows, np.int64).reshape(-1, 3)


def _pick_counts(weights: Floats, number: int, luck: float) -> Ints:
    """Return how often each candidate is picked if `number` are picked in proportion to the weights."""
    total = weights.cumsum()
    if not len(total) or not 0 < total[-1] < np.inf:
        return np.ones(len(weights), np.int64)
    at = np.searchsorted(total / total[-1], (np.arange(number) + luck) / number)
    return np.bincount(np.minimum(at, len(total) - 1), minlength=len(total)).astype(np.int64)
