"""The pages of spectators and of the shared board: the link, the page, and its WebSocket."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import OpenPages, TokenBucket, widest_block
from fifteentwo.server.live import spectators, wire
from fifteentwo.server.live.shared_board import SharedBoards
from fifteentwo.server.live.socket import (
    PAGE_BURST_MESSAGES,
    PAGE_MESSAGES_PER_SECOND,
    exchange_messages,
    serve_socket,
)
from fifteentwo.server.live.spectators import SpectatorPage, Spectators
from fifteentwo.server.live.table_state import TableState
from fifteentwo.server.pages.site import Pages, words_of
from fifteentwo.server.people.invitations import link_and_qr_code
from fifteentwo.server.services import services_of

MAX_SPECTATOR_MESSAGES = 20
"""Messages from a spectator's page after which its connection is closed; it has none to send."""


def routes(pages: Pages, bound: str | None, open_pages: OpenPages) -> list[BaseRoute]:
    async def link(request: Request) -> Response:
        table = await pages.own_table(request)
        if not table.options.spectator_key:
            raise Refused("no-spectators", status=404)
        path = f"/game/{table.id}/spectate/{table.options.spectator_key}"
        address, picture = await link_and_qr_code(request, bound, path)
        values: dict[str, Any] = {"game": table.id, "link": address, "picture": picture}
        values |= {"delay": f"{spectators.DELAY_SECONDS:g}", "most": spectators.MAX_SPECTATORS_PER_TABLE}
        values["number"] = services_of(request).tables.spectators.count(table.id)
        words = words_of(pages.language(request), "waiting_room.")
        return pages.page(request, "spectate_link.html", is_board=False, **values, words=words)

    async def spectate(request: Request) -> Response:
        kept = await services_of(request).tables.spectators.table_of_link(
            request.path_params["game"], request.path_params["secret"]
        )
        return pages.page(
            request,
            "spectate.html",
            is_board=False,
            game=kept.id,
            line=f"/game/{kept.id}/spectate/{request.path_params['secret']}/socket",
            delay=f"{spectators.DELAY_SECONDS:g}",
            words=words_of(pages.language(request), "spectate."),
        )

    async def board_link(request: Request) -> Response:
        table = await pages.own_table(request)
        if not table.options.board_key:
            raise Refused("no-shared-board", status=404)
        path = f"/game/{table.id}/board/{table.options.board_key}"
        address, picture = await link_and_qr_code(request, bound, path)
        words = words_of(pages.language(request), "waiting_room.")
        values: dict[str, Any] = {"game": table.id, "link": address, "picture": picture, "words": words}
        values["path_here"] = path
        return pages.page(request, "spectate_link.html", is_board=True, **values)

    async def board(request: Request) -> Response:
        table = await _board_table(request)
        path = f"/game/{table.id}/board/{table.options.board_key}"
        words = words_of(pages.language(request), "spectate.")
        values: dict[str, Any] = {"game": table.id, "line": f"{path}/socket", "words": words}
        return pages.page(request, "spectate.html", is_board=True, **values)

    return [
        Route("/game/{game}/spectate", link),
        Route("/game/{game}/spectate/{secret}", spectate),
        WebSocketRoute("/game/{game}/spectate/{secret}/socket", _socket_handler(pages, open_pages)),
        Route("/game/{game}/board", board_link),
        Route("/game/{game}/board/{secret}", board),
        WebSocketRoute("/game/{game}/board/{secret}/socket", _socket_handler(pages, open_pages, board=True)),
    ]


async def _board_table(connection: HTTPConnection) -> TableState:
    """Return the table that a link to its shared board opens. Raise Refused if there is none."""
    table = await services_of(connection).tables.read(connection.path_params["game"])
    key, secret = table.options.board_key, connection.path_params["secret"]
    if not key or not secrets.compare_digest(key.encode(), secret.encode(errors="replace")):
        raise Refused("no-shared-board", status=404)
    return table


def _socket_handler(
    pages: Pages, open_pages: OpenPages, *, board: bool = False
) -> Callable[[WebSocket], Awaitable[None]]:
    async def serve(socket: WebSocket, lang: str) -> None:
        tables, page = services_of(socket).tables, SpectatorPage(lang)
        everyone: Spectators | SharedBoards = tables.boards if board else tables.spectators
        join: Callable[[], None]
        if board:
            table = await _board_table(socket)
            join = partial(tables.boards.join, table, page)
        else:
            kept = await tables.spectators.table_of_link(
                socket.path_params["game"], socket.path_params["secret"]
            )
            join = partial(tables.spectators.join, kept, page)
        who = sessions.owner_of(socket) or f"at {widest_block(socket)}"
        with open_pages.count_while_open(socket, who):
            join()
            leave = partial(everyone.leave, socket.path_params["game"], page)
            await exchange_messages(socket, page, _refuse_messages(socket, page), leave)

    async def line(socket: WebSocket) -> None:
        lang = pages.language(socket)
        await serve_socket(socket, lang, partial(serve, socket, lang))

    return line


async def _refuse_messages(socket: WebSocket, page: SpectatorPage) -> None:
    """Refuse each message of a spectator's page, except pings, until it disconnects."""
    refused, bucket = 0, TokenBucket(PAGE_BURST_MESSAGES, PAGE_MESSAGES_PER_SECOND)
    while refused < MAX_SPECTATOR_MESSAGES:
        frame = await socket.receive()
        if frame["type"] == "websocket.disconnect":
            return
        if frame.get("text") == wire.PING_TEXT and bucket.take(asyncio.get_running_loop().time()):
            page.send(wire.PONG_BYTES)
            continue
        refused += 1
        page.send(wire.refused_message(Refused("spectators-cannot-act", status=403), page.lang))
