"""Settings of a server; every one has a safe default."""

from typing import NamedTuple

import msgspec

from fifteentwo.engines.engine import Program


class Patience(NamedTuple):
    """How many connections, in all and from one address, and how many seconds each may take."""

    most: int = 8_000
    of_an_address: int = 512
    asking: float = 10.0
    """Until the head of its request has arrived."""
    body: float = 30.0
    taking_nothing: float = 30.0
    """While data waits to be sent to it."""
    refused: float = 2.0


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings that `fifteentwo serve` takes from its options or the environment."""

    allowed_hosts: tuple[str, ...] = ()
    """Host names it responds to, next to this machine's own; "*" is every name."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks whose X-Forwarded-For, -Proto and -Host are believed."""
    structured_logs: bool = False
    metrics_token: str | None = None
    """The token with which another machine may read /metrics; None: this machine only."""
    patience: Patience = Patience()
    engines: tuple[Program, ...] = ()
    """Programs that are opponents next to the levels."""
    unplayed_days: int = 7
    """Days after which tables without a single action are removed; 0: never."""
