"""Pages for finding other players: waiting room, invitation, lobby, and joining by a code.

In the lobby a stranger sees what an invitation shows, but neither the table's address nor its invitations.
"""

import contextlib
import hashlib
import time
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.i18n.agreement import agreement
from fifteentwo.rules.variants import Muggins, Rules, Variant
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import JOIN_BY_CODE, LIST_TABLE, TAKE_SEAT, admit
from fifteentwo.server.live import seats
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.live.table_state import TableState, display_name, persons_of_owner
from fifteentwo.server.pages.site import Pages, one_line, parse_number, post, read_form, username_of, words_of
from fifteentwo.server.people import hosting, invitations, lobby
from fifteentwo.server.people.hosting import HOST_PERSON
from fifteentwo.server.people.lobby import ListedTable, LobbyPage
from fifteentwo.server.services import services_of
from fifteentwo.server.table_log import time_controls
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person


def routes(pages: Pages, bound: str | None) -> list[Route]:
    return [
        *_host_routes(pages, bound),
        *_guest_routes(pages),
        *_lobby_routes(pages),
        *_lobby_seat_routes(pages),
        *_code_routes(pages),
    ]


def _host_routes(pages: Pages, bound: str | None) -> list[Route]:
    async def waiting(request: Request) -> Response:
        table = await pages.own_table(request)
        lang = pages.language(request)
        seats = _seat_rows(table, lang, persons_of_owner(table.people, sessions.owner_of(request)))
        is_host = table.person_of(sessions.owner_of(request)) == HOST_PERSON
        arranges = is_host and hosting.can_change_seats(table)
        if table.ledger.is_abandoned or not (arranges or any(seat["open"] for seat in seats)):
            return RedirectResponse(f"/game/{table.id}", status_code=303)
        codes = await invitations.invitation_codes(services_of(request).store, table.id)
        places = []
        for place in table.open_invitations():
            link, picture = await invitations.link_and_qr_code(request, bound, place.path)
            code = codes.get(table.ledger.seated[place.seat], "")
            code = f"{code[: len(code) // 2]} {code[len(code) // 2 :]}"
            partner = seats[place.seat]["partner"]
            places.append(
                {"seat": place.seat, "partner": partner, "link": link, "code": code, "picture": picture}
            )
        code_page, reachable = await invitations.link_and_qr_code(request, bound, "/join")
        values: dict[str, Any] = {"game": table.id, "seats": seats, "places": places}
        values["only_here"] = not reachable
        values |= {"code_page": code_page.partition("://")[2], "is_host": is_host, "arranges": arranges}
        values["in_lobby"] = await lobby.is_listed(services_of(request).store, table.id)
        values |= _agreed_terms(table.rules, table.options, table.people[HOST_PERSON], lang)
        words = words_of(lang, "waiting_room.")
        return pages.page(request, "waiting_room.html", **values, words=words)

    async def own_table(request: Request) -> tuple[LiveTable, dict[str, str]]:
        table, chosen = await pages.held_table(request), await read_form(request)
        if table.person_of(sessions.owner_of(request)) != HOST_PERSON:
            raise Refused("host-only", status=403)
        return table, chosen

    async def seat(request: Request) -> Response:
        table, chosen = await own_table(request)
        number = parse_number(chosen.get("person", ""), digits=2)
        level = chosen.get("level", "") if chosen.get("do") == "computer" else None
        await hosting.clear_seat(services_of(request).tables, table, number, level)
        return RedirectResponse(f"/game/{table.id}/waiting", status_code=303)

    async def cancel(request: Request) -> Response:
        table, _ = await own_table(request)
        await hosting.cancel_table(services_of(request).tables, table)
        return RedirectResponse("/", status_code=303)

    return [
        Route("/game/{game}/waiting", waiting),
        post("/game/{game}/seat", seat),
        post("/game/{game}/cancel", cancel),
    ]


def _partner_sentence(table: TableState, lang: str, seat: int, own: tuple[int, ...]) -> str:
    """Return the words that name the partner of an open seat, or "" if it has none or is taken."""
    across = (seat + table.rules.sides) % table.rules.seats
    open_places = table.presence().open
    if table.rules.variant is not Variant.PARTNERS or table.rules.partners_by_draw:
        return ""
    if open_places[across] or not open_places[seat]:
        return ""
    number = table.ledger.seated[across]
    if number in own:
        return i18n.text("lobby.partner.you", lang)
    return i18n.text("lobby.partner", lang, name=table.names(lang)[number])


def _seat_rows(table: TableState, lang: str, own: tuple[int, ...]) -> list[dict[str, Any]]:
    names, now = list(table.names(lang)), table.presence()
    if len(own) == 1 and not table.people[own[0]].name:
        names[own[0]] = i18n.text("home.you", lang)
    shown = []
    for seat, number in enumerate(table.ledger.seated):
        person = {"person": number, "name": names[number], "level": table.people[number].level}
        place = {"own": number in own, "open": now.open[seat], "present": now.present[seat]}
        shown.append({**person, **place, "partner": _partner_sentence(table, lang, seat, own)})
    return shown


