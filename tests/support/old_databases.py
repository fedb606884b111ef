"""Empty databases of an earlier version, SQLite and PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from fifteentwo.server.store import store as stores
from fifteentwo.server.store.connection import database_url
from tests.support import postgres as clusters


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "games.sqlite3")
    else:
        with clusters.cluster() as one:
            yield one


def of_version(address: str, version: str) -> sa.Engine:
    """An empty database of a version."""
    from alembic import command
    from alembic.config import Config

    url = database_url(address)
    engine = sa.create_engine(url.set(drivername=url.drivername.replace("+aiosqlite", "")))
    config = Config()
    config.set_main_option("script_location", str(Path(stores.__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)
    return engine
