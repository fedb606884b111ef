"""Pegging re-solved at the table, against a plain walk hand by hand that has no kernel in common with it."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from fifteentwo.analysis.counting import VALUES, played_points, points_by_starter
from fifteentwo.analysis.pegging import endgame as resolving
from fifteentwo.analysis.pegging import endgame_solver
from fifteentwo.analysis.pegging.beliefs import Floats, history
from fifteentwo.analysis.pegging.look_ahead import PEOPLE, LookAhead
from fifteentwo.fast.hands import hands
from fifteentwo.rules.view import View
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.pegging import Act, Position, follow, load_pegging_book
from tests.support.pegging_views import pegging_views

ROLES: tuple[Role, Role] = ("pone", "dealer")
Beliefs = dict[tuple[int, ...], float]


@cache
def small(most: int) -> tuple[View, ...]:
    """Views with a choice, both sides holding cards, at least three and at most so many."""
    found = []
    for view in (*pegging_views("club"), *pegging_views("expert")):
        fits = {card.index >> 2 for card in view.hand if view.count + card.value <= 31}
        if (
            len(fits) > 1
            and min(view.hand_sizes) > 0
            and 2 < sum(view.hand_sizes) <= most
            and max(view.hand_sizes) <= 3
        ):
            found.append(view)
    return tuple(found)


class At(NamedTuple):
    """How far a walk is: every act, both scores, and the ranks that pone and dealer have played."""

    acts: tuple[Act, ...]
    own: int
    other: int
    played: tuple[tuple[int, ...], ...]


class Plain:
    """What one hand of the other side makes at best of the book's play, walked over the rules."""

    def __init__(self, search: LookAhead) -> None:
        self.view = search.view
        self.side = search.side
        self.book = load_pegging_book()
        stakes, self.scores = search.stakes(games=False)
        self.mine, self.target, self.counted = stakes.show, stakes.target, stakes.counted
        self.suited = stakes.suited
        self.kept = tuple(sorted(card.index >> 2 for card in self.view.kept))
        self.starter = search.starter
        self.played = tuple(
            tuple(
                [card.index >> 2 for seat, card in self.view.played if (seat == self.view.dealer) == dealer]
            )
            for dealer in (False, True)
        )

    def opt_out(self, foe: tuple[int, ...], range_of_own: Floats) -> float:
        """Least value for the own side, over its hands by way: the other side knows them by chance only."""
        left = [4 - int(rank == self.starter) for rank in range(13)]
        for _, card in self.view.played:
            left[card.index >> 2] -= 1
        beliefs = {}
        for hand, weight in zip(hands(self.view.hand_sizes[self.view.seat]), range_of_own, strict=True):
            ways, gone = float(weight), [0] * 13
            for rank in (*hand, *foe):
                ways *= max(left[rank] - gone[rank], 0)
                gone[rank] += 1
            if ways:
                beliefs[hand] = ways
        acts = history(self.view)
        while follow(acts).turn != self.side:
            acts = (*acts, (ROLES[1 - self.side], None))
        return self.walk(At(acts, *self.scores, self.played), beliefs, foe)

    def walk(self, at: At, beliefs: Beliefs, foe: tuple[int, ...]) -> float:
        if not beliefs:
            return 0.0
        if max(at.own, at.other) >= self.target:
            return sum(beliefs.values()) * float(self.counted[at.own, at.other])
        position = follow(at.acts)
        if not any(position.held):
            return self.settled(position, at) * sum(beliefs.values())
        turn = position.turn
        if turn != self.side:
            return self.respond(at, beliefs, foe)
        total = 0.0
        silent: Beliefs = {}
        by_rank: dict[int, Beliefs] = {}
        for hand, weight in beliefs.items():
            fits = sorted({rank for rank in hand if VALUES[rank] <= 31 - position.total})
            if not fits:
                silent[hand] = weight
                continue
            if not position.held[1 - turn]:
                # No reply can follow: the most points, walked one card order after the other.
                alone = [self.walk(self.after(at, rank), {less(hand, rank): 1.0}, ()) for rank in fits]
                total += weight * max(alone)
                continue
            often = (
                self.book.strategy([rank + 1 for rank in hand], at.acts, ROLES[turn])
                if len(fits) > 1
                else {fits[0] + 1: 1.0}
            )
            for rank in fits:
                chance = often.get(rank + 1, 0.0)
                if chance:
                    by_rank.setdefault(rank, {})[less(hand, rank)] = weight * chance
        for rank, rests in by_rank.items():
            total += self.walk(self.after(at, rank), rests, foe)
        return total + (self.passed(at, silent, foe) if silent else 0.0)

    def respond(self, at: At, beliefs: Beliefs, foe: tuple[int, ...]) -> float:
        """`walk` where the other side is on turn: it plays what is worst."""
        fits = {rank for rank in foe if VALUES[rank] <= 31 - follow(at.acts).total}
        if not fits:
            return self.passed(at, beliefs, foe)
        return min(self.walk(self.after(at, rank), beliefs, less(foe, rank)) for rank in sorted(fits))

    def after(self, at: At, rank: int) -> At:
        """The walk once the side on turn has played a rank."""
        position = follow(at.acts)
        turn = position.turn
        points = played_points(position.pile, position.total, rank)
        own, other = (at.own + points, at.other) if turn == self.side else (at.own, at.other + points)
        played = tuple((*ranks, rank) if side == turn else ranks for side, ranks in enumerate(at.played))
        return At((*at.acts, (ROLES[turn], rank + 1)), own, other, played)

    def passed(self, at: At, beliefs: Beliefs, foe: tuple[int, ...]) -> float:
        position = follow(at.acts)
        acts = (*at.acts, (ROLES[position.turn], None))
        own, other = at.own, at.other
        if position.total and not follow(acts).total:
            last = [role for role, rank in at.acts if rank is not None][-1]
            own, other = (own + 1, other) if last == ROLES[self.side] else (own, other + 1)
        return self.walk(At(acts, own, other, at.played), beliefs, foe)

    def settled(self, position: Position, at: At) -> float:
        own, other, played = at.own, at.other, at.played
        if position.total:
            last = position.last
            own, other = (own + 1, other) if last == self.side else (own, other + 1)
            if own >= self.target or other >= self.target:
                return float(self.counted[own, other])
        own_four, foe_four = (tuple(sorted(played[side])) for side in (self.side, 1 - self.side))
        mine = self.mine if own_four == self.kept else points_by_starter(own_four)[self.starter]
        theirs = points_by_starter(foe_four)[self.starter]
        suits = self.suited[sum(rank * 13**place for rank, place in zip(foe_four, (3, 2, 1, 0), strict=True))]
        return sum(
            float(often) * self.shown(own, other, mine, theirs + more)
            for more, often in zip((0, 1, 4, 5, 6), suits, strict=True)
        )

    def shown(self, own: int, other: int, mine: int, theirs: int) -> float:
        order = [(self.side, mine), (1 - self.side, theirs)]
        for side, points in sorted(order):
            own, other = (own + points, other) if side == self.side else (own, other + points)
            if own >= self.target or other >= self.target:
                return float(self.counted[own, other])
        return float(self.counted[own, other])


