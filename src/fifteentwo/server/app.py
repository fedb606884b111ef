"""The application: routes, headers, and the program that serves it.

One process serves all tables: a room lives in memory, and two processes could not both hold it. A table that
another program has written to is noticed, and read again from disk.
"""

import asyncio
import contextlib
import errno
import socket as sockets
import sys
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from fifteentwo import i18n
from fifteentwo.analysis.compiling_aside import never_wait
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.server import (
    metrics,
    pages_book,
    pages_daily,
    pages_dealing,
    pages_duplicate,
    pages_history,
    pages_import,
    pages_inviting,
    pages_practice,
    pages_review,
    pages_solving,
    pages_statistics,
    pages_words,
)
from fifteentwo.server.connections import Connections, descriptors, protocols
from fifteentwo.server.errors import PortTaken, Refused, ServerError
from fifteentwo.server.expiry import keep_tidying
from fifteentwo.server.hosts import LOOPBACK, Hosts, Proxies, hosts_for, is_in, networks
from fifteentwo.server.invitations import base_for_others
from fifteentwo.server.limits import Limited, Lines
from fifteentwo.server.logs import quiet_loop, write_down
from fifteentwo.server.metrics import Measured, Metrics
from fifteentwo.server.pages import WEB, Pages, status_of
from fifteentwo.server.rooms import Rooms
from fifteentwo.server.settings import Settings
from fifteentwo.server.socket import talk
from fifteentwo.server.store import Store

PORT = 8152
PORTS_TRIED = 50
MOST_FRAME = 64 * 1024

_OWN = ("script", "style", "img", "font", "connect", "manifest", "worker")
_POLICY = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'" + "".join(
    f"; {kind}-src 'self'" for kind in _OWN
)
"""Nothing from outside, nothing inline."""

HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_PARTS = ("text/javascript", "text/css")
_OF_PARTS = ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")
"""What scripts and styles of a page need to say: the rest binds pages and workers, and forty files each
said it in 400 bytes."""


class _Headers:
    """Every answer says what a browser may do with it: nothing from outside, nothing inline."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                part = headers.get("content-type", "").startswith(_PARTS) and "/static/" in scope["path"]
                for name, value in HEADERS.items():
                    if name in _OF_PARTS or not part:
                        headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-cache, private")
            await send(message)

        await self._app(scope, receive, with_headers)


class _Files(StaticFiles):
    """Files by name; an address with the content's hash may be kept for ever, others are asked for again."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        lasting = b"h=" in scope.get("query_string", b"")
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if lasting else "no-cache"
        return response


def make_app(
    database: str | None = None,
    *,
    store: Store | None = None,
    lang: str | None = None,
    hosts: tuple[str, ...] = ("*",),
    bound: str | None = None,
    settings: Settings | None = None,
    connections: Connections | None = None,
) -> Starlette:
    """The whole server as an ASGI application; its store, opened here or given, closes with it.

    bound: the address it listens to, where that is known: what an invitation may be made out for.
    """
    settings = settings or Settings()
    open_rooms: list[Rooms] = []
    pages = Pages(lambda: open_rooms[0], lang=lang)
    lines, measured = Lines(), _measured(connections)
    measured.now["fifteentwo_lines_open"] = ("Pages open at tables.", lambda: lines.open)
    measured.now["fifteentwo_rooms_open"] = ("Tables in memory.", lambda: len(open_rooms[0]))

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        kept = store or await Store.open(database)
        open_rooms[:] = [Rooms(kept)]
        tidying = asyncio.create_task(keep_tidying(open_rooms[0], settings.unplayed_days))
        try:
            yield
        finally:
            tidying.cancel()
            await open_rooms[0].close()
            await kept.close()

    async def line(socket: WebSocket) -> None:
        await talk(socket, open_rooms[0], pages.language(socket), lines, measured)

    def other_host(request: Request) -> Response:
        return pages.error(request, Refused("other-host"), 400)

    def too_much(request: Request, error: Refused) -> Response:
        return _refused(pages, request, error)

    watched = metrics.routes(measured, lambda: open_rooms[0].store, settings.metrics_token)
    app = Starlette(
        routes=[*watched, *_routes(pages, line, bound)],
        middleware=[
            Middleware(Measured, metrics=measured),
            Middleware(Proxies, trusted=networks(settings.trusted_proxies)),
            Middleware(_Headers),
            Middleware(Hosts, hosts=hosts, refused=other_host),
            Middleware(Limited, refused=too_much),
            Middleware(GZipMiddleware, minimum_size=500),
        ],
        exception_handlers=_refusals(pages),
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


def _measured(connections: Connections | None) -> Metrics:
    """What is counted, the connections too where they are known."""
    measured = Metrics()
    if connections is not None:
        said = "Connections open."
        measured.now["fifteentwo_connections_open"] = (said, lambda: len(connections))
        said = "Connections turned away."
        measured.now["fifteentwo_connections_turned_away"] = (said, lambda: connections.turned_away)
    return measured


def _refused(pages: Pages, request: Request, error: FifteenTwoError) -> Response:
    """What is wrong, in words; and when to come back, where that helps."""
    response = pages.error(request, error, status := status_of(error))
    if status in (429, 503):
        response.headers["Retry-After"] = str(getattr(error, "values", {}).get("seconds", 5))
    return response


def _routes(pages: Pages, line: Callable[[WebSocket], Awaitable[None]], bound: str | None) -> list[BaseRoute]:
    """Every address the server answers."""
    return [
        Route("/", pages.home),
        Route("/games", pages.create, methods=["POST"]),
        Route("/game/{game}", pages.game),
        *pages_inviting.routes(pages, bound),
        *pages_history.routes(pages),
        *pages_practice.routes(pages),
        *pages_solving.routes(pages),
        *pages_daily.routes(pages),
        *pages_dealing.routes(pages),
        *pages_duplicate.routes(pages),
        *pages_review.routes(pages),
        *pages_statistics.routes(pages),
        *pages_import.routes(pages),
        WebSocketRoute("/game/{game}/socket", line),
        *pages_book.routes(pages),
        *pages_words.routes(pages, str(WEB / "static" / "sw.js")),
        Route("/gallery", pages.gallery),
        Route("/i18n/{lang}.json", pages.words),
        Mount("/static", _Files(directory=WEB / "static")),
    ]


def _refusals(pages: Pages) -> dict[Any, Any]:
    """What is answered where something is refused, missing or broken."""

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, FifteenTwoError)
        return _refused(pages, request, error)

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        codes = {404: "no-such-page", 405: "wrong-method"}
        said = Refused(codes.get(error.status_code, "request-unreadable"))
        response = pages.error(request, said, error.status_code)
        response.headers.update(error.headers or {})
        return response

    async def went_wrong(request: Request, _: Exception) -> Response:
        response = pages.error(request, ServerError("went-wrong"), 500)
        response.headers.update(HEADERS)  # this answer passes by the middleware above
        return response

    return {FifteenTwoError: refused, HTTPException: http_error, Exception: went_wrong}


