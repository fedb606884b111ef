"""The solver's vectors against a plain walk over hands, and what learning does."""

import importlib.util
import random
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from fifteentwo.fast.hands import FOURS, place
from fifteentwo.fast.play import play_alone
from fifteentwo.strategy.pegging import Act, PeggingBook, load_pegging_book
from lab.cfr import BEST_RESPONSE, DEALER, MEASURE, PONE, ROLES, Cells, load, save
from lab.six_card.pegging import REMAINING_SHAPE, PeggingGame
from lab.six_card.pegging_book import read_cells, write_book
from lab.six_card.ranges import COPIES, HANDS, couplings, fit_ranges, hand_ways
from lab.six_card.tree import Tree, build_tree
from tests.lab import brute_force
from tests.lab.brute_force import Hand, Node, fitting, hand_value

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="hours without numba"),
]

Hands = tuple[tuple[Hand, ...], tuple[Hand, ...]]
"""Kept hands of pone and dealer."""
Floats = npt.NDArray[np.float64]
Weights = tuple[Floats, Floats]


def row(hand: Hand) -> int:
    return place(4)[tuple(rank - 1 for rank in hand)]


def small_tree(hands: Hands, dealer_point_value: int = 1) -> Tree:
    """Build the tree of the leads and replies of these hands."""
    leads, replies = (sorted({rank - 1 for hand in side for rank in hand}) for side in hands)
    return build_tree([13 * lead + reply for lead in leads for reply in replies], dealer_point_value)


def some_weights(hands: Hands) -> Weights:
    rng = random.Random(5)
    weights = np.zeros(HANDS), np.zeros(HANDS)
    for side in (PONE, DEALER):
        for hand in hands[side]:
            weights[side][row(hand)] = rng.uniform(0.5, 2)
    return weights


def others_of(
    hands: Hands, weights: Weights, side: int, own: Hand, ways: Floats | None = None
) -> dict[Hand, float]:
    """Return the other side's hands with their weight times the ways to deal both hands."""
    ways = couplings() if ways is None else ways
    coupled = ways[row(own)] if side == PONE else ways[:, row(own)]
    found = {hand: float(coupled[row(hand)] * weights[1 - side][row(hand)]) for hand in hands[1 - side]}
    return {hand: weight for hand, weight in found.items() if weight > 0}


@pytest.fixture(scope="module")
def game() -> PeggingGame:
    return PeggingGame(build_tree())


def by_the_book(book: PeggingBook) -> Callable[[Hand, Node], Mapping[int, float]]:
    known: dict[tuple[Hand, tuple[tuple[int, int | None], ...]], Mapping[int, float]] = {}

    def strategy(own: Hand, node: Node) -> Mapping[int, float]:
        key = (own, node.history)
        if key not in known:
            history: tuple[Act, ...] = tuple((ROLES[side], rank) for side, rank in node.history)  # type: ignore[misc]
            known[key] = book.strategy(own, history, ROLES[node.turn])  # type: ignore[arg-type]
        return known[key]

    return strategy


# Sub-decks: few hands a side, chosen for goes, 31s, runs, pairs royal and a side that runs out first.
SMALL: Hands = (((1, 1, 2, 10), (1, 9, 9, 9)), ((10, 10, 11, 13), (1, 1, 3, 8)))
LARGE: tuple[Hands, ...] = (
    (
        ((1, 1, 2, 3), (4, 5, 6, 11), (7, 8, 8, 9), (10, 11, 12, 13)),
        ((1, 2, 3, 4), (5, 5, 10, 13), (6, 7, 7, 9)),
    ),
    (
        ((5, 5, 5, 10), (8, 10, 12, 13), (1, 9, 9, 9)),
        ((10, 10, 11, 13), (3, 3, 3, 8), (2, 4, 6, 8), (1, 1, 1, 12)),
    ),
)


