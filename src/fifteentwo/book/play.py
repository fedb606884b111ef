"""The play from a solved table: own cards and what was laid, in, a probability for each card, out.

Pure Python and NumPy: a deal's first lookup unpacks one block (about 2 ms), later ones take microseconds.
Ranks are 1–13 (ace low), roles "pone" and "dealer"; suits, starter and the own discards play no part.
"""

import mmap
import zlib
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.book.files import data_file, map_file, split_file
from fifteentwo.rules.errors import FifteenTwoError

Role = Literal["pone", "dealer"]
Laid = tuple[Role, int | None]
"""One public act of the play: a role and the rank laid, or None for a go."""

MAGIC = b"FIFTEENTWO PEGGING 1\n"
FILE = "pegging.book"

_TRIPLES: dict[tuple[int, ...], int] = {
    hand: i for i, hand in enumerate(combinations_with_replacement(range(13), 3))
}
_PAIRS: dict[tuple[int, ...], int] = {
    hand: i for i, hand in enumerate(combinations_with_replacement(range(13), 2))
}


class ImpossiblePlay(FifteenTwoError, ValueError):
    """Cards and a history that no deal of two hands of four can have."""

    code = "impossible-play"


class Position(NamedTuple):
    """Where the play stands, from the public acts alone."""

    turn: int
    """0 pone, 1 dealer."""
    total: int
    """The running count."""
    pile: tuple[int, ...]
    """Ranks 0–12 of the present count, in order."""
    held: tuple[int, int]
    """Cards left to pone and dealer."""
    code: int
    """The history in base 15: rank + 1, go 14."""
    seen: tuple[int, ...]
    low: tuple[int, int]
    """A go shows that every card left counts more than this."""
    last: int
    gone: bool


def value_of(rank: int) -> int:
    """Counting value of a rank 0–12 (R7)."""
    return min(rank + 1, 10)


_START = Position(0, 0, (), (4, 4), 0, (0,) * 13, (0, 0), 1, False)


@lru_cache(maxsize=4096)
def follow(history: tuple[Laid, ...], actor: Role | None = None) -> Position:
    """The position after `history`; unsaid passes are filled in so that it is `actor`'s turn.

    Raises ImpossiblePlay where the acts break R53–R66 or use a fifth card of a rank.

    >>> follow((("pone", 10), ("dealer", 13), ("pone", 11), ("dealer", None)), "dealer")[:3]
    (1, 0, ())
    """
    here = _START
    for role, rank in history:
        side = _side(role)
        if rank is None and here.held[side] == 0 and here.turn != side:
            continue
        while here.turn != side and _may_pass(here):
            here = _pass(here)
        if here.turn != side:
            raise ImpossiblePlay(f"It is not the {role}'s turn after {here.total}.")
        if rank is None:
            if not _may_pass(here):
                raise ImpossiblePlay(f"The {role} has no go to say at {here.total}.")
            here = _pass(here)
        else:
            if not 1 <= rank <= 13:
                raise ImpossiblePlay(f"{rank} is no rank.")
            here = _lay(here, rank - 1)
    if actor is not None:
        while here.turn != _side(actor) and _may_pass(here):
            here = _pass(here)
        if here.turn != _side(actor):
            raise ImpossiblePlay(f"It is not the {actor}'s turn.")
    return here


def _side(role: Role) -> int:
    if role not in ("pone", "dealer"):
        raise ImpossiblePlay(f"{role!r} is neither pone nor dealer.")
    return 0 if role == "pone" else 1


def _may_pass(here: Position) -> bool:
    """Whether the side on turn can have nothing to lay: no cards, or a count above 21."""
    return here.total > 0 and (here.held[here.turn] == 0 or here.total > 21)


def _pass(here: Position) -> Position:
    """A go, said or not: the other side goes on, or the count ends (R57, R58, R65)."""
    turn = here.turn
    low = list(here.low)
    low[turn] = max(low[turn], 31 - here.total)
    code = here.code * 15 + 14
    other = 1 - turn
    if here.gone or here.held[other] == 0:
        lead = 1 - here.last if here.held[1 - here.last] else here.last
        return here._replace(turn=lead, total=0, pile=(), code=code, low=(low[0], low[1]), gone=False)
    return here._replace(turn=other, code=code, low=(low[0], low[1]), gone=True)


