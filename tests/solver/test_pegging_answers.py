"""The solver's vectors against a plain walk over hands, and what learning does."""

import importlib.util
import random
from collections.abc import Mapping

import numpy as np
import pytest

from fifteentwo.book.play import Laid, PeggingBook, load_pegging_book, most_alone
from fifteentwo.fast.hands import FOURS
from fifteentwo.solver import tree_loops as peg_tree
from fifteentwo.solver.pegging import load, save
from fifteentwo.solver.pegging_book import read_cells, write_book
from fifteentwo.solver.regret import (
    COUNTS,
    DEALER,
    PONE,
    Cells,
    PeggingGame,
    build_tree,
    couplings,
    fit_ranges,
    hand_ways,
)
from tests.solver.brute_force import Hand, Node, fitting, worth

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("numba") is None, reason="hours without numba; the tables are tested without it"
)

ROLES = ("pone", "dealer")


@pytest.fixture(scope="module")
def game() -> PeggingGame:
    return PeggingGame(build_tree())


def by_the_book(book: PeggingBook):  # type: ignore[no-untyped-def]
    known: dict[tuple[Hand, tuple[tuple[int, int | None], ...]], Mapping[int, float]] = {}

    def strategy(own: Hand, node: Node) -> Mapping[int, float]:
        key = (own, node.history)
        if key not in known:
            history: tuple[Laid, ...] = tuple((ROLES[side], rank) for side, rank in node.history)  # type: ignore[misc]
            known[key] = book.strategy(own, history, ROLES[node.turn])  # type: ignore[arg-type]
        return known[key]

    return strategy


# Sub-packs: few hands a side, chosen for goes, 31s, runs, pairs royal and a side that runs out first.
SUB_PACKS: tuple[tuple[tuple[Hand, ...], tuple[Hand, ...]], ...] = (
    (
        ((1, 1, 2, 3), (4, 5, 6, 11), (7, 8, 8, 9), (10, 11, 12, 13)),
        ((1, 2, 3, 4), (5, 5, 10, 13), (6, 7, 7, 9)),
    ),
    (
        ((5, 5, 5, 10), (8, 10, 12, 13), (1, 9, 9, 9)),
        ((10, 10, 11, 13), (3, 3, 3, 8), (2, 4, 6, 8), (1, 1, 1, 12)),
    ),
)


@pytest.mark.parametrize("hands", SUB_PACKS)
def test_best_answers_equal_brute_force_on_small_sub_packs(
    game: PeggingGame, hands: tuple[tuple[Hand, ...], tuple[Hand, ...]]
) -> None:
    rows = [
        [int(np.flatnonzero((np.array(hand) == FOURS + 1).all(axis=1))[0]) for hand in side] for side in hands
    ]
    weights = np.zeros((2, len(FOURS)))
    rng = random.Random(5)
    for side in (PONE, DEALER):
        for row in rows[side]:
            weights[side, row] = rng.uniform(0.5, 2)
    ranges = (weights[PONE], weights[DEALER])
    book = load_pegging_book()
    cells = read_cells(game.tree, book)
    best = game.answer(ranges, cells)
    value = game.measure(ranges, cells)
    ways = couplings()
    strategy = by_the_book(book)
    for side in (PONE, DEALER):
        for own, row in zip(hands[side], rows[side], strict=True):
            coupled = ways[row] if side == PONE else ways[:, row]
            others = {
                hand: float(coupled[at] * weights[1 - side, at])
                for hand, at in zip(hands[1 - side], rows[1 - side], strict=True)
                if coupled[at] > 0
            }
            mass = sum(others.values())
            for found, is_best in ((best, True), (value, False)):
                slow = worth(side, own, others, Node(), strategy, is_best)
                assert found[side][row] / mass == pytest.approx(slow / mass, abs=2e-4)


@pytest.mark.parametrize("price", [0.5, 2.0])
def test_other_trade_offs_equal_brute_force_on_a_small_sub_pack(price: float) -> None:
    hands: tuple[tuple[Hand, ...], tuple[Hand, ...]] = (
        ((5, 5, 5, 10), (1, 9, 9, 9)),
        ((10, 10, 11, 13), (2, 2, 6, 8)),
    )
    ranks = [sorted({rank - 1 for hand in side for rank in hand}) for side in hands]
    branches = [lead * 13 + reply for lead in ranks[PONE] for reply in ranks[DEALER]]
    tree = build_tree(price, branches)
    game = PeggingGame(tree)
    cells = Cells.zeros(tree.cells)
    weights = np.zeros((2, len(FOURS)))
    row = {tuple(int(rank) + 1 for rank in hand): at for at, hand in enumerate(FOURS)}
    for side in (PONE, DEALER):
        for n, hand in enumerate(hands[side]):
            weights[side, row[hand]] = 1 + n / 2
    ways = couplings()

    def any_card(own: Hand, node: Node) -> Mapping[int, float]:
        if node.cards[1 - node.turn] == 0:
            # Alone, a side takes the most points: so the tree is cut.
            _, card = most_alone(tuple(r - 1 for r in own), tuple(r - 1 for r in node.pile), node.total)
            return {card + 1: 1.0}
        cards = fitting(own, node.total)
        return dict.fromkeys(cards, 1 / len(cards))

    for side in (PONE, DEALER):
        for mode, is_best in ((peg_tree.ANSWER, True), (peg_tree.MEASURE, False)):
            found = game.sweep(side, mode, (weights[PONE], weights[DEALER]), cells, branches=branches)
            for own in hands[side]:
                coupled = ways[row[own]] if side == PONE else ways[:, row[own]]
                others = {
                    hand: float(coupled[row[hand]] * weights[1 - side, row[hand]]) for hand in hands[1 - side]
                }
                slow = worth(side, own, others, Node(), any_card, is_best, price)
                mass = sum(others.values())
                assert found[row[own]] / mass == pytest.approx(slow / mass, abs=2e-4)


