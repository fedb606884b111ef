"""Average strategies of the play to the table that ships, and back."""

import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.book.files import join_file, split_file
from fifteentwo.book.play import MAGIC, PeggingBook
from fifteentwo.solver import pegging_pack as peg_pack
from fifteentwo.solver.regret import Cells, Tree, _mix

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]


def _layout(tree: Tree) -> list[tuple[Ints, Ints, Ints, int]]:
    """Per branch: node codes and packed cells in order of code, first byte of each, bytes in all."""
    bounds = [*tree.starts[:, 4].tolist(), len(tree.node_code)]
    found = []
    for branch in range(169):
        part = slice(bounds[branch], bounds[branch + 1])
        codes, cells = tree.node_code[part], tree.node_cell[part]
        legal = np.zeros(len(cells), dtype=np.int64)
        for rank in range(13):
            legal += cells >> rank & 1
        size = np.where(cells >> 13 & 1, legal * 91, legal * (legal - 1) // 2)
        # Bytes follow the walk, where like stands beside like; only the index is sorted.
        at = np.concatenate([[0], np.cumsum(size)])
        order = np.argsort(codes, kind="stable")
        found.append((codes[order], cells[order], at[:-1][order], int(at[-1])))
    return found


def _top(cells: Cells) -> bytes:
    rows = [_mix(cells.lead), *(_mix(cells.reply[card]) for card in range(13))]
    return np.floor(np.array(rows) * 255 + 0.5).astype(np.uint8).tobytes()


def write_book(tree: Tree, cells: Cells, path: Path, about: dict[str, Any], least: int = 0) -> None:
    """Write the average strategies `cells` as a PeggingBook.

    After the reply shares below `least` of 255 count as none: what is left over from the first iterations
    takes half the room and gains nothing.
    """
    top = zlib.compress(_top(cells), 9)
    body = [top]
    offset = len(top)
    blocks = []
    for codes, nodes, at, size in _layout(tree):
        packed = np.zeros(size, dtype=np.uint8)
        peg_pack.pack_cells(cells.rest, nodes, at, packed)
        packed[packed < least] = 0
        packed[packed > 255 - least] = 255
        steps = np.diff(codes, prepend=0).astype(np.uint64).view(np.uint8).reshape(-1, 8).T
        offsets = at.astype(np.uint32).view(np.uint8).reshape(-1, 4).T[:3]
        raw = steps.tobytes() + offsets.tobytes() + packed.tobytes()
        block = zlib.compress(raw, 9)
        blocks.append([offset, len(block), len(codes)])
        offset += len(block)
        body.append(block)
    header = {**about, "price": tree.price, "top": len(top), "blocks": blocks}
    path.write_bytes(join_file(MAGIC, header, b"".join(body)))


def add_to_header(path: Path, about: dict[str, Any]) -> None:
    """Say more about a book that is written, its strategies and their digest untouched."""
    header, body = split_file(path.name, path.read_bytes(), MAGIC)
    del header["digest"]
    path.write_bytes(join_file(MAGIC, {**header, **about}, bytes(body)))


def read_cells(tree: Tree, book: PeggingBook) -> Cells:
    """The strategies of a book as cells of the walk, to measure what ships."""
    cells = Cells.zeros(tree.cells)
    top = np.frombuffer(book.top, dtype=np.uint8).reshape(14, 13, 455).astype(np.float32)
    cells.lead[:] = top[0]
    cells.reply[:] = top[1:]
    for branch, (_, nodes, at, _) in enumerate(_layout(tree)):
        packed: Bytes = book.branch(branch).cells
        peg_pack.unpack_cells(packed, nodes, at, cells.rest)
    return cells
