"""Whether the server lives and can work, and how much it does: for probes and for Prometheus.

The text format is a dozen lines to write, and a library would bring a second register of everything.
"""

import asyncio
import contextlib
import hmac
import sys
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable

import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.store.store import Store
from fifteentwo.server.web_edge.hosts import LOOPBACK
from fifteentwo.server.web_edge.rate_limits import is_own_machine

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Seconds that answers are sorted by."""
DATABASE_ANSWERS_WITHIN = 2.0
TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"
_PAGE = "no-store"


class Seconds:
    """How long many things took."""

    def __init__(self) -> None:
        self.within = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """One more."""
        self.within[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


class Metrics:
    """What has been counted since the start."""

    def __init__(self) -> None:
        self.began = time.time()
        self.answers: Counter[int] = Counter()
        self.messages: Counter[str] = Counter()
        self.answered_in = Seconds()
        self.acted_in = Seconds()
        self.now: dict[str, tuple[str, Callable[[], float]]] = {}
        """What is read when it is asked for, by name, with what it is."""

    def text(self) -> str:
        """All of it in Prometheus' text format."""
        return "\n".join(
            [
                *_counted("fifteentwo_answers_total", "Answers by status.", "status", self.answers),
                *_counted("fifteentwo_messages_total", "Messages of open pages.", "outcome", self.messages),
                *_sorted("fifteentwo_answer_seconds", "From a request to its answer.", self.answered_in),
                *_sorted("fifteentwo_act_seconds", "From an action to its row on disk.", self.acted_in),
                *(line for name, (about, read) in self.now.items() for line in _gauge(name, about, read())),
                *_gauge("process_start_time_seconds", "When it began.", self.began),
                *_gauge("process_cpu_seconds_total", "Processor time used.", time.process_time(), "counter"),
                *_gauge("process_resident_memory_bytes", "Memory in use.", _memory()),
                "",
            ]
        )


def _head(name: str, about: str, kind: str) -> list[str]:
    return [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]


def _gauge(name: str, about: str, value: float, kind: str = "gauge") -> list[str]:
    return [*_head(name, about, kind), f"{name} {value:.10g}"]


def _counted(name: str, about: str, label: str, counted: Counter[int] | Counter[str]) -> list[str]:
    lines = [f'{name}{{{label}="{one}"}} {number}' for one, number in sorted(counted.items())]
    return [*_head(name, about, "counter"), *lines]


def _sorted(name: str, about: str, seconds: Seconds) -> list[str]:
    lines, number = _head(name, about, "histogram"), 0
    for bound, within in zip([*map(str, BOUNDS), "+Inf"], seconds.within, strict=True):
        number += within
        lines.append(f'{name}_bucket{{le="{bound}"}} {number}')
    return [*lines, f"{name}_sum {seconds.total:.10g}", f"{name}_count {number}"]


def _memory() -> float:
    """Bytes in memory now; where the system does not know, the most there were."""
    with contextlib.suppress(OSError), open("/proc/self/statm") as statm:
        import resource

        return int(statm.read().split()[1]) * float(resource.getpagesize())
    if sys.platform == "win32":
        return 0.0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(most if sys.platform == "darwin" else most * 1024)


class Measured:
    """Middleware that counts responses, and the seconds until each begins."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._metrics.answers[message["status"]] += 1
                self._metrics.answered_in.add(time.perf_counter() - began)
            await send(message)

        await self._app(scope, receive, counted)


def routes(metrics: Metrics, token: str | None) -> list[Route]:
    """Return the routes of probes and of Prometheus."""

    async def healthz(_: Request) -> Response:
        """The process lives; without a response it may be restarted."""
        return PlainTextResponse("ok\n", headers={"Cache-Control": _PAGE})

    async def readyz(request: Request) -> Response:
        """The server can work: the database responds, and takes what is written."""
        store = request.app.state.services.store
        why = await refuses(store) if await answers(store) else "the database does not answer"
        headers = {"Cache-Control": _PAGE} | ({} if why is None else {"Retry-After": "5"})
        return PlainTextResponse(f"{why or 'ok'}\n", 200 if why is None else 503, headers=headers)

    async def figures(request: Request) -> Response:
        """The metrics, for this machine or with the token."""
        if not may_read(request, token):
            raise Refused("no-such-page", status=404)
        return Response(metrics.text(), media_type=TEXT_FORMAT, headers={"Cache-Control": _PAGE})

    return [Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", figures)]


async def answers(store: Store) -> bool:
    """Whether the database answers within two seconds."""
    try:
        async with asyncio.timeout(DATABASE_ANSWERS_WITHIN), store.reading() as connection:
            await connection.execute(sa.text("SELECT version_num FROM alembic_version"))
    except (StoreError, TimeoutError):
        return False
    return True


async def refuses(store: Store) -> str | None:
    """Why nothing can be written to the database just now; None where something can."""
    try:
        async with asyncio.timeout(DATABASE_ANSWERS_WITHIN):
            await store.must_take_rows()
    except (StoreError, TimeoutError) as error:
        return f"the database takes nothing: {getattr(error, 'code', 'timeout')}"
    if store.reads.why is not None:
        return f"the database cannot be read: {store.reads.why}"
    return None if store.writes.why is None else f"the database takes nothing: {store.writes.why}"


def may_read(request: Request, token: str | None) -> bool:
    """This machine by its own name and without a proxy, or the token."""
    given = request.headers.get("authorization", "")
    if token and hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
        return True
    by_own_name = (request.url.hostname or "") in LOOPBACK
    proxied = any(name in request.headers for name in ("x-forwarded-for", "forwarded", "via"))
    return is_own_machine(request) and by_own_name and not proxied
