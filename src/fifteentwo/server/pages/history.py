"""Finished games: the user's list with search, each game in words or as a record, and hidden games."""

import time
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from fifteentwo import formats, i18n
from fifteentwo.engines.programs import PROGRAM
from fifteentwo.i18n.replay import deals_text
from fifteentwo.players import LEVELS
from fifteentwo.rules import record
from fifteentwo.rules.events import GameWon
from fifteentwo.rules.variants import Variant
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import STUDY_REQUEST
from fifteentwo.server.live import seeding
from fifteentwo.server.live.table_state import TableState, display_name
from fifteentwo.server.pages import site
from fifteentwo.server.pages.site import PERSON, Pages, one_line, parse_number, post, read_form, summary_of
from fifteentwo.server.services import services_of
from fifteentwo.server.store.history import PlayedGame, SeatReview
from fifteentwo.server.store.schema import UNFINISHED_GAME_NUMBER
from fifteentwo.server.table_log.ledger import Result

GAMES_PER_PAGE = 20
MAX_HISTORY_PAGES = 1000
RESULT_CHOICES = ("won", "lost", "skunk")
IMPORTED = "imported"
"""Opponent in the search that means imported games."""
SEARCH_FIELDS = ("q", "variant", "against", "result")


def routes(pages: Pages) -> list[Route]:
    return [*_list_routes(pages), *_game_routes(pages), *_hide_routes(pages)]


def _list_routes(pages: Pages) -> list[Route]:
    async def history(request: Request) -> Response:
        owner, lang = sessions.owner_of(request), pages.language(request)
        asked = {name: request.query_params.get(name, "")[:40] for name in SEARCH_FIELDS}
        out = request.query_params.get("out") == "yes"
        number = min(max(_query_number(request, "page", 1), 1), MAX_HISTORY_PAGES)
        games, waiting, unfinished, removed = [], 0, [], False
        if owner is not None:
            tables = services_of(request).tables
            waiting = await tables.history.store_games_of(owner)
            games = await tables.history.games_of(owner, only_hidden=out)
            begun = await tables.unfinished_of(owner, only_hidden=True)
            unfinished = [summary_of(table, owner, lang) for table in begun] if out else []
            removed = bool(begun) or await tables.history.has_hidden_games(owner)
        chosen = [one for one in games if _matches_search(one, asked, lang)]
        there = set[str]().union(*map(opponents, games))
        said = {name: text for name, text in asked.items() if text} | ({"out": "yes"} if out else {})
        first = (number - 1) * GAMES_PER_PAGE
        played = {one.summary.variant for one in games}
        values: dict[str, Any] = {"asked": asked, "searched": any(asked.values()), "query": urlencode(said)}
        values |= {"out": out, "removed": removed, "unfinished": unfinished, "waiting": waiting}
        values |= {"all": len(games), "found": len(chosen), "number": number, "results": RESULT_CHOICES}
        shown = chosen[first : first + GAMES_PER_PAGE]
        by_day = groupby(shown, key=lambda one: time.localtime(one.summary.ended_at)[:3])
        days = [[_game_summary(one, lang) for one in of_day] for _, of_day in by_day]
        values["days"] = [{"date": date(one[0]["kept"].ended_at, lang), "games": one} for one in days]
        values["older"] = len(chosen) > first + GAMES_PER_PAGE
        values["variants"] = [one.value for one in Variant if one.value in played]
        values["against"] = [one for one in (*LEVELS, PROGRAM, PERSON, IMPORTED) if one in there]
        return pages.page(request, "history.html", **values)

    return [Route("/history", history)]


def _game_routes(pages: Pages) -> list[Route]:
    async def in_words(request: Request) -> Response:
        table = await pages.own_table(request)
        lang = pages.language(request)
        number = _query_number(request, "game", table.games_played)
        ledger = await table.ledger_with_game(number)
        owner = sessions.owner_of(request)
        called = site.names_for(table, owner, lang)
        kept, won = ledger.record(number, called), ledger.result(number)
        own = None if table.options.by_spectator else table.viewer_of(owner)

        def told() -> list[tuple[tuple[int, ...], list[str]]]:
            seating = record.last_state(kept).seating
            reader = None if own is None else seating[won.person_by_seat.index(own)]
            return list(deals_text(kept, lang, reader))

        deals = await pages.compute(request, STUDY_REQUEST, told)
        names = [called[person] for person in won.person_by_seat]
        both, sides = i18n.text("list.and", lang), range(table.rules.sides)
        values: dict[str, Any] = {"game": table.id, "number": number, "deals": deals}
        values |= {"variant": table.rules.variant.value, "date": date(won.ended_at or table.created_at, lang)}
        values["sides"] = [both.join(names[side :: len(sides)]) for side in sides]
        values["result"] = result_text(table, won, owner, lang)
        others = [one.owner not in (None, owner) for one in table.people]
        values["others"] = [(number, called[number]) for number, is_other in enumerate(others) if is_other]
        return pages.page(request, "finished_game.html", **values)

    async def kept_record(request: Request) -> Response:
        """Return the record of a finished or abandoned game as a file, in the notation of ?as=."""
        table = await pages.own_table(request)
        number = _query_number(request, "game", table.games_played + table.ledger.is_abandoned)
        written_as = request.query_params.get("as", "record")
        if written_as not in ("record", *formats.FORMATS):
            raise Refused("option-unknown", name="as")
        names = table.names(pages.language(request))
        if table.ledger.is_abandoned and number == table.games_played + 1:
            kept = table.ledger.abandoned_record(names)
        else:
            kept = (await table.ledger_with_game(number)).record(number, names)
        written = record.write(kept) if written_as == "record" else formats.write(kept, written_as)
        name = f"fifteentwo-{table.id}-{number}{'' if written_as == 'record' else f'-{written_as}'}.txt"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return PlainTextResponse(written, headers=headers)

    async def close(request: Request) -> Response:
        """Close a game abandoned a week ago, and redirect to its record."""
        table = await pages.held_table(request)
        await seeding.close_abandoned(table)
        return RedirectResponse(f"/game/{table.id}/record", status_code=303)

    return [
        Route("/game/{game}/log", in_words),
        Route("/game/{game}/record", kept_record, methods=["GET"]),
        post("/game/{game}/record", close),
    ]


