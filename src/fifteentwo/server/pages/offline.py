"""Pages and files that the service worker stores for use without a server.

A version is one response, so that a browser stores all of it or nothing. Pages are rendered for a guest.
"""

import asyncio
import gzip
import hashlib
import re
from html import unescape
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message

from fifteentwo import i18n
from fifteentwo.server.background import start_task
from fifteentwo.server.errors import Refused
from fifteentwo.server.http.static_files import MEDIA_TYPES, StaticFolder

OFFLINE_PAGE_ADDRESSES = (
    *("/pad?", "/check?", "/rules?", "/glossary?", "/summary?", "/practice/count?", "/waiting?"),
    *("/sheet?", "/sheet?sides=3&", "/sheet?sides=4&"),
)
"""Addresses of pages; `lang=…` is appended to each."""
_PAGE_FILE_PATTERN = re.compile(r'(?:src|href|data-looks)="(/static/[^"#]+)')
_FILE_IN_FILE_PATTERN = re.compile(r"""["'(](/static/[\w./-]+\.(?:js|css|svg))\b""")
_NO_VERSION = '"unversioned"'


class StoredResponse(NamedTuple):
    """A stored response: address, content type and text."""

    address: str
    type: str
    body: str


class OfflineVersion(NamedTuple):
    """All stored responses of this version of the program."""

    digest: str
    worker: bytes
    """Source of the service worker that stores this version."""
    packed: bytes
    """JSON of all stored responses, compressed by gzip."""


class OfflinePages:
    """The offline version of this program, created with the first request."""

    def __init__(self, files: StaticFolder) -> None:
        self._files = files
        self._made: asyncio.Task[OfflineVersion] | None = None

    async def version(self, app: Starlette) -> OfflineVersion:
        if self._made is None or (self._made.done() and self._made.exception()):
            self._made = start_task(self._make_version(app))
        return await asyncio.shield(self._made)

    async def _make_version(self, app: Starlette) -> OfflineVersion:
        entries = {}
        for lang in i18n.LANGUAGES:
            for page in OFFLINE_PAGE_ADDRESSES:
                entry = await _render_page(app, f"{page}lang={lang}")
                entries[entry.address] = entry
        named = [unescape(one) for page in entries.values() for one in _PAGE_FILE_PATTERN.findall(page.body)]
        self._add_files(entries, named)
        # Similar responses of one language near each other compress better, this way round by 2 %.
        ordered = sorted(
            entries.values(), key=lambda one: (one.type, one.address[-2:], one.address), reverse=True
        )
        content = msgspec.json.encode(ordered)
        worker = self._files.content("sw.js")
        digest = hashlib.sha256(worker + content).hexdigest()[:16]
        packed = await asyncio.to_thread(gzip.compress, content, mtime=0)
        return OfflineVersion(digest, worker.replace(_NO_VERSION.encode(), f'"{digest}"'.encode()), packed)

    def _add_files(self, entries: dict[str, StoredResponse], named: list[str]) -> None:
        while named:
            address = named.pop()
            path = urlsplit(address).path.removeprefix("/static/")
            # Bitmap pictures are not stored.
            if address in entries or path.endswith(".png"):
                continue
            body = self._files.content(path).decode()
            entries[address] = StoredResponse(address, MEDIA_TYPES[PurePosixPath(path).suffix], body)
            named += _FILE_IN_FILE_PATTERN.findall(body)


def routes(offline: OfflinePages) -> list[Route]:
    async def worker(request: Request) -> Response:
        """Return the service worker, whose text changes with any stored response."""
        version = await offline.version(request.app)
        etag = f'"{version.digest}"'
        headers = {"Service-Worker-Allowed": "/", "Cache-Control": "no-cache", "ETag": etag}
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers=headers)
        return Response(version.worker, headers=headers, media_type="text/javascript")

    async def kept(request: Request) -> Response:
        """Return the stored responses of this version; 404 for any other version."""
        version = await offline.version(request.app)
        if request.path_params["digest"] != version.digest:
            raise Refused("no-such-page", status=404)
        headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(version.packed, headers=headers, media_type="application/json")
        return Response(gzip.decompress(version.packed), headers=headers, media_type="application/json")

    return [Route("/sw.js", worker), Route("/offline/{digest}.json", kept)]


async def _render_page(app: Starlette, address: str) -> StoredResponse:
    path, _, query = address.partition("?")
    scope = {"type": "http", "app": app, "method": "GET", "scheme": "http", "server": ("localhost", 80)}
    scope |= {"path": path, "query_string": query.encode(), "headers": [(b"host", b"localhost")]}
    status, parts = 0, list[bytes]()

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status
        status = message.get("status", status)
        parts.append(message.get("body", b""))

    await app.router(scope, receive, send)
    if status != 200:
        raise RuntimeError(f"{path} answered {status}")
    return StoredResponse(address, "text/html; charset=utf-8", b"".join(parts).decode())
