"""The migrations make the tables that the program knows: a changed schema needs a migration."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from fifteentwo.server.store import migrations
from fifteentwo.server.store.schema import metadata
from fifteentwo.server.store.store import HEAD, Store
from tests.support import postgres as clusters


def migrated(address: str) -> None:
    async def work() -> None:
        await (await Store.open(address)).close()

    asyncio.run(work())


def differences(engine: sa.Engine, known: sa.MetaData) -> list[Any]:
    """Return what a database lacks, or has too much, to hold these tables."""
    with engine.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), known))


def statements(engine: sa.Engine) -> set[tuple[str, str]]:
    """Return the SQL of every table and index of a SQLite file."""
    with engine.connect() as connection:
        found = connection.execute(sa.text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
        return {(row.name, row.sql) for row in found if row.name != "alembic_version"}


def test_a_changed_schema_needs_a_migration(tmp_path: Path) -> None:
    file, made = tmp_path / "migrated.sqlite3", tmp_path / "made.sqlite3"
    migrated(str(file))
    engine, other = sa.create_engine(f"sqlite:///{file}"), sa.create_engine(f"sqlite:///{made}")
    metadata.create_all(other)
    assert statements(engine) == statements(other)
    assert differences(engine, metadata) == []
    changed = sa.MetaData()
    for table in metadata.sorted_tables:
        table.to_metadata(changed)
    changed.tables["player"].append_column(sa.Column("handicap", sa.Integer))
    [(kind, _, table, column)] = differences(engine, changed)
    assert (kind, table, column.name) == ("add_column", "player", "handicap")
    for one in (engine, other):
        one.dispose()


@pytest.mark.postgres
def test_postgresql_gets_the_same_tables() -> None:
    with clusters.cluster() as address:
        migrated(address)
        engine = sa.create_engine(address.replace("postgresql://", "postgresql+psycopg://"))
        assert differences(engine, metadata) == []
        engine.dispose()


def test_the_last_migration_is_the_version_of_the_program() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]
