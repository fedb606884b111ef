"""The win probability of two players with six cards or five: the one place that computes it.

    chances(six, dealer=True, board=(110, 116))             by each of the 15 ways to discard two of six cards
    Prospects(six, dealer=True).values(110, 116)            the same for many boards

Five cards have ten ways to discard; documented shapes are for six cards.

Both sides play the deal by the stored strategies, near the end to win (`analysis.win.near_end`), and the
stored board (`strategy.board`) values the scores after the deal. Points count in the order of the rules:
heels, pegging, the pone's hand, the dealer's hand, the crib; the first side at the target has won.
`analysis.win.shows` gives the points of hands and crib. `strategy.pegging_points` gives the points of pegging
by class of the other side's hand, because hands that show much also peg differently. docs/analysis.md has the
measured error.

A value is 1 for a won game and -1 for a lost one; if skunks count, times the games that the loser pays
(R18–R20).
"""

from collections.abc import Sequence
from copy import copy
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.win.near_end import (
    FIVE_CARD_NEEDS,
    NEEDS,
    chances_near,
    five_card_moves,
    shift_log_odds,
)
from fifteentwo.analysis.win.near_end import provenance as near_end_provenance
from fifteentwo.analysis.win.shows import HAND, kept_and_given, shows
from fifteentwo.fast.counting_out import after_hands
from fifteentwo.fast.crib_weights import pair_crib_points
from fifteentwo.fast.discards import ways
from fifteentwo.fast.hands import PAIRS, hand_numbers
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.products import product
from fifteentwo.rules.cards import Card
from fifteentwo.rules.variants import Rules, Variant
from fifteentwo.rules.view import View
from fifteentwo.strategy.board import HALF_LEAD, ImpossibleScore, Payoff, five_card_board, pays
from fifteentwo.strategy.board import board as board_values
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.discards import provenance as discards_provenance
from fifteentwo.strategy.files import DamagedTable
from fifteentwo.strategy.five_card import provenance as five_card_provenance
from fifteentwo.strategy.pegging_points import ALWAYS, NEAR, SPAN, SUM, mean_points, play_points, rest_of_play
from fifteentwo.strategy.pegging_points import provenance as play_points_provenance

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

WinProbability = float
"""A win probability from 0 to 1."""
MeanPoints = float
MeanHand = float
MeanCrib = float
NetPoints = float
"""Mean points of the own side less those of the other side."""
NetPegging = float

JSON_DECIMALS = 6
"""Number of decimals of a win probability (0–1) in JSON."""
EXACT_DECIMALS = 12
"""Decimals to which values are rounded, so that equally good choices have equal values."""
TIE_MARGIN = 0.0005
"""Difference in win probability (0–1) below which choices count as equally good."""
STAGE_POINTS_BOUND = 61
"""A number of points that no side can make in pegging, with a hand or with a crib."""


def chances(six: Sequence[Card], *, dealer: bool, board: tuple[int, int], payoff: Payoff = "game") -> Floats:
    """Return (15,) win probabilities (0–1) of the ways to discard from six cards, in the order of `WAYS`.

    board: (own, other's) score before the deal. About 13 ms for six cards not seen before, 18 without numba;
    2 ms for another board.

    >>> from fifteentwo.analysis.win.shows import WAYS
    >>> from fifteentwo.rules.cards import cards
    >>> wins = chances(cards("5H 5S 6D 7C JC KD"), dealer=False, board=(110, 116))
    >>> WAYS[int(wins.argmax())], round(float(wins.max()), 2)
    ((2, 3), 0.45)
    """
    return _chances(tuple(six), dealer, board, payoff)


@lru_cache(maxsize=64)
def _chances(six: tuple[Card, ...], dealer: bool, board: tuple[int, int], payoff: Payoff) -> Floats:
    """Return what `chances` returns, cached."""
    chances = (1 + prospects(six, dealer).values(*board, payoff)) / 2
    chances.setflags(write=False)
    return chances


