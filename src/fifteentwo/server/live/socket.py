"""The WebSocket of one open page: messages in, envelopes out. What a page sends can at worst be refused."""

import asyncio
import contextlib
import logging

from starlette.websockets import WebSocket, WebSocketDisconnect

from fifteentwo.i18n import LANGUAGES
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.server.errors import Refused, ServerError, StoreError
from fifteentwo.server.http import sessions
from fifteentwo.server.http.metrics import Metrics
from fifteentwo.server.http.rate_limits import OpenPages, TokenBucket
from fifteentwo.server.live import pass_and_play, seats, wire
from fifteentwo.server.live.audience import TRY_AGAIN, OpenPage, Outbox
from fifteentwo.server.live.log import CONFLICT
from fifteentwo.server.live.seating import persons_of
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.live.tables import Tables

log = logging.getLogger("fifteentwo.server")

POLICY = 1008
AT_ONCE, A_SECOND = 60, 30.0
"""Messages a page may send: a person at the table never needs a tenth of it."""
MOST_REFUSED = 200
"""Refusals one after another after which the connection is closed."""
A_HINT, A_LANGUAGE = 3.0, 10.0
"""What a hint and the whole table once more count for, in messages."""


async def talk(socket: WebSocket, tables: Tables, lang: str, open_pages: OpenPages, metrics: Metrics) -> None:
    """Serve one page until it goes."""
    if not sessions.same_origin(socket):
        await socket.close(POLICY)
        return
    await socket.accept()
    try:
        wire.check_protocol(socket.query_params.get("protocol"))
        owner = sessions.owner_of(socket)
        table = await tables.table(socket.path_params["game"])
        person = await tables.person_of(table, owner)
        if owner is None or person is None:
            raise Refused("not-your-table", status=403)
        known, promised = _known(socket.query_params.get("v")), socket.query_params.get("commitment")
        with open_pages.opened(socket, owner):
            page = OpenPage(person, lang, known, promised)
            page.screen = pass_and_play.screen_for(table.people, owner)
            named = sessions.named_of(socket)
            page.session = None if named is None else named.session
            await table.read_all()
            if not table.seating.alone:
                # Before it commits: a seat that is freed as never opened has no commitment.
                await seats.opened(tables.store, table.id, page.persons)
            await table.seeding.before_joining(page)
            if persons_of(table.people, owner) != page.persons:
                # Seats have changed hands meanwhile: the page connects again and sends whose it is.
                raise StoreError(CONFLICT)
            table.audience.join(page)
            await _serve(socket, table, page, metrics)
    except FifteenTwoError as error:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await socket.send_text(wire.refused(error, lang).decode())
            await socket.close(TRY_AGAIN if isinstance(error, ServerError) else POLICY)


async def _serve(socket: WebSocket, table: LiveTable, page: OpenPage, metrics: Metrics) -> None:
    sending = asyncio.get_running_loop().create_task(send_all(socket, page))
    try:
        await _listen(socket, table, page, metrics)
        await asyncio.wait([sending], timeout=1.0)
    finally:
        table.audience.leave(page)
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sending


def _known(text: str | None) -> int | None:
    """Return the v a page knows; None, for the whole table, where it is unreadable."""
    if text is None or not text.isascii() or not text.isdecimal() or len(text) > 9:
        return None
    return int(text)


async def send_all(socket: WebSocket, page: Outbox) -> None:
    """Send what is put in line for a page, until it is let go."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while isinstance(message := await page.unsent.get(), bytes):
            await socket.send_text(message.decode())
        await socket.close(message)


async def _listen(socket: WebSocket, table: LiveTable, page: OpenPage, metrics: Metrics) -> None:
    bucket = TokenBucket(AT_ONCE, A_SECOND)
    clock = asyncio.get_running_loop().time
    refused = 0
    while refused < MOST_REFUSED:
        frame = await socket.receive()
        if frame["type"] == "websocket.disconnect" or page.closed:
            break
        began = clock()
        try:
            if not bucket.take(began):
                raise Refused("too-fast")
            message = wire.read(frame.get("text") or frame.get("bytes") or "")
            more = {wire.Lang: A_LANGUAGE, wire.AskHint: A_HINT}.get(type(message), 0.0)
            if more and not bucket.take(began, more):
                raise Refused("too-fast")
            await _do(table, page, message)
            refused = 0
            metrics.messages.labels("taken").inc()
            if isinstance(message, wire.Act):
                metrics.acted_in.observe(clock() - began)
        except FifteenTwoError as error:
            refused += 1
            metrics.messages.labels("refused").inc()
            page.send(wire.refused(error, page.lang))
        except Exception:
            log.exception("a message could not be served")
            refused += 1
            metrics.messages.labels("went-wrong").inc()
            page.send(wire.refused(ServerError("went-wrong"), page.lang))
    page.close(POLICY)


async def _do(table: LiveTable, page: OpenPage, message: wire.Message) -> None:
    match message:
        case wire.Ping():
            page.send(wire.PONG)
        case wire.Act(d=action, v=seen):
            pass_and_play.must_show(page)
            await table.act(page.person, action, seen)
        case wire.Next(d=promised):
            await table.next_game()
            if promised is not None:
                await table.seeding.commit(pass_and_play.committing(table.ledger, page), promised)
        case wire.Commit(d=promised):
            await table.seeding.commit(pass_and_play.committing(table.ledger, page), promised)
        case wire.Reveal(d=seed):
            await table.seeding.reveal(pass_and_play.revealing(table.ledger, page, seed), seed)
        case wire.Resign(d=game):
            pass_and_play.must_show(page)
            await table.move_clock.resign(page.person, game)
        case wire.ClaimAbsent(d=absent):
            await table.move_clock.claim(page.person, absent.seat, absent.then)
        case wire.ComeBack():
            await table.move_clock.come_back(page.person)
        case wire.Take(d=number):
            table.pass_and_play.take(page, number)
        case wire.Undo():
            await table.undo(page.person)
        case wire.AskHint(d=raised):
            table.coach.hint(page, raised)
        case wire.Coach(d=wanted):
            table.coach.listen(page, wanted)
        case wire.GoOn():
            table.coach.go_on()
        case wire.SendChat(d=preset):
            table.chat.send(page.person, preset)
        case wire.Lang(d=lang):
            assert lang in LANGUAGES
            table.speak(page, lang)
