"""The public tree of the rest of a play of two, from one position on, with a value at every end.

Nodes after as many cards and goes, with as many cards held and the same side to choose, are one stage; stages
stand in the order of the play. A leaf carries a table [own hand, other hand] of value × ways to hold both and
to have played what was played, so no node needs to know what came before it.
"""

from collections import defaultdict
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.pegging.beliefs import Floats, Ints
from fifteentwo.analysis.pegging.look_ahead_search import (
    DIGITS,
    Stakes,
    after_play,
    ascending,
    is_won,
    shown,
)
from fifteentwo.fast import plays
from fifteentwo.fast.hands import hands
from fifteentwo.fast.layout import VALUES
from fifteentwo.fast.play import COUNT, END, GONE, HELD, LAST, LOWS, PLAYED, SEEN, START, TURN
from fifteentwo.fast.plays import RANKS, Plays

Reals = npt.NDArray[np.floating[Any]]
"""Of one kind in a tree: as exact as its size allows."""
Kind = type[np.floating[Any]]
NEITHER, OWN, FOE = range(3)
"""Whose choice is left at a node."""
GO = 13
"""The step of a go."""


class Position(NamedTuple):
    """The public play from the own side's eyes."""

    side: int
    public: Ints
    pile: Ints
    scores: Ints
    """(2,): own and the other's."""
    played: Ints
    """(2, 4): ranks played so far by the own side and the other."""
    starter: int
    stakes: Stakes
    kept: int
    """The own hand as it was kept, by digits: its flush and nobs are known, of no other hand."""


class Nodes(NamedTuple):
    """Public positions; all but the first field are arrays with one row for each."""

    plays: Plays
    scores: Ints
    """(nodes, 2): own and the other's."""
    played: Ints
    """(nodes, 2, 4): ranks played so far by the own side and the other."""
    chances: Floats
    """(nodes,): ways to have played what was played since the root."""


class Link(NamedTuple):
    """Children: of each of `rows` the one after a step, a rank or a go; they lie together in a stage."""

    rows: Ints
    steps: Ints
    stage: int
    children: slice


class Stage(NamedTuple):
    """Nodes that stand alike."""

    inner: int
    """Whose choice is left: NEITHER, OWN or FOE."""
    sizes: tuple[int, int]
    """Cards held by the own side and the other."""
    nodes: Nodes
    links: list[Link]


class _Part(NamedTuple):
    """Nodes of a stage to come: of which stage, rows and steps they are the children."""

    nodes: Nodes
    parent: int
    rows: Ints
    steps: Ints


def grown(position: Position) -> list[Stage]:
    """The public tree below a position that has a choice; a rank is followed where one may be held."""
    growth = _Growth(position)
    while growth.waiting:
        growth.grow()
    return growth.stages