def test_the_play_is_zero_sum_and_learning_makes_it_safer(game: PeggingGame) -> None:
    ways = couplings()
    random_hands = hand_ways()
    ranges = fit_ranges(ways, random_hands, random_hands)
    figures = [game.exploitability(ranges)]
    for _ in range(2):
        game.step(ranges)
    figures.append(game.exploitability(ranges))
    for figure in figures:
        assert abs(figure["imbalance"]) < 1e-5
        assert figure["pone_gain"] > 0
        assert figure["dealer_gain"] > 0
    # Uniform play over hands dealt at random gives away 1.40 points; two steps leave about half.
    assert figures[0]["exploitability"] == pytest.approx(1.402, abs=0.002)
    assert figures[1]["exploitability"] < 0.75


@pytest.mark.slow
def test_a_book_says_what_was_learnt(game: PeggingGame, tmp_path) -> None:  # type: ignore[no-untyped-def]
    ranges = fit_ranges(couplings(), hand_ways(), hand_ways())
    if not game.iteration:
        game.step(ranges)
    path = tmp_path / "some.book"
    write_book(game.tree, game.total, path, {"rounds": game.iteration})
    again = read_cells(game.tree, PeggingBook(path.read_bytes(), path.name))
    kept, packed = game.exploitability(ranges), game.exploitability(ranges, again)
    assert packed["exploitability"] == pytest.approx(kept["exploitability"], abs=0.005)
    assert packed["value"] == pytest.approx(kept["value"], abs=0.005)


@pytest.mark.slow
def test_a_killed_solve_goes_on_exactly_where_its_checkpoint_was(tmp_path) -> None:  # type: ignore[no-untyped-def]
    ranges = fit_ranges(couplings(), hand_ways(), hand_ways())
    tree = build_tree()
    whole, killed, again = PeggingGame(tree), PeggingGame(tree, threads=1), PeggingGame(tree)
    whole.step(ranges)
    whole.step(ranges)
    killed.step(ranges)
    save(killed, tmp_path)
    assert load(again, tmp_path)
    again.step(ranges)
    assert again.iteration == 2
    for mine, theirs in ((whole.regret, again.regret), (whole.total, again.total)):
        assert np.array_equal(mine.rest, theirs.rest)
        assert np.array_equal(mine.reply, theirs.reply)
        assert np.array_equal(mine.lead, theirs.lead)
    assert not load(again, tmp_path / "nothing")


def test_coupling_counts_the_ways_two_hands_fall_from_one_pack() -> None:
    ways = couplings()
    rng = random.Random(3)
    pack = [rank for rank in range(13) for _ in range(4)]
    for _ in range(20):
        cards = rng.sample(pack, 8)
        a, b = sorted(cards[:4]), sorted(cards[4:])
        row = int(np.flatnonzero((np.array(a) == FOURS).all(axis=1))[0])
        column = int(np.flatnonzero((np.array(b) == FOURS).all(axis=1))[0])
        expected = 1
        seen = [0] * 13
        for card in [*a, *b]:
            expected *= 4 - seen[card]
            seen[card] += 1
        assert ways[row, column] == expected
    assert ways[int(np.flatnonzero(COUNTS[:, 0] == 4)[0]), int(np.flatnonzero(COUNTS[:, 0] == 1)[0])] == 0


def test_fitted_ranges_have_the_frequencies_asked_for() -> None:
    ways = couplings()
    rng = np.random.default_rng(2)
    pone, dealer = rng.random(len(FOURS)), hand_ways()
    x, y = fit_ranges(ways, pone, dealer, 200)
    pairs = x[:, None] * ways * y[None, :]
    assert pairs.sum() == pytest.approx(1)
    assert pairs.sum(axis=0) == pytest.approx(dealer / dealer.sum(), rel=1e-6)
    assert pairs.sum(axis=1) == pytest.approx(pone / pone.sum(), rel=1e-6)