@lru_cache(maxsize=64)
def prospects(six: tuple[Card, ...], dealer: bool) -> "Prospects":
    """Return the `Prospects` of the discards from these cards. The last 64 hands are cached."""
    return Prospects(six, dealer=dealer)


def has_win_probability(rules: Rules) -> bool:
    """Return whether win probabilities exist: two players, six or five cards, and undamaged tables."""
    try:
        if rules.variant is Variant.FIVE_CARD:
            five_card_board()
            play_points_provenance(3)
            five_card_provenance()
            return True
        if rules.variant is not Variant.SIX_CARD:
            return False
        board_values()
        discards_provenance()
        play_points_provenance()
        near_end_provenance()
    except DamagedTable:
        return False
    return True


def payoff_of(rules: Rules) -> Payoff:
    """Return which of the payoffs of `strategy.board` these rules have, for example "skunk"."""
    if rules.variant is Variant.FIVE_CARD:
        return "five-card"
    if rules.target == 61:
        return "half"
    if rules.double_skunk:
        return "double"
    return "skunk" if rules.skunk else "game"


def race_of(rules: Rules) -> Payoff:
    """Return which of the payoffs of `strategy.board` these rules have if skunks do not count."""
    return payoff_of(rules) if rules.target == 61 else "game"


# ── When the deal is over ────────────────────────────────────────────────────────────────────────────────


@cache
def after_deal(payoff: Payoff, dealt: bool, games: bool) -> Floats:
    """Return the value of each pair of scores after a deal, [own score, other's score], 1 for a won game.

    A side beyond the target has won; the value is 0 if both sides are beyond it. dealt: whether the own side
    dealt. games: whether skunks pay as in `payoff`.
    """
    values = five_card_board() if payoff == "five-card" else board_values()
    net = values.game
    if games and payoff != "game":
        net = board_values().double if payoff == "double" else values.skunk
    lead = HALF_LEAD if payoff == "half" else 0
    by_score = value_after(net[lead:, lead:].astype(np.float64), pays(payoff, games), dealt=dealt)
    by_score.setflags(write=False)
    return by_score


def value_after(net: Floats, paid: Floats, *, dealt: bool) -> Floats:
    """Return the values of `after_deal` from other values of the scores below the target.

    net: [dealer's score, pone's score] games that the next dealer wins less those it loses. paid: the games
    that a loser pays, by its score (`strategy.board.pays`).
    """
    target = len(paid)
    by_score = np.zeros((target + STAGE_POINTS_BOUND, target + STAGE_POINTS_BOUND))
    by_score[:target, :target] = -net.T if dealt else net
    by_score[target:, :target] = paid
    by_score[:target, target:] = -paid[:, None]
    return by_score


def with_pone_first(over: Floats, target: int, *, dealt: bool) -> Floats:
    """Return values as from `after_deal`, but if both sides pass the target, the pone has won (R78)."""
    shown = over.copy()
    shown[target:, target:] = -1.0 if dealt else 1.0
    return shown


# ── After the play ───────────────────────────────────────────────────────────────────────────────────────


def pegged(after: Floats, points: Floats, target: int, *, own: bool) -> Floats:
    """Return the values of the scores before a side makes points, averaged over the number of points.

    after: values of the scores then, as in `after_deal`; points: (n,) probabilities of 0, 1, … points. own:
    whether the own side makes them. Games that are over keep their values.
    """
    before = after.copy()
    summed = np.zeros((target, target))
    for number in np.flatnonzero(points):
        ahead = slice(number, target + number)
        summed += points[number] * (after[ahead, :target] if own else after[:target, ahead])
    before[:target, :target] = summed
    return before


def before_crib(over: Floats, crib: Floats, target: int, *, dealer: bool) -> Floats:
    """Return the values of scores before the crib. over: values after it; crib: its probabilities."""
    return pegged(over, crib, target, own=dealer)


