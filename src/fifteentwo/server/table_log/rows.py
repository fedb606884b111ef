"""Values that the log and its store exchange: rows, people, and all that is stored of one table."""

import msgspec


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
    made_at: int = 0
    """Seconds since 1970; the store sets it when the table is first stored."""
