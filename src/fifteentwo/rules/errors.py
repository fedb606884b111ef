"""All errors that this package raises on purpose.

    FifteenTwoError
    ├─ IllegalAction(ValueError)    .code .rule .seat .values   an action that the rules forbid now
    ├─ InvalidRules(ValueError)     .code .rule                 options that are not allowed together
    ├─ NotationError(ValueError)    .text .position .code       text that cannot be read
    ├─ InvalidArgument(TypeError, ValueError)  .code .argument .given   an argument of a wrong type or range
    ├─ UnknownVariant(LookupError)  .name                       an unknown variant
    └─ NotInstalled(ImportError)    .extra .package .install    a package that is needed but not installed

Each has a code, a rule number and values. `fifteentwo.i18n` makes sentences from them, also for `str(error)`.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any


class FifteenTwoError(Exception):
    """The base class of all errors that this package raises on purpose."""

    code: str
    """Identifier of the error, for example "out-of-turn"."""

    def __str__(self) -> str:
        """Return the sentence that the command line prints."""
        # Texts belong to `i18n`, which depends on this package, and are loaded only when one is needed.
        sentence: str = import_module("fifteentwo.i18n.refusal").refusal(self, "en")
        return sentence

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.args, vars(self))


class IllegalAction(FifteenTwoError, ValueError):
    """Raised if the rules do not allow an action in a state; `rule` is the rule's number."""

    def __init__(self, code: str, rule: str, seat: int | None = None, **values: object) -> None:
        self.code = code
        self.rule = rule
        self.seat = seat
        self.values: Mapping[str, object] = values
        details = "".join(f", {name} {value}" for name, value in values.items())
        super().__init__(f"{code} ({rule}){'' if seat is None else f': seat {seat}'}{details}")


class InvalidRules(FifteenTwoError, ValueError):
    """Raised if options are not allowed together."""

    def __init__(self, code: str, rule: str) -> None:
        self.code = code
        self.rule = rule
        super().__init__(f"{code} ({rule})")


class NotationError(FifteenTwoError, ValueError):
    """Raised if text cannot be read. `position`: character or word from 0, or in a record the line from 1."""

    def __init__(self, code: str, text: str, position: int = 0) -> None:
        self.code = code
        self.text = text
        self.position = position
        super().__init__(f"{code} at {position}: {text!r}")


class InvalidArgument(FifteenTwoError, TypeError, ValueError):
    """Raised if an argument of a function has a wrong type or is out of range."""

    def __init__(self, code: str, argument: str, given: object, allowed: tuple[object, ...] = ()) -> None:
        """Create the error. allowed: the values that are allowed, where they are few."""
        self.code = code
        self.argument = argument
        self.given = given if isinstance(given, str) else f"{type(given).__name__} {given!r}"[:80]
        self.allowed = tuple(map(str, allowed))
        super().__init__(f"{code}: {argument}: {self.given}")


class UnknownVariant(FifteenTwoError, LookupError):
    """Raised if a variant does not exist."""

    code = "unknown-variant"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"no such variant: {name!r}")


class NotInstalled(FifteenTwoError, ImportError):
    """Raised if a needed package is not installed; `.install` is the command that installs it."""

    code = "not-installed"

    def __init__(self, extra: str, package: str = "") -> None:
        """Create the error. extra: an extra of this package, or "" for a required package."""
        self.extra = extra
        self.package = package
        self.install = f'pip install "fifteentwo[{extra}]"' if extra else f"pip install {package}"
        super().__init__(f"{package or extra} is not installed: {self.install}")


def is_seat(given: object, seats: int) -> bool:
    """Return whether a value is a seat number: an integer from 0 to `seats` - 1, but no bool or float."""
    if type(given) is int:
        return 0 <= given < seats
    return hasattr(given, "__index__") and not isinstance(given, bool) and given in range(seats)


def _rebuild(
    kind: type[FifteenTwoError], args: tuple[object, ...], attributes: dict[str, Any]
) -> FifteenTwoError:
    """Return an error from pickled values, without calling its constructor."""
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(attributes)
    return error
