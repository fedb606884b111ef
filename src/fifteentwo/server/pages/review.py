"""Reviews of games: the page, the streamed review, and new tables that start at a reviewed position.

A game of this server is reviewed at /review/ID from its log, and its review is stored. At /review the page
sends any record, and nothing is stored. Both receive the review line by line (`server.study.review_queue`).
"""

import asyncio
import contextlib
import zlib
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from fifteentwo.players import LEVELS
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.record import Record, from_json, last_state, read
from fifteentwo.server.background import start_task
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import REVIEW_REQUEST, STUDY_REQUEST, admit, widest_block
from fifteentwo.server.live.table_state import TableState
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.pages import site
from fifteentwo.server.pages.history import date
from fifteentwo.server.pages.site import Pages
from fifteentwo.server.services import services_of
from fifteentwo.server.study.game_story import tell_story
from fifteentwo.server.study.game_summary import DRAWING_HEIGHT, DRAWING_WIDTH, game_summary
from fifteentwo.server.study.review_queue import (
    MAX_RECORD_BYTES,
    AdmittedReview,
    ReviewQueue,
    ReviewRequest,
    read_with_story,
)
from fifteentwo.server.table_log.options import FIRST_GAME_GOAL, Options
from fifteentwo.server.table_log.rows import Person

REVIEW_WORDS = (
    "review.",
    "story.",
    "first.on",
    "first.done",
    "practice.theme.",
    "practice.errors.title",
    *(f"practice.solve.{word}" for word in ("own-crib", "other-crib", "discarded", "before")),
    "check.starter",
    "level.",
    "list.",
)
MAX_BODY_BYTES = 4 * MAX_RECORD_BYTES
"""Limit on a JSON body that contains a record with escaped line ends and signs."""


class PlayOnRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to play on against a level from action `step` of a record, in its seat."""

    record: str = ""
    game: str = ""
    """Id of a table of the user's, instead of a record; `number` is the number of the game."""
    number: int = 0
    step: int
    level: str


class OwnGame(msgspec.Struct, frozen=True):
    """A game of the user: its table, its number there, and the user's seat."""

    table: TableState
    number: int
    seat: int
    record: Record
    is_in_progress: bool = False
    """Whether the record has only the finished deals of a game in progress."""
    race: tuple[int, ...] = ()
    """The scores with which the race of a first game in progress ended; empty before that."""
    ended_at: int = 0
    """Seconds since 1970; 0 if unknown."""


def routes(pages: Pages) -> list[Route]:
    reviews = ReviewQueue()

    async def dropped(request: Request) -> Response:
        return review_page(pages, request, game=None, number=None, seat=0)

    async def lines(request: Request) -> Response:
        site.check_same_origin(request)
        try:
            text = (await _read_record_body(request, MAX_RECORD_BYTES)).decode()
        except UnicodeDecodeError:
            raise Refused("record-not-text") from None
        admit(request, REVIEW_REQUEST)
        review = reviews.admit(await _review_client(request), widest_block(request))
        lang, seat = pages.language(request), request.query_params.get("seat", "")
        viewer = int(seat) if seat in ("0", "1", "2", "3") else None
        with contextlib.ExitStack() as on_error:
            on_error.callback(reviews.release, review)
            record, pictures = await asyncio.to_thread(read_with_story, text, lang, viewer)
            on_error.pop_all()
        asked = ReviewRequest(record=record, story=pictures, lang=lang)
        reviews.start(review, asked, services_of(request).tables.reviews)
        return _ReviewResponse(request, review, reviews)

    async def play_on(request: Request) -> Response:
        """Create a table that starts at a position of a record, and return its address."""
        pages.admit_table(request)
        body = from_json(await _read_record_body(request), PlayOnRequest)
        if body.level not in LEVELS:
            raise Refused("option-unknown", name=body.level[:40])
        if body.game:
            record = (await _own_game(pages, request, body.game, body.number)).record
        else:
            record = await pages.compute(request, STUDY_REQUEST, read, body.record)
        return await _create_position_table(request, record, body)

    return [
        Route("/review", dropped),
        Route("/api/review", lines, methods=["POST"]),
        Route("/api/play-on", play_on, methods=["POST"]),
        *_own_game_routes(pages, reviews),
    ]


def _own_game_routes(pages: Pages, reviews: ReviewQueue) -> list[Route]:
    async def own(request: Request) -> Response:
        one = await _own_game_or_deals(pages, request)
        values: dict[str, Any] = {"game": one.table.id, "number": one.number, "seat": one.seat}
        values |= {"in_progress": one.is_in_progress, "race": one.race}
        if one.ended_at:
            values["date"] = date(one.ended_at, pages.language(request))["said"]
        return review_page(pages, request, **values)

    async def own_lines(request: Request) -> Response:
        one = await _own_game_or_deals(pages, request)
        admit(request, REVIEW_REQUEST)
        review = reviews.admit(str(sessions.owner_of(request)), widest_block(request))
        with contextlib.ExitStack() as on_error:
            on_error.callback(reviews.release, review)
            await _start_review(reviews, review, one, pages.language(request), services_of(request).tables)
            on_error.pop_all()
        return _ReviewResponse(request, review, reviews)

    async def end(request: Request) -> Response:
        """Return the summary for the table's page; status 204 if win probabilities are unknown."""
        lang = pages.language(request)
        one = await _own_game(pages, request)
        if one.record.rules.seats != 2:
            return Response(status_code=204)
        admit(request, REVIEW_REQUEST)
        review = reviews.admit(str(sessions.owner_of(request)), widest_block(request))
        try:
            await _start_review(reviews, review, one, lang, services_of(request).tables)
            lines = [msgspec.json.decode(line) async for line in review.lines()]
        finally:
            reviews.release(review)
        shown = game_summary(lines, one.seat, lang)
        if shown is None:
            return Response(status_code=204)
        values: dict[str, Any] = {"game": one.table.id, "number": one.number, "seat": one.seat, "end": shown}
        return pages.page(request, "over_review.html", width=DRAWING_WIDTH, height=DRAWING_HEIGHT, **values)

    return [
        Route("/review/{game}", own),
        Route("/review/{game}/end", end, methods=["GET"]),
        Route("/api/review/{game}", own_lines, methods=["GET"]),
    ]


