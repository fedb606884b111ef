"""The application: routes, headers, and the program that serves it.

One process serves all tables: a room lives in memory, and two processes could not both hold it. A table that
another program has written to is noticed, and read again from disk.
"""

import asyncio
import contextlib
import errno
import re
import socket as sockets
import sys
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketClose

from fifteentwo import i18n
from fifteentwo.analysis.compiling_aside import never_wait
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.server import (
    pages_book,
    pages_daily,
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
from fifteentwo.server.errors import PortTaken, Refused, ServerError
from fifteentwo.server.invitations import base_for_others
from fifteentwo.server.pages import WEB, Pages, status_of
from fifteentwo.server.rooms import Rooms
from fifteentwo.server.socket import talk
from fifteentwo.server.store import Store

PORT = 8152
PORTS_TRIED = 50
MOST_FRAME = 64 * 1024
LOOPBACK = ("127.0.0.1", "localhost", "::1")

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


class _Hosts:
    """Answers by its own names only: no site elsewhere may speak through a name that it points here."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...], refused: Callable[[Request], Response]) -> None:
        self._app = app
        self._hosts = hosts
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or "*" in self._hosts or self._own(Headers(scope=scope)):
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._refused(Request(scope))(scope, receive, send)
        else:
            await WebSocketClose(1008)(scope, receive, send)

    def _own(self, headers: Headers) -> bool:
        return re.sub(r":\d*$", "", headers.get("host", "")).lower() in self._hosts


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
) -> Starlette:
    """The whole server as an ASGI application; its store, opened here or given, closes with it.

    bound: the address it listens to, where that is known: what an invitation may be made out for.
    """
    open_rooms: list[Rooms] = []
    pages = Pages(lambda: open_rooms[0], lang=lang)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        kept = store or await Store.open(database)
        open_rooms[:] = [Rooms(kept)]
        try:
            yield
        finally:
            await open_rooms[0].close()
            await kept.close()

    async def line(socket: WebSocket) -> None:
        await talk(socket, open_rooms[0], pages.language(socket))

    def other_host(request: Request) -> Response:
        return pages.error(request, Refused("other-host"), 400)

    app = Starlette(
        routes=_routes(pages, line, bound),
        middleware=[
            Middleware(_Headers),
            Middleware(_Hosts, hosts=hosts, refused=other_host),
            Middleware(GZipMiddleware, minimum_size=500),
        ],
        exception_handlers=_refusals(pages),
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


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
        return pages.error(request, error, status_of(error))

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
) -> None:
    """Serve until interrupted; PortTaken or StoreError where that cannot begin.

    lang: of every page, None for each browser's own; say_in: of what is printed here.
    """
    if workers != 1:
        raise ServerError("one-process-only", workers=workers)
    never_wait()
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
        await _serve(listening, store, shown, open_browser, lang)

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


async def _serve(
    listening: sockets.socket, store: Store, address: str, open_browser: bool, lang: str | None
) -> None:
    import uvicorn

    from fifteentwo.server.line import Line

    bound = listening.getsockname()[0]
    hosts = (*LOOPBACK, "[::1]") if bound in LOOPBACK else ("*",)
    config = uvicorn.Config(
        make_app(store=store, lang=lang, hosts=hosts, bound=bound),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws=Line,
        # Messages are small: to pack each would be dearer than to make it, and take 40 kB a page.
        ws_per_message_deflate=False,
        ws_max_size=MOST_FRAME,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    opening = asyncio.create_task(_open(server, address)) if open_browser else None
    await server.serve(sockets=[listening])
    if opening is not None:
        opening.cancel()


async def _open(server: Any, address: str) -> None:
    """Show the table once it answers."""
    while not server.started:
        await asyncio.sleep(0.02)
    await asyncio.to_thread(webbrowser.open, address)
