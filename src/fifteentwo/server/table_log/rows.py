"""Values that the log and its store exchange: rows and their bodies, people, and a stored table.

The JSON bodies of a log's rows, by type.

began     {"secret": hex, "actions": […], "people": […]}
          a game begins: the server's last link, a named dealer, and who is asked for a seed; or, without
          "people", the one secret from which the game is dealt, and the actions up to its first position
committed {"person": n, "commitment": hex, "actions": […]}
          what a page committed to, empty where it brings no seed
revealed  {"person": n, "seed": hex, "actions": […]}
          its seed; with the last of them, the chance that opens the game
acted     {"actions": […]}   what a seat did, and the chance that followed it
undone    {"back_to": seq}   that row and all later ones of this game count no more
unseated  {"person": n, "asked": bool, "actions": […]}
          before the first card a seat was cleared: its page's commitment counts no more; asked: whether
          the next person there is asked for one, which a computer is not
closed    {}                 the game was abandoned: it is over, and all of it is public
forfeited {"actions": […]}   a person gave the game up, or had used up their time
stood_in  {"person": n, "level": name, "actions": […]}
          from now on a level plays for a person; with what computers draw at once
came_back {"person": n}      they play themselves again
away      {"person": n, "seconds": s}
          the table waited so long for a person who was away, since the last such row
"""

import msgspec

from fifteentwo.rules.actions import Action
from fifteentwo.rules.record import from_json


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A person or computer at the table: a level plays by itself, an owner is a session."""

    name: str
    level: str | None = None
    invitation: str | None = None
    """What lets a session take this seat; None where no one is invited."""
    owner: str | None = None


class Row(msgspec.Struct, frozen=True):
    """One row of the log; `body` is JSON that the ledger writes and reads."""

    seq: int
    type: str
    body: str
    at: int = 0
    """Seconds since 1970; 0 where it was not recorded."""


class StoredGameStart(msgspec.Struct, frozen=True, kw_only=True):
    """Where a game of a match starts; `body` is JSON that `store.matches` writes and reads."""

    game_number: int
    seq: int
    version: int
    body: str


class StoredTable(msgspec.Struct, frozen=True, kw_only=True):
    """All that is stored of one table."""

    id: str
    rules: str
    options: str
    people: tuple[Person, ...]
    rows: tuple[Row, ...]
    created_at: int = 0
    """Seconds since 1970; the store sets it when the table is first stored."""


# ── Bodies of rows, as listed above ────────────────────────────────────────────────────────────────────


class Began(msgspec.Struct, frozen=True, omit_defaults=True):
    secret: str
    actions: tuple[Action, ...]
    people: tuple[int, ...] | None = None


class Committed(msgspec.Struct, frozen=True):
    person: int
    commitment: str
    actions: tuple[Action, ...] = ()


class Revealed(msgspec.Struct, frozen=True):
    person: int
    seed: str
    actions: tuple[Action, ...] = ()


class Acted(msgspec.Struct, frozen=True):
    actions: tuple[Action, ...]


class Undone(msgspec.Struct, frozen=True):
    back_to: int


class Unseated(msgspec.Struct, frozen=True):
    person: int
    asked: bool
    actions: tuple[Action, ...] = ()


class StandIn(msgspec.Struct, frozen=True):
    person: int
    level: str
    actions: tuple[Action, ...] = ()


class CameBack(msgspec.Struct, frozen=True):
    person: int


class Away(msgspec.Struct, frozen=True):
    person: int
    seconds: float


def first_undone(undone: Row) -> int:
    """Return the first of the rows that an undo takes back."""
    return from_json(undone.body, Undone).back_to
