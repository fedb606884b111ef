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
from fifteentwo.analysis.win.near_end import FIVE_CARD_NEEDS, five_card_moves, shift_log_odds
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
SidesAndPoints = tuple[tuple[int, int], ...]
"""(side, points) of each score in the order of play; side: 0 pone, 1 dealer."""

PONE, DEALER = 0, 1
_BINOMIAL = np.array([[comb(m, n) for n in range(6)] for m in range(5)], np.float64)
"""(5, 6) ways to choose n of m cards."""
_DISTINCT_RANKS = np.array([len({*three}) for three in TRIPLES.tolist()])[:, None]
"""(455, 1) number of different ranks in each three ranks."""
_FLUSH_STARTER_PROBABILITY = 0.22
"""Probability that the starter has the same suit as an unseen hand of one suit."""


class PossibleHands(NamedTuple):
    """The hands (`fast.hands`) and discards that the other side may have, with their probabilities."""

    weight: Floats
    """(hands, 91) probability of each hand now held and pair discarded, times a constant."""
    kept: Ints
    """(hands,) number (0–454) of the three ranks that were kept, by hand now held."""


class Standing(NamedTuple):
    """Both scores, and the points of this line of play."""

    own_score: int
    other_score: int
    net_points: int
    """Points pegged since the View, own less the other side's."""


class WeightedSums(NamedTuple):
    """Results summed over the other side's possible hands, each times its weight."""

    value: float
    """Weighted sum of game values, -1 (lost) to 1 (won)."""
    points: float
    """Weighted sum of points to the end of the count, own less the other side's."""


NOTHING = WeightedSums(0.0, 0.0)


