"""What whoever keeps a server decides about it; everything has a value that is safe."""

import msgspec

from fifteentwo.server.web_edge.connections import Patience


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a server is kept. `fifteentwo serve` takes each from its options or the environment."""

    allowed_hosts: tuple[str, ...] = ()
    """Names it goes by beside this machine's own; "*" is every name."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks whose X-Forwarded-For, -Proto and -Host are believed."""
    structured_logs: bool = False
    metrics_token: str | None = None
    """What lets a program elsewhere read /metrics; None: this machine only."""
    patience: Patience = Patience()
    workers: int = 1
    """Processes that share this machine's cores."""
    worker_ports: int | None = None
    """On 127.0.0.1, where the first of several processes answers alone; the others at those that follow."""
    unplayed_days: int = 7
    """Tables at which nothing was ever done are removed after so many days; 0: never."""
