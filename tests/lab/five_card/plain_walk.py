"""Five-card pegging type by type and card by card: slow, plain, of `fifteentwo.rules` alone."""

from collections.abc import Callable, Mapping
from math import comb
from typing import NamedTuple

from fifteentwo.rules.cards import Card
from fifteentwo.rules.pegging import playable, scores

Ranks = tuple[int, ...]
"""Ranks 1–13, ascending in a hand."""


class Holding(NamedTuple):
    """The cards that a side holds, and its discards."""

    cards: Ranks
    discarded: Ranks


class Position(NamedTuple):
    """A position in the count; sides 0 (pone) and 1 (dealer)."""

    turn: int = 0
    pile: Ranks = ()
    last: int = 0
    gone: bool = False


Strategy = Callable[[Holding, Position], Mapping[int, float]]
Others = Mapping[Holding, float]


def cards_of(ranks: Ranks) -> list[Card]:
    suits = ["SHDC"[ranks[:at].count(rank)] for at, rank in enumerate(ranks)]
    return [Card("A23456789TJQK"[rank - 1] + suit) for rank, suit in zip(ranks, suits, strict=True)]


def count_of(pile: Ranks) -> int:
    return sum(card.value for card in cards_of(pile))


def fitting(cards: Ranks, pile: Ranks) -> Ranks:
    able = playable(cards_of(cards), count_of(pile))
    return tuple(sorted({rank for rank, card in zip(cards, cards_of(cards), strict=True) if card in able}))


def without(holding: Holding, rank: int) -> Holding:
    rest = list(holding.cards)
    rest.remove(rank)
    return holding._replace(cards=tuple(rest))


def played(position: Position, rank: int) -> tuple[Position, int]:
    """Return the position after a card, and the points it makes."""
    pile = (*position.pile, rank)
    turn = position.turn if position.gone else 1 - position.turn
    points = sum(score.points for score in scores(cards_of(pile)))
    return Position(turn, pile, position.turn, position.gone), points


def ways(own: Ranks, other: Ranks, starter: int) -> int:
    """Return the ordered ways to deal the ranks of both sides from a deck without the starter."""
    number = 1
    for rank in range(1, 14):
        left = 3 if rank == starter else 4
        number *= comb(left, own.count(rank)) * comb(max(left - own.count(rank), 0), other.count(rank))
    return number


def value(
    side: int, own: Holding, others: Others, position: Position, strategy: Strategy, best: bool
) -> float:
    """Net points of `side` from here on, summed over the other side's holdings by weight.

    The other side plays `strategy`; so does `side`, unless `best`: then it plays its best card everywhere.
    """
    mass = sum(others.values())
    if mass == 0 or count_of(position.pile) == 31:
        return 0.0
    if position.turn == side:
        able = fitting(own.cards, position.pile)
        if not able:
            return went(side, own, others, position, strategy, best)
        values = {}
        for rank in able:
            after, points = played(position, rank)
            values[rank] = points * mass + value(side, without(own, rank), others, after, strategy, best)
        if best:
            return max(values.values())
        chances = strategy(own, position)
        return sum(chances.get(rank, 0.0) * each for rank, each in values.items())
    total = 0.0
    going: dict[Holding, float] = {}
    playing: dict[int, dict[Holding, float]] = {}
    for other, weight in others.items():
        if not fitting(other.cards, position.pile):
            going[other] = weight
            continue
        for rank, chance in strategy(other, position).items():
            after_card = playing.setdefault(rank, {})
            left = without(other, rank)
            after_card[left] = after_card.get(left, 0.0) + weight * chance
    for rank, left_with in playing.items():
        after, points = played(position, rank)
        total -= points * sum(left_with.values())
        total += value(side, own, left_with, after, strategy, best)
    return total + went(side, own, going, position, strategy, best)


def went(
    side: int, own: Holding, others: Others, position: Position, strategy: Strategy, best: bool
) -> float:
    """Return the position after a go: the other side plays on, or the count ends with a point."""
    if position.gone:
        return sum(others.values()) * (1 if position.last == side else -1)
    after = position._replace(turn=1 - position.turn, gone=True)
    return value(side, own, others, after, strategy, best)
