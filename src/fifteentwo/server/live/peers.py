"""The other processes that serve the same database, as a table needs them; and none, where there is one."""

from collections.abc import Iterable, Mapping
from typing import Protocol

Presence = Mapping[int, bool]
"""People by number who have a page open, and whether one of their pages takes part in the dealing."""


class Leases(Protocol):
    """Which tables' computers and clocks act in this process."""

    def owns(self, game: str, /) -> bool: ...
    def epoch(self, game: str, /) -> int | None: ...
    def want(self, game: str, /) -> None: ...
    def give_up(self, game: str, /) -> None: ...
    def doubt(self, game: str, /) -> None: ...
    async def claim(self, game: str, /) -> None: ...
    def __len__(self) -> int: ...


class Peers(Protocol):
    """The other processes that serve the same database."""

    @property
    def leases(self) -> Leases: ...
    def start(self) -> None: ...
    async def close(self) -> None: ...
    def publish(self, kind: str, words: Iterable[str], /) -> None: ...
    def announce(self, game: str, presence: Presence, /) -> None: ...
    def presence(self, game: str, /) -> Presence: ...
    def missed(self, game: str, /) -> int: ...


class OwnLeases:
    """Every table's computers and clocks act in the one process that there is."""

    def owns(self, _game: str) -> bool:
        """Return True."""
        return True

    def epoch(self, _game: str) -> int | None:
        """Return None: no row needs a lease."""
        return None

    def want(self, _game: str) -> None:
        """It is this process's already."""

    def give_up(self, _game: str) -> None:
        """No other process waits for it."""

    def doubt(self, _game: str) -> None:
        """No other process can have taken it."""

    async def claim(self, _game: str) -> None:
        """It is this process's already."""

    def __len__(self) -> int:
        return 0


class NoPeers:
    """Peers where one process serves alone."""

    def __init__(self) -> None:
        self.leases: Leases = OwnLeases()

    def start(self) -> None:
        """Do nothing: there is no one to listen to."""

    async def close(self) -> None:
        """Do nothing: nothing was begun."""

    def publish(self, _kind: str, _words: Iterable[str]) -> None:
        """Do nothing: no other process receives it."""

    def announce(self, _game: str, _presence: Presence) -> None:
        """Do nothing: no other process receives it."""

    def presence(self, _game: str) -> Presence:
        """Return no one."""
        return {}

    def missed(self, _game: str) -> int:
        """Return 0: no row of another process was missed."""
        return 0
