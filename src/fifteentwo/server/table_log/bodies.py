"""The JSON bodies of a log's rows, by type.

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
from fifteentwo.server.table_log.rows import Row


class Began(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game begins."""

    secret: str
    actions: tuple[Action, ...]
    people: tuple[int, ...] | None = None


class Committed(msgspec.Struct, frozen=True):
    """What a page committed to."""

    person: int
    commitment: str
    actions: tuple[Action, ...] = ()


class Revealed(msgspec.Struct, frozen=True):
    """A page's seed."""

    person: int
    seed: str
    actions: tuple[Action, ...] = ()


class Acted(msgspec.Struct, frozen=True):
    """What a seat did, and the chance that followed; a forfeit too."""

    actions: tuple[Action, ...]


class Undone(msgspec.Struct, frozen=True):
    """Rows from this one on were taken back."""

    back_to: int


class Unseated(msgspec.Struct, frozen=True):
    """A seat was cleared before the first card; with the chance that follows."""

    person: int
    asked: bool
    actions: tuple[Action, ...] = ()


class Playing(msgspec.Struct, frozen=True):
    """A level plays for a person from now on; with what computers draw at once."""

    person: int
    level: str
    actions: tuple[Action, ...] = ()


class CameBack(msgspec.Struct, frozen=True):
    """A person plays again themselves."""

    person: int


class Away(msgspec.Struct, frozen=True):
    """How long the table waited for a person who was away, since the last such row."""

    person: int
    seconds: float


def back_to(undone: Row) -> int:
    """Return the first of the rows that an undo takes back."""
    return from_json(undone.body, Undone).back_to
