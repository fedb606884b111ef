"""Counts of whole deals with the solved strategies, in which both sides play for points.

The order and the correlation of the points of a deal matter to the board values. Therefore deals are counted
in three histograms (`lab.board.deal.Tally`): one side's points when the other side reaches each total, and
both final totals.
"""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import number_by_digits
from fifteentwo.fast.layout import Cards
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.fast.suits import ClassIndex
from fifteentwo.strategy.board import Payoff, pays
from fifteentwo.strategy.discards import FILE as DISCARD_TABLE
from fifteentwo.strategy.discards import class_index
from fifteentwo.strategy.files import data_file, read_tables
from fifteentwo.strategy.pegging import FILE as PEGGING_BOOK
from fifteentwo.strategy.pegging import PeggingBook, book_arrays, load_pegging_book, read_pegging_book
from lab.board.deal import (
    DEALER,
    KERNELS,
    PONE,
    SPAN,
    Book,
    Options,
    Policies,
    Tally,
    add_deals,
    book_policies,
    empty_tally,
    play_deals,
)
from lab.board.deal_kernels import CARD, CRIB, HAND, HEELS, LAST_CARD

Bytes = npt.NDArray[np.uint8]

CHUNK_DEALS = 20_000
"""Deals that are played in one call of a kernel."""
SCORED_IN = {
    "pone_pegs": (PONE, (CARD, LAST_CARD)),
    "dealer_pegs": (DEALER, (CARD, LAST_CARD)),
    "heels": (DEALER, (HEELS,)),
    "pone_hand": (PONE, (HAND,)),
    "dealer_hand": (DEALER, (HAND,)),
    "crib": (DEALER, (CRIB,)),
}
"""Names of the parts of a deal's points: the side that scores, and the kinds of its events."""


class SolvedStrategies(NamedTuple):
    """The stored solved strategies of both roles."""

    book: Book
    """The pegging strategies, as arrays for `fast.book_policy`."""
    class_index: ClassIndex
    """Finds the row of six cards in the arrays of `discarded`."""
    discarded: tuple[tuple[Bytes, Bytes], tuple[Bytes, Bytes]]
    """(pone, dealer) arrays for each class of six cards: two options packed in a byte, and the probability
    of the first option (0–255)."""

    def policies(self) -> Policies:
        """Return the pegging policies of two sides that play by the book."""
        return book_policies(self.book)

    def discard(self, dealt: Cards, chance: np.random.Generator) -> Options:
        """Draw both sides' discards in deals (n, 13): pone's six, dealer's six, starter; 0.5 µs each."""
        chosen = np.zeros((len(dealt), 2), np.int8)
        draws = chance.random((len(dealt), 2))
        compiled(KERNELS).book_options(dealt, self.class_index, self.discarded, draws, chosen)
        return chosen


def kernel_book(book: PeggingBook) -> Book:
    """Return the arrays of a pegging book in the form of `Policies.book`."""
    return (*book_arrays(book), number_by_digits(3), number_by_digits(2))


@cache
def strategies(pegging: Path | None = None, discards: Path | None = None) -> SolvedStrategies:
    """Read the solved strategies from a pegging book and a discard table, by default the shipped ones."""
    tables = read_tables(discards or data_file(DISCARD_TABLE)).arrays
    book = kernel_book(read_pegging_book(pegging) if pegging else load_pegging_book())
    pone, dealer = ((tables[f"{role}_options"], tables[f"{role}_probability"]) for role in ("pone", "dealer"))
    return SolvedStrategies(book, class_index(tables), (pone, dealer))


def count_deals(deals: int, seed: int, pegging: Path | None = None, discards: Path | None = None) -> Tally:
    """Play random deals by the solved strategies, by default the shipped ones; about 6 µs a deal."""
    packed = strategies(pegging, discards)
    policies = packed.policies()
    chance = np.random.default_rng(seed)
    counted = empty_tally()
    for first in range(0, deals, CHUNK_DEALS):
        dealt = random_deals(min(CHUNK_DEALS, deals - first), 13, chance)
        discarded = packed.discard(dealt, chance)
        add_deals(counted, play_deals(dealt, policies, chance, discarded))
    return counted


def digests(folder: Path | None = None) -> dict[str, str]:
    """Return the digest of each strategy file in a folder, by default of the shipped ones."""
    folder = folder or data_file("")
    return {
        PEGGING_BOOK: read_pegging_book(folder / PEGGING_BOOK).header["digest"],
        DISCARD_TABLE: read_tables(folder / DISCARD_TABLE).about["digest"],
    }


def add_tallies(counts: list[Tally]) -> Tally:
    """Return the sum of several tallies."""
    whole = empty_tally()
    for batch in counts:
        for summed, more in zip(whole, batch, strict=True):
            np.add(summed, more, out=summed)
    return whole


def summarise(
    counts: list[Tally], payoff: Payoff = "double", start: tuple[int, int] = (0, 0)
) -> dict[str, Any]:
    """Return the mean points of a deal by part, and `game_shape` of games that begin at `start`."""
    whole = add_tallies(counts)
    deals = whole.deals
    means = {
        name: float(whole.by_kind[side, list(kinds)].sum()) / deals
        for name, (side, kinds) in SCORED_IN.items()
    }
    points = np.arange(SPAN)
    probabilities = whole.ended / deals
    for name, side in (
        ("pone_total", probabilities.sum(axis=0)),
        ("dealer_total", probabilities.sum(axis=1)),
    ):
        means[name] = float(side @ points)
        means[f"{name}_sd"] = float(np.sqrt(side @ points**2 - means[name] ** 2))
    product = float(points @ probabilities @ points)
    means["covariance"] = product - means["pone_total"] * means["dealer_total"]
    return {"deals": deals, **means, **game_shape(whole, payoff, start)}


def game_shape(counts: Tally, payoff: Payoff = "double", start: tuple[int, int] = (0, 0)) -> dict[str, float]:
    """Return deals a game and the shares of skunks and double skunks (R18, R20). start: dealer, pone."""
    deals = counts.deals
    ends = np.argwhere(counts.ended > 0)
    probability = counts.ended[ends[:, 0], ends[:, 1]] / deals
    games = pays(payoff).astype(np.int64)
    target = len(games)
    chance = np.zeros((target, target))
    chance[start] = 1.0
    length, skunks = 0.0, np.zeros(5)
    for total in range(2 * target - 1):
        for dealer in range(max(0, total - target + 1), min(target, total + 1)):
            pone = total - dealer
            coming = chance[dealer, pone]
            if coming == 0:
                continue
            length += coming
            for side, loser, needed in ((PONE, dealer, target - pone), (DEALER, pone, target - dealer)):
                if needed < SPAN:
                    row = counts.reached[side, needed, : target - loser] / deals * coming
                    skunks += np.bincount(games[loser : loser + len(row)], row, minlength=5)
            on = (ends[:, 0] < target - dealer) & (ends[:, 1] < target - pone)
            # The pone deals next.
            np.add.at(chance, (pone + ends[on, 1], dealer + ends[on, 0]), probability[on] * coming)
    return {"deals_a_game": length, "skunks": float(skunks[2:].sum()), "double_skunks": float(skunks[4])}


def prepare() -> None:
    """Compile the kernels, or load them."""
    strategies().discard(np.zeros((0, 13), np.uint8), np.random.default_rng(0))
