"""The pages of an invitation: the host's waiting room, and what a guest is asked before sitting down."""

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.i18n.agreement import agreement
from fifteentwo.players import LEVELS
from fifteentwo.rules.variants import Muggins, Rules, Variant
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.live import seats
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.live.table_state import TableState, persons_of, shown
from fifteentwo.server.pages.site import (
    Pages,
    is_secure,
    number_in,
    one_line,
    post,
    posted,
    username_of,
    words_of,
)
from fifteentwo.server.people import hosting, invitations, lobby
from fifteentwo.server.people.hosting import HOST
from fifteentwo.server.people.invitations import called, marked
from fifteentwo.server.services import services_of
from fifteentwo.server.table_log import time_controls
from fifteentwo.server.table_log.options import Options


def routes(pages: Pages, bound: str | None) -> list[Route]:
    return [*_for_hosts(pages, bound), *_arranging(pages), *_for_guests(pages)]


def _for_hosts(pages: Pages, bound: str | None) -> list[Route]:
    async def waiting(request: Request) -> Response:
        table = await pages.own_table(request)
        lang = pages.language(request)
        seats = _seats(table, lang, persons_of(table.people, sessions.owner_of(request)))
        is_host = table.person_of(sessions.owner_of(request)) == HOST
        arranges = is_host and hosting.may_arrange(table)
        if table.ledger.closed or not (arranges or any(seat["open"] for seat in seats)):
            return RedirectResponse(f"/game/{table.id}", status_code=303)
        codes = await invitations.codes_of(services_of(request).store, table.id)
        places = []
        for place in table.invitations():
            link, picture = await invitations.shared(request, bound, place.path)
            code = invitations.shown(codes.get(table.ledger.seated[place.seat], ""))
            partner = seats[place.seat]["partner"]
            places.append(
                {"seat": place.seat, "partner": partner, "link": link, "code": code, "picture": picture}
            )
        code_page, reachable = await invitations.shared(request, bound, "/join")
        return pages.page(
            request,
            "waiting_room.html",
            game=table.id,
            seats=seats,
            places=places,
            only_here=not reachable,
            code_page=code_page.partition("://")[2],
            is_host=is_host,
            arranges=arranges,
            levels=LEVELS,
            in_lobby=await lobby.is_shown(services_of(request).store, table.id),
            agreed=agreement(table.rules, lang, table.options.length),
            clock=clock_agreed(table.options.clock, lang),
            words=words_of(lang, "waiting_room."),
        )

    return [Route("/game/{game}/waiting", waiting)]


def _arranging(pages: Pages) -> list[Route]:
    async def own_table(request: Request) -> tuple[LiveTable, dict[str, str]]:
        table, chosen = await pages.held_table(request), await posted(request)
        if table.person_of(sessions.owner_of(request)) != HOST:
            raise Refused("host-only", status=403)
        return table, chosen

    async def seat(request: Request) -> Response:
        table, chosen = await own_table(request)
        number = number_in(chosen.get("person", ""), digits=2)
        level = chosen.get("level", "") if chosen.get("do") == "computer" else None
        await hosting.clear_seat(services_of(request).tables, table, number, level)
        return RedirectResponse(f"/game/{table.id}/waiting", status_code=303)

    async def cancel(request: Request) -> Response:
        table, _ = await own_table(request)
        await hosting.cancel(services_of(request).tables, table)
        return RedirectResponse("/", status_code=303)

    return [
        post("/game/{game}/seat", seat),
        post("/game/{game}/cancel", cancel),
    ]


def _for_guests(pages: Pages) -> list[Route]:
    async def invitation(request: Request) -> Response:
        table = await pages.table(request)
        owner = sessions.owner_of(request)
        if table.person_of(owner) is not None:
            _must_be_one(table, request.path_params["invitation"])
            return RedirectResponse(f"/game/{table.id}", status_code=303)
        guest = table.invited(request.path_params["invitation"])
        listed = await lobby.is_shown(services_of(request).store, table.id)
        return invitation_page(pages, request, table, guest, in_lobby=listed)

    async def join(request: Request) -> Response:
        table = await pages.table(request)
        _must_be_one(table, request.path_params["invitation"])
        name = one_line((await posted(request)).get("name", "")) or username_of(request)
        name = name or called(table.people, request.path_params["invitation"])
        name = await marked(services_of(request).store, request, name)
        owner, token = sessions.sitting(request)
        tables, origin = services_of(request).tables, seats.origin_of(request, token)
        await seats.sit(tables, table, request.path_params["invitation"], owner, name, origin)
        return pages.to_table(request, table.id, token)

    return [
        Route("/game/{game}/join/{invitation}", invitation, methods=["GET"]),
        post("/game/{game}/join/{invitation}", join),
    ]


