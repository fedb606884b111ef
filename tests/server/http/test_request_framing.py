"""Requests over a raw socket: two lengths, late bodies and too many connections are refused."""

import re
import socket as sockets
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from fifteentwo.server.http import listening
from fifteentwo.server.pages import site
from tests.support.limited_program import port_of, program
from tests.support.live_server import Live

HOST = b"Host: 127.0.0.1\r\n"
FORM = HOST + b"Content-Type: application/x-www-form-urlencoded\r\n"
CHUNKS = b"b\r\ncode=abcdef\r\n0\r\n\r\n"
NEXT = b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n"


def ask(port: int, request: bytes) -> tuple[list[int], bool]:
    """Return the statuses of all responses, and whether the server closed the connection within a second."""
    received = b""
    with sockets.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(request)
        try:
            while part := connection.recv(65536):
                received += part
                connection.settimeout(1)
        except TimeoutError:
            return _statuses(received), False
    return _statuses(received), True


def _statuses(received: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+) ", received)]


def test_request_with_two_lengths_is_refused_and_its_connection_closed(
    subtests: pytest.Subtests, live: Live
) -> None:
    for head in [
        b"POST /join HTTP/1.1\r\n" + FORM + b"Content-Length: 11\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST /join HTTP/1.1\r\n" + FORM + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\n" + HOST + b"content-length: 0\r\ntransfer-encoding: chunked\r\n\r\n",
        b"POST /join HTTP/1.0\r\n" + FORM + b"Transfer-Encoding: chunked\r\n\r\n",
        b"POST /join HTTP/1.1\r\n" + FORM + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
        b"POST /join HTTP/1.1\r\n" + FORM + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n",
        b"POST /join HTTP/1.1\r\n" + FORM + b"Content-Length: 11\r\nContent-Length: 12\r\n\r\n",
        b"POST /join HTTP/1.1\r\n" + FORM + b"Content-Length: +11\r\n\r\n",
        b"POST /join HTTP/1.1\r\n" + FORM + b"Content-Length : 11\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\n" + HOST + HOST + b"\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\rX: y\r\n\r\n",
        b"POST /join HTTP/1.1\r\n" + FORM + b"Content-Length: -11\r\n\r\n",
        b"GARBAGE\r\n\r\n",
        bytes(range(1, 200)) + b"\r\n\r\n",
    ]:
        with subtests.test(head=head):
            statuses, is_closed = ask(live.port, head + CHUNKS + NEXT)
            assert (statuses, is_closed) == ([400], True)


def test_chunks_alone_and_a_length_alone_are_read_and_the_connection_stays_open(live: Live) -> None:
    chunked = b"POST /join HTTP/1.1\r\n" + FORM + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNKS
    counted = b"POST /join HTTP/1.1\r\n" + FORM + b"Content-Length: 11\r\n\r\ncode=abcdef"
    assert ask(live.port, chunked + counted + NEXT) == ([404, 404, 200], False)


def test_a_body_that_does_not_arrive_in_time_is_refused(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "MAX_BODY_SECONDS", 0.05)
    statuses, is_closed = ask(
        live.port, b"POST /join HTTP/1.1\r\n" + FORM + b"Content-Length: 11\r\n\r\ncode"
    )
    assert (statuses, is_closed) == ([408], True)


def test_a_long_head_is_refused(live: Live) -> None:
    assert ask(live.port, NEXT[:-2] + b"X: " + b"y" * 70_000) == ([400], True)


@pytest.mark.long
def test_more_connections_than_descriptors_allow_are_refused_until_one_closes(tmp_path: Path) -> None:
    with program(tmp_path / "games.sqlite3", descriptors=96) as process:
        port = port_of(process)
        with ExitStack() as connections:
            for _ in range(48):
                connections.enter_context(sockets.create_connection(("127.0.0.1", port), timeout=60))
            assert ask(port, NEXT)[0] == [503]
        while httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=60).status_code != 200:
            pass


def test_the_limit_of_connections_leaves_descriptors_for_files(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    granted = (1024, 4096)
    monkeypatch.setattr(resource, "getrlimit", lambda _: granted)
    raised: list[object] = []
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: raised.append(limits))
    assert listening.max_connections() == 3072
    assert raised == [(4096, 4096)]
    granted = (100, 100)
    assert listening.max_connections() == 52
    granted = (65_536, 65_536)
    assert listening.max_connections() == listening.MAX_CONNECTIONS

    def forbid(*_: object) -> None:
        raise OSError

    granted = (1024, 4096)
    monkeypatch.setattr(resource, "setrlimit", forbid)
    assert listening.max_connections() == 768
