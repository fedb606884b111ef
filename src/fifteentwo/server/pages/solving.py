"""Decisions to be found: one's own errors as they are due, and the sets by theme."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fifteentwo.rules.cards import Card
from fifteentwo.rules.record import from_json
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.pages.site import (
    Pages,
    body_of,
    json_response,
    must_be_own,
    number_in,
    words_of,
)
from fifteentwo.server.services import services_of
from fifteentwo.server.study.problems import (
    LADDER,
    RUNGS,
    THEMES,
    NextProblem,
    on_rung,
    problem,
    sets,
    solved,
)

MOST_BODY = 1024
_WORDS = (
    *("practice.solve.", "practice.ladder.", "card.", "list.", "check.starter", "table.count", "close"),
    "level.",
)


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards chosen in a decision."""

    id: str
    cards: tuple[Card, ...]


Judge = Callable[[Request, Answer, str], Awaitable[object]]
"""Judges an answer, in a language."""


def routes(pages: Pages) -> list[Route]:
    """The addresses of these pages."""
    return [*_errors(pages), *_sets(pages)]


def _page(pages: Pages, request: Request, title: str, theme: str = "") -> Response:
    words = words_of(pages.language(request), *_WORDS)
    path = request.scope["path"]
    rungs = RUNGS if theme == LADDER else ()
    return pages.page(
        request, "practice_solve.html", title=title, at=path, theme=theme, rungs=rungs, words=words
    )


def _answers(pages: Pages, path: str, judge: Judge) -> Route:
    """Return the route to which answers are posted."""

    async def answer(request: Request) -> Response:
        must_be_own(request)
        body = from_json(await body_of(request, MOST_BODY), Answer)
        return json_response(await judge(request, body, pages.language(request)))

    return Route(path, answer, methods=["POST"])


def _errors(pages: Pages) -> list[Route]:
    async def page(request: Request) -> Response:
        """One's own errors, one after another."""
        return _page(pages, request, "practice.errors.title")

    async def upcoming(request: Request) -> Response:
        owner = sessions.owner_of(request)
        if owner is None:
            return json_response(NextProblem(problem=None, now=0))
        but = request.query_params.get("but", "")[:64]
        return json_response(await services_of(request).own_mistakes.due(owner, but))

    async def judge(request: Request, answer: Answer, lang: str) -> object:
        owner = sessions.owner_of(request)
        if owner is None:
            raise Refused("no-such-problem", status=404)
        return await services_of(request).own_mistakes.answered(owner, answer.id, answer.cards, lang)

    return [
        Route("/practice/errors", page),
        Route("/practice/errors/next.json", upcoming),
        _answers(pages, "/practice/errors/answer", judge),
    ]


def _sets(pages: Pages) -> list[Route]:
    async def page(request: Request) -> Response:
        """The problems of a theme, one after another; the browser remembers how far."""
        theme = _theme(request)
        return _page(pages, request, f"practice.theme.{theme}", theme)

    async def upcoming(request: Request) -> Response:
        theme, asked = _theme(request), request.query_params
        views = (await asyncio.to_thread(sets))[theme]
        number = number_in(asked.get("n", "0")) % len(views)
        if theme == LADDER:
            number = on_rung(number_in(asked.get("rung", "0")), number)
        shown = problem(str(number), views[number])
        return json_response(NextProblem(problem=shown, now=len(views)))

    async def judge(request: Request, answer: Answer, lang: str) -> object:
        views = (await asyncio.to_thread(sets))[_theme(request)]
        number = number_in(answer.id)
        if number >= len(views):
            raise Refused("no-such-problem", status=404)
        return await asyncio.to_thread(solved, views[number], answer.cards, lang)

    return [
        Route("/practice/sets/{theme}", page),
        Route("/practice/sets/{theme}/next.json", upcoming),
        _answers(pages, "/practice/sets/{theme}/answer", judge),
    ]


def _theme(request: Request) -> str:
    theme = str(request.path_params["theme"])
    if theme not in (*THEMES, LADDER):
        raise Refused("no-such-page", status=404)
    return theme
