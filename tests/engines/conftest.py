"""Fixtures of the tests that start programs."""

import uuid
from collections.abc import Iterator

import pytest

from tests.support.marked import MARK, POSSIBLE, until_gone


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Set an environment variable that all programs of this test inherit; no such process may survive."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv(MARK, mark)
    yield mark
    if POSSIBLE:
        assert not until_gone(mark)
