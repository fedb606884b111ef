"""Statistics of finished games: points of hand, crib and pegging by role, with intervals, and streaks."""

import math
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import msgspec

from fifteentwo.rules import show
from fifteentwo.rules.actions import Deal
from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import DealEnded, GameWon, Pegged, PeggedFor, Played, StarterTurned
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.state import State, start

STANDARD_ERRORS = 1.959964
"""Half the width of a 95 % interval, in standard errors."""
MIN_FIGURES = 12
"""Smallest number of figures for an interval."""
MIN_GREAT_POINTS = 16
"""Points from which hands and cribs are stored card by card."""
_PEGGING_REASONS = (PeggedFor.PLAY, PeggedFor.LAST_CARD)


class SeatDeal(msgspec.Struct, frozen=True, array_like=True):
    """One seat's deal: the points of its cards, even if the game ended before they were counted."""

    seat: int
    dealer: bool
    hand: int
    crib: int
    """0 for a seat that does not deal."""
    pegged: int
    """Points of pegging with last cards, without heels."""
    whole: bool
    """Whether all cards were played."""


class GreatHand(msgspec.Struct, frozen=True, array_like=True):
    """A hand or crib of many points."""

    seat: int
    deal: int
    points: int
    crib: bool
    cards: tuple[str, ...]
    starter: str


class GameCount(msgspec.Struct, frozen=True):
    """The figures of one game."""

    deals: tuple[SeatDeal, ...]
    great: tuple[GreatHand, ...]


def count_game(record: Record) -> GameCount:
    """Return the points of every seat in every deal whose starter was turned.

    Deals in which a level played for an absent player are left out for that player.
    """
    deals: list[SeatDeal] = []
    great: list[GreatHand] = []
    before = start(record.rules, named=record.named)
    away: set[int] = set()
    starter: Card | None = None
    played, pegged = 0, [0] * record.rules.seats
    for step, (action, after, events) in enumerate(replay(record)):
        if isinstance(action, Deal):
            away = set()
        away |= {before.seating.index(came) for came in record.absent(step)}
        for event in events:
            match event:
                case StarterTurned():
                    starter, played, pegged = event.card, 0, [0] * record.rules.seats
                case Played():
                    played += 1
                case Pegged(seat=seat, points=points, reason=reason) if reason in _PEGGING_REASONS:
                    pegged[seat] += points
                case DealEnded() | GameWon() if starter is not None:
                    whole = played == record.rules.seats * record.rules.kept or record.rules.one_count
                    for seat in sorted(set(range(record.rules.seats)) - away):
                        made = _points(before, seat, starter, great)
                        dealer = seat == before.dealer
                        deals.append(SeatDeal(seat, dealer, made[0], sum(made[1:]), pegged[seat], whole))
                    starter = None
                case _:
                    pass
        before = after
    return GameCount(tuple(deals), tuple(great))


def _points(state: State, seat: int, starter: Card, great: list[GreatHand]) -> list[int]:
    """Return the points of a seat's hand, and of the crib if it deals; add great ones to `great`."""
    made = []
    for crib in (False, True) if seat == state.dealer else (False,):
        cards = state.crib if crib else state.kept[seat]
        made.append(show.points(cards, starter, crib=crib))
        if made[-1] >= MIN_GREAT_POINTS:
            texts = tuple(card.text for card in cards)
            great.append(GreatHand(seat, state.deal, made[-1], crib, texts, starter.text))
    return made


class Mean(NamedTuple):
    """A mean, the number of figures, and half the width of its 95 % interval; None if there are too few."""

    number: int
    mean: float
    margin: float | None


def mean(figures: Sequence[int]) -> Mean | None:
    """Return the mean of figures, or None without any."""
    number = len(figures)
    if not number:
        return None
    middle = sum(figures) / number
    if number < MIN_FIGURES:
        return Mean(number, middle, None)
    spread = sum((figure - middle) ** 2 for figure in figures) / (number - 1)
    return Mean(number, middle, STANDARD_ERRORS * math.sqrt(spread / number))


def share_interval(won: int, number: int) -> tuple[float, float]:
    """Return the 95 % interval of a share by Wilson's method; (0, 1) if `number` is 0.

    >>> tuple(round(end, 3) for end in share_interval(6, 10))
    (0.313, 0.832)
    """
    if not number:
        return 0.0, 1.0
    rate, square = won / number, STANDARD_ERRORS * STANDARD_ERRORS
    middle = rate + square / (2 * number)
    margin = STANDARD_ERRORS * math.sqrt(rate * (1 - rate) / number + square / (4 * number * number))
    return (
        max(0.0, (middle - margin) / (1 + square / number)),
        min(1.0, (middle + margin) / (1 + square / number)),
    )


class Streaks(NamedTuple):
    """Numbers of games won or lost in a row."""

    longest_won: int
    longest_lost: int
    current: int
    """Positive if the last game was won, negative if it was lost."""


def streaks(won: Sequence[bool]) -> Streaks:
    """Return the streaks of results, the oldest game first.

    >>> streaks([True, True, False, True])
    Streaks(longest_won=2, longest_lost=1, current=1)
    """
    rows = [(kind, len(list(row))) for kind, row in groupby(won)]
    longest = {
        kind: max((number for one, number in rows if one is kind), default=0) for kind in (True, False)
    }
    now = 0 if not rows else rows[-1][1] if rows[-1][0] else -rows[-1][1]
    return Streaks(longest[True], longest[False], now)