def _lay(here: Position, rank: int) -> Position:
    turn = here.turn
    count = here.total + value_of(rank)
    seen = list(here.seen)
    seen[rank] += 1
    if here.held[turn] == 0 or count > 31 or seen[rank] > 4 or value_of(rank) <= here.low[turn]:
        raise ImpossiblePlay(f"Rank {rank + 1} cannot be laid at {here.total}.")
    held = (here.held[0] - (turn == 0), here.held[1] - (turn == 1))
    code = here.code * 15 + rank + 1
    if count == 31:
        lead = 1 - turn if held[1 - turn] else turn
        return Position(lead, 0, (), held, code, tuple(seen), here.low, turn, False)
    stays = here.gone or held[1 - turn] == 0
    return Position(
        turn if stays else 1 - turn,
        count,
        (*here.pile, rank),
        held,
        code,
        tuple(seen),
        here.low,
        turn,
        here.gone,
    )


def card_points(pile: Sequence[int], count: int) -> int:
    """Points of the last card of a pile of ranks 0–12 at `count` (R59, R68–R73)."""
    points = 2 if count in (15, 31) else 0
    alike = 1
    while alike < len(pile) and pile[-1 - alike] == pile[-1]:
        alike += 1
    points += alike * (alike - 1)
    for size in range(len(pile), 2, -1):
        last = sorted(pile[-size:])
        if last[-1] - last[0] == size - 1 and len(set(last)) == size:
            return points + size
    return points


@lru_cache(maxsize=65536)
def most_alone(cards: tuple[int, ...], pile: tuple[int, ...], count: int) -> tuple[int, int]:
    """(points, best card or -1) of laying ranks 0–12 alone to the end, the other side without cards."""
    best = (-1, -1)
    for card in dict.fromkeys(cards):
        total = count + value_of(card)
        if total > 31:
            continue
        rest = list(cards)
        rest.remove(card)
        points = card_points((*pile, card), total)
        if not rest:
            points += total != 31
        elif total == 31:
            points += most_alone(tuple(rest), (), 0)[0]
        elif all(total + value_of(c) > 31 for c in rest):
            points += 1 + most_alone(tuple(rest), (), 0)[0]
        else:
            points += most_alone(tuple(rest), (*pile, card), total)[0]
        if points > best[0]:
            best = (points, card)
    if best[1] < 0:
        return most_alone(cards, (), 0)
    return best


class Block(NamedTuple):
    """One lead and reply: decision nodes by history, and their strategies at 8 bits."""

    codes: npt.NDArray[np.uint64]
    at: npt.NDArray[np.uint32]
    cells: bytes


