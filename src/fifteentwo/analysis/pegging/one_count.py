"""Win probability in five-card pegging, exact over every hand that the other side may hold (R102).

The other side's type is the three ranks kept and two discarded. Its probability is the one with which the
stored strategy keeps it from the unseen cards, times the probabilities of the cards it has played; it
continues by the strategy. The own side plays to win. Three cards each and one count leave two decisions a
side, so every line is followed to the end of the count. Then both hands and the crib count in order (R78).
Ranks are exact; suits of unseen cards use probabilities for nobs and flushes.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.pegging.possible_play import check_play
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.near_end import FIVE_CARD_NEEDS, five_card_moves, moved
from fifteentwo.analysis.win.shows import hand_points
from fifteentwo.fast.counting_out import after_show
from fifteentwo.fast.crib_weights import pair_crib_points
from fifteentwo.fast.five_card import end_of_count, fitting, pair_place
from fifteentwo.fast.hands import PAIRS, TRIPLES, UP2, UP3, copies, place
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.noise import EQUILIBRIUM_EPSILON
from fifteentwo.fast.play import card_points, playable, value_of
from fifteentwo.rules import show
from fifteentwo.rules.view import View
from fifteentwo.strategy import five_card
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.pegging import ImpossiblePlay
from fifteentwo.strategy.pegging_points import keeping

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Scored = tuple[tuple[int, int], ...]
"""Sides and points, in order."""

PONE, DEALER = 0, 1
_CHOOSE = np.array([[comb(m, n) for n in range(6)] for m in range(5)], np.float64)
_DISTINCT = np.array([len({*three}) for three in TRIPLES.tolist()])[:, None]
_SUITED_STARTER = 0.22
"""Probability that the starter has the suit of an unseen hand of one suit."""


class Held(NamedTuple):
    """Types that the other side may have: rows by ranks held (`fast.hands`), columns by discards."""

    weight: Floats
    """(hands, 91)."""
    kept: Ints
    """(hands,) number of the three ranks kept."""


class Standing(NamedTuple):
    """Scores, at most the target."""

    own: int
    other: int
    net: int
    """Own less the other's points since the start."""


class Reached(NamedTuple):
    """Results of lines: sums over all types of the other side, by weight."""

    win: float
    """Sum of values from -1 to 1."""
    points: float
    """Sum of points to the end of the count, own less the other's."""


NOTHING = Reached(0.0, 0.0)


