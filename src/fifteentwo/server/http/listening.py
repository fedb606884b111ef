"""The address at which a server listens."""

import errno
import socket as sockets
import sys

from fifteentwo.server.errors import PortTaken, ServerError

PORT = 8152
PORTS_TRIED = 50
WAITING = 128
"""Connections that may wait to be taken."""


def listen(host: str, port: int | None) -> sockets.socket:
    """Bind to the port asked for, or to the first free one from 8152 on; then say so in a line."""
    if not host:
        # The system would take nothing for every address.
        raise ServerError("host-unknown", host=host)
    wanted = [port] if port is not None else list(range(PORT, PORT + PORTS_TRIED))
    for one in wanted:
        listening = _socket(host)
        if sys.platform != "win32":
            listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        try:
            listening.bind((host, one))
            listening.listen(WAITING)
        except (OSError, TypeError) as error:
            listening.close()
            # TypeError: what is no name of a host at all.
            if isinstance(error, sockets.gaierror | TypeError) or error.errno == errno.EADDRNOTAVAIL:
                raise ServerError("host-unknown", host=host) from None
            if isinstance(error, PermissionError):
                raise ServerError("port-not-allowed", port=one) from None
            continue
        return listening
    raise PortTaken(wanted[0])


def _socket(host: str) -> sockets.socket:
    # With the protocol named, asyncio turns off the delay that waits to fill a packet.
    family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
    return sockets.socket(family, sockets.SOCK_STREAM, sockets.IPPROTO_TCP)
