"""Pages fetched over HTTP."""

from functools import cache

import httpx
from starlette.applications import Starlette

from fifteentwo.server.app import make_app
from tests.support.live_server import run_apart


@cache
def _app() -> Starlette:
    return make_app()


def get(path: str, **headers: str) -> httpx.Response:
    async def fetch() -> httpx.Response:
        transport = httpx.ASGITransport(app=_app())
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get(path, headers=headers)

    return run_apart(fetch())
