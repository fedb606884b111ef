"""The queue of reviews: clients are admitted first, and a slow reader delays no other."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message

from fifteentwo.rules import record
from fifteentwo.server.app import make_app
from fifteentwo.server.errors import Refused
from fifteentwo.server.pages import review
from fifteentwo.server.pages.review import _ReviewResponse
from fifteentwo.server.study import review_queue
from fifteentwo.server.study.review_queue import MAX_REVIEWS_PER_CLIENT, ReviewQueue, ReviewRequest
from tests.support.errors import raises_code
from tests.support.live_server import Live, run_apart
from tests.support.quick_records import played


@pytest.fixture(scope="module")
def text() -> str:
    """Return the first deals of a game as a record."""
    whole = played("five-card")
    return record.write(msgspec.structs.replace(whole, actions=whole.actions[:40]))


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Make reviews find nothing until this event is set."""
    let_go = threading.Event()

    def work(_asked: object, _games: object, _send: object, stopped: threading.Event) -> None:
        while not (let_go.wait(0.01) or stopped.is_set()):
            pass

    monkeypatch.setattr(review_queue, "_send_parts", work)
    yield let_go
    let_go.set()


@asynccontextmanager
async def _running(folder: Path) -> AsyncIterator[Starlette]:
    app = make_app(str(folder / "games.sqlite3"))
    async with app.router.lifespan_context(app), asyncio.timeout(120):
        # A worker would load tables and kernels for seconds.
        app.state.services.tables.reviews._pool = None
        yield app


def _from(app: Starlette, address: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=120)


async def _post(app: Starlette, text: str, send: Callable[[Message], Any]) -> None:
    """Request a review over a new connection."""
    sent = iter([{"type": "http.request", "body": text.encode(), "more_body": False}])

    async def receive() -> Message:
        if (message := next(sent, None)) is None:
            await asyncio.Event().wait()
        assert message is not None
        return message

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "path": "/api/review",
        "raw_path": b"/api/review",
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "headers": [(b"host", b"localhost")],
        "client": ("192.0.2.1", 1),
        "server": ("localhost", 80),
    }
    await app(scope, receive, send)


async def test_a_slow_reader_does_not_delay_the_next_review(tmp_path: Path, text: str) -> None:
    async with _running(tmp_path) as app:
        began = asyncio.Event()

        async def never_taken(message: Message) -> None:
            if message["type"] == "http.response.body":
                began.set()
                await asyncio.Event().wait()

        slow = [asyncio.create_task(_post(app, text, never_taken)) for _ in range(MAX_REVIEWS_PER_CLIENT)]
        await began.wait()
        async with _from(app, "192.0.2.2") as browser:
            answer = await browser.post("/api/review", content=text)
        assert '"t":"whole"' in answer.text
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)


def test_simultaneous_clients_are_admitted_or_refused_without_errors(
    tmp_path: Path, text: str, held: threading.Event
) -> None:
    async def work() -> list[httpx.Response]:
        async with _running(tmp_path) as app, _from(app, "192.0.2.1") as browser:
            asked = [asyncio.create_task(browser.post("/api/review", content=text)) for _ in range(6)]
            while sum(one.done() for one in asked) < len(asked) - MAX_REVIEWS_PER_CLIENT:
                await asyncio.sleep(0.01)
            held.set()
            return await asyncio.gather(*asked)

    answers = run_apart(work())
    refused = [one for one in answers if one.status_code != 200]
    assert [one.status_code for one in refused] == [429] * (6 - MAX_REVIEWS_PER_CLIENT)
    assert {one.headers["Retry-After"] for one in refused} == {"5"}
    assert {one.json()["code"] for one in refused} == {"too-many-own-reviews"}


