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
NONE = -1e9
"""Value of a card that the own side cannot play."""
NOTHING = 3e-6
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
    """Whether the value of a play is the maximum of `values`; otherwise it is their sum."""
    values: list[Floats]
    """(plays, 14) by stakes: values by rank played, then after a go."""
    scale: Floats
    """(plays,) factor of the value."""
    parts: list[tuple[Ints, Ints, Floats]] | None
    """If the first stakes are points: their parts, as rows, steps and (rows, PARTS) points."""


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
    if stakes.target == 0:
        return (own - other).astype(np.float64)
    own, other = after_hands(own, other, show, their_show, stakes.dealer, stakes.target)
    value: Floats = stakes.counted[own, other]
    return value


def shown(own: Ints, other: Ints, hands: Ints, stakes: Stakes) -> Floats:
    """Return values of scores and the other side's hands, with the probabilities of suits. Any shapes.

    hands: hand numbers.
    """
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
    """PARTS of the points of each rank; empty unless the first stakes are points."""


def search(side: int, root: Outlooks, types: OpponentTypes, stakes: Sequence[Stakes]) -> Searched:
    """Return the results for each own rank that can be played now.

    root: one play with beliefs that sum to 1 and no points made.
    """
    walk = Walk(side, types, stakes, root)
    best = walk.play_own(walk.root, in_order(root.belief, 2))
    top = Stage([], True, best, np.ones(1), walk.no_parts())
    walk.stages.append(top)
    walk.look()
    fitting = np.flatnonzero(best[0][0] != NONE).tolist()
    parts: dict[int, tuple[float, ...]] = {}
    for _, steps, made in top.parts or []:
        parts |= zip(steps.tolist(), map(tuple, made.tolist()), strict=True)
    return Searched([{rank: float(by_rank[0, rank]) for rank in fitting} for by_rank in best], parts)


def expected(side: int, root: Outlooks, types: OpponentTypes, stakes: Stakes) -> float:
    """Return the value of one play, for either side on turn; its beliefs sum to 1."""
    walk = Walk(side, types, [stakes], root)
    walk._wait(walk.root, np.zeros(1, np.int64), np.array([AFTER_GO]), 0)
    top = Stage([], False, [np.zeros((1, 14))], np.ones(1), walk.no_parts())
    walk.stages.append(top)
    walk.look()
    return float(top.values[0].sum())


