"""Who enters an arena: a level, or anything else that gives players."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from fifteentwo.players import Player, player


class Entrant(Protocol):
    """One of the two sides of an arena; it can be pickled, for it may play in another process."""

    @property
    def name(self) -> str:
        """What it is called in the result."""
        ...

    @property
    def key(self) -> str:
        """What a checkpoint knows it by: entrants of one key play alike."""
        ...

    def players(self, seed: int, seats: int) -> Sequence[Player]:
        """A player for each seat that it may take. One with `close()` is closed after its last game."""
        ...


class Level(msgspec.Struct, frozen=True):
    """A level by its name."""

    name: str

    @property
    def key(self) -> str:
        return self.name

    def players(self, seed: int, seats: int) -> Sequence[Player]:
        """One player at every seat: levels remember nothing. UnknownLevel where there is no such level."""
        return [player(self.name, seed)] * seats
