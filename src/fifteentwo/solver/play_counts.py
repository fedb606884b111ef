"""The table of what both sides peg, counted: every pair of kept hands, every play the book may take.

    fifteentwo solve plays

Exact under the book; each pair of hands comes as often as the equilibrium keeps them and one pack allows.
"""

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.book.files import data_file, read_tables, write_tables
from fifteentwo.book.laying_away import Role
from fifteentwo.book.play import book_arrays, load_pegging_book
from fifteentwo.book.play_points import FILE, NEAR, SPAN, SUM, pack
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import FOURS, copies, number_by_digits
from fifteentwo.fast.show import rank_points
from fifteentwo.solver.laying_book import unpack_strategy
from fifteentwo.solver.play_counts_loops import scratch
from fifteentwo.solver.six_cards import OPTIONS, six_cards

Floats = npt.NDArray[np.float64]
Arrays = dict[str, npt.NDArray[Any]]

LOOPS = "fifteentwo.solver.play_counts_loops"
ROLES: tuple[Role, Role] = ("pone", "dealer")
HANDS = len(FOURS)
CLASS_OF = np.array([0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4])
"""The class of a hand by its points before a starter, 10 or more alike."""
CLASSES = 5


class Counts(NamedTuple):
    """Chances summed; see `book.play_points`."""

    joint: npt.NDArray[np.float32]
    """(2, 1820, CLASSES, SPAN, SPAN) by role."""
    first: Floats
    """(2, 1820, NEAR, NEAR)."""
    rest: Floats
    """(9, SPAN, SPAN)."""
    rest_first: Floats
    """(9, NEAR, NEAR)."""


def hand_classes() -> npt.NDArray[np.int64]:
    """(2, 1820) the class of each kept hand, as pone's and as dealer's."""
    points = rank_points(4)[FOURS @ 13 ** np.arange(3, -1, -1)]
    by_points = CLASS_OF[np.minimum(points, len(CLASS_OF) - 1)]
    return np.stack([by_points, by_points])


def count_plays(say: Callable[[str], None] = print) -> Counts:
    """Walk every pair of kept hands; a minute and a half of a core with numba."""
    arrays = book_arrays(load_pegging_book())
    book = (arrays.codes, arrays.at, arrays.cells, arrays.starts, arrays.top)
    book = (*book, number_by_digits(3), number_by_digits(2))
    keeps = kept_frequencies()
    classes = hand_classes()
    counts = Counts(
        np.zeros((2, HANDS, CLASSES, SPAN, SPAN), np.float32),
        np.zeros((2, HANDS, NEAR, NEAR)),
        np.zeros((9, SPAN, SPAN)),
        np.zeros((9, NEAR, NEAR)),
    )
    room = scratch()
    loop = compiled(LOOPS).count
    for pone in range(HANDS):
        possible = likelier(pone)
        weights = np.stack([keeps[1] * possible, keeps[0, pone] * possible, keeps[0, pone] * keeps[1] * possible])
        # A hand nobody keeps still tells what it would peg.
        loop(pone, FOURS, weights, classes, book, room, tuple(counts))
        if pone % 200 == 199:
            say(f"{pone + 1:,} of {HANDS:,} hands walked")
    return counts


def kept_frequencies() -> Floats:
    """(2, 1820) how often pone and dealer keep four ranks, none quite never."""
    arrays = read_tables(data_file("laying_away.table")).arrays
    keeps = np.stack([arrays[f"{role}_keeps"].astype(np.float64) for role in ROLES])
    floored: Floats = keeps / keeps.sum(axis=1, keepdims=True) + 1e-9
    return floored


def likelier(hand: int) -> Floats:
    """(1820,) how much likelier each four ranks are dealt once these four are gone from the pack."""
    own, other = copies(4)[hand], copies(4)
    ratio = np.ones(HANDS)
    for rank in np.flatnonzero(own):
        left = 4 - own[rank]
        for held in range(1, 5):
            steps = np.arange(held)
            ratio[other[:, rank] == held] *= np.prod(np.maximum(left - steps, 0) / (4 - steps))
    return ratio


