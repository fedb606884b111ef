"""The rest of the play of two, solved anew at the table: a safe answer to somebody only partly known.

From the present public position on (three cards or more laid) the play is solved as a game of its own, by
`analysis.pegging.endgame_loops`: the worth at its ends is the chance of winning, with both hands, the crib
and sudden death in their order. What the own side may hold is what the published book would have kept and
laid so far, with a floor under every hand; what the other side holds and how it plays is believed as
`answers` has it, as far as it is `known`. The rest of it is free to do what is best for it, and may also take
for each hand what the book's play would have conceded to it at most, instead of coming in (the gadget of
Burch, Johanson and Bowling, 2014): so the free part finds nothing here that it could not have had against the
book. `known` 1 is a best answer to beliefs, `known` 0 a safe re-solving; in between lie the restricted
responses of Johanson, Zinkevich and Bowling (2008).
"""

from functools import cache
from math import factorial, perm
from typing import NamedTuple

import numpy as np

from fifteentwo.analysis.compiling_aside import Aside
from fifteentwo.analysis.counting import VALUES
from fifteentwo.analysis.pegging import endgame_arrays, endgame_tree
from fifteentwo.analysis.pegging.beliefs import Floats, Ints, kept_by, role_of
from fifteentwo.analysis.pegging.beliefs_loops import Habits
from fifteentwo.analysis.pegging.endgame_loops import (
    Known,
    Solved,
    Weights,
    branches,
    empty_replay,
    empty_search,
)
from fifteentwo.analysis.pegging.endgame_tree import Position, Tree, empty_growth
from fifteentwo.analysis.pegging.look_ahead import PEOPLE, PILE, Answers, believe, habits, points_stakes
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import copies, hands, up
from fifteentwo.fast.play import HELD, LOWS, SEEN, WIDTH, playable
from fifteentwo.strategy.pegging import starting

TREE = "fifteentwo.analysis.pegging.endgame_tree"
LOOPS = "fifteentwo.analysis.pegging.endgame_loops"
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
    ways: Floats = _falling()[np.clip(left, 0, 4)[None, :], copies(size)].prod(axis=1)
    return ways


@cache
def _orders(size: int) -> Floats:
    """In how many orders each hand can lie among others."""
    return np.array([np.prod([factorial(n) for n in row]) for row in copies(size)], np.float64)


def _floored(weights: Floats, ways: Floats, low: int, size: int) -> Floats:
    """Weights by way to hold a hand, their sum over all ways 1, none below the floor that a go allows."""
    fits = np.array([all(VALUES[rank] > low for rank in hand) for hand in hands(size)])
    even = fits / _orders(size)
    floor = FLOOR * even / max(float((even * ways).sum()), 1e-300)
    total = float((weights * ways).sum())
    return floor + (1 - FLOOR) * weights / total if total > 0 else floor / FLOOR


def _grown(position: Position) -> Tree:
    """The tree below a position: first counted, then written."""
    used = np.zeros(endgame_tree.COUNTERS, np.int64)
    rows = np.zeros((0, endgame_tree.ROW), np.int64)
    plays = np.zeros((0, WIDTH + PILE), np.int64)
    grow = compiled(TREE).grow
    grow(position, empty_growth(position), False, Tree(rows, plays, np.zeros((2, 0)), used))
    rows = np.zeros((used[endgame_tree.ROWS], rows.shape[1]), np.int64)
    plays = np.zeros((len(rows), plays.shape[1]), np.int64)
    tree = Tree(rows, plays, np.zeros((2, used[endgame_tree.TABLES])), used)
    grow(position, empty_growth(position), True, tree)
    return tree


def _solved(position: Position, by_habit: Habits, weights: Weights, iterations: int) -> Solved:
    """The rest of the play, solved; of the sums at least those at the root, which come first."""
    if at_hand():
        return _solve(position, by_habit, weights, iterations)
    return endgame_arrays.solve(position, by_habit, weights, iterations)


def _solve(position: Position, by_habit: Habits, weights: Weights, iterations: int) -> Solved:
    """`endgame_arrays.solve` by compiled loops."""
    tree, hands_of_foe = _grown(position), len(weights.free)
    cells = tree.used[endgame_tree.CELL]
    known = Known(np.zeros(cells), np.zeros(tree.used[endgame_tree.FOE_REACH]))
    loops = compiled(LOOPS)
    replay = empty_replay(weights.known, len(tree.rows))
    loops.known_shares(tree.rows, tree.plays, by_habit, replay, known)
    own, free = (branches(who, tree, up()) for who in (endgame_tree.OWN, endgame_tree.FOE))
    solved = Solved(np.zeros(cells), np.zeros(hands_of_foe), np.zeros(hands_of_foe))
    search = empty_search(tree.used, hands_of_foe)
    loops.solve(own, free, weights, known, iterations, search, solved)
    return solved


