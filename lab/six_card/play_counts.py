"""The table of the points that both sides peg, for every pair of kept hands and every play of the book.

    python -m lab solve plays

The counts are exact for the book. Each pair of hands has the frequency of the equilibrium discards from one
deck.
"""

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
from lab.cfr import Doubles, Say
from lab.files import write_tables
from lab.six_card.discard_book import decode_strategy
from lab.six_card.play_counts_kernels import scratch
from lab.six_card.six_cards import OPTIONS, six_cards, suit_classes

Arrays = dict[str, npt.NDArray[Any]]

KERNELS = "lab.six_card.play_counts_kernels"
ROLES: tuple[Role, Role] = ("pone", "dealer")
HANDS = len(FOURS)
"""Number of kept hands by ranks."""
CELLS = SPAN * SPAN
"""Number of pairs of totals (one side's points, the other side's points) that are counted."""
POINTS_CLASS = {4: np.array([0, 0, 0, 0, 1, 1, 2, 2, 3]), 3: np.array([0, 0, 1, 1, 2, 2, 3])}
"""Class of a hand of four or of three cards, by its points before the starter; the last has all higher
points."""
CLASSES = 8
"""Number of classes of kept hands by points and ten-cards; see `hand_classes`."""
UNUSED_DISCARD_PROBABILITY = 0.02
"""Added to each discard's probability, so that discards that are never made have data too."""
MAX_PLAYS = 200_000
"""More than the number of ways in which one hand is played against all others."""


class Counts(NamedTuple):
    """Sums of probabilities of points in pegging; see `strategy.pegging_points`."""

    first: Doubles
    """(2, 1820, NEAR, NEAR) [side, hand, x - 1, y - 1]: the side pegs x points before the other pegs y."""
    rest: Doubles
    """(9, SPAN, SPAN) probability of points of pone and dealer still to come, after 0–8 cards."""
    rest_first: Doubles
    """(9, NEAR, NEAR) [n, x - 1, y - 1]: after n cards, the pone pegs x points before the dealer pegs y."""


class Plays(NamedTuple):
    """All ways in which the book plays all pairs of kept hands: nine million rows."""

    hands: tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]
    """For each row: the numbers of the pone's hand and of the dealer's hand."""
    cell: npt.NDArray[np.int16]
    """For each row: SPAN · (points of the pone) + points of the dealer."""
    chance: npt.NDArray[np.float32]
    """For each row: its probability, given both hands."""


class DiscardPolicy(NamedTuple):
    """How often one role makes each discard, averaged over suits."""

    probability: Doubles
    """(18395, 15) probabilities; options that keep the same ranks are added to the first of them."""
    suited: Doubles
    """(1820,) how often the four kept cards have the same suit, 0–1."""


@cache
def hand_classes(size: int = 4) -> npt.NDArray[np.int64]:
    """Return (hands,) the class of each kept hand, by its points before the starter and its ten-cards."""
    ranks, points_class = np.array(hands(size)), POINTS_CLASS[size]
    points = rank_points(size)[ranks @ 13 ** np.arange(size - 1, -1, -1)]
    tens = (VALUES[ranks] == 10).sum(axis=1)
    return np.asarray(2 * points_class[np.minimum(points, len(points_class) - 1)] + (tens > 1))


def discard_policy(role: Role) -> DiscardPolicy:
    """Return the discards of a role in the shipped table."""
    six = six_cards()
    tables = read_tables(data_file(DISCARD_TABLE)).arrays
    row, pattern = suit_classes(six.copies).rows()
    mixed = decode_strategy(tables[f"{role}_options"], tables[f"{role}_probability"])
    mass = six.weight[pattern, None].astype(np.float64) * mixed
    summed = np.stack([np.bincount(row, often, len(six.ranks)) for often in mass.T], axis=1)
    probability = merge_equal_keeps(summed.astype(np.float64), six.keep_of)
    flush = flush_rates(mass, six.keep_of[row], six.flush[pattern] > 0)
    return DiscardPolicy(probability / probability.sum(axis=1, keepdims=True), flush)


