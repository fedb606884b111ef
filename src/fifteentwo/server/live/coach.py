"""The coach: what a choice just made was worth, told to a page that wants to know, before anybody answers it.

While a costly choice stands the computers wait: nothing is learned, so it may still be taken back.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol

import msgspec

from fifteentwo.i18n.figures import percent
from fifteentwo.rules.actions import Discard, NameDealer, Play, SeatAction
from fifteentwo.rules.view import View
from fifteentwo.server.errors import Refused
from fifteentwo.server.live import wire
from fifteentwo.server.live.wire import Verdict
from fifteentwo.server.study.problems import solved

log = logging.getLogger("fifteentwo.server")
COSTLY = ("mistake", "blunder")


class Page(Protocol):
    """An open page: whose, in which language, and whether it listens to the coach."""

    person: int
    lang: str
    coach: bool

    def send(self, message: bytes, /) -> None: ...


class Room(Protocol):
    """What the coach needs of a room."""

    restarts: int

    @property
    def listeners(self) -> Sequence[Page]: ...
    @property
    def hints(self) -> bool: ...
    def may_undo(self, person: int, /) -> bool: ...
    def wake(self) -> None: ...


class Coach:
    """The coach of one table."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self.holds = False
        """The computers wait until it has spoken, and been heard where a choice was costly."""

    def listen(self, page: Page, wanted: bool) -> None:
        """Be told what one's choices were worth, or no longer; Refused where hints are not given either."""
        if wanted and not self._room.hints:
            raise Refused("coach-not-here")
        page.coach = wanted
        self.left()

    def left(self) -> None:
        """A page has gone, or listens no longer."""
        if not any(page.coach for page in self._room.listeners):
            self.go_on()

    def go_on(self) -> None:
        """It has been heard."""
        if self.holds:
            self.holds = False
            self._room.wake()

    def judges(self, person: int, action: SeatAction | NameDealer) -> bool:
        """Whether it will have a word about this."""
        wanted = any(page.coach and page.person == person for page in self._room.listeners)
        return wanted and self._room.hints and isinstance(action, Discard | Play)

    async def judge(self, person: int, seen: View, action: SeatAction | NameDealer) -> None:
        """Say what a choice was worth; go on unless it was costly and can still be taken back."""
        room, restarts, costly = self._room, self._room.restarts, False
        try:
            for page in [one for one in room.listeners if one.coach and one.person == person]:
                told = await asyncio.to_thread(verdict, seen, action, page.lang)
                if told is None or room.restarts != restarts:
                    continue
                held = told.mark in COSTLY and self.holds and room.may_undo(person)
                costly = costly or held
                page.send(wire.coach(msgspec.structs.replace(told, held=held)))
        except Exception:
            log.exception("the coach could not judge")
        if not costly and room.restarts == restarts:
            self.go_on()


def verdict(seen: View, action: SeatAction | NameDealer, lang: str) -> Verdict | None:
    """What it was worth by what the seat saw; None where it was the only choice. Not for the event loop."""
    if not isinstance(action, Discard | Play) or _only_one(seen, action):
        return None
    told = solved(seen, action.cards if isinstance(action, Discard) else (action.card,), lang)
    cost = percent(told.loss, 1, lang) if told.by_chance else f"{told.loss:.1f}"
    return Verdict(
        mark=told.mark, cost=cost, best=told.best, told=told.why if told.mark in COSTLY else (), held=False
    )


def _only_one(seen: View, action: Discard | Play) -> bool:
    """No card of another rank fits."""
    if isinstance(action, Discard):
        return False
    fits = {card.rank for card in seen.hand if seen.count + card.value <= 31}
    return len(fits) < 2
