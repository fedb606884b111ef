"""Settings of a server; every one has a safe default."""

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import platformdirs

if TYPE_CHECKING:
    # Imports NumPy, which `fifteentwo paths` does without.
    from fifteentwo.engines.engine import Program


def games_file() -> Path:
    """Return the file of a person's own games, whether it exists or not."""
    return Path(platformdirs.user_data_path("fifteentwo", appauthor=False)) / "games.sqlite3"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings that `fifteentwo serve` takes from its options or the environment."""

    allowed_hosts: tuple[str, ...] = ()
    """Host names it responds to, next to this machine's own; "*" is every name."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks whose X-Forwarded-For, -Proto and -Host are believed."""
    structured_logs: bool = False
    metrics_token: str | None = None
    """The token with which another machine may read /metrics; None: this machine only."""
    engines: "tuple[Program, ...]" = ()
    unplayed_days: int = 7
    """Days after which tables without a single action are removed; 0: never."""
