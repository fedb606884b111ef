"""Pages of an evening at a club: the evening, a board for a television, score cards, print, CSV and reviews.

Everybody who has the link may see these pages. No page shows accounts, or matches of other people. All
changes are posted to /evening/ID with a field `do`.
"""

import base64
import hashlib
import re
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.players import LEVELS
from fifteentwo.rules import record
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.server.club import decisions
from fifteentwo.server.club.decisions import Change
from fifteentwo.server.club.evening import Evening, EveningPerson
from fifteentwo.server.club.scores import Outcome, standings
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import CHECK_IN, admit
from fifteentwo.server.live.table_state import GUEST_MARK, display_names
from fifteentwo.server.pages import site
from fifteentwo.server.pages.history import date
from fifteentwo.server.pages.review import review_page
from fifteentwo.server.pages.site import MAX_NAME_LENGTH, Pages, one_line, post, read_form, username_of
from fifteentwo.server.people.invitations import link_and_qr_code, name_with_guest_mark
from fifteentwo.server.people.usernames import similarity_key
from fifteentwo.server.services import services_of
from fifteentwo.server.table_log.rows import Person

_ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{12}")
PAGE_NAMES = ("now", "board", "print", "card", "csv")


def routes(pages: Pages, bound: str | None) -> list[Route]:
    async def show(request: Request, **values: Any) -> Response:
        """Return a page, or status 304 for an open page that asks whether it has changed."""
        view = await _view(pages, request, bound)
        name = request.path_params.get("page", "now")
        if name not in PAGE_NAMES:
            raise Refused("no-such-page", status=404)
        if name == "card" and view["number"] not in view["cards"]:
            raise Refused("no-such-evening-player", status=404)
        response = pages.page(request, f"evening_{name}.html", **(view | values))
        etag = f'W/"{hashlib.sha256(response.body).hexdigest()[:24]}"'
        if request.headers.get("if-none-match") == etag:
            response = Response(status_code=304)
        elif name == "csv":
            # The mark of UTF-8, which spreadsheets need.
            response = Response("\ufeff" + bytes(response.body).decode(), media_type="text/csv")
            file = quote(f"{view['evening'].settings.name} {view['date']['iso']}.csv")
            named = f"attachment; filename=\"evening.csv\"; filename*=UTF-8''{file}"
            response.headers["Content-Disposition"] = named
        response.headers.update({"ETag": etag, "Vary": "Cookie, Accept-Language"})
        return response

    async def change(request: Request) -> Response:
        evening, chosen = await read_evening(request), await read_form(request)
        owner, token = sessions.owner_and_token(request)
        try:
            if chosen.get("do") in ("join", "substitute"):
                admit(request, CHECK_IN)
            name = username_of(request) or one_line(written := chosen.get("name", ""), len(written))
            name = await name_with_guest_mark(services_of(request).store, request, name)
            person = EveningPerson(name, owner, is_member=sessions.user_of(request) is not None)
            await services_of(request).evening_play.change(evening.id, _decision(evening, chosen, person))
        except FifteenTwoError as error:
            message, status = i18n.refusal(error, pages.language(request)), site.http_status(error)
            response = await show(request, status=status, error=message, chosen=chosen)
            response.headers.update(site.retry_headers(error))
            return response
        response = RedirectResponse(f"/evening/{evening.id}", status_code=303)
        if not person.is_member:
            sessions.BROWSER_COOKIE.write(request, response, token)
        return response

    return [
        Route("/evening/{evening}.{page}", show, methods=["GET"]),
        Route("/evening/{evening}", show, methods=["GET"]),
        post("/evening/{evening}", change),
        Route("/evening/{evening}/review/{place}", partial(_review, pages)),
        Route("/evening/{evening}/{page}", show, methods=["GET"]),
        Route("/evening/{evening}/{page}/{number}", show, methods=["GET"]),
    ]


async def _review(pages: Pages, request: Request) -> Response:
    """Return the review of a finished game, for the people of the evening."""
    evening, owner = await read_evening(request), sessions.owner_of(request) or ""
    played = evening.state.tables.get(_numbers(request.path_params["place"]))
    is_here = owner == evening.director or evening.number_of(owner) is not None
    if not is_here or played is None or played.outcome is None or evening.settings.has_real_cards:
        raise Refused("evening-game-not-open", status=403)
    table = await services_of(request).tables.read(played.match_id)
    if table.person_of(owner) is not None:
        return RedirectResponse(f"/review/{table.id}", status_code=303)
    if not table.games_played:
        raise Refused("evening-game-not-open", status=403)
    names = table.names(pages.language(request))
    game = record.write((await table.ledger_with_game(1)).record(1, names))
    packed = base64.urlsafe_b64encode(zlib.compress(game.encode(), wbits=-zlib.MAX_WBITS))
    shared = {"id": "", "record": packed.decode().rstrip("="), "title": " – ".join(names)}
    return review_page(pages, request, game=None, number=None, seat=0, shared=shared)


async def read_evening(request: Request) -> Evening:
    """Return the evening in the address. Raise Refused if it does not exist."""
    name = request.path_params["evening"]
    if not _ID_PATTERN.fullmatch(name):
        raise Refused("no-such-evening", status=404)
    return await services_of(request).evenings.read(name)


