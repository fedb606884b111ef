"""The `Pages` object that renders templates, the home page and table pages, and functions for forms.

Every template gets `lang`, `path`, `text` and `_` (the text of a key), `listed` (names in a sentence),
`card_text`, `card_names` and `score_text` (cards and scores in words), and `static` (the address of a file
with the hash of its content, cached without limit).
"""

import asyncio
import contextlib
import hashlib
import unicodedata
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, TypeVarTuple
from urllib.parse import parse_qsl

import jinja2
import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.contest.match import Length, NextDealer
from fifteentwo.engines.programs import PROGRAM
from fifteentwo.i18n.cards import listed
from fifteentwo.players import LEVELS
from fifteentwo.rules.board import Board
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import to_json
from fifteentwo.rules.variants import OPTIONS, TARGETS, Rules, rules_for
from fifteentwo.server.errors import Refused, ServerError
from fifteentwo.server.http import rate_limits, sessions
from fifteentwo.server.http.rate_limits import RequestKind
from fifteentwo.server.http.static_files import StaticFolder
from fifteentwo.server.live import seats, wire
from fifteentwo.server.live.pass_and_play import assign_page_sharers, shares_page
from fifteentwo.server.live.quick_chat import PRESETS
from fifteentwo.server.live.spectators import DELAY_SECONDS
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.live.table_state import TableState, persons_of_owner
from fifteentwo.server.live.tables import MAX_HOME_PAGE_TABLES
from fifteentwo.server.people import lobby
from fifteentwo.server.people.invitations import name_with_guest_mark
from fifteentwo.server.people.usernames import is_invisible
from fifteentwo.server.services import services_of
from fifteentwo.server.table_log import time_controls
from fifteentwo.server.table_log.options import FIRST_GAME_GOAL, Options
from fifteentwo.server.table_log.rows import Person
from fifteentwo.server.work_queue import WorkQueue

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

WEB_FOLDER = Path(__file__).parents[2] / "web"
LANG_COOKIE = "lang"
_YEAR_SECONDS = 365 * 24 * 3600
_FORM_CONTENT_TYPE = "application/x-www-form-urlencoded"
MAX_FORM_BYTES = 16 * 1024
MAX_BODY_SECONDS = 30.0
MAX_NAME_LENGTH = 24
PERSON = "person"
"""Level in the form for a seat of another user, who gets an invitation."""
HERE = "here"
"""Level in the form for a second player on this screen (pass and play)."""
CHALLENGE_SECONDS_CHOICES = ("5", "10", "20", "60", "none")
"""Choices of the form: seconds to challenge a claim."""
_TABLE_WORDS = (
    *("board.", "card", "claim.", "close", "coach.", "cut.", "discard.", "draw.", "hand.", "home.you"),
    *("level.", "line.", "list.", "name.", "name_dealer.", "nothing.", "number.", "over.", "play.", "read."),
    *("score.", "seal.", "settings.", "show.", "sound.", "table.", "terms.", "trouble.", "variant."),
)
"""Prefixes of the text keys that the scripts of a table, a spectator's page and a review use."""
_LAZY_WORD_PARTS = ("clock", "looks", "pegs", "proof")
"""Prefixes of text keys that the table loads when needed."""
_HOME_WORDS = (
    *("home.against", "home.opponent_name.1", "home.person.note", "home.summary.", "home.sentence"),
    *("home.why.", "home.daily.", "practice.daily.days", "level.", "list.", "pass_and_play.home."),
    "learn.card.",
)
"""Prefixes of the text keys in the home page's script."""


