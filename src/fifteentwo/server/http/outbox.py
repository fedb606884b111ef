"""The WebSocket of one page: what is sent in one turn of the event loop is written together.

A move is sent in four or five messages, and each was a system call of its own. So was to pause reading after
every message until it is taken a moment later: that is done only where more comes meanwhile.
"""

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class _Gathering:
    """A transport that writes when the turn is over; in all else the one it stands before."""

    def __init__(self, transport: asyncio.BaseTransport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport: Any = transport
        self._loop = loop
        self._gathered: list[bytes] = []
        self._full = False
        """A message waits to be taken."""
        self._paused = False

    def write(self, data: bytes) -> None:
        """Send this with whatever else is sent in this turn."""
        if not self._gathered:
            self._loop.call_soon(self._write_all)
        self._gathered.append(data)

    def close(self) -> None:
        """Send what is left, and end."""
        self._write_all()
        self._transport.close()

    def pause_reading(self) -> None:
        """A message waits to be taken: read no more than has come, should more come before that."""
        self._full = True

    def came(self) -> None:
        """Something has been read."""
        if self._full and not self._paused:
            self._paused = True
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Every message is taken."""
        self._full = False
        if self._paused:
            self._paused = False
            self._transport.resume_reading()

    def _write_all(self) -> None:
        if self._gathered:
            gathered, self._gathered = self._gathered, []
            self._transport.write(b"".join(gathered))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Line(WebSocketsSansIOProtocol):
    """uvicorn's own protocol over a transport that gathers."""

    bare: asyncio.BaseTransport
    """The transport itself."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A page has opened a line."""
        self.bare = transport
        self._gathering = _Gathering(transport, self.loop)
        super().connection_made(self._gathering)  # type: ignore[arg-type]

    def data_received(self, data: bytes) -> None:
        """Bytes of the page."""
        self._gathering.came()
        super().data_received(data)