class OneCount:
    """Five-card pegging from one View: the other side's possible hands, and the value of every own card."""

    def __init__(self, view: View, *, on_turn: bool = True, counted: bool = False) -> None:
        """Raise ImpossiblePlay if no play of two with five cards leads to this View.

        on_turn: whether this side plays next. counted: whether the own hand's show is already in the score.
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
        """Return by playable rank (0–12) the mean net points to the end of the count, and win probability."""
        count = sum(map(value_of, self.pile))
        found = {}
        for rank in fitting_ranks(self.mine, count):
            points, chance = self._means(self._play_own(self.pile, self.mine, self._standing(), rank))
            found[rank] = points, self._corrected(chance, self._standing())
        return found

    def chance(self, scores: tuple[int, int] | None = None) -> float:
        """Return the own side's win probability during the count, with (own, other's) `scores` if given."""
        now = self._standing(scores)
        return self._corrected(self._means(self._play_on(self.pile, self.mine, self.held, now))[1], now)

    def chance_after_count(self, scores: tuple[int, int] | None = None) -> float:
        """Return the own side's win probability if the count ended now, with these `scores` if given."""
        return self._means(self._sums_after_show([(self._standing(scores), self.held)]))[1]

    def _standing(self, scores: tuple[int, int] | None = None) -> Standing:
        """Return the standing at the View, or with other (own, other's) scores."""
        front, side = self.view.front, self.view.side
        return Standing(*(scores or (front[side], front[1 - side])), 0)

    def _means(self, reached: WeightedSums) -> tuple[float, float]:
        """Return mean net points, and win probability (0–1), from weighted sums."""
        return reached.points / self.whole, (1 + reached.value / self.whole) / 2

    def _corrected(self, chance: float, now: Standing) -> float:
        """Return a win probability with the near-end correction of discards, scaled by the cards left."""
        needs = self.view.rules.target - now.own_score, self.view.rules.target - now.other_score
        if not 0 < min(needs) <= max(needs) <= FIVE_CARD_NEEDS:
            return chance
        move = five_card_moves("dealer" if self.me == DEALER else "pone")[needs[0] - 1, needs[1] - 1]
        return float(shift_log_odds(np.array(chance), move * sum(self.view.hand_sizes) / 6))

    # ── What the other side may hold ─────────────────────────────────────────────────────────────────────

    def _believed(self) -> PossibleHands:
        """Return the other side's possible hands after the cards and goes so far."""
        view = self.view
        own = [card.index >> 2 for card in (*view.kept, *view.discarded)]
        left = 4 - np.bincount([*own, self.starter], minlength=13)
        types = copies(3)[:, None] + copies(2)
        ways = np.prod([_BINOMIAL[left[rank]][types[..., rank]] for rank in range(13)], axis=0)
        held = PossibleHands(
            (five_card.fractions(self.other) + EQUILIBRIUM_EPSILON / 10) * ways, np.arange(len(TRIPLES))
        )
        for at, (side, rank) in enumerate(zip(self.sides, self.pile, strict=True)):
            if at and side == self.sides[at - 1]:
                held = self._after_go(self.pile[:at], held, 1 - side)
            if side != self.me:
                held = self._after_card(self.pile[:at], held, rank)
        for seat in view.said_go:
            held = self._after_go(self.pile, held, int(seat == view.dealer))
        return held

    def _after_go(self, pile: Sequence[int], held: PossibleHands, side: int) -> PossibleHands:
        """Return the other side's possible hands after a go: none with a fitting card (R55)."""
        if side == self.me:
            return held
        ranks = fitting(sum(map(value_of, pile)))
        lowest = PAIRS[:, 0] if len(held.kept) == len(PAIRS) else np.arange(len(held.kept))
        return held._replace(weight=np.where((lowest >= ranks)[:, None], held.weight, 0.0))

    def _after_card(self, pile: Sequence[int], held: PossibleHands, rank: int) -> PossibleHands:
        """Return the other side's possible hands after it plays this rank, 0–12."""
        if len(held.kept) == len(TRIPLES):
            first = first_chances(self.starter, pile[0] if pile else None)[rank]
            chance = (1 - EQUILIBRIUM_EPSILON) * first + EQUILIBRIUM_EPSILON / _DISTINCT_RANKS[UP3[rank]]
            return PossibleHands(held.weight[UP3[rank]] * chance, held.kept[UP3[rank]])
        if len(held.kept) == len(PAIRS):
            pairs = UP2[rank]
            chances = second_chances(self.starter, tuple(pile))[rank]
            return PossibleHands(held.weight[pairs] * chances, held.kept[pairs])
        return PossibleHands(held.weight[[rank]], held.kept[[rank]])

    # ── Every line ───────────────────────────────────────────────────────────────────────────────────────

    def _add_points(self, standing: Standing, side: int, points: int) -> Standing:
        """Return the standing after points of a side; after a win only `net_points` changes (R14)."""
        own, other, net = standing
        target, is_own = self.view.rules.target, side == self.me
        net += points if is_own else -points
        if max(own, other) >= target:
            return Standing(own, other, net)
        if is_own:
            return Standing(min(own + points, target), other, net)
        return Standing(own, min(other + points, target), net)

    def _play_on(
        self, pile: list[int], mine: list[int], held: PossibleHands, standing: Standing
    ) -> WeightedSums:
        """Return the results of best play of the own ranks `mine` against `held`, from this pile on."""
        turn, count = len(pile) % 2, sum(map(value_of, pile))
        latest = self.sides[-1] if pile == self.pile and pile else 1 - turn
        gone = pile == self.pile and bool(self.view.said_go)
        if len(pile) > 3 or latest == turn or gone or not (turn != self.me or fitting_ranks(mine, count)):
            return self._sums_after_show(self._forced_ends(pile, latest, mine, held, standing))
        if turn == self.me:
            every = [self._play_own(pile, mine, standing, rank, held) for rank in fitting_ranks(mine, count)]
            return WeightedSums(max(one.value for one in every), max(one.points for one in every))
        total, goes = NOTHING, self._after_go(pile, held, turn) if len(pile) == 3 else None
        if goes is not None and goes.weight.any():
            total = self._sums_after_show(self._forced_ends(pile, latest, mine, goes, standing))
        for rank in range(13):
            after = self._after_card(pile, held, rank)
            if after.weight.any():
                points = card_points([*pile, rank], 0, len(pile) + 1, count + value_of(rank))
                then = self._play_on([*pile, rank], mine, after, self._add_points(standing, turn, points))
                total = WeightedSums(total.value + then.value, total.points + then.points)
        return total

    def _play_own(
        self,
        pile: list[int],
        mine: list[int],
        standing: Standing,
        rank: int,
        held: PossibleHands | None = None,
    ) -> WeightedSums:
        """Return the results after the own side plays this rank. held: as in `_play_on`."""
        rest = list(mine)
        rest.remove(rank)
        after = [*pile, rank]
        points = card_points(after, 0, len(after), sum(map(value_of, after)))
        standing = self._add_points(standing, self.me, points)
        held = held or self.held
        if len(after) > 3 or len(rest) == 0:
            return self._sums_after_show(self._forced_ends(after, self.me, rest, held, standing))
        return self._play_on(after, rest, held, standing)

    def _forced_ends(
        self, pile: list[int], latest: int, mine: list[int], held: PossibleHands, standing: Standing
    ) -> Iterator[tuple[Standing, PossibleHands]]:
        """Yield the standings after the forced rest of a count, each with the hands that lead to it."""
        own = mine[0] if len(mine) == 1 else None
        if len(held.kept) != 13:
            # The other side has no cards left, or none fits.
            yield self._add_scores(forced_points(tuple(pile), latest, self.me, own, None), standing), held
            return
        alike: dict[Standing, list[int]] = {}
        for last, scored in enumerate(forced_points_by_card(tuple(pile), latest, self.me, own)):
            alike.setdefault(self._add_scores(scored, standing), []).append(last)
        for after, lasts in alike.items():
            yield after, PossibleHands(held.weight[lasts], held.kept[lasts])

    def _add_scores(self, scored: SidesAndPoints, standing: Standing) -> Standing:
        for side, points in scored:
            standing = self._add_points(standing, side, points)
        return standing

    def _sums_after_show(self, ends: Iterable[tuple[Standing, PossibleHands]]) -> WeightedSums:
        """Return the weighted sums over these ends of the count, each valued with the show."""
        won = points = 0.0
        for standing, held in ends:
            won += float((held.weight * self._after_show(standing)[held.kept]).sum())
            points += standing.net_points * float(held.weight.sum())
        return WeightedSums(won, points)

    # ── The show ─────────────────────────────────────────────────────────────────────────────────────────

    def _after_show(self, standing: Standing) -> Floats:
        """Return (455, 91) values (-1 to 1) after the show, by the other side's kept and discarded ranks."""
        own, other, _ = standing
        if (own, other) not in self._shown:
            self._shown[own, other] = self._values_at_show(own, other)
        return self._shown[own, other]

    def _values_at_show(self, own: int, other: int) -> Floats:
        """Return (455 kept, 91 discarded) values (-1 to 1) of the ranks of hands before the show."""
        rules = self.view.rules
        if max(own, other) >= rules.target:
            return np.full((len(TRIPLES), len(PAIRS)), 1.0 if own >= rules.target else -1.0)
        over = win.after_deal(win.race_of(rules), self.view.is_dealer, False)
        found = self._show_points()
        total = np.zeros(len(found.hand))
        flushed = np.zeros(len(found.hand))
        for nobs in (0, 1):
            for crib_nobs in (0, 1):
                chance = np.abs(1 - nobs - found.hand_nobs) * np.abs(1 - crib_nobs - found.crib_nobs)
                for flush, often in (
                    (0, 1.0),
                    (3, 1 - _FLUSH_STARTER_PROBABILITY),
                    (4, _FLUSH_STARTER_PROBABILITY),
                ):
                    theirs, crib = found.hand + nobs + flush, found.crib + crib_nobs
                    if self.me == PONE:
                        pone, dealer = after_show(own, other, self.hand, theirs, crib, rules.target)
                        value = over[pone, dealer]
                    else:
                        pone, dealer = after_show(other, own, theirs, self.hand, crib, rules.target)
                        value = over[dealer, pone]
                    (flushed if flush else total)[:] += chance * often * value
        flush_chance = found.flush[:, None]
        made: Floats = (1 - flush_chance) * total[found.group] + flush_chance * flushed[found.group]
        return made

    def _show_points(self) -> "_ShowPoints":
        """Return the points of the other side's possible hands and of the crib."""
        view = self.view
        assert view.starter is not None
        own = tuple(sorted(card.index for card in view.discarded))
        unseen = win.unseen_by(view)
        played = tuple(card.index for seat, card in view.played if seat != view.seat)
        return _compute_show_points(
            self.other, view.starter.index, own, played, tuple(np.flatnonzero(unseen).tolist())
        )


