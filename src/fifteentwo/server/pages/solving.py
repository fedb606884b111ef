"""Decisions to be found: one's own errors as they are due, and the sets by theme."""

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import from_json
from fifteentwo.server.errors import Refused
from fifteentwo.server.pages.site import (
    Pages,
    body_of,
    json_response,
    must_be_own,
    number_in,
    retry_after,
    status_of,
    words_of,
)
from fifteentwo.server.services import services_of
from fifteentwo.server.study.problems import Problem, problem, solved
from fifteentwo.server.study.theme_sets import THEMES, sets
from fifteentwo.server.web_edge import sessions

MOST_BODY = 1024
_WORDS = ("practice.solve.", "card.", "list.", "check.starter", "table.count", "close")


class NextProblem(msgspec.Struct, frozen=True, kw_only=True):
    """The decision that comes next, and how many there are."""

    problem: Problem | None
    now: int
    later: int
    waiting: int
    days: int | None


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards chosen in a decision."""

    id: str
    cards: tuple[Card, ...]


class NotSolved(msgspec.Struct, frozen=True):
    """Why an answer was not taken."""

    code: str
    message: str


def routes(pages: Pages) -> list[Route]:
    """The addresses of these pages."""
    return [*_errors(pages), *_sets(pages)]


def _errors(pages: Pages) -> list[Route]:
    async def page(request: Request) -> Response:
        """One's own errors, one after another."""
        words = words_of(pages.language(request), *_WORDS)
        return pages.page(
            request,
            "practice_solve.html",
            title="practice.errors.title",
            at="/practice/errors",
            theme="",
            words=words,
        )

    async def upcoming(request: Request) -> Response:
        owner = sessions.owner_of(request)
        if owner is None:
            return json_response(NextProblem(problem=None, now=0, later=0, waiting=0, days=None))
        due = await services_of(request).own_mistakes.due(owner, request.query_params.get("but", "")[:64])
        shown = None if due.view is None or due.id is None else problem(due.id, due.view)
        return json_response(
            NextProblem(problem=shown, now=due.now, later=due.later, waiting=due.waiting, days=due.days)
        )

    async def answer(request: Request) -> Response:
        lang = pages.language(request)
        try:
            owner = sessions.owner_of(request)
            body = await _answer(request)
            if owner is None:
                raise Refused("no-such-problem", status=404)
            own_mistakes = services_of(request).own_mistakes
            return json_response(await own_mistakes.answered(owner, body.id, body.cards, lang))
        except FifteenTwoError as error:
            return _not_solved(error, lang)

    return [
        Route("/practice/errors", page),
        Route("/practice/errors/next.json", upcoming),
        Route("/practice/errors/answer", answer, methods=["POST"]),
    ]


def _sets(pages: Pages) -> list[Route]:
    async def page(request: Request) -> Response:
        """The problems of a theme, one after another; the browser remembers how far."""
        theme = _theme(request)
        words = words_of(pages.language(request), *_WORDS)
        at = f"/practice/sets/{theme}"
        return pages.page(
            request, "practice_solve.html", title=f"practice.theme.{theme}", at=at, theme=theme, words=words
        )

    async def upcoming(request: Request) -> Response:
        views = (await asyncio.to_thread(sets))[_theme(request)]
        number = number_in(request.query_params.get("n", "0")) % len(views)
        shown = problem(str(number), views[number])
        return json_response(NextProblem(problem=shown, now=len(views), later=0, waiting=0, days=None))

    async def answer(request: Request) -> Response:
        lang = pages.language(request)
        try:
            body = await _answer(request)
            views = (await asyncio.to_thread(sets))[_theme(request)]
            number = number_in(body.id)
            if number >= len(views):
                raise Refused("no-such-problem", status=404)
            return json_response(await asyncio.to_thread(solved, views[number], body.cards, lang))
        except FifteenTwoError as error:
            return _not_solved(error, lang)

    return [
        Route("/practice/sets/{theme}", page),
        Route("/practice/sets/{theme}/next.json", upcoming),
        Route("/practice/sets/{theme}/answer", answer, methods=["POST"]),
    ]


def _theme(request: Request) -> str:
    theme = str(request.path_params["theme"])
    if theme not in THEMES:
        raise Refused("no-such-page", status=404)
    return theme


async def _answer(request: Request) -> Answer:
    must_be_own(request)
    return from_json(await body_of(request, MOST_BODY), Answer)


def _not_solved(error: FifteenTwoError, lang: str) -> Response:
    refused = NotSolved(error.code, i18n.refusal(error, lang))
    return json_response(refused, status_of(error), retry_after(error))
