"""What a database driver says, as a StoreError with a code."""

import asyncio
import sqlite3
from types import TracebackType

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from fifteentwo.server.errors import StoreError
from fifteentwo.server.health import Condition


class clear_errors:  # noqa: N801 - reads as a word in `with`
    """Turn what a driver says into a StoreError with a code, and note whether the database works."""

    def __init__(self, condition: Condition | None = None) -> None:
        self._condition = condition

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, IntegrityError):
            raise StoreError("moved-on") from error
        if isinstance(error, SQLAlchemyError | OSError | asyncio.TimeoutError | sqlite3.Error):
            code = code_of(error)
            # A value that no database takes says nothing about this one.
            if self._condition is not None and not isinstance(error, DataError):
                self._condition.fails(code, words_of(error))
            raise StoreError(code) from error
        if error is None and self._condition is not None:
            self._condition.works()


def words_of(error: BaseException) -> BaseException:
    """Return what the driver itself said, without SQLAlchemy's frame."""
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error


def code_of(error: BaseException) -> str:
    """The code of a trouble by the words a driver has for it."""
    said = str(words_of(error)).lower()
    if "locked" in said or "busy" in said:
        return "database-locked"
    if "malformed" in said or "not a database" in said or "corrupt" in said:
        return "database-damaged"
    if "readonly" in said or "read-only" in said or "permission" in said:
        return "database-read-only"
    if "full" in said or "no space" in said:
        return "disk-full"
    return "database-out-of-reach"
