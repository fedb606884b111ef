"""The look-ahead search in NumPy arrays: all plays of a deal to its end, against a belief.

The own four cards are known; the other side has a belief by type and hand (`beliefs`). All plays are first
followed forwards, plays with equally many cards together, and beliefs are multiplied by the probability that
a type plays each card. Values are then passed backwards from the last card to the first; the own side takes
its best card. Sums are taken in a fixed order, so that values do not depend on NumPy's partition. One search
serves several stakes, because beliefs do not depend on them.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from math import prod
from typing import NamedTuple

import numpy as np

from fifteentwo.analysis.pegging.beliefs import Floats, Ints, OpponentTypes, Truths, split
from fifteentwo.fast import plays
from fifteentwo.fast.counting_out import after_hands
from fifteentwo.fast.hands import hand_numbers
from fifteentwo.fast.layout import VALUES
from fifteentwo.fast.play import COUNT, HELD, LAST, LIMIT, PLAYED, TURN
from fifteentwo.fast.plays import Plays

MORE = (0, 1, 4, 5, 6)
"""Points that suits may add to a hand: nothing, nobs, a flush, a flush with the starter, that and nobs."""
PARTS = NOW, REPLY, NEXT, LAST_CARDS, LATER, THEIR_LATER = range(6)
"""Parts of the points to come: this card, the reply, the next own card, goes and last cards, later own cards,
later cards of the other side."""
AFTER_GO = 13
"""The step for a go, after the steps for ranks."""
NOT_PLAYED = -1e9
"""Value of a card that the own side cannot play."""
NEGLIGIBLE = 3e-6
"""Plays with a lower probability are not followed; the followed ones count for them."""
DIGITS: Ints = 13 ** np.arange(3, -1, -1)


class Stakes(NamedTuple):
    """Values at the end of pegging."""

    show: int
    """Points of the own hand in the show."""
    dealer: int
    """1 if the own side deals, otherwise 0."""
    target: int
    """The target score; 0 if points count (own less the other's, without the show)."""
    counted: Floats
    """[own score, other's] values before the crib is counted, or after a side has won."""
    shows: Ints
    """(1820,) points of the other side's hand in the show, without suits."""
    suited: Floats
    """(1820, 5) probability that suits add each of `MORE` to such a hand."""


class Outlooks(NamedTuple):
    """Public plays as the own side sees them; every field but the first has one row for each play."""

    plays: Plays
    own: Ints
    other: Ints
    """Scores."""
    hand: Ints
    """(plays, 13) own cards by rank."""
    theirs: Ints
    """(plays, 4) ranks that the other side has played."""
    belief: Floats
    """(plays, types, hands)."""
    made: Ints
    """(plays, PARTS) points since the search began, own less the other's."""


class Origin(NamedTuple):
    """Where plays come from: rows of an earlier stage and the steps taken there."""

    stage: int
    rows: Ints
    steps: Ints
    over: list[Truths]
    """(plays,) by stakes: whether the game is already won, so that its value is final."""


class Stage(NamedTuple):
    """Plays with equally many cards and goes, equally many cards held, and the same side on turn."""

    origins: list[Origin]
    """Origins of its plays, in order."""
    chooses: bool
    """Whether the value of a play is the greatest of `values`; otherwise it is their sum."""
    values: list[Floats]
    """(plays, 14, width) by stakes: values by rank played, then after a go. A value in points may be followed
    by its PARTS."""
    scale: Floats
    """(plays,) factor of the value."""


@cache
def four_numbers() -> Ints:
    """Return (13**4,) hand numbers of four ranks in any order as digits to base 13."""
    return hand_numbers(np.indices((13,) * 4).reshape(4, -1).T)


def in_order(parts: Floats, axes: int = 1) -> Floats:
    """Return sums over the last axes, added one part after another."""
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
    """Return (plays,) whether a side has reached the target."""
    return (target > 0) & (np.maximum(own, other) >= target)


def after_play(own: Ints, other: Ints, show: Ints | int, their_show: Ints | int, stakes: Stakes) -> Floats:
    """Return (plays,) values of scores after pegging, with the points of both hands."""
    value: Floats = stakes.counted[after_hands(own, other, show, their_show, stakes.dealer, stakes.target)]
    return value


def shown(own: Ints, other: Ints, hands: Ints, stakes: Stakes) -> Floats:
    """Return values of scores and of numbers of the other side's hands, with the probabilities of suits."""
    shows, suited = stakes.shows, stakes.suited.T.copy()
    # There are few pairs of scores and points of a hand, so their values are tabulated first.
    first, second, most = own.min(), other.min(), int(shows.max()) + MORE[-1] + 1
    scores = np.ogrid[first : own.max() + 1, second : other.max() + 1, :most]
    table = after_play(scores[0], scores[1], stakes.show, scores[2], stakes)
    at = ((own - first) * table.shape[1] + (other - second)) * most + shows[hands]
    table = table.ravel()
    value = np.zeros(at.shape)
    for kind, more in enumerate(MORE):
        if suited[kind].any():
            value += suited[kind][hands] * table[at + more]
    over = is_won(own, other, stakes.target)
    if over.any():
        value = np.where(over, stakes.counted[own, other], value)
    return value


class Searched(NamedTuple):
    """Results of a search for each own rank that can be played now."""

    values: list[dict[int, float]]
    """By stakes the value of each rank; for points, points to come."""
    parts: dict[int, tuple[float, ...]]
    """PARTS of the points of each rank; empty if nobody asked for them."""


def search(
    side: int, root: Outlooks, types: OpponentTypes, stakes: Sequence[Stakes], *, parts: bool = False
) -> Searched:
    """Return the results for each own rank that can be played now.

    root: one play with beliefs that sum to 1 and no points made. parts: whether to split points into PARTS.
    """
    walk = Walk(side, types, stakes, root, parts)
    best = walk.play_own(walk.root, in_order(root.belief, 2))
    walk.look(Stage([], True, best, np.ones(1)))
    fitting = np.flatnonzero(best[0][0, :, 0] != NOT_PLAYED).tolist()
    return Searched(
        [{rank: float(values[0, rank, 0]) for rank in fitting} for values in best],
        {rank: tuple(best[0][0, rank, 1:].tolist()) for rank in fitting if parts},
    )


def expected(side: int, root: Outlooks, types: OpponentTypes, stakes: Stakes) -> float:
    """Return the value of one play, for either side on turn; its beliefs sum to 1."""
    walk = Walk(side, types, [stakes], root, parts=False)
    (values,) = walk.no_values(1)
    walk.play_on(walk.root, np.zeros(1, np.int64), np.array([AFTER_GO]), np.ones(1), [values])
    walk.look(Stage([], False, [values], np.ones(1)))
    return float(values[0, AFTER_GO, 0])


class Walk:
    """All plays that are followed from one position, stage by stage."""

    def __init__(
        self, side: int, types: OpponentTypes, stakes: Sequence[Stakes], root: Outlooks, parts: bool
    ) -> None:
        self.side = side
        self.types = types
        self.stakes = stakes
        self._lead = int(root.own[0] - root.other[0])
        public = root.plays.public[0]
        self._held = int(public[HELD + side]), int(public[HELD + 1 - side])
        self._has_parts = parts
        self.root = root if self._has_parts else root._replace(made=root.made[:, :0])
        self.stages: list[Stage] = []
        self._waiting: dict[tuple[int, ...], list[tuple[Outlooks, Origin]]] = defaultdict(list)
        self._goes = 0

    def look(self, top: Stage) -> None:
        """Follow all plays that wait to the end, then pass the values back. top: the stage of the root."""
        self.stages.append(top)
        while self._waiting:
            key = min(self._waiting)
            parts, origins = zip(*self._waiting.pop(key), strict=True)
            self._goes = key[1]
            self._follow(_joined(parts), list(origins))
        for stage in reversed(self.stages):
            for number, values in enumerate(stage.values):
                if stage.chooses:
                    handed_back = values[np.arange(len(values)), values[:, :, 0].argmax(axis=1)]
                else:
                    handed_back = values[:, 0].copy()
                    for step in range(1, AFTER_GO + 1):
                        handed_back += values[:, step]
                self._hand_back(number, handed_back * stage.scale[:, None], stage.origins)

    def no_values(self, number: int, value: float = 0.0) -> list[Floats]:
        """Return `Stage.values` in which all elements of this number of plays are `value`."""
        widths = [1 if stakes.target else 1 + self.root.made.shape[1] for stakes in self.stakes]
        return [np.full((number, 14, width), value) for width in widths]

    def _hand_back(self, number: int, values: Floats, origins: list[Origin]) -> None:
        """Pass values of the plays of a stage to their origins, for the stakes of this number."""
        first = 0
        for stage, rows, steps, over in origins:
            last = first + len(rows)
            on = ~over[number]
            self.stages[stage].values[number][rows[on], steps[on]] = values[first:last][on]
            first = last

    def _follow(self, now: Outlooks, origins: list[Origin]) -> None:
        public = now.plays.public
        believed = in_order(now.belief, 2)
        chooses = bool(public[0, TURN] == self.side)
        scale = np.ones(len(public))
        if public[0, HELD] + public[0, HELD + 1] == 0:
            values = self._all_played(now, believed)
            chooses = False
        elif chooses:
            values = self.play_own(now, believed)
            silent = np.flatnonzero(~self._fitting(now).any(axis=1))
            self._say_go(now, silent, believed[silent], now.belief[silent], values)
        else:
            values, followed = self._play_theirs(now)
            scale = np.divide(believed, followed, out=scale, where=followed > 0)
        self.stages.append(Stage(origins, chooses, values, scale))

    def _fitting(self, now: Outlooks) -> Truths:
        """Return (plays, 13) own ranks that can be played."""
        fitting: Truths = (now.hand > 0) & plays.fits(now.plays)
        return fitting

    def play_own(self, now: Outlooks, believed: Floats) -> list[Floats]:
        """Return values of own cards that win, otherwise NOT_PLAYED; other cards wait."""
        values = self.no_values(len(now.hand), NOT_PLAYED)
        rows, ranks = np.nonzero(self._fitting(now))
        points = plays.points(now.plays)[rows, ranks]
        hand, made = now.hand[rows], now.made[rows]
        hand[np.arange(len(rows)), ranks] -= 1
        if self._has_parts:
            held = int(now.plays.public[0, HELD + self.side])
            made[:, {0: NOW, 1: NEXT}.get(self._held[0] - held, LATER)] += points
        played = plays.play_rank(now.plays, rows, ranks)
        own, belief = now.own[rows] + points, now.belief[rows]
        then = Outlooks(played, own, now.other[rows], hand, now.theirs[rows], belief, made)
        self.play_on(then, rows, ranks, believed[rows], values)
        return values

    def _play_theirs(self, now: Outlooks) -> tuple[list[Floats], Floats]:
        """Return values of plays that end now, otherwise 0, and (plays,) followed beliefs."""
        public = now.plays.public
        values, followed = self.no_values(len(public)), np.zeros((len(public), 14))
        size = int(public[0, HELD + 1 - self.side])
        may_go = np.ones(len(public), np.bool_)
        silent = now.belief
        if size > 0:
            done = split(now.plays, now.belief, self.types)
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
        followed[rows, AFTER_GO] = chance
        self._say_go(now, rows, chance, silent[rows], values)
        return values, in_order(followed)

    def _play_each(self, now: Outlooks, played: Floats, chances: Floats, values: list[Floats]) -> None:
        """Play every rank of the other side."""
        size = int(now.plays.public[0, HELD + 1 - self.side])
        rows, ranks = np.nonzero(chances)
        points = plays.points(now.plays)[rows, ranks]
        theirs, made = now.theirs[rows], now.made[rows]
        theirs[:, 4 - size] = ranks
        if self._has_parts:
            made[:, REPLY if size == self._held[1] else THEIR_LATER] -= points
        after = plays.play_rank(now.plays, rows, ranks)
        other, belief = now.other[rows] + points, played[rows, ranks]
        then = Outlooks(after, now.own[rows], other, now.hand[rows], theirs, belief, made)
        self.play_on(then, rows, ranks, chances[rows, ranks], values)

    def _play_last(self, now: Outlooks, chances: Floats, values: list[Floats]) -> None:
        """Write the values of every rank that the other side may play as the last of all cards.

        chances: (plays, 13), 0 for ranks that are not followed.
        """
        points = plays.points(now.plays)
        last = (now.plays.public[:, COUNT, None] + VALUES != LIMIT).astype(np.int64)
        own, lost = now.own[:, None], now.other[:, None] + points + last
        numbers = four_numbers()[(now.theirs[:, :3] @ DIGITS[:3])[:, None] + np.arange(13)]
        made = np.repeat(now.made[:, None], 13, axis=1)
        if self._has_parts:
            made[..., REPLY if self._held[1] == 1 else THEIR_LATER] -= points
            made[..., LAST_CARDS] -= last
        for number, by_step in enumerate(values):
            by_step[:, :13] = chances[..., None] * self._ended(number, own, lost, made, numbers)

    def _say_go(
        self, now: Outlooks, rows: Ints, chances: Floats, belief: Floats, values: list[Floats]
    ) -> None:
        """Say go in some plays. The side that played last pegs a point if the count ends."""
        passed = plays.go(now.plays, rows)
        ended = passed.public[:, COUNT] == 0
        own_last = passed.public[:, LAST] == self.side
        own, other = now.own[rows] + (ended & own_last), now.other[rows] + (ended & ~own_last)
        made = now.made[rows]
        if self._has_parts:
            made[:, LAST_CARDS] += (ended & own_last).astype(np.int64) - (ended & ~own_last)
        then = Outlooks(passed, own, other, now.hand[rows], now.theirs[rows], belief, made)
        self.play_on(then, rows, np.full(len(rows), AFTER_GO), chances, values, self._goes + 1)

    def _all_played(self, now: Outlooks, believed: Floats) -> list[Floats]:
        """Return values if no cards are left, with last card and both hands."""
        last, counts = now.plays.public[:, LAST] == self.side, now.plays.public[:, COUNT] > 0
        own, other = now.own + (counts & last), now.other + (counts & ~last)
        if self._has_parts:
            now.made[:, LAST_CARDS] += (counts & last).astype(np.int64) - (counts & ~last)
        values = self.no_values(len(own))
        numbers = four_numbers()[now.theirs @ DIGITS]
        for number, by_step in enumerate(values):
            by_step[:, 0] = believed[:, None] * self._ended(number, own, other, now.made, numbers)
        return values

    def _ended(self, number: int, own: Ints, other: Ints, made: Ints, hands: Ints | None = None) -> Floats:
        """Return values of scores (…) as (…, width), with parts if points are split into them.

        hands: numbers of the other side's hands if they still count.
        """
        stakes = self.stakes[number]
        if stakes.target == 0:
            return np.concatenate([(own - self._lead - other)[..., None], made], axis=-1, dtype=np.float64)
        if hands is None or not own.size:
            return after_play(own, other, 0, 0, stakes)[..., None]
        return shown(own, other, hands, stakes)[..., None]

    def play_on(
        self, then: Outlooks, rows: Ints, steps: Ints, chances: Floats, values: list[Floats], goes: int = 0
    ) -> None:
        """Write the values of plays in which a side has won; the others wait.

        rows, steps: where the values of the plays are written to; goes: number of goes since the last card.
        """
        public, over = then.plays.public, [is_won(then.own, then.other, one.target) for one in self.stakes]
        for number, won in enumerate(over):
            ended = self._ended(number, then.own[won], then.other[won], then.made[won])
            values[number][rows[won], steps[won]] = chances[won, None] * ended
        on = ~np.logical_and.reduce(over)
        for turn in (0, 1):
            at = np.flatnonzero(on & (public[:, TURN] == turn))
            if len(at):
                key = (int(public[0, PLAYED]), goes, turn, int(public[0, HELD]))
                origin = Origin(len(self.stages), rows[at], steps[at], [won[at] for won in over])
                alike = then if len(at) == len(public) else _these(then, at)
                self._waiting[key].append((alike, origin))


def _these(outlooks: Outlooks, rows: Ints) -> Outlooks:
    return Outlooks._make([plays.of(outlooks.plays, rows), *[field[rows] for field in outlooks[1:]]])


def _joined(parts: Sequence[Outlooks]) -> Outlooks:
    if len(parts) == 1:
        return parts[0]
    joined = Plays(*map(np.concatenate, zip(*[part.plays for part in parts], strict=True)))
    return Outlooks._make([joined, *map(np.concatenate, zip(*[part[1:] for part in parts], strict=True))])