def check_against_the_book(hands: Hands) -> None:
    """Best responses to the shipped book, and its own values, against the walk hand by hand."""
    tree = small_tree(hands)
    game = PeggingGame(tree)
    weights = some_weights(hands)
    book = load_pegging_book()
    cells = read_cells(tree, book)
    strategy = by_the_book(book)
    for mode in (BEST_RESPONSE, MEASURE):
        for side in (PONE, DEALER):
            values = game.traverse(side, mode, weights, cells)
            for own in hands[side]:
                others = others_of(hands, weights, side, own)
                mass = sum(others.values())
                slow = hand_value(side, own, others, Node(), strategy, mode == BEST_RESPONSE)
                assert values[row(own)] / mass == pytest.approx(slow / mass, abs=2e-4)


def test_best_responses_equal_brute_force_on_a_small_part_of_the_deck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = set()
    plain_card, plain_passed = brute_force.after_card, brute_force.passed

    def after_card(node: Node, rank: int) -> tuple[Node, int]:
        after, points = plain_card(node, rank)
        seen.add("31" if not after.pile else f"{points} points")
        seen.add(f"{node.cards[node.turn]} cards against {node.cards[1 - node.turn]}")
        return after, points

    def passed(node: Node) -> tuple[Node, int]:
        after, points = plain_passed(node)
        seen.add("go" if not points else "count ended")
        return after, points

    monkeypatch.setattr(brute_force, "after_card", after_card)
    monkeypatch.setattr(brute_force, "passed", passed)
    check_against_the_book(SMALL)
    # Every kind of node and ending there is, a run, a pair royal, and a side alone.
    assert {"31", "go", "count ended", "2 points", "3 points", "6 points"} <= seen
    assert {f"{own} cards against {other}" for own in (1, 2, 3) for other in (1, 2, 3)} <= seen
    assert {"1 cards against 3", "2 cards against 0", "3 cards against 0"} <= seen


@pytest.mark.slow
@pytest.mark.parametrize("hands", LARGE)
def test_best_responses_equal_brute_force_on_larger_parts_of_the_deck(hands: Hands) -> None:
    check_against_the_book(hands)


@pytest.mark.parametrize("dealer_point_value", [1, 0])
def test_uniform_play_equals_brute_force_with_and_without_dealers_points(dealer_point_value: int) -> None:
    hands: Hands = (((5, 5, 5, 10),), ((10, 10, 11, 13), (5, 10, 10, 11)))
    tree = small_tree(hands, dealer_point_value)
    game, cells, weights = PeggingGame(tree), Cells.zeros(REMAINING_SHAPE, tree.cells), some_weights(hands)

    for side in (PONE, DEALER):
        for mode in (BEST_RESPONSE, MEASURE):
            values = game.traverse(side, mode, weights, cells)
            for own in hands[side]:
                others = others_of(hands, weights, side, own)
                slow = hand_value(
                    side, own, others, Node(), any_card, mode == BEST_RESPONSE, dealer_point_value
                )
                mass = sum(others.values())
                assert values[row(own)] / mass == pytest.approx(slow / mass, abs=2e-4)


def any_card(own: Hand, node: Node) -> Mapping[int, float]:
    """Play every card with the same probability; alone, play the order with the most points."""
    if node.cards[1 - node.turn] == 0:
        pile = np.array([*(rank - 1 for rank in node.pile), *[0] * 4])
        held = np.array([rank - 1 for rank in own])
        alone = play_alone(pile, 0, len(node.pile), node.total, held, len(own))
        return {alone.first + 1: 1.0}
    cards = fitting(own, node.total)
    return dict.fromkeys(cards, 1 / len(cards))


def test_the_play_is_zero_sum_and_learning_makes_it_safer() -> None:
    ranks = {4, 5, 9}
    kept = np.array([set(hand) <= ranks for hand in FOURS.tolist()])
    ranges = fit_ranges(couplings() * kept[:, None] * kept, hand_ways() * kept, hand_ways() * kept)
    game = PeggingGame(build_tree([13 * lead + reply for lead in sorted(ranks) for reply in sorted(ranks)]))
    figures = [game.exploitability(ranges)]
    for _ in range(12):
        game.step(ranges)
    figures.append(game.exploitability(ranges))
    for figure in figures:
        assert abs(figure["imbalance"]) < 1e-5
        assert figure["pone_gain"] > 0
        assert figure["dealer_gain"] > 0
    assert figures[1]["exploitability"] < figures[0]["exploitability"] / 10


