"""The lobby's pages: the open tables of this server, sitting down at one, and the way in by a short code.

A stranger sees of a table what its invitation would show: its variant, what was agreed, who sits
there. Its address and its invitations stay here; it is called by a name that it has in the lobby alone.
"""

import hashlib
import time
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.i18n.agreement import agreement
from fifteentwo.rules.variants import Variant
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import JOIN_BY_CODE, LIST_TABLE, TAKE_SEAT, admit
from fifteentwo.server.live import seats
from fifteentwo.server.live.table_state import TableState, shown
from fifteentwo.server.pages.inviting import challenge_seconds, clock_agreed, invitation_page
from fifteentwo.server.pages.site import Pages, number_in, one_line, post, posted, username_of, words_of
from fifteentwo.server.people import invitations, lobby
from fifteentwo.server.people.invitations import called, marked
from fifteentwo.server.people.lobby import LobbyPage, Shown
from fifteentwo.server.services import services_of
from fifteentwo.server.table_log.rows import Person


def routes(pages: Pages) -> list[Route]:
    return [*_tables(pages), *_sitting(pages), *_by_code(pages), _showing(pages)]


def _tables(pages: Pages) -> list[Route]:
    async def whole(request: Request) -> Response:
        page = await services_of(request).lobby.page(_number(request))
        context = _context(page, request, pages.language(request))
        words = words_of(pages.language(request), "lobby.waits", "lobby.by-itself", "lobby.tables")
        return pages.page(request, "lobby.html", **context, words=words)

    async def part(request: Request) -> Response:
        """The tables alone, for a page that is open: 304 while they are the same."""
        page = await services_of(request).lobby.page(_number(request))
        etag = _etag(page, request, pages.language(request))
        headers = {"ETag": etag, "Cache-Control": "no-cache, private", "Vary": "Cookie, Accept-Language"}
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers=headers)
        response = pages.page(
            request, "lobby_tables.html", **_context(page, request, pages.language(request))
        )
        response.headers.update(headers)
        return response

    return [Route("/lobby", whole), Route("/lobby/tables", part)]


def _number(request: Request) -> int:
    return number_in(request.query_params.get("page", ""), digits=5) or 1


def _etag(page: LobbyPage, request: Request, lang: str) -> str:
    """What the tables' part of the page follows from, but for the minutes, which the page counts itself."""
    owner = sessions.owner_of(request)
    tables = [
        (one.handle, _sits(one, owner), [(*_shown(person).values(),) for person in one.people])
        for one in page.tables
    ]
    shown = repr((lang, page.number, page.more, tables))
    return f'W/"{hashlib.sha256(shown.encode()).hexdigest()[:24]}"'


def _sits(one: Shown, owner: str | None) -> bool:
    return owner is not None and any(person.owner == owner for person in one.people)


def _shown(person: Person, lang: str = "en") -> dict[str, Any]:
    is_open = person.invitation is not None and person.owner is None
    return {"name": shown(person.name, lang), "level": person.level, "open": is_open}


def _partner(one: Shown, number: int) -> str:
    """Return the partner of a player at this seat; empty where there is none, or all draw."""
    if one.rules.variant is not Variant.PARTNERS or one.rules.partners_by_draw:
        return ""
    partner = one.people[(number + one.rules.sides) % one.rules.seats]
    return partner.name if one.people[number].invitation is not None else ""


def _context(page: LobbyPage, request: Request, lang: str) -> dict[str, Any]:
    owner = sessions.owner_of(request)
    return {
        "tables": [_table(one, owner, lang) for one in page.tables],
        "number": page.number,
        "more": page.more,
        "etag": _etag(page, request, lang),
    }


def _table(one: Shown, owner: str | None, lang: str) -> dict[str, Any]:
    """A table as everybody may see it; to those who sit there, also where it is."""
    own = _sits(one, owner)
    return {
        "handle": one.handle,
        "path": f"/game/{one.game}/waiting" if own else "",
        "variant": one.rules.variant.value,
        "target": one.rules.target,
        "agreed": agreement(one.rules, lang, one.options.length),
        "challenge_seconds": challenge_seconds(one.rules, one.options),
        "clock": clock_agreed(one.options.clock, lang),
        "host": shown(one.people[0].name, lang),
        "people": [
            {**_shown(person, lang), "partner": _partner(one, number)}
            for number, person in enumerate(one.people)
        ],
        "places": one.places,
        "since": one.since,
        "minutes": max(0, int(time.time()) - one.since) // 60,
    }


def _sitting(pages: Pages) -> list[Route]:
    async def invitation(request: Request) -> Response:
        table = await _shown_table(request)
        if table.person_of(sessions.owner_of(request)) is not None:
            return RedirectResponse(f"/game/{table.id}", status_code=303)
        places = table.invitations()
        if not places:
            raise Refused("not-in-lobby", status=404)
        guest = table.ledger.seated[places[0].seat]
        return invitation_page(pages, request, table, guest, in_lobby=True)

    async def sit(request: Request) -> Response:
        name = one_line((await posted(request)).get("name", "")) or username_of(request)
        table = await _shown_table(request)
        owner, token = sessions.sitting(request)
        if table.person_of(owner) is None:
            admit(request, TAKE_SEAT)
            for place in table.invitations()[:1]:
                name = name or called(table.people, place.path.rpartition("/")[2])
            origin = seats.origin_of(request, token)
            await seats.must_open_first(services_of(request).store, origin)
            name = await marked(services_of(request).store, request, name)
            await lobby.sit(services_of(request).tables, table, owner, name, origin)
            services_of(request).lobby.look_again()
        return pages.to_table(request, table.id, token)

    return [
        Route("/lobby/{handle}", invitation, methods=["GET"]),
        post("/lobby/{handle}", sit),
    ]


async def _shown_table(request: Request) -> TableState:
    services = services_of(request)
    return await services.tables.read(await lobby.table_of(services.store, request.path_params["handle"]))


def _by_code(pages: Pages) -> list[Route]:
    async def ask(request: Request) -> Response:
        return pages.page(request, "join_code.html", code="", error=None)

    async def follow(request: Request) -> Response:
        """The invitation that a code stands for; a wrong one is asked for again, always in the same words."""
        # Right codes count as well, so that a right one earns no more guesses.
        admit(request, JOIN_BY_CODE)
        code = (await posted(request)).get("code", "")
        try:
            place = await invitations.place_of(services_of(request).store, code)
        except Refused as refused:
            message = i18n.refusal(refused, pages.language(request))
            return pages.page(request, "join_code.html", status=404, code=one_line(code), error=message)
        return RedirectResponse(f"/game/{place.game}/join/{place.invitation}", status_code=303)

    return [Route("/join", ask, methods=["GET"]), post("/join", follow)]


def _showing(pages: Pages) -> Route:
    async def show(request: Request) -> Response:
        wanted = (await posted(request)).get("listed") == "yes"
        table = await pages.own_table(request)
        owner = sessions.owner_of(request)
        if table.person_of(owner) != 0 or owner is None:
            raise Refused("lobby-host-only", status=403)
        if wanted:
            admit(request, LIST_TABLE)
            await lobby.show(services_of(request).store, table, owner)
        else:
            await lobby.take_out(services_of(request).store, table.id)
        services_of(request).lobby.look_again()
        return RedirectResponse(f"/game/{table.id}/waiting", status_code=303)

    return post("/game/{game}/lobby", show)
