"""Kernels of the show, one function each so that the compiler can use whole vectors."""

from typing import Any

import numpy as np

from fifteentwo.fast.compiled import kernel, part
from fifteentwo.fast.layout import JACK

BLOCK = 2048
"""Rows that are scored in one step of `score`."""
FLUSH, WHOLE_FLUSH = 4, 5
"""Points of a flush of four in a hand (not in a crib), and of a flush with the starter (R85, R86)."""


@kernel
def rank_indices(packed: Any, starters: Any, indices: Any) -> None:
    """Write the index of five ranks in `show.rank_points`. packed: (n,) uint32, the bytes of four cards."""
    for i in range(len(indices)):
        hand = packed[i]
        starter = np.uint32(starters[i])
        indices[i] = (
            (((((hand >> 2) & 15) * 13 + ((hand >> 10) & 15)) * 13 + ((hand >> 18) & 15)) * 13) + (hand >> 26)
        ) * 13 + (starter >> 2)


@part
def join_four(first: int, second: int, third: int, fourth: int) -> Any:
    """Return four cards as one number, a byte each; kernels treat the four alike."""
    return np.uint32(first | second << 8 | third << 16 | fourth << 24)


@part
def suits_apart(hand: Any) -> Any:
    """Return 0 if four cards, joined by `join_four`, have the same suit; accepts arrays if not compiled."""
    return (hand ^ (hand >> 8)) & 0x030303


@part
def flush_and_nobs(hand: Any, starter: Any, flush: Any, whole_flush: Any) -> Any:
    """Return points of flush and nobs (R85–R87). As plain Python it accepts arrays.

    hand: cards joined by `join_four`; flush, whole_flush: points of a flush without and with the starter.
    """
    unlike = suits_apart(hand)
    # A byte is zero if that card is the jack of the starter's suit.
    jack = np.uint32(hand ^ ((4 * JACK | (starter & 3)) * 0x01010101))
    nobs = (np.uint32(jack + 0x7F7F7F7F) & 0x80808080) != 0x80808080
    return (unlike == 0) * flush + ((unlike | ((hand ^ starter) & 3)) == 0) * (whole_flush - flush) + nobs


@part
def hand_points(four: Any, starter: int, flush: int, table: Any) -> int:
    """Return points of four cards with the starter (R80–R90). flush: FLUSH, in a crib 0; table: by ranks."""
    # Converts bytes to integers before arithmetic.
    first: Any = np.int64(four[0])
    second: Any = np.int64(four[1])
    third: Any = np.int64(four[2])
    fourth: Any = np.int64(four[3])
    place = (((first >> 2) * 13 + (second >> 2)) * 13 + (third >> 2)) * 13 + (fourth >> 2)
    suits = flush_and_nobs(join_four(first, second, third, fourth), starter, flush, WHOLE_FLUSH)
    return int(table[place * 13 + (starter >> 2)] + suits)


@kernel
def suit_points(packed: Any, starters: Any, flush: int, points: Any) -> None:
    """Write points of flush and nobs of n hands to `points`. flush: FLUSH, in a crib 0."""
    four, five = np.uint32(flush), np.uint32(WHOLE_FLUSH)
    for i in range(len(points)):
        points[i] = flush_and_nobs(packed[i], np.uint32(starters[i]), four, five)


@kernel
def any_repeat(packed: Any, starters: Any) -> Any:
    """Return nonzero if a row has a card twice: every byte is compared with every other and the starter."""
    repeats = np.uint32(0)
    for i in range(len(packed)):
        hand = packed[i]
        starter = np.uint32(starters[i])
        fifth = np.uint32(hand ^ (starter * 0x01010101))
        turned = np.uint32(hand ^ ((hand >> 8) | (hand << 24)))
        turned_twice = np.uint32(hand ^ ((hand >> 16) | (hand << 16)))
        repeats |= np.uint32(
            ((fifth + 0x7F7F7F7F) & (turned + 0x7F7F7F7F) & (turned_twice + 0x7F7F7F7F) & 0x80808080)
            ^ np.uint32(0x80808080)
        )
    return repeats


@kernel
def any_past_51(packed: Any, starters: Any) -> Any:
    """Return nonzero if a byte is not a card (0–51)."""
    past = np.uint32(0)
    for i in range(len(packed)):
        hand = packed[i]
        # Adding 76 sets the top bit for 52 and more; bytes that already have it are past 51 too.
        past |= hand | ((hand & np.uint32(0x7F7F7F7F)) + np.uint32(0x4C4C4C4C))
        past |= np.uint32(starters[i]) | (np.uint32(starters[i] & 127) + np.uint32(76))
    return past & np.uint32(0x80808080)


@kernel
def add_rank_points(indices: Any, table: Any, points: Any) -> None:
    """Add points of fifteens, pairs and runs: `table` is `rank_points(5)`, indices from `rank_indices`."""
    for i in range(len(points)):
        points[i] += table[indices[i]]


@kernel
def score(packed: Any, starters: Any, flush: int, table: Any, points: Any) -> Any:
    """Write points of n hands of four to points (n,) uint8; return nonzero if a row is invalid."""
    repeats = np.uint32(0)
    indices = np.empty(BLOCK, np.uint32)
    for start in range(0, len(packed), BLOCK):
        hand = packed[start : start + BLOCK]
        starter = starters[start : start + BLOCK]
        made = points[start : start + BLOCK]
        where = indices[: len(hand)]
        if any_past_51(hand, starter):
            return np.uint32(1)
        rank_indices(hand, starter, where)
        suit_points(hand, starter, flush, made)
        repeats |= any_repeat(hand, starter)
        add_rank_points(where, table, made)
    return repeats


@kernel
def all_fours(packed: Any) -> None:
    """Write every combination of four cards of the deck. packed: (270725,) uint32."""
    i = 0
    for first in range(49):
        for second in range(first + 1, 50):
            for third in range(second + 1, 51):
                three = first | (second << 8) | (third << 16)
                for fourth in range(third + 1, 52):
                    packed[i] = three | (fourth << 24)
                    i += 1


@kernel
def tally(packed: Any, starter: int, points: Any, totals: Any) -> None:
    """Count the hands by points; hands that contain the starter count at index 31.

    totals: (2, 32) int64, to be added. There are two rows because a counter cannot be read again immediately.
    """
    four_times = np.uint32(starter * 0x01010101)
    for i in range(len(packed)):
        alike = np.uint32(packed[i] ^ four_times)
        held = (np.uint32(alike + 0x7F7F7F7F) & 0x80808080) != 0x80808080
        points[i] = 31 if held else points[i]
    for i in range(len(packed) // 2):
        totals[0, points[2 * i]] += 1
        totals[1, points[2 * i + 1]] += 1
    if len(packed) % 2:
        totals[0, points[len(packed) - 1]] += 1
