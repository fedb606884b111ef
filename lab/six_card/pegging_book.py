"""The pegging book: packs average strategies of pegging, and unpacks them to measure the book."""

import zlib
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fifteentwo.fast.compiled import compiled
from fifteentwo.strategy.files import split_file
from fifteentwo.strategy.pegging import MAGIC, PeggingBook
from lab.cfr import BRANCH_COUNT, Bytes, Cells, Ints
from lab.files import join_file, write_whole
from lab.six_card.pegging import REMAINING_SHAPE, PeggingGame
from lab.six_card.tree import Tree, build_tree
from lab.six_card.tree_kernels import Nodes

_KERNELS = "lab.six_card.pegging_book_kernels"


class Block(NamedTuple):
    """The decision nodes after one lead and reply, sorted by their history of cards and goes."""

    history: Ints
    """The history of each node as a number: base-15 digits, rank + 1 or 14 for a go."""
    nodes: Nodes
    at: Ints
    """Index of the first packed byte of each node."""
    size: int
    """Number of packed bytes of all nodes."""


def _blocks(tree: Tree) -> list[Block]:
    bounds = [*tree.states.node[list(tree.branches)].tolist(), len(tree.nodes.history)]
    blocks = []
    for first, stop in pairwise(bounds):
        part = slice(first, stop)
        nodes = Nodes(*(array[part] for array in tree.nodes))
        legal = np.bitwise_count(nodes.ranks).astype(np.int64)
        size = np.where(nodes.cards == 3, legal * 91, legal * (legal - 1) // 2)
        # Bytes keep the order of the walk, which compresses well; only the index is sorted.
        at = np.concatenate([[0], np.cumsum(size)])
        order = np.argsort(nodes.history, kind="stable")
        nodes = Nodes(*(array[order] for array in nodes))
        blocks.append(Block(nodes.history, nodes, at[:-1][order], int(at[-1])))
    return blocks


def _top(cells: Cells) -> bytes:
    """Return the packed strategies of the lead and of the replies, in 255ths."""
    rows = [PeggingGame.hands.action_probabilities(table) for table in (cells.lead, *cells.reply)]
    return np.floor(np.array(rows) * 255 + 0.5).astype(np.uint8).tobytes()


def _packed(cells: Cells, block: Block, least: int) -> Bytes:
    """Return the average strategies of a block in 255ths; probabilities below `least` become 0."""
    packed = np.zeros(block.size, np.uint8)
    compiled(_KERNELS).encode_cells(cells.rest, block.nodes, block.at, packed)
    packed[packed < least] = 0
    packed[packed > 255 - least] = 255
    return packed


def write_book(tree: Tree, cells: Cells, path: Path, about: dict[str, Any], least: int = 0) -> None:
    """Write average strategies of pegging as the file of a `PeggingBook`.

    After the reply, probabilities below `least` 255ths become 0: these leftovers of the first iterations take
    half the space and gain nothing.
    """
    top = zlib.compress(_top(cells), 9)
    body = [top]
    offset = len(top)
    blocks = []
    for block in _blocks(tree):
        history, at = block.history, block.at
        packed = _packed(cells, block, least)
        steps = np.diff(history, prepend=0).astype(np.uint64).view(np.uint8).reshape(-1, 8).T
        offsets = at.astype(np.uint32).view(np.uint8).reshape(-1, 4).T[:3]
        raw = steps.tobytes() + offsets.tobytes() + packed.tobytes()
        small = zlib.compress(raw, 9)
        blocks.append([offset, len(small), len(history)])
        offset += len(small)
        body.append(small)
    header = {**about, "top": len(top), "blocks": blocks}
    write_whole(path, join_file(MAGIC, header, b"".join(body)))


def add_to_header(path: Path, about: dict[str, Any]) -> None:
    """Add entries to the header of a book's file."""
    header, body = split_file(path.name, path.read_bytes(), MAGIC)
    del header["digest"]
    write_whole(path, join_file(MAGIC, {**header, **about}, bytes(body)))


def read_cells(tree: Tree, book: PeggingBook) -> Cells:
    """Return the strategies of a book as cells, so that their exploitability can be measured."""
    cells = Cells.zeros(REMAINING_SHAPE, tree.cells)
    top = np.frombuffer(book.top, np.uint8).reshape(14, 13, 455).astype(np.float32)
    cells.lead[:], cells.reply[:] = top[0], top[1:]
    for (_, nodes, at, _), branch in zip(_blocks(tree), tree.branches, strict=True):
        compiled(_KERNELS).decode_cells(book.branch(branch).cells, nodes, at, cells.rest)
    return cells


def prepare() -> None:
    """Compile the kernels, or load them."""
    tree = build_tree([BRANCH_COUNT - 1])
    cells, kernels = Cells.zeros(REMAINING_SHAPE, tree.cells), compiled(_KERNELS)
    for _, nodes, at, size in _blocks(tree):
        packed = np.zeros(size, np.uint8)
        kernels.encode_cells(cells.rest, nodes, at, packed)
        # Arrays of a book are read-only.
        packed.setflags(write=False)
        kernels.decode_cells(packed, nodes, at, cells.rest)
