"""The other processes that serve the same database, as a table needs them: here none, `cluster` has some."""

from collections.abc import Iterable, Mapping

Presence = Mapping[int, bool]
"""People by number who have a page open, and whether one of their pages takes part in the dealing."""


class Leases:
    """Which tables' computers and clocks act in this process: those of every table, where it serves alone."""

    def owns(self, _game: str, /) -> bool:
        """Return whether this process has a table's lease."""
        return True

    def epoch(self, _game: str, /) -> int | None:
        """Return the epoch of a table's lease; None where no row needs one, or another process has it."""
        return None

    def want(self, game: str, /) -> None:
        """Take a lease as soon as no other process has it, and renew it."""

    def give_up(self, game: str, /) -> None:
        """Give up a lease, so that others may take it."""

    def doubt(self, game: str, /) -> None:
        """A row under this lease was refused: ask whether this process still has it."""

    async def claim(self, game: str, /) -> None:
        """Take the lease now from any other process, whose computers add nothing from here on. StoreError."""

    def __len__(self) -> int:
        return 0


class Peers:
    """The other processes; there is none."""

    leases: Leases

    def __init__(self) -> None:
        self.leases = Leases()

    def start(self) -> None:
        """Receive notifications from now on, and poll for those lost."""

    async def close(self) -> None:
        """Say goodbye, and leave every table to the others."""

    def publish(self, kind: str, words: Iterable[str], /) -> None:
        """Send the other processes something; whether they receive it is not sure."""

    def announce(self, game: str, presence: Presence, /) -> None:
        """Send the other processes who has a page of a table open here."""

    def presence(self, _game: str, /) -> Presence:
        """Return who has a page of a table open in other processes."""
        return {}

    def missed(self, _game: str, /) -> int:
        """Return the last row that was received while a table was being opened; 0 for none."""
        return 0