class PeggingBook:
    """An equilibrium of the play: who holds what, what was laid, how often each card.

    File: as solved_tables.split_file reads it; the header adds `top` (size) and `blocks` (offset, size,
    nodes), the body is zlib blocks. Block lead·13 + reply holds its decision nodes with three or two own
    cards against a hand that is not empty. A node of two own cards: one byte for each two legal ranks r < s,
    in order, the share of 255 with which r is laid. A node of three: a row of 91 bytes (the pair that stays)
    for each legal rank. Top block: 13 rows of 455 bytes for the lead, 13 × 13 rows for the reply. A block
    itself: eight planes of bytes of the differences of its sorted history codes, three planes of offsets,
    the cells.
    """

    def __init__(self, data: bytes | mmap.mmap, name: str = "pegging.book") -> None:
        """Check and index a book; raises DamagedTable. About 15 ms, and 2 ms for each block first used."""
        self.name = name
        self.header, self._body = split_file(name, data, MAGIC)
        self.top = zlib.decompress(self._body[: self.header["top"]])
        self._blocks: dict[int, Block] = {}

    def block(self, branch: int) -> Block:
        """Unpack the strategies after one lead and reply (ranks 0–12, lead·13 + reply)."""
        found = self._blocks.get(branch)
        if found is None:
            offset, packed, nodes = self.header["blocks"][branch]
            raw = zlib.decompress(self._body[offset : offset + packed])
            steps = np.frombuffer(raw, dtype=np.uint8, count=nodes * 8).reshape(8, nodes)
            codes = np.cumsum(np.ascontiguousarray(steps.T).view(np.uint64).ravel(), dtype=np.uint64)
            offsets = np.frombuffer(raw, dtype=np.uint8, count=nodes * 3, offset=nodes * 8).reshape(3, nodes)
            wide = np.zeros((nodes, 4), dtype=np.uint8)
            wide[:, :3] = offsets.T
            found = Block(codes, wide.view(np.uint32).ravel(), raw[nodes * 11 :])
            self._blocks[branch] = found
        return found

    def strategy(self, own: Sequence[int], history: Sequence[Laid], role: Role) -> dict[int, float]:
        """Probability of each rank to lay now, for the `role` whose cards left are `own` (ranks 1–13).

        `history`: every card laid in this deal and every go, in order, as (role, rank) and (role, None); a
        pass of the side that laid the last card, or of one without cards, may be left out.
        No card fits: {}, a go.
        Raises ImpossiblePlay.

        >>> book = load_pegging_book()
        >>> chances = book.strategy((4, 5, 6, 11), (), "pone")
        >>> round(sum(chances.values()), 6), sorted(chances)
        (1.0, [4, 5, 6, 11])
        """
        here = follow(tuple((who, rank) for who, rank in history), role)
        side = here.turn
        cards = tuple(sorted(rank - 1 for rank in own))
        if len(cards) != here.held[side]:
            raise ImpossiblePlay(f"The {role} has {here.held[side]} cards left, not {len(cards)}.")
        seen = list(here.seen)
        for card in cards:
            if not 0 <= card <= 12:
                raise ImpossiblePlay(f"{card + 1} is no rank.")
            seen[card] += 1
            if seen[card] > 4:
                raise ImpossiblePlay(f"Five cards of rank {card + 1}.")
        legal = [c for c in dict.fromkeys(cards) if here.total + value_of(c) <= 31]
        if not legal and here.last == side and here.held[1 - side] == 0:
            # Alone, one says nothing when a count is full: it has ended.
            here = _pass(here)
            legal = list(dict.fromkeys(cards))
        if not legal:
            return {}
        if len(legal) == 1:
            return {legal[0] + 1: 1.0}
        if here.held[1 - side] == 0:
            return {most_alone(cards, here.pile, here.total)[1] + 1: 1.0}
        shares = [self._share(cards, card, here, history) for card in legal]
        total = sum(shares)
        if total <= 0:
            return {card + 1: 1 / len(legal) for card in legal}
        return {card + 1: share / total for card, share in zip(legal, shares, strict=True)}

    def _share(self, cards: tuple[int, ...], card: int, here: Position, history: Sequence[Laid]) -> int:
        """The stored share (0–255) of one legal card."""
        rest = list(cards)
        rest.remove(card)
        if len(cards) == 4:
            row = card if here.turn == 0 else 13 + 13 * (here.code - 1) + card
            return self.top[row * 455 + _TRIPLES[tuple(rest)]]
        first, second = (rank for _, rank in history[:2])
        assert first is not None
        assert second is not None
        block = self.block((first - 1) * 13 + second - 1)
        where = int(np.searchsorted(block.codes, np.uint64(here.code)))
        if where == len(block.codes) or int(block.codes[where]) != here.code:
            return 1
        at = int(block.at[where])
        room = 31 - here.total
        low = here.low[here.turn]
        ranks = [r for r in range(13) if low < value_of(r) <= room and here.seen[r] < 4]
        place = ranks.index(card)
        if len(cards) == 3:
            return block.cells[at + place * 91 + _PAIRS[tuple(rest)]]
        other = rest[0]
        if other not in ranks:
            return 1
        one, two = sorted((place, ranks.index(other)))
        size = len(ranks)
        share = block.cells[at + one * (2 * size - one - 1) // 2 + two - one - 1]
        return share if place == one else 255 - share


def read_pegging_book(path: Path) -> PeggingBook:
    """A book from a file; raises DamagedTable."""
    return PeggingBook(map_file(path), path.name)


@cache
def load_pegging_book() -> PeggingBook:
    """The book that ships, for net points. Raises DamagedTable."""
    return read_pegging_book(data_file(FILE))


class BookArrays(NamedTuple):
    """A whole book, unpacked for loops: 30 MB."""

    codes: npt.NDArray[np.int64]
    at: npt.NDArray[np.int64]
    cells: npt.NDArray[np.uint8]
    starts: npt.NDArray[np.int64]
    """(170,) the first node of each block."""
    top: npt.NDArray[np.uint8]


@cache
def book_arrays(book: PeggingBook) -> BookArrays:
    """Every block of a book, one after another; 0.4 s."""
    starts = [0]
    codes, at, cells = [], [], []
    size = 0
    for branch in range(169):
        block = book.block(branch)
        codes.append(block.codes.astype(np.int64))
        at.append(block.at.astype(np.int64) + size)
        cells.append(np.frombuffer(block.cells, np.uint8))
        size += len(cells[-1])
        starts.append(starts[-1] + len(codes[-1]))
    return BookArrays(
        np.concatenate(codes),
        np.concatenate(at),
        np.concatenate(cells),
        np.array(starts, np.int64),
        np.frombuffer(book.top, np.uint8),
    )
