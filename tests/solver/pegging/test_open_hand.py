"""Open hands against a plain search over the rules' own scores, and the card an averaging player takes."""

import importlib.util
import random
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from fifteentwo.fast.hands import FOURS, PAIRS, TRIPLES
from fifteentwo.solver.pegging import open_hand, ranges
from fifteentwo.solver.pegging.ranges import HANDS
from fifteentwo.solver.pegging.regret import Cells
from fifteentwo.solver.pegging.tree import DEALER, PONE, Tree, build_tree
from tests.solver.brute_force import Hand, Node, after_card, fitting, passed, without

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("numba") is None, reason="hours without numba; the tables are tested without it"
)

LEADS = (6, 9)
"""Ranks led here: with 26 of the 169 leads and replies the tree is small."""


def numbers(hands: npt.NDArray[np.int64]) -> dict[Hand, int]:
    return {tuple(int(rank) + 1 for rank in row): at for at, row in enumerate(hands)}


couplings = cache(ranges.couplings)
FOUR, THREE, TWO = numbers(FOURS), numbers(TRIPLES), numbers(PAIRS)


@cache
def step(node: Node, rank: int) -> tuple[Node, int]:
    after, points = after_card(node, rank)
    return after._replace(history=()), points


@cache
def best(pone: Hand, dealer: Hand, node: Node) -> int:
    """Net points to the pone from here, both sides seeing both hands."""
    if node.cards == (0, 0):
        return 0
    own = (pone, dealer)[node.turn]
    cards = fitting(own, node.total)
    if not cards:
        after, points = passed(node)
        return (points if node.last == 0 else -points) + best(pone, dealer, after._replace(history=()))
    return (max if node.turn == 0 else min)(hand_value(pone, dealer, node, rank) for rank in cards)


def hand_value(pone: Hand, dealer: Hand, node: Node, rank: int) -> int:
    """Net points to the pone when the side on turn plays this rank."""
    after, points = step(node._replace(history=()), rank)
    if node.turn == 0:
        return points + best(without(pone, rank), dealer, after)
    return best(pone, without(dealer, rank), after) - points


def some_hands(rng: random.Random, number: int) -> list[Hand]:
    """Kept hands of a few ranks, so that much can happen and one line fits many of them."""
    deck = [rank for rank in (1, 3, 5, 6, 6, 7, 8, 9, 9, 10, 13) for _ in range(2)]
    return sorted({tuple(sorted(rng.sample(deck, 4))) for _ in range(number)})


class Played(NamedTuple):
    tree: Tree
    hands: tuple[list[Hand], list[Hand]]
    ranges: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
    values: npt.NDArray[np.float32]
    cells: Cells


@pytest.fixture(scope="module")
def played() -> Played:
    """The averaging player, each side keeping one of a few hands."""
    rng = random.Random(15)
    hands = some_hands(rng, 60), some_hands(rng, 60)
    weights = np.zeros(HANDS), np.zeros(HANDS)
    for side in (PONE, DEALER):
        for hand in hands[side]:
            weights[side][FOUR[hand]] = rng.uniform(0.2, 1)
    leads = [rank - 1 for rank in LEADS]
    tree = build_tree([lead * 13 + reply for lead in leads for reply in range(13)])
    values, cells = open_hand.play(tree, weights, 2, leads)
    assert cells is not None
    return Played(tree, hands, weights, values, cells)


@pytest.mark.parametrize("first", [(6, 9), (9, 6), (6, 6), (9, 13), (6, 1)])
def test_values_of_open_hands_equal_a_plain_search(played: Played, first: tuple[int, int]) -> None:
    lead, reply = first
    rng = random.Random(lead * 13 + reply)
    found = open_hand.branch_values(played.tree, (lead - 1) * 13 + reply - 1)
    node, _ = after_card(after_card(Node(), lead)[0], reply)
    deck = [rank for rank in range(1, 14) for _ in range(4)]
    deck.remove(lead)
    deck.remove(reply)
    for _ in range(25):
        cards = rng.sample(deck, 6)
        pone, dealer = tuple(sorted(cards[:3])), tuple(sorted(cards[3:]))
        expected = best(pone, dealer, node._replace(history=()))
        assert found[THREE[pone], THREE[dealer]] == expected, (pone, dealer)


def test_the_first_card_is_searched_too(played: Played) -> None:
    rng = random.Random(2)
    deck = [rank for rank in range(1, 14) if rank not in LEADS for _ in range(4)]
    for _ in range(8):
        # Hands of the two ranks that can be led here.
        pone = tuple(sorted([*LEADS, *rng.choices(LEADS, k=2)]))
        dealer = tuple(sorted(rng.sample(deck, 4)))
        assert played.values[FOUR[pone], FOUR[dealer]] == best(pone, dealer, Node())