@pytest.mark.slow
def test_two_iterations_halve_the_exploitability_of_uniform_play(game: PeggingGame) -> None:
    ranges = fit_ranges(couplings(), hand_ways(), hand_ways())
    figures = [game.exploitability(ranges)]
    for _ in range(2):
        game.step(ranges)
    figures.append(game.exploitability(ranges))
    assert max(abs(figure["imbalance"]) for figure in figures) < 1e-5
    # Uniform play over hands dealt at random gives away 1.40 points; two steps leave about half.
    assert figures[0]["exploitability"] == pytest.approx(1.402, abs=0.002)
    assert figures[1]["exploitability"] < 0.75


@pytest.mark.slow
def test_a_book_holds_the_average_strategies(game: PeggingGame, tmp_path: Path) -> None:
    ranges = fit_ranges(couplings(), hand_ways(), hand_ways())
    if not game.iteration:
        game.step(ranges)
    path = tmp_path / "some.book"
    write_book(game.tree, game.total, path, {"rounds": game.iteration})
    again = read_cells(game.tree, PeggingBook(path.read_bytes(), path.name))
    kept, packed = game.exploitability(ranges), game.exploitability(ranges, again)
    assert packed["exploitability"] == pytest.approx(kept["exploitability"], abs=0.005)
    assert packed["value"] == pytest.approx(kept["value"], abs=0.005)


def test_a_solve_continues_exactly_from_its_checkpoint(tmp_path: Path) -> None:
    ranges = some_weights(SMALL)
    tree = small_tree(SMALL)
    whole, killed, again = PeggingGame(tree), PeggingGame(tree, threads=1), PeggingGame(tree)
    whole.step(ranges)
    whole.step(ranges)
    killed.step(ranges)
    file = tmp_path / "pegging.npz"
    save(killed, file)
    assert load(again, file)
    again.step(ranges)
    assert again.iteration == 2
    for mine, theirs in ((whole.regret, again.regret), (whole.total, again.total)):
        assert np.array_equal(mine.rest, theirs.rest)
        assert np.array_equal(mine.reply, theirs.reply)
        assert np.array_equal(mine.lead, theirs.lead)
    assert not load(again, tmp_path / "nothing.npz")


def test_couplings_count_the_ways_to_deal_two_hands() -> None:
    ways = couplings()
    rng = random.Random(3)
    deck = [rank for rank in range(13) for _ in range(4)]
    for _ in range(20):
        cards = rng.sample(deck, 8)
        a, b = sorted(cards[:4]), sorted(cards[4:])
        at = place(4)[tuple(a)], place(4)[tuple(b)]
        expected = 1
        seen = [0] * 13
        for card in [*a, *b]:
            expected *= 4 - seen[card]
            seen[card] += 1
        assert ways[at] == expected
    assert ways[int(np.flatnonzero(COPIES[:, 0] == 4)[0]), int(np.flatnonzero(COPIES[:, 0] == 1)[0])] == 0


def test_fitted_ranges_have_the_given_frequencies() -> None:
    ways = couplings()
    rng = np.random.default_rng(2)
    pone, dealer = rng.random(len(FOURS)), hand_ways()
    x, y = fit_ranges(ways, pone, dealer, 60)
    pairs = x[:, None] * ways * y[None, :]
    assert pairs.sum() == pytest.approx(1)
    assert pairs.sum(axis=0) == pytest.approx(dealer / dealer.sum(), rel=1e-6)
    assert pairs.sum(axis=1) == pytest.approx(pone / pone.sum(), rel=1e-6)