def _guest_routes(pages: Pages) -> list[Route]:
    async def invitation(request: Request) -> Response:
        table = await pages.table(request)
        owner = sessions.owner_of(request)
        if table.person_of(owner) is not None:
            _check_invitation(table, request.path_params["invitation"])
            return RedirectResponse(f"/game/{table.id}", status_code=303)
        guest = table.invited_person(request.path_params["invitation"])
        listed = await lobby.is_listed(services_of(request).store, table.id)
        return _join_page(pages, request, table, guest, in_lobby=listed)

    async def join(request: Request) -> Response:
        table = await pages.table(request)
        _check_invitation(table, request.path_params["invitation"])
        name = await _guest_name(request, table, request.path_params["invitation"])
        owner, token = sessions.owner_and_token(request)
        tables, origin = services_of(request).tables, seats.origin_of(request, token)
        await seats.take_seat(tables, table, request.path_params["invitation"], owner, name, origin)
        return pages.redirect_to_table(request, table.id, token)

    return [
        Route("/game/{game}/join/{invitation}", invitation, methods=["GET"]),
        post("/game/{game}/join/{invitation}", join),
    ]


async def _guest_name(request: Request, table: TableState, invitation: str) -> str:
    """Return the name of a guest: from the form, or the username, or the name given by the host."""
    name = one_line((await read_form(request)).get("name", "")) or username_of(request)
    name = name or next((one.name for one in table.people if one.invitation == invitation), "")
    return await invitations.name_with_guest_mark(services_of(request).store, request, name)


def _join_page(pages: Pages, request: Request, table: TableState, guest: int, *, in_lobby: bool) -> Response:
    """Return the page on which a guest takes a seat. guest: the player number of the seat."""
    lang = pages.language(request)
    response = pages.page(
        request,
        "join.html",
        seats=_seat_rows(table, lang, (guest,)),
        name=table.people[guest].name or username_of(request),
        in_lobby=in_lobby,
        **_agreed_terms(table.rules, table.options, table.people[HOST_PERSON], lang),
    )
    if sessions.BROWSER_COOKIE.read_token(request) is None:
        # A session now makes a second press of the button a request of the same user.
        sessions.BROWSER_COOKIE.write(request, response, sessions.new_token())
    return response


def _check_invitation(table: TableState, invitation: str) -> None:
    try:
        table.invited_person(invitation)
    except Refused as refused:
        if refused.status == 404:
            raise


def _agreed_terms(rules: Rules, options: Options, host: Person, lang: str) -> dict[str, Any]:
    """Return what a guest must know before taking a seat: rules, options, and the host's name."""
    seconds = options.challenge_seconds if rules.muggins is not Muggins.OFF else None
    agreed = {"variant": rules.variant.value, "target": rules.target, "clock": _clock(options.clock, lang)}
    agreed |= {"host": display_name(host.name, lang), "agreed": agreement(rules, lang, options.length)}
    return {**agreed, "challenge_seconds": f"{seconds:g}" if seconds else None}


def _clock(terms: time_controls.TimeControl | None, lang: str) -> tuple[str, ...]:
    """Return sentences about the clock of a table."""
    if terms is None:
        return ()
    agreed = []
    for name, seconds in (("move", terms.move_seconds), ("away", terms.away_seconds)):
        if seconds is not None:
            key = "join.clock.long" if terms.is_correspondence else f"join.clock.{name}"
            agreed.append(i18n.text(key, lang, time=i18n.text(f"home.clock_{name}.{seconds:g}", lang)))
    if terms.on_timeout == time_controls.FORFEIT_ON_TIMEOUT:
        return (*agreed, i18n.text("join.clock.then.forfeit", lang))
    level = i18n.text(f"level.{terms.on_timeout}", lang)
    return (*agreed, i18n.text("join.clock.then.level", lang, level=level))


def _lobby_routes(pages: Pages) -> list[Route]:
    async def whole(request: Request) -> Response:
        page = await services_of(request).lobby.page(_page_number(request))
        context = _lobby_context(page, request, pages.language(request))
        words = words_of(pages.language(request), "lobby.waits", "lobby.by-itself", "lobby.tables")
        return pages.page(request, "lobby.html", **context, words=words)

    async def part(request: Request) -> Response:
        """Return only the list of tables, for an open page; status 304 if it has not changed."""
        page = await services_of(request).lobby.page(_page_number(request))
        etag = _etag(page, request, pages.language(request))
        headers = {"ETag": etag, "Cache-Control": "no-cache, private", "Vary": "Cookie, Accept-Language"}
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers=headers)
        context = _lobby_context(page, request, pages.language(request))
        response = pages.page(request, "lobby_tables.html", **context)
        response.headers.update(headers)
        return response

    async def show(request: Request) -> Response:
        wanted = (await read_form(request)).get("listed") == "yes"
        table = await pages.own_table(request)
        owner = sessions.owner_of(request)
        if table.person_of(owner) != 0 or owner is None:
            raise Refused("lobby-host-only", status=403)
        if wanted:
            admit(request, LIST_TABLE)
            await lobby.list_table(services_of(request).store, table, owner)
        else:
            await lobby.remove_listing(services_of(request).store, table.id)
        services_of(request).lobby.clear_cache()
        return RedirectResponse(f"/game/{table.id}/waiting", status_code=303)

    return [Route("/lobby", whole), Route("/lobby/tables", part), post("/game/{game}/lobby", show)]