def flush_rates(mass: Doubles, hands: npt.NDArray[np.int64], has_flush: npt.NDArray[np.bool_]) -> Doubles:
    """Return (hands,) how often a kept hand has one suit, 0–1.

    mass: (suit classes, options) deals with each discard; hands: the hand that each keeps; has_flush: whether
    its cards have one suit.
    """
    kept, suited = np.zeros((2, hands.max() + 1))
    for hand, often, flush in zip(hands.T, mass.T, has_flush.T, strict=True):
        kept += np.bincount(hand, often, len(kept))
        suited += np.bincount(hand, often * flush, len(kept))
    return np.asarray(suited / np.maximum(kept, 1e-9))


def opponents_by_deal(policy: DiscardPolicy) -> npt.NDArray[np.float32]:
    """Return (18395, 1820) how often the other side (`policy`) keeps four ranks, given one's six ranks."""
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


class DealtHands(NamedTuple):
    """Every six ranks dealt with every four of them kept: a row each, ordered by the kept hand."""

    six: npt.NDArray[np.int64]
    """The rank class of the six cards in each row."""
    given: npt.NDArray[np.int64]
    """Number of the discarded pair of ranks in each row."""
    often: Doubles
    """Number of deals in each row, weighted by the probability of the discard."""
    start: npt.NDArray[np.int64]
    """(1821,) the first row of each kept hand."""


def dealt_hands(policy: DiscardPolicy) -> DealtHands:
    """Return every six ranks with every discard; discards that are never made have a small weight."""
    six = six_cards()
    first = (six.keep_of[:, :, None] == six.keep_of[:, None, :]).argmax(axis=2) == np.arange(len(OPTIONS))
    row, option = np.nonzero(first)
    kept = six.keep_of[row, option]
    order = np.argsort(kept, kind="stable")
    row, option, kept = row[order], option[order], kept[order]
    often = six.deals()[row] * (policy.probability[row, option] + UNUSED_DISCARD_PROBABILITY)
    return DealtHands(row, six.pair_of[row, option], often, np.searchsorted(kept, np.arange(HANDS + 1)))


def opponents_by_keep(held: DealtHands, against: npt.NDArray[np.float32]) -> Doubles:
    """Return (1820, 1820) how often the other side keeps each four ranks, given one's four kept ranks."""
    often = np.zeros((HANDS, HANDS))
    for hand in range(HANDS):
        part = slice(held.start[hand], held.start[hand + 1])
        often[hand] = held.often[part] @ against[held.six[part]]
    often /= often.sum(axis=1, keepdims=True)
    return often


