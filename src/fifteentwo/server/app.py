"""The ASGI application: routes, middleware, response headers, error pages."""

import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketClose

from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.server.background import repeat, start_task
from fifteentwo.server.club import playing
from fifteentwo.server.errors import Refused, ServerError, StoreError
from fifteentwo.server.http import metrics
from fifteentwo.server.http.hosts import TrustedProxies, check_host, parse_networks
from fifteentwo.server.http.metrics import Metrics
from fifteentwo.server.http.rate_limits import OpenPages, RateLimiter, admit_request
from fifteentwo.server.live import seats
from fifteentwo.server.live.open_page import CLOSE_AND_RECONNECT, CLOSE_FOR_GOOD
from fifteentwo.server.live.socket import serve_page, serve_socket
from fifteentwo.server.pages import (
    account,
    book,
    club,
    duplicate,
    evening,
    fair_play,
    history,
    import_games,
    inviting,
    offline,
    play_now,
    practice,
    reference,
    review,
    shared_reviews,
    spectating,
    statistics,
)
from fifteentwo.server.pages.site import Pages
from fifteentwo.server.people import expiry, lobby
from fifteentwo.server.services import Services, services_of
from fifteentwo.server.settings import Settings
from fifteentwo.server.store.store import Store

_SELF_SOURCE_KINDS = ("script", "style", "img", "font", "connect", "manifest", "worker")
_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    + "".join(f"; {kind}-src 'self'" for kind in _SELF_SOURCE_KINDS)
)
"""The policy: nothing from other sites, nothing inline."""

SECURITY_HEADERS = {
    "Content-Security-Policy": _CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_ASSET_TYPES = ("text/javascript", "text/css")
_ASSET_HEADERS = ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")
"""The headers of scripts and styles. The others apply only to pages and workers, and cost 400 bytes for each
of forty files."""


class _ResponseHeaders:
    """Middleware that adds the security headers to responses, counts them and measures their seconds."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                kind = headers.get("content-type", "")
                is_asset = kind.startswith(_ASSET_TYPES) and "/static/" in scope["path"]
                for name, value in SECURITY_HEADERS.items():
                    if name in _ASSET_HEADERS or not is_asset:
                        headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-cache, private")
                self._metrics.responses.labels(message["status"]).inc()
                self._metrics.response_seconds.observe(time.perf_counter() - began)
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


class _Admission:
    """Middleware that refuses other hosts and too many requests, and finds the signed-in user."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...], pages: Pages) -> None:
        self._app = app
        self._hosts = hosts
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        close_code, headers = CLOSE_FOR_GOOD, {"Connection": "close"}
        try:
            if scope["type"] != "lifespan":
                # The next bytes on the connection of a request with two lengths may belong to it.
                check_host(scope, self._hosts)
                close_code, headers = CLOSE_AND_RECONNECT, {}
                admit_request(HTTPConnection(scope))
                await account.authenticate(HTTPConnection(scope))
        except (Refused, StoreError) as error:
            if scope["type"] == "websocket":
                await WebSocketClose(close_code)(scope, receive, send)
                return
            response = self._pages.error(Request(scope), error)
            response.headers.update(headers)
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)


def make_app(
    database: str | None = None,
    *,
    store: Store | None = None,
    lang: str | None = None,
    hosts: tuple[str, ...] = ("*",),
    bound_address: str | None = None,
    settings: Settings | None = None,
) -> Starlette:
    """Return the server as an ASGI application. bound_address: where it listens, for links of invitations."""
    settings = settings or Settings()
    pages = Pages(lang=lang)
    open_pages = OpenPages()
    measured = Metrics()
    measured.add_gauges({"fifteentwo_pages_open": ("Pages open at tables.", lambda: open_pages.count)})

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        services = Services.open(store or await Store.open(database), settings.engines)
        app.state.services = services
        measured.add_gauges(_gauges(services))
        try:
            with _background_tasks(services, settings):
                yield
        finally:
            await services.close()

    async def line(socket: WebSocket) -> None:
        lang, tables = pages.language(socket), services_of(socket).tables
        await serve_socket(socket, lang, partial(serve_page, socket, tables, lang, open_pages, measured))

    probes = metrics.probe_and_metrics_routes(measured, settings.metrics_token)
    app = Starlette(
        routes=[*probes, *_routes(pages, line, bound_address, open_pages), *account.routes(pages)],
        middleware=[
            Middleware(_ResponseHeaders, metrics=measured),
            Middleware(TrustedProxies, trusted=parse_networks(settings.trusted_proxies)),
            Middleware(_Admission, hosts=hosts, pages=pages),
            Middleware(GZipMiddleware, minimum_size=500),
        ],
        exception_handlers=_error_handlers(pages),
        lifespan=lifespan,
    )
    app.state.rate_limiter = RateLimiter()
    app.router.redirect_slashes = False
    return app