def _page_number(request: Request) -> int:
    return parse_number(request.query_params.get("page", ""), digits=5) or 1


def _etag(page: LobbyPage, request: Request, lang: str) -> str:
    owner = sessions.owner_of(request)
    tables = [
        (one.handle, _is_seated(one, owner), [(*_public_person(person).values(),) for person in one.people])
        for one in page.tables
    ]
    shown = repr((lang, page.number, page.has_more, page.waiting, tables))
    return f'W/"{hashlib.sha256(shown.encode()).hexdigest()[:24]}"'


def _is_seated(one: ListedTable, owner: str | None) -> bool:
    return owner is not None and any(person.owner == owner for person in one.people)


def _public_person(person: Person, lang: str = "en") -> dict[str, Any]:
    return {"name": display_name(person.name, lang), "level": person.level, "open": person.is_seat_open}


def _partner_name(one: ListedTable, number: int) -> str:
    """Return the name of the partner of an open seat; empty if the seat is taken, or partners are drawn."""
    if one.rules.variant is not Variant.PARTNERS or one.rules.partners_by_draw:
        return ""
    partner = one.people[(number + one.rules.sides) % one.rules.seats]
    return partner.name if one.people[number].invitation is not None else ""


def _lobby_context(page: LobbyPage, request: Request, lang: str) -> dict[str, Any]:
    owner = sessions.owner_of(request)
    tables = [_lobby_table(one, owner, lang) for one in page.tables]
    shown = {"tables": tables, "number": page.number, "more": page.has_more, "waiting": page.waiting}
    return {**shown, "etag": _etag(page, request, lang)}


def _lobby_table(one: ListedTable, owner: str | None, lang: str) -> dict[str, Any]:
    people = [
        {**_public_person(person, lang), "partner": _partner_name(one, number)}
        for number, person in enumerate(one.people)
    ]
    shown = {"handle": one.handle, "people": people, "places": one.open_seats, "since": one.listed_at}
    shown["path"] = f"/game/{one.table_id}/waiting" if _is_seated(one, owner) else ""
    shown["minutes"] = max(0, int(time.time()) - one.listed_at) // 60
    return shown | _agreed_terms(one.rules, one.options, one.people[HOST_PERSON], lang)


def _lobby_seat_routes(pages: Pages) -> list[Route]:
    async def invitation(request: Request) -> Response:
        table = await _listed_table(request)
        if table.person_of(sessions.owner_of(request)) is not None:
            return RedirectResponse(f"/game/{table.id}", status_code=303)
        places = table.open_invitations()
        if not places:
            raise Refused("not-in-lobby", status=404)
        guest = table.ledger.seated[places[0].seat]
        return _join_page(pages, request, table, guest, in_lobby=True)

    async def sit(request: Request) -> Response:
        table = await _listed_table(request)
        owner, token = sessions.owner_and_token(request)
        if table.person_of(owner) is None:
            admit(request, TAKE_SEAT)
            open_seats = [place.path.rpartition("/")[2] for place in table.open_invitations()]
            name = await _guest_name(request, table, open_seats[0] if open_seats else "")
            origin = seats.origin_of(request, token)
            await seats.limit_unopened_seats(services_of(request).store, origin)
            await lobby.take_first_seat(services_of(request).tables, table, owner, name, origin)
            services_of(request).lobby.clear_cache()
        return pages.redirect_to_table(request, table.id, token)

    return [Route("/lobby/{handle}", invitation, methods=["GET"]), post("/lobby/{handle}", sit)]


async def _listed_table(request: Request) -> TableState:
    services = services_of(request)
    return await services.tables.read(await lobby.find_table(services.store, request.path_params["handle"]))


def _code_routes(pages: Pages) -> list[Route]:
    async def ask(request: Request) -> Response:
        return pages.page(request, "join_code.html", code="", error=None)

    async def follow(request: Request) -> Response:
        """Redirect to the invitation of a code; every wrong code gets the same message."""
        # Right codes are charged too, so that a known code gives no extra guesses.
        admit(request, JOIN_BY_CODE)
        code, evenings = (await read_form(request)).get("code", ""), services_of(request).evenings
        with contextlib.suppress(Refused):
            return RedirectResponse(f"/evening/{await evenings.find(code)}", status_code=303)
        try:
            place = await invitations.find_open_seat(services_of(request).store, code)
        except Refused as refused:
            message = i18n.refusal(refused, pages.language(request))
            return pages.page(request, "join_code.html", status=404, code=one_line(code), error=message)
        return RedirectResponse(f"/game/{place.table_id}/join/{place.invitation}", status_code=303)

    return [Route("/join", ask, methods=["GET"]), post("/join", follow)]
