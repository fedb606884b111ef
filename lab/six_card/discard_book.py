"""The discard table: packs the discards and means of a joint solution, and unpacks discards."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.hands import PAIRS
from fifteentwo.fast.layout import JACK
from lab.cfr import DEALER, MEASURE, PONE, ROLES, Bytes, Cells, Floats, Ints
from lab.files import write_tables
from lab.six_card.discards import keep_frequencies, pair_frequencies
from lab.six_card.joint import Joint
from lab.six_card.pegging import PeggingGame
from lab.six_card.six_cards import DEALS, six_cards, suit_classes
from lab.six_card.tree import build_tree

Arrays = dict[str, npt.NDArray[Any]]


def encode_strategy(total: Floats) -> tuple[Bytes, Bytes]:
    """Return two bytes for each suit class: its two likeliest options, and the first one's probability.

    The first option is in the low nibble, the second in the high nibble. The probability is in 255ths. A
    third option is lost; the exploitability of the written table includes this.
    """
    left, rows = np.maximum(total, 0), np.arange(len(total))
    first = left.argmax(axis=1)
    one = left[rows, first]
    left[rows, first] = -1
    second = left.argmax(axis=1)
    two = left[rows, second]
    known = one + two > 0
    mixed = np.where(known, one / np.where(known, one + two, 1), 1.0)
    # A probability below 1 % is left over from early iterations and is not part of the mixture.
    mixed = np.where(mixed > 0.99, 1.0, mixed)
    return (first | second << 4).astype(np.uint8), np.floor(mixed * 255 + 0.5).astype(np.uint8)


def decode_strategy(options: Bytes, probability: Bytes) -> Floats:
    """Return (suit classes, 15) discard probabilities, from the bytes of `encode_strategy`."""
    total = np.zeros((len(options), 15), dtype=np.float32)
    rows = np.arange(len(options))
    total[rows, options >> 4] = 1 - probability / 255
    total[rows, options & 15] = probability / 255
    return total


def index_arrays(ranks: Ints) -> Arrays:
    """Return the arrays that find the row of a hand in the table. ranks: (classes, cards) ascending."""
    classes = suit_classes((ranks[:, :, None] == np.arange(13)).sum(axis=1))
    powers = np.arange(ranks.shape[1] - 1, -1, -1)
    return {
        "ranks": ranks @ 13**powers,
        "class_start": classes.class_start,
        "shape_start": classes.shape_start,
        "patterns": classes.suits @ 4**powers,
    }


def pegging_means(joint: Joint, cells: Cells) -> Arrays:
    """Return (1820,) mean points that each role, and its opponent, pegs when the role keeps each hand.

    "gives" are the opponent's points. cells: the pegging strategies.
    """
    keeps = joint.keeps()
    x, y = joint.ranges.fit(keeps[PONE] + 1e-12, keeps[DEALER] + 1e-12, 100)
    scale = (joint.ranges.ways @ y, joint.ranges.ways.T @ x)
    net = joint.game.values(MEASURE, (x, y), cells)
    own_only = PeggingGame(build_tree(dealer_point_value=0), joint.game.threads)
    pone_points = own_only.values(MEASURE, (x, y), cells)
    pegs = pone_points[PONE] / scale[PONE]
    gives = -pone_points[DEALER] / scale[DEALER]
    return {
        "pone_pegs": pegs.astype(np.float32),
        "pone_gives": (pegs - net[PONE] / scale[PONE]).astype(np.float32),
        "dealer_pegs": (net[DEALER] / scale[DEALER] + gives).astype(np.float32),
        "dealer_gives": gives.astype(np.float32),
    }


def crib_means(joint: Joint, role: int) -> Floats:
    """Return (91,) mean crib points of each pair of ranks that a role discards.

    The mean is over the hands that discard the pair, or all hands that hold it if none discards it. It is
    exact in ranks; nobs of the pair's own jacks counts 0.235 each; crib flushes (0.01) are left out.
    """
    six = six_cards()
    crib = joint.cribs(role).astype(np.float64)
    means = []
    for weight in (joint.means[role], np.repeat(six.deals()[:, None], 15, axis=1)):
        top = np.bincount(six.pair_of.ravel(), (weight * crib).ravel(), minlength=91)
        bottom = np.bincount(six.pair_of.ravel(), weight.ravel(), minlength=91)
        means.append(np.where(bottom > DEALS * 1e-6, top / np.maximum(bottom, 1), np.nan))
    jacks = (PAIRS == JACK).sum(axis=1)
    return np.asarray(np.where(np.isnan(means[0]), means[1], means[0]) + 0.235 * jacks, dtype=np.float32)


def write_discards(joint: Joint, cells: Cells, path: Path, about: dict[str, Any]) -> None:
    """Write the discard table of a solution. cells: the pegging strategies of the same release."""
    six = six_cards()
    arrays = index_arrays(six.ranks)
    for role, name in enumerate(ROLES):
        options, probability = encode_strategy(joint.discards[role].total)
        arrays[f"{name}_options"] = options
        arrays[f"{name}_probability"] = probability
        arrays[f"{name}_keeps"] = keep_frequencies(joint.means[role], six).astype(np.float32)
        arrays[f"{name}_pairs"] = pair_frequencies(joint.means[role], six).astype(np.float32)
        arrays[f"{name}_cribs"] = crib_means(joint, role)
    arrays.update(pegging_means(joint, cells))
    write_tables(path, about, arrays)
