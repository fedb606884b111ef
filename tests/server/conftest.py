"""One server for all tests of this folder that only need a server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fifteentwo.server import pages, socket
from tests.server.live import Live, serving
from tests.server.luck import same_luck

__all__ = ["database", "live", "same_luck"]


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server") / "games.sqlite3"


@pytest.fixture(scope="session")
def live(database: Path) -> Iterator[Live]:
    """Without the limits on haste: tests play faster than people."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "A_SECOND", 1e6)
        patch.setattr(pages, "NEW_TABLES", (1000, 1e6))
        with serving(database) as server:
            yield server
