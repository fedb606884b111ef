"""The pages of spectators: the link to share, the spectated table, and its WebSocket."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import OpenPages, TokenBucket, widest_block
from fifteentwo.server.live import spectators, wire
from fifteentwo.server.live.socket import (
    PAGE_BURST_MESSAGES,
    PAGE_MESSAGES_PER_SECOND,
    exchange_messages,
    serve_socket,
)
from fifteentwo.server.live.spectators import SpectatorPage
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
        return pages.page(request, "spectate_link.html", **values, words=words)

    async def spectate(request: Request) -> Response:
        kept = await services_of(request).tables.spectators.table_of_link(
            request.path_params["game"], request.path_params["secret"]
        )
        return pages.page(
            request,
            "spectate.html",
            game=kept.id,
            line=f"/game/{kept.id}/spectate/{request.path_params['secret']}/socket",
            delay=f"{spectators.DELAY_SECONDS:g}",
            words=words_of(pages.language(request), "spectate."),
        )

    return [
        Route("/game/{game}/spectate", link),
        Route("/game/{game}/spectate/{secret}", spectate),
        WebSocketRoute("/game/{game}/spectate/{secret}/socket", _socket_handler(pages, open_pages)),
    ]


def _socket_handler(pages: Pages, open_pages: OpenPages) -> Callable[[WebSocket], Awaitable[None]]:
    async def serve(socket: WebSocket, lang: str) -> None:
        everyone = services_of(socket).tables.spectators
        kept = await everyone.table_of_link(socket.path_params["game"], socket.path_params["secret"])
        who = sessions.owner_of(socket) or f"at {widest_block(socket)}"
        with open_pages.count_while_open(socket, who):
            page = SpectatorPage(lang)
            everyone.join(kept, page)
            leave = partial(everyone.leave, kept.id, page)
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
