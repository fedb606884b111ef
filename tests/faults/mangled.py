"""A million mangled messages and requests to a live server: `python -m tests.faults.mangled 1000000`.

A table waits for another player, so nothing that its page sends may change the game; a row more, an answer of
500 or more, a line that closes, a server that ends or grows: each is a fault.
"""

import json
import os
import random
import re
import socket as sockets
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from fifteentwo.server.live.wire import PROTOCOL
from tests.support.live_server import Live, Page, Person
from tests.support.stored import rows_of

_SERVER = """
from fifteentwo.server.live import socket
socket.PAGE_MESSAGES_PER_SECOND, socket.MAX_REFUSALS = 1e6, 10**9
from fifteentwo.cli import main
main()
"""
"""Run a server without rate limits, so that every message is read."""
_CARDS = ("5H", "AS", "TD", "KC", "1H", "", "♥5", "5h", None, 5)
_NUMBERS: tuple[Any, ...] = (0, 1, -1, 2**31, 2**63, 2**64, 10**30, 1.5, 1e308, True, None, "0", [], {})
_TEXTS = (
    "",
    "\u0000",
    "\ud83c",
    "あ" * 50,
    "x" * 1500,
    "../..",
    "<b>",
    "'; DROP TABLE game; --",
    "%s%n",
    "null",
)
_SEED_MESSAGES: tuple[dict[str, Any], ...] = (
    {"t": "act", "d": {"type": "Play", "seat": 0, "card": "5H"}},
    {"t": "act", "d": {"type": "Discard", "seat": 0, "cards": ["5H", "6H"]}},
    {"t": "act", "d": {"type": "Draw", "seat": 0, "at": 3}},
    {"t": "act", "d": {"type": "Cut", "seat": 0, "at": 20}},
    {"t": "act", "d": {"type": "Claim", "seat": 0, "points": 2}},
    {"t": "act", "d": {"type": "Accept", "seat": 0}},
    {"t": "act", "d": {"type": "NameDealer", "dealer": 0}},
    {"t": "act", "d": {"type": "TurnUp", "card": "5H"}},
    {"t": "next-game"},
    {"t": "undo"},
    {"t": "hint"},
    {"t": "coach", "d": True},
    {"t": "continue"},
    {"t": "lang", "d": "en"},
)
_PATHS = (
    *("/", "/games", "/game/GAME", "/game/GAME/socket", "/game/GAME/waiting", "/game/GAME/join/x", "/rules"),
    *(
        *("/history", "/practice", "/book", "/static/play/layout/table.css", "/i18n/en.json", "/metrics"),
        *("/readyz", "/nowhere"),
    ),
    *("/api/review", "/api/play-on", "/statistics", "/import", "/static/../../etc/passwd", "/%00", "//", "*"),
)
_VARIANTS = (
    "variant=six-card",
    "variant=partners&level_1=random",
    "level_1=god",
    "a" * 3000,
    "variant=%ff",
    "=&=&=",
    "",
)
_HEADERS = (
    *(
        "Cookie: fifteentwo=x",
        "Cookie: ;;;=",
        "Origin: null",
        "Origin: http://evil.example",
        "Accept-Language: ja",
    ),
    *("Accept-Language: *;q=x", "X-Forwarded-For: 1.2.3.4", "Sec-Fetch-Site: cross-site", "Range: bytes=0-1"),
    *(
        "If-None-Match: *",
        "Accept-Encoding: gzip",
        "Content-Type: text/plain",
        "Upgrade: websocket",
        "X: \x01",
    ),
    *(
        "Transfer-Encoding: chunked",
        "Content-Length: 5",
        "Content-Length: -1",
        "Expect: 100-continue",
        "Host: x",
    ),
)


_KANA = re.compile("[ぁ-んァ-ヶ]")
_PROMISES = ("Transfer-Encoding", "Content-Length: 5", "Expect", "Upgrade")


class Outcome(NamedTuple):
    """The counts of a run."""

    messages: int
    requests: int
    statuses: Counter[int]
    codes: Counter[str]
    grown: float
    """MB that the server's memory grew, from a fifth of the way on."""


def mangled(rng: random.Random) -> bytes | str:
    """Return a nearly valid message, or random data."""
    message = json.loads(json.dumps(rng.choice(_SEED_MESSAGES)))
    for _ in range(rng.randrange(3)):
        place = message["d"] if isinstance(message.get("d"), dict) and rng.random() < 0.8 else message
        key = rng.choice([*place, rng.choice(_TEXTS)])
        value = rng.choice(
            (rng.choice(_CARDS), rng.choice(_NUMBERS), rng.choice(_TEXTS), [place.get(key)] * 3)
        )
        # Otherwise the next message would contain this one, without end.
        place[key] = deepcopy(value)
    text = json.dumps(message)
    match rng.randrange(6):
        case 0:
            raw = bytearray(text.encode())
            for _ in range(rng.randrange(1, 4)):
                raw[rng.randrange(len(raw))] = rng.randrange(256)
            return bytes(raw)
        case 1:
            return text[: rng.randrange(len(text))]
        case 2:
            return text * 2
        case 3:
            return bytes(rng.randrange(256) for _ in range(rng.randrange(40)))
        case _:
            return text


