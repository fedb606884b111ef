"""The rest of the pegging of two re-solved on the tree of `endgame_tree`, stage by stage.

By discounted regret minimisation, against another side that is partly known: a part of it plays as it is
believed to (fixed), the rest does what is best for it (free) and may also opt out for a value of its own, one
for each hand.
"""

from typing import NamedTuple

import numpy as np

from fifteentwo.analysis.pegging.beliefs import Floats, Ints, OpponentTypes, Truths, members, split
from fifteentwo.analysis.pegging.endgame_tree import (
    FOE,
    GO,
    NEITHER,
    OWN,
    Kind,
    Link,
    Position,
    Reals,
    Stage,
    grown,
    leaves,
)
from fifteentwo.fast import plays
from fifteentwo.fast.hands import SIZES, with_one_more
from fifteentwo.fast.play import HELD

RESPOND = 0.0
"""In place of what earlier regrets still count: take the best response, and leave regrets as they are."""
WORST = -1e9
FADE = 0.5
"""What earlier regrets below 0 still count. With the powers 1.5 of regrets above 0 and 2 of averages it is
discounted regret minimisation as in Brown and Sandholm (2019)."""
EXACT = 5
"""So many cards are solved in float64, more in float32."""
HEAD_START = 1e-3
"""Regret that the book's play begins with, as a part of the highest opt-out value."""


class Weights(NamedTuple):
    """Hands at the root, by the number of ways to play them: own, the other's known by type, and free."""

    own: Floats
    known: Floats
    free: Floats


class Solved(NamedTuple):
    """What is found."""

    sums: Reals
    """(cells,) the own side's average strategy at the root, to be divided by its sums."""
    opt_out: Reals
    """(hands,) what each hand of the free side makes of the book's play at best."""
    gained: Reals
    """(hands,) what it makes of `sums` at best."""


class Choice(NamedTuple):
    """What is fixed of a stage where one side chooses."""

    up: Ints
    """(rests, 13): the hand that a rest and a rank make."""
    members: tuple[Ints, Ints, Truths]
    """(held, hands) each: the rest without each rank of a hand, the rank, whether it is the first alike."""
    silent: Truths
    """(hands, nodes): whether nothing fits."""
    there: Truths
    """(13, nodes): whether a child follows on this rank."""
    even: Reals
    """(rests, 13, nodes): how often each rank that fits would be played if all were alike."""


class Paths(NamedTuple):
    """Where the children of a stage by rank lie."""

    down: list[Ints]
    """By link: the place (rank × nodes + node) that each child comes from."""
    back: Ints
    """(13 × nodes,): the child of each place among those of all links, the number of these where none is."""


def _choice(stage: Stage, real: Kind) -> Choice:
    size = stage.sizes[stage.inner - OWN]
    ranks, rests, firsts = members(size)
    ranks, rests, firsts = ranks.T, rests.T, firsts.T
    up, fits = with_one_more(size).T, plays.fits(stage.nodes.plays).T
    number = sum((fits[ranks[card]] & firsts[card, :, None] for card in range(size)), np.int8(0))
    each = (1 / np.maximum(number, 1)).astype(real)
    there = np.zeros(fits.shape, np.bool_)
    for link in stage.links:
        if not _is_go(link):
            there[link.steps, link.rows] = True
    return Choice(up, (rests, ranks, firsts), number == 0, there, each[up] * fits)


def _paths(stage: Stage) -> Paths:
    number = len(stage.nodes.scores)
    down = [link.steps * number + link.rows for link in stage.links if not _is_go(link)]
    places = np.concatenate([*down, np.zeros(0, np.int64)])
    back = np.full(13 * number, len(places))
    back[places] = np.arange(len(places))
    return Paths(down, back)


def _is_go(link: Link) -> bool:
    return bool(link.steps[0] == GO)


def solve(position: Position, types: OpponentTypes, weights: Weights, rounds: int) -> Solved:
    """Find how the own side should play below a position, in so many rounds."""
    large = sum(position.public[HELD : HELD + 2]) > EXACT
    return _Solving(position, types, weights, np.float32 if large else np.float64).solve(rounds)


