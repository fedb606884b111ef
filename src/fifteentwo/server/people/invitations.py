"""Invitations: links, QR codes, short codes, and the names of guests.

A short code is for the telephone, where no link can be sent: eight of 25 signs that do not look alike.
SECURITY.md has the probability of guessing one of the 25⁸ = 152,587,890,625 codes.
"""

import asyncio
import contextlib
import re
import secrets
import socket as sockets
import unicodedata
from functools import lru_cache
from typing import NamedTuple

import sqlalchemy as sa
from starlette.requests import Request

from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.http import sessions
from fifteentwo.server.live.table_state import GUEST_MARK
from fifteentwo.server.people.usernames import similarity_key
from fifteentwo.server.store.schema import account, invitation_code, player
from fifteentwo.server.store.store import Store

_ALL_INTERFACES = ("0.0.0.0", "::", "")
_UNUSED_ADDRESS = "192.0.2.1"
"""An address that no machine has (RFC 5737). Connecting a datagram socket to it sends nothing."""
_HOST_HEADER_PATTERN = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")
CODE_SIGNS = "23456789CDFGHJKMNPQRTVWXY"
"""Signs of codes: no vowels, so that no code is a word, and no 0, 1, B, L, S or Z, which look like others."""
CODE_LENGTH = 8
MAX_TYPED_CODE_LENGTH = 64
_SIGNS_FOR_LOOKALIKES = str.maketrans("BSZ", "852")
_MAX_CODE_ATTEMPTS = 5
_IS_SEAT_OPEN = player.c.invitation.is_not(None), player.c.owner.is_(None)


async def link_and_qr_code(request: Request, bound_address: str | None, path: str) -> tuple[str, str]:
    """Return a link for other people, and its QR code; the code is empty if only this machine has access."""
    base = external_base(request.url.scheme, request.headers.get("host", ""), bound_address)
    if base is None:
        return str(request.base_url).rstrip("/") + path, ""
    return base + path, await asyncio.to_thread(qr_code, base + path)


def external_base(scheme: str, host: str, bound: str | None) -> str | None:
    """Return the base URL for other people, or None if only this machine has access.

    host: the Host header of the request; bound: the address on which the server listens, if known.

    >>> external_base("https", "cards.example", None)
    'https://cards.example'
    >>> external_base("http", "127.0.0.1:8152", "127.0.0.1") is None
    True
    >>> external_base("http", "localhost:8152", "192.168.0.7")
    'http://192.168.0.7:8152'
    """
    if not _HOST_HEADER_PATTERN.fullmatch(host):
        return None
    name = host if host.endswith("]") else re.sub(r":\d*$", "", host)
    if not is_loopback(name.strip("[]")):
        return f"{scheme}://{host}"
    if bound is None or is_loopback(bound):
        return None
    reached = own_address() if bound in _ALL_INTERFACES else bound
    if reached is None:
        return None
    return f"{scheme}://{f'[{reached}]' if ':' in reached else reached}{host[len(name) :]}"


def is_loopback(name: str) -> bool:
    return name.lower() in ("localhost", "::1") or name.lower().endswith(".localhost") or name[:4] == "127."


def own_address() -> str | None:
    """Return this machine's address in its network, or None if it has none."""
    try:
        with sockets.socket(sockets.AF_INET, sockets.SOCK_DGRAM) as way:
            way.connect((_UNUSED_ADDRESS, 9))
            address = str(way.getsockname()[0])
    except OSError:
        return None
    return None if is_loopback(address) else address


@lru_cache(64)
def qr_code(address: str) -> str:
    """Return the QR code of an address as SVG that fills its container, dark on light in any theme."""
    import segno

    code = segno.make_qr(address, error="m")
    return code.svg_inline(omitsize=True, border=4, dark="#14171c", light="#fff", svgclass="qr-code")


class OpenSeat(NamedTuple):
    """The table and the invitation of a code."""

    table_id: str
    invitation: str


def new_code() -> str:
    return "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))


def parse_code(text: str) -> str | None:
    """Return the code in a typed text, or None; case, width, spaces and punctuation do not matter.

    >>> [parse_code(text) for text in (" k7m4-qx3t ", "Ｋ７Ｍ４　ＱＸ３Ｔ", "K7M4 QX3", "K7M4 QX3O")]
    ['K7M4QX3T', 'K7M4QX3T', None, None]
    """
    if len(text) > MAX_TYPED_CODE_LENGTH:
        return None
    plain = unicodedata.normalize("NFKC", text).upper().translate(_SIGNS_FOR_LOOKALIKES)
    code = "".join(sign for sign in plain if sign.isalnum() and sign != "ー")
    return code if len(code) == CODE_LENGTH and set(code) <= set(CODE_SIGNS) else None


async def invitation_codes(store: Store, table_id: str) -> dict[int, str]:
    """Return the codes of a table's open places by player number; missing codes are created."""
    known: dict[int, str] = {}
    places: set[int] = set()
    for _ in range(_MAX_CODE_ATTEMPTS):
        stored = await store.select(invitation_code.select().where(invitation_code.c.match_id == table_id))
        known = {row.player_number: row.code for row in stored}
        opened = sa.select(player.c.player_number).where(player.c.match_id == table_id, *_IS_SEAT_OPEN)
        places = {row.player_number for row in await store.select(opened)}
        if not (missing := places - known.keys()):
            break
        new = [{"match_id": table_id, "player_number": seat, "code": new_code()} for seat in sorted(missing)]
        # A conflict: another page has created them, or another place has this code.
        with contextlib.suppress(StoreError):
            await store.execute(invitation_code.insert().values(new))
    return {number: code for number, code in known.items() if number in places}


async def find_open_seat(store: Store, text: str) -> OpenSeat:
    """Return the open place of a typed code; every wrong code raises the same Refused."""
    code = parse_code(text)
    if code is not None:
        of_place = (
            invitation_code.c.match_id == player.c.match_id,
            invitation_code.c.player_number == player.c.player_number,
        )
        asked = sa.select(player).join(invitation_code, sa.and_(*of_place))
        asked = asked.where(invitation_code.c.code == code, *_IS_SEAT_OPEN)
        if (row := await store.first(asked)) is not None:
            return OpenSeat(row.match_id, row.invitation)
    raise Refused("no-such-code", status=404)


async def name_with_guest_mark(store: Store, request: Request, name: str) -> str:
    """Return a name for the table, marked if it is the username of another user's account."""
    named, key = sessions.user_of(request), similarity_key(name)
    if not name or (named is not None and similarity_key(named.name) == key):
        return name
    taken = sa.select(account.c.owner).where(account.c.similarity_key == key)
    return name if await store.first(taken) is None else name + GUEST_MARK
