"""The seeds of one game: first every page's commitment, then every page's seed (docs/dealing.md).

No page is asked for a seed before all commitments are in, and a commitment once given stands: a person who
knows the others' seeds can no longer choose an own one. Nothing takes the place of a seed that does not come.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

import msgspec

from fifteentwo.rules.record import COMPUTER, NOTHING
from fifteentwo.server.errors import Refused
from fifteentwo.server.table_log.dealing import commitment

_HEX = re.compile("[0-9a-f]{64}")


class Stage(StrEnum):
    """How far a game's seeds have been gathered."""

    COMMITTING = "committing"
    REVEALING = "revealing"
    DEALING = "dealing"


class Seeds(msgspec.Struct, frozen=True):
    """What the people of a game have committed to, and their seeds; by the number they came in."""

    people: tuple[int, ...]
    """Everyone who is asked: all but the computers."""
    commitments: Mapping[int, str] = {}
    """Hexadecimal; empty for a page that puts nothing in."""
    seeds: Mapping[int, str] = {}

    @property
    def stage(self) -> Stage:
        """What is waited for."""
        if any(person not in self.commitments for person in self.people):
            return Stage.COMMITTING
        return Stage.REVEALING if self.awaited else Stage.DEALING

    @property
    def awaited(self) -> tuple[int, ...]:
        """Those whose page must still commit or reveal before the first card."""
        uncommitted = tuple([person for person in self.people if person not in self.commitments])
        return uncommitted or tuple(
            [person for person in self.people if self.commitments[person] and person not in self.seeds]
        )

    def committed(self, person: int, promised: str) -> "Seeds":
        """Return these with a commitment; Refused where it is none, comes twice, or they are not asked."""
        if promised and not _HEX.fullmatch(promised):
            raise Refused("commitment-unreadable")
        if person not in self.people or person in self.commitments:
            raise Refused("committed-already", status=409)
        return msgspec.structs.replace(self, commitments={**self.commitments, person: promised})

    def without(self, person: int, *, asked: bool) -> "Seeds":
        """Return these without a person's commitment; Refused once all are in: seeds are being revealed.

        asked: the next person there commits again; else the seat is not asked.
        """
        if person not in self.people or self.stage is not Stage.COMMITTING:
            raise Refused("seat-not-cleared", status=409)
        commitments = {one: promised for one, promised in self.commitments.items() if one != person}
        people = self.people if asked else tuple([one for one in self.people if one != person])
        return msgspec.structs.replace(self, people=people, commitments=commitments)

    def revealed(self, person: int, seed: str) -> "Seeds":
        """Return these with a seed; Refused before all commitments are in, or where it is not as promised."""
        if self.stage is not Stage.REVEALING or person not in self.awaited:
            raise Refused("seed-not-awaited", status=409)
        if not _HEX.fullmatch(seed) or commitment(bytes.fromhex(seed)) != self.commitments[person]:
            raise Refused("seed-not-as-committed")
        return msgspec.structs.replace(self, seeds={**self.seeds, person: seed})

    # ── By seat: `seating` says who came to which ────────────────────────────────────────────────────────

    def by_seat(self, seating: Sequence[int]) -> tuple[str, ...]:
        """The seeds that go into the streams: of the people alone, "-" for one who put in nothing."""
        return tuple([self.seeds.get(person, "-") for person in seating if person in self.people])

    def order(self, seating: Sequence[int]) -> tuple[int, ...]:
        """The seats in the order in which draws get their places: computers, then people."""
        return tuple(sorted(range(len(seating)), key=lambda seat: (seating[seat] in self.people, seat)))

    def promised(self, seating: Sequence[int]) -> tuple[str, ...]:
        """What each seat's page committed to, as in a record; empty where it has not committed yet."""
        asked = {person: self.commitments.get(person) for person in self.people}
        promised = {person: "" if one is None else one or NOTHING for person, one in asked.items()}
        return tuple([promised.get(person, COMPUTER) for person in seating])

    def known(self, seating: Sequence[int]) -> tuple[str, ...]:
        """Every seat's seed once all of them are known, as a record has them."""
        if self.stage is not Stage.DEALING:
            return ()
        return tuple([self.seeds.get(person, "") for person in seating])
