"""What a card is worth in the play of any form, by plays imagined to their end, compiled.

The hands others may hold are drawn from the cards unseen, as they kept them and as what they laid and their
goes tell; in what follows everybody plays as a club player reckons. Worths are points of the own side, less
the share of the others' (`replies.foes_share`). A decision costs a few milliseconds; the first on a machine
compiles (about 12 s), which a server leaves to a process aside (`compiling_aside`).
"""

import random
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fifteentwo.analysis.compiling_aside import Aside
from fifteentwo.analysis.counting import VALUES
from fifteentwo.analysis.one_reply import foes_share, unseen
from fifteentwo.fast.compiled import compiled
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

LOOPS = "fifteentwo.analysis.playouts_loops"
CARDS = 384
"""Sets of hands by which cards are compared."""
DRAWN = 3
"""Times as many are drawn, to be picked by how likely they are."""
TURNS, CERTAIN = 6, 2.5
"""In so many turns; after each, cards that trail by so many standard errors are given up."""


def prepare() -> None:
    """Load or compile the loops, so that the next decision costs what it should."""
    loops = compiled(LOOPS)
    none, rank, seat = np.zeros(0, np.int64), np.zeros(13, np.int64), np.zeros(2, np.int64)
    hands, found = np.zeros((0, 2, 13), np.int64), np.zeros((0, 1))
    acts, each = np.zeros((0, 3), np.int64), np.zeros((2, 13), np.int64)
    ratios, weights = np.ones((2, 1)), np.zeros(0)
    loops.imagine(1, 0, 2, 1.0, none, none, none, seat, each, acts, rank, seat, ratios, hands, weights)
    loops.card_worths(False, 2, 1.0, none, 0, 0, none, hands, seat, seat, rank, found)


aside = Aside("fifteentwo.analysis.playouts", prepare)


def at_hand() -> bool:
    """Whether plays can be imagined here and now; where nobody may wait, getting ready begins aside."""
    return aside.at_hand()


def mean_play(
    rules: Rules, seat: int, keep: Sequence[int], ratios: Floats, luck: random.Random, number: int
) -> float:
    """What the whole play is worth to a seat that keeps these ranks, seat 0 dealing; ratios as below."""
    held = np.full(rules.seats, rules.kept, np.int64)
    done = np.zeros((rules.seats, 13), np.int64)
    done[seat] = _counts(keep)
    left = np.full(13, 4, np.int64)
    pool = np.repeat(np.arange(12, -1, -1), np.maximum(left - done[seat], 0)[::-1])
    others = [other for other in range(rules.seats) if other != seat]
    fits = [len(pool)] * len(others)
    acts = np.zeros((0, 3), np.int64)
    hands, times = _imagined(rules, seat, 0, pool, others, fits, held, done, acts, left, ratios, luck, number)
    hands[:, seat] = done[seat]
    found = np.zeros(len(hands))
    compiled(LOOPS).play_worths(
        rules.one_count, rules.sides, 1 / (rules.sides - 1), 1, seat, rules.kept, hands, left, found
    )
    return float(times @ found / times.sum())


