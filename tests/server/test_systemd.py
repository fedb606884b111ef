"""Messages of a server to systemd."""

import asyncio
import socket as sockets
from collections.abc import Iterator
from pathlib import Path

import pytest

from fifteentwo.server.systemd import keep_notifying_systemd

MESSAGE = b"READY=1\nWATCHDOG=1"


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[sockets.socket]:
    """Return the socket at which systemd listens."""
    address = str(tmp_path / "notify")
    with sockets.socket(sockets.AF_UNIX, sockets.SOCK_DGRAM) as receiving:
        receiving.bind(address)
        receiving.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        monkeypatch.delenv("WATCHDOG_USEC", raising=False)
        yield receiving


async def messages(manager: sockets.socket, number: int) -> list[bytes]:
    loop = asyncio.get_running_loop()
    return [await loop.sock_recv(manager, 100) for _ in range(number)]


async def test_server_keeps_reporting_that_its_event_loop_runs(
    manager: sockets.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "3000")
    notifying = asyncio.create_task(keep_notifying_systemd())
    assert await messages(manager, 3) == [MESSAGE] * 3
    notifying.cancel()


def test_without_a_watchdog_a_server_reports_once(manager: sockets.socket) -> None:
    asyncio.run(keep_notifying_systemd())
    assert manager.recv(100) == MESSAGE
    with pytest.raises(BlockingIOError):
        manager.recv(100)


def test_a_message_without_a_receiver_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "missing"))
    asyncio.run(keep_notifying_systemd())


def test_a_server_that_systemd_did_not_start_reports_nothing(
    manager: sockets.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET")
    asyncio.run(keep_notifying_systemd())
    with pytest.raises(BlockingIOError):
        manager.recv(100)
