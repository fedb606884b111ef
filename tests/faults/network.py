"""A faulty network: messages are lost, doubled, swapped or late; connections end or become silent."""

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import AsyncIterator
from typing import NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake

End = ClientConnection | ServerConnection


class Faults(NamedTuple):
    """Probabilities of each fault per message; after `dumb` nothing passes, not even a close frame."""

    lost: float = 0.0
    doubled: float = 0.0
    swapped: float = 0.0
    late: float = 0.0
    cut: float = 0.0
    dumb: float = 0.0


class Network:
    """A proxy before a server, which applies faults in both directions."""

    def __init__(self, port: int, faults: Faults, seed: int) -> None:
        self.faults = faults
        self.happened: Counter[str] = Counter()
        self._port = port
        self._rng = random.Random(seed)

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[int]:
        """Return the port of the proxy."""
        async with serve(self._pass_on, "127.0.0.1", 0, ping_interval=None, max_size=None) as here:
            yield next(iter(here.sockets)).getsockname()[1]

    async def _pass_on(self, page: ServerConnection) -> None:
        assert page.request is not None
        cookie = {"Cookie": page.request.headers.get("Cookie", "")}
        address = f"ws://127.0.0.1:{self._port}{page.request.path}"
        try:
            async with connect(
                address, additional_headers=cookie, ping_interval=None, max_size=None
            ) as server:
                ways = [asyncio.create_task(self._carry(*ends)) for ends in ((page, server), (server, page))]
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in ways:
                    way.cancel()
        except (ConnectionClosed, InvalidHandshake, OSError):
            self.happened["unreachable"] += 1

    def _happens(self, what: str) -> bool:
        happens = self._rng.random() < float(getattr(self.faults, what))
        self.happened[what] += happens
        return happens

    async def _carry(self, giver: End, taker: End) -> None:
        held: str | bytes | None = None
        with contextlib.suppress(ConnectionClosed):
            async for message in giver:
                if self._happens("cut"):
                    return
                if self._happens("dumb"):
                    await asyncio.sleep(3600)
                if self._happens("late"):
                    await asyncio.sleep(self._rng.random() * 0.05)
                if self._happens("lost"):
                    continue
                if held is None and self._happens("swapped"):
                    held = message
                    continue
                for _ in range(2 if self._happens("doubled") else 1):
                    await taker.send(message)
                if held is not None:
                    await taker.send(held)
                    held = None
