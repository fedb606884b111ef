"""The look-ahead search in NumPy arrays: all plays of a deal to its end, against a belief.

The own four cards are known; the other side has a belief by type and hand (`beliefs`). All plays are first
followed forwards, plays with equally many cards together, and beliefs are multiplied by the probability that
a type plays each card. Values are then passed backwards from the last card to the first; the own side takes
its best card. Sums are taken in a fixed order, so that values do not depend on NumPy's partition. One search
serves several `EndValues`, because beliefs do not depend on them.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from math import prod
from typing import NamedTuple

import numpy as np

from fifteentwo.analysis.pegging.beliefs import Floats, Ints, OpponentTypes, Truths, next_beliefs
from fifteentwo.fast import plays
from fifteentwo.fast.counting_out import after_hands
from fifteentwo.fast.hands import hand_numbers
from fifteentwo.fast.layout import VALUES
from fifteentwo.fast.play import COUNT, HELD, LAST, LIMIT, PLAYED, TURN
from fifteentwo.fast.plays import Plays

SUIT_POINTS = (0, 1, 4, 5, 6)
"""Points that suits may add to a hand: none, nobs, a flush, a flush with the starter, that and nobs."""
PARTS = NOW, REPLY, NEXT, LAST_CARDS, LATER, THEIR_LATER = range(6)
"""Parts of the points from now to the end of pegging: this card, the other side's reply, the next own card,
goes and last cards, later own cards, later cards of the other side."""
GO_STEP = 13
"""Number of the step "say go"; steps 0–12 play a card of that rank."""
NOT_PLAYED = -1e9
"""Value of a card that the own side cannot play."""
NEGLIGIBLE = 3e-6
"""The search skips plays with a lower probability and scales up the others."""
BASE_13: Ints = 13 ** np.arange(3, -1, -1)


class EndValues(NamedTuple):
    """How a search values the end of pegging: by points, or by win probability with the show ahead."""

    own_show: int
    """Points of the own hand in the show."""
    dealer: int
    """1 if the own side deals, otherwise 0."""
    target: int
    """The target score, or 0 to value only pegging points (own less the other side's)."""
    by_score: Floats
    """[own score, other's score] value, -1 (lost) to 1 (won), when the hands but not the crib are counted."""
    other_show: Ints
    """(1820,) show points of each hand that the other side may have kept, without suits."""
    suit_probability: Floats
    """(1820, 5) probability that suits add each of `SUIT_POINTS` to such a hand."""


class Positions(NamedTuple):
    """Pegging positions as the own side knows them; every array has one row for each position."""

    plays: Plays
    """The public part of the positions: cards played, count, and side on turn."""
    own_score: Ints
    other_score: Ints
    own_hand: Ints
    """(positions, 13) own cards of each rank."""
    other_played: Ints
    """(positions, 4) ranks that the other side has played."""
    belief: Floats
    """(positions, types, hands) joint probability of the other side's type, its hand and its play so far."""
    net_points: Ints
    """(positions, PARTS) points since the search began, own less the other side's."""


class Origin(NamedTuple):
    """The earlier stage, rows and steps that led to some positions; their values are written there."""

    stage: int
    """Index of the earlier stage in `Walk.stages`."""
    rows: Ints
    """(positions,) row of each position's predecessor in the earlier stage."""
    steps: Ints
    """(positions,) step from the predecessor: a rank 0–12, or GO_STEP."""
    is_won: list[Truths]
    """For each of the search's end values, (positions,) whether a side has already won."""


class Stage(NamedTuple):
    """The positions after the same number of cards and goes, with the same side on turn, and their values."""

    origins: list[Origin]
    """The origins of the stage's positions, in the order of the positions."""
    is_own_choice: bool
    """Whether the own side is on turn: a position then has the highest value of its steps, else the sum."""
    values: list[Floats]
    """For each of the search's end values, (positions, 14, width) value of each step, times its probability.
    A value in points may be followed by its PARTS."""
    scale: Floats
    """(positions,) probability of all steps divided by that of the followed steps."""


@cache
def four_numbers() -> Ints:
    """Return (13**4,) hand numbers (0–1819) of four ranks in any order, read as digits to base 13."""
    return hand_numbers(np.indices((13,) * 4).reshape(4, -1).T)


def in_order(parts: Floats, axes: int = 1) -> Floats:
    """Return the sums over the last `axes` axes, added in index order so that rounding never differs."""
    kept, number = parts.shape[:-axes], prod(parts.shape[-axes:])
    parts = parts.reshape(*kept, number)
    if prod(kept) < number:
        last: Floats = np.add.accumulate(parts, axis=-1)[..., -1].copy()
        return last
    # NumPy is slow along a short last axis, so many short sums are added column by column.
    sums = parts[..., 0].copy()
    for part in range(1, number):
        sums += parts[..., part]
    return sums


def is_won(own: Ints, other: Ints, target: int) -> Truths:
    """Return for each pair of scores whether a side has reached the target; never if the target is 0."""
    return (target > 0) & (np.maximum(own, other) >= target)


def value_after_hands(
    own: Ints, other: Ints, own_show: Ints | int, other_show: Ints | int, end_values: EndValues
) -> Floats:
    """Return the value (-1 to 1) of each pair of scores after pegging, given the points of both hands."""
    scores = after_hands(own, other, own_show, other_show, end_values.dealer, end_values.target)
    value: Floats = end_values.by_score[scores]
    return value


def value_before_show(own: Ints, other: Ints, hands: Ints, end_values: EndValues) -> Floats:
    """Return values (-1 to 1) of scores after pegging with these hands, averaged over unknown suits."""
    shows, suited = end_values.other_show, end_values.suit_probability.T.copy()
    # There are few pairs of scores and points of a hand, so their values are tabulated first.
    first, second, most = own.min(), other.min(), int(shows.max()) + SUIT_POINTS[-1] + 1
    scores = np.ogrid[first : own.max() + 1, second : other.max() + 1, :most]
    table = value_after_hands(scores[0], scores[1], end_values.own_show, scores[2], end_values)
    at = ((own - first) * table.shape[1] + (other - second)) * most + shows[hands]
    table = table.ravel()
    value = np.zeros(at.shape)
    for kind, more in enumerate(SUIT_POINTS):
        if suited[kind].any():
            value += suited[kind][hands] * table[at + more]
    over = is_won(own, other, end_values.target)
    if over.any():
        value = np.where(over, end_values.by_score[own, other], value)
    return value


class CardValues(NamedTuple):
    """Values that a search found for each own rank that can be played now."""

    values: list[dict[int, float]]
    """For each of the search's end values, the value by rank 0–12: net points, or -1 (lost) to 1 (won)."""
    parts: dict[int, tuple[float, ...]]
    """The net points of each rank 0–12, split into PARTS; empty if the search was not asked for parts."""


def search(
    side: int, root: Positions, types: OpponentTypes, end_values: Sequence[EndValues], *, parts: bool = False
) -> CardValues:
    """Return the values of each own rank that can be played now, if both sides play on to the end of pegging.

    side: the own side, 0 pone or 1 dealer. root: the one position to search from; its beliefs sum to 1.
    parts: whether to split points into PARTS.
    """
    walk = Walk(side, types, end_values, root, parts)
    best = walk.play_own(walk.root, in_order(root.belief, 2))
    walk.look(Stage([], True, best, np.ones(1)))
    fitting = np.flatnonzero(best[0][0, :, 0] != NOT_PLAYED).tolist()
    return CardValues(
        [{rank: float(values[0, rank, 0]) for rank in fitting} for values in best],
        {rank: tuple(best[0][0, rank, 1:].tolist()) for rank in fitting if parts},
    )


def expected(side: int, root: Positions, types: OpponentTypes, end_values: EndValues) -> float:
    """Return the own side's value of the position `root`, net points or -1 to 1, with either side on turn."""
    walk = Walk(side, types, [end_values], root, parts=False)
    (values,) = walk.no_values(1)
    walk.play_on(walk.root, np.zeros(1, np.int64), np.array([GO_STEP]), np.ones(1), [values])
    walk.look(Stage([], False, [values], np.ones(1)))
    return float(values[0, GO_STEP, 0])


class Walk:
    """A search from one position: follow all plays forwards in stages, then pass values back to the root."""

    def __init__(
        self, side: int, types: OpponentTypes, end_values: Sequence[EndValues], root: Positions, parts: bool
    ) -> None:
        self.side = side
        self.types = types
        self.end_values = end_values
        self._lead = int(root.own_score[0] - root.other_score[0])
        public = root.plays.public[0]
        self._held = int(public[HELD + side]), int(public[HELD + 1 - side])
        self._has_parts = parts
        self.root = root if self._has_parts else root._replace(net_points=root.net_points[:, :0])
        self.stages: list[Stage] = []
        self._waiting: dict[tuple[int, ...], list[tuple[Positions, Origin]]] = defaultdict(list)
        self._goes = 0

    def look(self, top: Stage) -> None:
        """Follow the waiting plays to their ends, then write the values of all steps of the root's stage."""
        self.stages.append(top)
        while self._waiting:
            key = min(self._waiting)
            parts, origins = zip(*self._waiting.pop(key), strict=True)
            self._goes = key[1]
            self._make_stage(_join(parts), list(origins))
        for stage in reversed(self.stages):
            for number, values in enumerate(stage.values):
                if stage.is_own_choice:
                    passed = values[np.arange(len(values)), values[:, :, 0].argmax(axis=1)]
                else:
                    passed = values[:, 0].copy()
                    for step in range(1, GO_STEP + 1):
                        passed += values[:, step]
                self._write_to_origins(number, passed * stage.scale[:, None], stage.origins)

    def no_values(self, number: int, value: float = 0.0) -> list[Floats]:
        """Return `Stage.values` for this number of positions, with every element equal to `value`."""
        widths = [
            1 if end_values.target else 1 + self.root.net_points.shape[1] for end_values in self.end_values
        ]
        return [np.full((number, 14, width), value) for width in widths]

    def _write_to_origins(self, number: int, values: Floats, origins: list[Origin]) -> None:
        """Write a stage's values to the steps that led to it. number: index of the end values."""
        first = 0
        for stage, rows, steps, over in origins:
            last = first + len(rows)
            on = ~over[number]
            self.stages[stage].values[number][rows[on], steps[on]] = values[first:last][on]
            first = last

    def _make_stage(self, now: Positions, origins: list[Origin]) -> None:
        """Play every step from these positions, queue the positions reached, and add the stage."""
        public = now.plays.public
        believed = in_order(now.belief, 2)
        chooses = bool(public[0, TURN] == self.side)
        scale = np.ones(len(public))
        if public[0, HELD] + public[0, HELD + 1] == 0:
            values = self._values_at_end(now, believed)
            chooses = False
        elif chooses:
            values = self.play_own(now, believed)
            silent = np.flatnonzero(~self._fitting(now).any(axis=1))
            self._say_go(now, silent, believed[silent], now.belief[silent], values)
        else:
            values, followed = self._play_theirs(now)
            scale = np.divide(believed, followed, out=scale, where=followed > 0)
        self.stages.append(Stage(origins, chooses, values, scale))

    def _fitting(self, now: Positions) -> Truths:
        """Return (positions, 13) whether the own side holds this rank and may play it."""
        fitting: Truths = (now.own_hand > 0) & plays.fits(now.plays)
        return fitting

    def play_own(self, now: Positions, believed: Floats) -> list[Floats]:
        """Play every own card that fits: return the values of cards that win, and queue other positions."""
        values = self.no_values(len(now.own_hand), NOT_PLAYED)
        rows, ranks = np.nonzero(self._fitting(now))
        points = plays.points(now.plays)[rows, ranks]
        hand, made = now.own_hand[rows], now.net_points[rows]
        hand[np.arange(len(rows)), ranks] -= 1
        if self._has_parts:
            held = int(now.plays.public[0, HELD + self.side])
            made[:, {0: NOW, 1: NEXT}.get(self._held[0] - held, LATER)] += points
        played = plays.play_rank(now.plays, rows, ranks)
        own, belief = now.own_score[rows] + points, now.belief[rows]
        then = Positions(played, own, now.other_score[rows], hand, now.other_played[rows], belief, made)
        self.play_on(then, rows, ranks, believed[rows], values)
        return values

    def _play_theirs(self, now: Positions) -> tuple[list[Floats], Floats]:
        """Let the other side play each card or go: return values of plays that end, and queue the others.

        Values still to be found are 0. Also return (positions,) the probability of the followed steps.
        """
        public = now.plays.public
        values, followed = self.no_values(len(public)), np.zeros((len(public), 14))
        size = int(public[0, HELD + 1 - self.side])
        may_go = np.ones(len(public), np.bool_)
        silent = now.belief
        if size > 0:
            done = next_beliefs(now.plays, now.belief, self.types)
            chance = in_order(done.played, 2)
            followed[:, :13] = np.where(chance < NEGLIGIBLE, 0.0, chance)
            if size == 1 and public[0, HELD + self.side] == 0:
                self._play_last(now, followed[:, :13], values)
            else:
                self._play_each(now, done.played, followed, values)
            may_go = public[:, COUNT] > 21
            silent = done.silent
        rows = np.flatnonzero(may_go)
        chance = in_order(silent[rows], 2)
        rows, chance = rows[chance >= NEGLIGIBLE], chance[chance >= NEGLIGIBLE]
        followed[rows, GO_STEP] = chance
        self._say_go(now, rows, chance, silent[rows], values)
        return values, in_order(followed)

    def _play_each(self, now: Positions, played: Floats, chances: Floats, values: list[Floats]) -> None:
        """Follow every rank that the other side may play with a probability in `chances` (positions, 13)."""
        size = int(now.plays.public[0, HELD + 1 - self.side])
        rows, ranks = np.nonzero(chances)
        points = plays.points(now.plays)[rows, ranks]
        theirs, made = now.other_played[rows], now.net_points[rows]
        theirs[:, 4 - size] = ranks
        if self._has_parts:
            made[:, REPLY if size == self._held[1] else THEIR_LATER] -= points
        after = plays.play_rank(now.plays, rows, ranks)
        other, belief = now.other_score[rows] + points, played[rows, ranks]
        then = Positions(after, now.own_score[rows], other, now.own_hand[rows], theirs, belief, made)
        self.play_on(then, rows, ranks, chances[rows, ranks], values)

    def _play_last(self, now: Positions, chances: Floats, values: list[Floats]) -> None:
        """Write the values of every rank that the other side may play as the last card of the deal."""
        points = plays.points(now.plays)
        last = (now.plays.public[:, COUNT, None] + VALUES != LIMIT).astype(np.int64)
        own, lost = now.own_score[:, None], now.other_score[:, None] + points + last
        numbers = four_numbers()[(now.other_played[:, :3] @ BASE_13[:3])[:, None] + np.arange(13)]
        made = np.repeat(now.net_points[:, None], 13, axis=1)
        if self._has_parts:
            made[..., REPLY if self._held[1] == 1 else THEIR_LATER] -= points
            made[..., LAST_CARDS] -= last
        for number, by_step in enumerate(values):
            by_step[:, :13] = chances[..., None] * self._final_values(number, own, lost, made, numbers)

    def _say_go(
        self, now: Positions, rows: Ints, chances: Floats, belief: Floats, values: list[Floats]
    ) -> None:
        """Let the side on turn say go in these rows; the last side to play pegs a point if the count ends."""
        passed = plays.go(now.plays, rows)
        ended = passed.public[:, COUNT] == 0
        own_last = passed.public[:, LAST] == self.side
        own, other = now.own_score[rows] + (ended & own_last), now.other_score[rows] + (ended & ~own_last)
        made = now.net_points[rows]
        if self._has_parts:
            made[:, LAST_CARDS] += (ended & own_last).astype(np.int64) - (ended & ~own_last)
        then = Positions(passed, own, other, now.own_hand[rows], now.other_played[rows], belief, made)
        self.play_on(then, rows, np.full(len(rows), GO_STEP), chances, values, self._goes + 1)

    def _values_at_end(self, now: Positions, believed: Floats) -> list[Floats]:
        """Return the values of positions without cards, after the point for last card and both hands."""
        last, counts = now.plays.public[:, LAST] == self.side, now.plays.public[:, COUNT] > 0
        own, other = now.own_score + (counts & last), now.other_score + (counts & ~last)
        if self._has_parts:
            now.net_points[:, LAST_CARDS] += (counts & last).astype(np.int64) - (counts & ~last)
        values = self.no_values(len(own))
        numbers = four_numbers()[now.other_played @ BASE_13]
        for number, by_step in enumerate(values):
            by_step[:, 0] = believed[:, None] * self._final_values(
                number, own, other, now.net_points, numbers
            )
        return values

    def _final_values(
        self, number: int, own: Ints, other: Ints, made: Ints, hands: Ints | None = None
    ) -> Floats:
        """Return (…, width) values of final scores by one of the end values; hands: if they still count."""
        end_values = self.end_values[number]
        if end_values.target == 0:
            return np.concatenate([(own - self._lead - other)[..., None], made], axis=-1, dtype=np.float64)
        if hands is None or not own.size:
            return value_after_hands(own, other, 0, 0, end_values)[..., None]
        return value_before_show(own, other, hands, end_values)[..., None]

    def play_on(
        self, then: Positions, rows: Ints, steps: Ints, chances: Floats, values: list[Floats], goes: int = 0
    ) -> None:
        """Write the values of positions in which a side has won to `values[rows, steps]`; queue others."""
        public, over = (
            then.plays.public,
            [is_won(then.own_score, then.other_score, one.target) for one in self.end_values],
        )
        for number, won in enumerate(over):
            ended = self._final_values(
                number, then.own_score[won], then.other_score[won], then.net_points[won]
            )
            values[number][rows[won], steps[won]] = chances[won, None] * ended
        on = ~np.logical_and.reduce(over)
        for turn in (0, 1):
            at = np.flatnonzero(on & (public[:, TURN] == turn))
            if len(at):
                key = (int(public[0, PLAYED]), goes, turn, int(public[0, HELD]))
                origin = Origin(len(self.stages), rows[at], steps[at], [won[at] for won in over])
                alike = then if len(at) == len(public) else _select(then, at)
                self._waiting[key].append((alike, origin))


def _select(positions: Positions, rows: Ints) -> Positions:
    return Positions._make([plays.of(positions.plays, rows), *[field[rows] for field in positions[1:]]])


def _join(parts: Sequence[Positions]) -> Positions:
    if len(parts) == 1:
        return parts[0]
    joined = Plays(*map(np.concatenate, zip(*[part.plays for part in parts], strict=True)))
    return Positions._make([joined, *map(np.concatenate, zip(*[part[1:] for part in parts], strict=True))])
