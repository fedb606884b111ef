"""The pages of an invitation: the host's waiting room, and what a guest is asked before sitting down."""

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.i18n.agreement import agreement
from fifteentwo.rules.variants import Muggins
from fifteentwo.server import sessions
from fifteentwo.server.errors import Refused
from fifteentwo.server.invitations import base_for_others, picture
from fifteentwo.server.pages import Pages, is_secure, one_line, posted
from fifteentwo.server.rooms import Room


def routes(pages: Pages, bound: str | None) -> list[Route]:
    """The addresses of these pages; `bound`: what the server listens to, None where nobody said."""
    return [*_for_hosts(pages, bound), *_for_guests(pages)]


def _for_hosts(pages: Pages, bound: str | None) -> list[Route]:
    async def waiting(request: Request) -> Response:
        """The host's waiting room: each open place with its link and picture, and who is here."""
        room = await pages.own_room(request)
        lang = pages.language(request)
        seats = _seats(room, lang, room.person_of(sessions.owner_of(request)))
        if not any(seat["open"] for seat in seats):
            return RedirectResponse(f"/game/{room.id}", status_code=303)
        base = base_for_others(request.url.scheme, request.headers.get("host", ""), bound)
        here = str(request.base_url).rstrip("/")
        places = [
            {
                "seat": place.seat,
                "link": (base or here) + place.path,
                "picture": await asyncio.to_thread(picture, base + place.path) if base else "",
            }
            for place in room.invitations()
        ]
        return pages.page(
            request,
            "room.html",
            game=room.id,
            seats=seats,
            places=places,
            only_here=base is None,
            agreed=agreement(room.rules, lang, room.options.length),
            words={key: said for key, said in i18n.catalogue(lang).items() if key.startswith("room.")},
        )

    return [Route("/game/{game}/room", waiting)]


def _for_guests(pages: Pages) -> list[Route]:
    async def invitation(request: Request) -> Response:
        """Somebody follows an invitation: who invites, what is played, and where to give a name."""
        room = await pages.room(request)
        owner = sessions.owner_of(request)
        if room.person_of(owner) is not None:
            _must_be_one(room, request.path_params["invitation"])
            return RedirectResponse(f"/game/{room.id}", status_code=303)
        guest = room.invited(request.path_params["invitation"])
        lang = pages.language(request)
        muggins = room.rules.muggins is not Muggins.OFF
        return pages.page(
            request,
            "join.html",
            host=room.people[0].name,
            form=room.rules.form.value,
            target=room.rules.target,
            agreed=agreement(room.rules, lang, room.options.length),
            moment=f"{room.options.moment:g}" if muggins and room.options.moment else None,
            seats=_seats(room, lang, guest),
            name=room.people[guest].name,
        )

    async def join(request: Request) -> Response:
        """Sit down at the place an invitation is for, under the name that was given."""
        if not sessions.same_origin(request):
            raise Refused("other-origin", status=403)
        room = await pages.room(request)
        _must_be_one(room, request.path_params["invitation"])
        name = one_line((await posted(request)).get("name", ""))
        token = sessions.token_of(request) or sessions.new_token()
        await room.sit(request.path_params["invitation"], sessions.owner(token), name)
        response = RedirectResponse(f"/game/{room.id}", status_code=303)
        sessions.remember(response, token, secure=is_secure(request))
        return response

    return [
        Route("/game/{game}/join/{invitation}", invitation, methods=["GET"]),
        Route("/game/{game}/join/{invitation}", join, methods=["POST"]),
    ]


def _must_be_one(room: Room, invitation: str) -> None:
    """Refused where this table never gave such an invitation, whoever follows it; a used one is one too."""
    try:
        room.invited(invitation)
    except Refused as refused:
        if refused.status == 404:
            raise


def _seats(room: Room, lang: str, own: int | None) -> list[dict[str, Any]]:
    """Everyone at the table by seat: their name, how strong a computer is, and whether they have come."""
    names, now = list(room.names(lang)), room.people_now()
    if own is not None and not room.people[own].name:
        names[own] = i18n.text("home.you", lang)
    return [
        {
            "name": names[number]
            if room.people[number].name or number != own
            else i18n.text("home.you", lang),
            "level": room.people[number].level,
            "own": number == own,
            "open": now.open[seat],
            "present": now.present[seat],
            "side": seat % room.rules.sides,
        }
        for seat, number in enumerate(room.ledger.seated)
    ]
