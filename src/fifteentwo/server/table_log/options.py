"""What is chosen for a table in addition to the rules."""

import msgspec

from fifteentwo.contest.match import Length, NextDealer
from fifteentwo.contest.same_decks import DeckTops
from fifteentwo.rules.board import Board
from fifteentwo.server.table_log.time_controls import TimeControl


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """The game whose decks are dealt again: who sat where the person sits now, and how it ended for them."""

    name: str
    scores: tuple[int, int]
    """Their side's, and the best of the others'."""
    won: bool


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What was chosen for a table in addition to the rules."""

    board: Board = Board.A
    next_dealer: NextDealer = NextDealer.LOSER
    length: Length = Length.OPEN
    challenge_seconds: float | None = 10.0
    """Seconds a person has to challenge a claim; None without end."""
    first_game: bool = False
    """The person plays for the first time: the page helps."""
    daily: str | None = None
    """The day whose deal is played, by its date; nothing is taken back and no hint given."""
    deck_tops: DeckTops = ()
    """What lies on top of the decks of the first game, where they were played before."""
    replayed: Replayed | None = None
    imported: str = ""
    """A game that was played elsewhere: the notation it came in, or "table" where it was entered here."""
    by_spectator: bool = False
    """The person who imported it did not play in it."""
    clock: TimeControl | None = None
    """How long people may take, where that was agreed."""
    spectator_key: str = ""
    """The secret of the link for spectators; there are none where it is empty."""
