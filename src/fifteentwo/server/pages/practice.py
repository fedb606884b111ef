"""Practice pages: counting, problems (own mistakes and sets by theme), and the daily deal."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from typing import Any

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fifteentwo.rules.cards import Card
from fifteentwo.rules.record import from_json, to_plain
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import STUDY_REQUEST, admit
from fifteentwo.server.live.table_state import TableState
from fifteentwo.server.pages import site
from fifteentwo.server.pages.site import Pages
from fifteentwo.server.services import services_of
from fifteentwo.server.study import daily, problems
from fifteentwo.server.study.problems import LADDER_THEME, NextProblem
from fifteentwo.server.table_log.dealing import daily_secret
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person

MAX_ANSWER_BYTES = 1024
_NEXT_WORDS = ("practice.solve.work-on", "practice.skill.", "practice.last", "practice.theme.ladder")
_COUNTING_WORDS = (
    *("practice.count.", "practice.pattern.", "card", "list.", "name.", "number.", "score."),
    *("shape.", "spoken.", "check.starter", "nothing.", *_NEXT_WORDS),
)
"""Prefixes of the text keys that the page's script uses; the other tuples likewise."""
_LIST_WORDS = (
    *("practice.solved", "practice.right", "practice.skill.", "practice.title", "practice.daily.is-done"),
    *("level.", "practice.next-why."),
)
_SOLVING_WORDS = (
    *("practice.solve.", "practice.ladder.", "practice.skill.", "practice.count.hole.", "card.", "list."),
    *("review.mark.", "review.change", "practice.last", "practice.theme.ladder", "practice.daily.wrong"),
    *("check.starter", "table.count", "close", "level."),
)
_DAILY_WORDS = (
    *("practice.daily.", "practice.solve.", "practice.count.", "review.mark.", "level.", "list."),
    *("card", "check.starter", "waiting_room.", "score.", "name."),
    *("shape.", "spoken.", "number.", "nothing.", *_NEXT_WORDS),
)
PRACTICE_TILES = (
    ("errors", "errors", "9H 5D"),
    ("daily", "daily", ""),
    ("count", "count", "5S JC"),
    ("duplicate", "duplicate", "7C ?"),
)
"""For each kind of practice the address, the name, and the cards on its tile."""
THEME_CARDS = ("TS 2D", "AC 4D", "4S", "TH 6H", "JH QS", "5C 5D")
"""The cards on the tile of each theme."""


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a problem."""

    id: str
    cards: tuple[Card, ...]


class DailyNow(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the daily deal: the user's score, and the scores of our levels."""

    day: str
    game: str | None
    """Id of the user's table; None before the first request."""
    over: bool
    """Whether the user has finished the game."""
    own: daily.DailyScore | None
    levels: tuple[daily.LevelScore, ...]
    more: bool
    """Whether levels are still playing the deal."""


def routes(pages: Pages) -> list[Route]:
    async def practice(request: Request) -> Response:
        owner = sessions.owner_of(request)
        own = None if owner is None else await services_of(request).own_mistakes.next_problem(owner)
        sets = await asyncio.to_thread(problems.problem_sets)
        words = site.words_of(pages.language(request), *_LIST_WORDS)
        values: dict[str, Any] = {
            "tiles": PRACTICE_TILES,
            "themes": tuple(zip(problems.THEMES, THEME_CARDS, strict=True)),
            "sizes": {theme: len(views) for theme, views in sets.items()},
            "rungs": problems.RUNG_LEVELS,
            "day": daily.today(),
            "own": own or NextProblem(problem=None, now=0),
        }
        return pages.page(request, "practice.html", words=words, **values)

    return [
        Route("/practice", practice),
        pages.static_page_route("/practice/count", "practice_count.html", *_COUNTING_WORDS),
        *_mistake_routes(pages),
        *_set_routes(pages),
        *_daily_routes(pages),
    ]


