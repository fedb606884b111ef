"""The counts of points in pegging against a plain walk by the book and the rules."""

from collections import defaultdict

import numpy as np
import pytest

from fifteentwo.analysis.win.model import Prospects
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import number_by_digits
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.rules.cards import DECK
from fifteentwo.strategy.discards import FILE as DISCARD_TABLE
from fifteentwo.strategy.discards import Role, discard_frequencies
from fifteentwo.strategy.files import data_file, read_tables
from fifteentwo.strategy.pegging import Act, book_arrays, load_pegging_book
from fifteentwo.strategy.pegging_points import FILE, SPAN, provenance
from lab.six_card import play_counts, play_counts_kernels
from tests.lab.brute_force import Hand, Node, after_card, fitting, passed, without

ROLES: tuple[Role, Role] = ("pone", "dealer")
PAIRS = [
    ((0, 3, 4, 10), (4, 4, 9, 12)),
    ((4, 5, 6, 6), (3, 3, 7, 8)),
    ((10, 10, 11, 12), (9, 9, 11, 12)),
    ((0, 1, 2, 2), (0, 1, 1, 3)),
    ((6, 7, 7, 8), (5, 6, 7, 8)),
    ((2, 2, 2, 9), (4, 9, 10, 11)),
]
Points = tuple[int, int]


def plain(pone: Hand, dealer: Hand) -> dict[Points, float]:
    """Return probabilities of pone's and dealer's points by asking the book for every card. Ranks 1-13."""
    book = load_pegging_book()
    found: defaultdict[Points, float] = defaultdict(float)

    def on(hands: tuple[Hand, Hand], node: Node, pegged: Points, chance: float) -> None:
        if node.cards == (0, 0):
            found[pegged] += chance
        elif not fitting(hands[node.turn], node.total):
            after, points = passed(node)
            on(hands, after, _more(pegged, node.last, points), chance)
        else:
            acts: tuple[Act, ...] = tuple((ROLES[side], rank) for side, rank in node.history)
            for rank, often in book.strategy(hands[node.turn], acts, ROLES[node.turn]).items():
                if often * chance < 1e-7:
                    continue
                after, points = after_card(node, rank)
                left = without(hands[node.turn], rank)
                rest = (left, hands[1]) if node.turn == 0 else (hands[0], left)
                on(rest, after, _more(pegged, node.turn, points), often * chance)

    on((pone, dealer), Node(), (0, 0), 1.0)
    return found


def _more(pegged: Points, side: int, points: int) -> Points:
    return (pegged[0] + points, pegged[1]) if side == 0 else (pegged[0], pegged[1] + points)


@pytest.mark.long
@pytest.mark.parametrize(("pone", "dealer"), PAIRS)
def test_every_play_of_two_hands_has_the_frequency_of_the_book(
    pone: tuple[int, ...], dealer: tuple[int, ...]
) -> None:
    book = (*book_arrays(load_pegging_book()), number_by_digits(3), number_by_digits(2))
    plays = np.zeros((4096, play_counts_kernels.MAX_EVENTS), np.int64)
    chances = np.zeros(4096)
    number = compiled(play_counts.KERNELS).walk(
        np.array(pone), np.array(dealer), book, play_counts_kernels.scratch(), plays, chances
    )
    found: defaultdict[Points, float] = defaultdict(float)
    for events, chance in zip(plays[:number].tolist(), chances[:number].tolist(), strict=True):
        pegged = [0, 0]
        for event in events[: events.index(0)]:
            pegged[event & 1] += event >> 1 & 63
        found[pegged[0], pegged[1]] += chance
    expected = plain(*(tuple(rank + 1 for rank in hand) for hand in (pone, dealer)))
    assert chances[:number].sum() == pytest.approx(1, abs=1e-4)
    for points in {*found, *expected}:
        assert found[points] == pytest.approx(expected.get(points, 0.0), abs=1e-4)


def test_rounding_errors_are_added_to_the_next_cell() -> None:
    values = np.random.default_rng(1).dirichlet(np.full(play_counts.CELLS, 0.05), 20)
    steps = play_counts.round_to_steps(values, 512)
    assert (steps >= 0).all()
    assert (steps.sum(axis=1) == 512).all()
    snake = np.arange(play_counts.CELLS).reshape(SPAN, SPAN)
    snake[1::2] = snake[1::2, ::-1]
    missed = (steps / 512 - values)[:, snake.ravel()].cumsum(axis=1)
    assert np.abs(missed).max() <= 0.5 / 512 + 1e-12


@pytest.mark.parametrize(("role", "own", "other"), [("pone", 2.034, 3.384), ("dealer", 3.384, 2.034)])
def test_means_equal_those_of_dealt_hands(role: Role, own: float, other: float) -> None:
    """Over many hands, each discarded as the equilibrium does it: means of a million dealt."""
    means = []
    for seed in range(24):
        six = tuple(DECK[card] for card in sorted(random_deals(1, 6, seed)[0].tolist()))
        often = discard_frequencies(six, role)
        plays = Prospects(six, dealer=role == "dealer").plays[:, :-1]
        joint = plays.sum(axis=1) / plays.sum(axis=(1, 2, 3))[:, None, None]
        pegged = [
            joint.sum(axis=1 + other_side) @ np.arange(joint.shape[2 - other_side]) for other_side in (1, 0)
        ]
        policy = [often.get((six[a], six[b]), 0.0) + often.get((six[b], six[a]), 0.0) for a, b in WAYS]
        means.append([float(np.array(policy) @ side) for side in pegged])
    found, error = np.mean(means, axis=0), np.std(means, axis=0) / np.sqrt(len(means))
    assert found[0] == pytest.approx(own, abs=3 * error[0])
    assert found[1] == pytest.approx(other, abs=3 * error[1])


def test_the_table_names_the_strategies_it_was_made_from() -> None:
    made_from = provenance()["strategies"]
    assert made_from["pegging.book"] == load_pegging_book().header["digest"]
    assert made_from[DISCARD_TABLE] == read_tables(data_file(DISCARD_TABLE)).about["digest"]
    assert data_file(FILE).stat().st_size < 2_700_000