def person_names(evening: Evening, lang: str) -> tuple[str, ...]:
    return display_names([Person(name=one.name, level=one.level) for one in evening.people], lang)


async def _view(pages: Pages, request: Request, bound: str | None) -> dict[str, Any]:
    """Return the values for the templates, which must not show owners, nor matches of other people."""
    evening, lang, owner = await read_evening(request), pages.language(request), sessions.owner_of(request)
    services, state, asked = services_of(request), evening.state, request.query_params
    cards, number = evening.cards.cards, evening.number_of(owner or "")
    held = {one.match_id: place for place, one in state.tables.items() if one.outcome is None}
    scores = {
        held[name]: [table.ledger.table.state.front[table.ledger.seated.index(one)] for one in (0, 1)]
        for name, table in services.tables.held_tables().items()
        if name in held
    }
    is_director = owner == evening.director
    keys = {one: _substitute_key(evening, one) for one in cards} if is_director else {}
    link, picture = await link_and_qr_code(request, bound, f"/evening/{evening.id}")
    code_page, _ = await link_and_qr_code(request, bound, "/join")
    shown = {"evening": evening, "date": date(evening.opened_at, lang), "names": person_names(evening, lang)}
    shown |= {"cards": cards, "ranked": standings(cards.values()), "scores": scores, "keys": keys}
    shown |= {"figures": await services.evening_play.figures(evening), "is_director": is_director}
    shown |= {"link": link, "picture": picture, "code_page": code_page.partition("://")[2], "me": number}
    shown |= {"place": _numbers(asked.get("table", "")), "who": _numbers(asked.get("record", ""))[0]}
    shown |= {"number": _numbers(request.path_params.get("number", ""))[0], "chosen": {}}
    shown |= {"who_for": _numbers(asked.get("for", ""))[0], "key": asked.get("key", "")}
    shown["what"] = asked.get("what")
    return shown | {"error": None, "words": site.words_of(lang, "waiting_room.")}


def _numbers(text: str) -> tuple[int, int]:
    """Return the first two numbers of a text; -1 for a missing one."""
    first, second, *_ = (*map(int, re.findall(r"-?[0-9]+", text[:9])), -1, -1)
    return first, second


def _substitute_key(evening: Evening, number: int) -> str:
    """Return the secret of the director's link by which one person can play on for a record."""
    times = sum(one.record == number for one in evening.state.players)
    secret = f"{evening.settings.seed} substitute {number} {times}"
    return hashlib.sha256(secret.encode()).hexdigest()[:16]


def _decision(
    evening: Evening, chosen: dict[str, str], person: EveningPerson
) -> Callable[[Evening], Change | None]:
    """Return the change that a form asks for. person: its sender."""
    owner, number = person.owner or "", _numbers(chosen.get("record", ""))[0]
    place, left = _numbers(chosen.get("table", "")), chosen.get("left", "")
    scores = _numbers(f"{chosen.get('score_0') or -1} {chosen.get('score_1') or -1}")
    match chosen.get("do"):
        case "join":
            return partial(_join, person=person, number=None)
        case "leave":
            current = evening.number_of(owner) if number < 0 else evening.state.player_of(number)
            return partial(decisions.leave, owner=owner, number=-1 if current is None else current)
        case "begin":
            begun = _numbers(chosen.get("round", ""))[0]
            return partial(decisions.begin, number=begun, director=owner)
        case "substitute" if (level := chosen.get("level", "")) in LEVELS:
            stand_in = EveningPerson("", level=level)
            return partial(decisions.substitute, owner=owner, record=number, person=stand_in)
        case "substitute":
            if chosen.get("key") != _substitute_key(evening, number):
                raise Refused("substitute-link-used", status=409)
            return partial(_join, person=person, number=number)
        case "correct":
            gone = left in ("0", "both"), left in ("1", "both")
            outcome = Outcome((0, 0) if any(gone) else scores, gone)
            reason = chosen.get("reason", "")
            return partial(decisions.correct, owner=owner, place=place, outcome=outcome, reason=reason)
        case "enter":
            return partial(decisions.enter, owner=owner, place=place, scores=scores)
        case "close":
            return partial(decisions.close, owner=owner)
        case other:
            raise Refused("option-unknown", name=str(other)[:40])


def _join(evening: Evening, person: EveningPerson, number: int | None) -> Change | None:
    """Let a person check in, or play on for a record by the director's link. number: the record, or None."""
    if evening.number_of(person.owner or "") is None:
        if not 1 <= len(person.name.removesuffix(GUEST_MARK)) <= MAX_NAME_LENGTH:
            raise Refused("name-length", least=1, most=MAX_NAME_LENGTH)
        if similarity_key(person.name) in {similarity_key(one.name) for one in evening.people}:
            raise Refused("evening-name-taken", status=409)
        if evening.settings.needs_account and not person.is_member:
            raise Refused("evening-needs-account", status=403)
    if number is None:
        return decisions.join(evening, person)
    return decisions.substitute(evening, evening.director, number, person)
