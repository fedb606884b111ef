"""The play, hand by hand and card by card: slow, plain, and independent of the solver's vectors."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from fifteentwo.rules.cards import Card
from fifteentwo.rules.pegging import scores

SUITS = "SHDC"
Hand = tuple[int, ...]
"""Ranks 1–13, ascending."""


class Node(NamedTuple):
    """A public position of pegging; sides 0 (pone) and 1 (dealer)."""

    turn: int = 0
    total: int = 0
    pile: Hand = ()
    cards: tuple[int, int] = (4, 4)
    last: int = 1
    gone: bool = False
    history: tuple[tuple[int, int | None], ...] = ()


def after_card(node: Node, rank: int) -> tuple[Node, int]:
    """Return the position after a card, and the points it pegs (last card of all included)."""
    count = node.total + min(rank, 10)
    pile = (*node.pile, rank)
    # Suits do not matter in pegging: any four cards of a rank will do.
    cards = [Card("A23456789TJQK"[r - 1] + SUITS[pile[:i].count(r)]) for i, r in enumerate(pile)]
    points = sum(score.points for score in scores(cards))
    left = (node.cards[0] - (node.turn == 0), node.cards[1] - (node.turn == 1))
    history = (*node.history, (node.turn, rank))
    if count == 31:
        lead = 1 - node.turn if left[1 - node.turn] else node.turn
        return Node(lead, 0, (), left, node.turn, False, history), points
    if left == (0, 0):
        points += 1
    turn = node.turn if node.gone else 1 - node.turn
    return Node(turn, count, pile, left, node.turn, node.gone, history), points


def passed(node: Node) -> tuple[Node, int]:
    """Return the position after a go (or an empty hand), and the last-card point of the last player."""
    history = (*node.history, (node.turn, None))
    if node.gone or node.cards[1 - node.turn] == 0:
        lead = 1 - node.last if node.cards[1 - node.last] else node.last
        return Node(lead, 0, (), node.cards, node.last, False, history), 1
    return node._replace(turn=1 - node.turn, gone=True, history=history), 0


def fitting(hand: Hand, count: int) -> Hand:
    return tuple(dict.fromkeys(rank for rank in hand if count + min(rank, 10) <= 31))


def without(hand: Hand, rank: int) -> Hand:
    rest = list(hand)
    rest.remove(rank)
    return tuple(rest)


Strategy = Callable[[Hand, Node], Mapping[int, float]]


def gained(side: int, by: int, points: int, dealer_point_value: int) -> float:
    """Return the value to `side` of points pegged `by` a side; a dealer's may count nothing."""
    return (points if by == 0 else dealer_point_value * points) * (1 if by == side else -1)


def hand_value(
    side: int,
    own: Hand,
    others: Mapping[Hand, float],
    node: Node,
    strategy: Strategy,
    best: bool,
    dealer_point_value: int = 1,
) -> float:
    """Net points of `side` from here, summed over the other side's hands by weight.

    The other side plays `strategy`; so does `side`, unless `best`: then it takes its best card everywhere.
    dealer_point_value: 0 leaves the dealer's points out.
    """
    if node.cards == (0, 0) or not others:
        return 0.0
    total = 0.0
    if node.turn == side:
        cards = fitting(own, node.total)
        if not cards:
            after, points = passed(node)
            gain = gained(side, node.last, points, dealer_point_value)
            return gain * sum(others.values()) + hand_value(
                side, own, others, after, strategy, best, dealer_point_value
            )
        values = []
        for rank in cards:
            after, points = after_card(node, rank)
            rest = hand_value(side, without(own, rank), others, after, strategy, best, dealer_point_value)
            values.append(gained(side, side, points, dealer_point_value) * sum(others.values()) + rest)
        if best:
            return max(values)
        chances = strategy(own, node)
        return sum(chances.get(rank, 0.0) * value for rank, value in zip(cards, values, strict=True))
    going: dict[Hand, float] = {}
    by_rank: dict[int, dict[Hand, float]] = {}
    for hand, weight in others.items():
        if not fitting(hand, node.total):
            going[hand] = weight
            continue
        for rank, chance in strategy(hand, node).items():
            if chance > 0:
                by_rank.setdefault(rank, {})[without(hand, rank)] = weight * chance
    for rank, hands in by_rank.items():
        after, points = after_card(node, rank)
        gain = gained(side, node.turn, points, dealer_point_value)
        total += gain * sum(hands.values()) + hand_value(
            side, own, hands, after, strategy, best, dealer_point_value
        )
    if going:
        after, points = passed(node)
        gain = gained(side, node.last, points, dealer_point_value)
        total += gain * sum(going.values()) + hand_value(
            side, own, going, after, strategy, best, dealer_point_value
        )
    return total