def means(played: Played, own: Hand, node: Node) -> dict[int, float]:
    """Mean value of each card that fits, to the side on turn, over the hands the other may hold."""
    side = node.turn
    ways = couplings()
    gone: tuple[list[int], list[int]] = ([], [])
    low, count = 0, 0
    now = Node()
    for who, rank in node.history:
        count = now.total
        if rank is None:
            if who != side:
                low = max(low, 31 - count)
            now, _ = passed(now)
        else:
            gone[who].append(rank)
            now, _ = after_card(now, rank)
    mine = FOUR[tuple(sorted([*own, *gone[side]]))]
    sums = dict.fromkeys(fitting(own, node.total), 0.0)
    mass = 0.0
    for hand in played.hands[1 - side]:
        rest = list(hand)
        try:
            for rank in gone[1 - side]:
                rest.remove(rank)
        except ValueError:
            continue
        if any(min(rank, 10) <= low for rank in rest):
            continue
        pair = (mine, FOUR[hand]) if side == PONE else (FOUR[hand], mine)
        weight = float(ways[pair] * played.ranges[1 - side][FOUR[hand]])
        if weight == 0:
            continue
        mass += weight
        other = tuple(rest)
        for rank in sums:
            if side == PONE:
                sums[rank] += weight * hand_value(own, other, node, rank)
            else:
                sums[rank] -= weight * hand_value(other, own, node, rank)
    return {rank: total / mass for rank, total in sums.items()} if mass else {}


def chosen(played: Played, own: Hand, node: Node) -> list[int]:
    """The ranks that the cells say to play."""
    cards = fitting(own, node.total)
    history = [rank for _, rank in node.history]
    if len(own) == 4:
        rows = played.cells.lead if node.turn == PONE else played.cells.reply[(history[0] or 0) - 1]
        return [rank for rank in cards if rows[rank - 1, THREE[without(own, rank)]] == 1]
    code = 0
    for rank in history:
        code = code * 15 + (14 if rank is None else rank)
    nodes = played.tree.nodes
    where = int(np.flatnonzero(nodes.history == code)[0])
    legal = [rank for rank in range(1, 14) if nodes.ranks[where] >> (rank - 1) & 1]
    at = int(nodes.cell[where])
    if len(own) == 3:
        return [
            rank
            for rank in cards
            if played.cells.rest[at + legal.index(rank) * 91 + TWO[without(own, rank)]] == 1
        ]
    pairs = [(r, s) for i, r in enumerate(legal) for s in legal[i + 1 :]]
    at += 2 * pairs.index((cards[0], cards[1]))
    return [rank for i, rank in enumerate(cards) if played.cells.rest[at + i] == 1]


def test_the_player_takes_the_card_with_the_best_mean_value(played: Played) -> None:
    rng = random.Random(7)
    tried = {2: 0, 3: 0, 4: 0}
    after_go = 0
    while min(tried.values()) < 12 or after_go < 3:
        hands = [rng.choice(played.hands[PONE]), rng.choice(played.hands[DEALER])]
        if couplings()[FOUR[hands[0]], FOUR[hands[1]]] == 0:
            continue
        node = Node()
        while node.cards[0] and node.cards[1]:
            own = hands[node.turn]
            cards = fitting(own, node.total)
            if not cards:
                node, _ = passed(node)
                continue
            leading = not node.history
            if leading and not set(LEADS) & set(own):
                break
            # A lead is known for hands of the two ranks alone.
            if len(cards) > 1 and (not leading or set(own) <= set(LEADS)) and tried[len(own)] < 20:
                expected = means(played, own, node)
                found = chosen(played, own, node)
                assert len(found) == 1, (own, node)
                assert expected[found[0]] == pytest.approx(max(expected.values()), abs=1e-4), (own, node)
                tried[len(own)] += 1
                after_go += any(rank is None for _, rank in node.history)
            card = rng.choice([rank for rank in cards if not leading or rank in LEADS])
            hands[node.turn] = without(own, card)
            node, _ = after_card(node, card)


def test_the_player_leads_the_card_with_the_best_mean_value(played: Played) -> None:
    for own in ((6, 9, 9, 9), (6, 6, 9, 9), (6, 6, 6, 9)):
        expected = means(played, own, Node())
        (found,) = chosen(played, own, Node())
        assert expected[found] == pytest.approx(max(expected.values()), abs=1e-4)
