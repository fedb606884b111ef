"""The pegs of a side, and the hole of each score on both boards (R115–R122, C18); without drawing."""

from enum import StrEnum

import msgspec

STREET = 30
"""Holes in a street."""


class Board(StrEnum):
    """The boards."""

    A = "A"
    """One winding track of 120 holes (R119)."""
    B = "B"
    """Two columns of 30 holes, twice round (R120)."""


class Column(StrEnum):
    """The columns of board B: up the outer one, down the inner one."""

    OUTER = "outer"
    INNER = "inner"


class HoleA(msgspec.Struct, frozen=True):
    """A hole of board A."""

    street: int
    """Number of the street, from 1."""
    hole: int
    """Number of the hole in the street, from 1."""


class HoleB(msgspec.Struct, frozen=True):
    """A hole of board B."""

    lap: int
    """Number of the lap, from 1."""
    column: Column
    row: int
    """Number of the row, from 1 at the player's own end (R121)."""


class Pegs(msgspec.Struct, frozen=True):
    """The two pegs of a side (R115)."""

    front: int = 0
    """Score of the front peg, which is the side's score."""
    rear: int = 0
    """Score of the rear peg: the side's score before its last points."""

    def move(self, points: int, target: int = 121) -> "Pegs":
        """Return the pegs after the rear peg passes the front peg by `points` (R116); unchanged for 0."""
        if points == 0:
            return self
        return Pegs(min(self.front + points, target), self.front)


def hole_a(score: int) -> HoleA | None:
    """Return the hole of a score on board A; None for start holes (0) and the game hole.

    >>> hole_a(31)
    HoleA(street=2, hole=1)
    """
    if not 1 <= score <= 120:
        return None
    return HoleA((score - 1) // STREET + 1, (score - 1) % STREET + 1)


def hole_b(score: int) -> HoleB | None:
    """Return the hole of a score on board B; None for start holes (0) and the game hole.

    >>> hole_b(31)
    HoleB(lap=1, column=<Column.INNER: 'inner'>, row=30)
    """
    if not 1 <= score <= 120:
        return None
    lap, along = divmod(score - 1, 2 * STREET)
    if along < STREET:
        return HoleB(lap + 1, Column.OUTER, along + 1)
    return HoleB(lap + 1, Column.INNER, 2 * STREET - along)


def skunk_lines(target: int) -> dict[str, int]:
    """Return the skunk and double-skunk lines: a loser with a lower score is skunked (R18–R20).

    >>> skunk_lines(121)
    {'skunk': 91, 'double_skunk': 61}
    """
    # Other targets have no lines (C15).
    return {121: {"skunk": 91, "double_skunk": 61}, 61: {"skunk": 31}}.get(target, {})
