"""Who of a game's people was away, for how long, and for whom a level plays: all of it by the log.

How long a person has been away is noted in rows of its own, from time to time: what was not noted when the
server ended is forgotten, in favour of the person away.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from fifteentwo.rules.record import StoodIn


class WaitingSince(NamedTuple):
    """Since when the table waits for a person: the row that led to it, and its time (0 where it has none)."""

    seq: int
    at: int


class StandInSpan(msgspec.Struct, frozen=True):
    """A level plays for a person after so many actions of the game, up to so many or until further notice."""

    person: int
    level: str
    first_action: int
    end_action: int | None = None


class Disconnects(msgspec.Struct, frozen=True):
    """The disconnects of one game's people, by the number they came in."""

    absence_seconds: Mapping[int, float] = {}
    """Seconds for which the table waited for a person who was away, as far as they are noted."""
    spans: tuple[StandInSpan, ...] = ()

    @property
    def levels(self) -> dict[int, str]:
        """The levels that play now, by person."""
        return {span.person: span.level for span in self.spans if span.end_action is None}

    def with_absence(self, person: int, seconds: float) -> "Disconnects":
        """Add seconds for which the table waited for a person away."""
        return msgspec.structs.replace(
            self,
            absence_seconds={**self.absence_seconds, person: self.absence_seconds.get(person, 0.0) + seconds},
        )

    def with_stand_in(self, person: int, level: str, actions: int) -> "Disconnects":
        """Add that a level plays for a person from now on."""
        return msgspec.structs.replace(self, spans=(*self.spans, StandInSpan(person, level, actions)))

    def without_stand_in(self, person: int, actions: int) -> "Disconnects":
        """End the level's play for a person."""
        is_open = [span.person == person and span.end_action is None for span in self.spans]
        spans = [
            msgspec.structs.replace(span, end_action=actions) if ends else span
            for span, ends in zip(self.spans, is_open, strict=True)
        ]
        return msgspec.structs.replace(self, spans=tuple(spans))

    def recorded_stand_ins(self, seating: Sequence[int], actions: int) -> tuple[StoodIn, ...]:
        """Return the spans as in a record. seating: who came to which seat; actions: how many there are."""
        spans = [
            StoodIn(seating.index(span.person), span.level, span.first_action + 1, last)
            for span in self.spans
            if span.first_action
            < (last := min(actions, actions if span.end_action is None else span.end_action))
        ]
        return tuple(spans)