# ── The program ──────────────────────────────────────────────────────────────────────────────────────────


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

    lang: of every page, None for each browser's own; say_in: of what is printed here.
    """
    if workers != 1:
        raise ServerError("one-process-only", workers=workers)
    settings = settings or Settings()
    networks(settings.trusted_proxies)
    never_wait()
    write_down(structured=settings.structured_logs)
    listening = _listen(host, port)
    taken = listening.getsockname()[1]
    bound = listening.getsockname()[0]
    # "Everywhere" is no address to be called by.
    shown_host = "127.0.0.1" if bound == "0.0.0.0" else "::1" if bound == "::" else host
    address = f"http://{f'[{shown_host}]' if ':' in shown_host else shown_host}:{taken}/"
    for_others = base_for_others("http", f"localhost:{taken}", bound)

    async def run() -> None:
        store = await Store.open(database, alone=True)
        if port is None and taken != PORT:
            print(i18n.text("serve.port-taken", say_in, port=PORT, other=taken), flush=True)
        print(i18n.text("serve.at", say_in, address=address), flush=True)
        if for_others is not None:
            print(i18n.text("serve.for-others", say_in, address=f"{for_others}/"), flush=True)
        shown = address if lang is None else f"{address}?lang={lang}"
        hosts = hosts_for(host, bound, settings.allowed_hosts)
        connections = _connections(settings)
        app = make_app(
            store=store, lang=lang, hosts=hosts, bound=bound, settings=settings, connections=connections
        )
        await _serve(listening, app, connections, shown if open_browser else None)

    try:
        asyncio.run(run())
    finally:
        listening.close()


def _listen(host: str, port: int | None) -> sockets.socket:
    """Bind to the port asked for, or to the first free one from 8152 on; then say so in a line."""
    if not host:
        # The system would take nothing for every address.
        raise ServerError("host-unknown", host=host)
    wanted = [port] if port is not None else list(range(PORT, PORT + PORTS_TRIED))
    family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
    for one in wanted:
        # With the protocol named, asyncio turns off the delay that waits to fill a packet.
        listening = sockets.socket(family, sockets.SOCK_STREAM, sockets.IPPROTO_TCP)
        if sys.platform != "win32":
            listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        try:
            listening.bind((host, one))
            listening.listen(128)
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


def _connections(settings: Settings) -> Connections:
    """As many as the system grants; those of a proxy are many people's."""
    patience = settings.patience
    most = descriptors(patience.most)
    each = min(patience.of_an_address, max(8, most // 2))
    proxies = networks(settings.trusted_proxies)

    def of_many(address: str) -> bool:
        return address in LOOPBACK or is_in(address, proxies)

    return Connections(patience._replace(most=most, of_an_address=each), of_many)


async def _serve(
    listening: sockets.socket, app: Starlette, connections: Connections, shown: str | None
) -> None:
    """Answer until a signal ends it. shown: the address a browser is opened at, None: none is."""
    import uvicorn

    quiet_loop(asyncio.get_running_loop())
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        # Messages are small: to pack each would be dearer than to make it, and take 40 kB a page.
        ws_per_message_deflate=False,
        proxy_headers=False,
        backlog=128,
        ws_max_size=MOST_FRAME,
        timeout_graceful_shutdown=2,
        **protocols(connections),
    )
    server = uvicorn.Server(config)
    beside = [asyncio.create_task(connections.keep_sweeping())]
    if shown is not None:
        beside.append(asyncio.create_task(_open(server, shown)))
    await server.serve(sockets=[listening])
    for task in beside:
        task.cancel()


async def _open(server: Any, address: str) -> None:
    """Show the table once it answers."""
    while not server.started:
        await asyncio.sleep(0.02)
    await asyncio.to_thread(webbrowser.open, address)