def after_play(
    over: Floats, hand: int, others_hand: Floats, crib: Floats, target: int, *, dealer: bool
) -> Floats:
    """Return the value of each pair of scores after pegging, before the show.

    hand: points of the own hand; others_hand, crib: probabilities of points. over: as from `after_deal`.
    """
    known = np.zeros(hand + 1)
    known[hand] = 1.0
    crib_to_come = before_crib(over, crib, target, dealer=dealer)
    if dealer:
        return pegged(pegged(crib_to_come, known, target, own=True), others_hand, target, own=False)
    return pegged(pegged(crib_to_come, others_hand, target, own=False), known, target, own=True)


def in_play(shown: Floats, played: int, scores: tuple[int, int], target: int, *, dealer: bool) -> Floats:
    """Return (…, SPAN, SPAN) values during pegging, by points that each side has above `scores` (own first).

    A side's points are `scores` plus an index of the last two axes. shown: values after pegging, as
    `after_play` returns them, of one or more hands; played: number of cards played so far. The rest
    of pegging is averaged over all hands.
    """
    rest = rest_of_play()
    joint = rest.joint[played] if not dealer else rest.joint[played].T
    first = rest.pone_first[played]
    steps = np.arange(SPAN)
    needs, others = target - scores[0] - steps, target - scores[1] - steps
    rows, columns = (target - np.maximum(short, 0)[:, None] for short in (needs, others))
    by_score = np.zeros((*shown.shape[:-2], SPAN, SPAN))
    for i, j in np.argwhere(joint > 1e-7):
        by_score += joint[i, j] * shown[..., rows + i, (columns + j).T]
    # If both sides reach the target, the first one has won.
    tail = joint[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1]
    for row, x in enumerate(needs.tolist()):
        for column, y in enumerate(others.tolist()):
            if x <= 0:
                by_score[..., row, column] = shown[..., target, target - max(y, 1)]
            elif y <= 0:
                by_score[..., row, column] = shown[..., target - x, target]
            elif x < SPAN and y < SPAN:
                near = (min(x, NEAR) - 1, min(y, NEAR) - 1)
                chance = 1 - first[near[::-1]] if dealer else first[near]
                by_score[..., row, column] += tail[x, y] * (2 * chance - 1)
    return by_score


def unseen_by(view: View) -> npt.NDArray[np.bool_]:
    """Return (13, 4) whether the card of a rank and suit is unseen, so that it may be in the crib."""
    unseen = np.ones(52, np.bool_)
    for card in (*view.kept, *view.discarded, *of_other(view), *([view.starter] if view.starter else [])):
        unseen[card.index] = False
    return unseen.reshape(13, 4)


def of_other(view: View) -> tuple[Card, ...]:
    """Return the cards of the other side's kept hand that this seat has seen."""
    opened = [hand for seat, hand in enumerate(view.open_hands) if seat != view.seat and hand]
    return opened[0] if opened else tuple([card for seat, card in view.played if seat != view.seat])


def crib_seen(view: View) -> Floats:
    """Return (HAND,) probabilities of the crib's points for what this seat knows after the starter."""
    assert view.starter is not None
    played = of_other(view)
    giver: Role = "pone" if view.is_dealer else "dealer"
    return crib_chances(view.discarded, giver, view.starter, unseen_by(view), played, kept=len(view.kept))


