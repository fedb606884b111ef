"""The server of `tests/server` and its people."""

from tests.server.conftest import aiko, database, ken, live, same_luck

__all__ = ["aiko", "database", "ken", "live", "same_luck"]
