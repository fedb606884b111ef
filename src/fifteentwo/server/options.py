"""What is chosen for a table besides the rules."""

import msgspec

from fifteentwo.contest.match import NextDealer
from fifteentwo.rules.board import Board


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What was chosen for a table besides the rules."""

    board: Board = Board.A
    next_dealer: NextDealer = NextDealer.LOSER
    moment: float | None = 10.0
    """Seconds a person has to challenge a claim; None without end."""
    first_game: bool = False
    """Whoever plays here plays for the first time: the page helps."""
    brought_in: str = ""
    """A game that was played elsewhere: the notation it came in, or "table" where it was entered here."""
    onlooker: bool = False
    """Whoever brought it in did not play in it."""
