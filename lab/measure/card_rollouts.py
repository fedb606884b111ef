"""Rollouts of a card in pegging: deals that fit the cards played, continued by the shipped strategies.

The other side's hand is drawn and its discards follow the shipped table; the weight of a deal is the
probability that the book plays the other side's cards. After the card that is judged, both sides play by the
book. The result of a deal is the win probability after it, as in `lab.measure.rollouts`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.fast.noise import HUMAN_EPSILON
from fifteentwo.rules.view import View
from lab.board import deal
from lab.board.board_ends import win_probabilities_after
from lab.board.deal_counts import strategies

Floats = npt.NDArray[np.float64]
DEALS_PER_ROUND = 20_000
"""Deals drawn in one round, of which some fit the cards played."""
MAX_ROUNDS = 40
"""Largest number of rounds in which deals are drawn; rare positions get fewer deals."""

_DISCARDS = np.array([one * 6 + other for one, other in WAYS], np.int8)
"""(15,) the pairs that a side can discard, 6 * i + j for cards number i < j of its six."""


class Rollouts(NamedTuple):
    """The win probabilities after deals that fit a position."""

    weights: Floats
    """(deals,) probability that the other side plays the cards that it has played."""
    win_probabilities: Floats
    """(deals, choices) this seat's win probability after each deal, by the choice made now."""


def rollout(seen: View, began: tuple[int, int], ranks: Sequence[int], deals: int, seed: int) -> Rollouts:
    """Play each of these ranks now, and then the rest of the deal by the book, in the same random deals.

    began: scores of this seat and the other when the deal began. If few deals fit the cards played, fewer are
    used.
    """
    chance = np.random.default_rng(seed)
    board = began[::-1] if seen.is_dealer else began
    weights, win_probabilities, number = [], [], 0
    for _ in range(MAX_ROUNDS):
        dealt, options = _deal_unseen(seen, chance)
        draws = chance.random((len(dealt), 8), np.float32)
        by_rank = [_play_rank(seen, rank, dealt, options, draws) for rank in ranks]
        # The weight does not depend on the card that is judged.
        weight = by_rank[0].weights
        fits = weight > 0
        weights.append(weight[fits])
        after = [win_probabilities_after(one.events[fits], board, dealer=seen.is_dealer) for one in by_rank]
        win_probabilities.append(np.stack(after, axis=1))
        number += len(weights[-1])
        if number >= deals:
            break
    return Rollouts(np.concatenate(weights)[:deals], np.concatenate(win_probabilities)[:deals])


def _deal_unseen(seen: View, chance: np.random.Generator) -> tuple[npt.NDArray[np.uint8], deal.Options]:
    """Return deals (n, 13) and discards (n, 2) that fit the cards played; the other side's are random."""
    assert seen.starter is not None
    own = sorted(card.index for card in (*seen.kept, *seen.discarded))
    played = [card.index for seat, card in seen.played if seat != seen.seat]
    rest = np.array([card for card in range(52) if card not in {*own, *played, seen.starter.index}], np.uint8)
    drawn = rest[
        chance.random((DEALS_PER_ROUND, len(rest)), np.float32).argpartition(6, axis=1)[:, : 6 - len(played)]
    ]
    theirs = np.concatenate(
        [np.broadcast_to(np.array(played, np.uint8), (DEALS_PER_ROUND, len(played))), drawn], axis=1
    )
    both = [np.broadcast_to(np.array(own, np.uint8), theirs.shape), np.sort(theirs, axis=1)]
    side = int(seen.is_dealer)
    starter = np.full((DEALS_PER_ROUND, 1), seen.starter.index, np.uint8)
    dealt = np.ascontiguousarray(np.concatenate([both[side], both[1 - side], starter], axis=1))
    options = strategies().discard(dealt, chance)
    strange = chance.random(DEALS_PER_ROUND) < HUMAN_EPSILON
    options[strange, 1 - side] = _DISCARDS[chance.integers(len(_DISCARDS), size=int(strange.sum()))]
    discard = [own.index(card.index) for card in sorted(seen.discarded, key=lambda card: card.index)]
    options[:, side] = discard[0] * 6 + discard[1]
    given = options[:, 1 - side].astype(np.int64)
    discarded = np.take_along_axis(both[1], np.stack([given // 6, given % 6], axis=1), axis=1)
    fits = ~np.isin(discarded, played).any(axis=1)
    return dealt[fits], options[fits]


def _play_rank(
    seen: View, rank: int, dealt: npt.NDArray[np.uint8], options: deal.Options, draws: deal.Singles
) -> deal.Played:
    """Return the deals played by the book after this seat plays a card of this rank now."""
    side = int(seen.is_dealer)
    known = deal.NOTHING_KNOWN.copy()
    for number, (seat, card) in enumerate(seen.played):
        known[number] = side if seat == seen.seat else 1 - side, card.index >> 2
    known[len(seen.played)] = side, rank
    known[8, 0] = side
    return deal.play_drawn(dealt, draws, strategies().policies(), options, known=known)
