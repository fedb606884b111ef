"""Entrants of an arena: levels, or any object that creates players."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from fifteentwo.players import Player, player


class Entrant(Protocol):
    """An entrant of an arena, which must be picklable, because it may play in another process."""

    @property
    def name(self) -> str:
        """Name in the result."""
        ...

    @property
    def key(self) -> str:
        """Identity in a checkpoint: entrants with the same key play alike."""
        ...

    def players(self, seed: int, seats: int) -> Sequence[Player]:
        """Return a player for each seat. A player with `close()` is closed after its last game."""
        ...


class Level(msgspec.Struct, frozen=True):
    """A level as an entrant."""

    name: str

    @property
    def key(self) -> str:
        return self.name

    def players(self, seed: int, seats: int) -> Sequence[Player]:
        """Return the same player for every seat, because levels have no memory; raise UnknownLevel."""
        return [player(self.name, seed)] * seats