def less(hand: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """A hand without a card of this rank."""
    at = hand.index(rank)
    return hand[:at] + hand[at + 1 :]


def solved(view: View, monkeypatch: pytest.MonkeyPatch, **how: Any) -> tuple[Any, ...]:
    """(search, solution, weights, opt_out, gained) of one position."""
    seen: list[Any] = []
    inner = endgame_solver.solve

    def recording(position: Any, by_types: Any, weights: Any, *rest: Any) -> Any:
        solved = inner(position, by_types, weights, *rest)
        seen[:] = [weights, solved.opt_out, solved.gained]
        return solved

    search = LookAhead(view, PEOPLE)
    with monkeypatch.context() as patched:
        patched.setattr(resolving, "solve", recording)
        solution = resolving.resolved(search, games=False, **how)
    return search, solution, *seen


@pytest.mark.parametrize(
    ("most", "positions", "each"),
    [(4, 12, 4), (5, 1, 2), pytest.param(5, 1000, 12, marks=pytest.mark.slow)],
    ids=["some", "five", "all"],
)
def test_opt_out_values_are_those_of_a_plain_walk(
    monkeypatch: pytest.MonkeyPatch, most: int, positions: int, each: int
) -> None:
    compared = 0
    for view in sorted(small(most), key=lambda view: -sum(view.hand_sizes))[:positions]:
        search, _, weights, opt_out, _ = solved(view, monkeypatch, iterations=1)
        foes = hands(view.hand_sizes[1 - view.seat])
        chance = np.random.default_rng(compared)
        for at in chance.permutation(np.flatnonzero(weights.free))[:each]:
            plain = Plain(search).opt_out(foes[at], weights.own)
            assert opt_out[at] == pytest.approx(-plain, abs=1e-9), (view, foes[at])
            compared += 1
    assert compared >= min(10, positions) * each


def test_a_free_opponent_gains_nothing_by_coming_in(monkeypatch: pytest.MonkeyPatch) -> None:
    views = small(4)[:20]
    for view in views:
        _, solution, weights, opt_out, gained = solved(view, monkeypatch, known=0.0, iterations=300)
        assert solution.risked - solution.opt_out < 2e-3
        # Hand by hand, as a chance of all there is to win.
        assert float((weights.free * np.maximum(gained - opt_out, 0)).max()) < 1e-3
    assert len(views) == 20


def test_against_a_known_opponent_it_is_the_best_response() -> None:
    compared = 0
    for view in small(4)[:20]:
        search = LookAhead(view, PEOPLE)
        policy = resolving.resolved(search, games=False, known=1.0, iterations=300).policy
        values = search.chances(games=False)
        mean = sum(chance * values[rank] for rank, chance in policy.items())
        assert mean > max(values.values()) - 0.01
        compared += 1
    assert compared == 20


def test_half_known_it_stays_nearly_as_safe_as_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    risks = [
        found.risked - found.opt_out for found in (solved(view, monkeypatch)[1] for view in small(4)[:30])
    ]
    assert min(risks) > -1e-9
    assert float(np.mean(risks)) < 0.002


@pytest.mark.parametrize(("held", "most"), [(5, 5e-4), (6, 2e-3)])
def test_five_and_six_cards_are_solved_nearly_as_safely(held: int, most: float) -> None:
    """By the rounds that are usual, which are fewer."""
    for view in [view for view in small(6) if sum(view.hand_sizes) == held][:2]:
        solution = resolving.resolved(LookAhead(view, PEOPLE), games=False, known=0.0)
        assert sum(solution.policy.values()) == pytest.approx(1)
        assert -1e-5 < solution.risked - solution.opt_out < most


def test_more_rounds_are_safer() -> None:
    view = next(view for view in small(6) if sum(view.hand_sizes) == 6)
    search = LookAhead(view, PEOPLE)
    few, more = (resolving.resolved(search, games=False, known=0.0, iterations=n) for n in (4, 16))
    assert more.opt_out == pytest.approx(few.opt_out)
    assert more.risked - more.opt_out < 0.5 * (few.risked - few.opt_out)


def test_too_many_cards_or_none_are_refused() -> None:
    early = next(view for view in pegging_views("club") if sum(view.hand_sizes) > 6)
    with pytest.raises(ValueError, match="one to three each"):
        resolving.resolved(LookAhead(early, PEOPLE), games=False)
