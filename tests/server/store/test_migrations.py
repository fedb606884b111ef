"""The migrations create the tables that the program expects: a changed schema needs a migration."""

import asyncio
import sqlite3
from contextlib import closing
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
from fifteentwo.server.store.store import SCHEMA_VERSION, Store
from tests.support import postgres as clusters


def migrated(address: str) -> None:
    async def work() -> None:
        await (await Store.open(address)).close()

    asyncio.run(work())


def differences(engine: sa.Engine, known: sa.MetaData) -> list[Any]:
    """Return the differences between a database and these tables."""
    with engine.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), known))


def test_a_changed_schema_needs_a_migration(tmp_path: Path) -> None:
    """Migrate the schema of version 0.1.0, and compare it with the present schema."""
    file = tmp_path / "games.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((Path(__file__).parent / "schema-0001.sql").read_text("utf-8"))
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
        connection.execute("INSERT INTO alembic_version VALUES ('0001')")
        connection.commit()
    migrated(str(file))
    engine = sa.create_engine(f"sqlite:///{file}")
    assert differences(engine, metadata) == []
    changed = sa.MetaData()
    for table in metadata.sorted_tables:
        table.to_metadata(changed)
    changed.tables["player"].append_column(sa.Column("handicap", sa.Integer))
    [(kind, _, table, column)] = differences(engine, changed)
    assert (kind, table, column.name) == ("add_column", "player", "handicap")
    engine.dispose()


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
    assert ScriptDirectory.from_config(config).get_heads() == [SCHEMA_VERSION]
