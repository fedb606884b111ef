"""Play now: the form, the page of a waiting person, and the answers to its script."""

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.live import seats
from fifteentwo.server.pages.site import Pages, json_response, one_line, post, read_form, username_of
from fifteentwo.server.people import hosting, play_now
from fifteentwo.server.people.invitations import name_with_guest_mark
from fifteentwo.server.people.ratings import Rating, read_ratings
from fifteentwo.server.services import services_of
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person

_MAX_SLEEP_SECONDS = 3600
"""Seconds for which a browser may suspend an open page; after that the person waits no longer."""


def routes(pages: Pages) -> list[Route]:
    return [*_waiting_routes(pages), *_level_routes(pages)]


def _waiting_routes(pages: Pages) -> list[Route]:
    async def show(request: Request) -> Response:
        services, owner = services_of(request), sessions.owner_of(request)
        row = None if owner is None else await play_now.poll(services.store, owner)
        if row is not None and row.match_id is not None:
            if (table := await play_now.table_of_pair(services.tables, row)) is not None:
                return RedirectResponse(f"/game/{table.id}?now=yes", status_code=303)
            row = None
        values: dict[str, Any] = {"waited": None if row is None else int(play_now.wall_clock()) - row.since}
        values |= {"last": row or await play_now.last_wait(services.store, owner)}
        values |= {
            "lengths": play_now.LENGTHS,
            "seconds": play_now.MOVE_SECONDS,
            "level": play_now.offered_level(row),
        }
        values["near"] = None if row is None else play_now.level_near(row.points)
        response = pages.page(request, "now.html", **values)
        # The service worker must not show the page of an earlier wait.
        response.headers["Cache-Control"] = "no-store"
        return response

    async def start(request: Request) -> Response:
        pages.admit_table(request)
        services, (owner, token) = services_of(request), sessions.owner_and_token(request)
        last = await play_now.last_wait(services.store, owner)
        if last is not None and last.match_id is not None:
            table = await play_now.table_of_pair(services.tables, last)
            if table is not None and not play_now.is_missing(table, last):
                return pages.redirect_to_table(request, table.id, token)
            if table is not None:
                await hosting.cancel_table(services.tables, await services.tables.open(table.id))
        chosen = {} if last is None else {"length": last.length, "seconds": str(last.move_seconds)}
        chosen |= await read_form(request)
        for key, offered in (("length", play_now.LENGTHS), ("seconds", play_now.MOVE_SECONDS)):
            if chosen.get(key) not in [str(one) for one in offered]:
                raise Refused("option-unknown", name=key)
        name = one_line(chosen.get("name", "")) or username_of(request) or ("" if last is None else last.name)
        ratings = await read_ratings(services.store, owner)
        own = next((one for one in ratings if one.variant == "six-card"), Rating("six-card", owner, name))
        wish = {"name": await name_with_guest_mark(services.store, request, name), "points": own.points}
        wish |= {"length": chosen["length"], "move_seconds": int(chosen["seconds"])}
        wish |= seats.origin_of(request, token)._asdict()
        await play_now.start_waiting(services.store, owner, wish, None if last is None else last.match_id)
        response = RedirectResponse("/now", status_code=303)
        sessions.BROWSER_COOKIE.write(request, response, token)
        return response

    async def stop(request: Request) -> Response:
        await play_now.stop_waiting(services_of(request).store, sessions.owner_of(request) or "")
        return RedirectResponse("/", status_code=303)

    return [Route("/now", show, methods=["GET"]), post("/now", start), post("/now/stop", stop)]


def _level_routes(pages: Pages) -> list[Route]:
    async def answer(request: Request) -> Response:
        """Return what a page needs to know: the table if paired, and the level that is offered meanwhile."""
        services, owner = services_of(request), sessions.owner_of(request) or ""
        row, table = await play_now.poll(services.store, owner, _MAX_SLEEP_SECONDS), None
        if row is not None and row.match_id is not None:
            table = await play_now.table_of_pair(services.tables, row)
        found: dict[str, Any] = {"waits": row is not None, "game": None if table is None else table.id}
        found["offers_level"] = play_now.offered_level(row) is not None
        found["begun"] = table is not None and not table.ledger.awaited_for_seeds
        found["missing"] = table is not None and play_now.is_missing(table, row)
        return json_response(found)

    async def play_level(request: Request) -> Response:
        pages.admit_table(request)
        services, (owner, token) = services_of(request), sessions.owner_and_token(request)
        row = await play_now.poll(services.store, owner)
        if row is None:
            raise Refused("not-waiting", status=409)
        level, lang = play_now.level_near(row.points), pages.language(request)
        other = Person(name=i18n.text("home.opponent_name.1", lang), level=level)
        people = Person(name=row.name, owner=owner), other
        game = await services.tables.create(rules_for("six-card"), Options(), people)
        return pages.redirect_to_table(request, game, token, "?now=yes")

    async def leave_level(request: Request) -> Response:
        """Close a game against a level, which is not counted then, and go to the table of the pairing."""
        services = services_of(request)
        table = await pages.own_table(request, (await read_form(request)).get("game") or "-")
        row = await play_now.last_wait(services.store, sessions.owner_of(request))
        if row is None or row.match_id is None or not table.is_solo or table.options.daily is not None:
            raise Refused("not-waiting", status=409)
        if not table.ledger.table.over and not table.ledger.is_abandoned:
            held = await services.tables.open(table.id)
            await held.add_row(lambda: proposals.abandon(held.ledger))
        return RedirectResponse(f"/game/{row.match_id}?now=yes", status_code=303)

    paths = post("/now/level", play_level), post("/now/go", leave_level)
    return [Route("/now/answer", answer), *paths]
