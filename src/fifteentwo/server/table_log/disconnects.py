"""The absences of a game's people, and the levels that play for them, as the log has them.

Absence is logged from time to time. Seconds that were not logged when the server stopped are not charged.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from fifteentwo.rules.record import StoodIn


class WaitingSince(NamedTuple):
    """Since when the table waits for a person: a row of the log, and its time (0 if unknown)."""

    row_seq: int
    unix_seconds: int


class StandInSpan(msgspec.Struct, frozen=True):
    """The actions of a game during which a level plays for a person."""

    person: int
    level: str
    first_action: int
    """Index of the first action of the span."""
    end_action: int | None = None
    """Index of the first action after the span; None while the level plays."""


class Disconnects(msgspec.Struct, frozen=True):
    """The absences of one game, by person number."""

    absences: Mapping[int, float] = {}
    """Logged seconds for which the table has waited for an absent person."""
    spans: tuple[StandInSpan, ...] = ()

    @property
    def levels_by_person(self) -> dict[int, str]:
        return {span.person: span.level for span in self.spans if span.end_action is None}

    def with_absence(self, person: int, seconds: float) -> "Disconnects":
        seconds += self.absences.get(person, 0.0)
        return msgspec.structs.replace(self, absences={**self.absences, person: seconds})

    def with_stand_in(self, person: int, level: str, actions: int) -> "Disconnects":
        """Add that a level plays for a person after this many actions."""
        return msgspec.structs.replace(self, spans=(*self.spans, StandInSpan(person, level, actions)))

    def without_stand_in(self, person: int, actions: int) -> "Disconnects":
        """End the stand-in of a person after this many actions."""
        spans = list(self.spans)
        for place, one in enumerate(spans):
            if one.person == person and one.end_action is None:
                spans[place] = msgspec.structs.replace(one, end_action=actions)
        return msgspec.structs.replace(self, spans=tuple(spans))

    def recorded_stand_ins(self, seating: Sequence[int], actions: int) -> tuple[StoodIn, ...]:
        """Return the spans as in a record. seating: people by first seat; actions: their number."""
        spans = [
            StoodIn(seating.index(span.person), span.level, span.first_action + 1, last)
            for span in self.spans
            if span.first_action
            < (last := min(actions, actions if span.end_action is None else span.end_action))
        ]
        return tuple(spans)
