"""Pages fetched over HTTP."""

import httpx

from fifteentwo.server.app import make_app
from tests.support.live_server import run_apart


def get(path: str, **headers: str) -> httpx.Response:
    async def fetch() -> httpx.Response:
        transport = httpx.ASGITransport(app=make_app())
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get(path, headers=headers)

    return run_apart(fetch())
