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
    Link,
    Position,
    Stage,
    grown,
    leaves,
)
from fifteentwo.analysis.pegging.look_ahead_search import in_order
from fifteentwo.fast import plays
from fifteentwo.fast.hands import SIZES, with_one_more

RESPOND = 0.0
"""In place of what earlier regrets still count: take the best response, and leave regrets as they are."""
WORST = -1e9
FADE = 0.5
"""What earlier regrets below 0 still count. With the powers 1.5 of regrets above 0 and 2 of averages it is
discounted regret minimisation as in Brown and Sandholm (2019)."""
HEAD_START = 1e-3
"""Regret that the book's play begins with, as a part of the highest opt-out value."""


class Weights(NamedTuple):
    """Hands at the root, by the number of ways to play them: own, the other's known by type, and free."""

    own: Floats
    known: Floats
    free: Floats


class Solved(NamedTuple):
    """What is found."""

    sums: Floats
    """(cells,) the own side's average strategy at the root, to be divided by its sums."""
    opt_out: Floats
    """(hands,) what each hand of the free side makes of the book's play at best."""
    gained: Floats
    """(hands,) what it makes of `sums` at best."""


class Choice(NamedTuple):
    """What is fixed of a stage where one side chooses."""

    up: Ints
    """(13, rests): the hand that a rank and a rest make."""
    members: tuple[Ints, Ints]
    """(hands, held) each: the ranks of a hand, and what is left without each."""
    counted: Truths
    """(nodes, hands, held): which of them fit, of a rank held twice the first."""
    fits: Truths
    """(nodes, 13, 1)."""
    there: Truths
    """(nodes, 13, 1): whether a child follows on this rank."""
    even: Floats
    """(nodes, 13, rests): how often each rank that fits would be played if all were alike."""


def _choice(stage: Stage) -> Choice:
    size = stage.sizes[stage.inner - OWN]
    ranks, rests, firsts = members(size)
    up = with_one_more(size)
    fits = plays.fits(stage.nodes.plays)
    counted = fits[:, ranks] & firsts
    there = np.zeros(fits.shape, np.bool_)
    for link in stage.links:
        if not _is_go(link):
            there[link.rows, link.steps] = True
    even = np.where(fits[:, :, None], 1 / np.maximum(counted.sum(axis=2), 1)[:, up], 0.0)
    return Choice(up, (ranks, rests), counted, fits[:, :, None], there[:, :, None], even)


def _is_go(link: Link) -> bool:
    return bool(link.steps[0] == GO)


def solve(position: Position, types: OpponentTypes, weights: Weights, rounds: int) -> Solved:
    """Find how the own side should play below a position, in so many rounds."""
    solving = _Solving(position, types, weights)
    return solving.solve(rounds)


