"""A PostgreSQL for each module of tests."""

from collections.abc import Iterator

import pytest

from tests.support import postgres


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of an empty database."""
    with postgres.cluster() as address:
        yield address