def _page(pages: Pages, request: Request, title: str, theme: str = "") -> Response:
    words = site.words_of(pages.language(request), *_SOLVING_WORDS)
    rungs = problems.RUNG_LEVELS if theme == LADDER_THEME else ()
    values = {"title": title, "at": request.scope["path"], "theme": theme, "rungs": rungs}
    return pages.page(request, "practice_solve.html", words=words, **values)


def _answer_route(
    pages: Pages, path: str, judge: Callable[[Request, Answer, str], Awaitable[object]]
) -> Route:
    async def answer(request: Request) -> Response:
        site.check_same_origin(request)
        body = from_json(await site.read_body(request, MAX_ANSWER_BYTES), Answer)
        return site.json_response(await judge(request, body, pages.language(request)))

    return Route(path, answer, methods=["POST"])


def _mistake_routes(pages: Pages) -> list[Route]:
    async def page(request: Request) -> Response:
        return _page(pages, request, "practice.errors.title")

    async def upcoming(request: Request) -> Response:
        owner = sessions.owner_of(request)
        if owner is None:
            return site.json_response(NextProblem(problem=None, now=0))
        but = request.query_params.get("but", "")[:64]
        return site.json_response(await services_of(request).own_mistakes.next_problem(owner, but))

    async def judge(request: Request, answer: Answer, lang: str) -> object:
        owner = sessions.owner_of(request)
        if owner is None:
            raise Refused("no-such-problem", status=404)
        admit(request, STUDY_REQUEST)
        return await services_of(request).own_mistakes.judge_answer(owner, answer.id, answer.cards, lang)

    return [
        Route("/practice/errors", page),
        Route("/practice/errors/next.json", upcoming),
        _answer_route(pages, "/practice/errors/answer", judge),
    ]


def _set_routes(pages: Pages) -> list[Route]:
    async def page(request: Request) -> Response:
        theme = _theme_in_path(request)
        return _page(pages, request, f"practice.theme.{theme}", theme)

    async def upcoming(request: Request) -> Response:
        theme, asked = _theme_in_path(request), request.query_params
        views = (await asyncio.to_thread(problems.problem_sets))[theme]
        number = site.parse_number(asked.get("n", "0")) % len(views)
        if theme == LADDER_THEME:
            number = problems.place_on_ladder(site.parse_number(asked.get("rung", "0")), number)
        shown = problems.make_problem(str(number), views[number])
        return site.json_response(NextProblem(problem=shown, now=len(views)))

    async def judge(request: Request, answer: Answer, lang: str) -> object:
        views = (await asyncio.to_thread(problems.problem_sets))[_theme_in_path(request)]
        number = site.parse_number(answer.id)
        if number >= len(views):
            raise Refused("no-such-problem", status=404)
        return await pages.compute(
            request, STUDY_REQUEST, problems.judge_answer, views[number], answer.cards, lang
        )

    return [
        Route("/practice/sets/{theme}", page),
        Route("/practice/sets/{theme}/next.json", upcoming),
        _answer_route(pages, "/practice/sets/{theme}/answer", judge),
    ]


def _theme_in_path(request: Request) -> str:
    theme = str(request.path_params["theme"])
    if theme not in (*problems.THEMES, LADDER_THEME):
        raise Refused("no-such-page", status=404)
    return theme


