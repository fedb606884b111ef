"""The WebSocket of one open page. Invalid messages are refused; none can change a game or stop the server."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial

from starlette.websockets import WebSocket, WebSocketDisconnect

from fifteentwo.i18n import LANGUAGES
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.server.background import log
from fifteentwo.server.errors import Refused, ServerError, StoreError
from fifteentwo.server.http import sessions
from fifteentwo.server.http.metrics import Metrics
from fifteentwo.server.http.rate_limits import HINT_REQUEST, OpenPages, TokenBucket, admit
from fifteentwo.server.live import move_clock, open_page, pass_and_play, seats, wire
from fifteentwo.server.live.coach import Coach
from fifteentwo.server.live.move_clock import MoveClock
from fifteentwo.server.live.open_page import OpenPage, Outbox, SharedScreen
from fifteentwo.server.live.page_updates import PageUpdates
from fifteentwo.server.live.pass_and_play import PassAndPlay
from fifteentwo.server.live.quick_chat import QuickChat
from fifteentwo.server.live.seeding import Seeding
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.live.table_state import persons_of_owner
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.store.store import CONFLICT

PAGE_BURST_MESSAGES = 60
PAGE_MESSAGES_PER_SECOND = 30.0
"""Rate limit of one page, after the burst; a person sends fewer than three messages a second."""
MAX_REFUSALS = 200
"""Consecutive refusals after which the connection is closed."""
MAX_MESSAGES_PER_FRAME = 32
"""Messages sent together, one per line. A move causes four or five, and each frame is a system call."""
EXTRA_LANGUAGE_TOKENS = 10.0
"""Rate-limit tokens of a message that changes the language, in addition to the one of every message."""


async def serve_socket(socket: WebSocket, lang: str, serve: Callable[[], Awaitable[None]]) -> None:
    """Accept a WebSocket of one of our own pages and serve it; send the page why it is refused."""
    if not sessions.is_same_origin(socket):
        await socket.close(open_page.CLOSE_FOR_GOOD)
        return
    await socket.accept()
    try:
        if socket.query_params.get("protocol") != str(wire.PROTOCOL):
            raise Refused("page-outdated", status=409)
        await serve()
    except FifteenTwoError as error:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await socket.send_text(wire.refused_message(error, lang).decode())
            await socket.close(
                open_page.CLOSE_AND_RECONNECT if isinstance(error, ServerError) else open_page.CLOSE_FOR_GOOD
            )


async def exchange_messages(
    socket: WebSocket, page: Outbox, receive: Awaitable[None], leave: Callable[[], None]
) -> None:
    """Send a page's messages while `receive` runs, then close the page; `leave` is called at the end."""
    sending = asyncio.get_running_loop().create_task(_send_until_closed(socket, page))
    try:
        await receive
        page.close(open_page.CLOSE_FOR_GOOD)
        await asyncio.wait([sending], timeout=1.0)
    finally:
        leave()
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sending


async def serve_page(
    socket: WebSocket, tables: Tables, lang: str, open_pages: OpenPages, metrics: Metrics
) -> None:
    """Serve one page of a table, which is accepted already, until it disconnects."""
    owner = sessions.owner_of(socket)
    table = await tables.open(socket.path_params["game"])
    person = table.person_of(owner)
    if owner is None or person is None:
        raise Refused("not-your-table", status=403)
    known, promised = socket.query_params.get("v", ""), socket.query_params.get("commitment")
    has_version = known.isascii() and known.isdecimal() and len(known) < 10
    with open_pages.count_while_open(socket, owner):
        persons = persons_of_owner(table.people, owner)
        page = OpenPage(person, lang, int(known) if has_version else None, promised)
        page.screen = SharedScreen(persons) if len(persons) > 1 else None
        named = sessions.user_of(socket)
        page.session = None if named is None else named.session
        if not table.is_solo:
            # This comes before the page commits: a seat that is freed as unopened has no commitment.
            token = sessions.BROWSER_COOKIE.read_token(socket) or ""
            origin = seats.origin_of(socket, token) if table.options.evening else None
            await seats.record_opened(tables.store, table.id, page.persons, origin)
        await table.part(Seeding).commit_before_joining(table, page)
        if persons_of_owner(table.people, owner) != persons:
            # The owner's seats have changed since: the page reconnects to get its present seats.
            raise StoreError(CONFLICT)
        table.join(page)
        receive = _receive_messages(socket, table, page, metrics)
        await exchange_messages(socket, page, receive, partial(table.leave, page))


