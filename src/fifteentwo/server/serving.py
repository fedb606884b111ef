"""The server program: one process at an address, or several on one PostgreSQL.

A table lives in memory, in each process that is asked for it. The processes share the database, and notify
each other through `server.cluster.peers`.
"""

import asyncio
import functools
import socket as sockets
import webbrowser
from collections.abc import Callable
from typing import Any

import msgspec

from fifteentwo import i18n
from fifteentwo.analysis.background_compilation import never_wait
from fifteentwo.server.app import make_app
from fifteentwo.server.background import begin
from fifteentwo.server.errors import ServerError
from fifteentwo.server.gc_tuning import collect_seldom
from fifteentwo.server.http.connections import Connections, descriptors, protocols
from fifteentwo.server.http.hosts import LOOPBACK, hosts_for, is_in, networks
from fifteentwo.server.http.listening import PORT, listen, listen_shared, may_share
from fifteentwo.server.http.logs import log_to_stderr, quiet_loop
from fifteentwo.server.people.invitations import base_for_others
from fifteentwo.server.settings import Settings
from fifteentwo.server.store.connection import database_url
from fifteentwo.server.store.store import Store
from fifteentwo.server.systemd import keep_notifying

MOST_FRAME = 64 * 1024
"""Bytes of one WebSocket message."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a process serves, and where."""

    host: str
    port: int
    database: str | None
    lang: str | None
    settings: Settings


def serve(
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    database: str | None = None,
    open_browser: bool = False,
    lang: str | None = None,
    workers: int = 1,
    say_in: str = "en",
    settings: Settings | None = None,
) -> None:
    """Serve until interrupted; PortTaken or StoreError where that cannot begin.

    lang: of every page, None for each browser's own; say_in: of what is printed here; workers: processes.
    """
    settings = settings or Settings()
    _check(settings, workers)
    never_wait()
    log_to_stderr(structured=settings.structured_logs)
    if workers > 1:
        check_can_share(database, workers)
    listening = listen(host, port)
    bound, taken = listening.getsockname()[:2]
    # "Everywhere" is no address to open.
    shown_host = "127.0.0.1" if bound == "0.0.0.0" else "::1" if bound == "::" else host
    address = f"http://{f'[{shown_host}]' if ':' in shown_host else shown_host}:{taken}/"

    def print_address() -> None:
        if port is None and taken != PORT:
            print(i18n.text("serve.port-taken", say_in, port=PORT, other=taken), flush=True)
        print(i18n.text("serve.at", say_in, address=address), flush=True)
        if (for_others := base_for_others("http", f"localhost:{taken}", bound)) is not None:
            print(i18n.text("serve.for-others", say_in, address=f"{for_others}/"), flush=True)

    plan = Plan(host=host, port=taken, database=database, lang=lang, settings=settings)
    if workers > 1:
        listening.close()
        _serve_in_workers(plan, workers, print_address)
        return
    shown = address if lang is None else f"{address}?lang={lang}"

    async def run() -> None:
        store = await Store.open(database, alone=True)
        print_address()
        await _serve([listening], plan, store, lambda: webbrowser.open(shown) if open_browser else None)

    try:
        asyncio.run(run())
    finally:
        listening.close()


def _check(settings: Settings, workers: int) -> None:
    """Raise ServerError where a setting cannot be read, or goes with no other."""
    networks(settings.trusted_proxies)
    hosts_for("127.0.0.1", "127.0.0.1", settings.allowed_hosts)
    if settings.worker_ports is not None and workers == 1:
        raise ServerError("worker-ports-alone")


def check_can_share(database: str | None, workers: int) -> None:
    """Raise ServerError where several processes cannot serve this database, or not on this system."""
    if database_url(database).get_backend_name() != "postgresql":
        raise ServerError("one-process-only", workers=workers)
    if not may_share():
        raise ServerError("workers-not-here")


def _serve_in_workers(plan: Plan, workers: int, started: Callable[[], None]) -> None:
    """Serve in so many processes until a signal comes. started: called once they respond.

    What is wrong with the database or a port is found before any of them is started: StoreError, PortTaken.
    """
    from fifteentwo.server.cluster.workers import supervise

    asyncio.run(_migrate(plan.database))
    first = plan.settings.worker_ports
    ports = [None if first is None else first + number for number in range(workers)]
    for port in ports:
        if port is not None:
            listen("127.0.0.1", port).close()
    # Bound here, so that no other program takes the port while a process is replaced.
    with listen_shared(plan.host, plan.port, accepts=False):
        supervise([functools.partial(serve_shared, plan, port) for port in ports], started)


async def _migrate(database: str | None) -> None:
    """Bring the tables of the database to this version; StoreError says what is wrong with it."""
    store = await Store.open(database)
    await store.close()


def serve_shared(plan: Plan, own_port: int | None, started: Callable[[], None]) -> None:
    """Serve at an address with other processes until a signal ends it. started: called once it responds.

    own_port: on this machine, where this process alone responds.
    """
    never_wait()
    log_to_stderr(structured=plan.settings.structured_logs)

    async def run() -> None:
        store = await Store.open(plan.database)
        listening = [listen_shared(plan.host, plan.port)]
        if own_port is not None:
            listening.append(listen("127.0.0.1", own_port))
        await _serve(listening, plan, store, started)

    asyncio.run(run())


def _connections(settings: Settings) -> Connections:
    """The register of connections: as many as the system grants; those of a proxy are many people's."""
    patience = settings.patience
    most = descriptors(patience.most)
    each = min(patience.of_an_address, max(8, most // 2))
    proxies = networks(settings.trusted_proxies)

    def of_many(address: str) -> bool:
        return address in LOOPBACK or is_in(address, proxies)

    return Connections(patience._replace(most=most, of_an_address=each), of_many)


async def _serve(
    listening: list[sockets.socket], plan: Plan, store: Store, started: Callable[[], object]
) -> None:
    """Respond until a signal ends it. started: called once it does, in a thread."""
    import uvicorn

    quiet_loop(asyncio.get_running_loop())
    collect_seldom()
    bound, settings = listening[0].getsockname()[0], plan.settings
    connections = _connections(settings)
    app = make_app(
        store=store,
        lang=plan.lang,
        hosts=hosts_for(plan.host, bound, settings.allowed_hosts),
        bound=bound,
        settings=settings,
        connections=connections,
    )
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        # Messages are small: to compress each would cost more than to make it, and take 40 kB a page.
        ws_per_message_deflate=False,
        proxy_headers=False,
        backlog=128,
        ws_max_size=MOST_FRAME,
        timeout_graceful_shutdown=2,
        **protocols(connections),
    )
    server = uvicorn.Server(config)
    background = [begin(connections.keep_sweeping()), begin(_notify_started(server, started))]
    await server.serve(sockets=listening)
    for task in background:
        task.cancel()


async def _notify_started(server: Any, started: Callable[[], object]) -> None:
    """Call `started` in a thread once the server responds, and keep systemd informed."""
    while not server.started:
        await asyncio.sleep(0.02)
    await asyncio.to_thread(started)
    await keep_notifying()