def card_worths(
    view: View, bounds: Sequence[int], ratios: Floats, luck: random.Random, number: int
) -> dict[int, float]:
    """Points to come of each rank (0-12) that fits; less exact for those that others are clearly better than.

    bounds: by seat, a counting value that every card it holds must exceed. ratios: (2, 13 ** kept) by how
    much likelier four ascending ranks (or three) are to be kept than dealt, in the second row where the crib
    is the own side's.
    """
    rules = view.rules
    held = np.array(view.held, np.int64)
    pool = np.array(sorted([card.index >> 2 for card in unseen(view)], reverse=True), np.int64)
    # Whoever is most limited draws first, from the front of what is left.
    others = [seat for seat in range(rules.seats) if seat != view.seat and held[seat]]
    others.sort(key=lambda seat: -bounds[seat])
    fits = [sum([VALUES[rank] > bounds[seat] for rank in pool.tolist()]) for seat in others]
    left = np.full(13, 4, np.int64)
    if view.starter is not None:
        left[view.starter.index >> 2] -= 1
    done = np.zeros((rules.seats, 13), np.int64)
    for seat, card in view.played:
        done[seat, card.index >> 2] += 1
    now = left - done.sum(axis=0)
    done[view.seat] = _counts([card.index >> 2 for card in view.kept])
    hands, times = _imagined(
        rules, view.seat, view.dealer, pool, others, fits, held, done, _acts(view), left, ratios, luck, number
    )
    hands[:, view.seat] = _counts([card.index >> 2 for card in view.hand])
    ranks = sorted({card.index >> 2 for card in view.hand if view.count + card.value <= 31})
    gone = np.array([seat in view.gone for seat in range(rules.seats)], np.int64)
    laid = np.array([card.index >> 2 for card in view.laid], np.int64)
    worth: dict[int, float] = {}
    tried = np.zeros((0, len(ranks)))
    step = -(-len(hands) // TURNS)
    for first in range(0, len(hands), step):
        part = slice(first, first + step)
        found = np.zeros((len(hands[part]), len(ranks)))
        compiled(LOOPS).card_worths(
            rules.one_count,
            rules.sides,
            foes_share(view),
            laid,
            view.count,
            view.seat,
            np.array(ranks, np.int64),
            hands[part],
            held,
            gone,
            now,
            found,
        )
        tried = np.concatenate([tried, found])
        means = times[: len(tried)] @ tried / times[: len(tried)].sum()
        worth |= dict(zip(ranks, means.tolist(), strict=True))
        gaps = tried[:, [means.argmax()]] - tried
        open_still = means.max() - means <= CERTAIN * gaps.std(axis=0) / len(tried) ** 0.5
        ranks = [rank for rank, still in zip(ranks, open_still.tolist(), strict=True) if still]
        tried = tried[:, open_still]
        if len(ranks) < 2:
            break
    return worth


def _imagined(
    rules: Rules,
    seat: int,
    dealer: int,
    pool: Ints,
    others: Sequence[int],
    fits: Sequence[int],
    held: Ints,
    done: Ints,
    acts: Ints,
    left: Ints,
    ratios: Floats,
    luck: random.Random,
    number: int,
) -> tuple[Ints, Ints]:
    """Hands the others may hold, (n, seats, 13), and how often each comes among so many."""
    drawn = np.zeros((DRAWN * number, rules.seats, 13), np.int64)
    weights = np.zeros(len(drawn))
    cribs = [rules.side(other) == rules.side(dealer) for other in range(rules.seats)]
    compiled(LOOPS).imagine(
        luck.getrandbits(60) + 1,
        seat,
        rules.sides,
        1 / (rules.sides - 1),
        pool,
        np.array(others, np.int64),
        np.array(fits, np.int64),
        held,
        done,
        acts,
        left,
        np.array(cribs, np.int64),
        ratios,
        drawn,
        weights,
    )
    times = _picked(weights, number, luck.random())
    return drawn[times > 0], times[times > 0]


def _counts(ranks: Sequence[int]) -> Ints:
    return np.bincount(np.array(ranks, np.int64), minlength=13).astype(np.int64)


def _acts(view: View) -> Ints:
    """Rows of seat, rank, and 1 where a count begins, 2 where what the seat holds is no question."""
    rows = [
        (seat, card.index >> 2, (at == began) + 2 * (not view.held[seat]))
        for began, ended in pairwise((0, *view.cleared, len(view.played)))
        for at, (seat, card) in enumerate(view.played[began:ended], start=began)
    ]
    return np.array(rows, np.int64).reshape(-1, 3)


def _picked(weights: Floats, number: int, luck: float) -> Ints:
    """How often each is picked, by its weight, of so many in all; by turns, so that few are left out."""
    total = weights.cumsum()
    if not len(total) or total[-1] <= 0:
        return np.ones(len(weights), np.int64)
    at = np.searchsorted(total / total[-1], (np.arange(number) + luck) / number)
    return np.bincount(np.minimum(at, len(total) - 1), minlength=len(total)).astype(np.int64)


if __name__ == "__main__":
    prepare()
