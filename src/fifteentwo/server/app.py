"""The application: routes, headers, and the program that serves it, in one process or in several.

A room lives in memory, in each process that is asked for it; the database is what they have in common, and
`server.cluster.peers` how they hear of each other.
"""

import asyncio
import contextlib
import socket as sockets
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from fifteentwo import i18n
from fifteentwo.analysis.background_compilation import never_wait
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.server.background import begin
from fifteentwo.server.errors import Refused, ServerError
from fifteentwo.server.live.gc_tuning import collect_seldom
from fifteentwo.server.live.rooms import Rooms
from fifteentwo.server.live.seats import keep_freeing
from fifteentwo.server.live.socket import talk
from fifteentwo.server.live.thinking import Thinking
from fifteentwo.server.pages import (
    account,
    book,
    daily,
    dealing,
    duplicate,
    history,
    import_games,
    inviting,
    lobby,
    offline,
    practice,
    review,
    solving,
    spectating,
    statistics,
    words,
)
from fifteentwo.server.pages.site import WEB, Pages, retry_after, status_of
from fifteentwo.server.people.accounts import Accounts
from fifteentwo.server.people.expiry import keep_tidying
from fifteentwo.server.people.invitations import base_for_others
from fifteentwo.server.people.lobby import keep_noting
from fifteentwo.server.settings import Settings
from fifteentwo.server.store.store import Store
from fifteentwo.server.web_edge import metrics
from fifteentwo.server.web_edge.connections import Connections, descriptors, protocols
from fifteentwo.server.web_edge.hosts import LOOPBACK, Hosts, Proxies, hosts_for, is_in, networks
from fifteentwo.server.web_edge.listening import PORT, beside, listen
from fifteentwo.server.web_edge.logs import quiet_loop, write_down
from fifteentwo.server.web_edge.metrics import Measured, Metrics
from fifteentwo.server.web_edge.rate_limits import Limited, Lines

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
    accounts = Accounts()
    lines = Lines()
    measured = _measured(connections, lines, lambda: open_rooms[0])

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        kept = store or await Store.open(database)
        open_rooms[:] = [Rooms(kept, Thinking(settings.workers))]
        open_rooms[0].neighbours.forget_owner = accounts.forget
        try:
            with _beside(open_rooms[0], settings):
                yield
        finally:
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
        routes=[*watched, *_routes(pages, line, bound, lines), *account.routes(pages, accounts)],
        middleware=[
            Middleware(Measured, metrics=measured),
            Middleware(Proxies, trusted=networks(settings.trusted_proxies)),
            Middleware(_Headers),
            Middleware(Hosts, hosts=hosts, refused=other_host),
            Middleware(Limited, refused=too_much),
            Middleware(account.KnowsNames, pages=pages, accounts=accounts),
            Middleware(GZipMiddleware, minimum_size=500),
        ],
        exception_handlers=_refusals(pages),
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


