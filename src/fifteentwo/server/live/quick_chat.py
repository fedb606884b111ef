"""Quick chat: ten preset messages that people at a table can send each other, and no free text.

A message is sent by its name to the open pages, and not stored. Each page shows it in its reader's language,
and can mute a sender.
"""

import asyncio
from typing import get_args

from fifteentwo.server.errors import Refused
from fifteentwo.server.http.rate_limits import TokenBucket
from fifteentwo.server.live import wire
from fifteentwo.server.live.table import LiveTable, Part

PRESETS: tuple[wire.Preset, ...] = get_args(wire.Preset)
CHAT_BURST_MESSAGES = 3
CHAT_MESSAGES_PER_SECOND = 1 / 6


class QuickChat(Part):
    """The part of a table that sends quick-chat messages."""

    def __init__(self) -> None:
        self._buckets: dict[int, TokenBucket] = {}

    def send(self, table: LiveTable, person: int, preset: wire.Preset) -> None:
        """Send a message to every page. Raise Refused if no other person sits here, or if it is too soon."""
        own = table.people[person].owner
        if not any(one.level is None and one.owner not in (None, own) for one in table.people):
            raise Refused("no-other-player", status=409)
        bucket = self._buckets.setdefault(person, TokenBucket(CHAT_BURST_MESSAGES, CHAT_MESSAGES_PER_SECOND))
        if not bucket.take(asyncio.get_running_loop().time()):
            raise Refused("quick-chat-too-soon", status=429)
        message = wire.encode(wire.QuickChatMessage(wire.ChatLine(person, preset)))
        for page in table.pages:
            page.send(message)
