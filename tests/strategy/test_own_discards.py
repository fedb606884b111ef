"""How own discards move the first cards of pegging: what ships, read against the book."""

import numpy as np
import pytest

from fifteentwo.fast.hands import FOURS, PAIRS, copies, place
from fifteentwo.solver.board.deal_counts import digests
from fifteentwo.strategy import own_discards
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.own_discards import frequencies
from fifteentwo.strategy.pegging import Act, load_pegging_book
from fifteentwo.strategy.pegging_points import dealt_ranks, keeping

LINES: tuple[tuple[Role, tuple[int, ...], tuple[Act, ...]], ...] = (
    ("pone", (2, 2, 3, 4), ()),
    ("pone", (1, 1, 6, 8), ()),
    ("dealer", (4, 4, 5, 6), (("pone", 1),)),
    ("dealer", (6, 7, 7, 8), (("pone", 9),)),
    ("pone", (3, 4, 5), (("pone", 3), ("dealer", 10))),
)


def ways(role: Role, own: tuple[int, ...], acts: tuple[Act, ...]) -> dict[tuple[int, ...], float]:
    """How often each two ranks, 1-13, are discarded when these are kept."""
    kept = sorted([*own, *[rank for who, rank in acts if who == role and rank is not None]])
    found = keeping(role)
    rows = np.flatnonzero(found.kept == place(4)[tuple(rank - 1 for rank in kept)])
    counts = np.array(
        [[(six == rank).sum() for rank in range(13)] for six in dealt_ranks()[found.dealt[rows]]]
    )
    deals = np.array([1, 4, 6, 4, 1])[counts].prod(axis=1) * found.frequency[rows]
    pairs = [tuple(rank + 1 for rank in PAIRS[given].tolist()) for given in found.given[rows]]
    return dict(zip(pairs, (deals / deals.sum()).tolist(), strict=True))


@pytest.mark.parametrize(("role", "own", "acts"), LINES)
def test_over_all_discards_each_card_comes_as_often_as_in_the_book(
    role: Role, own: tuple[int, ...], acts: tuple[Act, ...]
) -> None:
    book = load_pegging_book().strategy(own, acts, role)
    assert sum(often > 0.05 for often in book.values()) > 1
    mean = dict.fromkeys(book, 0.0)
    apart = 0.0
    for pair, often in ways(role, own, acts).items():
        found = frequencies(own, pair, acts, role)
        assert sum(found.values()) == pytest.approx(1)
        assert all(book[rank] > 0 or share == 0 for rank, share in found.items())
        apart += often * sum(abs(found[rank] - book[rank]) for rank in book)
        for rank, share in found.items():
            mean[rank] += often * share
    assert mean == pytest.approx(book, abs=0.03)
    assert apart > 0.1


def test_the_table_was_made_from_what_ships() -> None:
    assert own_discards.provenance()["strategies"] == digests()


def test_later_cards_and_lines_that_the_table_lacks_are_played_by_the_book() -> None:
    book = load_pegging_book()
    acts: tuple[Act, ...] = (("pone", 4), ("dealer", 11), ("pone", 6))
    own = (2, 3, 9)
    assert frequencies(own, (5, 5), acts, "dealer") == book.strategy(own, acts, "dealer")
    table = own_discards.load()
    policy = np.array([[0.5, 0.5, 0.0, 0.0]])
    absent = next(hand for hand in range(len(FOURS)) if hand * 196 not in table.sets)
    moved = own_discards.moved(table, policy, np.array([absent]), np.array([0]), ())
    assert np.array_equal(moved, policy)


def test_a_card_of_the_table_is_e_times_as_likely_for_so_many_steps() -> None:
    table = own_discards.Tables(
        np.array([7 * 196 + 5 * 14], np.uint32),
        np.array([0, 1], np.uint32),
        np.array([0.5], np.float32),
        np.eye(13, dtype=np.int8)[[12]] * 3,
    )
    kings = np.array([[0.25, 0.0, 0.75, 0.0]] * 2)
    given = np.array([place(2)[12, 12], place(2)[3, 12]])
    found = own_discards.moved(table, kings, np.array([7, 7]), given, (4,))
    assert found[:, 2] / found[:, 0] == pytest.approx(np.exp(0.5 + np.array([6, 3]) / own_discards.STEPS))
    assert found.sum(axis=1) == pytest.approx(1)
    assert copies(2)[given].sum(axis=1).tolist() == [2, 2]
    assert np.array_equal(own_discards.moved(table, kings, np.array([7, 7]), given, (5,)), kings)