class OneCount:
    """The pegging of one View: possible types of the other side, and the value of every card."""

    def __init__(self, view: View, *, on_turn: bool = True, counted: bool = False) -> None:
        """Raise ImpossiblePlay if no play of two with five cards leads to this View.

        on_turn: whether this side plays next. counted: whether the own hand has been counted.
        """
        if not view.rules.one_count:
            raise ImpossiblePlay(f"{view.rules.variant.value} has more than one count.")
        check_play(view, on_turn=on_turn)
        assert view.starter is not None
        self.view = view
        self.me = int(view.is_dealer)
        self.other: Role = "pone" if view.is_dealer else "dealer"
        self.starter = view.starter.index >> 2
        self.hand = 0 if counted else show.points(view.kept, view.starter)
        self.mine = sorted(card.index >> 2 for card in view.hand)
        self.pile = [card.index >> 2 for _, card in view.played]
        self.sides = [int(seat == view.dealer) for seat, _ in view.played]
        self._shown: dict[tuple[int, int], Floats] = {}
        self.held = self._believed()
        self.whole = float(self.held.weight.sum())
        if not self.whole > 0:
            raise ImpossiblePlay(f"No hand of the {self.other} fits what it played.")

    def values(self) -> dict[int, tuple[float, float]]:
        """Return points to come and win probability of each rank (0–12) that can be played now."""
        count = sum(map(value_of, self.pile))
        found = {}
        for rank in fits(self.mine, count):
            points, chance = self._chance(self._played(self.pile, self.mine, self._now(), rank))
            found[rank] = points, self._to_win(chance, self._now())
        return found

    def chance(self, scores: tuple[int, int] | None = None) -> float:
        """Return the win probability before the end of the count, for either side on turn.

        scores: own and other's score, instead of those of the View.
        """
        now = self._now(scores)
        return self._to_win(self._chance(self._play_on(self.pile, self.mine, self.held, now))[1], now)

    def after_play(self, scores: tuple[int, int] | None = None) -> float:
        """Return the win probability after the count; cards may be left in both hands."""
        return self._chance(self._ended([(self._now(scores), self.held)]))[1]

    def _now(self, scores: tuple[int, int] | None = None) -> Standing:
        front, side = self.view.front, self.view.side
        return Standing(*(scores or (front[side], front[1 - side])), 0)

    def _chance(self, reached: Reached) -> tuple[float, float]:
        return reached.points / self.whole, (1 + reached.win / self.whole) / 2

    def _to_win(self, chance: float, now: Standing) -> float:
        """Return the win probability moved near the end as for a discard, in proportion to the cards left."""
        needs = self.view.rules.target - now.own, self.view.rules.target - now.other
        if not 0 < min(needs) <= max(needs) <= FIVE_CARD_NEEDS:
            return chance
        move = five_card_moves("dealer" if self.me == DEALER else "pone")[needs[0] - 1, needs[1] - 1]
        return float(moved(np.array(chance), move * sum(self.view.hand_sizes) / 6))

    # ── What the other side may hold ─────────────────────────────────────────────────────────────────────

    def _believed(self) -> Held:
        """Return the weights of the other side's types after the cards and goes so far."""
        view = self.view
        own = [card.index >> 2 for card in (*view.kept, *view.discarded)]
        left = 4 - np.bincount([*own, self.starter], minlength=13)
        types = copies(3)[:, None] + copies(2)
        ways = np.prod([_CHOOSE[left[rank]][types[..., rank]] for rank in range(13)], axis=0)
        held = Held(
            (five_card.fractions(self.other) + EQUILIBRIUM_EPSILON / 10) * ways, np.arange(len(TRIPLES))
        )
        for at, (side, rank) in enumerate(zip(self.sides, self.pile, strict=True)):
            if at and side == self.sides[at - 1]:
                held = self._went(self.pile[:at], held, 1 - side)
            if side != self.me:
                held = self._plays(self.pile[:at], held, rank)
        for seat in view.said_go:
            held = self._went(self.pile, held, int(seat == view.dealer))
        return held

    def _went(self, pile: Sequence[int], held: Held, side: int) -> Held:
        """Return the types that remain after a go: no held card fits (R55)."""
        if side == self.me:
            return held
        ranks = fitting(sum(map(value_of, pile)))
        lowest = PAIRS[:, 0] if len(held.kept) == len(PAIRS) else np.arange(len(held.kept))
        return held._replace(weight=np.where((lowest >= ranks)[:, None], held.weight, 0.0))

    def _plays(self, pile: Sequence[int], held: Held, rank: int) -> Held:
        """Return the types that remain after the other side plays this rank."""
        if len(held.kept) == len(TRIPLES):
            first = first_chances(self.starter, pile[0] if pile else None)[rank]
            chance = (1 - EQUILIBRIUM_EPSILON) * first + EQUILIBRIUM_EPSILON / _DISTINCT[UP3[rank]]
            return Held(held.weight[UP3[rank]] * chance, held.kept[UP3[rank]])
        if len(held.kept) == len(PAIRS):
            pairs = UP2[rank]
            chances = second_chances(self.starter, tuple(pile))[rank]
            return Held(held.weight[pairs] * chances, held.kept[pairs])
        return Held(held.weight[[rank]], held.kept[[rank]])

    # ── Every line ───────────────────────────────────────────────────────────────────────────────────────

    def _scored(self, standing: Standing, side: int, points: int) -> Standing:
        """Return the standing after points. Scores stay when a side has reached the target (R14).

        `net` counts all points to the end of the count, as the points of a card do in every variant.
        """
        own, other, net = standing
        target, is_own = self.view.rules.target, side == self.me
        net += points if is_own else -points
        if max(own, other) >= target:
            return Standing(own, other, net)
        if is_own:
            return Standing(min(own + points, target), other, net)
        return Standing(own, min(other + points, target), net)

    def _play_on(self, pile: list[int], mine: list[int], held: Held, standing: Standing) -> Reached:
        """Return what best play reaches from this pile on, summed over the other side's types."""
        turn, count = len(pile) % 2, sum(map(value_of, pile))
        latest = self.sides[-1] if pile == self.pile and pile else 1 - turn
        gone = pile == self.pile and bool(self.view.said_go)
        if len(pile) > 3 or latest == turn or gone or not (turn != self.me or fits(mine, count)):
            return self._ended(self._finished(pile, latest, mine, held, standing))
        if turn == self.me:
            every = [self._played(pile, mine, standing, rank, held) for rank in fits(mine, count)]
            return Reached(max(one.win for one in every), max(one.points for one in every))
        total, goes = NOTHING, self._went(pile, held, turn) if len(pile) == 3 else None
        if goes is not None and goes.weight.any():
            total = self._ended(self._finished(pile, latest, mine, goes, standing))
        for rank in range(13):
            after = self._plays(pile, held, rank)
            if after.weight.any():
                points = card_points([*pile, rank], 0, len(pile) + 1, count + value_of(rank))
                then = self._play_on([*pile, rank], mine, after, self._scored(standing, turn, points))
                total = Reached(total.win + then.win, total.points + then.points)
        return total

    def _played(
        self, pile: list[int], mine: list[int], standing: Standing, rank: int, held: Held | None = None
    ) -> Reached:
        rest = list(mine)
        rest.remove(rank)
        after = [*pile, rank]
        points = card_points(after, 0, len(after), sum(map(value_of, after)))
        standing = self._scored(standing, self.me, points)
        held = held or self.held
        if len(after) > 3 or len(rest) == 0:
            return self._ended(self._finished(after, self.me, rest, held, standing))
        return self._play_on(after, rest, held, standing)

    def _finished(
        self, pile: list[int], latest: int, mine: list[int], held: Held, standing: Standing
    ) -> Iterator[tuple[Standing, Held]]:
        """Return ends of the count if the rest is forced, by the other side's last card."""
        own = mine[0] if len(mine) == 1 else None
        if len(held.kept) != 13:
            # The other side has no cards left, or none fits.
            yield self._pegged(finish(tuple(pile), latest, self.me, own, None), standing), held
            return
        alike: dict[Standing, list[int]] = {}
        for last, scored in enumerate(finishes(tuple(pile), latest, self.me, own)):
            alike.setdefault(self._pegged(scored, standing), []).append(last)
        for after, lasts in alike.items():
            yield after, Held(held.weight[lasts], held.kept[lasts])

    def _pegged(self, scored: Scored, standing: Standing) -> Standing:
        for side, points in scored:
            standing = self._scored(standing, side, points)
        return standing

    def _ended(self, ends: Iterable[tuple[Standing, Held]]) -> Reached:
        """Return the sums over ends of the count and the show after each."""
        won = points = 0.0
        for standing, held in ends:
            won += float((held.weight * self._after_show(standing)[held.kept]).sum())
            points += standing.net * float(held.weight.sum())
        return Reached(won, points)

    # ── The show ─────────────────────────────────────────────────────────────────────────────────────────

    def _after_show(self, standing: Standing) -> Floats:
        """Return (455, 91) values of scores at the end of the count, by the other side's type."""
        own, other, _ = standing
        if (own, other) not in self._shown:
            self._shown[own, other] = self._counted(own, other)
        return self._shown[own, other]

    def _counted(self, own: int, other: int) -> Floats:
        rules = self.view.rules
        if max(own, other) >= rules.target:
            return np.full((len(TRIPLES), len(PAIRS)), 1.0 if own >= rules.target else -1.0)
        over = win.after_deal(win.race_of(rules), self.view.is_dealer, False)
        found = self._show_probabilities()
        total = np.zeros(len(found.hand))
        flushed = np.zeros(len(found.hand))
        for nobs in (0, 1):
            for crib_nobs in (0, 1):
                chance = np.abs(1 - nobs - found.nobs) * np.abs(1 - crib_nobs - found.crib_nobs)
                for flush, often in ((0, 1.0), (3, 1 - _SUITED_STARTER), (4, _SUITED_STARTER)):
                    theirs, crib = found.hand + nobs + flush, found.crib + crib_nobs
                    if self.me == PONE:
                        pone, dealer = after_show(own, other, self.hand, theirs, crib, rules.target)
                        value = over[pone, dealer]
                    else:
                        pone, dealer = after_show(other, own, theirs, self.hand, crib, rules.target)
                        value = over[dealer, pone]
                    (flushed if flush else total)[:] += chance * often * value
        flush_chance = found.flush[:, None]
        made: Floats = (1 - flush_chance) * total[found.kind] + flush_chance * flushed[found.kind]
        return made

    def _show_probabilities(self) -> "_Shows":
        """Return the other side's hands and the crib by points, with probabilities of nobs and flushes."""
        view = self.view
        assert view.starter is not None
        own = tuple(sorted(card.index for card in view.discarded))
        unseen = win.unseen_by(view)
        played = tuple(card.index for seat, card in view.played if seat != view.seat)
        return _shows(self.other, view.starter.index, own, played, tuple(np.flatnonzero(unseen).tolist()))