def keeping_arrays(role: Role) -> Arrays:
    """How a role lays away each six ranks, suits averaged, and how often what it keeps is of one suit."""
    six = six_cards()
    tables = read_tables(data_file("laying_away.table")).arrays
    size = len(six.ranks)
    row = np.repeat(np.arange(size), np.diff(six.class_start))
    pattern = six.shape_start[row] + np.arange(six.suit_classes) - six.class_start[row]
    weight = six.weight[pattern].astype(np.float64)
    flush = six.flush > 0
    share = np.zeros((size, len(OPTIONS)))
    suited, kept = np.zeros(HANDS), np.zeros(HANDS)
    for start in range(0, six.suit_classes, 100_000):
        part = slice(start, min(start + 100_000, six.suit_classes))
        mixed = unpack_strategy(tables[f"{role}_options"][part], tables[f"{role}_share"][part])
        mass = mixed * weight[part, None]
        for option in range(len(OPTIONS)):
            share[:, option] += np.bincount(row[part], mass[:, option], minlength=size)
            hand = six.keep_of[row[part], option]
            kept += np.bincount(hand, mass[:, option], minlength=HANDS)
            suited += np.bincount(hand, mass[:, option] * flush[pattern[part], option], minlength=HANDS)
    share = _alike_together(share, six.keep_of)
    share /= share.sum(axis=1, keepdims=True)
    coded = np.floor(share * 255 + 0.5).astype(np.uint8)
    where, option = np.nonzero(coded)
    return {
        f"{role}_ways": np.bincount(where, minlength=size).astype(np.uint8),
        f"{role}_options": option.astype(np.uint8),
        f"{role}_shares": coded[where, option],
        f"{role}_flush": np.floor(SUM * suited / np.maximum(kept, 1e-9) + 0.5).astype(np.uint16),
    }


def _alike_together(share: Floats, keep_of: npt.NDArray[np.int64]) -> Floats:
    """Options that keep the same ranks become one: the first of them."""
    found = np.zeros_like(share)
    for option in range(share.shape[1]):
        same = (keep_of == keep_of[:, option : option + 1]).argmax(axis=1)
        np.add.at(found, (np.arange(len(share)), same), share[:, option])
    return found


def in_parts(chances: Floats) -> npt.NDArray[np.uint16]:
    """Chances (rows, cells) in parts of SUM that add up to it, the largest remainders rounded up."""
    total = chances.sum(axis=1, keepdims=True)
    exact = chances / np.where(total > 0, total, 1) * SUM
    parts = np.floor(exact)
    missing = np.where(total[:, 0] > 0, SUM - parts.sum(axis=1), 0).astype(int)
    order = np.argsort(parts - exact, axis=1, kind="stable")
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.broadcast_to(np.arange(order.shape[1]), order.shape), axis=1)
    parts += rank < missing[:, None]
    return parts.astype(np.uint16)


def both_reach(joint: Floats) -> Floats:
    """(…, NEAR, NEAR) chances that both sides peg at least x and y, from (…, SPAN, SPAN)."""
    tail = joint[..., ::-1, ::-1].cumsum(axis=-1).cumsum(axis=-2)[..., ::-1, ::-1]
    return tail[..., 1 : NEAR + 1, 1 : NEAR + 1]


def packed(counts: Counts) -> Arrays:
    """The arrays of the file but for laying away."""
    found: Arrays = {}
    for side, role in enumerate(ROLES):
        joint = counts.joint[side].astype(np.float64)
        both = both_reach(joint.sum(axis=1))
        # Where both hardly ever get there the mean over hands tells who is first.
        usual = counts.first[side].sum(axis=0) / both.sum(axis=0)
        often = both > 1e-9 * joint.sum(axis=(1, 2, 3))[:, None, None]
        first = np.where(often, counts.first[side] / np.where(often, both, 1), usual)
        found[f"{role}_joint"] = in_parts(joint.reshape(-1, SPAN * SPAN)).reshape(joint.shape)
        found[f"{role}_first"] = np.floor(SUM * np.clip(first, 0, 1) + 0.5).astype(np.uint16)
        found[f"{role}_classes"] = hand_classes()[side].astype(np.uint8)
    total = counts.rest.sum(axis=(1, 2), keepdims=True)
    both = both_reach(counts.rest)
    found["rest_joint"] = (counts.rest / total).astype(np.float32)
    found["rest_first"] = np.where(both > 0, counts.rest_first / np.where(both > 0, both, 1), 0.5).astype(np.float32)
    return found


def run(out: Path | None = None, say: Callable[[str], None] = print) -> dict[str, Any]:
    """Count, and write the table (default: where it ships); what it was made from and its size."""
    arrays = packed(count_plays(say))
    for role in ROLES:
        arrays |= keeping_arrays(role)
    about = {
        "strategies": {
            "pegging.book": load_pegging_book().header["digest"],
            "laying_away.table": read_tables(data_file("laying_away.table")).about["digest"],
        },
        "version": version("fifteentwo"),
        "packed": {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()},
    }
    path = out or data_file(FILE)
    write_tables(path, about, {name: pack(array) for name, array in arrays.items()})
    return {"file": str(path), "bytes": path.stat().st_size, **about["strategies"]}


if __name__ == "__main__":
    print(run())
