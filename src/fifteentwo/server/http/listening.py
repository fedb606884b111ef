"""The address and port at which the server listens."""

import contextlib
import errno
import socket as sockets
import sys

from fifteentwo.server.errors import PortTaken, ServerError

DEFAULT_PORT = 8152
MAX_PORTS_TRIED = 50
BACKLOG = 128
"""Connections that the operating system queues until they are accepted."""
MAX_CONNECTIONS = 8_000
"""Connections of one process; uvicorn answers requests beyond them with 503."""
MIN_SPARE_DESCRIPTORS = 48
"""File descriptors reserved for the database, files and workers."""


def listen(host: str, port: int | None) -> sockets.socket:
    """Return a socket that listens at a port; None: at the first free port from DEFAULT_PORT on."""
    if not host:
        # The operating system would take an empty name for every address.
        raise ServerError("host-unknown", host=host)
    wanted = [port] if port is not None else list(range(DEFAULT_PORT, DEFAULT_PORT + MAX_PORTS_TRIED))
    family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
    for one in wanted:
        # If the protocol is set, asyncio disables Nagle's algorithm, which delays small packets.
        listening = sockets.socket(family, sockets.SOCK_STREAM, sockets.IPPROTO_TCP)
        if sys.platform != "win32":
            listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        try:
            listening.bind((host, one))
            listening.listen(BACKLOG)
        except (OSError, TypeError) as error:
            listening.close()
            # TypeError: the text cannot be a host name.
            if isinstance(error, sockets.gaierror | TypeError) or error.errno == errno.EADDRNOTAVAIL:
                raise ServerError("host-unknown", host=host) from None
            if isinstance(error, PermissionError):
                raise ServerError("port-not-allowed", port=one) from None
            continue
        return listening
    raise PortTaken(wanted[0])


def max_connections() -> int:
    """Return how many connections this process may have; raise its limit of file descriptors if possible."""
    if sys.platform == "win32":
        return 500
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    wanted = 2 * MAX_CONNECTIONS if hard == unlimited else min(hard, 2 * MAX_CONNECTIONS)
    if soft != unlimited and soft < wanted:
        # A sandbox may forbid this.
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    if soft == unlimited:
        return MAX_CONNECTIONS
    return max(16, min(MAX_CONNECTIONS, soft - max(MIN_SPARE_DESCRIPTORS, soft // 4)))
