"""The chance of winning, for two with six cards: the one place that makes it.

    throws(six, dealer=True, board=(110, 116))      the 15 ways to lay six cards away
    Prospects(six, dealer=True).values(110, 116)    the same for many boards: what no board changes is kept

Both sides play the deal as the strategies that ship, and after it stands the board that ships
(`book.board`). In the order in which points are pegged: heels, the play, the pone's hand, the dealer's, the
crib; the first at the game hole has won. Exact: every starter card for the own hand; every six ranks the other
side may have been dealt, what it lays away of them, and what its hand and the crib then make by ranks; the
play of each kept hand by class of the other's hand (`book.play_points`). By chances: suits of cards not seen,
for flushes and nobs. docs/analysis.md tells how near this comes to dealing it out.

A worth is 1 for a game won and -1 for one lost; in games, times what a skunk or double skunk pays (R18–R20).
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.book.board import Payoff, games_paid, next_deal_chance, next_deal_games
from fifteentwo.book.laying_away import Role
from fifteentwo.book.play_points import NEAR, SPAN, SUM, classes, keeping, play_points, six_ranks
from fifteentwo.fast import show
from fifteentwo.fast.hands import FOURS, PAIRS, number_by_digits
from fifteentwo.fast.throws import pair_crib_points
from fifteentwo.rules.cards import Card
from fifteentwo.rules.variants import Rules

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

WAYS = tuple(combinations(range(6), 2))
"""Places of the cards laid away, in the order of every answer."""
PAST = 61
"""More points than a side can peg in one stage of a deal."""
JACK = 10
HAND, SHOW = 30, 60
"""Room for points of one hand, and of a hand and a crib."""
_SUITED_STARTER = 0.22
"""How often the starter is of the suit of a hand of one suit that is not seen."""


def throws(six: Sequence[Card], *, dealer: bool, board: tuple[int, int], payoff: Payoff = "game") -> Floats:
    """(15,) the chance of winning by each way to lay six cards away, in the order of `WAYS`.

    board: own and other's points. About 20 ms for six cards not seen before, 5 ms for another board.

    >>> from fifteentwo.rules.cards import cards
    >>> chances = throws(cards("3D 5S 5D 6D 7D JH"), dealer=True, board=(115, 115))
    >>> WAYS[int(chances.argmax())]
    (4, 5)
    """
    return (1 + prospects(tuple(six), dealer).values(*board, payoff)) / 2


@lru_cache(maxsize=64)
def prospects(six: tuple[Card, ...], dealer: bool) -> "Prospects":
    """The prospects of six cards, those of the last hands asked for kept."""
    return Prospects(six, dealer=dealer)


def payoff_of(rules: Rules) -> Payoff:
    """What is played for, in the words of the board."""
    if rules.target == 61:
        return "half"
    if rules.double_skunk:
        return "double"
    return "skunk" if rules.skunk else "game"


# ── When the deal is over ────────────────────────────────────────────────────────────────────────────────


@cache
def after_deal(payoff: Payoff, dealt: bool, games: bool) -> Floats:
    """Worth of every score when a deal is over, [own, other's]; `dealt`: by this side.

    Goes on past the game hole: who got there has won. 0 where both are past it. games: as `payoff` pays,
    else a game is a game.
    """
    target = 61 if payoff == "half" else 121
    worth = np.zeros((target + PAST, target + PAST))
    for own in range(target):
        for other in range(target):
            if games:
                worth[own, other] = next_deal_games(own, other, dealt, payoff)
            else:
                worth[own, other] = 2 * next_deal_chance(own, other, dealt, payoff) - 1
    paid = pays(payoff, games)
    worth[target:, :target] = paid
    worth[:target, target:] = -paid[:, None]
    worth.setflags(write=False)
    return worth


@cache
def pays(payoff: Payoff, games: bool) -> Floats:
    """(target,) what a loser with this score pays."""
    target = 61 if payoff == "half" else 121
    return np.array([games_paid(score, payoff) if games else 1 for score in range(target)], np.float64)


# ── What no board changes ────────────────────────────────────────────────────────────────────────────────


class Prospects:
    """Six cards: what each way to lay them away brings to both sides, whatever the board."""

    def __init__(self, six: Sequence[Card], *, dealer: bool) -> None:
        self.role: Role = "dealer" if dealer else "pone"
        self.other: Role = "pone" if dealer else "dealer"
        self.dealer = dealer
        own = np.array([card.index for card in six])
        kept = np.array([[own[i] for i in range(6) if i not in way] for way in WAYS])
        given = np.array([[own[i] for i in way] for way in WAYS])
        self.hands = number_by_digits(4)[np.sort(kept >> 2, axis=1) @ 13 ** np.arange(3, -1, -1)]
        self.shows, classed = _shows(own, kept, given, self.other, dealer)
        self.plays = _plays(self.role, self.hands, classed, dealer)
        self.first = play_points(self.role).first[self.hands] / SUM

    def values(self, own: int, other: int, payoff: Payoff = "game", *, games: bool = False) -> Floats:
        """(15,) the worth of each way at this board, own and other's points."""
        over, paid = after_deal(payoff, self.dealer, games), pays(payoff, games)
        target = len(paid)
        x, y = target - own, target - other
        going = self.plays[..., :x, :y]
        stage = self._shown(own, other, over, paid, going.shape[-2:])
        ways, heels, number = going.shape[:3]
        columns = going.reshape(ways * heels * number, -1).T
        summed = stage.reshape(-1, columns.shape[0]) @ columns
        shown = np.einsum("wst,stw->w", self.shows.reshape(ways * heels * number, *stage.shape[:2]), 
            summed.reshape(*stage.shape[:2], -1)) if False else (
            (self.shows.reshape(ways * heels * number, -1).T * summed).sum(axis=0).reshape(ways, -1).sum(axis=1)
        )
        return shown + self._pegged_out(own, other, paid)

    def _shown(self, own: int, other: int, over: Floats, paid: Floats, reach: tuple[int, ...]) -> Floats:
        """Worths by points shown and pegged: (own shown, other's shown, own pegged, other's pegged)."""
        target = len(paid)
        mine, theirs = self.shows.shape[-2:]
        a = own + np.arange(reach[0])[None, None, :, None]
        b = other + np.arange(reach[1])[None, None, None, :]
        made, against = np.arange(mine)[:, None, None, None], np.arange(theirs)[None, :, None, None]
        worth = over[a + made, b + against]
        if self.dealer:
            # The pone's hand counts before anything of the dealer's (R78).
            lost = b + against >= target
            worth = np.where(lost, -paid[a], worth)
            if paid[0] != paid[-1]:
                worth = np.where(~lost & (a + made >= target), paid[np.minimum(b + against, target - 1)], worth)
            return worth
        won = a + made >= target
        worth = np.where(won, paid[b], worth)
        if paid[0] != paid[-1]:
            worth = np.where(~won & (b + against >= target), -paid[np.minimum(a + made, target - 1)], worth)
        return worth

    def _pegged_out(self, own: int, other: int, paid: Floats) -> Floats:
        """(15,) worth of games that end in the play or with heels."""
        target = len(paid)
        x, y = target - own, target - other
        plays = self.plays.sum(axis=2)
        span = plays.shape[-1]
        loser_other = paid[np.minimum(other + np.arange(min(y, span)), target - 1)]
        loser_own = paid[np.minimum(own + np.arange(min(x, span)), target - 1)]
        won = plays[:, :, x:, :y].sum(axis=2) @ loser_other
        lost = plays[:, :, :x, y:].sum(axis=3) @ loser_own
        both = plays[:, :, x:, y:].sum(axis=(2, 3))
        first = np.stack([self._first(x, y), self._first(x - 2, y) if self.dealer else self._first(x, y - 2)], axis=1)
        paid_last = paid[-1]
        worth: Floats = (won - lost + both * paid_last * (2 * first - 1)).sum(axis=1)
        return worth

    def _first(self, x: int, y: int) -> Floats:
        """(15,) how often own side pegs x points before the other y, where both get there."""
        if x <= 0 or y <= 0:
            return np.full(len(WAYS), float(x <= 0))
        return self.first[:, min(x, NEAR) - 1, min(y, NEAR) - 1]


def _plays(role: Role, hands: Ints, classed: Floats, dealer: bool) -> Floats:
    """(15, 2, classes, span, span) chances of own and other's points pegged, without and with heels."""
    joint = play_points(role).joint[hands] / SUM
    empty = joint.sum(axis=(2, 3)) == 0
    if empty.any():
        usual = joint.mean(axis=1)
        usual /= usual.sum(axis=(1, 2), keepdims=True)
        joint = np.where(empty[:, :, None, None], usual[:, None], joint)
    reach = max(np.flatnonzero(joint.any(axis=(0, 1, axis)))[-1] for axis in (2, 3)) + 1
    span = min(reach, SPAN) + 2
    plays = np.zeros((len(hands), 2, joint.shape[1], span, span))
    plays[:, 0, :, : span - 2, : span - 2] = joint[:, :, : span - 2, : span - 2]
    moved = plays[:, 1, :, 2:, : span - 2] if dealer else plays[:, 1, :, : span - 2, 2:]
    moved[...] = joint[:, :, : span - 2, : span - 2]
    return plays * classed[None, :, :, None, None]


class _Ways(NamedTuple):
    """How a role lays away, as the counting of its hands reads it."""

    six: Ints
    copies: Ints
    """(18395, 13)."""
    share: Floats
    kept: Ints
    cells: npt.NDArray[np.int32]
    """(13, n) by starter's rank: (class, points of the hand, pair given) as one number."""
    jacks: Floats
    """(n,) in the kept hand."""
    flush: Floats
    """(n,) how often of one suit."""
    classes: int


@cache
def _ways(role: Role) -> _Ways:
    found = keeping(role)
    ranks = six_ranks()
    of_hand = classes(role).astype(np.int64)
    by_starter = hand_points()[:, found.kept]
    cells = (of_hand[found.kept] * HAND + by_starter) * 91 + found.given
    copies = np.stack([(ranks == rank).sum(axis=1) for rank in range(13)], axis=1)
    jacks = (FOURS[found.kept] == JACK).sum(axis=1).astype(np.float64)
    return _Ways(
        found.six,
        copies,
        found.share,
        found.kept,
        cells.astype(np.int32),
        jacks,
        found.flush[found.kept],
        int(of_hand.max()) + 1,
    )


@cache
def hand_points() -> Ints:
    """(13, 1820) points of every four ranks with a starter of each rank, suits left out."""
    places = FOURS @ 13 ** np.arange(4, 0, -1)
    return show.rank_points(5)[places + np.arange(13)[:, None]].astype(np.int64)


_CHOOSE = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]], float)