async def _own_game(pages: Pages, request: Request, name: str = "", number: int | None = None) -> OwnGame:
    table = await pages.own_table(request, name)
    if number is None:
        number = site.parse_number(request.query_params.get("game", str(table.games_played)))
    ledger = await table.ledger_with_game(number)
    person = table.person_of(sessions.owner_of(request))
    result = ledger.result(number)
    seat = 0 if person is None else result.person_by_seat.index(person)
    record = ledger.record(number, table.names(pages.language(request)))
    return OwnGame(table, number, seat, record, ended_at=result.ended_at)


async def _own_game_or_deals(pages: Pages, request: Request) -> OwnGame:
    """Return a game as `_own_game` does; of a first game in progress, return its finished deals."""
    table = await pages.own_table(request)
    person, ledger = table.person_of(sessions.owner_of(request)), table.ledger
    in_first_game = table.options.first_game and table.rules.seats == 2 and not table.games_played
    if not in_first_game or person is None:
        return await _own_game(pages, request)
    record = ledger.finished_deals(table.names(pages.language(request)))
    race = tuple(min(points, FIRST_GAME_GOAL) for points in ledger.scores_at(FIRST_GAME_GOAL))
    return OwnGame(table, 1, ledger.seat_of(person), record, is_in_progress=True, race=race)


async def _start_review(
    reviews: ReviewQueue, review: AdmittedReview, one: OwnGame, lang: str, tables: Tables
) -> None:
    """Start the review of a game of this server; it is stored when finished unless it was stored before."""
    kept, name = tables.stored_reviews, one.table.id
    known = await kept.load_into_cache(name, one.number, one.record)

    def on_finished(report: dict[str, Any]) -> None:
        if not (known or one.is_in_progress):
            start_task(kept.store_review(name, one.number, one.record, report))

    pictures = await asyncio.to_thread(tell_story, one.record, lang, one.seat)
    asked = ReviewRequest(
        record=one.record, story=pictures, lang=lang, by_points=bool(one.race), on_finished=on_finished
    )
    reviews.start(review, asked, tables.reviews)


def review_page(pages: Pages, request: Request, **values: Any) -> Response:
    """Return the page of a review. values: `game`, `number`, `seat`, and `shared` of a shared review."""
    # Imported here because they load NumPy.
    from fifteentwo.analysis.review.rating import MARKS_BY_CHANCE, MARKS_BY_POINTS

    services_of(request).tables.reviews.warm_up()
    lang = pages.language(request)
    marks = {name: f"{100 * least:.1f}" for name, least in MARKS_BY_CHANCE}
    marks |= {f"{name}_points": str(least) for name, least in MARKS_BY_POINTS}
    empty: dict[str, Any] = {"shared": None, "in_progress": False, "date": ""}
    words = site.words_of(lang, *REVIEW_WORDS)
    return pages.page(request, "review.html", **{"words": words, "marks": marks} | empty | values)


class _ReviewResponse(StreamingResponse):
    """A streamed review, which is released when the response ends."""

    def __init__(self, request: Request, review: AdmittedReview, reviews: ReviewQueue) -> None:
        in_gzip = "gzip" in request.headers.get("accept-encoding", "")
        # This header makes nginx send each line at once; it buffers other responses.
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


async def _review_client(request: Request) -> str:
    """Return the owner id of an account or of a browser with a seat; for other clients the address block."""
    owner = sessions.owner_of(request)
    if owner is not None and (sessions.user_of(request) or await services_of(request).store.has_owner(owner)):
        return owner
    return widest_block(request)


async def _read_record_body(request: Request, max_bytes: int = MAX_BODY_BYTES) -> bytes:
    too_long = Refused("record-too-long", status=413, most=MAX_RECORD_BYTES // 1024)
    return await site.read_body(request, max_bytes, too_long)


async def _gzipped(lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield each line compressed and flushed; Starlette's middleware would buffer the lines."""
    press = zlib.compressobj(6, wbits=31)
    async for line in lines:
        yield press.compress(line) + press.flush(zlib.Z_SYNC_FLUSH)
    yield press.flush()


async def _create_position_table(request: Request, record: Record, asked: PlayOnRequest) -> Response:
    if not 0 <= asked.step < len(record.actions):
        raise Refused("no-such-position")
    action = record.actions[asked.step]
    if not isinstance(action, Discard | Play):
        raise Refused("no-such-position")
    before = Record(
        rules=record.rules, names=record.names, actions=record.actions[: asked.step], named=record.named
    )
    owner, token = sessions.owner_and_token(request)
    own = (await asyncio.to_thread(last_state, before)).seating[action.seat]
    people = tuple(
        Person(name="", owner=owner) if who == own else Person(name="", level=asked.level)
        for who in range(record.rules.seats)
    )
    name = await services_of(request).tables.create(record.rules, Options(), people, before)
    response = site.json_response({"path": f"/game/{name}"})
    sessions.BROWSER_COOKIE.write(request, response, token)
    return response
