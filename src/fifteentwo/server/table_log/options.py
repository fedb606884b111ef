"""The options of a table beside the rules."""

import msgspec

from fifteentwo.contest.match import Length, NextDealer
from fifteentwo.contest.same_decks import DeckTops
from fifteentwo.rules.board import Board
from fifteentwo.server.table_log.time_controls import TimeControl

FIRST_GAME_GOAL = 31
"""Points to which a first game is a race; its page helps until a side has them."""


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """The game whose decks are dealt again: the name of the person in this seat, and the result."""

    name: str
    scores: tuple[int, int]
    """The score of the person's side, and the best score of another side."""
    won: bool
    """Whether the person's side won."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a table beside the rules."""

    board: Board = Board.A
    """The design of the cribbage board that pages draw."""
    next_dealer: NextDealer = NextDealer.LOSER
    length: Length = Length.OPEN
    challenge_seconds: float | None = 10.0
    """Seconds that a person has to challenge a claim; None for no limit."""
    first_game: bool = False
    """Whether the person plays for the first time, so that the page helps."""
    daily: str | None = None
    """Date of the daily deal, which has neither undo nor hints; None for other games."""
    deck_tops: DeckTops = ()
    """Known cards on top of the decks of the first game, if these were played before."""
    replayed: Replayed | None = None
    imported: str = ""
    """Notation of a game that was played elsewhere, or "table" if it was entered here; otherwise empty."""
    by_spectator: bool = False
    """Whether the person who imported the game did not play in it."""
    clock: TimeControl | None = None
    spectator_key: str = ""
    """The secret of the link for spectators; empty if spectators are not admitted."""
    evening: str = ""
    """The evening at a club whose table it is: one game, the first person deals, only the evening changes
    seats."""
    board_key: str = ""
    """The secret of the link to the shared board; empty if the table has none."""
