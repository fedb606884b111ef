"""Connections at the level of the socket: how many there may be, and how long one may be silent.

uvicorn closes an idle connection after a response, and pings open WebSockets. What it
lacks is added: a connection that never finishes asking, one that takes nothing, and how many there are.
"""

import asyncio
import contextlib
import logging
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from fifteentwo import i18n
from fifteentwo.server.http.outbox import Line
from fifteentwo.server.settings import Patience

log = logging.getLogger("fifteentwo.server")

ASKING, BODY, SERVED, IDLE, LINE, REFUSED = "asking", "body", "served", "idle", "line", "refused"
"""What a connection does: sends a request's head, its body, waits for the response, is idle, is a WebSocket,
is refused."""
MOST_TURNED_AWAY = 64
"""Connections that are still being sent the reason of their refusal; more are aborted."""


class _Connection:
    """One connection and what it does, since when (seconds)."""

    def __init__(self, address: str, now: float) -> None:
        self.address = address
        self.stage = ASKING
        self.since = now
        self.untaken = 0
        self.untaken_since = now


class Connections:
    """All open connections of this process."""

    def __init__(self, patience: Patience, shared: Callable[[str], bool] = lambda _: False) -> None:
        """shared: whether an address stands for many, as a proxy's does."""
        self.patience = patience
        self._shared = shared
        self._open: dict[asyncio.Transport, _Connection] = {}
        self._of: Counter[str] = Counter()
        self.turned_away = 0
        """So many so far."""
        text = "\n".join(i18n.text("refusal.server-full", lang) for lang in i18n.LANGUAGES).encode()
        self._refusal = (
            b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nConnection: close\r\n"
            b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text)
        )

    def __len__(self) -> int:
        return len(self._open)

    def came(self, transport: asyncio.Transport, address: str) -> bool:
        """Return whether a new connection may stay; the one silent for longest is closed for it."""
        one = _Connection(address, _now())
        full = len(self._open) >= self.patience.most and not self._make_way()
        crowded = self._of[address] >= self.patience.of_an_address and not self._shared(address)
        self._open[transport] = one
        self._of[address] += 1
        if not (full or crowded):
            return True
        self.turned_away += 1
        one.stage = REFUSED
        if sum(other.stage == REFUSED for other in self._open.values()) > MOST_TURNED_AWAY:
            transport.abort()
        else:
            transport.write(self._refusal)
        return False

    def is_at(self, transport: asyncio.Transport, stage: str) -> None:
        """Note what a connection is at now."""
        one = self._open.get(transport)
        if one is not None and one.stage not in (stage, REFUSED):
            one.stage, one.since = stage, _now()

    def left(self, transport: asyncio.Transport) -> None:
        """A connection has ended."""
        one = self._open.pop(transport, None)
        if one is not None:
            self._of[one.address] -= 1
            if not self._of[one.address]:
                del self._of[one.address]

    def sweep(self) -> None:
        """Abort the connections that have taken too long."""
        now, limits = _now(), self.patience
        for transport, one in list(self._open.items()):
            late = {ASKING: limits.asking, BODY: limits.body, REFUSED: limits.refused}.get(one.stage)
            if late is not None and now - one.since > late:
                transport.abort()
                continue
            untaken = transport.get_write_buffer_size()
            if not untaken or untaken < one.untaken:
                one.untaken_since = now
            elif now - one.untaken_since > limits.taking_nothing:
                transport.abort()
            one.untaken = untaken

    async def keep_sweeping(self, every: float = 1.0) -> None:
        """Sweep until cancelled."""
        while True:
            await asyncio.sleep(every)
            self.sweep()

    def _make_way(self) -> bool:
        waiting = [
            (one.since, number, transport)
            for number, (transport, one) in enumerate(self._open.items())
            if one.stage in (ASKING, IDLE)
        ]
        if not waiting:
            return False
        _, _, transport = min(waiting)
        transport.abort()
        self.left(transport)
        return True


def _now() -> float:
    return asyncio.get_running_loop().time()


class PatientHttp(H11Protocol):
    """uvicorn's protocol of HTTP; it notes in the register what the connection does."""

    register: Connections
    _turned_away = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        self._turned_away = not self.register.came(transport, address)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.register.left(self.transport)

    def data_received(self, data: bytes) -> None:
        if self._turned_away:
            return
        super().data_received(data)
        self._note_stage()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._note_stage()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.register.is_at(self.transport, LINE)
        super().handle_websocket_upgrade(event)

    def _note_stage(self) -> None:
        state = self.conn.their_state
        if self.transport.get_protocol() is not self:
            stage = LINE
        elif state is h11.IDLE:
            stage = ASKING if self.conn.trailing_data[0] else IDLE
        else:
            stage = BODY if state is h11.SEND_BODY else SERVED
        self.register.is_at(self.transport, stage)


class PatientLine(Line):
    """A WebSocket that leaves the register when it ends."""

    register: Connections

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.register.left(self.bare)  # type: ignore[arg-type]


def protocols(register: Connections) -> dict[str, Any]:
    """Return the settings of uvicorn with which all connections are in the register."""
    attributes = {"register": register}
    return {"http": type("Http", (PatientHttp,), attributes), "ws": type("Line", (PatientLine,), attributes)}


def descriptors(wanted: int) -> int:
    """As many connections as the system grants this process, at most so many; files need some too."""
    if sys.platform == "win32":
        return min(wanted, 500)
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted + 256 and (hard == resource.RLIM_INFINITY or hard > soft):
        raised = wanted + 256 if hard == resource.RLIM_INFINITY else min(hard, wanted + 256)
        # A sandbox may refuse it: then they are as many as it grants.
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
            soft = raised
    return max(16, min(wanted, soft - max(48, soft // 4)))
