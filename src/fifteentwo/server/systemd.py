"""Messages to systemd: the server is ready, and its event loop runs.

The protocol is sd_notify(3): each message is one datagram to the socket that NOTIFY_SOCKET names.
"""

import asyncio
import contextlib
import os
import socket as sockets

MESSAGES_PER_WATCHDOG_INTERVAL = 3
"""systemd kills the process if no message arrives for one whole interval."""


async def keep_notifying_systemd() -> None:
    """Report that the server is ready and its event loop runs, if systemd started it and has a watchdog."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        # An abstract address begins with a zero byte.
        address = f"\0{address[1:]}"
    watchdog_seconds = int(os.environ.get("WATCHDOG_USEC", 0)) / 1e6
    with sockets.socket(sockets.AF_UNIX, sockets.SOCK_DGRAM) as manager:
        manager.setblocking(False)
        while True:
            # A message fails if systemd is busy or restarts; the next one repeats it.
            with contextlib.suppress(OSError):
                manager.sendto(b"READY=1\nWATCHDOG=1", address)
            if not watchdog_seconds:
                return
            await asyncio.sleep(watchdog_seconds / MESSAGES_PER_WATCHDOG_INTERVAL)