class Walk:
    """All plays that are followed from one position, stage by stage."""

    def __init__(self, side: int, types: OpponentTypes, stakes: Sequence[Stakes], root: Outlooks) -> None:
        self.side = side
        self.types = types
        self.stakes = stakes
        self._lead = int(root.own[0] - root.other[0])
        public = root.plays.public[0]
        self._held = int(public[HELD + side]), int(public[HELD + 1 - side])
        self._has_parts = stakes[0].target == 0
        self.root = root if self._has_parts else root._replace(made=root.made[:, :0])
        self.stages: list[Stage] = []
        self._waiting: dict[tuple[int, ...], list[tuple[Outlooks, Origin]]] = defaultdict(list)
        self._goes = 0

    def look(self) -> None:
        """Follow all waiting plays to the end, then pass the values back."""
        while self._waiting:
            key = min(self._waiting)
            parts, origins = zip(*self._waiting.pop(key), strict=True)
            self._goes = key[1]
            self._follow(_joined(parts), list(origins))
        for stage in reversed(self.stages):
            for number, values in enumerate(stage.values):
                handed_back = values.max(axis=1) if stage.chooses else in_order(values)
                self._hand_back(number, handed_back * stage.scale, stage.origins)
            if stage.parts is not None:
                self._hand_back_parts(stage, stage.parts)

    def no_parts(self) -> list[tuple[Ints, Ints, Floats]] | None:
        """Return an empty list if points are split into parts, otherwise None."""
        return [] if self._has_parts else None

    def _hand_back_parts(self, now: Stage, parts: list[tuple[Ints, Ints, Floats]]) -> None:
        """Pass the parts of the points of a stage to the earlier stages."""
        size = len(now.scale)
        handed_back = np.zeros((size, len(PARTS)))
        best = now.values[0].argmax(axis=1) if now.chooses else None
        for rows, steps, made in parts:
            if best is None:
                for part in range(len(PARTS)):
                    handed_back[:, part] += np.bincount(rows, made[:, part], size)
            else:
                on = steps == best[rows]
                handed_back[rows[on]] = made[on]
        handed_back *= now.scale[:, None]
        first = 0
        for number, rows, steps, _ in now.origins:
            above = self.stages[number].parts
            assert above is not None
            above.append((rows, steps, handed_back[first : first + len(rows)]))
            first += len(rows)

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
        parts = self.no_parts()
        if public[0, HELD] + public[0, HELD + 1] == 0:
            values = self._all_played(now, believed, parts)
            chooses = False
        elif chooses:
            values = self.play_own(now, believed)
            silent = np.flatnonzero(~self._fitting(now).any(axis=1))
            gone = self._say_go(now, silent, believed[silent], now.belief[silent])
            for by_step, after_go in zip(values, gone, strict=True):
                by_step[silent, AFTER_GO] = after_go
        else:
            values, followed = self._play_theirs(now, parts)
            scale = np.divide(believed, followed, out=scale, where=followed > 0)
        self.stages.append(Stage(origins, chooses, values, scale, parts))

    def _fitting(self, now: Outlooks) -> Truths:
        """Return (plays, 13) own ranks that can be played."""
        fitting: Truths = (now.hand > 0) & plays.fits(now.plays)
        return fitting

    def play_own(self, now: Outlooks, believed: Floats) -> list[Floats]:
        """Return (plays, 14) by stakes: values of own cards that win, otherwise NONE; other cards wait."""
        values = [np.full((len(now.hand), 14), NONE) for _ in self.stakes]
        rows, ranks = np.nonzero(self._fitting(now))
        gained = now.own[rows] + plays.points(now.plays)[rows, ranks]
        over = self._over(gained, now.other[rows])
        for number, won in enumerate(over):
            ended = self._ended(number, gained[won], now.other[rows[won]])
            values[number][rows[won], ranks[won]] = believed[rows[won]] * ended
        on = ~np.logical_and.reduce(over)
        rows, ranks, gained = rows[on], ranks[on], gained[on]
        hand = now.hand[rows]
        hand[np.arange(len(rows)), ranks] -= 1
        played = plays.play_rank(now.plays, rows, ranks)
        made = now.made[rows]
        held = int(now.plays.public[0, HELD + self.side])
        if self._has_parts:
            made[:, {0: NOW, 1: NEXT}.get(self._held[0] - held, LATER)] += gained - now.own[rows]
        then = Outlooks(played, gained, now.other[rows], hand, now.theirs[rows], now.belief[rows], made)
        self._wait(then, rows, ranks, 0)
        return values

    def _play_theirs(
        self, now: Outlooks, parts: list[tuple[Ints, Ints, Floats]] | None
    ) -> tuple[list[Floats], Floats]:
        """Return (plays, 14) by stakes, values of plays that end now, and (plays,) followed beliefs.

        Values of other plays are 0. parts: receives the parts of these values.
        """
        public = now.plays.public
        values, followed = [np.zeros((len(public), 14)) for _ in self.stakes], np.zeros((len(public), 14))
        size = int(public[0, HELD + 1 - self.side])
        may_go = np.ones(len(public), np.bool_)
        silent = now.belief
        if size > 0:
            done = split(now.plays, now.belief, self.types)
            chance = in_order(done.played, 2)
            followed[:, :13] = np.where(chance < NOTHING, 0.0, chance)
            if size == 1 and public[0, HELD + self.side] == 0:
                self._play_last(now, followed[:, :13], values, parts)
            else:
                self._play_each(now, done.played, followed, values)
            may_go = public[:, COUNT] > 21
            silent = done.silent
        rows = np.flatnonzero(may_go)
        chance = in_order(silent[rows], 2)
        rows, chance = rows[chance >= NOTHING], chance[chance >= NOTHING]
        followed[rows, AFTER_GO] = chance
        gone = self._say_go(now, rows, chance, silent[rows])
        for by_step, after_go in zip(values, gone, strict=True):
            by_step[rows, AFTER_GO] = after_go
        return values, in_order(followed)

    def _play_each(self, now: Outlooks, played: Floats, chances: Floats, values: list[Floats]) -> None:
        """Play every rank of the other side: write the value if the game ends, or let the play wait."""
        size = int(now.plays.public[0, HELD + 1 - self.side])
        rows, ranks = np.nonzero(chances)
        own, lost = now.own[rows], now.other[rows] + plays.points(now.plays)[rows, ranks]
        theirs = now.theirs[rows]
        theirs[:, 4 - size] = ranks
        over = self._over(own, lost)
        made = now.made[rows]
        if self._has_parts:
            made[:, REPLY if size == self._held[1] else THEIR_LATER] -= lost - now.other[rows]
        for number, won in enumerate(over):
            ended = chances[rows[won], ranks[won]] * self._ended(number, own[won], lost[won])
            values[number][rows[won], ranks[won]] = ended
        on = ~np.logical_and.reduce(over)
        rows, ranks = rows[on], ranks[on]
        then = Outlooks(
            plays.play_rank(now.plays, rows, ranks),
            own[on],
            lost[on],
            now.hand[rows],
            theirs[on],
            played[rows, ranks],
            made[on],
        )
        self._wait(then, rows, ranks, 0)

    def _play_last(
        self,
        now: Outlooks,
        chances: Floats,
        values: list[Floats],
        parts: list[tuple[Ints, Ints, Floats]] | None,
    ) -> None:
        """Write the values of every rank that the other side may play as the last of all cards.

        chances: (plays, 13), 0 for ranks that are not followed. parts: receives the parts of the values.
        """
        points = plays.points(now.plays)
        last = (now.plays.public[:, COUNT, None] + VALUES != LIMIT).astype(np.int64)
        own, lost = now.own[:, None], now.other[:, None] + points + last
        numbers = four_numbers()[(now.theirs[:, :3] @ DIGITS[:3])[:, None] + np.arange(13)]
        for number, by_step in enumerate(values):
            by_step[:, :13] = chances * self._ended(number, own, lost, numbers)
        if parts is not None:
            made = chances.sum(axis=1, keepdims=True) * now.made
            made[:, REPLY if self._held[1] == 1 else THEIR_LATER] -= (chances * points).sum(axis=1)
            made[:, LAST_CARDS] -= (chances * last).sum(axis=1)
            parts.append((np.arange(len(made)), np.zeros(len(made), np.int64), made))

    def _say_go(self, now: Outlooks, rows: Ints, chances: Floats, belief: Floats) -> list[Floats]:
        """Return (rows,) by stakes: values of goes whose last-card point wins; other goes wait."""
        passed = plays.go(now.plays, rows)
        ended = passed.public[:, COUNT] == 0
        own_last = passed.public[:, LAST] == self.side
        own, other = now.own[rows] + (ended & own_last), now.other[rows] + (ended & ~own_last)
        over = self._over(own, other)
        values = [np.zeros(len(rows)) for _ in self.stakes]
        for number, won in enumerate(over):
            values[number][won] = chances[won] * self._ended(number, own[won], other[won])
        on = np.flatnonzero(~np.logical_and.reduce(over))
        made = now.made[rows]
        if self._has_parts:
            made[:, LAST_CARDS] += (ended & own_last).astype(np.int64) - (ended & ~own_last)
        hand, theirs = now.hand[rows[on]], now.theirs[rows[on]]
        then = Outlooks(plays.of(passed, on), own[on], other[on], hand, theirs, belief[on], made[on])
        self._wait(then, rows[on], np.full(len(on), AFTER_GO), self._goes + 1)
        return values

    def _all_played(
        self, now: Outlooks, believed: Floats, parts: list[tuple[Ints, Ints, Floats]] | None
    ) -> list[Floats]:
        """Return (plays, 14) by stakes: values if no cards are left, with last card and both hands.

        parts: receives the parts of the values.
        """
        last, counts = now.plays.public[:, LAST] == self.side, now.plays.public[:, COUNT] > 0
        own, other = now.own + (counts & last), now.other + (counts & ~last)
        values = [np.zeros((len(own), 14)) for _ in self.stakes]
        numbers = four_numbers()[now.theirs @ DIGITS]
        for number, by_step in enumerate(values):
            by_step[:, 0] = believed * self._ended(number, own, other, numbers)
        if parts is not None:
            now.made[:, LAST_CARDS] += (counts & last).astype(np.int64) - (counts & ~last)
            rows = np.arange(len(own))
            parts.append((rows, np.zeros_like(rows), believed[:, None] * now.made))
        return values

    def _over(self, own: Ints, other: Ints) -> list[Truths]:
        """Return (plays,) by stakes: whether the game is won."""
        return [is_won(own, other, stakes.target) for stakes in self.stakes]

    def _ended(self, number: int, own: Ints, other: Ints, hands: Ints | None = None) -> Floats:
        """Return values of scores, of any shape; hands.

        Numbers of the other side's hands if they still count.
        """
        stakes = self.stakes[number]
        if stakes.target == 0:
            return after_play(own - self._lead, other, 0, 0, stakes)
        if hands is None or not own.size:
            return after_play(own, other, 0, 0, stakes)
        return shown(own, other, hands, stakes)

    def _wait(self, then: Outlooks, rows: Ints, steps: Ints, goes: int) -> None:
        public = then.plays.public
        over = self._over(then.own, then.other)
        for turn in (0, 1):
            at = np.flatnonzero(public[:, TURN] == turn)
            if len(at):
                key = (int(public[0, PLAYED]), goes, turn, int(public[0, HELD]))
                origin = Origin(len(self.stages), rows[at], steps[at], [won[at] for won in over])
                alike = then if len(at) == len(public) else _these(then, at)
                self._waiting[key].append((alike, origin))


def _these(outlooks: Outlooks, rows: Ints) -> Outlooks:
    public, own, other, hand, theirs, belief, made = outlooks
    return Outlooks(
        plays.of(public, rows), own[rows], other[rows], hand[rows], theirs[rows], belief[rows], made[rows]
    )


def _joined(parts: Sequence[Outlooks]) -> Outlooks:
    if len(parts) == 1:
        return parts[0]
    public, pile = (np.concatenate([part.plays[field] for part in parts]) for field in (0, 1))
    fields = list(zip(*parts, strict=True))[1:]
    own, other, hand, theirs, belief, made = (np.concatenate(field) for field in fields)
    return Outlooks(Plays(public, pile), own, other, hand, theirs, belief, made)
