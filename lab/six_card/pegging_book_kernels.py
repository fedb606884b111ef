"""Kernels of `pegging_book`: pack average strategies of pegging in bytes, and unpack them."""

from typing import Any

import numpy as np

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.hands import UP3
from lab.six_card.tree_kernels import count_cells, count_ranks

WHOLE = 255
"""The byte of probability 1."""
ZERO = np.float32(0)


@kernel(fastmath=True)
def encode_cells(total: Any, nodes: Any, at: Any, packed: Any) -> None:
    """Pack the strategy sums of decision nodes as bytes; at[n]: index of the first byte of node n."""
    for n in range(len(at)):
        if nodes.cards[n] == 3:
            encode_three(total, nodes.cell[n], nodes.ranks[n], at[n], packed)
        else:
            encode_two(total, nodes.cell[n], nodes.ranks[n], at[n], packed)


@kernel(fastmath=True)
def encode_three(total: Any, first: int, ranks: int, at: int, packed: Any) -> None:
    """Pack a node with three cards in hand: 91 bytes (pair that remains) for each rank that may be played."""
    sums = np.zeros(455, dtype=np.float32)
    cell = first
    for rank in range(13):
        if ranks >> rank & 1:
            for pair in range(91):
                sums[UP3[rank, pair]] += max(total[cell + pair], ZERO)
            cell += 91
    cell = first
    for rank in range(13):
        if ranks >> rank & 1:
            for pair in range(91):
                mass = sums[UP3[rank, pair]]
                probability = max(total[cell], ZERO) / mass * WHOLE if mass > 0 else 1.0
                packed[at + cell - first] = np.uint8(np.floor(probability + 0.5))
                cell += 1


@kernel(fastmath=True)
def encode_two(total: Any, first: int, ranks: int, at: int, packed: Any) -> None:
    """Pack a node with two cards in hand: for each two playable ranks, the probability of the lower."""
    for pair in range(count_cells(2, ranks) // 2):
        one, two = max(total[first + 2 * pair], ZERO), max(total[first + 2 * pair + 1], ZERO)
        probability = one / (one + two) * WHOLE + 0.5 if one + two > 0 else 128.0
        packed[at + pair] = np.uint8(np.floor(probability))


@kernel
def decode_cells(packed: Any, nodes: Any, at: Any, total: Any) -> None:
    """Write the bytes of decision nodes to `total`, one cell each; at[n]: index of node n's first byte."""
    for n in range(len(at)):
        cell, byte = nodes.cell[n], at[n]
        if nodes.cards[n] == 3:
            for each in range(count_ranks(nodes.ranks[n]) * 91):
                total[cell + each] = packed[byte + each]
        else:
            for pair in range(count_cells(2, nodes.ranks[n]) // 2):
                total[cell + 2 * pair] = packed[byte + pair]
                total[cell + 2 * pair + 1] = WHOLE - packed[byte + pair]
