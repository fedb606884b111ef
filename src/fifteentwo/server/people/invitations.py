"""Invitations: their links, pictures and short codes, and the names of those who accept them.

A short code is for the telephone, where a link cannot be sent: eight of 25 signs, no two of which look alike.
SECURITY.md has the chance of guessing one of the 25⁸ = 152,587,890,625 codes.
"""

import asyncio
import contextlib
import re
import secrets
import socket as sockets
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import sqlalchemy as sa
from starlette.requests import Request

from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.http import sessions
from fifteentwo.server.live.table_state import GUEST_MARK
from fifteentwo.server.people.usernames import similar
from fifteentwo.server.store.schema import account, invitation_code, player
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.rows import Person

_ANYWHERE = ("0.0.0.0", "::", "")
_NOWHERE_NEAR = "192.0.2.1"
"""An address that no machine has (RFC 5737). Connecting a datagram socket to it sends nothing."""
_HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")
SIGNS = "23456789CDFGHJKMNPQRTVWXY"
"""No vowels, so that no code is a word; none of 0, 1, B, L, S and Z, which look like others."""
LENGTH = 8
MAX_TYPED = 64
_MEANT = str.maketrans("BSZ", "852")
_ATTEMPTS = 5
_IS_OPEN = player.c.invitation.is_not(None), player.c.owner.is_(None)


# ── Links and pictures ───────────────────────────────────────────────────────────────────────────────────


async def shared(request: Request, bound: str | None, path: str) -> tuple[str, str]:
    """Return the link to a path for other people, and its picture: empty if only this machine reaches it.

    bound: the address that the server listens to, if it is known.
    """
    base = base_for_others(request.url.scheme, request.headers.get("host", ""), bound)
    if base is None:
        return str(request.base_url).rstrip("/") + path, ""
    return base + path, await asyncio.to_thread(picture, base + path)


def base_for_others(scheme: str, host: str, bound: str | None) -> str | None:
    """Return how this server's addresses begin for other people; None if only this machine reaches it.

    host: of the request; bound: the address that the server listens to, if it is known.

    >>> base_for_others("https", "cards.example", None)
    'https://cards.example'
    >>> base_for_others("http", "127.0.0.1:8152", "127.0.0.1") is None
    True
    >>> base_for_others("http", "localhost:8152", "192.168.0.7")
    'http://192.168.0.7:8152'
    """
    if not _HOST.fullmatch(host):
        return None
    name, port = _parts(host)
    if not is_loopback(name):
        return f"{scheme}://{host}"
    if bound is None or is_loopback(bound):
        return None
    reached = own_address() if bound in _ANYWHERE else bound
    if reached is None:
        return None
    return f"{scheme}://{f'[{reached}]' if ':' in reached else reached}{port}"


def _parts(host: str) -> tuple[str, str]:
    name = host if host.endswith("]") else re.sub(r":\d*$", "", host)
    return name.strip("[]"), host[len(name) :]


def is_loopback(name: str) -> bool:
    return name.lower() in ("localhost", "::1") or name.lower().endswith(".localhost") or name[:4] == "127."


def own_address() -> str | None:
    """Return this machine's address in its network, if any."""
    try:
        with sockets.socket(sockets.AF_INET, sockets.SOCK_DGRAM) as way:
            way.connect((_NOWHERE_NEAR, 9))
            address = str(way.getsockname()[0])
    except OSError:
        return None
    return None if is_loopback(address) else address


@lru_cache(64)
def picture(address: str) -> str:
    """Return an address as a QR code: an SVG that fills its place, dark on light in any theme."""
    import segno

    code = segno.make_qr(address, error="m")
    return code.svg_inline(omitsize=True, border=4, dark="#14171c", light="#fff", svgclass="qr-code")


# ── Short codes ──────────────────────────────────────────────────────────────────────────────────────────


class Place(NamedTuple):
    """The table and the invitation that a code stands for."""

    game: str
    invitation: str


def new_code() -> str:
    return "".join(secrets.choice(SIGNS) for _ in range(LENGTH))


def shown(code: str) -> str:
    """Return a code in two halves, as it is read out."""
    return f"{code[: LENGTH // 2]} {code[LENGTH // 2 :]}"


def typed(text: str) -> str | None:
    """Return the code that was typed, in any case and width, with anything between; None if it is no code.

    >>> typed(" k7m4-qx3t "), typed("Ｋ７Ｍ４　ＱＸ３Ｔ"), typed("K7M4 QX3"), typed("K7M4 QX3O")
    ('K7M4QX3T', 'K7M4QX3T', None, None)
    """
    if len(text) > MAX_TYPED:
        return None
    plain = unicodedata.normalize("NFKC", text).upper().translate(_MEANT)
    code = "".join(sign for sign in plain if sign.isalnum() and sign != "ー")
    return code if len(code) == LENGTH and set(code) <= set(SIGNS) else None


async def codes_of(store: Store, game: str) -> dict[int, str]:
    """Return the codes of the open places by the number of the person; make those that are missing."""
    known: dict[int, str] = {}
    places: set[int] = set()
    for _ in range(_ATTEMPTS):
        stored = await store.select(invitation_code.select().where(invitation_code.c.match_id == game))
        known = {row.player_number: row.code for row in stored}
        opened = sa.select(player.c.player_number).where(player.c.match_id == game, *_IS_OPEN)
        places = {row.player_number for row in await store.select(opened)}
        if not (missing := places - known.keys()):
            break
        new = [{"match_id": game, "player_number": number, "code": new_code()} for number in sorted(missing)]
        # "conflict": another page has made them this moment, or another place has this code.
        with contextlib.suppress(StoreError):
            await store.execute(invitation_code.insert().values(new))
    return {number: code for number, code in known.items() if number in places}


async def place_of(store: Store, text: str) -> Place:
    """Return the open place of a typed code; raise Refused, always with the same code, if there is none."""
    code = typed(text)
    if code is not None:
        asked = (
            sa.select(player.c.match_id, player.c.invitation)
            .join(
                invitation_code,
                sa.and_(
                    invitation_code.c.match_id == player.c.match_id,
                    invitation_code.c.player_number == player.c.player_number,
                ),
            )
            .where(invitation_code.c.code == code, *_IS_OPEN)
        )
        if (row := await store.first(asked)) is not None:
            return Place(row.match_id, row.invitation)
    raise Refused("no-such-code", status=404)


# ── Names ────────────────────────────────────────────────────────────────────────────────────────────────


async def marked(store: Store, request: Request, name: str) -> str:
    """Return a name for the table, with a mark if it is the username of someone else's account."""
    named, key = sessions.named_of(request), similar(name)
    if not name or (named is not None and similar(named.name) == key):
        return name
    taken = sa.select(account.c.owner).where(account.c.similarity_key == key)
    return name if await store.first(taken) is None else name + GUEST_MARK


def called(people: Iterable[Person], invitation: str) -> str:
    """Return the name that the host gave the guest of an invitation."""
    return next((one.name for one in people if one.invitation == invitation), "")
