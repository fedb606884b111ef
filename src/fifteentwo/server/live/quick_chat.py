"""Quick chat: ten preset messages that people at a table can send each other, and no word of their own.

A message goes over the wire by its name alone; each page shows it in its reader's language. It is sent to the
pages that are open and stored nowhere. A page can mute whom its reader does not want to hear.
"""

import asyncio
from collections.abc import Sequence
from typing import get_args

from fifteentwo.server.errors import Refused
from fifteentwo.server.http.rate_limits import RateLimiter
from fifteentwo.server.live import wire
from fifteentwo.server.live.audience import Audience
from fifteentwo.server.live.peer_link import PeerLink
from fifteentwo.server.table_log.rows import Person

PRESETS: tuple[wire.Preset, ...] = get_args(wire.Preset)
AT_ONCE, A_SECOND = 3, 1 / 6
"""Messages that one person may send at once, and a second."""


class QuickChat:
    """The quick chat of one table."""

    def __init__(self, audience: Audience, people: Sequence[Person], link: PeerLink) -> None:
        self._audience = audience
        self._people = people
        self._link = link
        self._limiter = RateLimiter(AT_ONCE, A_SECOND)
        link.chat.subscribe(self._received)

    def send(self, person: int, preset: wire.Preset) -> None:
        """Send a message to every page; Refused where no other person sits here, or it comes too soon."""
        own = self._people[person].owner
        if not any(one.level is None and one.owner not in (None, own) for one in self._people):
            raise Refused("no-one-to-read", status=409)
        if self._wait(person):
            raise Refused("quick-chat-too-soon", status=429)
        self._broadcast(person, preset)
        self._link.publish("chat", f"{person}:{preset}")

    def _received(self, text: str) -> None:
        """Send a message of another process's page; ValueError where it is none."""
        number, _, preset = text.partition(":")
        person = int(number)
        if preset not in PRESETS or not 0 <= person < len(self._people):
            raise ValueError(text)
        # Messages through all processes count together: a page in each allows no more.
        self._wait(person)
        self._broadcast(person, preset)

    def _broadcast(self, person: int, preset: wire.Preset) -> None:
        self._audience.broadcast(wire.message(wire.QuickChatMessage(wire.ChatLine(person, preset))))

    def _wait(self, person: int) -> float:
        return self._limiter.wait(f"{person}", now=asyncio.get_running_loop().time())