def crib_chances(
    given: Sequence[Card],
    giver: Role,
    starter: Card,
    unseen: npt.NDArray[np.bool_],
    played: Sequence[Card] = (),
    *,
    kept: int = 4,
) -> Floats:
    """Return (HAND,) probabilities of the crib's points, if two of its cards and the starter are known.

    given: the own discards; giver: the other side's role, by which it discards the other cards. unseen:
    (13, 4) cards that may be in the crib; played: cards the other side played; kept: cards in a kept hand.
    """
    rank, suit = starter.index >> 2, starter.index & 3
    left = unseen.sum(axis=1)
    low, high = PAIRS.T
    dealt = left + np.bincount([card.index >> 2 for card in played], minlength=13)
    # Played cards are not in the crib, so each pair is rarer than among six unseen cards.
    rarer = _pairs_of(left) / np.maximum(_pairs_of(dealt), 1)
    often = kept_and_given(giver, tuple(dealt.tolist()), kept)[1] * rarer
    own = hand_numbers(np.array([card.index >> 2 for card in given]))
    points = pair_crib_points()[own].reshape(91, 13)[:, rank].astype(np.int64)
    if rank != JACK and any(card.index == 4 * JACK + suit for card in given):
        points += 1
    jacks = (PAIRS == JACK).sum(axis=1)
    nobs = jacks / max(left[JACK], 1) if rank != JACK and unseen[JACK, suit] else np.zeros(91)
    flush = np.zeros(91)
    if all(card.index & 3 == suit for card in given):
        both = unseen[low, suit] & unseen[high, suit] & (low != high)
        flush = both / np.maximum(left[low] * left[high], 1)
    counted = np.zeros(HAND + 6)
    for more, chance in ((0, (1 - nobs) * (1 - flush)), (1, nobs * (1 - flush)), (5, flush)):
        counted += np.bincount(points + more, often * chance, minlength=len(counted))
    chances: Floats = counted[:HAND] / counted.sum()
    return chances


def _pairs_of(left: Ints) -> Floats:
    """Return (91,) the number of ways to draw each two ranks from the cards left of each rank (13,)."""
    low, high = PAIRS.T
    pairs: Floats = left[low] * np.where(low == high, (left[high] - 1) / 2, left[high])
    return pairs


# ── What no board changes ────────────────────────────────────────────────────────────────────────────────


