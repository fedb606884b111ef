"""Values that the log and the store exchange: rows and their bodies, people, and a stored table.

The JSON bodies of a log's rows, by type:

began     {"secret": hex, "actions": […], "people": […]}
          a game starts: the server's last link, a named dealer, and the people who are asked for a seed; or,
          without "people", the one secret that decides the cards, and the actions up to the first position
committed {"person": n, "commitment": hex, "actions": […]}
          the commitment of a page, empty if it has no seed
revealed  {"person": n, "seed": hex, "actions": […]}
          the seed of a page; the last one has the chance actions that open the game
acted     {"actions": […]}   an action of a seat, and the chance actions that followed it
undone    {"back_to": seq}   that row and all later rows of this game were taken back
unseated  {"person": n, "asked": bool, "actions": […]}
          a seat was cleared before the first card, and its commitment dropped; asked: whether the next person
          there is asked for a commitment, which a computer is not
closed    {}                 the game was abandoned: it is over, and all of it is public
forfeited {"actions": […]}   a person resigned or ran out of time
stood_in  {"person": n, "level": name, "actions": […]}
          from now on a level plays for a person; the actions are draws that computers make at once
came_back {"person": n}      the person plays again
away      {"person": n, "seconds": s}
          seconds for which the table waited for an absent person, since the last such row
"""

import msgspec

from fifteentwo.rules.actions import Action
from fifteentwo.rules.record import from_json


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A person or computer at a table. A computer has a level; a person who has sat down has an owner."""

    name: str
    level: str | None = None
    invitation: str | None = None
    """The secret that lets a session take this seat; None if nobody is invited."""
    owner: str | None = None
    """The account or session that has taken the seat; None for a computer and for an open seat."""

    @property
    def is_seat_open(self) -> bool:
        """Whether somebody is invited to the seat, and nobody has taken it yet."""
        return self.invitation is not None and self.owner is None


class Row(msgspec.Struct, frozen=True):
    """One row of the log. The ledger writes and reads its JSON body."""

    seq: int
    type: str
    body: str
    """JSON, whose fields depend on the type."""
    at: int = 0
    """Seconds since 1970; 0 if unknown."""


class StoredGameStart(msgspec.Struct, frozen=True, kw_only=True):
    """The start of a game of a match. `store.matches` writes and reads its JSON body."""

    game_number: int
    seq: int
    """Sequence number of the log row that starts the game."""
    version: int
    """The version of the table before the game."""
    body: str


class StoredTable(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    rules_json: str
    options_json: str
    people: tuple[Person, ...]
    rows: tuple[Row, ...]
    created_at: int = 0
    """Seconds since 1970; the store sets it when the table is first stored."""


class BeganBody(msgspec.Struct, frozen=True, omit_defaults=True):
    secret: str
    actions: tuple[Action, ...]
    people: tuple[int, ...] | None = None
    """People who are asked for a seed, by number; None if one secret decides the cards."""


class CommittedBody(msgspec.Struct, frozen=True):
    person: int
    commitment: str
    actions: tuple[Action, ...] = ()


class RevealedBody(msgspec.Struct, frozen=True):
    person: int
    seed: str
    actions: tuple[Action, ...] = ()


class ActedBody(msgspec.Struct, frozen=True):
    actions: tuple[Action, ...]


class UndoneBody(msgspec.Struct, frozen=True):
    back_to: int
    """Sequence number of the first row that was taken back."""


class UnseatedBody(msgspec.Struct, frozen=True):
    person: int
    asked: bool
    """Whether the next person at the seat is asked for a commitment."""
    actions: tuple[Action, ...] = ()


class StandInBody(msgspec.Struct, frozen=True):
    person: int
    level: str
    actions: tuple[Action, ...] = ()


class CameBackBody(msgspec.Struct, frozen=True):
    person: int


class AwayBody(msgspec.Struct, frozen=True):
    person: int
    seconds: float


def first_undone(undone: Row) -> int:
    return from_json(undone.body, UndoneBody).back_to
