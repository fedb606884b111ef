"""Shared reviews: a record that this server keeps under an unguessable address until it expires.

The record is stored as the text of a link to a review: compressed (raw deflate), in base64url.
"""

import base64
import binascii
import re
import secrets
import time
import zlib

import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fifteentwo.i18n.cards import listed
from fifteentwo.rules.record import last_state
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import SHARE_REQUEST, STUDY_REQUEST, admit
from fifteentwo.server.pages import site
from fifteentwo.server.pages.history import date
from fifteentwo.server.pages.review import review_page
from fifteentwo.server.pages.site import Pages
from fifteentwo.server.services import services_of
from fifteentwo.server.store.schema import shared_review
from fifteentwo.server.study.game_story import seat_names
from fifteentwo.server.study.review_queue import MAX_RECORD_BYTES, read_record

SHARED_DAYS = 30
MAX_SHARED_PER_OWNER = 50
MAX_COMPACT_BYTES = 16 * 1024
_ID_BYTES = 9
"""72 random bits, 12 characters of an address."""
_COMPACT_PATTERN = re.compile(r"[A-Za-z0-9_-]+")


def routes(pages: Pages) -> list[Route]:
    async def share(request: Request) -> Response:
        """Store a record, and return its address and the day on which it expires."""
        too_long = Refused("record-too-long", status=413, most=MAX_RECORD_BYTES // 1024)
        compact = (await site.read_body(request, MAX_COMPACT_BYTES, too_long)).decode("ascii", "replace")
        await pages.compute(request, STUDY_REQUEST, _title, compact, "en")
        admit(request, SHARE_REQUEST)
        owner, token = sessions.owner_and_token(request)
        name, expires_at = secrets.token_urlsafe(_ID_BYTES), int(time.time()) + SHARED_DAYS * 86400
        row = {"id": name, "owner": owner, "record": compact, "expires_at": expires_at}
        count = sa.select(sa.func.count()).select_from(shared_review).where(shared_review.c.owner == owner)
        async with services_of(request).store.writing() as connection:
            if (await connection.execute(count)).scalar_one() >= MAX_SHARED_PER_OWNER:
                raise Refused("too-many-shared-reviews", status=429, most=MAX_SHARED_PER_OWNER)
            await connection.execute(shared_review.insert().values(row))
        until = date(expires_at, pages.language(request))["said"]
        response = site.json_response({"path": f"/r/{name}", "until": until})
        sessions.BROWSER_COOKIE.write(request, response, token)
        return response

    async def shown(request: Request) -> Response:
        lang = pages.language(request)
        row = await services_of(request).store.first(sa.select(shared_review).where(_unexpired(request)))
        if row is None:
            raise Refused("shared-review-gone", status=404)
        shared = {"id": row.id, "record": row.record, "until": date(row.expires_at, lang)}
        shared["title"] = await pages.compute(request, STUDY_REQUEST, _title, row.record, lang)
        shared["own"] = row.owner == sessions.owner_of(request)
        response = review_page(pages, request, game=None, number=None, seat=0, shared=shared)
        response.headers["X-Robots-Tag"] = "noindex"
        return response

    async def delete(request: Request) -> Response:
        own = shared_review.c.owner == (sessions.owner_of(request) or "")
        gone = shared_review.delete().where(_unexpired(request), own)
        async with services_of(request).store.writing() as connection:
            if not (await connection.execute(gone)).rowcount:
                raise Refused("shared-review-gone", status=404)
        return RedirectResponse("/review", status_code=303)

    return [
        site.post("/api/share", share),
        Route("/r/{shared}", shown, methods=["GET"]),
        site.post("/r/{shared}/delete", delete),
    ]


def _unexpired(request: Request) -> sa.ColumnElement[bool]:
    named = shared_review.c.id == request.path_params["shared"][:16]
    return sa.and_(named, shared_review.c.expires_at > int(time.time()))


def _title(compact: str, lang: str) -> str:
    """Return the players and points of a record. Raise an error if the text is not a record."""
    record = read_record(_decompress(compact))
    state = last_state(record)
    names = seat_names(record, state, lang)
    # Seats of a side are as far apart as there are sides.
    return " – ".join(
        f"{listed(names[side :: record.rules.sides], lang)} {points}"
        for side, points in enumerate(state.front)
    )


def _decompress(compact: str) -> str:
    try:
        if not _COMPACT_PATTERN.fullmatch(compact):
            raise Refused("record-not-text")
        unpacked = zlib.decompressobj(-zlib.MAX_WBITS)
        packed = base64.urlsafe_b64decode(compact + "=" * (-len(compact) % 4))
        whole = unpacked.decompress(packed, MAX_RECORD_BYTES)
        if unpacked.unconsumed_tail:
            raise Refused("record-too-long", status=413, most=MAX_RECORD_BYTES // 1024)
        return whole.decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise Refused("record-not-text") from None
