"""A server in this process on a port of 127.0.0.1, and pages that connect to it."""

import asyncio
import faulthandler
import json
import random
import re
import socket as sockets
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx
import pytest
import uvicorn
from websockets.sync.client import ClientConnection, connect

from fifteentwo.i18n import languages
from fifteentwo.i18n.cards import card_name
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.record import to_json
from fifteentwo.server.app import make_app
from fifteentwo.server.live import thinking
from fifteentwo.server.live.wire import PROTOCOL
from fifteentwo.server.settings import Settings
from tests.support.empty_databases import copy_empty_files

Json = dict[str, Any]
T = TypeVar("T")

_JSON_CARD = re.compile(r'"([A23456789TJQK][SHDC])"')
_TEXT_CARD = re.compile(r"(10|[A2-9JQK])([♠♥♦♣])|([♠♥♦♣])(10|[A2-9JQK])")
_SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
CARDS = {card.text for card in DECK}
_NAMED = {card_name(card, lang): card.text for lang in languages() for card in DECK}
_NAMED_CARD = re.compile("|".join(sorted(_NAMED, key=len, reverse=True)))
_IN_NAMES = (" of ", "の")
assert all(any(part in name for part in _IN_NAMES) for name in _NAMED)
PATIENCE = 60
"""Seconds without a message after which a test fails; a busy machine needs far fewer."""


def cards_in(text: str) -> set[str]:
    """Return every card that a message mentions, as JSON or in words of either language."""
    found = set(_JSON_CARD.findall(text))
    if any(sign in text for sign in _SUITS):
        for rank, sign, other_sign, other_rank in _TEXT_CARD.findall(text):
            found.add((rank or other_rank).replace("10", "T") + _SUITS[sign or other_sign])
    if any(part in text for part in _IN_NAMES):
        found |= {_NAMED[name] for name in _NAMED_CARD.findall(text)}
    return found & CARDS


def plain(value: object) -> Any:
    """Return a value as it is after encoding and decoding."""
    return json.loads(to_json(value))


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in another thread, because a browser may have an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


