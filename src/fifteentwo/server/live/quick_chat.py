"""What people at a table may say to each other: ten courtesies, no word of their own.

A courtesy goes over the line as its name alone, each page has it in its reader's language. It is told to the
pages that are open and kept nowhere. Whoever does not want to hear somebody mutes them on their own page.
"""

import asyncio
from typing import TYPE_CHECKING, get_args

from fifteentwo.server.errors import Refused
from fifteentwo.server.live import wire
from fifteentwo.server.web_edge.rate_limits import RateLimiter

if TYPE_CHECKING:
    from fifteentwo.server.live.rooms import Room

COURTESIES: tuple[wire.Courtesy, ...] = get_args(wire.Courtesy)
AT_ONCE, A_SECOND = 3, 1 / 6
"""What one person may say one after another, and a second."""


class Courtesies:
    """The courtesies of one table."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._limiter = RateLimiter(AT_ONCE, A_SECOND)

    def say(self, person: int, says: wire.Courtesy) -> None:
        """Somebody says it to everyone; Refused where no other person sits here, or they say too much."""
        people = self._room.people
        own = people[person].owner
        if not any(one.level is None and one.owner not in (None, own) for one in people):
            raise Refused("nobody-to-hear", status=409)
        if self._limiter.wait(f"{person}", now=asyncio.get_running_loop().time()):
            raise Refused("courtesy-too-soon", status=429)
        self._pass_on(person, says)
        self._room.neighbours.tell("courtesy", [f"{self._room.id}:{person}:{says}"])

    def hear(self, person: int, says: str) -> None:
        """It was said through another process; ValueError for what nobody can say."""
        if says not in COURTESIES or not 0 <= person < len(self._room.people):
            raise ValueError(says)
        # What is said through one process counts in all: nobody says more by having a page in each.
        self._limiter.wait(f"{person}", now=asyncio.get_running_loop().time())
        self._pass_on(person, says)

    def _pass_on(self, person: int, says: wire.Courtesy) -> None:
        """Tell it to every page of this table that is open in this process, the speaker's own too."""
        message = wire.courtesy(person, says)
        for listener in self._room.listeners:
            listener.send(message)
