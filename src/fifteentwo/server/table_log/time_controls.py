"""What people agree on before they sit down: how long a person may take, and what happens then."""

from collections.abc import Mapping

import msgspec

from fifteentwo.players import LEVELS
from fifteentwo.server.errors import Refused

FORFEIT = "forfeit"
CLAIM = "claim"
"""What happens without a clock: nothing, until another player claims the game."""
ABSENCE_CLAIM_SECONDS = 300.0
"""Seconds a person may be away without a clock while the table waits for them."""
IDLE_CLAIM_SECONDS = 600.0
"""Seconds for a move without a clock while the person has a page open; pages show the last CLAIM_AFTER."""
MIN_CORRESPONDENCE_SECONDS = 3600.0
"""Seconds from which on a move is one by correspondence: its time runs whether or not anyone is here."""
_MOVE_CHOICE_NAMES = ("none", "30", "60", "120", "300", "600", "86400")
MOVE_CHOICES = {choice: None if choice == "none" else float(choice) for choice in _MOVE_CHOICE_NAMES}
ABSENCE_CHOICES = {choice: MOVE_CHOICES[choice] for choice in ("none", "120", "300", "600")}
"""The choices on offer, in seconds."""
DEFAULT_CHOICES = {"clock_move": "300", "clock_away": "300"}
"""The choices preselected in the form of a new game: only games with a clock are rated."""


class TimeControl(msgspec.Struct, frozen=True):
    """A time a move, a time to be away in one game, or both; and what happens when one is used up."""

    move_seconds: float | None = None
    away_seconds: float | None = None
    on_timeout: str = "club"
    """The level that plays the seat from there on; or FORFEIT."""

    @property
    def is_correspondence(self) -> bool:
        """By correspondence: no page need be open."""
        return self.move_seconds is not None and self.move_seconds >= MIN_CORRESPONDENCE_SECONDS


NO_AGREED_CLOCK = TimeControl(IDLE_CLAIM_SECONDS, ABSENCE_CLAIM_SECONDS, CLAIM)


def read_time_control(fields: Mapping[str, str]) -> TimeControl | None:
    """Return the terms that a request asks for; None without a clock. Refused where they are not offered."""
    move = fields.get("clock_move", "none")
    away = fields.get("clock_away", "none")
    then = fields.get("clock_on_timeout", "club")
    for name, value, offered in (
        ("clock_move", move, MOVE_CHOICES),
        ("clock_away", away, ABSENCE_CHOICES),
        ("clock_on_timeout", then, (*LEVELS, FORFEIT)),
    ):
        if value not in offered:
            raise Refused("option-unknown", name=name)
    terms = TimeControl(MOVE_CHOICES[move], ABSENCE_CHOICES[away], then)
    if terms.is_correspondence:
        # Being away is what correspondence is.
        terms = msgspec.structs.replace(terms, away_seconds=None)
    if terms.move_seconds is None and terms.away_seconds is not None:
        # Otherwise a player who keeps the page open could stop the game for ever.
        terms = msgspec.structs.replace(terms, move_seconds=IDLE_CLAIM_SECONDS)
    return None if terms.move_seconds is None and terms.away_seconds is None else terms
