"""Errors of database drivers as StoreError with a code."""

import asyncio
import sqlite3
from types import TracebackType

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from fifteentwo.server.errors import StoreError
from fifteentwo.server.health import Condition


class clear_errors:  # noqa: N801 - reads as a word in `with`
    """Turn the errors of a driver into StoreError with a code, and note whether the database works."""

    def __init__(self, condition: Condition | None = None) -> None:
        self._condition = condition

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, IntegrityError):
            raise StoreError("conflict") from error
        if isinstance(error, SQLAlchemyError | OSError | asyncio.TimeoutError | sqlite3.Error):
            code = code_of(error)
            # A value that no database takes says nothing about this one.
            if self._condition is not None and not isinstance(error, DataError):
                self._condition.fails(code, driver_error(error))
            raise StoreError(code) from error
        if error is None and self._condition is not None:
            self._condition.works()


def driver_error(error: BaseException) -> BaseException:
    """Return the driver's own error, without SQLAlchemy's around it."""
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error


def code_of(error: BaseException) -> str:
    """Return the code of an error, by the words of its driver."""
    message = str(driver_error(error)).lower()
    if "locked" in message or "busy" in message:
        return "database-locked"
    if "malformed" in message or "not a database" in message or "corrupt" in message:
        return "database-damaged"
    if "readonly" in message or "read-only" in message or "permission" in message:
        return "database-read-only"
    if "full" in message or "no space" in message:
        return "disk-full"
    return "database-out-of-reach"