class _Growth:
    """A tree, as far as it has grown."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.stages: list[Stage] = []
        self.waiting: dict[tuple[int, ...], list[_Part]] = defaultdict(list)
        play = Plays(position.public[None], position.pile[None])
        root = Nodes(play, position.scores[None], position.played[None], np.ones(1))
        self._wait(_Part(root, -1, np.zeros(1, np.int64), np.zeros(1, np.int64)), 0)

    def grow(self) -> None:
        """The next stage."""
        key = min(self.waiting)
        parts = self.waiting.pop(key)
        first = 0
        for part in parts:
            last = first + len(part.rows)
            if part.parent >= 0:
                link = Link(part.rows, part.steps, len(self.stages), slice(first, last))
                self.stages[part.parent].links.append(link)
            first = last
        _, goes, inner, own_size, foe_size = key
        nodes = _joined([part.nodes for part in parts])
        if inner != NEITHER:
            self._wait(self._played(nodes), 0)
            self._wait(self._passed(nodes), goes + 1)
        self.stages.append(Stage(inner, (own_size, foe_size), nodes, []))

    def _wait(self, part: _Part, goes: int) -> None:
        """Leave nodes for later, those that stand alike together."""
        public, side = part.nodes.plays.public, self.position.side
        over = is_won(part.nodes.scores[:, 0], part.nodes.scores[:, 1], self.position.stakes.target)
        own, other = public[:, HELD + side], public[:, HELD + 1 - side]
        chooses = ~over & (own > 0) & (other > 0) & (own + other > 2)
        inner = np.where(chooses, np.where(public[:, TURN] == side, OWN, FOE), NEITHER)
        for whose in np.unique(inner):
            at = np.flatnonzero(inner == whose)
            key = (int(public[0, PLAYED]), goes, int(whose), int(own[0]), int(other[0]))
            self.waiting[key].append(
                _Part(_these(part.nodes, at), part.parent, part.rows[at], part.steps[at])
            )

    def _played(self, nodes: Nodes) -> _Part:
        """What follows on every rank that may be played."""
        public, side = nodes.plays.public, self.position.side
        turn = int(public[0, TURN])
        left = 4 - public[:, SEEN : SEEN + 13] - (self.position.starter == RANKS)
        allowed = plays.fits(nodes.plays) & (public[:, LOWS + turn, None] < VALUES) & (left > 0)
        ranks, rows = np.nonzero(allowed.T)
        mover = 0 if turn == side else 1
        scores, played = nodes.scores[rows], nodes.played[rows]
        scores[:, mover] += plays.points(nodes.plays)[rows, ranks]
        played[:, mover, 4 - int(public[0, HELD + turn])] = ranks
        chances = nodes.chances[rows] * left[rows, ranks]
        then = Nodes(plays.play_rank(nodes.plays, rows, ranks), scores, played, chances)
        return _Part(then, len(self.stages), rows, ranks)

    def _passed(self, nodes: Nodes) -> _Part:
        """What follows on a go, where a go is possible."""
        rows = np.flatnonzero(nodes.plays.public[:, COUNT] > 21)
        passed = plays.go(nodes.plays, rows)
        scores = nodes.scores[rows]
        ended, own_last = passed.public[:, COUNT] == 0, passed.public[:, LAST] == self.position.side
        scores[:, 0] += ended & own_last
        scores[:, 1] += ended & ~own_last
        then = Nodes(passed, scores, nodes.played[rows], nodes.chances[rows])
        return _Part(then, len(self.stages), rows, np.full(len(rows), GO))


def _these(nodes: Nodes, rows: Ints) -> Nodes:
    return Nodes(plays.of(nodes.plays, rows), nodes.scores[rows], nodes.played[rows], nodes.chances[rows])


def _joined(parts: list[Nodes]) -> Nodes:
    public, pile = (np.concatenate([part.plays[field] for part in parts]) for field in (0, 1))
    scores, played, chances = (np.concatenate(field) for field in list(zip(*parts, strict=True))[1:])
    return Nodes(Plays(public, pile), scores, played, chances)


# ── Leaves ───────────────────────────────────────────────────────────────────────────────────────────────


def leaves(stage: Stage, position: Position, real: Kind) -> Reals:
    """(other hands, own hands, nodes): value × ways to hold both and to have played what was played.

    real: of what kind.
    """
    nodes, stakes = stage.nodes, position.stakes
    left = (4 - nodes.plays.public[:, SEEN : SEEN + 13] - (position.starter == RANKS)).T
    table: Reals = _ways(left.astype(real), *stage.sizes)
    table *= nodes.chances.astype(real)
    own, other = _played_out(stage, position)
    if stakes.target == 0:
        table *= own - other
    elif max(own.max(), other.max()) < stakes.target:
        table *= _shown(stage, position, own, other, real)
    else:
        over, won = is_won(own, other, stakes.target), after_play(own, other, 0, 0, stakes)
        table *= won if over.all() else np.where(over, won, _shown(stage, position, own, other, real))
    return table


def _shown(stage: Stage, position: Position, own: Ints, other: Ints, real: Kind) -> Reals:
    """(other hands, own hands, nodes): value of scores after the play, where no side is out."""
    stakes = position.stakes
    own_digits, foe_digits = (
        ascending()[_digits(stage.nodes.played[:, who], size).T] for who, size in enumerate(stage.sizes)
    )
    own_shows = stakes.shows[own_digits]
    own_shows[own_digits == position.kept] = stakes.show
    if stakes.dealer:
        return shown(own, other, own_shows, foe_digits[:, None], stakes)
    # The pone counts first: only what that makes matters then, not what it is made of.
    own = own + own_shows
    there = np.zeros(13**4, np.bool_)
    there[foe_digits] = True
    hands_of_foe, which = np.flatnonzero(there), (there.cumsum() - 1)[foe_digits]
    least, lowest = int(own.min()), int(other.min())
    owns, others = np.arange(least, own.max() + 1), np.arange(lowest, other.max() + 1)
    by_score = shown(owns[:, None], others, 0, hands_of_foe[:, None, None], stakes).astype(real)
    at = own.astype(np.int32)
    at -= least
    at *= len(others)
    at += other - lowest
    at = at + (which * by_score[0].size).astype(np.int32)[:, None]
    value: Reals = by_score.ravel().take(at)
    return value


def _digits(played: Ints, size: int) -> Ints:
    """(nodes, hands): each hand with what was played, as digits to the base 13."""
    digits: Ints = (played[:, : 4 - size] @ DIGITS[: 4 - size])[:, None] + _ranks(size) @ DIGITS[4 - size :]
    return digits


@cache
def _ranks(size: int) -> Ints:
    """(hands, size)."""
    return np.array(hands(size), np.int64).reshape(len(hands(size)), size)


def _ways(left: Reals, own_size: int, foe_size: int) -> Reals:
    """(other hands, own hands, nodes): ways to play both, from the cards left of each rank (13, nodes)."""
    own, foe = _ranks(own_size), _ranks(foe_size)
    ways = np.ones((len(foe), len(own), left.shape[1]), left.dtype)
    drawn: list[Ints] = []
    for ranks in [*foe.T[:, :, None], *own.T[:, None]]:
        before = sum((ranks == earlier for earlier in drawn), np.zeros((1, 1), np.int64))
        ways *= np.maximum(left[ranks] - before[:, :, None].astype(left.dtype), 0)
        drawn.append(ranks)
    return ways


def _played_out(stage: Stage, position: Position) -> tuple[Ints, Ints]:
    """(other hands, own hands, nodes) each, or as broadcast: both scores at the end of the play."""
    (own_size, foe_size), target = stage.sizes, position.stakes.target
    own, other = stage.nodes.scores.T[:, None, None].astype(np.int16)
    over = is_won(own, other, target)
    if over.all():
        return own, other
    # What is pegged depends on the running count alone.
    _, rows, which = np.unique(_running(stage.nodes.plays), return_index=True, return_inverse=True)
    now = plays.of(stage.nodes.plays, rows)
    if own_size > 0 and foe_size > 0:
        ended = plays.singles(now)
        moves = (now.public[:, TURN] == position.side)[:, None, None]
        by_own = np.where(moves, ended.mover.transpose(0, 2, 1), ended.other)
        by_other = np.where(moves, ended.other.transpose(0, 2, 1), ended.mover)
        first = np.where(moves, ended.first[:, None], ~ended.first[:, :, None])
    elif own_size > 0:
        by_own, by_other = (part[:, None] for part in plays.play_alone(now, own_size))
        first = by_other == 0
    else:
        by_other, by_own = (part[:, :, None] for part in plays.play_alone(now, foe_size))
        first = by_own > 0
    by_own, by_other, first = (
        part.transpose(1, 2, 0).take(which, axis=2) for part in (by_own, by_other, first)
    )
    if target > 0 and max(own.max() + by_own.max(), other.max() + by_other.max()) >= target:
        # Who is at the target first has won: the other side's points no longer count.
        own_won, other_won = first & (own + by_own >= target), ~first & (other + by_other >= target)
        by_own, by_other = by_own * ~(over | other_won), by_other * ~(over | own_won)
    return own + by_own, other + by_other


def _running(now: Plays) -> Ints:
    """(plays,): a number for the running count: its cards, whose turn it is, who said go, who was last."""
    public, pile = now
    code: Ints = public[:, TURN] * 8 + public[:, LAST] * 4 + public[:, GONE]
    for at in range(int(public[:, END].max(initial=0))):
        counts = (public[:, START] <= at) & (at < public[:, END])
        code = np.where(counts, code * 14 + pile[:, at] + 1, code)
    return code
