"""A PostgreSQL that the tests of one module share."""

from collections.abc import Iterator

import pytest

from tests.support import postgres


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    with postgres.cluster() as address:
        yield address
