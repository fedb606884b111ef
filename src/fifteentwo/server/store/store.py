"""The database of games: an append-only log of each match, in SQLite or PostgreSQL.

A row is on disk before `append` returns; only then may anybody see its effect. A table is rebuilt from the
rows of its log alone.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from filelock import BaseFileLock
from sqlalchemy.engine import URL
from sqlalchemy.exc import NoSuchModuleError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from fifteentwo.server.errors import StoreError
from fifteentwo.server.health import Health
from fifteentwo.server.store.connection import (
    database_url,
    is_in_memory,
    lock_database,
    make_log_engine,
    make_read_engine,
    make_write_engine,
    translate_errors,
)
from fifteentwo.server.store.schema import (
    UNFINISHED_GAME_NUMBER,
    game_start,
    hidden_game,
    history_progress,
    log_row,
    match,
    metadata,
    player,
    taken_seat,
)
from fifteentwo.server.store.writer import APPEND, NewRow, Writer, encode_rows
from fifteentwo.server.table_log.rows import Person, Row, StoredGameStart, StoredTable

MAX_CHECKED_BYTES = 500_000_000
"""Size of the largest SQLite file that is checked for damage when the server starts."""
CLOSE_SECONDS = 5.0
"""Seconds for which `Store.close` waits for connections that are still in use."""
WRITE_CHECK_SECONDS = 2.0
"""Seconds for which a successful write proves that the database accepts writes."""
CONFLICT = "conflict"
"""The code of a StoreError: another process holds the match, or has written this row."""
SCHEMA_VERSION = "0007"
"""Version of the tables that this program writes: the last file of migrations/versions."""

MIGRATION_TIMEOUT_SETTING = "idle_in_transaction_session_timeout = '60s'"
MIGRATION_LOCK_NUMBER = 0xF1F7EE25


class Store:
    """An open database. Create it with `await Store.open(...)`, and `close` it."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        url = engine.url
        self._read_engine = make_read_engine(url) or engine
        self.holder = secrets.token_hex(8)
        """The name of this process in `match.held_by`."""
        self.read_health = Health("reading the database")
        self.write_health = Health("writing to the database")
        # Only one connection can see a SQLite database in memory.
        if is_in_memory(url):
            self._writer = None
        else:
            self._writer = Writer(make_log_engine(url), self.holder, self.write_health)
        self._file_lock: BaseFileLock | None = None
        self._file: Path | None = None
        self._file_identity: tuple[int, int] | None = None
        """Device and inode of the database file, to notice that it was replaced."""
        self._is_open = False
        """Whether the start is over: errors during the start are raised, but not logged."""

    @classmethod
    async def open(cls, database: str | None = None, *, is_exclusive: bool = False) -> "Store":
        """Connect to a database and migrate its tables. is_exclusive: lock a SQLite file for one server."""
        url = database_url(database)
        try:
            store = cls(make_write_engine(url))
        except (NoSuchModuleError, ModuleNotFoundError):
            raise StoreError("database-driver-missing", kind=url.get_backend_name()) from None
        try:
            await store._prepare_database(url, is_exclusive)
            store._is_open = True
        except BaseException:
            await store.close()
            # aiosqlite's thread reports its end to this loop, which must still run then.
            await asyncio.sleep(0.05)
            raise
        return store

    async def close(self) -> None:
        """Close every connection. SQLite's threads would otherwise keep the program from ending."""
        if self._writer is not None:
            await self._writer.close()
        for engine in (self._read_engine, self._engine):
            await _close_connections(engine)
        if self._file_lock is not None:
            self._file_lock.release()

    async def create(self, *tables: StoredTable) -> None:
        """Store new tables in one transaction."""
        new = {"created_at": int(time.time()), "held_by": self.holder}
        ruled = [{"id": one.id, "rules": one.rules_json, "options": one.options_json} for one in tables]
        people = [
            {"match_id": stored.id, "player_number": number, **msgspec.structs.asdict(one)}
            for stored in tables
            for number, one in enumerate(stored.people)
        ]
        rows = [
            NewRow(stored.id, row.seq, row.type, row.body, row.at or None)
            for stored in tables
            for row in stored.rows
        ]
        async with self.writing() as connection:
            await connection.execute(match.insert(), [new | one for one in ruled])
            await connection.execute(player.insert(), people)
            await connection.execute(log_row.insert(), [row._asdict() for row in rows])

    @property
    def is_shared(self) -> bool:
        """Whether other processes may serve the same tables."""
        return self._engine.dialect.name == "postgresql"

    async def append(self, match_id: str, row: Row) -> None:
        """Write a row to the disk. Raise CONFLICT if its number is taken or another process is the holder."""
        new = NewRow(match_id, row.seq, row.type, row.body, row.at or None)
        if self._writer is None:
            values = {"rows": encode_rows([new], "sqlite"), "holder": self.holder}
            async with self.writing() as connection:
                is_appended = (await connection.execute(APPEND["sqlite"], values)).first() is not None
        else:
            is_appended = await self._writer.append(new)
        if not is_appended:
            raise StoreError(CONFLICT)

    async def check_writable(self) -> None:
        """Raise StoreError if the database accepts no writes, as of the last WRITE_CHECK_SECONDS."""
        # A SQLite file that was removed or replaced accepts rows that the next start would not find.
        if self._file is not None and _file_identity(self._file) != self._file_identity:
            self.write_health.note_failure("database-file-gone")
            raise StoreError("database-file-gone")
        if self._writer is not None and not self.write_health.worked_within(WRITE_CHECK_SECONDS):
            await self._writer.check_writable()

    async def take_seat(
        self,
        match_id: str,
        person: int,
        owner: str,
        name: str,
        taken_seat_row: Mapping[str, object] | None = None,
    ) -> bool:
        """Give an open seat to an owner. Return False if it is taken or they sit there already."""
        own = player.alias()
        sits = sa.exists().where(own.c.match_id == match_id, own.c.owner == owner)
        seat = player.c.match_id == match_id, player.c.player_number == person
        this_match = sa.select(match.c.id).where(match.c.id == match_id)
        async with self.writing() as connection:
            # A user who follows two invitations at once, in any processes, takes one seat.
            await connection.execute(this_match.with_for_update(key_share=True))
            take = player.update().where(*seat, player.c.owner.is_(None), ~sits)
            done = await connection.execute(take.values(owner=owner, name=name))
            if done.rowcount == 1 and taken_seat_row is not None:
                of_seat = taken_seat.c.match_id == match_id, taken_seat.c.player_number == person
                await connection.execute(taken_seat.delete().where(*of_seat))
                await connection.execute(taken_seat.insert(), dict(taken_seat_row))
            return bool(done.rowcount == 1)

    async def replace_people(
        self, match_id: str, before: Sequence[Person], people: Sequence[Person], first: Row | None = None
    ) -> None:
        """Store other people of a match. first: the log begins again with it; only the holder may do that."""
        async with self.writing() as connection:
            if first is not None:
                held = match.c.held_by == self.holder if self.is_shared else sa.true()
                own = match.update().where(match.c.id == match_id, held).values(held_by=self.holder)
                if (await connection.execute(own)).rowcount != 1:
                    raise StoreError(CONFLICT)
                await connection.execute(log_row.delete().where(log_row.c.match_id == match_id))
                row = NewRow(match_id, first.seq, first.type, first.body, int(time.time()))
                await connection.execute(log_row.insert(), row._asdict())
            for number, (old, new) in enumerate(zip(before, people, strict=True)):
                if old != new:
                    # A person who has deleted their data since keeps no name.
                    seat = player.c.match_id == match_id, player.c.player_number == number
                    known = player.c.name == old.name, player.c.owner.is_not_distinct_from(old.owner)
                    values = msgspec.structs.asdict(new)
                    await connection.execute(player.update().where(*seat, *known).values(**values))
                    taken = taken_seat.c.match_id == match_id, taken_seat.c.player_number == number
                    await connection.execute(taken_seat.delete().where(*taken))

    async def rows(self, match_id: str, first_seq: int, limit: int) -> tuple[Row, ...]:
        """Return rows of a table's log from number `first` on, at most `limit`."""
        query = _rows_query(match_id).where(log_row.c.seq >= first_seq).limit(limit)
        found: Sequence[Any] = await self.select(query)
        return tuple(Row(*row) for row in found)

    async def last_game_start(self, match_id: str, game_number: int) -> StoredGameStart | None:
        """Return the last stored start of a game of a match, up to this game number."""
        async with self.reading() as connection:
            return await _load_game_start(connection, match_id, game_start.c.game_number <= game_number)

    async def save_game_starts(self, match_id: str, games: Sequence[StoredGameStart]) -> None:
        """Store where games start, in place of what was stored before."""
        numbers = [one.game_number for one in games]
        old = game_start.c.match_id == match_id, game_start.c.game_number.in_(numbers)
        rows = [{"match_id": match_id, **msgspec.structs.asdict(one)} for one in games]
        async with self.writing() as connection:
            await connection.execute(game_start.delete().where(*old))
            await connection.execute(game_start.insert(), rows)

    async def load(self, match_id: str, *, with_rows: bool = True) -> StoredTable | None:
        """Return what is stored of a table, with or without its log; None if it does not exist."""
        async with self.reading() as connection:
            stored = await _load_without_rows(connection, match_id)
            if stored is None or not with_rows:
                return stored
            log = await connection.execute(_rows_query(match_id))
            return msgspec.structs.replace(stored, rows=tuple(Row(*row) for row in log))

    async def load_last_game(
        self, match_id: str, limit: int
    ) -> tuple[StoredTable, StoredGameStart | None] | None:
        """Return a table with the rows of its last game, at most `limit`, and where that game starts."""
        async with self.reading() as connection:
            stored = await _load_without_rows(connection, match_id)
            if stored is None:
                return None
            begun = await _load_game_start(connection, match_id)
            first = 1 if begun is None else begun.seq
            log = await connection.execute(_rows_query(match_id).where(log_row.c.seq >= first).limit(limit))
            return msgspec.structs.replace(stored, rows=tuple(Row(*row) for row in log)), begun

    async def people(self, match_id: str) -> tuple[Person, ...]:
        """Return who sits at a table, by person number; nobody if the table does not exist."""
        return (await self.people_of([match_id]))[match_id]

    async def people_of(self, match_ids: Sequence[str]) -> dict[str, tuple[Person, ...]]:
        if not match_ids:
            return {}
        async with self.reading() as connection:
            people = await read_people(connection, match_ids)
        return {name: people.get(name, ()) for name in match_ids}

    async def has_owner(self, owner: str) -> bool:
        """Return whether an owner sits at any table; the owner of a forged cookie does not."""
        return bool((await self.first(sa.select(sa.exists().where(player.c.owner == owner))))[0])

    async def unfinished_of(self, owner: str, limit: int, *, only_hidden: bool = False) -> list[str]:
        """Return tables with an unfinished game of an owner, latest first; if `only_hidden`, hidden ones."""
        hidden = hidden_game.c.owner == owner, hidden_game.c.game_number == UNFINISHED_GAME_NUMBER
        out = sa.select(hidden_game.c.match_id).where(*hidden)
        rows = sa.select(log_row.c.created_at).where(log_row.c.match_id == match.c.id)
        last_at = rows.order_by(log_row.c.seq.desc()).limit(1).scalar_subquery()
        progress = history_progress.c
        is_open = sa.or_(progress.seq.is_(None), progress.seq != last_row_seq(), progress.has_open_game)
        found = await self.select(
            sa.select(match.c.id)
            .outerjoin(history_progress, progress.match_id == match.c.id)
            .where(match.c.id.in_(sa.select(player.c.match_id).where(player.c.owner == owner)), is_open)
            .where(match.c.id.in_(out) if only_hidden else match.c.id.not_in(out))
            .order_by(sa.func.coalesce(last_at, match.c.created_at).desc(), match.c.id)
            .limit(limit)
        )
        return [row.id for row in found]

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Open a transaction for writing. Raise StoreError if it cannot be committed."""
        with translate_errors(self.write_health if self._is_open else None):
            async with self._engine.begin() as connection:
                yield connection

    @asynccontextmanager
    async def writing_statement(self) -> AsyncIterator[AsyncConnection]:
        """Open a connection in autocommit for one statement, so that no lock lasts for a round trip."""
        with translate_errors(self.write_health if self._is_open else None):
            async with self._engine.connect() as connection:
                yield await connection.execution_options(isolation_level="AUTOCOMMIT")

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Open a connection that sees all that was committed, but cannot write a SQLite file."""
        with translate_errors(self.read_health if self._is_open else None):
            async with self._read_engine.connect() as connection:
                yield connection

    async def select(self, query: sa.Executable) -> Sequence[sa.Row[Any]]:
        async with self.reading() as connection:
            return (await connection.execute(query)).all()

    async def first(self, query: sa.Executable) -> Any:
        async with self.reading() as connection:
            return (await connection.execute(query)).first()

    async def execute(self, statement: sa.Executable) -> None:
        """Execute one statement in its own transaction."""
        async with self.writing() as connection:
            await connection.execute(statement)

    async def _prepare_database(self, url: URL, is_exclusive: bool) -> None:
        file = None
        if url.get_backend_name() == "sqlite" and not is_in_memory(url):
            file = Path(str(url.database)).absolute()
            if not file.parent.is_dir():
                raise StoreError("no-such-folder", folder=str(file.parent))
            if is_exclusive:
                self._file_lock = lock_database(file)
        # The connection that writes comes first: it sets the mode that lets others read a SQLite file.
        async with self.writing() as connection:
            if url.get_backend_name() == "sqlite":
                await _check_sqlite_file(connection, file)
            version = await connection.run_sync(schema_version_of)
        if file is not None:
            self._file, self._file_identity = file, _file_identity(file)
        if version != SCHEMA_VERSION:
            async with self.writing() as connection:
                if url.get_backend_name() == "postgresql":
                    # Creating the tables can take longer than PostgreSQL lets a transaction be idle.
                    await connection.execute(sa.text(f"SET LOCAL {MIGRATION_TIMEOUT_SETTING}"))
                    # Other processes may start on the same database: they wait, and find the tables migrated.
                    await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK_NUMBER)))
                await connection.run_sync(migrate)


