"""The review of a game: its page, what works it out, and a new table that goes on from a position of it.

A game of one's own is reviewed at /review/ID, any record at /review. Both pages receive the review line by
line (`server.study.review_queue`): of a game of this server, from its own log, and it is stored once made; of
a record, that the page sends. The server stores no record.
"""

import asyncio
import contextlib
import zlib
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from fifteentwo.i18n.figures import percent
from fifteentwo.players import LEVELS
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.record import Record, from_json, last_state, read
from fifteentwo.server.background import begin
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import REVIEW, STUDY, admit, block_of
from fifteentwo.server.live.table_state import TableState
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.pages.site import (
    Pages,
    body_of,
    json_response,
    must_be_own,
    number_in,
    words_of,
)
from fifteentwo.server.services import services_of
from fifteentwo.server.study.game_story import story
from fifteentwo.server.study.game_summary import HEIGHT, WIDTH, game_summary
from fifteentwo.server.study.review_queue import (
    MAX_RECORD_BYTES,
    AdmittedReview,
    ReviewQueue,
    ReviewRequest,
    read_with_story,
)
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person

WORDS = ("review.", "level.", "list.")
MOST_BODY = 4 * MAX_RECORD_BYTES
"""Bytes of a JSON body that carries a record, its line ends and signs written out."""


class PlayOn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Go on from the decision that was action `step` of a record, in its seat, against a level."""

    record: str = ""
    game: str = ""
    """Instead of a record: a table of one's own, and which game of its match."""
    number: int = 0
    step: int
    level: str


class OwnGame(msgspec.Struct, frozen=True):
    """A finished game of one's own: its table, its number there, and where one sat."""

    table: TableState
    number: int
    seat: int
    record: Record


def routes(pages: Pages) -> list[Route]:
    reviews = ReviewQueue()

    async def dropped(request: Request) -> Response:
        return _page(pages, request, game=None, number=None, seat=0)

    async def lines(request: Request) -> Response:
        text = await _text(request)
        admit(request, REVIEW)
        review = reviews.admit(await _client(request), block_of(request))
        lang = pages.language(request)
        with _released_on_error(reviews, review):
            record, pictures = await asyncio.to_thread(read_with_story, text, lang, _viewer(request))
        asked = ReviewRequest(record=record, story=pictures, lang=lang)
        reviews.start(review, asked, services_of(request).tables.reviews)
        return _Lines(request, review, reviews)

    async def play_on(request: Request) -> Response:
        """Make a table that begins at a position of a record, and return its address."""
        pages.admit_table(request)
        body = from_json(await _body(request), PlayOn)
        if body.level not in LEVELS:
            raise Refused("option-unknown", name=body.level[:40])
        if body.game:
            record = (await _own_game(pages, request, body.game, body.number)).record
        else:
            record = await pages.worked_out(request, STUDY, read, body.record)
        return await _position_table(request, record, body)

    return [
        Route("/review", dropped),
        Route("/api/review", lines, methods=["POST"]),
        Route("/api/play-on", play_on, methods=["POST"]),
        *_of_own_games(pages, reviews),
    ]


def _of_own_games(pages: Pages, reviews: ReviewQueue) -> list[Route]:
    async def own(request: Request) -> Response:
        one = await _own_game(pages, request)
        return _page(pages, request, game=one.table.id, number=one.number, seat=one.seat)

    async def own_lines(request: Request) -> Response:
        one = await _own_game(pages, request)
        admit(request, REVIEW)
        review = reviews.admit(str(sessions.owner_of(request)), block_of(request))
        with _released_on_error(reviews, review):
            await _start_review(reviews, review, one, pages.language(request), services_of(request).tables)
        return _Lines(request, review, reviews)

    async def end(request: Request) -> Response:
        """Return the review in one picture, a part of the table's page; 204 without win probabilities."""
        lang = pages.language(request)
        one = await _own_game(pages, request)
        if one.record.rules.seats != 2:
            return Response(status_code=204)
        admit(request, REVIEW)
        review = reviews.admit(str(sessions.owner_of(request)), block_of(request))
        try:
            await _start_review(reviews, review, one, lang, services_of(request).tables)
            lines = [msgspec.json.decode(line) async for line in review.lines()]
        finally:
            reviews.release(review)
        shown = game_summary(lines, one.seat, lang)
        if shown is None:
            return Response(status_code=204)
        values: dict[str, Any] = {"game": one.table.id, "number": one.number, "seat": one.seat, "end": shown}
        return pages.page(request, "over_review.html", width=WIDTH, height=HEIGHT, **values)

    return [
        Route("/review/{game}", own),
        Route("/review/{game}/end", end, methods=["GET"]),
        Route("/api/review/{game}", own_lines, methods=["GET"]),
    ]


