"""The five-card table: packs a joint solution, and unpacks it to measure or play it."""

import zlib
from collections.abc import Mapping
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.five_card import fitting
from fifteentwo.fast.hands import UP2, UP3, copies
from fifteentwo.fast.play import value_of
from fifteentwo.strategy import five_card
from fifteentwo.strategy.files import read_tables
from fifteentwo.strategy.five_card import ROLES, SLOTS, SPLITS, STEPS
from fifteentwo.strategy.pegging_points import dealt_ranks
from lab.cfr import Bytes, Cells, Doubles
from lab.files import write_tables
from lab.five_card.discards import Discards, fractions
from lab.five_card.joint import Joint
from lab.five_card.pegging import FiveCardPegging, branch_cells
from lab.five_card.types import deck
from lab.six_card.discard_book import decode_strategy, encode_strategy, index_arrays


class Steps(NamedTuple):
    """The pegging strategy with one starter, in sevenths: a byte for each choice."""

    first: Bytes
    """(14, 455, 91) the lead and the reply to each of 13 leads, by hand: row numbers of `SPLITS`."""
    is_first_possible: npt.NDArray[np.bool_]
    """(14, 455, 91) whether one deck can hold these cards, so that the choice can occur."""
    rest: Bytes
    """(cells / 2,) a side's second card: probability of the lower of two ranks, in sevenths."""
    is_rest_reached: npt.NDArray[np.bool_]
    """(cells / 2,) whether the side's strategy ever leads to the choice in `rest`."""


def write(joint: Joint, path: Path, about: dict[str, Any]) -> None:
    """Write average discards and pegging strategies to a file in the format of the shipped table."""
    arrays = index_arrays(dealt_ranks(3))
    for role, each in zip(ROLES, joint.discards, strict=True):
        arrays[f"{role}_options"], arrays[f"{role}_probability"] = encode_strategy(each.total)
    often = [fractions(each.average()) for each in discards(arrays)]
    games = [_steps(starter, game.total) for starter, game in enumerate(joint.games)]
    packed = [_filled([(game.first[n], game.is_first_possible[n]) for game in games]) for n in range(14)]
    starts = np.array(branch_cells()) // 2
    for start, end in pairwise(starts):
        packed.append(_filled([(game.rest[start:end], game.is_rest_reached[start:end]) for game in games]))
    packed += [np.rint(each * 65535).astype("<u2").tobytes() for each in often]
    blocks = [zlib.compress(block, 9) for block in packed]
    arrays["block_start"] = np.cumsum([0, *map(len, blocks)])
    arrays["blocks"] = np.frombuffer(b"".join(blocks), np.uint8)
    write_tables(path, about, arrays)


def read(path: Path, threads: int = 2) -> Joint:
    """Return the strategies of a table as a solution that can be measured, but not trained further; 2 GB."""
    arrays = read_tables(path).arrays
    joint = Joint.empty(threads=threads)
    blocks = [five_card.unpacked(arrays, number) for number in range(five_card.TYPES)]
    for starter, game in enumerate(joint.games):
        game.total = cells(blocks, starter)
    joint.adopt(discards(arrays))
    return joint


def cells(blocks: list[Bytes], starter: int) -> Cells:
    """Return one starter's pegging strategies as cells. starter: rank 0–12. blocks: the unpacked table."""
    first = [five_card.by_rank(block, starter).astype(np.float32) for block in blocks[: five_card.REST]]
    lower = np.concatenate([block[starter::13] for block in blocks[five_card.REST :]]).astype(np.float32)
    return Cells(first[0], np.array(first[1:]), np.stack([lower, STEPS - lower], axis=1).ravel())


def discards(arrays: Mapping[str, npt.NDArray[Any]]) -> tuple[Discards, Discards]:
    """Return the pone's and the dealer's discards from the arrays of a table."""
    pone, dealer = (
        Discards(at, total=decode_strategy(arrays[f"{role}_options"], arrays[f"{role}_probability"])[:, :10])
        for at, role in enumerate(ROLES)
    )
    return pone, dealer


def _steps(starter: int, cells: Cells) -> Steps:
    """Return the strategy in `cells` rounded to sevenths."""
    left = deck(starter)
    held = copies(3)[:, None] + copies(2)
    can_be = np.asarray((held <= left).all(axis=2))
    first = np.zeros((14, 455, 91), np.uint8)
    used = np.zeros((14, 455, 91), np.bool_)
    numbers = np.zeros((STEPS + 1, STEPS + 1), np.uint8)
    numbers[SPLITS[:, 0], SPLITS[:, 1]] = np.arange(len(SPLITS))
    splits = []
    for at, table in enumerate((cells.lead, *cells.reply)):
        three = np.zeros((455, 91, 3))
        by_rank = FiveCardPegging.hands.action_probabilities(table)
        for rank in range(13):
            three[UP3[rank], :, SLOTS[rank]] = by_rank[rank]
        rounded = _sevenths(three)
        first[at] = numbers[rounded[..., 0], rounded[..., 1]]
        used[at] = can_be if at == 0 else can_be & (held[..., at - 1] < left[at - 1])
        splits.append(rounded)
    low, high = cells.rest.reshape(-1, 2).T
    low, high = np.maximum(low, 0), np.maximum(high, 0)
    whole = low + high
    lower = np.rint(STEPS * low / np.where(whole > 0, whole, 1)).astype(np.uint8)
    return Steps(first, used, lower, (whole > 0) & _reached(splits, can_be))


def _sevenths(chance: Doubles) -> Bytes:
    """Round probabilities (…, 3) to sevenths that add up to 7."""
    scaled = chance * STEPS
    steps = np.floor(scaled + 1e-6)
    missing = STEPS - steps.sum(axis=-1, keepdims=True)
    order = np.argsort(np.argsort(steps - scaled, axis=-1, kind="stable"), axis=-1)
    return np.asarray(steps + (order < missing), dtype=np.uint8)


def _reached(splits: list[Bytes], can_be: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return (cells / 2,) whether the side's own first card, in these sevenths, can lead to each decision."""
    plays = [can_be[UP3] & (np.swapaxes(split, 1, 2)[UP3, SLOTS] > 0) for split in splits]
    parts = []
    for lead, reply in product(range(13), repeat=2):
        parts.append(plays[0][lead][_different(13)])
        count = value_of(lead) + value_of(reply)
        parts += [plays[1 + lead][reply][_different(fitting(count + value_of(rank)))] for rank in range(13)]
    return np.concatenate(parts).ravel()


@cache
def _different(ranks: int) -> list[int]:
    return [int(UP2[pair]) for pair in combinations(range(ranks), 2)]


def _filled(games: list[tuple[Bytes, npt.NDArray[np.bool_]]]) -> bytes:
    """Return each choice's bytes with all starters in turn. Unused bytes repeat the byte before them."""
    values = np.stack([each.ravel() for each, _ in games], axis=1).ravel()
    used = np.stack([each.ravel() for _, each in games], axis=1).ravel()
    return values[np.maximum.accumulate(np.where(used, np.arange(len(values)), 0))].tobytes()