class _ShowPoints(NamedTuple):
    """Show points of the other side's possible hands and of the crib, grouped by equal points and jacks."""

    group: Ints
    """(455, 91) group of each three ranks kept and two discarded: the index of the arrays (groups,)."""
    hand: Ints
    """(groups,) points of the other side's hand, without nobs and flush."""
    crib: Ints
    """(groups,) points of the crib, with nobs of the own discards but not of the other side's."""
    hand_nobs: Floats
    """(groups,) probability of nobs in the other side's hand."""
    crib_nobs: Floats
    """(groups,) probability of nobs in the other side's discards."""
    flush: Floats
    """(455,) probability that the other side's three kept cards have one suit."""


@lru_cache(maxsize=16)
def _compute_show_points(
    role: Role, starter: int, own: tuple[int, ...], played: tuple[int, ...], unseen: tuple[int, ...]
) -> _ShowPoints:
    """Return the show points. role: the other side's; own: own discards; cards as indices 0–51."""
    rank, suit = starter >> 2, starter & 3
    hidden = np.zeros(52, np.bool_)
    hidden[list(unseen)] = True
    one_jack = float(unseen_jack_nobs(hidden, starter))
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
    return _ShowPoints(kind.reshape(jacks.shape), kinds // 512, kinds // 16 % 32, nobs, crib_nobs, flush)


def unseen_jack_nobs(hidden: npt.NDArray[np.bool_], starter: int) -> float:
    """Return the probability that an unseen jack has the starter's suit. hidden: (52,) unseen cards."""
    jacks = hidden.reshape(13, 4)[JACK]
    if starter >> 2 == JACK or not jacks[starter & 3]:
        return 0.0
    return 1 / float(jacks.sum())


def fitting_ranks(hand: Sequence[int], count: int) -> list[int]:
    """Return the ranks (0–12) of a hand that can be played on this count."""
    return sorted({rank for rank in hand if playable(count, value_of(rank))})


@lru_cache(maxsize=14)
def first_chances(starter: int, lead: int | None) -> Floats:
    """Return probabilities of the pone's lead, or of the dealer's reply to a lead (`first_cards`)."""
    return five_card.first_cards(starter, lead)


@lru_cache(maxsize=256)
def second_chances(starter: int, pile: tuple[int, ...]) -> Floats:
    """Return (13, 13, 91) probabilities of a rank as second card, by the third rank and the discards."""
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


def forced_points(
    pile: tuple[int, ...], latest: int, side: int, own: int | None, other: int | None
) -> SidesAndPoints:
    """Return the points in the rest of a count in which the sides hold `own` and `other`, or no card."""
    one, two = (-1 if rank is None else rank for rank in ((own, other) if side == PONE else (other, own)))
    by_pone, by_dealer, last_card = end_of_count([*pile, 0, 0], len(pile), one, two, 1 - 2 * latest)
    scored = ((PONE, by_pone), (DEALER, by_dealer), (PONE if last_card > 0 else DEALER, abs(last_card)))
    return tuple([(side, points) for side, points in scored if points])


@lru_cache(maxsize=4096)
def forced_points_by_card(
    pile: tuple[int, ...], latest: int, side: int, own: int | None
) -> tuple[SidesAndPoints, ...]:
    """Return `forced_points` for each rank, 0 to 12, that the other side may hold."""
    return tuple([forced_points(pile, latest, side, own, other) for other in range(13)])
