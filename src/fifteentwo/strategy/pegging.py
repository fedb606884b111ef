"""Pegging from a solved table: own cards and the cards played give a probability for each card.

Pure Python and NumPy: the first look-up of a deal unpacks one block (about 2 ms), later ones take
microseconds. Ranks are 1–13 (ace low), roles "pone" and "dealer"; suits, the starter and the own discards do
not matter.
"""

import mmap
import zlib
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast import play
from fifteentwo.fast.book_policy import BookArrays, hand_policy
from fifteentwo.fast.hands import number_by_digits
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.files import data_file, map_file, split_file

Act = tuple[Role, int | None]
"""One public act of pegging: a role and the rank played, or None for a go."""

MAGIC = b"FIFTEENTWO PEGGING 1\n"
"""First bytes of a pegging book."""
FILE = "pegging.book"
BRANCHES = 13 * 13
"""Number of pairs of lead and reply."""
HIGHEST_VALUE = 10
"""Counting value of the highest cards; every card fits at a count of 31 less this value."""


class ImpossiblePlay(FifteenTwoError, ValueError):
    """Error: these cards and this history cannot occur in a deal."""

    code = "impossible-play"
    # The message says more than the sentence of the command line.
    __str__ = Exception.__str__


class Position(NamedTuple):
    """The public state of pegging after a history."""

    turn: int
    """0 for the pone, 1 for the dealer."""
    total: int
    """The running count."""
    pile: tuple[int, ...]
    """Ranks (0–12) of the running count, in order."""
    held: tuple[int, int]
    """Numbers of cards that pone and dealer hold."""
    seen: tuple[int, ...]
    """Number of cards played of each rank."""
    low: tuple[int, int]
    """Counting values that all cards of pone and dealer exceed, as their goes have shown."""
    last: int
    """Side that played the last card: 0 for the pone, 1 for the dealer."""
    gone: bool
    """Whether a side has said go in this count."""
    public: tuple[int, ...]
    """The state as an array `public` of `fast.play`."""


def starting() -> npt.NDArray[np.int64]:
    """Return the public state of `fast.play` before the first card."""
    public = np.zeros(play.WIDTH, np.int64)
    public[play.LAST] = 1
    public[play.HELD : play.HELD + 2] = 4
    return public


class _History:
    """The acts of one deal's pegging, added one after another."""

    def __init__(self) -> None:
        self.public: list[int] = starting().tolist()
        self.pile: list[int] = []

    def may_be_go(self) -> bool:
        """Return whether the side on turn may be unable to play."""
        count = self.public[play.COUNT]
        held = self.public[play.HELD + self.public[play.TURN]]
        return count > 0 and (held == 0 or not play.playable(count, HIGHEST_VALUE))

    def add_goes_until(self, side: int) -> bool:
        """Add goes that were not written down until this side is on turn; return False if impossible."""
        while self.public[play.TURN] != side and self.may_be_go():
            self.go()
        return self.public[play.TURN] == side

    def go(self) -> None:
        """Add a go: the other side continues, or the count ends (R57, R58, R65)."""
        then = [0] * play.WIDTH
        play.go(self.public, then)
        self.public = then

    def play(self, rank: int) -> None:
        """Add a card of this rank (0–12); raise ImpossiblePlay if it cannot be played."""
        public, value = self.public, play.value_of(rank)
        turn, count = public[play.TURN], public[play.COUNT]
        fits = play.playable(count, value) and value > public[play.LOWS + turn]
        if not fits or public[play.HELD + turn] == 0 or public[play.SEEN + rank] == 4:
            raise ImpossiblePlay(f"Rank {rank + 1} cannot be played at {count}.")
        then = [0] * play.WIDTH
        play.play_rank(public, then, rank)
        self.public = then
        self.pile.append(rank)

    def position(self) -> Position:
        public = self.public
        return Position(
            public[play.TURN],
            public[play.COUNT],
            tuple(self.pile[public[play.START] : public[play.END]]),
            (public[play.HELD], public[play.HELD + 1]),
            tuple(public[play.SEEN : play.SEEN + 13]),
            (public[play.LOWS], public[play.LOWS + 1]),
            public[play.LAST],
            bool(public[play.GONE]),
            tuple(public),
        )