class Pages:
    """Renders templates and responds to requests."""

    def __init__(self, *, lang: str | None = None) -> None:
        self._lang = lang
        self._work = WorkQueue("pages", threads=2)
        self.files = StaticFolder(WEB_FOLDER / "static")
        self._templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader(WEB_FOLDER / "templates"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        # Japanese texts need fewer bytes unescaped.
        self._templates.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
        self._templates.globals |= {"levels": LEVELS, "targets": TARGETS, "first_goal": FIRST_GAME_GOAL}

    def language(self, connection: HTTPConnection) -> str:
        """Return the language from the address, the cookie, or the browser's preferences, in this order."""
        for wanted in (connection.query_params.get("lang"), connection.cookies.get(LANG_COOKIE)):
            if wanted in i18n.LANGUAGES:
                return str(wanted)
        accepted = connection.headers.get("accept-language")
        return (self._lang or "en") if accepted is None else i18n.preferred(accepted)

    def page(self, request: Request, template: str, *, status: int = 200, **values: Any) -> Response:
        """Return a rendered template; a language in the address is stored in a cookie."""
        lang = self.language(request)
        text = partial(i18n.text, lang=lang)
        context = {"lang": lang, "path": request.scope["path"], "status": status}
        context["origin"] = str(request.base_url).rstrip("/")
        context |= {"username": username_of(request), "text": text, "_": text, "static": self.files.address}
        context |= {"listed": partial(listed, lang=lang), "card_text": partial(i18n.card_text, lang=lang)}
        context["card_names"] = partial(i18n.card_names, lang=lang)
        context["score_text"] = partial(i18n.score_text, lang=lang)
        html = self._templates.get_template(template).render(context | values)
        response = Response(html, status, media_type="text/html")
        response.headers["Content-Language"] = lang
        response.headers["Vary"] = "Cookie, Accept-Language"
        if request.query_params.get("lang") == lang:
            response.set_cookie(
                LANG_COOKIE, lang, max_age=_YEAR_SECONDS, samesite="lax", secure=sessions.is_secure(request)
            )
        return response

    def static_page_route(self, path: str, template: str, *words: str, **values: Any) -> Route:
        """Return the route of a static page. words: prefixes of its text keys."""

        async def show(request: Request) -> Response:
            return self.page(request, template, words=words_of(self.language(request), *words), **values)

        return Route(path, show)

    def error(self, request: Request, error: FifteenTwoError, status: int | None = None) -> Response:
        """Return an error as JSON for scripts, otherwise as a page. status: replaces the error's status."""
        why, path = wire.refusal(error, self.language(request)), request.scope["path"]
        if path.startswith("/api/") or path.endswith("/answer"):
            response = json_response(why, status or http_status(error))
        else:
            values = {"message": why.message, "code": why.code}
            response = self.page(request, "error.html", status=status or http_status(error), **values)
        response.headers.update(retry_headers(error) if status is None else {})
        return response

    async def compute(self, request: Request, kind: RequestKind, work: Callable[[*Ts], T], *given: *Ts) -> T:
        """Return the result of a long computation in a thread; raise Refused if the client asks too much."""
        rate_limits.admit(request, kind)
        return await self._work.run(rate_limits.widest_block(request), work, *given)

    async def home(self, request: Request, **values: Any) -> Response:
        lang = self.language(request)
        owner = sessions.owner_of(request)
        tables = [] if owner is None else await services_of(request).tables.unfinished_of(owner)
        finished, due = any(table.games_played for table in tables), 0
        if owner is not None:
            if len(tables) == MAX_HOME_PAGE_TABLES and finished:
                # Finished games that are not listed yet may fill the page before an unfinished one.
                await services_of(request).tables.history.store_games_of(owner)
                tables = await services_of(request).tables.unfinished_of(owner)
            finished = finished or await services_of(request).tables.history.count_games(owner) > 0
            due = await services_of(request).own_mistakes.count_due(owner) if finished else 0
        games = [summary_of(table, owner, lang) for table in tables]
        removed, hidden = request.query_params.get("removed", ""), list[str]()
        if removed and owner is not None:
            store = services_of(request).store
            hidden = await store.unfinished_of(owner, MAX_HOME_PAGE_TABLES, only_hidden=True)
        context: dict[str, Any] = {
            "programs": services_of(request).tables.thinking.programs.names,
            "going": [game for game in games if not game["over"]],
            "finished": finished,
            "due": due,
            "removed": removed if removed in hidden else None,
            "chosen": {},
            "error": None,
            "challenge_choices": CHALLENGE_SECONDS_CHOICES,
            "clock_moves": time_controls.MOVE_SECONDS,
            "clock_aways": time_controls.ABSENCE_SECONDS,
            "clock_usual": time_controls.DEFAULT_CLOCK_CHOICES,
            "spectate_delay": f"{DELAY_SECONDS:g}",
            "words": words_of(lang, *_HOME_WORDS),
        }
        return self.page(request, "home.html", **(context | values))

    def admit_table(self, request: Request) -> None:
        """Raise Refused if another site asks for a new table, or the client has too many."""
        check_same_origin(request)
        rate_limits.admit(request, rate_limits.NEW_TABLE_REQUEST)
        rate_limits.admit(request, rate_limits.NEW_TABLE_OF_DAY)

    def redirect_to_table(self, request: Request, name: str, token: str, page: str = "") -> Response:
        """Return a redirect to a table's page, which also stores the browser's token in its cookie."""
        response = RedirectResponse(f"/game/{name}{page}", status_code=303)
        sessions.BROWSER_COOKIE.write(request, response, token)
        return response

    async def create_table(self, request: Request) -> Response:
        self.admit_table(request)
        chosen, services = await read_form(request), services_of(request)
        try:
            rules, options, people = read_table_form(chosen, services.tables.thinking.programs.names)
        except FifteenTwoError as error:
            message = i18n.refusal(error, self.language(request))
            return await self.home(request, chosen=chosen, error=message, status=400)
        owner, token = sessions.owner_and_token(request)
        first = msgspec.structs.replace(people[0], name=people[0].name or username_of(request))
        people = assign_page_sharers((first, *people[1:]), owner, self.language(request))
        invites = any(one.invitation is not None for one in people)
        if invites:
            here = {one.name for one in people if one.owner is not None}
            marked = {name: await name_with_guest_mark(services.store, request, name) for name in here}
            people = tuple(
                one if one.owner is None else msgspec.structs.replace(one, name=marked[one.name])
                for one in people
            )
        name = await services.tables.create(rules, options, people)
        if invites:
            await seats.store_host_seat(services.store, name, seats.origin_of(request, token))
        if invites and chosen.get("listed") == "yes":
            # A host with enough listed tables waits with this one unlisted; the waiting room says so.
            with contextlib.suppress(Refused):
                rate_limits.admit(request, rate_limits.LIST_TABLE)
                await lobby.list_table(services.store, await services.tables.read(name), owner)
        return self.redirect_to_table(request, name, token, "/waiting" if invites else "")

    async def game(self, request: Request) -> Response:
        """Return the table page; its content comes through the WebSocket."""
        table = await self.own_table(request)
        first = table.options.first_game
        owner, lang = sessions.owner_of(request), self.language(request)
        shared = len(persons_of_owner(table.people, owner)) > 1
        spectated = bool(table.options.spectator_key)
        has_others = any(one.level is None and one.owner != owner for one in table.people)
        values: dict[str, Any] = {"game": table.id, "shared": shared, "spectated": spectated}
        values["has_board"], values["evening"] = bool(table.options.board_key), table.options.evening
        values["now"] = request.query_params.get("now") == "yes"
        values["presets"] = PRESETS if has_others else ()
        values["first_words"] = words_of(lang, "first.", "story.title", "shape.why.") if first else {}
        values["more_words"] = words_of(lang, *["pass_and_play."] * shared, *["spectate."] * spectated)
        return self.page(request, "table.html", **values)

    async def table(self, request: Request, name: str = "") -> TableState:
        """Return the table with this id, or with the id in the address."""
        return await services_of(request).tables.read(name or request.path_params["game"])

    async def held_table(self, request: Request) -> LiveTable:
        """Return the table in the address, held by this process; raise Refused for strangers."""
        await self.own_table(request)
        return await services_of(request).tables.open(request.path_params["game"])

    async def own_table(self, request: Request, name: str = "") -> TableState:
        """Return a table as `table` does; raise Refused for strangers."""
        table = await self.table(request, name)
        if table.person_of(sessions.owner_of(request)) is None:
            raise Refused("not-your-table", status=403)
        return table

    async def words(self, request: Request) -> Response:
        """Return the texts for the table's scripts, or one part that is loaded later."""
        lang = request.path_params["lang"]
        if lang not in i18n.LANGUAGES:
            raise Refused("no-such-page", status=404)
        part = request.query_params.get("part")
        words = words_of(lang, *([f"{part}."] if part in _LAZY_WORD_PARTS else _TABLE_WORDS))
        body = msgspec.json.encode(words)
        etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        headers = {"ETag": etag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers=headers)
        return Response(body, media_type="application/json", headers=headers)


def words_of(lang: str, *key_prefixes: str) -> dict[str, str]:
    """Return the texts, by key, whose keys begin with one of these prefixes."""
    return {key: sentence for key, sentence in i18n.catalogue(lang).items() if key.startswith(key_prefixes)}


def username_of(request: Request) -> str:
    named = sessions.user_of(request)
    return "" if named is None else named.name


def names_for(table: TableState, owner: str | None, lang: str) -> tuple[str, ...]:
    """Return the names by person; a user without a name is "You"."""
    own = table.viewer_of(owner)
    is_unnamed = own is not None and not table.people[own].name
    called = enumerate(table.names(lang))
    return tuple([i18n.text("home.you", lang) if is_unnamed and n == own else name for n, name in called])


def summary_of(table: TableState, owner: str | None, lang: str) -> dict[str, Any]:
    """Return a table as the home page lists it, with people by seat. A user without a name is "You"."""
    names, state = names_for(table, owner, lang), table.ledger.table.state
    summary: dict[str, Any] = {"id": table.id, "board": table.options.board.value}
    rules = table.rules
    summary |= {"variant": rules.variant.value, "target": rules.target, "skunk": rules.skunk}
    summary |= {"front": state.front, "rear": state.rear, "tally": table.ledger.match_so_far.tally}
    summary["names"] = [names[person] for person in table.ledger.seated]
    summary["first"] = table.options.first_game and max(state.front) >= FIRST_GAME_GOAL
    summary["over"] = table.ledger.table.over or table.ledger.is_abandoned
    return summary


def check_same_origin(connection: HTTPConnection) -> None:
    if not sessions.is_same_origin(connection):
        raise Refused("other-origin", status=403)


def post(path: str, respond: Callable[[Request], Awaitable[Response]]) -> Route:
    """Return the route of a form on our own pages; requests of other sites are refused."""

    async def own(request: Request) -> Response:
        check_same_origin(request)
        return await respond(request)

    return Route(path, own, methods=["POST"])


async def read_body(request: Request, max_bytes: int, refused: Refused | None = None) -> bytes:
    """Return the body of a request; raise Refused if it is too long or arrives too slowly."""
    body = bytearray()
    try:
        async with asyncio.timeout(MAX_BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > max_bytes:
                    raise refused or Refused("form-too-long", status=413)
    except TimeoutError:
        raise Refused("request-unreadable", status=408) from None
    return bytes(body)


def json_response(value: object, status: int = 200) -> Response:
    return Response(to_json(value), status, media_type="application/json")


def parse_number(text: str, digits: int = 6) -> int:
    """Return a whole number with at most this number of digits; 0 if the text is not one."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else 0


async def read_form(request: Request, max_bytes: int = MAX_FORM_BYTES) -> dict[str, str]:
    """Return the fields of a posted form; of repeated fields the last one counts."""
    body = await read_body(request, max_bytes)
    kind = request.headers.get("content-type", _FORM_CONTENT_TYPE).partition(";")[0].strip().lower()
    if kind != _FORM_CONTENT_TYPE:
        raise Refused("form-unreadable")
    try:
        return dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=64))
    except (ValueError, UnicodeDecodeError):
        raise Refused("form-unreadable") from None


def read_table_form(
    chosen: dict[str, str], programs: Collection[str] = ()
) -> tuple[Rules, Options, tuple[Person, ...]]:
    """Return rules, options and people of a form, the sender first. programs: names of external opponents."""
    words: dict[str, Any] = {"yes": True, "no": False}
    ruled: dict[str, Any] = {}
    for name in OPTIONS:
        if name in chosen:
            value = chosen[name]
            number = value.isascii() and value.isdecimal() and len(value) < 5
            ruled[name] = int(value) if number else words.get(value, value)
    if chosen.get("length") == Length.NINE:
        # In a match of nine games a skunk counts more.
        ruled["skunk"] = True
    rules = rules_for(chosen.get("variant", "six-card"), **ruled)
    others = [_read_opponent(chosen, seat, programs) for seat in range(1, rules.seats)]
    options = _read_options(chosen)
    if all(one.level is not None for one in others):
        # A table with computers alone needs no clock, because nobody waits for the user.
        options = msgspec.structs.replace(options, clock=None)
    if any(shares_page(one) for one in others):
        # No clocks, because passing the screen on takes time.
        options = msgspec.structs.replace(options, challenge_seconds=None, clock=None)
    return rules, options, (Person(name=one_line(chosen.get("name", ""))), *others)


def _read_options(chosen: dict[str, str]) -> Options:
    seconds = chosen.get("challenge_seconds", "10")
    if seconds not in CHALLENGE_SECONDS_CHOICES:
        raise Refused("option-unknown", name="challenge_seconds")
    try:
        return Options(
            board=Board(chosen.get("board", "A")),
            next_dealer=NextDealer(chosen.get("next_dealer", "loser")),
            length=Length(chosen.get("length", "open")),
            challenge_seconds=None if seconds == "none" else float(seconds),
            first_game=chosen.get("first_game") == "yes",
            clock=time_controls.read_time_control(chosen),
            spectator_key=sessions.new_token()[:22] if chosen.get("spectators") == "yes" else "",
            board_key=sessions.new_token()[:22] if PERSON in chosen.values() else "",
        )
    except ValueError as error:
        raise Refused("option-unknown", name=str(error).split(" is ")[0].strip("'")[:40]) from None


def _read_opponent(chosen: dict[str, str], seat: int, programs: Collection[str]) -> Person:
    level, name = chosen.get(f"level_{seat}"), one_line(chosen.get(f"name_{seat}", ""))
    if level == HERE:
        return Person(name=one_line(chosen.get(f"here_{seat}", "")))
    if level == PERSON:
        return Person(name=name, invitation=sessions.new_token()[:22])
    kind, _, program = (level or "").partition(":")
    if kind == PROGRAM and program in programs:
        return Person(name=program, level=PROGRAM)
    level = level or ("club" if "club" in LEVELS else LEVELS[-1])
    if level not in LEVELS:
        raise Refused("option-unknown", name=level[:40])
    return Person(name=name, level=level)


def one_line(text: str, most: int = MAX_NAME_LENGTH) -> str:
    """Return a name in one line, without invisible characters, cut to a length."""
    shown = "".join(sign for sign in unicodedata.normalize("NFC", text) if not is_invisible(sign))
    return " ".join(shown.split())[:most]


def http_status(error: FifteenTwoError) -> int:
    if isinstance(error, Refused):
        return error.status
    return 503 if isinstance(error, ServerError) else 400


def may_succeed_later(error: FifteenTwoError) -> bool:
    """Return whether the same request may succeed later."""
    return http_status(error) in (429, 503)


def retry_headers(error: FifteenTwoError) -> dict[str, str]:
    """Return headers of a refusal: when to retry, or to close the connection after a slow request."""
    if http_status(error) == 408:
        return {"Connection": "close"}
    if not may_succeed_later(error):
        return {}
    return {"Retry-After": str(getattr(error, "values", {}).get("seconds", 5))}
