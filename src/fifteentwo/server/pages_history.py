"""Finished games: the list of one's own, each retold deal by deal, and their records."""

import asyncio
import time
from itertools import pairwise
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.i18n.retelling import deals_retold
from fifteentwo.rules import record
from fifteentwo.server import sessions
from fifteentwo.server.ledger import Result
from fifteentwo.server.pages import Pages
from fifteentwo.server.rooms import Room

TABLES = 10
"""Tables on one page of the list: each is played again from its log the first time it is looked at."""
MOST_PAGES = 1000


def routes(pages: Pages) -> list[Route]:
    """The addresses of these pages."""

    async def history(request: Request) -> Response:
        """One's own finished games, the newest table first."""
        owner, lang = sessions.owner_of(request), pages.language(request)
        number = min(max(_number(request, "page", 1), 1), MOST_PAGES)
        after = (number - 1) * TABLES
        rooms = [] if owner is None else await pages.rooms.of_owner(owner, TABLES + 1, after)
        tables = [_table(room, owner, lang) for room in rooms[:TABLES] if room.ledger.results]
        return pages.page(request, "history.html", tables=tables, number=number, older=len(rooms) > TABLES)

    async def told(request: Request) -> Response:
        """A finished game retold, deal by deal, with all cards open."""
        room = await pages.own_room(request)
        lang = pages.language(request)
        number = _number(request, "game", len(room.ledger.results))
        kept = room.ledger.record(number, _names(room, None, lang))
        won = room.ledger.results[number - 1]
        # A game to 121 takes some 60 ms to tell: beside the tables that are being played.
        deals = await asyncio.to_thread(lambda: list(deals_retold(kept, lang)))
        names = [room.names(lang)[person] for person in won.seated]
        return pages.page(
            request,
            "told.html",
            game=room.id,
            number=number,
            form=room.rules.form.value,
            date=_date(room, lang),
            sides=[_side(names, side, room.rules.sides, lang) for side in range(room.rules.sides)],
            result=_sentence(room, won, sessions.owner_of(request), lang),
            opening=deals[0][1],
            deals=[
                {"number": deal, "before": before, "after": front, "lines": lines}
                for deal, ((before, _), (front, lines)) in enumerate(pairwise(deals), 1)
            ],
        )

    async def kept_record(request: Request) -> Response:
        """The record of a finished game of the match, the last one unless ?game= says which."""
        room = await pages.own_room(request)
        number = _number(request, "game", len(room.ledger.results))
        kept = room.ledger.record(number, room.names(pages.language(request)))
        name = f"fifteentwo-{room.id}-{number}.txt"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return PlainTextResponse(record.write(kept), headers=headers)

    return [
        Route("/history", history),
        Route("/game/{game}/told", told),
        Route("/game/{game}/record", kept_record),
    ]


def _number(request: Request, name: str, otherwise: int) -> int:
    """A number from 1 in the address; 0, which no game has, where it is none."""
    wanted = request.query_params.get(name, str(otherwise))
    return int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 7 else 0


def _table(room: Room, owner: str | None, lang: str) -> dict[str, Any]:
    """A table as the list has it, its last game first."""
    games = [
        {
            "number": number,
            "sentence": _sentence(room, result, owner, lang),
            "scores": result.won.scores,
            "own": _own_side(room, result, owner) == result.won.side,
        }
        for number, result in enumerate(room.ledger.results, 1)
    ]
    names = _names(room, owner, lang)
    return {
        "id": room.id,
        "form": room.rules.form.value,
        "target": room.rules.target,
        "date": _date(room, lang),
        "names": [names[person] for person in room.ledger.seated],
        "going": not room.ledger.table.over,
        "games": games[::-1],
    }


def _names(room: Room, owner: str | None, lang: str) -> tuple[str, ...]:
    """By the order people came; who gave no name is "You" to themselves."""
    names, own = list(room.names(lang)), room.person_of(owner)
    if own is not None and not room.people[own].name:
        names[own] = i18n.text("home.you", lang)
    return tuple(names)


def _own_side(room: Room, result: Result, owner: str | None) -> int | None:
    person = room.person_of(owner)
    return None if person is None else result.seated.index(person) % room.rules.sides


def _sentence(room: Room, result: Result, owner: str | None, lang: str) -> str:
    """Who won, by how much, and who was skunked, told to whoever asks."""
    names = room.names(lang)
    person = room.person_of(owner)
    viewer = None if person is None else result.seated.index(person)
    seated = tuple(names[number] for number in result.seated)
    return i18n.tell(result.won, lang, seated, viewer=viewer, sides=room.rules.sides)


def _side(names: list[str], side: int, sides: int, lang: str) -> str:
    return i18n.text("list.and", lang).join(names[side::sides])


def _date(room: Room, lang: str) -> dict[str, str]:
    """The day the table was laid, where the server stands."""
    day = time.localtime(room.made_at)
    month = i18n.text(f"month.{day.tm_mon}", lang)
    said = i18n.text("history.date", lang, day=day.tm_mday, month=month, year=day.tm_year)
    return {"iso": time.strftime("%Y-%m-%d", day), "said": said}
