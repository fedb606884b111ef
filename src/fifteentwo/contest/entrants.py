"""Entrants of an arena: levels, or any object that creates players."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from fifteentwo.players import LEVELS, Player, UnknownLevel, player


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
    """A level as an entrant; raises UnknownLevel if there is no level of this name."""

    name: str

    def __post_init__(self) -> None:
        if self.name not in LEVELS:
            raise UnknownLevel(self.name)

    @property
    def key(self) -> str:
        return self.name

    def players(self, seed: int, seats: int) -> Sequence[Player]:
        """Return the same player for every seat, because levels have no memory."""
        return [player(self.name, seed)] * seats
