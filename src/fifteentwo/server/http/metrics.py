"""Probes (is the server alive, and can it work?) and metrics for Prometheus."""

import asyncio
import hmac
from collections.abc import Callable, Mapping
from functools import partial

import prometheus_client
import sqlalchemy as sa
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.http.hosts import LOOPBACK_HOSTS
from fifteentwo.server.http.rate_limits import is_own_machine
from fifteentwo.server.store.store import Store

HISTOGRAM_BUCKET_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
PROBE_TIMEOUT_SECONDS = 2.0

prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]
_NO_STORE = {"Cache-Control": "no-store"}


class Metrics:
    """Counters since the start of the process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        count = partial(Counter, registry=self._registry)
        measure = partial(Histogram, buckets=HISTOGRAM_BUCKET_SECONDS, registry=self._registry)
        self.responses = count("fifteentwo_responses", "Responses by status.", ["status"])
        self.messages = count("fifteentwo_messages", "Messages of open pages.", ["outcome"])
        self.response_seconds = measure("fifteentwo_response_seconds", "From a request to its response.")
        self.act_seconds = measure("fifteentwo_act_seconds", "From an action to its row on disk.")
        ProcessCollector(registry=self._registry)

    def add_gauges(self, gauges: Mapping[str, tuple[str, Callable[[], float]]]) -> None:
        """Add gauges by name: a description, and a function that returns the value."""
        for name, (about, value) in gauges.items():
            Gauge(name, about, registry=self._registry).set_function(value)

    def text(self) -> bytes:
        return generate_latest(self._registry)


def probe_and_metrics_routes(metrics: Metrics, token: str | None) -> list[Route]:
    async def healthz(_: Request) -> Response:
        """Respond as long as the process is alive. Without a response it may be restarted."""
        return PlainTextResponse("ok\n", headers=_NO_STORE)

    async def readyz(request: Request) -> Response:
        """Respond with 200 if the database can be read and written, otherwise with 503."""
        store = request.app.state.services.store
        why = await write_problem(store) if await is_readable(store) else "the database does not answer"
        headers = _NO_STORE | ({} if why is None else {"Retry-After": "5"})
        return PlainTextResponse(f"{why or 'ok'}\n", 200 if why is None else 503, headers=headers)

    async def figures(request: Request) -> Response:
        if not can_read_metrics(request, token):
            raise Refused("no-such-page", status=404)
        return Response(metrics.text(), headers=_NO_STORE, media_type=prometheus_client.CONTENT_TYPE_LATEST)

    return [Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", figures)]


async def is_readable(store: Store) -> bool:
    try:
        async with asyncio.timeout(PROBE_TIMEOUT_SECONDS), store.reading() as connection:
            await connection.execute(sa.text("SELECT version_num FROM alembic_version"))
    except (StoreError, TimeoutError):
        return False
    return True


async def write_problem(store: Store) -> str | None:
    """Return why the database cannot be written or read now; None if it can."""
    try:
        async with asyncio.timeout(PROBE_TIMEOUT_SECONDS):
            await store.check_writable()
    except (StoreError, TimeoutError) as error:
        return f"the database takes nothing: {getattr(error, 'code', 'timeout')}"
    if store.read_health.failure_code is not None:
        return f"the database cannot be read: {store.read_health.failure_code}"
    code = store.write_health.failure_code
    return None if code is None else f"the database takes nothing: {code}"


def can_read_metrics(request: Request, token: str | None) -> bool:
    """Return whether a request has the token, or comes from this machine by its own name and no proxy."""
    given = request.headers.get("authorization", "")
    if token and hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
        return True
    by_own_name = (request.url.hostname or "") in LOOPBACK_HOSTS
    proxied = any(name in request.headers for name in ("x-forwarded-for", "forwarded", "via"))
    return is_own_machine(request) and by_own_name and not proxied
