"""The rest of the play of two, solved anew at the table: a safe answer to somebody only partly known.

From the present public position on (three cards or more laid) the play is solved as a game of its own, by
`analysis.endgame_loops`: the worth at its ends is the chance of winning, with both hands, the crib and sudden
death in their order. What the own side may hold is what the published book would have kept and laid so far,
with a floor under every hand; what the other side holds and how it plays is believed as `answers` has it, as
far as it is `known`. The rest of it is free to do what is best for it, and may also take for each hand what
the book's play would have conceded to it at most, instead of coming in (the gadget of Burch, Johanson and
Bowling, 2014): so the free part finds nothing here that it could not have had against the book. `known` 1 is
a best answer to beliefs, `known` 0 a safe re-solving; in between lie the restricted responses of Johanson,
Zinkevich and Bowling (2008).
"""

from functools import cache
from math import factorial, perm
from typing import Any, NamedTuple

import numpy as np

from fifteentwo.analysis import endgame_tree
from fifteentwo.analysis.beliefs import Floats, Ints, kept_by, role_of
from fifteentwo.analysis.compiling_aside import Aside
from fifteentwo.analysis.counting import VALUES
from fifteentwo.analysis.look_ahead import HABITS, MISTRUST, PRIOR, Answers, starting
from fifteentwo.book.play import book_arrays, load_pegging_book
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import copies, hands, up
from fifteentwo.fast.play import HELD, LOWS, SEEN, WIDTH

TREE = "fifteentwo.analysis.endgame_tree"
LOOPS = "fifteentwo.analysis.endgame_loops"
KNOWN = 0.5
"""Part of the other side that plays as it is believed to."""
FLOOR = 0.02
"""Part of what is believed of hands that owes nothing to any book."""
ITERATIONS = 40


class Solution(NamedTuple):
    """How to play on, and how safe that is."""

    shares: dict[int, float]
    """How often to lay each rank that fits."""
    conceded: float
    """What a free opponent makes of the book's play from here on at best, in worth, hands by our beliefs."""
    risked: float
    """The same where each hand may choose between the book's play and this solution: no less than that."""


@cache
def _falling() -> Floats:
    """(5, 5): ways to lay so many of a rank, one after the other, from so many left: [left, laid]."""
    return np.array([[perm(left, laid) for laid in range(5)] for left in range(5)], np.float64)


@cache
def _members() -> tuple[Ints, ...]:
    """The ranks of every hand of none to three cards."""
    return tuple(np.array(hands(size), np.int64).reshape(len(hands(size)), size) for size in range(4))


def _ways(left: Ints, size: int) -> Floats:
    """Ways to lay each hand of so many cards from those left."""
    found: Floats = _falling()[np.clip(left, 0, 4)[None, :], copies(size)].prod(axis=1)
    return found


@cache
def _orders(size: int) -> Floats:
    """In how many orders each hand can lie among others."""
    return np.array([np.prod([factorial(n) for n in row]) for row in copies(size)], np.float64)


def _floored(weights: Floats, ways: Floats, low: int, size: int) -> Floats:
    """Weights by way to hold a hand, their sum over all ways 1, none below the floor that a go allows."""
    fits = np.array([all(VALUES[rank] > low for rank in hand) for hand in hands(size)])
    even = fits / _orders(size)
    found = FLOOR * even / max(float((even * ways).sum()), 1e-300)
    total = float((weights * ways).sum())
    return found + (1 - FLOOR) * weights / total if total > 0 else found / FLOOR


class _Position(NamedTuple):
    """The public play from the own side's eyes, as the loops read it."""

    side: int
    here: Ints
    pile: Ints
    scores: Ints
    theirs: Ints
    mine: Ints
    starter: int
    stakes: tuple[Any, ...]


class _Weights(NamedTuple):
    """Hands at the root, by the number of ways to lay them: own, the other's known by habit, and free."""

    own: Floats
    known: Floats
    free: Floats


def _solved(here: _Position, weights: _Weights, book: tuple[Any, ...], iterations: int) -> tuple[Floats, ...]:
    """(average strategy by cell, what each free hand makes of the book's play, what of this one)."""
    used = np.zeros(endgame_tree.COUNTERS, np.int64)
    rows = np.zeros((0, endgame_tree.ROW), np.int64)
    plays = np.zeros((0, WIDTH + endgame_tree.PILE), np.int64)
    tables = np.zeros((2, 0))
    for filling in (False, True):
        compiled(TREE).grow(*here, _members(), filling, rows, plays, tables, used)
        if not filling:
            rows = np.zeros((used[endgame_tree.ROWS], rows.shape[1]), np.int64)
            plays = np.zeros((len(rows), plays.shape[1]), np.int64)
            tables = np.zeros((2, used[endgame_tree.TABLES]))
    fixed = np.zeros(used[endgame_tree.FOE_REACH])
    published, sums = np.zeros((2, used[endgame_tree.CELL]))
    price, gained = np.zeros((2, len(weights.free)))
    loops = compiled(LOOPS)
    loops.known_shares(
        rows,
        plays,
        here.starter,
        book,
        up(),
        MISTRUST,
        weights.known,
        fixed,
        published,
    )
    loops.solve(
        rows,
        up(),
        tables,
        iterations,
        weights.own,
        weights.free,
        fixed,
        published,
        sums,
        price,
        gained,
    )
    return sums, price, gained


