"""The table of the points that both sides peg, for every pair of kept hands and every play of the book.

    python -m lab solve plays

The counts are exact for the book. Each pair of hands has the frequency of the equilibrium discards from one
deck.
"""

from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import FOURS, copies, hands
from fifteentwo.fast.layout import VALUES
from fifteentwo.fast.show import rank_points
from fifteentwo.strategy.discards import FILE as DISCARD_TABLE
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.files import data_file, read_tables
from fifteentwo.strategy.pegging import load_pegging_book
from fifteentwo.strategy.pegging_points import ALWAYS, NEAR, SPAN, SUM
from lab.board.deal_counts import digests, kernel_book
from lab.files import write_packed_tables
from lab.six_card.discard_book import decode_strategy
from lab.six_card.play_counts_kernels import scratch
from lab.six_card.six_cards import OPTIONS, six_cards, suit_classes

Floats = npt.NDArray[np.float64]
Arrays = dict[str, npt.NDArray[Any]]

KERNELS = "lab.six_card.play_counts_kernels"
ROLES: tuple[Role, Role] = ("pone", "dealer")
HANDS = len(FOURS)
CELLS = SPAN * SPAN
POINTS_CLASS = {4: np.array([0, 0, 0, 0, 1, 1, 2, 2, 3]), 3: np.array([0, 0, 1, 1, 2, 2, 3])}
"""Class of a hand of four or three by its points before the starter; all higher points are one class."""
CLASSES = 8
NEVER_TAKEN = 0.02
"""Probability used for discards that are never made."""
MOST = 200_000
"""More than the number of plays of one hand against all others."""


class Counts(NamedTuple):
    """Sums of probabilities; see `strategy.pegging_points`."""

    first: Floats
    """(2, 1820, NEAR, NEAR) by role."""
    rest: Floats
    """(9, SPAN, SPAN)."""
    rest_first: Floats
    """(9, NEAR, NEAR)."""


class Plays(NamedTuple):
    """Every play of every pair of kept hands: nine million rows."""

    hands: tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]
    """Numbers of the hands of pone and dealer."""
    cell: npt.NDArray[np.int16]
    """SPAN * points of the pone + points of the dealer."""
    chance: npt.NDArray[np.float32]


class Discarded(NamedTuple):
    """The discards of one role, averaged over suits."""

    probability: Floats
    """(18395, 15); options that keep the same ranks are added up at the first one."""
    suited: Floats
    """(1820,) how often the kept cards have one suit."""


@cache
def hand_classes(size: int = 4) -> npt.NDArray[np.int64]:
    """(1820,) the class of each kept hand, by its points before the starter and its ten-cards."""
    ranks, points_class = np.array(hands(size)), POINTS_CLASS[size]
    points = rank_points(size)[ranks @ 13 ** np.arange(size - 1, -1, -1)]
    tens = (VALUES[ranks] == 10).sum(axis=1)
    return np.asarray(2 * points_class[np.minimum(points, len(points_class) - 1)] + (tens > 1))


def discarded(role: Role) -> Discarded:
    """Return the discards of a role in the shipped table."""
    six = six_cards()
    tables = read_tables(data_file(DISCARD_TABLE)).arrays
    row, pattern = suit_classes(six.copies).rows()
    mixed = decode_strategy(tables[f"{role}_options"], tables[f"{role}_probability"])
    mass = six.weight[pattern, None].astype(np.float64) * mixed
    summed = np.stack([np.bincount(row, often, len(six.ranks)) for often in mass.T], axis=1)
    probability = alike_together(summed.astype(np.float64), six.keep_of)
    flush = flush_rates(mass, six.keep_of[row], six.flush[pattern] > 0)
    return Discarded(probability / probability.sum(axis=1, keepdims=True), flush)


