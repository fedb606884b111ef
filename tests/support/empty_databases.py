"""Begins SQLite files as copies of the first: creating the tables takes six times as long."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import URL

from fifteentwo.server.store.store import Store

_EMPTY: list[bytes] = []
"""The first file of this process, without rows."""
_PREPARE = Store._prepare_database


async def _prepare_copy(self: Store, url: URL, *arguments: Any) -> None:
    file = Path(url.database or ":memory:")
    is_new = url.get_backend_name() == "sqlite" and file.parent.is_dir() and not file.exists()
    if is_new and _EMPTY and file.name != ":memory:":
        file.write_bytes(_EMPTY[0])
    await _PREPARE(self, url, *arguments)
    if is_new and not _EMPTY and file.exists():
        with closing(sqlite3.connect(file)) as connection:
            _EMPTY.append(connection.serialize())


def copy_empty_files(patch: pytest.MonkeyPatch) -> None:
    """Let a store that would create a SQLite file copy the first file of this process."""
    patch.setattr(Store, "_prepare_database", _prepare_copy)