def _daily_routes(pages: Pages) -> list[Route]:
    days = daily.DailyScores()

    async def page(request: Request) -> Response:
        day, unfinished = _asked_day(request), None
        table = await _own_table(request, day)
        if table is None:
            before = await _own_table(request, (date.fromisoformat(day) - timedelta(days=1)).isoformat())
            unfinished = before if before is not None and not before.games_played else None
        values: dict[str, Any] = {"day": day, "opponent": daily.OPPONENT_LEVEL, "unfinished": unfinished}
        has_tasks = "day" not in request.query_params
        values["tasks"] = to_plain(await asyncio.to_thread(daily.tasks, day)) if has_tasks else None
        values["game"] = None if table is None else table.id
        values["over"] = table is not None and table.games_played > 0
        words = site.words_of(pages.language(request), *_DAILY_WORDS)
        return pages.page(request, "practice_daily.html", **values, words=words)

    async def short_address(request: Request) -> Response:
        return RedirectResponse(request.url.replace(path="/practice/daily"), status_code=308)

    async def play(request: Request) -> Response:
        """Redirect to the day's table, which is created with the first request."""
        pages.admit_table(request)
        (owner, token), day = sessions.owner_and_token(request), daily.today()
        table = await _own_table(request, day)
        name = daily.game_id(owner, day) if table is None else table.id
        if table is None:
            people = Person(name="", owner=owner), Person(name="", level=daily.OPPONENT_LEVEL)
            try:
                opening, secret = daily.opening(day), daily_secret(day)
                await services_of(request).tables.create(
                    daily.DAILY_RULES, Options(daily=day), people, opening, table_id=name, secret=secret
                )
            except StoreError as error:
                # A simultaneous request has created the table.
                if error.code != "conflict":
                    raise
        days.play_levels(day)
        return pages.redirect_to_table(request, name, token)

    async def now(request: Request) -> Response:
        return site.json_response(await _daily_state(days, request))

    return [
        Route("/practice/daily", page, methods=["GET"]),
        Route("/daily", short_address),
        _daily_answer_route(pages),
        Route("/practice/daily", play, methods=["POST"]),
        Route("/practice/daily.json", now),
    ]


def _daily_answer_route(pages: Pages) -> Route:
    async def answer(request: Request) -> Response:
        """Judge the answers, count the discard for everyone's statistics, and store mistakes."""
        answers = from_json(await site.read_body(request, MAX_ANSWER_BYTES), daily.DailyAnswers)
        yesterday = (date.fromisoformat(daily.today()) - timedelta(days=1)).isoformat()
        if answers.day not in (daily.today(), yesterday):
            raise Refused("no-such-problem", status=404)
        verdict = await pages.compute(request, STUDY_REQUEST, daily.judge, answers, pages.language(request))
        owner, token = sessions.owner_and_token(request)
        store = services_of(request).store
        counted = await daily.count_discards(store, owner, answers.day, answers.deal)
        costly, tasks = daily.costly_answers(answers, verdict), daily.game_id(owner, answers.day, "tasks")
        await services_of(request).own_mistakes.add(owner, tasks, costly)
        response = site.json_response(replace(verdict, discards=counted))
        sessions.BROWSER_COOKIE.write(request, response, token)
        return response

    return site.post("/practice/daily/answer", answer)


async def _own_table(request: Request, day: str) -> TableState | None:
    """Return the user's table of a day, which they may have played as a guest, or None."""
    owner = sessions.owner_of(request)
    if owner is None:
        return None
    added = await daily.table_played_as_guest(services_of(request).store, owner, day)
    for name in (daily.game_id(owner, day), added):
        try:
            table = await services_of(request).tables.read(name or "")
        except Refused:
            continue
        if table.person_of(owner) is not None:
            return table
    return None


def _asked_day(request: Request) -> str:
    try:
        asked = date.fromisoformat(request.query_params.get("day", "")).isoformat()
    except ValueError:
        return daily.today()
    return min(asked, daily.today())


async def _daily_state(days: daily.DailyScores, request: Request) -> DailyNow:
    day = _asked_day(request)
    table = await _own_table(request, day)
    over = table is not None and table.games_played > 0
    own = None
    if table is not None and over:
        days.play_levels(day)
        record = (await table.ledger_with_game(1)).record(1, ("", ""))
        own = await days.user_score(table.id, record, services_of(request).tables.reviews)
    game, levels = None if table is None else table.id, days.level_scores(day) if over else ()
    more = over and days.is_playing(day)
    return DailyNow(day=day, game=game, over=over, own=own, levels=levels, more=more)