def flush_rates(
    mass: Floats, hands: npt.NDArray[np.int64], has_flush: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """(hands,) how often a kept hand has one suit.

    mass: (suit classes, options) deals with each discard; hands: the hand that each keeps; has_flush: whether
    its cards have one suit.
    """
    kept, suited = np.zeros((2, hands.max() + 1))
    for hand, often, flush in zip(hands.T, mass.T, has_flush.T, strict=True):
        kept += np.bincount(hand, often, len(kept))
        suited += np.bincount(hand, often * flush, len(kept))
    return np.asarray(suited / np.maximum(kept, 1e-9))


def opponents(policy: Discarded) -> npt.NDArray[np.float32]:
    """(18395, 1820) how often the other side keeps each four ranks, by the own six ranks."""
    six = six_cards()
    deals = six.deals()
    where, option = np.nonzero(policy.probability > 1e-4)
    kept, probability = six.keep_of[where, option], policy.probability[where, option]
    often = np.zeros((len(six.ranks), HANDS), np.float32)
    # Ways to draw cards of a rank (column) when some are held (row), relative to none held.
    rarer = np.array([[comb(4 - own, theirs) / comb(4, theirs) for theirs in range(5)] for own in range(5)])
    for own in range(len(six.ranks)):
        dealt = deals.copy()
        for rank in np.flatnonzero(six.copies[own]):
            dealt *= rarer[six.copies[own, rank]][six.copies[:, rank]]
        often[own] = np.bincount(kept, probability * dealt[where], minlength=HANDS)
        often[own] /= often[own].sum()
    return often


class Holdings(NamedTuple):
    """The six ranks that are possible with each four ranks kept: a row each, ordered by hand."""

    six: npt.NDArray[np.int64]
    given: npt.NDArray[np.int64]
    often: Floats
    start: npt.NDArray[np.int64]
    """(1821,) the first row of each kept hand."""


def holdings(policy: Discarded) -> Holdings:
    """Return every six ranks with every discard; discards that are never made have a small frequency."""
    six = six_cards()
    first = (six.keep_of[:, :, None] == six.keep_of[:, None, :]).argmax(axis=2) == np.arange(len(OPTIONS))
    row, option = np.nonzero(first)
    kept = six.keep_of[row, option]
    order = np.argsort(kept, kind="stable")
    row, option, kept = row[order], option[order], kept[order]
    often = six.deals()[row] * (policy.probability[row, option] + NEVER_TAKEN)
    return Holdings(row, six.pair_of[row, option], often, np.searchsorted(kept, np.arange(HANDS + 1)))


def usual_opponents(held: Holdings, against: npt.NDArray[np.float32]) -> Floats:
    """(1820, 1820) how often the other side keeps each four ranks, by the own four ranks kept."""
    often = np.zeros((HANDS, HANDS))
    for hand in range(HANDS):
        part = slice(held.start[hand], held.start[hand + 1])
        often[hand] = held.often[part] @ against[held.six[part]]
    often /= often.sum(axis=1, keepdims=True)
    return often


def count_plays(
    usual: tuple[Floats, Floats], progress: Callable[[str], None] = print
) -> tuple[Counts, Plays]:
    """Count the plays of every pair of kept hands; a minute. usual: `usual_opponents` of each role."""
    book = kernel_book(load_pegging_book())
    keeps = read_tables(data_file(DISCARD_TABLE)).arrays["pone_keeps"].astype(np.float64)
    counts = Counts(np.zeros((2, HANDS, NEAR, NEAR)), np.zeros((9, SPAN, SPAN)), np.zeros((9, NEAR, NEAR)))
    buffers, walk_all = scratch(), compiled(KERNELS).count
    columns: tuple[npt.NDArray[Any], ...] = (
        np.zeros(MOST, np.int16),
        np.zeros(MOST, np.int16),
        np.zeros(MOST, np.float32),
    )
    kept: list[list[npt.NDArray[Any]]] = [[], [], []]
    sizes = []
    for pone in range(HANDS):
        together = keeps[pone] * usual[0][pone]
        impossible = (copies(4)[pone] + copies(4) > 4).any(axis=1)
        weights = np.stack([usual[0][pone], usual[1][:, pone], np.where(impossible, -1.0, together)])
        rows = walk_all(pone, FOURS, weights, book, buffers, tuple(counts), columns)
        for column, written in enumerate(columns):
            kept[column].append(written[:rows].copy())
        sizes.append(rows)
        if pone % 200 == 199:
            progress(f"{pone + 1:,} of {HANDS:,} hands walked")
    pones = np.repeat(np.arange(HANDS, dtype=np.int16), sizes)
    dealers, cells, chances = (np.concatenate(column) for column in kept)
    return counts, Plays((pones, dealers), cells, chances)


def by_hand(
    side: int, plays: Plays, held: Holdings, against: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return joint (1820, CLASSES, CELLS) and given (1820, 13, CELLS) of `strategy.pegging_points`.

    The effect of each rank discarded is fitted to the exact probabilities of every six ranks with this hand.
    """
    classes = np.eye(CLASSES)[hand_classes()]
    order = np.argsort(plays.hands[side], kind="stable")
    start = np.searchsorted(plays.hands[side][order], np.arange(HANDS + 1))
    cells = plays.cell.astype(np.int64)
    if side == 1:
        cells = cells % SPAN * SPAN + cells // SPAN
    joint, given = np.zeros((HANDS, CLASSES, CELLS), np.float32), np.zeros((HANDS, 13, CELLS), np.float32)
    for hand in range(HANDS):
        rows = order[start[hand] : start[hand + 1]]
        other = plays.hands[1 - side][rows].astype(np.int64)
        exact = np.bincount(other * CELLS + cells[rows], plays.chance[rows], minlength=HANDS * CELLS)
        exact = exact.reshape(HANDS, CELLS)
        part = slice(held.start[hand], held.start[hand + 1])
        often, weights = held.often[part], against[held.six[part]].astype(np.float64)
        classed = (often @ weights)[:, None] * classes
        mass = classed.sum(axis=0)[:, None]
        joint[hand] = (classed.T @ exact) / np.where(mass > 0, mass, 1)
        missed = weights @ exact - (weights @ classes) @ joint[hand]
        ranks = copies(2)[held.given[part]].astype(np.float64)
        normal = (ranks * often[:, None]).T @ ranks
        normal += np.eye(13) * 1e-6 * np.trace(normal)
        given[hand] = np.linalg.solve(normal, (ranks * often[:, None]).T @ missed)
    return joint, given


def alike_together(probability: Floats, keep_of: npt.NDArray[np.int64]) -> Floats:
    """Return probabilities where options that keep the same ranks are added up at the first one."""
    merged = np.zeros_like(probability)
    for option in range(probability.shape[1]):
        same = (keep_of == keep_of[:, option : option + 1]).argmax(axis=1)
        np.add.at(merged, (np.arange(len(probability)), same), probability[:, option])
    return merged


def in_steps(values: Floats, steps: int) -> npt.NDArray[np.float64]:
    """Return values (rows, CELLS) as whole multiples of 1 / steps.

    Each rounding error is added to the next cell, so that sums over neighbouring cells are right to half a
    step.
    """
    snake = np.arange(CELLS).reshape(SPAN, SPAN)
    snake[1::2] = snake[1::2, ::-1]
    whole = np.zeros(values.shape)
    carried = np.zeros(len(values))
    for cell in snake.ravel().tolist():
        exact = values[:, cell] * steps + carried
        whole[:, cell] = np.floor(exact + 0.5)
        carried = exact - whole[:, cell]
    return whole


def both_at_least(joint: Floats) -> Floats:
    """(…, NEAR, NEAR) probabilities that the sides peg at least x and y points."""
    tail = joint[..., ::-1, ::-1].cumsum(axis=-1).cumsum(axis=-2)[..., ::-1, ::-1]
    return tail[..., 1 : NEAR + 1, 1 : NEAR + 1]


def first_of_both(first: Floats, joint: Floats) -> Floats:
    """Return how often the own side is first if both reach their points; rare cases have the hands' mean."""
    both = both_at_least(joint)
    usual = first.sum(axis=0) / np.maximum(both.sum(axis=0), 1e-12)
    often = both > 1e-6
    return np.clip(np.where(often, first / np.where(often, both, 1), usual), 0, 1)


def keeping_arrays(role: Role, policy: Discarded) -> Arrays:
    """Return the arrays of a role's discards."""
    coded = np.floor(ALWAYS * policy.probability + 0.5).astype(np.uint8)
    where, option = np.nonzero(coded)
    return {
        f"{role}_ways": np.bincount(where, minlength=len(coded)).astype(np.uint8),
        f"{role}_options": option.astype(np.uint8),
        f"{role}_probabilities": coded[where, option],
        f"{role}_flush": np.floor(ALWAYS * policy.suited + 0.5).astype(np.uint8),
    }


def counted(progress: Callable[[str], None] = print) -> Arrays:
    policy = [discarded(role) for role in ROLES]
    held = [holdings(one) for one in policy]
    progress("Dealing every six ranks against every six …")
    against = [opponents(policy[1]), opponents(policy[0])]
    usual = (usual_opponents(held[0], against[0]), usual_opponents(held[1], against[1]))
    counts, plays = count_plays(usual, progress)
    arrays: Arrays = {"classes": hand_classes().astype(np.uint8)}
    for side, role in enumerate(ROLES):
        progress(f"Putting together what the {role} pegs …")
        joint, given = by_hand(side, plays, held[side], against[side])
        whole = np.einsum("hl,lc,hcx->hx", usual[side], np.eye(CLASSES)[hand_classes()], joint, optimize=True)
        first = first_of_both(counts.first[side], whole.reshape(HANDS, SPAN, SPAN))
        chances = joint.reshape(-1, CELLS).astype(np.float64)
        chances /= np.maximum(chances.sum(axis=1, keepdims=True), 1e-12)
        adds = in_steps(given.reshape(-1, CELLS).astype(np.float64), SUM)
        arrays[f"{role}_joint"] = (
            in_steps(chances, SUM).astype(np.uint16).reshape(*joint.shape[:2], SPAN, SPAN)
        )
        arrays[f"{role}_by_discard"] = adds.astype(np.int8).reshape(HANDS, 13, SPAN, SPAN)
        arrays[f"{role}_first"] = np.floor(ALWAYS * first + 0.5).astype(np.uint8)
        arrays |= keeping_arrays(role, policy[side])
    total = counts.rest.sum(axis=(1, 2), keepdims=True)
    arrays["rest_joint"] = (counts.rest / total).astype(np.float32)
    arrays["rest_first"] = first_of_both(counts.rest_first / total, counts.rest / total).astype(np.float32)
    return arrays


def run(out: Path, progress: Callable[[str], None] = print) -> dict[str, Any]:
    """Write the table; return its size and the digests of the strategies."""
    arrays = counted(progress)
    strategies = digests()
    write_packed_tables(out, {"strategies": strategies, "version": version("fifteentwo")}, arrays)
    return {"file": out.name, "bytes": out.stat().st_size, **strategies}


def prepare() -> None:
    """Compile the kernels, or load them."""
    book = kernel_book(load_pegging_book())
    counts = (np.zeros((2, 0, NEAR, NEAR)), np.zeros((9, SPAN, SPAN)), np.zeros((9, NEAR, NEAR)))
    columns = (np.zeros(0, np.int16), np.zeros(0, np.int16), np.zeros(0, np.float32))
    compiled(KERNELS).count(0, FOURS[:0], np.zeros((3, 0)), book, scratch(), counts, columns)