async def _close_connections(engine: AsyncEngine) -> None:
    # `dispose` closes only idle connections. A connection in use would never be closed.
    pool = engine.pool
    assert isinstance(pool, sa.QueuePool)
    with suppress(TimeoutError):
        async with asyncio.timeout(CLOSE_SECONDS):
            while pool.checkedout():
                await asyncio.sleep(0.01)
    await engine.dispose()


def _file_identity(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def last_row_seq() -> Any:
    """Return a subquery for the number of each match's last row. Grouping would read all rows."""
    return sa.select(sa.func.max(log_row.c.seq)).where(log_row.c.match_id == match.c.id).scalar_subquery()


async def read_people(connection: AsyncConnection, match_ids: Sequence[str]) -> dict[str, tuple[Person, ...]]:
    """Return the people of tables by person number. A table without people is left out."""
    found: dict[str, tuple[Person, ...]] = {}
    asked = player.select().where(player.c.match_id.in_(match_ids)).order_by(player.c.player_number)
    for one in await connection.execute(asked):
        person = Person(name=one.name, level=one.level, invitation=one.invitation, owner=one.owner)
        found[one.match_id] = (*found.get(one.match_id, ()), person)
    return found


def _rows_query(match_id: str) -> Any:
    return (
        sa.select(log_row.c.seq, log_row.c.type, log_row.c.body, sa.func.coalesce(log_row.c.created_at, 0))
        .where(log_row.c.match_id == match_id)
        .order_by(log_row.c.seq)
    )


async def _load_without_rows(connection: AsyncConnection, match_id: str) -> StoredTable | None:
    found = (await connection.execute(match.select().where(match.c.id == match_id))).first()
    if found is None:
        return None
    people = (await read_people(connection, [match_id])).get(match_id, ())
    own = {"id": found.id, "rules_json": found.rules, "options_json": found.options}
    return StoredTable(**own, people=people, rows=(), created_at=found.created_at)


async def _load_game_start(connection: AsyncConnection, match_id: str, *where: Any) -> StoredGameStart | None:
    columns = [game_start.c[name] for name in StoredGameStart.__struct_fields__]
    asked = sa.select(*columns).where(game_start.c.match_id == match_id, *where)
    found = (await connection.execute(asked.order_by(game_start.c.game_number.desc()).limit(1))).first()
    return None if found is None else StoredGameStart(**found._mapping)


async def _check_sqlite_file(connection: AsyncConnection, file: Path | None) -> None:
    """Raise StoreError if a file is damaged, before a game starts. 40 MB (1,500 games) take 0.05 s."""
    is_large = file is not None and file.exists() and file.stat().st_size > MAX_CHECKED_BYTES
    check = sa.text("PRAGMA quick_check(1)")
    if not is_large and (await connection.execute(check)).scalar_one() != "ok":
        raise StoreError("database-damaged")


def schema_version_of(connection: sa.Connection) -> str | None:
    names = set(sa.inspect(connection).get_table_names())
    if "alembic_version" in names:
        found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
        return None if found is None else str(found)
    if names & set(metadata.tables):
        raise StoreError("database-of-another-program")
    return None


def migrate(connection: sa.Connection) -> None:
    """Create the tables in an empty database, or migrate them to SCHEMA_VERSION by migrations/."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    if schema_version_of(connection) is None:
        metadata.create_all(connection)
        command.stamp(config, SCHEMA_VERSION)
        return
    try:
        command.upgrade(config, SCHEMA_VERSION)
    except CommandError:
        raise StoreError("database-of-another-version") from None
