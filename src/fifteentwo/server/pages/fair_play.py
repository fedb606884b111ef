"""Fair play: the page for an evening's director, reports to the director, and blocked people."""

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fifteentwo.analysis.review.fair_play import FALSE_ALARMS, LEVEL_RATES
from fifteentwo.server.club import decisions, fair_play
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import BOOK_REQUEST, SHARE_REQUEST, admit
from fifteentwo.server.pages.evening import person_names, read_evening
from fifteentwo.server.pages.site import Pages, parse_number, post, read_form
from fifteentwo.server.people import blocking
from fifteentwo.server.services import services_of


def routes(pages: Pages) -> list[Route]:
    async def director_page(request: Request) -> Response:
        evening, services = await read_evening(request), services_of(request)
        if sessions.owner_of(request) != evening.director:
            raise Refused("fair-director-only", status=403)
        admit(request, BOOK_REQUEST)
        figures = await fair_play.figures_of(services.store, services.evenings, evening)
        names = person_names(evening, pages.language(request))
        # Sorted by name, because an order by figures would accuse.
        people = sorted(figures, key=lambda one: names[one.number])
        values: dict[str, Any] = {"evening": evening, "names": names, "people": people, "rates": LEVEL_RATES}
        return pages.page(request, "evening_fair.html", **values, one_in=round(1 / FALSE_ALARMS))

    async def ask_report(request: Request) -> Response:
        evening = await read_evening(request)
        met = decisions.opponents_of(evening, sessions.owner_of(request))
        values: dict[str, Any] = {"names": person_names(evening, pages.language(request)), "met": met}
        values["is_sent"] = request.query_params.get("sent") == "yes"
        return pages.page(request, "evening_report.html", evening=evening, **values)

    async def report(request: Request) -> Response:
        name, chosen = request.path_params["evening"], await read_form(request)
        admit(request, SHARE_REQUEST)
        owner, about = sessions.owner_of(request) or "", parse_number(chosen.get("about", "")) - 1
        told = partial(decisions.report, owner=owner, about=about, sentence=chosen.get("sentence", ""))
        await services_of(request).evenings.change(name, told)
        return RedirectResponse(f"/evening/{name}/report?sent=yes", status_code=303)

    async def block(request: Request) -> Response:
        table, owner = await pages.own_table(request), sessions.owner_of(request)
        assert owner is not None
        number = parse_number((await read_form(request)).get("person", ""), digits=2)
        other = table.people[number - 1].owner if 0 < number <= len(table.people) else None
        await blocking.block(services_of(request).store, owner, other)
        return RedirectResponse("/account#blocked", status_code=303)

    async def unblock(request: Request) -> Response:
        handle, owner = (await read_form(request)).get("blocked", ""), sessions.owner_of(request)
        await blocking.unblock(services_of(request).store, owner or "", handle)
        return RedirectResponse("/account#blocked", status_code=303)

    return [
        Route("/evening/{evening}/fair", director_page, methods=["GET"]),
        Route("/evening/{evening}/report", ask_report, methods=["GET"]),
        post("/evening/{evening}/report", report),
        post("/game/{game}/block", block),
        post("/account/unblock", unblock),
    ]
