"""The server program: one process at one address.

Several processes may share one PostgreSQL behind a proxy, which sends all addresses of a table to one of
them.
"""

import asyncio
import gc
import socket as sockets
import webbrowser
from collections.abc import Callable
from typing import Any

from starlette.types import ASGIApp

from fifteentwo import i18n
from fifteentwo.background_compilation import never_wait
from fifteentwo.server.app import make_app
from fifteentwo.server.background import start_task
from fifteentwo.server.http.hosts import allowed_hosts, parse_networks
from fifteentwo.server.http.listening import BACKLOG, DEFAULT_PORT, listen, max_connections
from fifteentwo.server.http.logs import log_loop_errors, log_to_stderr
from fifteentwo.server.people.invitations import external_base
from fifteentwo.server.settings import Settings
from fifteentwo.server.store.store import Store
from fifteentwo.server.systemd import keep_notifying_systemd

MAX_SOCKET_MESSAGE_BYTES = 64 * 1024
MAX_REQUEST_HEAD_BYTES = 16 * 1024
GC_THRESHOLDS = 5_000, 10, 50
"""Thresholds of Python's three garbage collections. A full collection takes 0.3 s with a thousand tables in
memory and blocks every table; reference counts free nearly everything before."""
PING_INTERVAL_SECONDS = 20.0
"""Seconds between two pings of a WebSocket, and seconds that a page has to answer one."""


def serve(
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    database: str | None = None,
    open_browser: bool = False,
    lang: str | None = None,
    output_lang: str = "en",
    settings: Settings | None = None,
) -> None:
    """Serve until interrupted. lang: of all pages, None: of each browser; output_lang: of printed lines."""
    settings = settings or Settings()
    parse_networks(settings.trusted_proxies)  # raise ServerError now if a setting is invalid
    allowed_hosts("127.0.0.1", "127.0.0.1", settings.allowed_hosts)
    never_wait()
    log_to_stderr(structured=settings.structured_logs)
    listening = listen(host, port)
    bound, taken = listening.getsockname()[:2]
    # A browser cannot open the address that means all addresses.
    shown_host = "127.0.0.1" if bound == "0.0.0.0" else "::1" if bound == "::" else host
    address = f"http://{f'[{shown_host}]' if ':' in shown_host else shown_host}:{taken}/"

    def print_address() -> None:
        if port is None and taken != DEFAULT_PORT:
            print(i18n.text("serve.port-taken", output_lang, port=DEFAULT_PORT, other=taken), flush=True)
        print(i18n.text("serve.at", output_lang, address=address), flush=True)
        if (for_others := external_base("http", f"localhost:{taken}", bound)) is not None:
            print(i18n.text("serve.for-others", output_lang, address=f"{for_others}/"), flush=True)

    def started() -> None:
        if open_browser:
            webbrowser.open(address if lang is None else f"{address}?lang={lang}")

    async def run() -> None:
        store = await Store.open(database, is_exclusive=True)
        print_address()
        hosts = allowed_hosts(host, bound, settings.allowed_hosts)
        app = make_app(store=store, lang=lang, hosts=hosts, bound_address=bound, settings=settings)
        await _respond(app, listening, started)

    try:
        asyncio.run(run())
    finally:
        listening.close()


async def _respond(app: ASGIApp, listening: sockets.socket, started: Callable[[], object]) -> None:
    """Respond until a signal stops the server. started: called in a thread once it responds."""
    import uvicorn

    log_loop_errors(asyncio.get_running_loop())
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        # Messages are small: compressing one costs more than making it, and takes 40 kB of memory a page.
        ws_per_message_deflate=False,
        proxy_headers=False,
        # Proxies limit slow clients and connections by address: deploy/ has two configurations.
        http="h11",
        h11_max_incomplete_event_size=MAX_REQUEST_HEAD_BYTES,
        limit_concurrency=max_connections(),
        backlog=BACKLOG,
        ws_max_size=MAX_SOCKET_MESSAGE_BYTES,
        ws_ping_interval=PING_INTERVAL_SECONDS,
        ws_ping_timeout=PING_INTERVAL_SECONDS,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    announcement = start_task(_call_when_started(server, started))
    await server.serve(sockets=[listening])
    announcement.cancel()


async def _call_when_started(server: Any, started: Callable[[], object]) -> None:
    while not server.started:
        await asyncio.sleep(0.02)
    await asyncio.to_thread(started)
    await keep_notifying_systemd()
