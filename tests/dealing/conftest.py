"""The server of `tests/server`."""

from tests.server.conftest import database, live, same_luck

__all__ = ["database", "live", "same_luck"]