async def _own_game(pages: Pages, request: Request, name: str = "", number: int | None = None) -> OwnGame:
    table = await pages.own_table(request, name)
    if number is None:
        number = number_in(request.query_params.get("game", str(table.played)))
    ledger = await table.ledger_with(number)
    person = table.person_of(sessions.owner_of(request))
    seat = 0 if person is None else ledger.result(number).seated.index(person)
    return OwnGame(table, number, seat, ledger.record(number, table.names(pages.language(request))))


async def _start_review(
    reviews: ReviewQueue, review: AdmittedReview, one: OwnGame, lang: str, tables: Tables
) -> None:
    """Have a game of this server reviewed, and its review stored unless it is."""
    kept, name = tables.stored_reviews, one.table.id
    known = await kept.recall(name, one.number, one.record)

    def on_finished(report: dict[str, Any]) -> None:
        if not known:
            begin(kept.keep(name, one.number, one.record, report))

    pictures = await asyncio.to_thread(story, one.record, lang, one.seat)
    asked = ReviewRequest(record=one.record, story=pictures, lang=lang, on_finished=on_finished)
    reviews.start(review, asked, tables.reviews)


def _page(pages: Pages, request: Request, **values: Any) -> Response:
    # Brought along by the first review: numpy and what else it loads.
    from fifteentwo.analysis.review.rating import MARKS_BY_CHANCE, MARKS_BY_POINTS

    services_of(request).tables.reviews.warm_up()
    lang = pages.language(request)
    marks = {name: percent(least, 1, lang) for name, least in MARKS_BY_CHANCE}
    marks |= {f"{name}_points": str(least) for name, least in MARKS_BY_POINTS}
    return pages.page(
        request, "review.html", words=words_of(lang, *WORDS), levels=LEVELS, marks=marks, **values
    )


@contextlib.contextmanager
def _released_on_error(reviews: ReviewQueue, review: AdmittedReview) -> Iterator[None]:
    try:
        yield
    except BaseException:
        reviews.release(review)
        raise


class _Lines(StreamingResponse):
    """A review as it is found. Its place is given back when the response ends, for whatever reason."""

    def __init__(self, request: Request, review: AdmittedReview, reviews: ReviewQueue) -> None:
        in_gzip = "gzip" in request.headers.get("accept-encoding", "")
        # nginx buffers other responses, and sends these line by line.
        headers = {"Vary": "Accept-Encoding", "X-Accel-Buffering": "no"}
        headers |= {"Content-Encoding": "gzip"} if in_gzip else {}
        lines = _gzipped(review.lines()) if in_gzip else review.lines()
        super().__init__(lines, media_type="application/x-ndjson", headers=headers)
        self._release = partial(reviews.release, review)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._release()


async def _text(request: Request) -> str:
    must_be_own(request)
    body = await _body(request, MAX_RECORD_BYTES)
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise Refused("record-not-text") from None


def _viewer(request: Request) -> int | None:
    seat = request.query_params.get("seat", "")
    return int(seat) if seat in ("0", "1", "2", "3") else None


async def _client(request: Request) -> str:
    """Return who asks: an account, or a browser that sits at a table; of others, who may make cookies up, the
    address."""
    owner = sessions.owner_of(request)
    if owner is not None and (sessions.named_of(request) or await services_of(request).store.knows(owner)):
        return owner
    return block_of(request)


async def _body(request: Request, most: int = MOST_BODY) -> bytes:
    too_long = Refused("record-too-long", status=413, most=MAX_RECORD_BYTES // 1024)
    return await body_of(request, most, too_long)


async def _gzipped(lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same lines in gzip, each sent at once: the middleware would keep them back until there are many."""
    press = zlib.compressobj(6, wbits=31)
    async for line in lines:
        yield press.compress(line) + press.flush(zlib.Z_SYNC_FLUSH)
    yield press.flush()


async def _position_table(request: Request, record: Record, asked: PlayOn) -> Response:
    """Return the table of a position, with the user in the seat of its decision."""
    if not 0 <= asked.step < len(record.actions):
        raise Refused("no-such-position")
    action = record.actions[asked.step]
    if not isinstance(action, Discard | Play):
        raise Refused("no-such-position")
    before = Record(
        rules=record.rules, names=record.names, actions=record.actions[: asked.step], named=record.named
    )
    owner, token = sessions.sitting(request)
    own = (await asyncio.to_thread(last_state, before)).seating[action.seat]
    people = tuple(
        Person(name="", owner=owner) if who == own else Person(name="", level=asked.level)
        for who in range(record.rules.seats)
    )
    name = await services_of(request).tables.create(record.rules, Options(), people, before)
    response = json_response({"path": f"/game/{name}"})
    sessions.SESSION.write(request, response, token)
    return response
