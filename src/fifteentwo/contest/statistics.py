"""What finished games come to: points of hand, crib and play by role, with intervals, and streaks."""

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby
from typing import NamedTuple

import msgspec

from fifteentwo.rules import show
from fifteentwo.rules.actions import Deal
from fifteentwo.rules.events import DealEnded, GameWon, Pegged, PeggedFor, Played, StarterTurned
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.state import State, start

SURE = 1.959964
"""Standard errors of a 95 % interval."""
FEW = 12
"""Below so many an interval by standard errors says more than is known."""
GREAT = 16
"""Hands and cribs from so many points on are remembered card by card."""
_PLAY = (PeggedFor.PLAY, PeggedFor.LAST_CARD)


class SeatDeal(msgspec.Struct, frozen=True, array_like=True):
    """A deal from one seat: what its cards make, whether or not there was still time to count them."""

    seat: int
    dealer: bool
    hand: int
    crib: int
    """0 for a seat that does not deal."""
    pegged: int
    """In pegging, last cards included and heels not."""
    whole: bool
    """All cards were played, so `pegged` is the whole of it."""


class GreatHand(msgspec.Struct, frozen=True, array_like=True):
    """A hand or crib to show again."""

    seat: int
    deal: int
    points: int
    crib: bool
    cards: tuple[str, ...]
    starter: str


class GameCount(msgspec.Struct, frozen=True):
    """A game counted up."""

    deals: tuple[SeatDeal, ...]
    great: tuple[GreatHand, ...]


def counted(record: Record) -> GameCount:
    """What every seat had and pegged in every deal whose starter was turned.

    Deals in which a level played for an absent player are not theirs.
    """
    deals: list[SeatDeal] = []
    great: list[GreatHand] = []
    pegged = [0] * record.rules.seats
    before = start(record.rules, named=record.named)
    away: set[int] = set()
    for step, (action, after, events) in enumerate(replay(record)):
        if isinstance(action, Deal):
            away = set()
        away |= {before.seating.index(came) for came in record.absent(step)}
        for event in events:
            match event:
                case StarterTurned():
                    pegged = [0] * record.rules.seats
                case Pegged(seat=seat, points=points, reason=reason) if reason in _PLAY:
                    pegged[seat] += points
                case DealEnded() | GameWon():
                    _count(_with_last(before, events), pegged, away, deals, great)
                case _:
                    pass
        before = after
    return GameCount(tuple(deals), tuple(great))


class _Last(NamedTuple):
    """A deal at its end: the state before its last action, and the cards that the action added."""

    state: State
    starter: object
    played: int


def _with_last(before: State, events: Iterable[object]) -> _Last:
    starter: object = before.starter
    played = len(before.played)
    for event in events:
        if isinstance(event, StarterTurned):
            starter = event.card
        played += isinstance(event, Played)
    return _Last(before, starter, played)


def _count(
    last: _Last, pegged: Sequence[int], away: AbstractSet[int], deals: list[SeatDeal], great: list[GreatHand]
) -> None:
    state, starter = last.state, last.starter
    if starter is None:
        return
    rules = state.rules
    whole = last.played == rules.seats * rules.kept or rules.one_count
    for seat in sorted(set(range(rules.seats)) - away):
        dealer = seat == state.dealer
        points = []
        for crib in (False, True) if dealer else (False,):
            cards = state.crib if crib else state.kept[seat]
            points.append(show.points(cards, starter, crib=crib))  # type: ignore[arg-type]
            if points[-1] >= GREAT:
                texts = tuple(card.text for card in cards)
                great.append(GreatHand(seat, state.deal, points[-1], crib, texts, str(starter)))
        deals.append(SeatDeal(seat, dealer, points[0], sum(points[1:]), pegged[seat], whole))


class Mean(NamedTuple):
    """A mean of so many figures, and half the width of its 95 % interval; None where there are too few."""

    number: int
    mean: float
    either_way: float | None


def mean(figures: Sequence[int]) -> Mean | None:
    """The mean of deals' points; None without any."""
    number = len(figures)
    if not number:
        return None
    middle = sum(figures) / number
    if number < FEW:
        return Mean(number, middle, None)
    spread = sum((figure - middle) ** 2 for figure in figures) / (number - 1)
    return Mean(number, middle, SURE * math.sqrt(spread / number))


def share(won: int, number: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's method; (0, 1) of nothing.

    >>> tuple(round(end, 3) for end in share(6, 10))
    (0.313, 0.832)
    """
    if not number:
        return 0.0, 1.0
    rate, square = won / number, SURE * SURE
    middle = rate + square / (2 * number)
    either_way = SURE * math.sqrt(rate * (1 - rate) / number + square / (4 * number * number))
    return (
        max(0.0, (middle - either_way) / (1 + square / number)),
        min(1.0, (middle + either_way) / (1 + square / number)),
    )


class Streaks(NamedTuple):
    """The longest row of games won and lost, and the present one: above 0 won, below 0 lost."""

    won: int
    lost: int
    now: int


def streaks(won: Sequence[bool]) -> Streaks:
    """Rows of games won and lost, the oldest game first.

    >>> streaks([True, True, False, True])
    Streaks(won=2, lost=1, now=1)
    """
    rows = [(kind, len(list(row))) for kind, row in groupby(won)]
    longest = {
        kind: max((number for one, number in rows if one is kind), default=0) for kind in (True, False)
    }
    now = 0 if not rows else rows[-1][1] if rows[-1][0] else -rows[-1][1]
    return Streaks(longest[True], longest[False], now)
