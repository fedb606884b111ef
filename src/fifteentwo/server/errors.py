"""Errors of the server: requests it refuses, and what keeps it from its work.

FifteenTwoError
├─ Refused(ValueError)        .code .rule .values .status   a request or message that is turned away
├─ ServerError(RuntimeError)  .code .values                 the server cannot do its work
│  ├─ StoreError              the database is locked, damaged, of another version, or out of reach
│  └─ PortTaken               .port
└─ DealingRefuted(ValueError) .code .action .deal .seat     a record's cards are not those committed to
"""

from collections.abc import Mapping

from fifteentwo.rules.errors import FifteenTwoError


class Refused(FifteenTwoError, ValueError):
    """A request or message that is refused; the table stays as it was."""

    def __init__(self, code: str, rule: str | None = None, *, status: int = 400, **values: object) -> None:
        self.code = code
        self.rule = rule
        self.status = status
        self.values: Mapping[str, object] = values
        vars(self).update(values)
        super().__init__(code)


class ServerError(FifteenTwoError, RuntimeError):
    """The server cannot do its work."""

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values: Mapping[str, object] = values
        vars(self).update(values)
        detail = ", ".join(f"{name} {value}" for name, value in values.items())
        super().__init__(f"{code}: {detail}" if detail else code)


class StoreError(ServerError):
    """The database cannot be used, or did not take what was to be stored."""


class PortTaken(ServerError):
    """Another program listens at the port that was asked for."""

    def __init__(self, port: int) -> None:
        self.port = port
        super().__init__("port-taken", port=port)


class DealingRefuted(FifteenTwoError, ValueError):
    """A record's cards do not follow from its seeds, or those are not what was committed to."""

    def __init__(
        self,
        code: str,
        action: int | None = None,
        *,
        deal: int | None = None,
        seat: int | None = None,
        expected: str | None = None,
    ) -> None:
        self.code = code
        self.action = action
        """Which action of the record, from 1; None where it is the record as a whole."""
        self.deal = deal
        """Which deal, from 1; 0 is the draw for the deal, None the record as a whole."""
        self.seat = seat
        self.expected = expected
        """The commitment that the record should have had."""
        super().__init__(code if action is None else f"{code}: action {action}")
