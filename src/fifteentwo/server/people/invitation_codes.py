"""The short code of an invitation: what is said over the telephone, where a link cannot be sent.

Eight of 25 signs, no two of which look alike: 25⁸ = 152,587,890,625 codes. SECURITY.md has the chance
of guessing one.
"""

import contextlib
import secrets
import unicodedata
from typing import NamedTuple

import sqlalchemy as sa

from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.store.schema import invitation_code, player
from fifteentwo.server.store.store import Store

SIGNS = "23456789CDFGHJKMNPQRTVWXY"
"""No vowel, so that no code is a word; none of 0, 1, B, L, S and Z, which look like others."""
LENGTH = 8
LONGEST_TYPED = 64
_MEANT = str.maketrans("BSZ", "852")
_TIMES = 5
_IS_OPEN = player.c.invitation.is_not(None), player.c.owner.is_(None)


class Place(NamedTuple):
    """Where a code leads: the table, and its invitation."""

    game: str
    invitation: str


def new_code() -> str:
    """A random code."""
    return "".join(secrets.choice(SIGNS) for _ in range(LENGTH))


def shown(code: str) -> str:
    """A code as it is read out: in two halves."""
    return f"{code[: LENGTH // 2]} {code[LENGTH // 2 :]}"


def typed(text: str) -> str | None:
    """Return a code as typed, in any case and width, whatever stands between; None where it is none.

    >>> typed(" k7m4-qx3t "), typed("Ｋ７Ｍ４　ＱＸ３Ｔ"), typed("K7M4 QX3"), typed("K7M4 QX3O")
    ('K7M4QX3T', 'K7M4QX3T', None, None)
    """
    if len(text) > LONGEST_TYPED:
        return None
    plain = unicodedata.normalize("NFKC", text).upper().translate(_MEANT)
    code = "".join(sign for sign in plain if sign.isalnum() and sign != "ー")
    return code if len(code) == LENGTH and set(code) <= set(SIGNS) else None


async def codes_of(store: Store, game: str) -> dict[int, str]:
    """The code of each open place, by the number of the person it is for; made where there is none yet."""
    known: dict[int, str] = {}
    places: set[int] = set()
    for _ in range(_TIMES):
        async with store.reading() as connection:
            stored = await connection.execute(
                invitation_code.select().where(invitation_code.c.match_id == game)
            )
            known = {row.player_number: row.code for row in stored}
            opened = sa.select(player.c.player_number).where(player.c.match_id == game, *_IS_OPEN)
            places = set((await connection.execute(opened)).scalars())
        if not (missing := places - known.keys()):
            break
        new = [{"match_id": game, "player_number": number, "code": new_code()} for number in sorted(missing)]
        # "conflict": another page made them this moment, or some other place has this very code.
        with contextlib.suppress(StoreError):
            async with store.writing() as connection:
                await connection.execute(invitation_code.insert(), new)
    return {number: code for number, code in known.items() if number in places}


async def place_of(store: Store, text: str) -> Place:
    """The open place that a typed code is for; Refused, always in the same words, where it is for none."""
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
        async with store.reading() as connection:
            row = (await connection.execute(asked)).first()
        if row is not None:
            return Place(row.match_id, row.invitation)
    raise Refused("no-such-code", status=404)