def request(rng: random.Random, game: str) -> tuple[bytes, float]:
    """Return a nearly valid request, and how long to wait for a response."""
    method = rng.choice(("GET", "GET", "POST", "HEAD", "PUT", "OPTIONS", "get", "X" * 20, ""))
    path = rng.choice(_PATHS).replace("GAME", rng.choice((game, game[:-1], "x", "%2e%2e")))
    query = rng.choice(("", "?lang=ja", "?lang=%ff", "?v=9999999999", "?" + "a" * 2000, "?hand=5H"))
    body = rng.choice(_VARIANTS).encode() if method == "POST" else b""
    kind = rng.choice(("application/x-www-form-urlencoded", "application/json", "x"))
    lines = [f"{method} {path}{query} HTTP/1.1", "Host: 127.0.0.1", f"Content-Type: {kind}"]
    lines += rng.sample(_HEADERS, rng.randrange(3))
    lines += [f"Content-Length: {len(body)}"] if body or rng.random() < 0.2 else []
    raw = bytearray("\r\n".join([*lines, "Connection: close", "", ""]).encode() + body)
    spoilt = rng.random() < 0.3
    if spoilt:
        raw[rng.randrange(len(raw))] = rng.randrange(256)
    promised = spoilt or any(line.startswith(_PROMISES) for line in lines)
    return bytes(raw), 0.25 if promised else 60.0


def status_of(port: int, raw: bytes, patience: float = 60.0) -> int:
    """Return the status of the response, or 0 if the connection closes without one."""
    with sockets.create_connection(("127.0.0.1", port), timeout=60) as line:
        try:
            line.settimeout(patience)
            line.sendall(raw)
            answer = b""
            while len(answer) < 12 and (more := line.recv(65536)):
                answer += more
        except (ConnectionError, TimeoutError):
            return 0
    found = re.match(rb"HTTP/1\.1 (\d{3})", answer)
    return int(found[1]) if found else 0


@contextmanager
def server(database: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run a server in its own process, and yield its port."""
    command = [sys.executable, "-c", _SERVER, "serve", "--port", "0", "--database", str(database)]
    # The log is a file, because a full pipe without a reader would block the server.
    with (
        database.with_suffix(".log").open("w") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        assert process.stdout is not None
        try:
            yield process, int(process.stdout.readline().split("127.0.0.1:")[1].split("/")[0])
        finally:
            process.kill()


def megabytes(process: subprocess.Popen[str]) -> float:
    """Return the memory of a process."""
    held = Path(f"/proc/{process.pid}/statm").read_text().split()[1]
    return int(held) * os.sysconf("SC_PAGE_SIZE") / 1e6


def page_of(person: Person, game: str) -> Page:
    """Connect a page without pings, because the test does not read the answers in time."""
    cookies = "; ".join(f"{name}={value}" for name, value in person.browser.cookies.items())
    address = f"ws://127.0.0.1:{person.live.port}/game/{game}/socket?protocol={PROTOCOL}"
    return Page(
        connect(
            address, additional_headers={"Cookie": cookies}, max_size=None, max_queue=None, ping_interval=None
        )
    )


def waiting_for_another(page: Page, ben: Person, game: str) -> None:
    """Read until the table waits only for the other person."""
    page.until("waiting")
    ben.sit(page.table["invitations"][0]["path"])
    with ben.open(game) as other:
        other.until("waiting")
    page.until("table")
    page.act({"type": "NameDealer", "dealer": 1})
    page.act(page.choices[0])
    assert page.waiting["seats"] == [1]


def run(number: int, seed: int = 1, share: float = 0.95) -> Outcome:
    """Send mangled messages and requests; raise AssertionError if the server or the game is harmed."""
    rng = random.Random(seed)
    statuses, codes = Counter[int](), Counter[str]()
    messages = requests = 0
    base = 0.0
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "games.sqlite3"
        with server(database) as (process, port), Live(port).person() as aiko, Live(port).person() as ben:
            game = aiko.new_game(level_1="person", first_dealer="named", cut_before_deal="no")
            with page_of(aiko, game) as page:
                waiting_for_another(page, ben, game)
                before = rows_of(database, game)
                while messages + requests < number:
                    for _ in range(50):
                        if rng.random() < share:
                            page.line.send(mangled(rng))
                            messages += 1
                        else:
                            statuses[status_of(port, *request(rng, game))] += 1
                            requests += 1
                    codes.update(_answers(page))
                    page.heard.clear()
                    page.refused.clear()
                    assert process.poll() is None, "the server ended"
                    if not base and messages + requests >= number / 5:
                        base = megabytes(process)
                grown = megabytes(process) - base
                assert rows_of(database, game) == before, "the game was changed"
                assert (
                    status_of(port, b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    == 200
                )
    assert not [status for status in statuses if status >= 500], statuses
    assert "internal-error" not in codes, codes
    return Outcome(messages, requests, statuses, codes, grown)


def _answers(page: Page) -> list[str]:
    """Read all messages up to the table in Japanese, which no mangled message asks for."""
    page.send("lang", "ja")
    codes: list[str] = []
    try:
        while True:
            message = page.hear()
            if message["t"] == "refused":
                codes.append(message["d"]["code"])
            elif message["t"] == "table" and any(
                _KANA.search(sentence) for sentence in message["d"]["sentences"]
            ):
                return codes
    except ConnectionClosed as closed:
        raise AssertionError(f"the connection was closed: {closed}") from closed


if __name__ == "__main__":
    outcome = run(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
    print(
        f"{outcome.messages:,} messages, {outcome.requests:,} requests; memory grew by {outcome.grown:.1f} MB"
    )
    print("answers:", dict(sorted(outcome.statuses.items())))
    print("refused:", dict(outcome.codes.most_common()))
