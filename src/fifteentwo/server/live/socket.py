"""One open page: messages in, envelopes out. Nothing a page sends can do more than be refused."""

import asyncio
import contextlib
import logging

from starlette.websockets import WebSocket, WebSocketDisconnect

from fifteentwo.i18n import LANGUAGES
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.server.errors import Refused, ServerError, StoreError
from fifteentwo.server.live import hints, pass_and_play, seats, wire
from fifteentwo.server.live.audience import TRY_AGAIN, Listener, Outgoing
from fifteentwo.server.live.rooms import Room, Rooms
from fifteentwo.server.web_edge import sessions
from fifteentwo.server.web_edge.metrics import Metrics
from fifteentwo.server.web_edge.rate_limits import Lines, TokenBucket

log = logging.getLogger("fifteentwo.server")

POLICY = 1008
AT_ONCE, A_SECOND = 60, 30.0
"""Messages a page may send: a person at the table never needs a tenth of it."""
MOST_REFUSED = 200
"""So many refusals one after another, and the line is closed."""
A_HINT, A_LANGUAGE = 3.0, 10.0
"""What a hint and the whole table once more count for, in messages."""


async def talk(socket: WebSocket, rooms: Rooms, lang: str, lines: Lines, metrics: Metrics) -> None:
    """Serve one page until it goes."""
    if not sessions.same_origin(socket):
        await socket.close(POLICY)
        return
    await socket.accept()
    try:
        wire.check_protocol(socket.query_params.get("protocol"))
        owner = sessions.owner_of(socket)
        room = await rooms.room(socket.path_params["game"])
        person = await rooms.neighbours.person_of(room, owner)
        if owner is None or person is None:
            raise Refused("not-your-table", status=403)
        known, promised = _known(socket.query_params.get("v")), socket.query_params.get("commitment")
        with lines.one_more(socket, owner):
            listener = Listener(person, lang, known, promised)
            listener.screen = pass_and_play.screen_for(room.people, owner)
            named = sessions.named_of(socket)
            listener.session = None if named is None else named.session
            await room.about_to_join()
            if not room.alone:
                # Before it commits: a seat that is freed as never opened has no commitment.
                await seats.opened(rooms.store, room.id, listener.persons)
            await room.seeding.came(listener)
            if pass_and_play.persons_of(room.people, owner) != listener.persons:
                # Seats have changed hands meanwhile: the page comes again and says whose it is.
                raise StoreError("moved-on")
            room.join(listener)
            await _serve(socket, room, listener, metrics)
    except FifteenTwoError as error:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await socket.send_text(wire.refused(error, lang).decode())
            await socket.close(TRY_AGAIN if isinstance(error, ServerError) else POLICY)


async def _serve(socket: WebSocket, room: Room, listener: Listener, metrics: Metrics) -> None:
    sending = asyncio.get_running_loop().create_task(send_all(socket, listener))
    try:
        await _listen(socket, room, listener, metrics)
        await asyncio.wait([sending], timeout=1.0)
    finally:
        room.leave(listener)
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sending


def _known(text: str | None) -> int | None:
    """The v a page says it knows; anything else gets the whole table."""
    if text is None or not text.isascii() or not text.isdecimal() or len(text) > 9:
        return None
    return int(text)


async def send_all(socket: WebSocket, listener: Outgoing) -> None:
    """Send what is put in line for a page, until it is let go."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while isinstance(message := await listener.unsent.get(), bytes):
            await socket.send_text(message.decode())
        await socket.close(message)


async def _listen(socket: WebSocket, room: Room, listener: Listener, metrics: Metrics) -> None:
    bucket = TokenBucket(AT_ONCE, A_SECOND)
    clock = asyncio.get_running_loop().time
    refused = 0
    while refused < MOST_REFUSED:
        frame = await socket.receive()
        if frame["type"] == "websocket.disconnect" or listener.closed:
            break
        began = clock()
        try:
            if not bucket.take(began):
                raise Refused("too-fast")
            message = wire.read(frame.get("text") or frame.get("bytes") or "")
            more = {wire.Lang: A_LANGUAGE, wire.AskHint: A_HINT}.get(type(message), 0.0)
            if more and not bucket.take(began, more):
                raise Refused("too-fast")
            await _do(room, listener, message)
            refused = 0
            metrics.messages["taken"] += 1
            if isinstance(message, wire.Act):
                metrics.acted_in.add(clock() - began)
        except FifteenTwoError as error:
            refused += 1
            metrics.messages["refused"] += 1
            listener.send(wire.refused(error, listener.lang))
        except Exception:
            log.exception("a message could not be served")
            refused += 1
            metrics.messages["went-wrong"] += 1
            listener.send(wire.refused(ServerError("went-wrong"), listener.lang))
    listener.close(POLICY)


async def _do(room: Room, listener: Listener, message: wire.Message) -> None:
    match message:
        case wire.Act(d=action):
            pass_and_play.must_show(listener)
            await room.act(listener.person, action)
        case wire.Next(d=promised):
            await room.next_game()
            if promised is not None:
                await room.seeding.commit(pass_and_play.committing(room, listener), promised)
        case wire.Commit(d=promised):
            await room.seeding.commit(pass_and_play.committing(room, listener), promised)
        case wire.Reveal(d=seed):
            await room.seeding.reveal(pass_and_play.revealing(room, listener, seed), seed)
        case wire.Resign(d=game):
            pass_and_play.must_show(listener)
            await room.move_clock.resign(listener.person, game)
        case wire.ClaimAbsent(d=absent):
            await room.move_clock.claim(listener.person, absent.seat, absent.then)
        case wire.ComeBack():
            await room.move_clock.come_back(listener.person)
        case wire.Take(d=number):
            pass_and_play.take(room, listener, number)
        case wire.Undo():
            await room.undo(listener.person)
        case wire.AskHint():
            await hints.give(room, listener)
        case wire.Coach(d=wanted):
            room.coach.listen(listener, wanted)
        case wire.GoOn():
            room.coach.go_on()
        case wire.Say(d=says):
            room.courtesies.say(listener.person, says)
        case wire.Lang(d=lang):
            assert lang in LANGUAGES
            room.speak(listener, lang)