def test_no_record_is_read_for_a_client_that_is_not_admitted(
    tmp_path: Path, text: str, held: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def read_with_story(text: str, lang: str, viewer: int | None) -> object:
        read.append(text)
        return review_queue.read_with_story(text, lang, viewer)

    monkeypatch.setattr(review, "read_with_story", read_with_story)
    monkeypatch.setattr(review_queue, "MAX_WAITING_REVIEWS", 1)

    async def work() -> httpx.Response:
        async with _running(tmp_path) as app, _from(app, "192.0.2.1") as ken, _from(app, "192.0.2.2") as mio:
            first = asyncio.create_task(ken.post("/api/review", content=text))
            while not read:
                await asyncio.sleep(0.01)
            answer = await mio.post("/api/review", content=text)
            held.set()
            assert (await first).status_code == 200
            return answer

    answer = run_apart(work())
    assert (answer.status_code, answer.json()["code"]) == (503, "server-full")
    assert answer.headers["Retry-After"] == "2"
    assert len(read) == 1


async def test_an_unreadable_record_releases_its_place(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with _running(tmp_path) as app, _from(app, "192.0.2.1") as browser:
        for _ in range(MAX_REVIEWS_PER_CLIENT + 1):
            assert (await browser.post("/api/review", content="hello")).status_code == 400
        with monkeypatch.context() as patch:
            patch.setattr(review, "read_with_story", lambda *_: 1 / 0)
            for _ in range(MAX_REVIEWS_PER_CLIENT + 1):
                with pytest.raises(ZeroDivisionError):
                    await browser.post("/api/review", content=text)
        assert '"t":"whole"' in (await browser.post("/api/review", content=text)).text


async def test_a_response_that_never_begins_releases_its_place() -> None:
    async def gone(_: Message) -> None:
        raise OSError

    reviews, request = ReviewQueue(), Request({"type": "http", "headers": []})
    for _ in range(MAX_REVIEWS_PER_CLIENT + 1):
        lines = _ReviewResponse(request, reviews.admit("ken", "192.0.2.1"), reviews)
        with pytest.raises(ClientDisconnect):
            await lines({"type": "http", "asgi": {"spec_version": "2.4"}}, gone, gone)  # type: ignore[arg-type]


@pytest.mark.usefixtures("held")
def test_invented_cookies_share_the_limit_of_their_address(live: Live, text: str) -> None:
    with live.person() as aiko, live.person() as mallory:
        aiko.new_game()

        def cookie(number: int) -> dict[str, str]:
            return {"Cookie": f"fifteentwo={number:043}"}

        post = mallory.browser.stream
        with (
            post("POST", "/api/review", content=text, headers=cookie(1)) as first,
            post("POST", "/api/review", content=text, headers=cookie(2)) as second,
        ):
            assert (first.status_code, second.status_code) == (200, 200)
            answer = mallory.browser.post("/api/review", content=text, headers=cookie(3))
            assert (answer.status_code, answer.json()["code"]) == (429, "too-many-own-reviews")
            assert answer.headers["Retry-After"] == "5"
            with aiko.browser.stream("POST", "/api/review", content=text) as own:
                assert own.status_code == 200, "who sits at a table has places of their own"


def test_two_addresses_cannot_fill_the_queue() -> None:
    reviews = ReviewQueue()
    places = [reviews.admit(f"first {number}", "192.0.2.1") for number in range(5)]
    with raises_code(Refused, "too-many-requests"):
        reviews.admit("first", "192.0.2.1")
    places += [reviews.admit(f"second {number}", "192.0.2.2") for number in range(4)]
    with raises_code(Refused, "too-many-requests"):
        reviews.admit("second", "192.0.2.2")
    for number in range(3, 8):
        reviews.admit(f"stranger {number}", f"192.0.2.{number}")
    reviews.release(places[0])
    reviews.release(places[0])
    assert len([reviews.admit(f"late {number}", f"192.0.2.{number}") for number in (8, 9)]) == 2
    with raises_code(Refused, "too-many-requests"):
        reviews.admit("late", "192.0.2.9")


async def test_a_second_review_waits_for_the_first_of_each_other_address(
    tmp_path: Path, text: str, held: threading.Event
) -> None:
    async with _running(tmp_path) as app:
        games, reviews = app.state.services.tables.reviews, ReviewQueue()
        record, story = review_queue.read_with_story(text, "en")
        ahead = []
        for number, address in enumerate(("192.0.2.1",) * 4 + ("192.0.2.2",)):
            review = reviews.admit(f"browser {number}", address)
            actions = record.actions[: len(record.actions) - number]
            asked = ReviewRequest(
                record=msgspec.structs.replace(record, actions=actions), story=story, lang="en"
            )
            reviews.start(review, asked, games)
            lines = review.lines()
            await anext(lines)
            ahead.append(0 if not number else msgspec.json.decode(await anext(lines))["d"])
        held.set()
    assert ahead == [0, 1, 2, 3, 1]
