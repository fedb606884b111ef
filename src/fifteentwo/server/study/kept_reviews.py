"""Reviews of games of this server in its store: one made for any page is there for all, after a restart too.

Stored is what a review found (`Decision` and `Luck`), compressed JSON, some 10 kB a game. Sentences are made
for each reader: they have a language.
"""

import asyncio
import logging
import zlib
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

from fifteentwo.rules.record import Record, to_json
from fifteentwo.server.store.history import History, seats_of
from fifteentwo.server.study.reviewed_games import ReviewedGames

if TYPE_CHECKING:
    # Loaded with the first review, as by `reviewed_games`.
    from fifteentwo.analysis.review.luck import Luck
    from fifteentwo.analysis.review.review import Decision

log = logging.getLogger("fifteentwo.server")


class KeptReviews:
    """What a review of a game of this server is looked for in, and stored."""

    def __init__(self, history: History, games: ReviewedGames) -> None:
        self._history = history
        self._games = games

    async def recall(self, name: str, number: int, record: Record) -> bool:
        """Load the stored review of a game into the cache; whether all of it is there."""
        if await asyncio.to_thread(self._games.has, record):
            return True
        stored = await self._history.course(name, number)
        if stored is None:
            return False
        try:
            parts = await asyncio.to_thread(unpacked, stored, record)
        except (zlib.error, msgspec.DecodeError):
            log.exception("the review of game %s/%d cannot be read: it is made again", name, number)
            return False
        if parts is None:
            return False
        await asyncio.to_thread(self._games.put, record, parts)
        return True

    async def report(self, name: str, number: int, record: Record) -> dict[str, Any]:
        """Return the report of a review (`ReviewedGames.report`), and store it where it was not."""
        known = await self.recall(name, number, record)
        report = await asyncio.to_thread(self._games.report, record)
        # Another page may have made it for the cache alone, as from a copy of the record.
        if not known or await self._history.course(name, number) is None:
            await self.keep(name, number, record, report)
        return report

    async def keep(self, name: str, number: int, record: Record, report: dict[str, Any]) -> None:
        """Store the results of a review for the history, and all that it found, if the cache has it."""
        course = None
        if await asyncio.to_thread(self._games.has, record):
            course = await asyncio.to_thread(lambda: packed(record, list(self._games.course(record))))
        await self._history.keep_review(name, number, seats_of(report), course)


class _Stored(msgspec.Struct, frozen=True):
    played: str
    """A digest of what was played: an end that was taken back leaves a review of another game."""
    parts: list[tuple[str, msgspec.Raw]]


def packed(record: Record, parts: "Sequence[Decision | Luck]") -> bytes:
    """Return the parts of a review as they are stored."""
    from fifteentwo.analysis.review.review import Decision

    plain = [
        ("decision" if isinstance(one, Decision) else "luck", msgspec.Raw(to_json(one))) for one in parts
    ]
    return zlib.compress(msgspec.json.encode(_Stored(_digest(record), plain)))


def unpacked(stored: bytes, record: Record) -> "list[Decision | Luck] | None":
    """Return the parts of a stored review, None where another game was played.

    zlib.error or DecodeError where it is damaged.
    """
    from fifteentwo.analysis.review.luck import Luck
    from fifteentwo.analysis.review.review import Decision

    kinds: dict[str, type[Decision | Luck]] = {"decision": Decision, "luck": Luck}
    kept = msgspec.json.decode(zlib.decompress(stored), type=_Stored)
    if kept.played != _digest(record):
        return None
    return [msgspec.json.decode(part, type=kinds[kind]) for kind, part in kept.parts]


def _digest(record: Record) -> str:
    return sha256(to_json([record.rules, record.actions, record.named])).hexdigest()
