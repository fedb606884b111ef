"""The books of pegging for other weights of a point, and which of them suits a board: what ships."""

import numpy as np
import pytest

from fifteentwo.solver.board.deal_counts import digests
from fifteentwo.strategy.board import TARGET
from fifteentwo.strategy.pegging import Act, load_pegging_book
from fifteentwo.strategy.pegging_by_score import NET, books, number_at, provenance, tables

HIGHEST = max(range(1, len(books())), key=lambda number: provenance()["weights"][number - 1])
LOWEST = min(range(1, len(books())), key=lambda number: provenance()["weights"][number - 1])


def test_the_books_were_made_for_what_ships() -> None:
    assert provenance()["strategies"] == digests()
    assert len(provenance()["weights"]) == len(books()) - 1


def test_each_book_is_hardly_exploitable_at_its_weight() -> None:
    assert max(provenance()["exploitability"]) < 0.002


def test_boards_at_the_start_are_played_for_net_points() -> None:
    assert not tables().book[:30, :30].any()
    assert set(np.unique(tables().book).tolist()) == set(range(len(books())))


@pytest.mark.parametrize(
    ("dealer", "pone", "suits"),
    [
        # The dealer counts last: only its pegging can still win this deal, and a point of the pone decides.
        pytest.param(108, 111, LOWEST, id="both can go out by counting, the pone first"),
        pytest.param(92, 92, HIGHEST, id="one more hand each, and the dealer's lead would be enough"),
    ],
)
def test_the_weight_is_that_of_the_board(dealer: int, pone: int, suits: int) -> None:
    assert number_at(dealer, pone) == suits


def test_a_score_below_none_or_past_the_last_counts_as_that() -> None:
    assert number_at(-60, -5) == number_at(0, 0) == NET
    assert number_at(TARGET + 3, 118) == number_at(TARGET - 1, 118)


@pytest.mark.parametrize("number", range(1, len(books())))
def test_a_book_mixes_the_cards_that_fit_and_plays_otherwise_than_for_net_points(number: int) -> None:
    book, net, apart = books()[number], load_pegging_book(), 0.0
    for own in ((2, 2, 3, 4), (1, 5, 6, 11), (7, 8, 9, 13), (4, 5, 6, 6), (3, 10, 11, 12)):
        often = book.strategy(own, (), "pone")
        assert sum(often.values()) == pytest.approx(1)
        usual = net.strategy(own, (), "pone")
        assert set(often) == set(usual) == set(own)
        apart += sum(abs(often[rank] - usual[rank]) for rank in usual)
    assert apart > 0.5


def test_a_hand_goes_on_by_its_own_cards_alone() -> None:
    """After cards that the book plays there are cards to go on with; after others there may be none."""
    for number in range(1, len(books())):
        book = books()[number]
        often = book.strategy((4, 7, 8, 12), (), "pone")
        led = max(often, key=lambda rank: often[rank])
        rest = [rank for rank in (4, 7, 8, 12) if rank != led]
        acts: tuple[Act, ...] = (("pone", led), ("dealer", 10 if led != 10 else 11))
        assert sum(book.strategy(rest, acts, "pone").values()) == pytest.approx(1)