@lru_cache(maxsize=4096)
def follow(history: tuple[Act, ...], actor: Role | None = None) -> Position:
    """Return the position after `history`, with goes that were left out added until `actor` is on turn.

    Raises ImpossiblePlay if the acts break R53–R66 or use a fifth card of a rank.

    >>> follow((("pone", 10), ("dealer", 13), ("pone", 11), ("dealer", None)), "dealer")[:3]
    (1, 0, ())
    """
    acts = _History()
    for role, rank in history:
        side = _side_of(role)
        if rank is None and acts.public[play.HELD + side] == 0 and acts.public[play.TURN] != side:
            continue
        if not acts.add_goes_until(side):
            raise ImpossiblePlay(f"It is not the {role}'s turn after {acts.public[play.COUNT]}.")
        if rank is None:
            if not acts.may_be_go():
                raise ImpossiblePlay(f"The {role} has no go to say at {acts.public[play.COUNT]}.")
            acts.go()
        elif 1 <= rank <= 13:
            acts.play(rank - 1)
        else:
            raise ImpossiblePlay(f"{rank} is no rank.")
    if actor is not None and not acts.add_goes_until(_side_of(actor)):
        raise ImpossiblePlay(f"It is not the {actor}'s turn.")
    return acts.position()


def _side_of(role: Role) -> int:
    if role not in ("pone", "dealer"):
        raise ImpossiblePlay(f"{role!r} is neither pone nor dealer.")
    return 0 if role == "pone" else 1


@lru_cache(maxsize=65536)
def most_alone(cards: tuple[int, ...], pile: tuple[int, ...], count: int) -> tuple[int, int]:
    """Return the most points, and the first card, of ascending ranks 0–12 against a side without cards."""
    buffer = [*pile, *cards]
    best = play.play_alone(buffer, 0, len(pile), count, cards, len(cards))
    return best.points, best.first