def count_plays(usual: tuple[Doubles, Doubles], progress: Say = print) -> tuple[Counts, Plays]:
    """Count how the book plays all pairs of hands; a minute. usual: `opponents_by_keep` for each role."""
    book = kernel_book(load_pegging_book())
    keeps = read_tables(data_file(DISCARD_TABLE)).arrays["pone_keeps"].astype(np.float64)
    counts = Counts(np.zeros((2, HANDS, NEAR, NEAR)), np.zeros((9, SPAN, SPAN)), np.zeros((9, NEAR, NEAR)))
    buffers, walk_all = scratch(), compiled(KERNELS).count
    columns: tuple[npt.NDArray[Any], ...] = (
        np.zeros(MAX_PLAYS, np.int16),
        np.zeros(MAX_PLAYS, np.int16),
        np.zeros(MAX_PLAYS, np.float32),
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


def points_by_hand(
    side: int, plays: Plays, held: DealtHands, against: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return arrays (1820, CLASSES, CELLS) and (1820, 13, CELLS) of `strategy.pegging_points` for a side.

    The first has the probabilities of both sides' points by hand and class. The second has the change for
    each rank discarded, fitted to the exact probabilities.
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


def merge_equal_keeps(probability: Doubles, keep_of: npt.NDArray[np.int64]) -> Doubles:
    """Return probabilities in which options that keep the same ranks are added to the first of them."""
    merged = np.zeros_like(probability)
    for option in range(probability.shape[1]):
        same = (keep_of == keep_of[:, option : option + 1]).argmax(axis=1)
        np.add.at(merged, (np.arange(len(probability)), same), probability[:, option])
    return merged


def round_to_steps(values: Doubles, steps: int) -> Doubles:
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


def both_at_least(joint: Doubles) -> Doubles:
    """Return (…, NEAR, NEAR) probabilities that one side pegs at least x and the other at least y points."""
    tail = joint[..., ::-1, ::-1].cumsum(axis=-1).cumsum(axis=-2)[..., ::-1, ::-1]
    return tail[..., 1 : NEAR + 1, 1 : NEAR + 1]


def reached_first(first: Doubles, joint: Doubles) -> Doubles:
    """Return how often a side pegs x points before the other pegs y, if both do; the mean in rare cases."""
    both = both_at_least(joint)
    usual = first.sum(axis=0) / np.maximum(both.sum(axis=0), 1e-12)
    often = both > 1e-6
    return np.clip(np.where(often, first / np.where(often, both, 1), usual), 0, 1)


def discard_arrays(role: Role, policy: DiscardPolicy) -> Arrays:
    """Return the arrays of the table that describe a role's discards."""
    coded = np.floor(ALWAYS * policy.probability + 0.5).astype(np.uint8)
    where, option = np.nonzero(coded)
    return {
        f"{role}_ways": np.bincount(where, minlength=len(coded)).astype(np.uint8),
        f"{role}_options": option.astype(np.uint8),
        f"{role}_probabilities": coded[where, option],
        f"{role}_flush": np.floor(ALWAYS * policy.suited + 0.5).astype(np.uint8),
    }


def table_arrays(progress: Say = print) -> Arrays:
    """Return all arrays of the table of pegging points."""
    policy = [discard_policy(role) for role in ROLES]
    held = [dealt_hands(one) for one in policy]
    progress("Dealing every six ranks against every six …")
    against = [opponents_by_deal(policy[1]), opponents_by_deal(policy[0])]
    usual = (opponents_by_keep(held[0], against[0]), opponents_by_keep(held[1], against[1]))
    counts, plays = count_plays(usual, progress)
    arrays: Arrays = {"classes": hand_classes().astype(np.uint8)}
    for side, role in enumerate(ROLES):
        progress(f"Putting together what the {role} pegs …")
        joint, given = points_by_hand(side, plays, held[side], against[side])
        whole = np.einsum("hl,lc,hcx->hx", usual[side], np.eye(CLASSES)[hand_classes()], joint, optimize=True)
        first = reached_first(counts.first[side], whole.reshape(HANDS, SPAN, SPAN))
        chances = joint.reshape(-1, CELLS).astype(np.float64)
        chances /= np.maximum(chances.sum(axis=1, keepdims=True), 1e-12)
        adds = round_to_steps(given.reshape(-1, CELLS).astype(np.float64), SUM)
        arrays[f"{role}_joint"] = (
            round_to_steps(chances, SUM).astype(np.uint16).reshape(*joint.shape[:2], SPAN, SPAN)
        )
        arrays[f"{role}_by_discard"] = adds.astype(np.int8).reshape(HANDS, 13, SPAN, SPAN)
        arrays[f"{role}_first"] = np.floor(ALWAYS * first + 0.5).astype(np.uint8)
        arrays |= discard_arrays(role, policy[side])
    total = counts.rest.sum(axis=(1, 2), keepdims=True)
    arrays["rest_joint"] = (counts.rest / total).astype(np.float32)
    arrays["rest_first"] = reached_first(counts.rest_first / total, counts.rest / total).astype(np.float32)
    return arrays


def run(out: Path, progress: Say = print) -> dict[str, Any]:
    """Write the table of pegging points; return its size in bytes and the digests of the strategies."""
    arrays = table_arrays(progress)
    strategies = digests()
    write_tables(out, {"strategies": strategies, "version": version("fifteentwo")}, arrays)
    return {"file": out.name, "bytes": out.stat().st_size, **strategies}


def prepare() -> None:
    """Compile the kernels, or load them."""
    book = kernel_book(load_pegging_book())
    counts = (np.zeros((2, 0, NEAR, NEAR)), np.zeros((9, SPAN, SPAN)), np.zeros((9, NEAR, NEAR)))
    columns = (np.zeros(0, np.int16), np.zeros(0, np.int16), np.zeros(0, np.float32))
    compiled(KERNELS).count(0, FOURS[:0], np.zeros((3, 0)), book, scratch(), counts, columns)
