"""Everything this package refuses, and how.

    FifteenTwoError
    ├─ IllegalAction(ValueError)    .code .rule .seat .values   an action the rules forbid now
    ├─ InvalidRules(ValueError)     .code .rule                 options that do not go together
    ├─ NotationError(ValueError)    .text .position .code       text that cannot be read
    ├─ InvalidArgument(TypeError, ValueError)  .code .argument .given   what a function cannot use
    ├─ UnknownVariant(LookupError)  .name                       a variant or option that is not in the rules
    └─ NotInstalled(ImportError)    .extra .package .install    a package that is asked for and missing

Each carries a code, a rule number and values; `fifteentwo.i18n` turns them into sentences.
"""

from collections.abc import Mapping
from typing import Any


class FifteenTwoError(Exception):
    """The root of every error this package raises on purpose."""

    code: str


class IllegalAction(FifteenTwoError, ValueError):
    """An action that the rules do not allow in this state."""

    def __init__(self, code: str, rule: str, seat: int | None = None, **values: object) -> None:
        self.code = code
        self.rule = rule
        self.seat = seat
        self.values: Mapping[str, object] = values
        details = "".join(f", {name} {value}" for name, value in values.items())
        super().__init__(f"{code} ({rule}){'' if seat is None else f': seat {seat}'}{details}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), (self.code, self.rule, self.seat), dict(self.values))


class InvalidRules(FifteenTwoError, ValueError):
    """Options that the documents do not allow together."""

    def __init__(self, code: str, rule: str) -> None:
        self.code = code
        self.rule = rule
        super().__init__(f"{code} ({rule})")

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), (self.code, self.rule), {})


class NotationError(FifteenTwoError, ValueError):
    """Text that cannot be read; `position` counts characters or words from 0, in a record lines from 1."""

    def __init__(self, code: str, text: str, position: int = 0) -> None:
        self.code = code
        self.text = text
        self.position = position
        super().__init__(f"{code} at {position}: {text!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), (self.code, self.text, self.position), {})


class InvalidArgument(FifteenTwoError, TypeError, ValueError):
    """What a function was given is of no use to it: of another type, or past its bounds."""

    def __init__(self, code: str, argument: str, given: object) -> None:
        self.code = code
        self.argument = argument
        self.given = given if isinstance(given, str) else f"{type(given).__name__} {given!r}"[:80]
        super().__init__(f"{code}: {argument}: {self.given}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), (self.code, self.argument, self.given), {})


class UnknownVariant(FifteenTwoError, LookupError):
    """A variant or an option that is not in the rules."""

    code = "unknown-variant"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"no such variant or option: {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), (self.name,), {})


class NotInstalled(FifteenTwoError, ImportError):
    """What is asked for needs a package that is not installed; `.install` is the command that installs it."""

    code = "not-installed"

    def __init__(self, extra: str, package: str = "") -> None:
        """extra: of this package, empty for what it cannot do without."""
        self.extra = extra
        self.package = package
        self.install = f'pip install "fifteentwo[{extra}]"' if extra else f"pip install {package}"
        super().__init__(f"{package or extra} is not installed: {self.install}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), (self.extra, self.package), {})


def is_seat(given: object, seats: int) -> bool:
    """Return whether this is the number of a seat, from 0: a whole number, so neither True nor 1.0."""
    is_whole = type(given) is int or (hasattr(given, "__index__") and not isinstance(given, bool))
    return is_whole and given in range(seats)


def _again(
    kind: type[FifteenTwoError], positional: tuple[Any, ...], values: dict[str, Any]
) -> FifteenTwoError:
    return kind(*positional, **values)
