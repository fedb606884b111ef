"""Play now: the form, the page of a person who waits, and the answers to its script."""

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.live import seats
from fifteentwo.server.live.table_state import TableState
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
_OFFERED = {"length": play_now.LENGTHS, "seconds": tuple(map(str, play_now.MOVE_SECONDS))}


def routes(pages: Pages) -> list[Route]:
    return [*_waiting_routes(pages), *_level_routes(pages)]


async def _poll(request: Request, max_silence: int) -> tuple[Any, TableState | None]:
    """Return a person's row of `waiting_player` and their table; both None if they neither wait nor play."""
    services, owner = services_of(request), sessions.owner_of(request)
    row = None if owner is None else await play_now.poll(services.store, owner, max_silence)
    if row is None or row.match_id is None:
        return row, None
    table = await play_now.table_of_pair(services.tables, row)
    return (None if table is None else row), table


async def _others(request: Request, row: Any, lang: str) -> str:
    """Return a sentence with the number of people who wait, without the person of a row."""
    own = row is not None and row.match_id is None
    number = await play_now.count_waiting(services_of(request).store) - own
    return i18n.text("now.others", lang, n=number) if number > 0 else i18n.text("now.others.none", lang)


def _waiting_routes(pages: Pages) -> list[Route]:
    async def show(request: Request) -> Response:
        row, table = await _poll(request, play_now.MAX_SILENCE_SECONDS)
        if table is not None:
            return RedirectResponse(f"/game/{table.id}?now=yes", status_code=303)
        last = row or await play_now.last_wait(services_of(request).store, sessions.owner_of(request))
        waited = None if row is None else int(play_now.wall_clock()) - row.since
        values = {"last": last, "waited": waited, "offered": _OFFERED}
        values["level"] = None if row is None else play_now.level_near(row.points)
        values["others"] = await _others(request, row, pages.language(request))
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
        for key, offered in _OFFERED.items():
            if chosen.get(key) not in offered:
                raise Refused("option-unknown", name=key)
        name = one_line(chosen.get("name", "")) or username_of(request) or ("" if last is None else last.name)
        rated = [one for one in await read_ratings(services.store, owner) if one.variant == "six-card"]
        wish = {"name": await name_with_guest_mark(services.store, request, name), "length": chosen["length"]}
        wish |= {"move_seconds": int(chosen["seconds"]), **seats.origin_of(request, token)._asdict()}
        wish["points"] = (*rated, Rating("six-card", owner, name))[0].points
        await play_now.start_waiting(services.store, owner, wish, None if last is None else last.match_id)
        response = RedirectResponse("/now", status_code=303)
        sessions.BROWSER_COOKIE.write(request, response, token)
        return response

    async def stop(request: Request) -> Response:
        await play_now.stop_waiting(services_of(request).store, sessions.owner_of(request) or "")
        return RedirectResponse("/now", status_code=303)

    async def answer(request: Request) -> Response:
        row, table = await _poll(request, _MAX_SLEEP_SECONDS)
        found: dict[str, Any] = {"waits": row is not None, "game": None}
        found["others"] = await _others(request, row, pages.language(request))
        if table is not None:
            found |= {"game": table.id, "begun": not table.ledger.awaited_for_seeds}
            found |= {"missing": play_now.is_missing(table, row)}
        return json_response(found)

    forms = post("/now", start), post("/now/stop", stop)
    return [Route("/now", show, methods=["GET"]), *forms, Route("/now/answer", answer)]


def _level_routes(pages: Pages) -> list[Route]:
    async def play_level(request: Request) -> Response:
        pages.admit_table(request)
        (row, _), (owner, token) = await _poll(request, _MAX_SLEEP_SECONDS), sessions.owner_and_token(request)
        if row is None:
            raise Refused("not-waiting", status=409)
        name = i18n.text("home.opponent_name.1", pages.language(request))
        other = Person(name=name, level=play_now.level_near(row.points))
        people = Person(name=row.name, owner=owner), other
        game = await services_of(request).tables.create(rules_for("six-card"), Options(), people)
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

    return [post("/now/level", play_level), post("/now/go", leave_level)]