class Live:
    """The address of a running server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.http = f"http://127.0.0.1:{port}"

    def person(self, lang: str = "en", address: str = "127.0.0.1") -> "Person":
        """Return a person with a browser of their own, at an address of this machine."""
        return Person(self, lang, address)


@contextmanager
def serving(database: Path | str, port: int = 0, settings: Settings | None = None) -> Iterator[Live]:
    """Run a server in the block, at a free port or the given one.

    Its computers answer without the delay that hides how long they choose. Reviews are computed in this
    process, because a worker loads tables and kernels for seconds.
    """
    with pytest.MonkeyPatch.context() as patch:
        for delay in ("QUICK_LEVEL_DELAY", "SLOW_LEVEL_CARD_DELAY", "SLOW_LEVEL_DISCARD_DELAY"):
            patch.setattr(thinking, delay, thinking.Delay(0, 0))
        copy_empty_files(patch)
        yield from _serving(database, port, settings)


class _Server(uvicorn.Server):
    """Checks every ten milliseconds whether it must stop; uvicorn checks every tenth of a second."""

    async def main_loop(self) -> None:
        while not await self.on_tick(0):
            await asyncio.sleep(0.01)


def _serving(database: Path | str, port: int, settings: Settings | None) -> Iterator[Live]:
    listening = sockets.socket(sockets.AF_INET, sockets.SOCK_STREAM, sockets.IPPROTO_TCP)
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    app = make_app(str(database), settings=settings)
    config = uvicorn.Config(
        app, log_level="critical", ws_per_message_deflate=False, timeout_graceful_shutdown=1
    )
    server = _Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        for _ in range(6000):
            if server.started:
                break
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        reviews = app.state.services.tables.reviews
        assert reviews._pool is not None, "reviews would be computed in the server's process"
        reviews._pool = None
        yield Live(listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(60)
        if thread.is_alive():
            faulthandler.dump_traceback()  # shows where it hangs
        listening.close()
        assert not thread.is_alive(), "the server did not end"


class Person:
    """A browser with its cookies and pages."""

    def __init__(self, live: Live, lang: str = "en", address: str = "127.0.0.1") -> None:
        self.live = live
        self.lang = lang
        self.browser = httpx.Client(
            base_url=live.http,
            headers={"Accept-Language": lang},
            timeout=60,
            transport=httpx.HTTPTransport(verify=False, local_address=address),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.browser.close()

    def new_game(self, variant: str = "six-card", **fields: str) -> str:
        """Make a table and return its id."""
        chosen = {"variant": variant, "level_1": "random", "level_2": "greedy", "level_3": "random", **fields}
        answer = self.browser.post("/games", data=chosen)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].split("/")[2]

    def sit(self, path: str, name: str = "") -> None:
        """Accept an invitation."""
        answer = self.browser.post(path, data={"name": name})
        assert answer.status_code == 303, answer.text

    def open(
        self, game: str, v: int | str | None = None, *, commitment: str | None = None, **headers: str
    ) -> "Page":
        """Open a page at the table; with a commitment it takes part in the dealing."""
        known = "" if v is None else f"&v={v}"
        if commitment is not None:
            known += f"&commitment={commitment}"
        cookies = "; ".join(f"{name}={value}" for name, value in self.browser.cookies.items())
        address = (
            f"ws://127.0.0.1:{self.live.port}/game/{game}/socket?protocol={PROTOCOL}&lang={self.lang}{known}"
        )
        # With a limit of the queue, unread messages would delay the reply to a close by ten seconds.
        headers = {"Cookie": cookies, **headers}
        return Page(connect(address, additional_headers=headers, max_size=None, max_queue=None), game)

    @contextmanager
    def at_table(self, variant: str = "six-card", **fields: str) -> Iterator["Page"]:
        """Make a table, and open a page at it in the block."""
        with self.open(self.new_game(variant, **fields)) as page:
            yield page


class Page:
    """A connection to a table, with all messages received."""

    line: ClientConnection

    def __init__(self, line: AbstractContextManager[ClientConnection], game: str = "") -> None:
        self._line = line
        self.game = game
        self.heard: list[str] = []
        self._unread: list[str] = []
        self.table: Json = {}
        self.settled: Json = {}
        """The last settled table, whole or after a batch of events."""
        self.view: Json = {}
        self.choices: list[Json] = []
        self.match: Json = {}
        self._undo = False
        self.v = -1
        self.events: dict[int, Json | None] = {}
        self.waiting: Json = {}
        self.refused: list[Json] = []
        self.dealing: Json = {}

    def __enter__(self) -> Self:
        self.line = self._line.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._line.__exit__(None, None, None)

    def send(self, kind: str, data: Any = None) -> None:
        """Send a message as a page does."""
        self.line.send(json.dumps({"t": kind} if data is None else {"t": kind, "d": data}))

    def hear(self, timeout: float = PATIENCE) -> Json:
        """Return the next message."""
        if not self._unread:
            self._unread = str(self.line.recv(timeout)).split("\n")
        text = self._unread.pop(0)
        self.heard.append(text)
        message: Json = json.loads(text)
        d = message["d"]
        match message["t"]:
            case "table" | "view":
                self.v, self.view, self.choices = message["v"], d["view"], d["choices"]
                self.settled = d
                self.match, self._undo = d["match"], d["undo"]
                if message["t"] == "table":
                    self.table = d
            case "event":
                self.events[message["v"]] = d["event"]
            case "waiting":
                self.waiting = d
            case "dealing":
                self.dealing = d
            case "refused":
                self.refused.append(d)
        return message

    def until(self, kind: str, timeout: float = PATIENCE) -> Json:
        """Read up to a message of this kind."""
        while (message := self.hear(timeout))["t"] != kind:
            pass
        return message

    def settle(self, timeout: float = PATIENCE) -> None:
        """Read until this seat may act, or the game is over."""
        fresh = bool(self.view)
        while not fresh or not (self.choices or self.view["won"]):
            self.until("waiting", timeout)
            fresh = True

    def may_undo(self) -> bool:
        """Return whether the table offers an undo."""
        return self._undo

    def alone(self) -> None:
        """Read until the table waits only for this seat."""
        while not self.view or self.waiting.get("seats") != [self.view["seat"]]:
            self.until("waiting")

    def act(self, action: Json) -> None:
        """Do an action that is not refused, and read up to the next settled view."""
        v, refused = self.v, len(self.refused)
        self.send("act", action)
        self.choices = []
        while not self._own_since(v):
            message = self.until("waiting")
            assert len(self.refused) == refused, (message, self.refused)

    def _own_since(self, v: int) -> bool:
        """Return whether this seat has acted since a version; others may act at the same time."""
        since = [event for number, event in self.events.items() if number > v and event is not None]
        return any(
            event.get("seat") == self.view["seat"] or event["type"] == "DealerChosen" for event in since
        )

    def attempt(self, action: Json) -> None:
        """Act; if others were faster and the action is refused, ask for the whole table."""
        self.send("act", action)
        self.choices = []
        while (message := self.hear())["t"] not in ("waiting", "refused"):
            pass
        while message["t"] == "refused":
            # A line that asked too much too fast is refused this as well, until it has waited a little.
            if message["d"]["code"] == "too-fast":
                time.sleep(0.2)
            self.send("lang", "en")
            while (message := self.hear())["t"] not in ("table", "refused"):
                pass
            if message["t"] == "table":
                self.until("waiting")

    def play_out(self, rng: random.Random) -> None:
        """Act at random until the game is over; a refusal is allowed if others were faster."""
        for _ in range(5000):
            self.settle()
            if self.view["won"]:
                return
            self.attempt(rng.choice(self.choices))
        raise AssertionError("no end")

    def play_and_resign(self, rng: random.Random, actions: int = 20) -> None:
        """Act at random and resign: a finished game whose review is short."""
        for _ in range(actions):
            self.settle()
            self.attempt(rng.choice(self.choices))
        self.send("resign", self.match["game"])
        while not self.view["won"]:
            self.hear()