@contextlib.contextmanager
def _beside(rooms: Rooms, settings: Settings) -> Iterator[None]:
    """Do now and then what is to be done while the tables are played at."""
    work = keep_tidying(rooms, settings.unplayed_days), keep_noting(rooms), keep_freeing(rooms)
    tasks = [begin(one) for one in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()


def _measured(connections: Connections | None, lines: Lines, rooms: Callable[[], Rooms]) -> Metrics:
    """What is counted, the connections too where they are known."""
    measured = Metrics()
    measured.now["fifteentwo_lines_open"] = ("Pages open at tables.", lambda: lines.open)
    measured.now["fifteentwo_tables_held"] = (
        "Tables whose computers and clocks act in this process, where several may serve them.",
        lambda: len(rooms().neighbours.leases),
    )
    measured.now["fifteentwo_database_takes_rows"] = (
        "1 where the database took what was written last, else 0.",
        lambda: rooms().store.writes.why is None,
    )
    measured.now["fifteentwo_computers_think"] = (
        "1 where every level that was asked lately could think, else 0.",
        lambda: rooms().thinking.works,
    )
    measured.now["fifteentwo_computer_decisions"] = (
        "Decisions of computers by their own level.",
        lambda: rooms().thinking.decided["own"],
    )
    measured.now["fifteentwo_computer_decisions_below_level"] = (
        "Decisions of a lower level, where the computer's own could not think.",
        lambda: rooms().thinking.decided["instead"],
    )
    measured.now["fifteentwo_rooms_open"] = ("Tables in memory.", lambda: len(rooms()))
    if connections is not None:
        said = "Connections open."
        measured.now["fifteentwo_connections_open"] = (said, lambda: len(connections))
        said = "Connections turned away."
        measured.now["fifteentwo_connections_turned_away"] = (said, lambda: connections.turned_away)
    return measured


def _refused(pages: Pages, request: Request, error: FifteenTwoError) -> Response:
    """What is wrong, in words; and when to come back, where that helps."""
    response = pages.error(request, error, status_of(error))
    response.headers.update(retry_after(error))
    return response


def _routes(
    pages: Pages, line: Callable[[WebSocket], Awaitable[None]], bound: str | None, lines: Lines
) -> list[BaseRoute]:
    """Every address the server answers."""
    return [
        Route("/", pages.home),
        Route("/games", pages.create, methods=["POST"]),
        Route("/game/{game}", pages.game),
        *inviting.routes(pages, bound),
        *spectating.routes(pages, bound, lines),
        *lobby.routes(pages),
        *history.routes(pages),
        *practice.routes(pages),
        *solving.routes(pages),
        *daily.routes(pages),
        *dealing.routes(pages),
        *duplicate.routes(pages),
        *review.routes(pages),
        *statistics.routes(pages),
        *import_games.routes(pages),
        WebSocketRoute("/game/{game}/socket", line),
        *book.routes(pages),
        *words.routes(pages),
        *offline.routes(offline.Offline(WEB)),
        Route("/gallery", pages.gallery),
        Route("/i18n/{lang}.json", pages.words),
        Mount("/static", pages.files),
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

    async def gone(_: Request, __: Exception) -> Response:
        # Whoever sent it has gone in the middle of it: nobody hears the answer, and nothing is wrong here.
        return Response(status_code=400)

    return {
        FifteenTwoError: refused,
        HTTPException: http_error,
        ClientDisconnect: gone,
        Exception: went_wrong,
    }


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

    lang: of every page, None for each browser's own; say_in: of what is printed here; workers: processes.
    """
    from fifteentwo.server.cluster import workers as worker_processes

    settings = settings or Settings()
    networks(settings.trusted_proxies)
    never_wait()
    write_down(structured=settings.structured_logs)
    if workers > 1:
        worker_processes.must_be_possible(database, workers)
    listening = listen(host, port)
    taken, bound = listening.getsockname()[1], listening.getsockname()[0]
    # "Everywhere" is no address to be called by.
    shown_host = "127.0.0.1" if bound == "0.0.0.0" else "::1" if bound == "::" else host
    address = f"http://{f'[{shown_host}]' if ':' in shown_host else shown_host}:{taken}/"

    def say() -> None:
        if port is None and taken != PORT:
            print(i18n.text("serve.port-taken", say_in, port=PORT, other=taken), flush=True)
        print(i18n.text("serve.at", say_in, address=address), flush=True)
        if (for_others := base_for_others("http", f"localhost:{taken}", bound)) is not None:
            print(i18n.text("serve.for-others", say_in, address=f"{for_others}/"), flush=True)

    plan = Plan(host=host, port=taken, database=database, lang=lang, settings=settings)
    if workers > 1:
        listening.close()
        worker_processes.keep_serving(plan, workers, say)
        return
    shown = address if lang is None else f"{address}?lang={lang}"

    async def run() -> None:
        store = await Store.open(database, alone=True)
        say()
        await _serve([listening], plan, store, lambda: webbrowser.open(shown) if open_browser else None)

    try:
        asyncio.run(run())
    finally:
        listening.close()


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a process serves, and where."""

    host: str
    port: int
    database: str | None
    lang: str | None
    settings: Settings


def serve_beside(plan: Plan, own_port: int | None, started: Callable[[], None]) -> None:
    """Serve at an address with other processes until a signal ends it. started: called once it answers.

    own_port: on this machine, where this process alone answers.
    """
    never_wait()
    write_down(structured=plan.settings.structured_logs)

    async def run() -> None:
        store = await Store.open(plan.database)
        listening = [beside(plan.host, plan.port)]
        if own_port is not None:
            listening.append(listen("127.0.0.1", own_port))
        await _serve(listening, plan, store, started)

    asyncio.run(run())


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
    listening: list[sockets.socket], plan: Plan, store: Store, started: Callable[[], object]
) -> None:
    """Answer until a signal ends it. started: called once it does, in a thread."""
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
        # Messages are small: to pack each would be dearer than to make it, and take 40 kB a page.
        ws_per_message_deflate=False,
        proxy_headers=False,
        backlog=128,
        ws_max_size=MOST_FRAME,
        timeout_graceful_shutdown=2,
        **protocols(connections),
    )
    server = uvicorn.Server(config)
    aside = [begin(connections.keep_sweeping()), begin(_told(server, started))]
    await server.serve(sockets=listening)
    for task in aside:
        task.cancel()


async def _told(server: Any, started: Callable[[], object]) -> None:
    """Say so once it answers."""
    while not server.started:
        await asyncio.sleep(0.02)
    await asyncio.to_thread(started)