class Prospects:
    """Distributions of the points that both sides make after each discard of six (or five) cards.

    They do not depend on the scores. Deals are split into parts by the class of the other side's hand, with
    one more part for all deals with heels. Within a part pegging and show are independent.
    """

    def __init__(
        self, six: Sequence[Card], *, dealer: bool, only: slice | Sequence[int] = slice(None)
    ) -> None:
        """Compute the distributions in 11 ms. only: indices of the discards to compare, by default all."""
        self.role: Role = "dealer" if dealer else "pone"
        self.dealer = dealer
        self.payoff: Payoff = "five-card" if len(six) == 5 else "game"
        own = np.array([card.index for card in six])
        given, kept = (own[places[only]] for places in ways(len(six), 2))
        size = kept.shape[1]
        self._own, self._kept, self._given = own, kept, given
        self._turned: tuple[Prospects, int] | None = None
        self._jack = False
        hands = hand_numbers(kept >> 2)
        self.numbers = hands, hand_numbers(given >> 2)
        """(15,) each: numbers of the four kept and of the two discarded ranks."""
        self.shows, self._often, self.cribs = shows(own, kept, given, dealer)
        if size == 4:
            self.plays = _pegging(self.role, hands, given >> 2, self._often)
        else:
            self.plays = _five_card_pegging(self.role, *self.numbers, self._often)
        self.heels = float(4 - (own >> 2 == JACK).sum()) / (52 - len(own))
        """Probability of heels."""
        self.first = play_points(self.role, size).first[hands] / ALWAYS

    def after_starter(self, way: int, starter: Card) -> "Prospects":
        """Return the prospects of one discard after this starter. way: index of the discard."""
        one = slice(way, way + 1)
        then = copy(self)
        then._turned = self, way
        then._jack = starter.index >> 2 == JACK
        then.shows, often, then.cribs = shows(
            self._own, self._kept[one], self._given[one], self.dealer, starter.index
        )
        ratio = np.divide(often, self._often, out=np.zeros_like(often), where=self._often > 0)
        then.plays, then.first = self.plays[one] * ratio[:, None, None], self.first[one]
        return then

    def pegging(self) -> Floats:
        """Return (15, own points, other's points) probabilities of pegging without heels."""
        joint: Floats = self.plays[:, :-1].sum(axis=1)
        heels = self.plays[:, -1]
        if self.dealer:
            joint[:, :-2] += heels[:, 2:]
        else:
            joint[:, :, :-2] += heels[:, :, 2:]
        return joint

    def values(self, own: int, other: int, payoff: Payoff = "game", *, games: bool = False) -> Floats:
        """Return (15,) values of the discards, in the order of `WAYS`, 1 for a won game. About 2 ms.

        own, other: scores before the deal; ImpossibleScore unless they are below the target. games: whether
        skunks pay as in `payoff`.
        """
        over, paid = after_deal(payoff, self.dealer, games), pays(payoff, games)
        if not (0 <= own < len(paid) and 0 <= other < len(paid)):
            raise ImpossibleScore(f"{own}–{other} starts no deal: scores are 0 to {len(paid) - 1}")
        # Shows and pegging are averaged apart, so a sum can pass a certain win by some 1e-4.
        values = self.expected((own, other), over, paid).clip(-paid.max(), paid.max()).round(EXACT_DECIMALS)
        needs = len(paid) - own, len(paid) - other
        if max(needs) > (FIVE_CARD_NEEDS if payoff == "five-card" else NEEDS):
            return values
        # No loser is below the skunk line here, so a value converts to a probability.
        if self._turned is not None:
            return self._near_end_after_starter(values, (own, other), payoff)
        if payoff == "five-card":
            move = five_card_moves(self.role)[needs[0] - 1, needs[1] - 1]
            return 2 * shift_log_odds((1 + values) / 2, move) - 1
        return 2 * chances_near(self.role, *self.numbers, needs, (1 + values) / 2) - 1

    def _near_end_after_starter(self, values: Floats, scores: tuple[int, int], payoff: Payoff) -> Floats:
        """Return the value of one discard after the starter, corrected for play to win near the end.

        values: the discard's values if both sides play for points, without skunks.
        """
        assert self._turned is not None
        before, way = self._turned
        over, paid = after_deal(payoff, self.dealer, games=False), pays(payoff, False)
        by_points = float(before.expected(scores, over, paid)[way].clip(-1, 1))
        near = float(before.values(*scores, payoff)[way])
        # If heels win the game, play does not matter.
        sure = before.heels if self.dealer and len(paid) - scores[0] <= 2 else 0.0
        if sure and self._jack:
            return values
        by_points, near = ((1 + value) / 2 - sure for value in (by_points, near))
        chances, rest = (1 + values) / 2, 1 - sure
        if near <= by_points:
            return 2 * chances * near / max(by_points, 1e-12) - 1
        return 1 - 2 * (1 - chances) * (rest - near) / max(rest - by_points, 1e-12)

    def expected(self, scores: tuple[int, int], over: Floats, paid: Floats) -> Floats:
        """Return (15,) values of the discards at (own, other's) scores, not corrected near the end."""
        own, other = scores
        target = len(paid)
        going = self.plays[:, :, : target - own, : target - other]
        ways, parts = going.shape[:2]
        # The product leaves out pairs of points that are impossible: two in three of the pairs in pegging.
        pegged, against = np.nonzero(going.any(axis=(0, 1)))
        mine, theirs = np.nonzero(self.shows.any(axis=(0, 1)))
        row, column = own + pegged[:, None], other + against[:, None]
        row, column = after_hands(row, column, mine, theirs, self.dealer, target)
        value = over.take(row * over.shape[1] + column)
        # One product for all discards: the value of each part of pegging by the show after it.
        led_to = product(going[:, :, pegged, against].reshape(ways * parts, -1), value)
        shown = (self.shows[:, :, mine, theirs].reshape(ways * parts, -1) * led_to).sum(axis=1)
        expected: Floats = shown.reshape(ways, parts).sum(axis=1) + self._pegged_out_values(own, other, paid)
        return expected

    def _pegged_out_values(self, own: int, other: int, paid: Floats) -> Floats:
        """Return (15,) the part of the values that comes from games which end in pegging or by heels."""
        last = len(paid) - 1
        x, y = len(paid) - own, len(paid) - other
        mine, theirs = (np.arange(size) for size in self.plays.shape[2:])
        won = self.plays[:, :, x:, :y].sum(axis=(1, 2)) @ paid[np.minimum(other + theirs, last)][:y]
        lost = self.plays[:, :, :x, y:].sum(axis=(1, 3)) @ paid[np.minimum(own + mine, last)][:x]
        both = self.plays[:, :, x:, y:].sum(axis=(2, 3))
        heels = self._own_first(x - 2, y) if self.dealer else self._own_first(x, y - 2)
        decided = both[:, :-1].sum(axis=1) * (2 * self._own_first(x, y) - 1) + both[:, -1] * (2 * heels - 1)
        expected: Floats = won - lost + paid[last] * decided
        return expected

    def _own_first(self, x: int, y: int) -> Floats:
        """Return (15,) probabilities that the own side pegs x points first, if the other side pegs y."""
        if x <= 0 or y <= 0:
            return np.full(len(self.first), float(x <= 0))
        first: Floats = self.first[:, min(x, NEAR) - 1, min(y, NEAR) - 1]
        return first