def resolved(
    answers: Answers, *, games: bool, known: float = KNOWN, iterations: int = ITERATIONS
) -> Solution:
    """Solve the rest of the play; each side holds one to three cards, and they hold more than two together.

    known: part of the other side that plays as believed. Compiled about 1 ms where they hold three together,
    8 at four, 150 at five, 2,500 at six. Raises ValueError where nothing is to be solved.
    """
    view, here, side = answers.view, answers.here, answers.side
    held, theirs = int(here[HELD + side]), int(here[HELD + 1 - side])
    if not (0 < held <= 3 and 0 < theirs <= 3 and held + theirs > 2):
        raise ValueError(f"{held} and {theirs} cards held: one to three each, more than two together")
    left = 4 - here[SEEN : SEEN + 13]
    left[answers.starter] -= 1
    own = tuple(sorted(card.index >> 2 for card in view.hand))
    at = hands(held).index(own)

    # Given the own hand, so many ways; both hands' weights by way multiply to what is believed.
    pairs = _ways(left - copies(held)[at], theirs)
    each = np.divide(answers.reach, pairs, out=np.zeros_like(answers.reach), where=pairs > 0)
    free = _floored(each.sum(axis=0), pairs, int(here[LOWS + 1 - side]), theirs)
    weights = _Weights(_own_range(answers, left, held), known * each, (1 - known) * free)

    mine = np.zeros(4, np.int64)
    laid = [card.index >> 2 for seat, card in view.played if seat == view.seat]
    mine[: len(laid)] = laid
    stakes, scores = answers.stakes(games=games)
    kept = hands(4).index(tuple(sorted(card.index >> 2 for card in view.kept)))
    position = _Position(
        side,
        here,
        answers.pile.copy(),
        np.array(scores, np.int64),
        answers.theirs,
        mine,
        answers.starter,
        (*stakes, kept),
    )
    sums, price, gained = _solved(position, weights, answers.book, iterations)

    rests = hands(held - 1)
    found = {}
    for rank in sorted(set(own)):
        if view.count + VALUES[rank] <= 31:
            rest = list(own)
            rest.remove(rank)
            found[rank] = float(sums[rank * len(rests) + rests.index(tuple(rest))])
    total = sum(found.values())
    shares = {rank: share / total if total > 0 else 1 / len(found) for rank, share in found.items()}
    return Solution(shares, float(free @ price), float(free @ np.maximum(gained, price)))


def _own_range(answers: Answers, left: Ints, held: int) -> Floats:
    """What this seat may hold, by way, for somebody who has seen it play: as the book keeps and lays."""
    side, role = answers.side, role_of(answers.view, answers.view.seat)
    full = np.full(13, 4, np.int64)
    weights = np.ascontiguousarray((kept_by(role, full) / _ways(full, 4))[None, :])
    compiled(HABITS).believe(
        answers.acts,
        side,
        1 - side,
        answers.starter,
        weights,
        answers.book,
        up(),
        0.0,
        np.zeros(endgame_tree.PILE, np.int64),
        starting(),
    )
    low = int(answers.here[LOWS + side])
    return _floored(weights[0, : len(hands(held))], _ways(left, held), low, held)


def prepare() -> None:
    """Load or compile the loops, so that the next decision costs what it should."""
    here = starting()
    here[HELD : HELD + 2] = 2, 1
    none, four = np.zeros((1, 1)), np.zeros(4, np.int64)
    stakes = (0, 0, 0, none, none, np.zeros(13**4, np.int64), np.zeros(1820, np.int64), 0)
    position = _Position(0, here, np.zeros(endgame_tree.PILE, np.int64), four[:2], four, four, 0, stakes)
    weights = _Weights(np.ones(91), np.ones((len(PRIOR), 13)), np.ones(13))
    _solved(position, weights, tuple(book_arrays(load_pegging_book())), 1)


aside = Aside("fifteentwo.analysis.endgame", prepare)


def at_hand() -> bool:
    """Whether play can be solved anew here and now; where nobody may wait, getting ready begins aside."""
    return aside.at_hand()


if __name__ == "__main__":
    prepare()