class _Solving:
    """The tree, regrets and policies of both sides, stage by stage; nodes are the last axis of all."""

    def __init__(self, position: Position, types: OpponentTypes, weights: Weights, real: Kind) -> None:
        self.real = real
        self.own, self.free = weights.own.astype(real), weights.free.astype(real)
        self.stages = grown(position)
        self.choices = {
            at: _choice(stage, real) for at, stage in enumerate(self.stages) if stage.inner != NEITHER
        }
        self.paths = {at: _paths(self.stages[at]) for at in self.choices}
        self.tables = {
            at: leaves(stage, position, real)
            for at, stage in enumerate(self.stages)
            if stage.inner == NEITHER
        }
        self.by_book, self.known = self._known(types, weights.known)
        self.policies: dict[int, Reals] = {}
        self.regrets: dict[int, Reals] = {}

    def _known(self, types: OpponentTypes, known: Floats) -> tuple[dict[int, Reals], list[Reals]]:
        """The book's play of own hands, and the reach probabilities of the other's that play as believed."""
        by_book = OpponentTypes(types.starter, types.book, 0.0)
        policies: dict[int, Reals] = {}
        weights = [
            np.zeros((len(stage.nodes.scores), len(known), SIZES[stage.sizes[1]])) for stage in self.stages
        ]
        weights[0][0] = known
        for at, stage in enumerate(self.stages):
            now = stage.nodes.plays
            if stage.inner == OWN:
                certain = np.ones((len(now.public), 1, SIZES[stage.sizes[0]]))
                policies[at] = self._last(split(now, certain, by_book).played[:, :, 0].transpose(2, 1, 0))
            done = split(now, weights[at], types) if stage.inner == FOE else None
            for link in stage.links:
                if done is None:
                    weights[link.stage][link.children] = weights[at][link.rows]
                elif _is_go(link):
                    weights[link.stage][link.children] = done.silent[link.rows]
                else:
                    weights[link.stage][link.children] = done.played[link.rows, link.steps]
        return policies, [self._last(part.sum(axis=1).T) for part in weights]

    def _last(self, part: Floats) -> Reals:
        """The same with the nodes, its last axis, side by side."""
        return np.ascontiguousarray(part, self.real)

    def _zeros(self, who: int) -> list[Reals]:
        """Zeros (hands of a side, nodes) for every stage."""
        return [
            np.zeros((SIZES[stage.sizes[who - OWN]], len(stage.nodes.scores)), self.real)
            for stage in self.stages
        ]

    def solve(self, rounds: int) -> Solved:
        """Run so many rounds from the book's play on."""
        own, free = self._chosen_by(OWN), self._chosen_by(FOE)
        own_weights = self._forward(OWN, self.own, self.by_book)
        opt_out = self._backward(FOE, own_weights, RESPOND)
        # The book's play is where the search begins.
        start = self.real(HEAD_START * np.abs(opt_out).max())
        self.regrets = {at: self.by_book[at] * start for at in own}
        self.regrets.update({at: np.zeros_like(self.choices[at].even) for at in free})
        sums = {at: np.zeros_like(self.choices[at].even) for at in own}
        self._from_regrets([*own, *free])
        # Regret of each free hand for not coming in, and for not staying out.
        into, out = np.zeros_like(opt_out), np.zeros_like(opt_out)
        for time in range(1, rounds + 1):
            keep = time**1.5 / (time**1.5 + 1)
            own_weights = self._forward(OWN, self.own, self.policies)
            values = self._backward(FOE, own_weights, keep)
            self._from_regrets(free)
            comes = _coming_in(into, out)
            value = comes * values + (1 - comes) * opt_out
            into = _faded(into, keep) + values - value
            out = _faded(out, keep) + opt_out - value
            both = self._forward(FOE, self.free * _coming_in(into, out), self.policies)
            for free_weights, known in zip(both, self.known, strict=True):
                free_weights += known
            self._backward(OWN, both, keep)
            self._from_regrets(own)
            own_weights = self._forward(OWN, self.own, self.policies)
            for at in own:
                sums[at] *= self.real(((time - 1) / time) ** 2)
                sums[at] += own_weights[at][self.choices[at].up] * self.policies[at]
        self.regrets = sums
        self._from_regrets(own)
        gained = self._backward(FOE, self._forward(OWN, self.own, self.policies), RESPOND)
        return Solved(sums[0][:, :, 0].T.ravel(), opt_out, gained)

    def _chosen_by(self, who: int) -> list[int]:
        return [at for at in self.choices if self.stages[at].inner == who]

    def _from_regrets(self, stages: list[int]) -> None:
        """Policies in proportion to regrets above 0, else all alike."""
        for at in stages:
            choice = self.choices[at]
            positive = np.maximum(self.regrets[at], 0)
            total = _by_hand(choice, positive)[choice.up]
            self.policies[at] = np.divide(positive, total, out=choice.even.copy(), where=total > 0)

    def _forward(self, who: int, root: Reals, policies: dict[int, Reals]) -> list[Reals]:
        """Reach probabilities of one side's hands at every node, from what stands at the root."""
        weights = self._zeros(who)
        weights[0][:, 0] = root
        for at, stage in enumerate(self.stages):
            if stage.inner == NEITHER:
                continue
            chooses, paths = stage.inner == who, iter(self.paths[at].down)
            played = silent = weights[at]
            if chooses:
                choice = self.choices[at]
                silent = weights[at] * choice.silent
                played = (weights[at][choice.up] * policies[at]).reshape(len(choice.up), -1)
            for link in stage.links:
                if not chooses or _is_go(link):
                    then = silent.take(link.rows, axis=1)
                else:
                    then = played.take(next(paths), axis=1)
                weights[link.stage][:, link.children] = then
        return weights

    def _backward(self, who: int, others: list[Reals], keep: float) -> Reals:
        """Values of one side's hands at the root, by the other's reach probabilities; its regrets move too.

        keep: what earlier regrets above 0 still count, or RESPOND.
        """
        values = self._zeros(who)
        for at in range(len(self.stages) - 1, -1, -1):
            stage = self.stages[at]
            if stage.inner == NEITHER:
                self._ended(who, self.tables[at], others[at], values[at])
                continue
            below = self._below(at, values)
            if stage.inner == who:
                values[at] = self._chosen(at, below, keep)
            else:
                for rank in range(13):
                    values[at] += below[:, rank]
            for link in stage.links:
                if _is_go(link):
                    then = values[link.stage][:, link.children]
                    if stage.inner == who:
                        then = then * self.choices[at].silent[:, link.rows]
                    values[at][:, link.rows] += then
        first: Reals = values[0][:, 0]
        return first

    @staticmethod
    def _ended(who: int, table: Reals, others: Reals, values: Reals) -> None:
        """Write the values of one side's hands at leaves."""
        if who == OWN:
            for hand, reach in zip(table, others, strict=True):
                values += hand * reach
        else:
            for at in range(table.shape[1]):
                values -= table[:, at] * others[at]

    def _below(self, at: int, values: list[Reals]) -> Reals:
        """(hands, 13, nodes): values of one side's hands after each rank, 0 where no child follows."""
        links = [link for link in self.stages[at].links if not _is_go(link)]
        parts = [values[link.stage][:, link.children] for link in links]
        hands = len(values[links[0].stage]) if links else 1
        parts.append(np.zeros((hands, 1), self.real))
        together = np.concatenate(parts, axis=1)
        return together.take(self.paths[at].back, axis=1).reshape(hands, 13, -1)

    def _chosen(self, at: int, below: Reals, keep: float) -> Reals:
        """Values of hands that play what is best, or each rank as often as the strategy says; that learns."""
        choice = self.choices[at]
        if keep == RESPOND:
            best = np.where(choice.there, below, WORST)
            rests, ranks, _ = choice.members
            by_hand: Reals = np.full((rests.shape[1], best.shape[2]), WORST, self.real)
            for rest, rank in zip(rests, ranks, strict=True):
                np.maximum(by_hand, best[rest, rank], out=by_hand)
            # Where all that fits is gone from the deck no one holds the hand.
            return np.where(by_hand == WORST, 0, by_hand)
        by_hand = _by_hand(choice, self.policies[at] * below)
        moved = _faded(self.regrets[at], keep)
        moved += below
        moved -= by_hand[choice.up]
        moved *= choice.there
        self.regrets[at] = moved
        return by_hand


def _by_hand(choice: Choice, cells: Reals) -> Reals:
    """(hands, nodes): sums over the ranks of each hand; cells (rests, 13, nodes)."""
    rests, ranks, firsts = choice.members
    total: Reals = cells[rests[0], ranks[0]]
    for rest, rank, first in zip(rests[1:], ranks[1:], firsts[1:], strict=True):
        total += cells[rest, rank] * first[:, None]
    return total


def _faded(regrets: Reals, keep: float) -> Reals:
    """What earlier regrets still count."""
    faded: Reals = regrets * regrets.dtype.type(FADE)
    faded += np.maximum(regrets, 0) * regrets.dtype.type(keep - FADE)
    return faded


def _coming_in(into: Reals, out: Reals) -> Reals:
    """How often hands come in that regret so much not to have come in, and not to have stayed out."""
    into, out = np.maximum(into, 0.0), np.maximum(out, 0.0)
    inside: Reals = np.divide(into, into + out, out=np.full_like(into, 0.5), where=into + out > 0)
    return inside
