"""One server for the tests of this folder that need one."""

from tests.server.conftest import database, live, same_luck

__all__ = ["database", "live", "same_luck"]