def _hide_routes(pages: Pages) -> list[Route]:
    async def confirm(request: Request) -> Response:
        table = await pages.own_table(request)
        lang, owner = pages.language(request), sessions.owner_of(request)
        number = _query_number(request, "game", table.games_played)
        owners = {one.owner for one in table.people if one.level is None and one.owner is not None}
        about: dict[str, Any] = {"game": table.id, "number": number, "shared": len(owners) > 1}
        if _is_unfinished(table, number):
            about["unfinished"] = summary_of(table, owner, lang)
        else:
            won = (await table.ledger_with_game(number)).result(number)
            about["date"] = date(won.ended_at or table.created_at, lang)
            about["result"] = result_text(table, won, owner, lang)
        return pages.page(request, "remove_game.html", **({"unfinished": None} | about))

    async def change(request: Request) -> Response:
        table = await pages.own_table(request)
        owner = sessions.owner_of(request)
        assert owner is not None
        chosen = await read_form(request)
        number = parse_number(chosen.get("game", ""))
        unfinished = _is_unfinished(table, number)
        if not unfinished:
            (await table.ledger_with_game(number)).result(number)
        back = chosen.get("back") == "yes"
        history = services_of(request).tables.history
        await (history.unhide_game if back else history.hide_game)(owner, table.id, number)
        if unfinished:
            return RedirectResponse("/" if back else f"/?removed={table.id}", status_code=303)
        return RedirectResponse("/history?out=yes" if back else "/history", status_code=303)

    return [Route("/game/{game}/hide", confirm, methods=["GET"]), post("/game/{game}/hide", change)]


def _query_number(request: Request, name: str, otherwise: int) -> int:
    return parse_number(request.query_params.get(name, str(otherwise)))


def _is_unfinished(table: TableState, number: int) -> bool:
    return number == UNFINISHED_GAME_NUMBER and not (table.ledger.table.over or table.ledger.is_abandoned)


def _matches_search(one: PlayedGame, asked: dict[str, str], lang: str) -> bool:
    kept = one.summary
    names = " ".join((*kept.names, *(seat_names(one, lang)))).casefold()
    if one_line(asked["q"]).casefold() not in names:
        return False
    if asked["variant"] and asked["variant"] != kept.variant:
        return False
    if asked["against"] and asked["against"] not in opponents(one):
        return False
    match asked["result"]:
        case "won" | "lost" as wanted:
            return one.side is not None and one.is_won is (wanted == "won")
        case "skunk":
            return max(kept.games_lost) > 1
        case _:
            return True


def opponents(one: PlayedGame) -> set[str]:
    """Return the opponents of a game: levels, PERSON, or IMPORTED for an imported game."""
    kept = one.summary
    if kept.imported:
        return {IMPORTED}
    others = (level for seat, level in enumerate(kept.levels) if seat % kept.sides != one.side)
    return {PERSON if level is None else level for level in others}


def seat_names(one: PlayedGame, lang: str) -> list[str]:
    """Return names by seat: "You" for a user without a name, the level for a computer without a name."""
    kept = one.summary
    keys = ["name.guest" if level is None else f"level.{level}" for level in kept.levels]
    if one.seat is not None:
        keys[one.seat] = "home.you"
    named = zip(kept.names, keys, strict=True)
    return [display_name(name, lang) or i18n.text(key, lang) for name, key in named]


def _game_summary(one: PlayedGame, lang: str) -> dict[str, Any]:
    kept, names = one.summary, seat_names(one, lang)
    seat = one.seat
    review = one.review[seat] if seat is not None and len(one.review) > seat else None
    return {
        "one": one,
        "kept": kept,
        "sentence": i18n.event_text(
            GameWon(kept.winner, kept.scores, kept.games_lost, kept.forfeited_seat, kept.forfeit_reason),
            lang,
            names,
            viewer=seat,
            sides=kept.sides,
        ),
        "names": [name for other, name in enumerate(names) if one.side is None or other != seat],
        "own": None if one.side is None else one.is_won,
        "luck": None if review is None else luck_of(one, review),
    }


def luck_of(one: PlayedGame, review: SeatReview) -> float | None:
    """Return the luck of a game as its review prints it: the result less the win probability without luck."""
    if review.luck is None or one.summary.forfeited_seat is not None:
        return review.luck
    return one.is_won - min(max(one.is_won - review.luck, 0.0), 1.0)


def result_text(table: TableState, result: Result, owner: str | None, lang: str) -> str:
    names = table.names(lang)
    person = None if table.options.by_spectator else table.viewer_of(owner)
    viewer = None if person is None else result.person_by_seat.index(person)
    seated = tuple(names[number] for number in result.person_by_seat)
    return i18n.event_text(result.won, lang, seated, viewer=viewer, sides=table.rules.sides)


def date(unix_seconds: int, lang: str) -> dict[str, str]:
    """Return a date as ISO text and as words."""
    day = time.localtime(unix_seconds)
    month = i18n.text(f"month.{day.tm_mon}", lang)
    text = i18n.text("history.date", lang, day=day.tm_mday, month=month, year=day.tm_year)
    return {"iso": time.strftime("%Y-%m-%d", day), "said": text}
