"""Settings of a server; every one has a safe default."""

import msgspec

from fifteentwo.engines.engine import Program


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings that `fifteentwo serve` takes from its options or the environment."""

    allowed_hosts: tuple[str, ...] = ()
    """Host names it responds to, next to this machine's own; "*" is every name."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks whose X-Forwarded-For, -Proto and -Host are believed."""
    structured_logs: bool = False
    metrics_token: str | None = None
    """The token with which another machine may read /metrics; None: this machine only."""
    engines: tuple[Program, ...] = ()
    """Programs that are opponents next to the levels."""
    unplayed_days: int = 7
    """Days after which tables without a single action are removed; 0: never."""
