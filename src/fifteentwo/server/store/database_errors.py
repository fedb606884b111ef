"""Translation of database drivers' errors into StoreError."""

import contextlib
import sqlite3
from collections.abc import Iterator

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from fifteentwo.server.errors import StoreError
from fifteentwo.server.health import Health


@contextlib.contextmanager
def translate_errors(condition: Health | None = None) -> Iterator[None]:
    """Raise the errors of a driver as StoreError with a code, and note whether the database works."""
    try:
        yield
    except IntegrityError as error:
        raise StoreError("conflict") from error
    except (SQLAlchemyError, OSError, sqlite3.Error) as error:
        code = error_code(error)
        # A value that no database accepts is no failure of this one.
        if condition is not None and not isinstance(error, DataError):
            condition.note_failure(code, driver_error(error))
        raise StoreError(code) from error
    if condition is not None:
        condition.note_success()


def driver_error(error: BaseException) -> BaseException:
    """Return the driver's own error, without SQLAlchemy's around it."""
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error


def error_code(error: BaseException) -> str:
    """Return the code of an error, found by words of the driver's message."""
    if isinstance(error, PoolTimeout):
        return "database-busy"
    message = str(driver_error(error)).lower()
    if "locked" in message or "busy" in message:
        return "database-locked"
    if "malformed" in message or "not a database" in message or "corrupt" in message:
        return "database-damaged"
    if "readonly" in message or "read-only" in message or "permission" in message:
        return "database-read-only"
    if "full" in message or "no space" in message:
        return "disk-full"
    return "database-unreachable"