def resolved(
    answers: Answers, *, games: bool, known: float = KNOWN, iterations: int = ITERATIONS
) -> Solution:
    """Solve the rest of the play; each side holds one to three cards, and they hold more than two together.

    known: part of the other side that plays as believed. Compiled about 1 ms where they hold three together,
    8 at four, 150 at five, 2,500 at six. Raises ValueError where nothing is to be solved, or not so.
    """
    held, theirs = (int(answers.public[HELD + side]) for side in (answers.side, 1 - answers.side))
    if not (0 < held <= 3 and 0 < theirs <= 3 and held + theirs > 2):
        raise ValueError(f"{held} and {theirs} cards held: one to three each, more than two together")
    if not 0 <= known <= 1 or iterations < 1:
        raise ValueError(f"{known} is no part of the other side, or {iterations} no number of rounds")
    believed = _weights(answers, held, theirs)
    weights = Weights(believed.own, known * believed.known, (1 - known) * believed.free)
    solved = _solved(_position(answers, games), answers.habits, weights, iterations)
    return Solution(
        _own_shares(answers, solved.sums, held),
        float(believed.free @ solved.price),
        float(believed.free @ np.maximum(solved.gained, solved.price)),
    )


def _weights(answers: Answers, held: int, theirs: int) -> Weights:
    """Hands at the root, the other's once as believed and once with a floor under every hand.

    Both sides' weights by way multiply to what is believed.
    """
    left = 4 - answers.public[SEEN : SEEN + 13]
    left[answers.starter] -= 1
    own = hands(held).index(tuple(sorted(card.index >> 2 for card in answers.view.hand)))
    # Given the own hand, so many ways.
    pairs = _ways(left - copies(held)[own], theirs)
    each = np.divide(answers.reach, pairs, out=np.zeros_like(answers.reach), where=pairs > 0)
    free = _floored(each.sum(axis=0), pairs, int(answers.public[LOWS + 1 - answers.side]), theirs)
    return Weights(_own_range(answers, left, held), each, free)


def _position(answers: Answers, games: bool) -> Position:
    view = answers.view
    stakes, scores = answers.stakes(games=games)
    laid = np.zeros((2, 4), np.int64)
    mine = [card.index >> 2 for seat, card in view.played if seat == view.seat]
    laid[0, : len(mine)] = mine
    laid[1] = answers.theirs
    kept = np.array(sorted(card.index >> 2 for card in view.kept)) @ 13 ** np.arange(3, -1, -1)
    return Position(
        answers.side,
        answers.public,
        answers.pile,
        np.array(scores, np.int64),
        laid,
        answers.starter,
        stakes,
        int(kept),
        _members(),
    )


def _own_shares(answers: Answers, sums: Floats, held: int) -> dict[int, float]:
    """How often to lay each own rank that fits, by the solved strategy at the root."""
    own = sorted(card.index >> 2 for card in answers.view.hand)
    rests = hands(held - 1)
    shares = {}
    for rank in sorted(set(own)):
        if playable(answers.view.count, VALUES[rank]):
            rest = own.copy()
            rest.remove(rank)
            shares[rank] = float(sums[rank * len(rests) + rests.index(tuple(rest))])
    total = sum(shares.values())
    return {rank: share / total if total > 0 else 1 / len(shares) for rank, share in shares.items()}


def _own_range(answers: Answers, left: Ints, held: int) -> Floats:
    """What this seat may hold, by way, for somebody who has seen it play: as the book keeps and lays."""
    side, role = answers.side, role_of(answers.view, answers.view.seat)
    full = np.full(13, 4, np.int64)
    weights = np.ascontiguousarray((kept_by(role, full, PEOPLE.mistrust) / _ways(full, 4))[None, :])
    by_book = habits(answers.starter, mistrust=0.0)
    believe(answers.acts, side, 1 - side, weights, by_book, starting(), np.zeros(PILE, np.int64))
    low = int(answers.public[LOWS + side])
    return _floored(weights[0, : len(hands(held))], _ways(left, held), low, held)


def prepare() -> None:
    """Load or compile the loops, so that the next decision costs what it should."""
    public = starting()
    public[HELD : HELD + 2] = 2, 1
    pile, scores, laid = np.zeros(PILE, np.int64), np.zeros(2, np.int64), np.zeros((2, 4), np.int64)
    position = Position(0, public, pile, scores, laid, 0, points_stakes(0, 0), 0, _members())
    weights = Weights(np.ones(91), np.ones((len(PEOPLE.prior), 13)), np.ones(13))
    _solve(position, habits(0, 0.0), weights, 1)


aside = Aside(__name__, prepare)


def at_hand() -> bool:
    """Whether the loops are compiled here and now; where nobody may wait, getting ready begins aside."""
    return aside.at_hand()