def _pegging(role: Role, hands: Ints, given: Ints, often: Floats) -> Floats:
    """Return (15, parts, own points, other's points) joint probabilities of parts and pegging with heels.

    hands: (15,) numbers of kept hands; given: (15, 2) discarded ranks; often: (parts,) probabilities.
    """
    table = play_points(role)
    joint = table.joint[hands] / SUM
    usual = np.einsum("c,wcij->wij", often[:-1], joint)
    usual /= usual.sum(axis=(1, 2), keepdims=True)
    empty = joint.sum(axis=(2, 3)) == 0
    joint = np.where(empty[:, :, None, None], usual[:, None], joint)
    joint += ((table.given[hands, given[:, 0]].astype(np.int64) + table.given[hands, given[:, 1]]) / SUM)[
        :, None
    ]
    joint /= joint.sum(axis=(2, 3), keepdims=True)
    return _with_heels(role, joint, often)


def _five_card_pegging(role: Role, hands: Ints, given: Ints, often: Floats) -> Floats:
    """Return the same as `_pegging` for the ten discards of five cards, with exact mean points."""
    joint = play_points(role, 3).joint[hands] / SUM
    joint /= joint.sum(axis=(2, 3), keepdims=True)
    often_class = often[:-1] / often[:-1].sum()
    points = np.stack(np.meshgrid(np.arange(SPAN), np.arange(SPAN), indexing="ij"))
    means = np.einsum("wcij,kij->wck", joint, points)
    apart = points[None, None] - means[..., None, None]
    spread = np.einsum("c,wcij,wckij,wclij->wkl", often_class, joint, apart, apart, optimize=True)
    missing = mean_points(role)[hands, given] - np.einsum("c,wck->wk", often_class, means)
    by_point = np.linalg.solve(spread, missing[..., None])[..., 0]
    joint *= 1 + np.einsum("wk,wckij->wcij", by_point, apart)
    return _with_heels(role, joint, often)


def _with_heels(role: Role, joint: Floats, often: Floats) -> Floats:
    """Return pegging by part, as in `_pegging`, from pegging by class; the last part has heels."""
    plays = np.zeros((len(joint), len(often), SPAN + 2, SPAN + 2))
    plays[:, :-1, :SPAN, :SPAN] = joint * often[:-1, None, None]
    with_heels = np.einsum("c,wcij->wij", often[:-1] / often[:-1].sum(), joint) * often[-1]
    if role == "dealer":
        plays[:, -1, 2:, :SPAN] = with_heels
    else:
        plays[:, -1, :SPAN, 2:] = with_heels
    mine, theirs = (int(np.flatnonzero(plays.any(axis=(0, 1, axis)))[-1]) + 1 for axis in (3, 2))
    return np.ascontiguousarray(plays[:, :, :mine, :theirs])
