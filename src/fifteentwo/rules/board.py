"""Two pegs a side, and where each score lies on either board (R115–R122, C18); drawing is for others."""

from enum import StrEnum

import msgspec

STREET = 30
"""Holes to a street."""


class Board(StrEnum):
    """A: one winding track of 120 holes (R119). B: two columns of 30 a side, twice round (R120)."""

    A = "A"
    B = "B"


class Column(StrEnum):
    """The columns of board B; up the outer, down the inner."""

    OUTER = "outer"
    INNER = "inner"


class HoleA(msgspec.Struct, frozen=True):
    """On board A: the street from 1, and the hole in it from 1."""

    street: int
    hole: int


class HoleB(msgspec.Struct, frozen=True):
    """On board B: the lap from 1, the column, and the row from 1 at the player's own end (R121)."""

    lap: int
    column: Column
    row: int


class Pegs(msgspec.Struct, frozen=True):
    """A side's two pegs (R115)."""

    front: int = 0
    rear: int = 0

    def move(self, points: int, target: int = 121) -> "Pegs":
        """The rear peg goes that many holes in front of the front peg (R116); 0 moves nothing."""
        if points == 0:
            return self
        return Pegs(min(self.front + points, target), self.front)


def hole_a(score: int) -> HoleA | None:
    """Where a score lies on board A; None for a start hole (0) and for the game hole past the last street.

    >>> hole_a(31)
    HoleA(street=2, hole=1)
    """
    if not 1 <= score <= 120:
        return None
    return HoleA((score - 1) // STREET + 1, (score - 1) % STREET + 1)


def hole_b(score: int) -> HoleB | None:
    """Where a score lies on board B; None for a start hole (0) and for the game hole.

    >>> hole_b(31)
    HoleB(lap=1, column=<Column.INNER: 'inner'>, row=30)
    """
    if not 1 <= score <= 120:
        return None
    lap, along = divmod(score - 1, 2 * STREET)
    if along < STREET:
        return HoleB(lap + 1, Column.OUTER, along + 1)
    return HoleB(lap + 1, Column.INNER, 2 * STREET - along)


def lines(target: int) -> dict[str, int]:
    """The holes before which the skunk and double-skunk lines stand: below them a loser is skunked (R18–R20).

    >>> lines(121)
    {'skunk': 91, 'double_skunk': 61}
    """
    # Other targets have none (C15).
    return {121: {"skunk": 91, "double_skunk": 61}, 61: {"skunk": 31}}.get(target, {})