@contextlib.contextmanager
def _background_tasks(services: Services, settings: Settings) -> Iterator[None]:
    tables = services.tables
    clean_up = partial(expiry.clean_up, tables.store, settings.unplayed_days)
    work = (
        repeat(expiry.DAY_SECONDS, clean_up, expiry.FIRST_REMOVAL_SECONDS),
        repeat(lobby.MARK_SEEN_INTERVAL_SECONDS, partial(lobby.mark_open_tables, tables)),
        repeat(playing.RESUME_INTERVAL_SECONDS, services.evening_play.resume, 0.0),
        repeat(seats.FREE_UNOPENED_INTERVAL_SECONDS, partial(seats.free_unopened, tables)),
    )
    tasks = [start_task(one) for one in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()


def _gauges(services: Services) -> dict[str, tuple[str, Callable[[], float]]]:
    """Return the gauges of /metrics by name: a description, and a function that returns the value."""
    tables, thinking = services.tables, services.tables.thinking
    return {
        "fifteentwo_database_writable": (
            "1 if the database took the last rows written, otherwise 0.",
            lambda: services.store.write_health.failure_code is None,
        ),
        "fifteentwo_computers_think": (
            "1 if every level that was asked lately could think, otherwise 0.",
            lambda: thinking.is_working,
        ),
        "fifteentwo_computer_decisions": (
            "Decisions of computers by their own level.",
            lambda: thinking.decision_counts["own"],
        ),
        "fifteentwo_computer_decisions_below_level": (
            "Decisions of a lower level because the computer's own level could not think.",
            lambda: thinking.decision_counts["instead"],
        ),
        "fifteentwo_tables_open": ("Tables in memory.", lambda: len(tables)),
    }


def _routes(
    pages: Pages, table: Callable[[WebSocket], Awaitable[None]], bound: str | None, open_pages: OpenPages
) -> list[BaseRoute]:
    return [
        Route("/", pages.home),
        Route("/games", pages.create_table, methods=["POST"]),
        Route("/game/{game}", pages.game),
        *inviting.routes(pages, bound),
        *spectating.routes(pages, bound, open_pages),
        *history.routes(pages),
        *play_now.routes(pages),
        *fair_play.routes(pages),
        *practice.routes(pages),
        *duplicate.routes(pages),
        *review.routes(pages),
        *shared_reviews.routes(pages),
        *statistics.routes(pages),
        *import_games.routes(pages),
        *club.routes(pages),
        *evening.routes(pages, bound),
        WebSocketRoute("/game/{game}/socket", table),
        *book.routes(pages),
        *reference.routes(pages),
        *offline.routes(offline.OfflinePages(pages.files)),
        Route("/i18n/{lang}.json", pages.words),
        Route("/static/{path:path}", pages.files.respond),
    ]


def _error_handlers(pages: Pages) -> dict[Any, Any]:
    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, FifteenTwoError)
        return pages.error(request, error)

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        codes = {404: "no-such-page", 405: "wrong-method"}
        refused = Refused(codes.get(error.status_code, "request-unreadable"))
        response = pages.error(request, refused, error.status_code)
        response.headers.update(error.headers or {})
        return response

    async def went_wrong(request: Request, _: Exception) -> Response:
        response = pages.error(request, ServerError("internal-error"), 500)
        response.headers.update(SECURITY_HEADERS)  # the middleware above does not see this response
        return response

    async def gone(_: Request, __: Exception) -> Response:
        # The client has disconnected during its request.
        return Response(status_code=400)

    return {
        FifteenTwoError: refused,
        HTTPException: http_error,
        ClientDisconnect: gone,
        Exception: went_wrong,
    }
