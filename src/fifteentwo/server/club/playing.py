"""The games of an evening: matches for the tables of each round, their results, and the next round."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from fifteentwo.server.club.decisions import Change
from fifteentwo.server.club.evening import Evening
from fifteentwo.server.club.evenings import Evenings
from fifteentwo.server.club.season import EveningCards
from fifteentwo.server.live.tables import Tables


class Figures(NamedTuple):
    """Figures of a record beside its points; None if no game, or no reviewed one, has them."""

    luck: float | None = None
    """Win probability that the cards gave (positive) or took, in percent, as a mean of the reviewed games."""
    loss: float | None = None
    """Win probability lost by choices, in hundredths per 100 choices that were not obvious."""
    hand: float | None = None
    """Mean points of a hand."""
    adjusted: float | None = None
    """Games won with luck taken out, in percent of the reviewed games; it may be below 0 or above 100."""


class EveningPlay:
    """Plays the evenings: tables of each round, results, the next round."""

    def __init__(self, tables: Tables, evenings: Evenings) -> None:
        self._tables = tables
        self._evenings = evenings

    async def change(self, evening_id: str, decide: Callable[[Evening], Change | None]) -> None:
        """Store a change as Evenings.change does, then do what follows from it."""
        await self._evenings.change(evening_id, decide)

    async def resume(self) -> None:
        """Do what follows for every evening that is not over."""

    async def figures(self, evening: Evening) -> Mapping[int, Figures]:
        """Return the figures of each record."""
        return {record: Figures() for record in evening.cards.cards}

    async def cards(self, evening: Evening) -> EveningCards:
        """Return an evening's score cards with the points of hands, as seasons count them."""
        return evening.cards