class PeggingBook:
    """An equilibrium of pegging: the probability of each card by own cards and history.

    The file format is that of `strategy.files.split_file`. The header adds `top` (size) and `blocks` (offset,
    size, nodes); the body is zlib blocks. Block lead·13 + reply contains the decision nodes with two or three
    own cards against a hand that is not empty. A node of two own cards has one byte for each two legal ranks
    r < s in order: 255 times the probability of r. A node of three has a row of 91 bytes (the remaining pair)
    for each legal rank. The top block has 13 rows of 455 bytes for the lead and 13 × 13 rows for the reply. A
    block consists of eight planes of bytes of the differences of its sorted history codes, three planes of
    offsets, and the cells.
    """

    def __init__(self, data: bytes | mmap.mmap, name: str = "pegging.book") -> None:
        """Check and index a book; raise DamagedTable. About 15 ms, and 2 ms for each block at first use."""
        self.name = name
        self.header, self._body = split_file(name, data, MAGIC)
        self.top = zlib.decompress(self._body[: self.header["top"]])
        self._branches: dict[int, BookArrays] = {}

    def branch(self, branch: int) -> BookArrays:
        """Return the strategies after one lead and reply (ranks 0–12; branch: lead * 13 + reply)."""
        if branch not in self._branches:
            self._branches[branch] = self._unpack(branch)
        return self._branches[branch]

    def _unpack(self, branch: int) -> BookArrays:
        offset, packed, nodes = self.header["blocks"][branch]
        raw = zlib.decompress(self._body[offset : offset + packed])
        steps = np.frombuffer(raw, dtype=np.uint8, count=nodes * 8).reshape(8, nodes)
        codes = np.cumsum(np.ascontiguousarray(steps.T).view(np.uint64).ravel(), dtype=np.uint64)
        offsets = np.frombuffer(raw, dtype=np.uint8, count=nodes * 3, offset=nodes * 8).reshape(3, nodes)
        wide = np.zeros((nodes, 4), dtype=np.uint8)
        wide[:, :3] = offsets.T
        starts = np.zeros(BRANCHES + 1, np.int64)
        starts[branch + 1 :] = nodes
        return BookArrays(
            codes.astype(np.int64),
            wide.view(np.uint32).ravel().astype(np.int64),
            np.frombuffer(raw, np.uint8, offset=nodes * 11),
            starts,
            np.frombuffer(self.top, np.uint8),
        )

    def strategy(self, own: Sequence[int], history: Sequence[Act], role: Role) -> dict[int, float]:
        """Return the probability of each rank to play now, for a `role` that holds `own` (ranks 1–13).

        `history`: every card played in this deal and every go, in order, as (role, rank) and (role, None); a
        go of the side that played the last card, or of one without cards, may be left out.
        Return {} for a go. Raise ImpossiblePlay.

        >>> book = load_pegging_book()
        >>> chances = book.strategy((4, 5, 6, 11), (), "pone")
        >>> round(sum(chances.values()), 6), sorted(chances)
        (1.0, [4, 5, 6, 11])
        """
        position = follow(tuple((who, rank) for who, rank in history), role)
        side = position.turn
        cards = tuple(sorted(rank - 1 for rank in own))
        _must_be_possible(cards, position, role)
        pile, count = position.pile, position.total
        if (
            position.last == side
            and position.held[1 - side] == 0
            and all(_exceeds_31(card, count) for card in cards)
        ):
            # A side that plays alone says no go: a full count has ended.
            pile, count = (), 0
        legal = [card for card in dict.fromkeys(cards) if not _exceeds_31(card, count)]
        if not legal:
            return {}
        if len(legal) == 1:
            return {legal[0] + 1: 1.0}
        if position.held[1 - side] == 0:
            return {most_alone(cards, pile, count)[1] + 1: 1.0}
        weights = self._stored(cards, position)
        total = sum(weights.values())
        if total <= 0:
            return {card + 1: 1 / len(legal) for card in legal}
        return {card + 1: weight / total for card, weight in weights.items()}

    def _stored(self, cards: tuple[int, ...], position: Position) -> dict[int, float]:
        """Return the stored weight of each rank that can be played."""
        branch = self.branch(position.public[play.LEAD] * 13 + position.public[play.REPLY])
        book = (*branch, number_by_digits(3), number_by_digits(2))
        weights = [0.0] * len(cards)
        hand_policy(book, position.public, cards, len(cards), weights)
        return {card: float(weight) for card, weight in zip(cards, weights, strict=True) if weight >= 0}


def _exceeds_31(card: int, count: int) -> bool:
    return not play.playable(count, play.value_of(card))


def _must_be_possible(cards: tuple[int, ...], position: Position, role: Role) -> None:
    """Raise ImpossiblePlay if the side on turn cannot hold these ranks now."""
    if len(cards) != position.held[position.turn]:
        raise ImpossiblePlay(f"The {role} has {position.held[position.turn]} cards left, not {len(cards)}.")
    for card in cards:
        if not 0 <= card <= 12:
            raise ImpossiblePlay(f"{card + 1} is no rank.")
        if position.seen[card] + cards.count(card) > 4:
            raise ImpossiblePlay(f"Five cards of rank {card + 1}.")


def read_pegging_book(path: Path) -> PeggingBook:
    """Return a pegging book from a file; raise DamagedTable."""
    return PeggingBook(map_file(path), path.name)


@cache
def load_pegging_book() -> PeggingBook:
    """Return the shipped pegging book, which plays for net points; raise DamagedTable."""
    return read_pegging_book(data_file(FILE))


@cache
def book_arrays(book: PeggingBook) -> BookArrays:
    """Return all branches of a book, one after another: 30 MB, 0.4 s."""
    branches = [book.branch(number) for number in range(BRANCHES)]
    nodes = np.array([len(branch.codes) for branch in branches])
    sizes = np.array([len(branch.cells) for branch in branches])
    before = np.cumsum(sizes) - sizes
    return BookArrays(
        np.concatenate([branch.codes for branch in branches]),
        np.concatenate([branch.at + first for branch, first in zip(branches, before, strict=True)]),
        np.concatenate([branch.cells for branch in branches]),
        np.concatenate([[0], np.cumsum(nodes)]).astype(np.int64),
        branches[0].top,
    )
