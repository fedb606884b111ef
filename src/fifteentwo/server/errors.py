"""Errors of the server: refused requests, and failures of the server itself."""

from collections.abc import Mapping

from fifteentwo.rules.errors import FifteenTwoError


class Refused(FifteenTwoError, ValueError):
    """A refused request or message, which has changed nothing."""

    def __init__(self, code: str, rule: str | None = None, *, status: int = 400, **values: object) -> None:
        self.code = code
        self.rule = rule
        self.status = status
        self.values: Mapping[str, object] = values
        vars(self).update(values)
        super().__init__(code)


class ServerError(FifteenTwoError, RuntimeError):
    """A failure of the server."""

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values: Mapping[str, object] = values
        vars(self).update(values)
        detail = ", ".join(f"{name} {value}" for name, value in values.items())
        super().__init__(f"{code}: {detail}" if detail else code)


class StoreError(ServerError):
    """A failure of the database: it cannot be used, or has not stored a row."""


class PortTaken(ServerError):
    """The failure to listen at the requested port, because another program does."""

    def __init__(self, port: int) -> None:
        self.port = port
        super().__init__("port-taken", port=port)


class DealingRefuted(FifteenTwoError, ValueError):
    """The cards of a record do not follow from its seeds, or the seeds do not match their commitments."""

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
        """The number of the action in the record, from 1; None if the whole record is wrong."""
        self.deal = deal
        """The number of the deal, from 1; 0 for the draw for the deal, None for the whole record."""
        self.seat = seat
        self.expected = expected
        """The commitment that the record should have."""
        super().__init__(code if action is None else f"{code}: action {action}")
