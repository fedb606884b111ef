"""The look-ahead search to the end of a deal equals a plain walk that shares only the rules."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from msgspec.structs import replace

from fifteentwo.analysis.pegging.beliefs import history, role_of
from fifteentwo.analysis.pegging.look_ahead import EQUILIBRIUM, PEOPLE, LookAhead, Opponent
from fifteentwo.analysis.pegging.look_ahead_search import (
    LAST_CARDS,
    LATER,
    NEXT,
    NOW,
    PARTS,
    REPLY,
    THEIR_LATER,
)
from fifteentwo.analysis.pegging.opponents import BOOK, CLUB
from fifteentwo.analysis.win.counting import VALUES, played_points
from fifteentwo.analysis.win.model import after_deal, crib_chances
from fifteentwo.analysis.win.shows import suits_add
from fifteentwo.fast.club import MOST_PEGGED, best_reply
from fifteentwo.fast.hands import hands
from fifteentwo.rules import show
from fifteentwo.rules.view import View
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.pegging import Act, Position, follow, load_pegging_book
from tests.analysis.by_starter import points_by_starter
from tests.support.pegging_views import pegging_views

TWO_TYPES = Opponent((0.7, 0.3), 0.03)
ROLES: tuple[Role, Role] = ("pone", "dealer")
Beliefs = dict[tuple[int, tuple[int, ...]], float]


def two_left(views: tuple[View, ...]) -> Iterator[View]:
    """Return Views with two ranks to choose from and few enough cards left for a plain walk."""
    for view in views:
        fits = {card.index >> 2 for card in view.hand if view.count + card.value <= 31}
        if len(fits) == 2 == len(view.hand) and view.hand_sizes[1 - view.seat] <= 2:
            yield view


class At(NamedTuple):
    """State of a walk: acts, both scores, own hand, ranks that the other side has played."""

    acts: tuple[Act, ...]
    own: int
    other: int
    mine: tuple[int, ...]
    theirs: tuple[int, ...]


class Plain:
    """The same search, hand by hand: no kernels, one dictionary of possible hands."""

    def __init__(self, view: View, *, chances: bool, noise: float) -> None:
        self.view = view
        self.noise = noise
        self.side = int(view.is_dealer)
        self.book = load_pegging_book()
        assert view.starter is not None
        self.starter = view.starter.index >> 2
        self.theirs = tuple(card.index >> 2 for seat, card in view.played if seat != view.seat)
        self.chances = chances
        if chances:
            self.mine = show.points(view.kept, view.starter)
            unseen = np.ones((13, 4), np.bool_)
            theirs = [card for seat, card in view.played if seat != view.seat]
            for card in (*view.kept, *view.discarded, view.starter, *theirs):
                unseen[card.index >> 2, card.index & 3] = False
            giver = role_of(view, 1 - view.seat)
            self.crib = crib_chances(view.discarded, giver, view.starter, unseen, theirs)
            self.suits = suits_add(giver, theirs, view.starter, unseen)
            self.over = after_deal("game", view.is_dealer, False)

    def cards(self, beliefs: Beliefs) -> dict[int, float]:
        view = self.view
        own = view.front[view.side] if self.chances else 0
        other = view.front[1 - view.side] if self.chances else 0
        mine = tuple(sorted(card.index >> 2 for card in view.hand))
        at = At(history(view), own, other, mine, self.theirs)
        return {
            rank: self.play(at, beliefs, self.side, rank)
            for rank in sorted(set(mine))
            if view.count + VALUES[rank] <= 31
        }

    def play(self, at: At, beliefs: Beliefs, side: int, rank: int) -> float:
        """Return the value after a side plays a rank."""
        position = follow(at.acts, ROLES[side])
        points = played_points(position.pile, position.total, rank)
        if side == self.side:
            at = at._replace(own=at.own + points, mine=_less(at.mine, rank))
        else:
            at = at._replace(other=at.other + points, theirs=(*at.theirs, rank))
        if self.over_already(at):
            return sum(beliefs.values()) * self.value(at)
        return self.on(at._replace(acts=(*at.acts, (ROLES[side], rank + 1))), beliefs)

    def over_already(self, at: At) -> bool:
        return self.chances and max(at.own, at.other) >= 121

    def last_card(self, at: At, position: Position) -> At:
        """Continue the walk with the point for the last card of a count."""
        own = position.last == self.side
        return at._replace(own=at.own + own, other=at.other + (not own))

    def on(self, at: At, beliefs: Beliefs) -> float:
        position = follow(at.acts)
        if sum(position.held) == 0:
            at = self.last_card(at, position) if position.total else at
            return sum(beliefs.values()) * self.value(at)
        most, turn = 31 - position.total, position.turn
        if turn == self.side:
            fits = [rank for rank in set(at.mine) if VALUES[rank] <= most]
            if fits:
                return max(self.play(at, beliefs, turn, rank) for rank in fits)
            return self.go(at, beliefs)
        parts: dict[int, Beliefs] = {}
        silent: Beliefs = {}
        for (type_, hand), weight in beliefs.items():
            fits = sorted({rank for rank in hand if VALUES[rank] <= most})
            if not fits:
                silent[type_, hand] = weight
            for rank, chance in self.policy(at.acts, type_, hand, fits).items():
                key = (type_, _less(hand, rank))
                part = parts.setdefault(rank, {})
                part[key] = part.get(key, 0.0) + weight * chance
        total = sum(self.play(at, part, turn, rank) for rank, part in parts.items())
        return total + (self.go(at, silent) if silent else 0.0)

    def go(self, at: At, beliefs: Beliefs) -> float:
        position = follow(at.acts)
        at = at._replace(acts=(*at.acts, (ROLES[position.turn], None)))
        if position.gone or position.held[1 - position.turn] == 0:
            at = self.last_card(at, position)
            if self.over_already(at):
                return sum(beliefs.values()) * self.value(at)
        return self.on(at, beliefs)

    def policy(
        self, acts: tuple[Act, ...], type_: int, hand: tuple[int, ...], fits: list[int]
    ) -> dict[int, float]:
        if len(fits) < 2:
            return dict.fromkeys(fits, 1.0)
        position = follow(acts)
        if type_ == BOOK and position.held[self.side]:
            role = ROLES[position.turn]
            found = self.book.strategy([rank + 1 for rank in hand], acts, role)
            often = {rank: found[rank + 1] for rank in fits}
        else:
            liked = max(fits, key=lambda rank: (self.liked(acts, rank), rank))
            often = {rank: float(rank == liked) for rank in fits}
        return {rank: self.noise / len(fits) + (1 - self.noise) * chance for rank, chance in often.items()}

    def liked(self, acts: tuple[Act, ...], rank: int) -> float:
        position = follow(acts)
        count = position.total + VALUES[rank]
        points = played_points(position.pile, position.total, rank)
        if count == 31 or position.gone or not position.held[self.side]:
            return points
        left = [
            4 - seen - (other == rank) - (other == self.starter) for other, seen in enumerate(position.seen)
        ]
        left = [max(number, 0) for number in left]
        pile = [*position.pile, rank, 0]
        end = len(pile) - 1
        reply, silent = best_reply(pile, 0, end, count, left, position.held[self.side], [0] * MOST_PEGGED)
        return points - reply + silent

    def value(self, at: At) -> float:
        own, other = at.own, at.other
        if not self.chances:
            return own - other
        if max(own, other) >= 121:
            return float(self.over[own, other])
        ranks = tuple(sorted(at.theirs))
        hand = points_by_starter(ranks)[self.starter]
        suits = self.suits[hands(4).index(ranks)]
        return sum(
            float(often) * self.shown(own, other, hand + more)
            for more, often in zip((0, 1, 4, 5, 6), suits, strict=True)
        )

    def shown(self, own: int, other: int, hand: int) -> float:
        if self.side == 0:
            if own + self.mine >= 121:
                return float(self.over[own + self.mine, other])
            if other + hand >= 121:
                return float(self.over[own, other + hand])
            return float(
                sum(c * self.over[own + self.mine, other + hand + n] for n, c in enumerate(self.crib))
            )
        if other + hand >= 121:
            return float(self.over[own, other + hand])
        if own + self.mine >= 121:
            return float(self.over[own + self.mine, other])
        return float(sum(c * self.over[own + self.mine + n, other + hand] for n, c in enumerate(self.crib)))


def _less(hand: tuple[int, ...], rank: int) -> tuple[int, ...]:
    left = list(hand)
    left.remove(rank)
    return tuple(left)


def believed(search: LookAhead) -> Beliefs:
    size = search.view.hand_sizes[1 - search.view.seat]
    return {
        (type_, hand): float(search.belief[type_, at])
        for type_ in range(len(search.belief))
        for at, hand in enumerate(hands(size))
        if search.belief[type_, at] > 0
    }


@pytest.mark.parametrize(("other", "chances"), [("club", False), ("expert", True)])
@pytest.mark.parametrize("opponent", [EQUILIBRIUM, TWO_TYPES], ids=["equilibrium", "club, too"])
def test_the_search_equals_a_plain_walk(other: str, opponent: Opponent, chances: bool) -> None:
    compared = 0
    for view in two_left(pegging_views(other)):
        search = LookAhead(view, opponent)
        found = search.chances(games=False) if chances else search.points()
        plain = Plain(view, chances=chances, noise=opponent.noise).cards(believed(search))
        assert found == pytest.approx(plain, abs=2e-4), view
        compared += 1
    assert compared >= 8


class Ledger(Plain):
    """A walk that also records the parts of the points, by `PARTS`."""

    made: tuple[int, ...] = (0,) * len(PARTS)

    def play(self, at: At, beliefs: Beliefs, side: int, rank: int) -> Any:
        position = follow(at.acts, ROLES[side])
        points = played_points(position.pile, position.total, rank)
        own = len(self.view.hand) - len(at.mine)
        first = len(at.theirs) == len(self.theirs)
        part = {0: NOW, 1: NEXT}.get(own, LATER) if side == self.side else REPLY if first else THEIR_LATER
        return self._with(
            part, points if side == self.side else -points, super().play, at, beliefs, side, rank
        )

    def last_card(self, at: At, position: Position) -> At:
        sign = 1 if position.last == self.side else -1
        self.made = tuple(made + sign * (part == LAST_CARDS) for part, made in enumerate(self.made))
        return super().last_card(at, position)

    def on(self, at: At, beliefs: Beliefs) -> Any:
        before, position = self.made, follow(at.acts)
        fits = [rank for rank in set(at.mine) if VALUES[rank] <= 31 - position.total]
        if sum(position.held) and position.turn == self.side and fits:
            found = max((self.play(at, beliefs, self.side, rank) for rank in fits), key=sum)
        else:
            found = super().on(at, beliefs)
        self.made = before
        return found

    def go(self, at: At, beliefs: Beliefs) -> Any:
        before = self.made
        found = super().go(at, beliefs)
        self.made = before
        return found

    def value(self, _: At) -> Any:
        return np.array(self.made, np.float64)

    def _with(self, part: int, points: int, walk: Callable[..., Any], *where: Any) -> Any:
        before = self.made
        self.made = tuple(made + points * (one == part) for one, made in enumerate(before))
        found = walk(*where)
        self.made = before
        return found


def test_what_points_are_made_of_equals_a_plain_walk() -> None:
    compared = 0
    for view in two_left(pegging_views("club")):
        search = LookAhead(view)
        points, parts = search.points(), search.parts()
        plain = Ledger(view, chances=False, noise=search.opponent.noise).cards(believed(search))
        for rank, made in parts.items():
            assert made == pytest.approx(plain[rank], abs=2e-4), view
            assert sum(made) == pytest.approx(points[rank])
            compared += 1
    assert compared >= 16


def test_beliefs_add_up_and_hold_what_the_other_holds() -> None:
    for view in pegging_views("expert"):
        search = LookAhead(view)
        assert search.belief.sum() == pytest.approx(1)
        assert (search.belief >= 0).all()
        for hand, weight in zip(
            hands(view.hand_sizes[1 - view.seat]), search.belief.sum(axis=0), strict=True
        ):
            seen = [card.index >> 2 for card in (*view.kept, *view.discarded)]
            seen += [card.index >> 2 for seat, card in view.played if seat != view.seat]
            if any(seen.count(rank) + hand.count(rank) > 4 for rank in hand):
                assert weight == 0


def test_an_opponent_type_is_recognised_from_the_cards_it_plays() -> None:
    def club_chance(other: str) -> float:
        ends = [view for view in pegging_views(other) if len(view.hand) == 1]
        return float(np.mean([LookAhead(view, PEOPLE).chance_of(CLUB) for view in ends]))

    assert club_chance("club") > club_chance("expert") + 0.05


def test_a_card_that_wins_at_once_has_the_value_of_a_game() -> None:
    last = [view for view in pegging_views("club") if len(view.played) == 7]
    assert last
    for view in last:
        # The side that plays the eighth card pegs at least last card.
        assert list(LookAhead(at_score(view, 120)).chances(games=False).values()) == [pytest.approx(1)]


def test_one_search_gives_points_and_chances_at_once() -> None:
    late = [view for view in pegging_views("expert") if sum(view.hand_sizes) <= 5][::2]
    # Near the end some plays win the game while points are still counted.
    views = [at_score(view, score) for number, view in enumerate(late) for score in (30, 114 + number % 7)]
    for view in views:
        search = LookAhead(view)
        points, chances = search.points_and_chances()
        assert (points, chances) == (search.points(), search.chances(games=False))
    assert len(views) > 10


def values(view: View, chances: bool) -> dict[int, float]:
    search = LookAhead(view, PEOPLE)
    return search.chances(games=False) if chances else search.points()


def at_score(view: View, score: int) -> View:
    return replace(view, front=(score, score))
