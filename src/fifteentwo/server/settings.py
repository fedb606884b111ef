"""The settings of a server, each with a safe default."""

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import platformdirs

if TYPE_CHECKING:
    # This imports NumPy, which `fifteentwo paths` does not need.
    from fifteentwo.engines.engine import Program


def games_file() -> Path:
    return Path(platformdirs.user_data_path("fifteentwo", appauthor=False)) / "games.sqlite3"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings that `fifteentwo serve` takes from its options or the environment."""

    allowed_hosts: tuple[str, ...] = ()
    """Host names to respond to, beside this machine's own; "*" is every name."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks whose X-Forwarded-For, -Proto and -Host headers are trusted."""
    structured_logs: bool = False
    metrics_token: str | None = None
    """Token with which other machines may read /metrics; None: only this machine may."""
    engines: "tuple[Program, ...]" = ()
    unplayed_days: int = 7
    """Days after which tables without any action are deleted; 0: never."""
