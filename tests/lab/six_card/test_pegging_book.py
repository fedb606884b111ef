"""The shipped book of pegging: any legal history in, legal chances out; damage and nonsense refused."""

import hashlib
import json
import random
import time
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.files import DamagedTable, data_file
from fifteentwo.strategy.pegging import (
    Act,
    ImpossiblePlay,
    PeggingBook,
    load_pegging_book,
    most_alone,
    read_pegging_book,
)
from tests.lab.brute_force import Hand, Node, after_card, fitting, passed, without

ROLES: tuple[Role, Role] = ("pone", "dealer")


def deals(seed: int, number: int) -> list[tuple[Hand, Hand]]:
    rng = random.Random(seed)
    deck = [rank for rank in range(1, 14) for _ in range(4)]
    found = []
    for _ in range(number):
        cards = rng.sample(deck, 8)
        found.append((tuple(sorted(cards[:4])), tuple(sorted(cards[4:]))))
    return found


def test_every_legal_line_has_legal_probabilities() -> None:
    book = load_pegging_book()
    rng = random.Random(11)
    asked = 0
    for pair in deals(1, 250):
        hands = list(pair)
        node = Node()
        while node.cards != (0, 0):
            own = hands[node.turn]
            cards = fitting(own, node.total)
            role = ROLES[node.turn]
            every: tuple[Act, ...] = tuple((ROLES[side], rank) for side, rank in node.history)
            if not cards:
                if own and not (node.last == node.turn and not node.cards[1 - node.turn]):
                    assert book.strategy(own, every, role) == {}
                node, _ = passed(node)
                continue
            chances = book.strategy(own, every, role)
            asked += 1
            assert set(chances) <= set(cards)
            assert sum(chances.values()) == pytest.approx(1)
            assert min(chances.values()) >= 0
            # A table shows goes, but not a pass of the last card's side nor of an empty hand.
            found = tuple(
                (ROLES[side], rank)
                for at, (side, rank) in enumerate(node.history)
                if rank is not None or not unsaid(node, at)
            )
            assert book.strategy(own, found, role) == chances
            card = rng.choice(cards)
            hands[node.turn] = without(own, card)
            node, _ = after_card(node, card)
    assert asked > 1500


def unsaid(node: Node, at: int) -> bool:
    """Whether the pass at history[at] is of a side without cards, or of the last card's side (C6)."""
    side = node.history[at][0]
    before = [(who, rank) for who, rank in node.history[:at] if rank is not None]
    return sum(1 for who, _ in before if who == side) == 4 or before[-1][0] == side


def test_the_shipped_table_is_small() -> None:
    folder = data_file("pegging.book").parent
    assert sum(file.stat().st_size for file in folder.iterdir() if file.is_file()) < 24e6


@pytest.mark.timed
def test_lookups_are_fast_without_numba() -> None:
    path = data_file("pegging.book")
    began = time.perf_counter()
    book = read_pegging_book(path)
    loaded = time.perf_counter() - began
    slowest = []
    for own, other in deals(2, 40):
        began = time.perf_counter()
        book.strategy(own[1:], (("pone", own[0]), ("dealer", other[0])), "pone")
        slowest.append(time.perf_counter() - began)
    # The bars are 0.3 s and 20 ms on a quiet machine; medians and a factor keep a busy one from crying wolf.
    assert loaded < 1.5
    assert sorted(slowest)[len(slowest) // 2] < 0.05


def test_impossible_hands_are_refused(subtests: pytest.Subtests) -> None:
    history: Any
    role: Any
    for own, history, role in (
        ((5, 5, 5), (), "pone"),
        ((5, 5, 5, 5, 5), (), "pone"),
        ((0, 5, 6, 7), (), "pone"),
        ((5, 6, 7, 14), (), "pone"),
        ((1, 2, 3, 4), (), "dealer"),
        ((1, 2, 3, 4), (("dealer", 5),), "pone"),
        ((1, 2, 3), (("pone", 5), ("pone", 6)), "dealer"),
        ((1, 2, 3), (("pone", 5), ("dealer", None)), "pone"),
        ((2, 3, 4), (("pone", 10), ("dealer", 10), ("pone", 10), ("dealer", 5)), "dealer"),
        ((5, 5, 5), (("pone", 5), ("dealer", 5)), "pone"),
        ((1, 2, 3, 4), (("pone", 15),), "dealer"),
        ((1, 2, 3, 4), (("eldest", 5),), "dealer"),
        (
            (1, 2),
            (("pone", 10), ("dealer", 10), ("pone", 9), ("dealer", None), ("pone", 1), ("dealer", 1)),
            "pone",
        ),
    ):
        with subtests.test(own=own, history=history, role=role), pytest.raises(ImpossiblePlay):
            load_pegging_book().strategy(own, history, role)


def test_a_changed_header_is_noticed(tmp_path: Path) -> None:
    book = read_pegging_book(data_file("pegging.book"))
    text = json.dumps({**book.header, "digest": "0" * 64}).encode()
    text = f"{len(text):08x}".encode() + text
    path = tmp_path / "some.book"
    path.write_bytes(b"FIFTEENTWO PEGGING 1\n" + hashlib.sha256(text).hexdigest().encode() + text)
    with pytest.raises(DamagedTable, match="its contents"):
        PeggingBook(path.read_bytes(), path.name)


def best_alone(hand: Hand, node: Node) -> int:
    """Most points alone, by trying every order; the other side is out of cards."""
    if not hand:
        return 0
    cards = fitting(hand, node.total)
    if not cards:
        after, _ = passed(node._replace(cards=(0, len(hand)), turn=1, gone=True, last=1))
        return 1 + best_alone(hand, after)
    best = 0
    for card in cards:
        after, points = after_card(node._replace(cards=(0, len(hand)), turn=1, gone=True), card)
        best = max(best, points + best_alone(without(hand, card), after))
    return best


def test_a_side_alone_takes_the_most_points() -> None:
    rng = random.Random(8)
    tried = 0
    for _ in range(400):
        size = rng.choice((2, 3))
        pile = tuple(rng.choice(range(1, 14)) for _ in range(rng.randrange(0, 4)))
        count = sum(min(rank, 10) for rank in pile)
        if count > 30:
            continue
        hand = tuple(sorted(rng.choice(range(1, 14)) for _ in range(size)))
        if not fitting(hand, count):
            continue
        tried += 1
        expected = best_alone(hand, Node(1, count, pile, (0, size), 1, True))
        found, card = most_alone(tuple(r - 1 for r in hand), tuple(r - 1 for r in pile), count)
        assert found == expected
        assert card + 1 in fitting(hand, count)
    assert tried > 200
