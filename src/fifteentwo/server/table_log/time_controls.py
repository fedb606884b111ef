"""Time controls: how long a person may take, and what happens after that."""

from collections.abc import Mapping

import msgspec

from fifteentwo.players import LEVELS
from fifteentwo.server.errors import Refused

FORFEIT_ON_TIMEOUT = "forfeit"
CLAIM_ON_TIMEOUT = "claim"
"""What happens after a timeout if no clock was agreed: another player may claim the game."""
ABSENCE_CLAIM_SECONDS = 300.0
"""Seconds of absence, without an agreed clock, after which others may claim the game."""
IDLE_CLAIM_SECONDS = 600.0
"""Seconds for a move, without an agreed clock, while the person has a page open. Pages show the last
ABSENCE_CLAIM_SECONDS."""
CORRESPONDENCE_SECONDS = 3600.0
"""Seconds for a move from which a game is by correspondence: time runs even if nobody has a page open."""
_MOVE_CHOICE_NAMES = ("none", "30", "60", "120", "300", "600", "86400")
MOVE_SECONDS = {choice: None if choice == "none" else float(choice) for choice in _MOVE_CHOICE_NAMES}
ABSENCE_SECONDS = {choice: MOVE_SECONDS[choice] for choice in ("none", "120", "300", "600")}
DEFAULT_CLOCK_CHOICES = {"clock_move": "300", "clock_away": "300"}
"""The preselected choices in the form of a new game. Only games with a clock are rated."""


class TimeControl(msgspec.Struct, frozen=True):
    """The seconds for a move, the seconds of absence in one game, or both; and what happens after that."""

    move_seconds: float | None = None
    away_seconds: float | None = None
    on_timeout: str = "club"
    """The level that plays the seat after a timeout; or FORFEIT."""
    discard_seconds: float | None = None
    """The seconds for a discard; None if they equal `move_seconds`."""

    @property
    def is_correspondence(self) -> bool:
        """Whether the game is by correspondence, so that no page need be open."""
        return self.move_seconds is not None and self.move_seconds >= CORRESPONDENCE_SECONDS


NO_CLOCK = TimeControl(IDLE_CLAIM_SECONDS, ABSENCE_CLAIM_SECONDS, CLAIM_ON_TIMEOUT)
"""The times after which others may claim the game if no clock was agreed."""


def read_time_control(fields: Mapping[str, str]) -> TimeControl | None:
    """Return the time control in a form; None without a clock. Raise Refused if it is not on offer."""
    move = fields.get("clock_move", "none")
    away = fields.get("clock_away", "none")
    then = fields.get("clock_on_timeout", "club")
    for name, value, offered in (
        ("clock_move", move, MOVE_SECONDS),
        ("clock_away", away, ABSENCE_SECONDS),
        ("clock_on_timeout", then, (*LEVELS, FORFEIT_ON_TIMEOUT)),
    ):
        if value not in offered:
            raise Refused("option-unknown", name=name)
    terms = TimeControl(MOVE_SECONDS[move], ABSENCE_SECONDS[away], then)
    if terms.is_correspondence:
        # A correspondence player is absent most of the time.
        terms = msgspec.structs.replace(terms, away_seconds=None)
    if terms.move_seconds is None and terms.away_seconds is not None:
        # Otherwise a player who keeps the page open could block the game.
        terms = msgspec.structs.replace(terms, move_seconds=IDLE_CLAIM_SECONDS)
    return None if terms.move_seconds is None and terms.away_seconds is None else terms
