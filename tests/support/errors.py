"""Errors that a test expects."""

from typing import TypeVar

import pytest

from fifteentwo.rules.errors import FifteenTwoError

E = TypeVar("E", bound=FifteenTwoError)


def raises_code(kind: type[E], code: str) -> pytest.RaisesExc[E]:
    """Return a context that expects an error of a class with this code."""
    return pytest.raises(kind, check=lambda error: error.code == code)