class _Solving:
    """The tree, and the regrets and policies of both sides, stage by stage."""

    def __init__(self, position: Position, types: OpponentTypes, weights: Weights) -> None:
        self.weights = weights
        self.stages = grown(position)
        self.choices = {at: _choice(stage) for at, stage in enumerate(self.stages) if stage.inner != NEITHER}
        self.tables = self._tables(position)
        self.by_book, self.known = self._known(types)
        self.policies: dict[int, Floats] = {}
        self.regrets: dict[int, Floats] = {}

    def _tables(self, position: Position) -> dict[int, dict[int, Floats]]:
        """Of each side: at every leaf (nodes, its hands, the other side's hands)."""
        tables: dict[int, dict[int, Floats]] = {OWN: {}, FOE: {}}
        for at, stage in enumerate(self.stages):
            if stage.inner == NEITHER:
                table = leaves(stage, position)
                tables[OWN][at], tables[FOE][at] = table, -table.transpose(0, 2, 1)
        return tables

    def _known(self, types: OpponentTypes) -> tuple[dict[int, Floats], list[Floats]]:
        """The book's play of own hands, and the reach probabilities of the other's that play as believed."""
        by_book = OpponentTypes(types.starter, types.book, 0.0)
        policies: dict[int, Floats] = {}
        weights = self._zeros(FOE, self.weights.known.shape[:1])
        weights[0][0] = self.weights.known
        for at, stage in enumerate(self.stages):
            now = stage.nodes.plays
            if stage.inner == OWN:
                certain = np.ones((len(now.public), 1, SIZES[stage.sizes[0]]))
                policies[at] = split(now, certain, by_book).played[:, :, 0]
            done = split(now, weights[at], types) if stage.inner == FOE else None
            for link in stage.links:
                if done is None:
                    weights[link.stage][link.children] = weights[at][link.rows]
                elif _is_go(link):
                    weights[link.stage][link.children] = done.silent[link.rows]
                else:
                    weights[link.stage][link.children] = done.played[link.rows, link.steps]
        return policies, [part.sum(axis=1) for part in weights]

    def _zeros(self, who: int, between: tuple[int, ...] = ()) -> list[Floats]:
        """Zeros (nodes, …, hands of a side) for every stage."""
        return [
            np.zeros((len(stage.nodes.scores), *between, SIZES[stage.sizes[who - OWN]]))
            for stage in self.stages
        ]

    def solve(self, rounds: int) -> Solved:
        """Run so many rounds from the book's play on."""
        weights, (own, free) = self.weights, (self._chosen_by(OWN), self._chosen_by(FOE))
        own_weights = self._forward(OWN, weights.own, self.by_book)
        opt_out = self._backward(FOE, own_weights, RESPOND)
        # The book's play is where the search begins.
        self.regrets = {at: self.by_book[at] * HEAD_START * np.abs(opt_out).max() for at in own}
        self.regrets.update({at: np.zeros(self.choices[at].even.shape) for at in free})
        sums = {at: np.zeros(self.choices[at].even.shape) for at in own}
        self._from_regrets([*own, *free])
        # Regret of each free hand for not coming in, and for not staying out.
        into, out = np.zeros(len(opt_out)), np.zeros(len(opt_out))
        for time in range(1, rounds + 1):
            keep = time**1.5 / (time**1.5 + 1)
            own_weights = self._forward(OWN, weights.own, self.policies)
            values = self._backward(FOE, own_weights, keep)
            self._from_regrets(free)
            comes = _coming_in(into, out)
            value = comes * values + (1 - comes) * opt_out
            into = _faded(into, keep) + values - value
            out = _faded(out, keep) + opt_out - value
            free_weights = self._forward(FOE, weights.free * _coming_in(into, out), self.policies)
            both = [free + known for free, known in zip(free_weights, self.known, strict=True)]
            self._backward(OWN, both, keep)
            self._from_regrets(own)
            own_weights = self._forward(OWN, weights.own, self.policies)
            for at in own:
                played = own_weights[at][:, self.choices[at].up] * self.policies[at]
                sums[at] = sums[at] * ((time - 1) / time) ** 2 + played
        self.regrets = sums
        self._from_regrets(own)
        gained = self._backward(FOE, self._forward(OWN, weights.own, self.policies), RESPOND)
        return Solved(sums[0].ravel(), opt_out, gained)

    def _chosen_by(self, who: int) -> list[int]:
        return [at for at in self.choices if self.stages[at].inner == who]

    def _from_regrets(self, stages: list[int]) -> None:
        """Policies in proportion to regrets above 0, else all alike."""
        for at in stages:
            choice = self.choices[at]
            positive = np.maximum(self.regrets[at], 0.0)
            total = in_order(np.where(choice.counted, positive[:, *choice.members], 0.0))[:, choice.up]
            some = choice.fits & (total > 0)
            self.policies[at] = np.divide(positive, total, out=choice.even.copy(), where=some)

    def _forward(self, who: int, root: Floats, policies: dict[int, Floats]) -> list[Floats]:
        """Reach probabilities of one side's hands at every node, from what stands at the root."""
        weights = self._zeros(who)
        weights[0][0] = root
        for at, stage in enumerate(self.stages):
            played = silent = weights[at]
            if stage.inner == who:
                choice = self.choices[at]
                silent = np.where(choice.counted.any(axis=2), 0.0, weights[at])
                played = weights[at][:, choice.up] * policies[at]
            for link in stage.links:
                if stage.inner != who or _is_go(link):
                    weights[link.stage][link.children] = silent[link.rows]
                else:
                    weights[link.stage][link.children] = played[link.rows, link.steps]
        return weights

    def _backward(self, who: int, others: list[Floats], keep: float) -> Floats:
        """Values of one side's hands at the root, by the other's reach probabilities; its regrets move too.

        keep: what earlier regrets above 0 still count, or RESPOND.
        """
        values = self._zeros(who)
        for at in range(len(self.stages) - 1, -1, -1):
            stage = self.stages[at]
            if stage.inner == NEITHER:
                values[at] = in_order(others[at][:, None] * self.tables[who][at])
            elif stage.inner == who:
                values[at] = self._chosen(at, values, keep)
            else:
                below = np.zeros((*values[at].shape, 14))
                for link in stage.links:
                    below[link.rows, :, link.steps] = values[link.stage][link.children]
                values[at] = in_order(below)
        first: Floats = values[0][0]
        return first

    def _chosen(self, at: int, values: list[Floats], keep: float) -> Floats:
        """Values of hands that play what is best, or each rank as often as the strategy says; that learns."""
        choice, links = self.choices[at], self.stages[at].links
        below = np.zeros(choice.even.shape)
        for link in links:
            if not _is_go(link):
                below[link.rows, link.steps] = values[link.stage][link.children]
        if keep == RESPOND:
            best = np.where(choice.there, below, WORST)[:, *choice.members].max(axis=2)
            # Where all that fits is gone from the deck no one holds the hand.
            by_hand: Floats = np.where(best == WORST, 0.0, best)
        else:
            mixed = self.policies[at] * below
            by_hand = in_order(np.where(choice.counted, mixed[:, *choice.members], 0.0))
            moved = _faded(self.regrets[at], keep) + below - by_hand[:, choice.up]
            self.regrets[at] = np.where(choice.there, moved, self.regrets[at])
        for link in links:
            if _is_go(link):
                silent = ~choice.counted[link.rows].any(axis=2)
                by_hand[link.rows] = np.where(silent, values[link.stage][link.children], by_hand[link.rows])
        return by_hand


def _faded(regrets: Floats, keep: float) -> Floats:
    """What earlier regrets still count."""
    faded: Floats = regrets * np.where(regrets > 0, keep, FADE)
    return faded


def _coming_in(into: Floats, out: Floats) -> Floats:
    """How often hands come in that regret so much not to have come in, and not to have stayed out."""
    into, out = np.maximum(into, 0.0), np.maximum(out, 0.0)
    inside: Floats = np.divide(into, into + out, out=np.full(len(into), 0.5), where=into + out > 0)
    return inside