def _other_hands(unseen: npt.NDArray[np.bool_], role: Role) -> Floats:
    """(13, classes, HAND, 91) how often the starter is of a rank, and the other side's class, points, pair.

    unseen: (13, 4) cards not among one's own six. Sums to 1.
    """
    ways = _ways(role)
    left = unseen.sum(axis=1)
    dealt = np.ones(len(ways.copies))
    for rank in range(13):
        dealt *= _CHOOSE[left[rank]][ways.copies[:, rank]]
    weight = ways.share * dealt[ways.six]
    starters = ((left - ways.copies) * (dealt > 0)[:, None]).T[:, ways.six]
    jacks = np.flatnonzero(ways.jacks)
    size = ways.classes * HAND * 91
    found = np.zeros((13, ways.classes, HAND, 91))
    nobs = nobs_chances(unseen)
    for rank in range(13):
        often = weight * starters[rank]
        cells = ways.cells[rank]
        counted = np.bincount(cells, often, minlength=size).reshape(ways.classes, HAND, 91)
        if nobs[rank] > 0:
            moved = np.bincount(cells[jacks], (often[jacks] * ways.jacks[jacks]) * nobs[rank], minlength=size)
            moved = moved.reshape(counted.shape)
            counted -= moved
            counted[:, 1:] += moved[:, :-1]
        suited = np.bincount(cells // 91, often * ways.flush, minlength=ways.classes * HAND)
        plain = counted.sum(axis=2)
        rate = suited.reshape(plain.shape) / np.where(plain > 0, plain, 1)
        moved = counted * np.minimum(rate, 1)[:, :, None]
        counted -= moved
        counted[:, 4:] += (1 - _SUITED_STARTER) * moved[:, :-4]
        counted[:, 5:] += _SUITED_STARTER * moved[:, :-5]
        found[rank] = counted
    return found / found.sum()


def nobs_chances(unseen: npt.NDArray[np.bool_]) -> Floats:
    """(13,) how often an unseen jack is of the suit of a starter of each rank; a jack starter is heels."""
    jacks = unseen[JACK]
    alike = (unseen & jacks).sum(axis=1) / np.maximum(unseen.sum(axis=1) * jacks.sum(), 1)
    alike[JACK] = 0.0
    return alike


def _shows(own: Ints, kept: Ints, given: Ints, role: Role, dealer: bool) -> tuple[Floats, Floats]:
    """What both sides show, (15, 2, classes, own, other's), given heels and class; chances of those (2, classes).

    The crib is in its owner's points.
    """
    unseen = np.ones(52, np.bool_)
    unseen[own] = False
    hands = _other_hands(unseen.reshape(13, 4), role)
    number = hands.shape[1]
    size = (SHOW, HAND) if dealer else (HAND, SHOW)
    shows = np.zeros((len(WAYS), 2, number, *size))
    for rank in range(13):
        cards = np.flatnonzero(unseen[4 * rank : 4 * rank + 4]) + 4 * rank
        if not len(cards):
            continue
        cribs = _cribs(hands[rank], given, rank, unseen)
        heels = int(rank == JACK)
        for way in range(len(WAYS)):
            for (made, nobs), share in _own_points(kept[way], given[way], cards):
                for points in range(HAND):
                    if dealer:
                        part = shows[way, heels, :, made + nobs + points]
                        part[:, :] += share * cribs[way, :, :, points]
                    else:
                        reach = min(HAND, SHOW - points - nobs)
                        part = shows[way, heels, :, made, points + nobs : points + nobs + reach]
                        part += share * cribs[way, :, points, :reach]
    classed = shows.sum(axis=(3, 4))[0]
    shows /= np.where(classed > 0, classed, 1)[None, :, :, None, None]
    mine, theirs = (np.flatnonzero(shows.any(axis=(0, 1, 2, axis)))[-1] + 1 for axis in (4, 3))
    return np.ascontiguousarray(shows[..., :mine, :theirs]), classed


def _own_points(kept: Ints, given: Ints, cards: Ints) -> list[tuple[tuple[int, int], float]]:
    """Points of the kept hand and nobs of the cards given, each with its share of starters of one rank."""
    made = show.points(np.repeat(kept[None].astype(np.uint8), len(cards), axis=0), cards.astype(np.uint8))
    nobs = [int(card >> 2 != JACK and any(thrown == 4 * JACK + (card & 3) for thrown in given)) for card in cards]
    counted: dict[tuple[int, int], float] = {}
    for points, more in zip(made.tolist(), nobs, strict=True):
        counted[points, more] = counted.get((points, more), 0.0) + 1 / len(cards)
    return list(counted.items())


def _cribs(hands: Floats, given: Ints, starter: int, unseen: npt.NDArray[np.bool_]) -> Floats:
    """(15, classes, HAND, HAND) the other side's hand and the crib under a starter's rank.

    hands: (classes, HAND, 91) with the pair it gives. Own nobs are left out here.
    """
    pairs = number_by_digits(2)[np.sort(given >> 2, axis=1) @ np.array([13, 1])]
    points = pair_crib_points()[pairs].reshape(len(WAYS), 91, 13)[:, :, starter].astype(np.int64)
    nobs = nobs_chances(unseen.reshape(13, 4))[starter] * (PAIRS == JACK).sum(axis=1)
    made = np.zeros((91, len(WAYS), HAND))
    every, ways = np.arange(91)[:, None], np.arange(len(WAYS))[None, :]
    made[every, ways, points.T] = 1 - nobs[:, None]
    made[every, ways, points.T + 1] += nobs[:, None]
    for way, pair in enumerate(given):
        if pair[0] & 3 == pair[1] & 3:
            suit = int(unseen[pair[0] & 3 :: 4].sum())
            flush = suit * (suit - 1) * (suit - 2) / (46 * 45 * 44)
            moved = made[:, way] * flush
            made[:, way] -= moved
            made[:, way, 5:] += moved[:, :-5]
    rows = np.flatnonzero(hands.reshape(-1, 91).any(axis=1))
    found = np.zeros((hands.shape[0] * HAND, len(WAYS), HAND))
    found[rows] = (hands.reshape(-1, 91)[rows] @ made.reshape(91, -1)).reshape(len(rows), len(WAYS), HAND)
    return np.ascontiguousarray(found.reshape(hands.shape[0], HAND, len(WAYS), HAND).transpose(2, 0, 1, 3))
