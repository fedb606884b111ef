"""Whole equilibrium deals, counted: what a score is worth while both sides play for points.

The points of a deal are pegged in order and are correlated, so a deal is kept as three histograms that hold
all a board can ask: where the dealer stands when the pone reaches each total, the reverse, and both final
totals.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.book.files import data_file, read_tables
from fifteentwo.book.play import book_arrays, read_pegging_book
from fifteentwo.fast.hands import number_by_digits
from fifteentwo.solver import peg_deals

Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SPAN = peg_deals.SPAN


class DealCounts(NamedTuple):
    """Histograms of whole deals."""

    pone_reach: Ints
    """(128, 128): deals in which the pone reaches a total while the dealer stands at another."""
    dealer_reach: Ints
    """(128, 128): the reverse."""
    final: Ints
    """(128, 128): totals of pone and dealer at the end of the deal."""
    sums: Doubles
    """(16,) points and squares, as kernels.peg_deals.simulate_deals adds them."""


@dataclass(frozen=True)
class Policy:
    """Packed strategies of one role, as the deal kernel reads them."""

    top: npt.NDArray[np.uint8]
    bounds: Ints
    codes: Ints
    at: Ints
    cells: npt.NDArray[np.uint8]
    options: npt.NDArray[np.uint8]
    share: npt.NDArray[np.uint8]


@cache
def load_policies(pegging: Path, laying: Path) -> tuple[tuple[Any, ...], tuple[Policy, Policy]]:
    """(index arrays of six cards, policies of pone and dealer) from a book and a lay-away table."""
    codes, at, cells, starts, top = book_arrays(read_pegging_book(pegging))
    play = (top, starts, codes, at, cells)
    tables = read_tables(laying).arrays
    index = tuple(tables[name] for name in ("ranks", "class_start", "shape_start", "patterns"))
    pone, dealer = (
        Policy(*play, tables[f"{role}_options"], tables[f"{role}_share"]) for role in ("pone", "dealer")
    )
    return index, (pone, dealer)


def count_deals(deals: int, seed: int, pegging: Path | None = None, laying: Path | None = None) -> DealCounts:
    """Play deals from a seed under packed strategies (those that ship); about 5 µs a deal with numba."""
    index, (pone, dealer) = load_policies(
        pegging or data_file("pegging.book"), laying or data_file("laying_away.table")
    )
    return play_deals(deals, seed, index, pone, dealer)


def empty_counts() -> DealCounts:
    """No deal yet."""
    one, two, three = (np.zeros((SPAN, SPAN), dtype=np.int64) for _ in range(3))
    return DealCounts(one, two, three, np.zeros(16))


def play_deals(deals: int, seed: int, index: tuple[Any, ...], pone: Policy, dealer: Policy) -> DealCounts:
    """Play deals between two policies."""
    pairs, triples = number_by_digits(2), number_by_digits(3)
    counts = empty_counts()
    peg_deals.simulate_deals(
        deals,
        seed,
        *index,
        pone.options,
        pone.share,
        dealer.options,
        dealer.share,
        pone.top,
        pone.bounds,
        pone.codes,
        pone.at,
        pone.cells,
        dealer.top,
        dealer.bounds,
        dealer.codes,
        dealer.at,
        dealer.cells,
        pairs,
        triples,
        *counts,
    )
    return counts


def board_values(counts: DealCounts, target: int, skunk: int = 0, double: int = 0) -> tuple[Doubles, Doubles]:
    """(win chance, net games) of the pone at the start of a deal, each (target, target), [pone, dealer]
    scores.

    A loser below `skunk` loses two games, below `double` four.
    """
    deals = counts.final.sum()
    pone_reach = counts.pone_reach / deals
    dealer_reach = counts.dealer_reach / deals
    ends = np.argwhere(counts.final > 0)
    share = counts.final[ends[:, 0], ends[:, 1]] / deals
    win = np.zeros((target, target))
    net = np.zeros((target, target))

    peg_deals.sweep_board(target, skunk, double, pone_reach, dealer_reach, ends, share, win, net)
    return win, net


def digests() -> dict[str, str]:
    """Digests of the strategies the deals were played with."""
    return {
        "pegging.book": read_pegging_book(data_file("pegging.book")).header["digest"],
        "laying_away.table": read_tables(data_file("laying_away.table")).about["digest"],
    }


def together(counts: list[DealCounts]) -> DealCounts:
    """The sum of several batches."""
    whole = empty_counts()
    for batch in counts:
        for kept, more in zip(whole, batch, strict=True):
            np.add(kept, more, out=kept)
    return whole


def summarise(counts: list[DealCounts]) -> dict[str, Any]:
    """Mean points of a deal, part by part, and what a game looks like from 0–0."""
    whole = together(counts)
    deals = int(whole.final.sum())
    names = (
        "pone_pegs",
        "dealer_pegs",
        "heels",
        "pone_hand",
        "dealer_hand",
        "crib",
        "pone_total",
        "dealer_total",
    )
    means = {name: float(whole.sums[i]) / deals for i, name in enumerate(names)}
    squares = whole.sums[8:10] / deals
    means["pone_total_sd"] = float(np.sqrt(squares[0] - means["pone_total"] ** 2))
    means["dealer_total_sd"] = float(np.sqrt(squares[1] - means["dealer_total"] ** 2))
    means["covariance"] = float(whole.sums[10]) / deals - means["pone_total"] * means["dealer_total"]
    win = board_values(whole, 121)[0]
    return {"deals": deals, **means, "first_dealer_wins": float(1 - win[0, 0]), **game_shape(whole)}


def game_shape(counts: DealCounts, target: int = 121) -> dict[str, float]:
    """Deals a game and the share of skunks (< 91) and double skunks (< 61), from 0–0 at these strategies."""
    deals = counts.final.sum()
    ends = np.argwhere(counts.final > 0)
    share = counts.final[ends[:, 0], ends[:, 1]] / deals
    reach = np.zeros((target, target))
    reach[0, 0] = 1.0
    skunk = double = length = 0.0
    for total in range(2 * target - 1):
        for pone in range(max(0, total - target + 1), min(target, total + 1)):
            dealer = total - pone
            here = reach[pone, dealer]
            if here == 0:
                continue
            length += here
            for losing, table, need in (
                (dealer, counts.pone_reach, target - pone),
                (pone, counts.dealer_reach, target - dealer),
            ):
                if need < SPAN:
                    others = target - losing
                    row = table[need, : min(others, SPAN)] / deals * here
                    at = losing + np.arange(len(row))
                    skunk += row[at < 91].sum()
                    double += row[at < 61].sum()
            on = (ends[:, 0] < target - pone) & (ends[:, 1] < target - dealer)
            np.add.at(reach, (dealer + ends[on, 1], pone + ends[on, 0]), share[on] * here)
    return {"deals_a_game": length, "skunks": skunk, "double_skunks": double}