def invitation_page(
    pages: Pages, request: Request, table: TableState, guest: int, *, in_lobby: bool
) -> Response:
    """Who invites, what is played and with whom, and where to give a name.

    guest: whose place it is; in_lobby: everybody sees there who sits at this table.
    """
    lang = pages.language(request)
    response = pages.page(
        request,
        "join.html",
        host=shown(table.people[0].name, lang),
        variant=table.rules.variant.value,
        target=table.rules.target,
        agreed=agreement(table.rules, lang, table.options.length),
        challenge_seconds=challenge_seconds(table.rules, table.options),
        clock=clock_agreed(table.options.clock, lang),
        seats=_seats(table, lang, (guest,)),
        name=table.people[guest].name or username_of(request),
        in_lobby=in_lobby,
    )
    if sessions.token_of(request) is None:
        # A user who presses twice is not refused by the first press.
        sessions.remember(response, sessions.new_token(), secure=is_secure(request))
    return response


def challenge_seconds(rules: Rules, options: Options) -> str | None:
    """Seconds for a challenge, as a choice has them; None where there are no challenges, or no limit."""
    return (
        f"{options.challenge_seconds:g}"
        if rules.muggins is not Muggins.OFF and options.challenge_seconds
        else None
    )


def _must_be_one(table: TableState, invitation: str) -> None:
    """Refused where this table never gave such an invitation; a used one counts too."""
    try:
        table.invited(invitation)
    except Refused as refused:
        if refused.status == 404:
            raise


def _partner(table: TableState, lang: str, seat: int, own: tuple[int, ...]) -> str:
    """Return the partner of a player at this seat; empty where there is none yet, or all draw (R29)."""
    across = (seat + table.rules.sides) % table.rules.seats
    open_places = table.people_now().open
    if table.rules.variant is not Variant.PARTNERS or table.rules.partners_by_draw:
        return ""
    if open_places[across] or not open_places[seat]:
        return ""
    number = table.ledger.seated[across]
    return (
        i18n.text("lobby.partner.you", lang)
        if number in own
        else i18n.text("lobby.partner", lang, name=table.names(lang)[number])
    )


def _seats(table: TableState, lang: str, own: tuple[int, ...]) -> list[dict[str, Any]]:
    """Everyone at the table by seat: their name, how strong a computer is, and whether they have come."""
    names, now = list(table.names(lang)), table.people_now()
    if len(own) == 1 and not table.people[own[0]].name:
        names[own[0]] = i18n.text("home.you", lang)
    return [
        {
            "person": number,
            "name": names[number],
            "level": table.people[number].level,
            "own": number in own,
            "open": now.open[seat],
            "present": now.present[seat],
            "partner": _partner(table, lang, seat, own),
        }
        for seat, number in enumerate(table.ledger.seated)
    ]


def clock_agreed(terms: time_controls.Terms | None, lang: str) -> tuple[str, ...]:
    """Return what guests read of the clock before they sit down: each time, then what happens."""
    if terms is None:
        return ()
    agreed = []
    for name, seconds in (("move", terms.move_seconds), ("away", terms.away_seconds)):
        if seconds is not None:
            key = "join.clock.long" if terms.is_long else f"join.clock.{name}"
            agreed.append(i18n.text(key, lang, time=i18n.text(f"home.clock_{name}.{seconds:g}", lang)))
    if terms.on_timeout == time_controls.FORFEIT:
        return (*agreed, i18n.text("join.clock.then.forfeit", lang))
    return (
        *agreed,
        i18n.text("join.clock.then.level", lang, level=i18n.text(f"level.{terms.on_timeout}", lang)),
    )