class _Shows(NamedTuple):
    """The points of the other side's hand and of the crib. Types with equal points are one kind."""

    kind: Ints
    """(455, 91) the kind of each type: an index of the arrays (kinds,)."""
    hand: Ints
    """(kinds,) points of the other side's hand by ranks."""
    crib: Ints
    """(kinds,) points of the crib by ranks, with nobs of the own discards."""
    nobs: Floats
    """(kinds,) probability of nobs in the other side's hand."""
    crib_nobs: Floats
    """(kinds,) probability of nobs in the other side's discards."""
    flush: Floats
    """(455,) probability that the other side's hand has one suit."""


@lru_cache(maxsize=16)
def _shows(
    role: Role, starter: int, own: tuple[int, ...], played: tuple[int, ...], unseen: tuple[int, ...]
) -> _Shows:
    rank, suit = starter >> 2, starter & 3
    hidden = np.zeros(52, np.bool_)
    hidden[list(unseen)] = True
    one_jack = float(nobs_of_a_jack(hidden, starter))
    jacks = (TRIPLES == JACK).sum(axis=1)[:, None] + 4 * (PAIRS == JACK).sum(axis=1)
    hands = hand_points(3)[rank][:, None]
    pair = place(2)[tuple(sorted(card >> 2 for card in own))]
    cribs = pair_crib_points()[pair].reshape(91, 13)[:, rank].astype(np.int64)
    cribs = cribs + int(rank != JACK and 4 * JACK + suit in own)
    kinds, kind = np.unique((hands * 32 + cribs) * 16 + jacks, return_inverse=True)
    open_jack = rank != JACK and 4 * JACK + suit in played
    held, gone = kinds % 4, kinds % 16 // 4
    nobs = np.where(open_jack, held > 0, np.clip(held * one_jack, 0, 1)).astype(np.float64)
    crib_nobs = np.zeros(len(kinds)) if open_jack else np.clip(gone * one_jack, 0, 1)
    flush = keeping(role, 3).flush.copy()
    if len({card & 3 for card in played}) > 1:
        flush[:] = 0.0
    return _Shows(kind.reshape(jacks.shape), kinds // 512, kinds // 16 % 32, nobs, crib_nobs, flush)


def nobs_of_a_jack(hidden: npt.NDArray[np.bool_], starter: int) -> float:
    """Return the probability that an unseen jack has the starter's suit."""
    jacks = hidden.reshape(13, 4)[JACK]
    if starter >> 2 == JACK or not jacks[starter & 3]:
        return 0.0
    return 1 / float(jacks.sum())


def fits(mine: Sequence[int], count: int) -> list[int]:
    """Return the ranks of a hand that fit on a count."""
    return sorted({rank for rank in mine if playable(count, value_of(rank))})


@lru_cache(maxsize=14)
def first_chances(starter: int, lead: int | None) -> Floats:
    """Return `five_card.first_cards` for a starter: the lead and every reply, cached, 12 MB."""
    return five_card.first_cards(starter, lead)


@lru_cache(maxsize=256)
def second_chances(starter: int, pile: tuple[int, ...]) -> Floats:
    """Return (13, 13, 91) probabilities of each rank by the rank that stays and by discards."""
    ranks = 13 if len(pile) == 2 else fitting(sum(map(value_of, pile)))
    lower = five_card.second_cards(starter, pile)
    found = np.zeros((13, 13, lower.shape[1]))
    for rank in range(ranks):
        found[rank] = 1.0
        for stays in range(ranks):
            if stays != rank:
                chance = lower[pair_place(min(rank, stays), max(rank, stays), ranks)]
                chance = chance if rank < stays else 1 - chance
                found[rank, stays] = (1 - EQUILIBRIUM_EPSILON) * chance + EQUILIBRIUM_EPSILON / 2
    return found


def finish(pile: tuple[int, ...], latest: int, side: int, own: int | None, other: int | None) -> Scored:
    """Return the points of the rest of a count in which each side has at most one card.

    latest: the side that played last; own, other: the cards of `side` and of the other side.
    """
    one, two = (-1 if rank is None else rank for rank in ((own, other) if side == PONE else (other, own)))
    by_pone, by_dealer, last_card = end_of_count([*pile, 0, 0], len(pile), one, two, 1 - 2 * latest)
    scored = ((PONE, by_pone), (DEALER, by_dealer), (PONE if last_card > 0 else DEALER, abs(last_card)))
    return tuple([(side, points) for side, points in scored if points])


@lru_cache(maxsize=4096)
def finishes(pile: tuple[int, ...], latest: int, side: int, own: int | None) -> tuple[Scored, ...]:
    """Return `finish` for each card of the other side, 0 to 12."""
    return tuple([finish(pile, latest, side, own, other) for other in range(13)])