async def _send_until_closed(socket: WebSocket, page: Outbox) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            unsent = [await page.unsent.get()]
            while not page.unsent.empty() and len(unsent) < MAX_MESSAGES_PER_FRAME:
                unsent.append(page.unsent.get_nowait())
            if messages := [one for one in unsent if isinstance(one, bytes)]:
                await socket.send_text(b"\n".join(messages).decode())
            if isinstance(code := unsent[-1], int):
                await socket.close(code)
                return


async def _receive_messages(socket: WebSocket, table: LiveTable, page: OpenPage, metrics: Metrics) -> None:
    bucket = TokenBucket(PAGE_BURST_MESSAGES, PAGE_MESSAGES_PER_SECOND)
    clock = asyncio.get_running_loop().time
    refused = 0
    while refused < MAX_REFUSALS:
        frame = await socket.receive()
        if frame["type"] == "websocket.disconnect" or page.is_closed:
            break
        began = clock()
        try:
            if not bucket.take(began):
                raise Refused("too-fast")
            message = wire.read_message(frame.get("text") or frame.get("bytes") or "")
            if isinstance(message, wire.Lang) and not bucket.take(began, EXTRA_LANGUAGE_TOKENS):
                raise Refused("too-fast")
            if isinstance(message, wire.AskHint):
                admit(socket, HINT_REQUEST)
            await _handle_message(table, page, message)
            refused = 0
            metrics.messages.labels("taken").inc()
            if isinstance(message, wire.Act):
                metrics.act_seconds.observe(clock() - began)
        except FifteenTwoError as error:
            refused += 1
            metrics.messages.labels("refused").inc()
            page.send(wire.refused_message(error, page.lang))
        except Exception:
            log.exception("a message could not be handled")
            refused += 1
            metrics.messages.labels("internal-error").inc()
            page.send(wire.refused_message(ServerError("internal-error"), page.lang))


async def _handle_message(table: LiveTable, page: OpenPage, message: wire.Message) -> None:
    match message:
        case wire.Ping():
            page.send(wire.PONG_BYTES)
        case wire.Act(d=action, v=seen):
            pass_and_play.check_uncovered(page)
            await table.act(page.person, action, seen)
        case wire.NextGame(d=promised):
            await table.next_game()
            if promised is not None:
                await _commit_for_page(table, page, promised)
        case wire.Commit(d=promised):
            await _commit_for_page(table, page, promised)
        case wire.Reveal(d=seed):
            person = pass_and_play.seed_owner(table.ledger, page, seed)
            await table.part(Seeding).reveal(table, person, seed)
        case wire.Resign(d=game):
            pass_and_play.check_uncovered(page)
            await move_clock.resign(table, page.person, game)
        case wire.ClaimAbsent(d=absent):
            await table.part(MoveClock).claim(table, page.person, absent.seat, absent.outcome)
        case wire.ComeBack():
            await move_clock.come_back(table, page.person)
        case wire.UncoverScreen(d=number):
            table.part(PassAndPlay).uncover(table, page, number)
        case wire.Undo():
            await table.undo(page.person)
        case wire.AskHint(d=raised):
            table.part(Coach).request_hint(table, page, raised)
        case wire.Coach(d=wanted):
            table.part(Coach).set_verdicts(table, page, wanted)
        case wire.Continue():
            table.part(Coach).resume_computers(table)
        case wire.SendChat(d=preset):
            table.part(QuickChat).send(table, page.person, preset)
        case wire.Lang(d=lang):
            assert lang in LANGUAGES
            page.lang = lang
            table.part(PageUpdates).send_table(table, page)
            table.part(PassAndPlay).update(table, page, whole=True)


async def _commit_for_page(table: LiveTable, page: OpenPage, commitment: str) -> None:
    person = pass_and_play.next_to_commit(table.ledger, page)
    await table.part(Seeding).commit(table, person, commitment)
