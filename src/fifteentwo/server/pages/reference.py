"""Reference pages: rules, glossary, lesson, hand checker, scoring pad, dealing, and the manual."""

import asyncio
import re
from itertools import groupby

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from fifteentwo import i18n
from fifteentwo.i18n.reading import examples, glossary, rulebook, terms_at_table
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import to_plain
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.server.errors import Refused
from fifteentwo.server.pages.site import WEB_FOLDER, Pages, json_response, words_of
from fifteentwo.server.study.hand_count import count_hand
from fifteentwo.server.study.lessons import lesson_screens
from fifteentwo.server.study.worked_examples import board_examples, pegging_examples

_JAPANESE_TERM_PATTERN = re.compile("[ァ-ヶー]+(?:・[ァ-ヶー]+)+")
"""Matches Japanese terms of several words, which are joined by dots."""
_MAX_UNBROKEN_CHARACTERS = 16
_CHECK_WORDS = (
    *("check.", "card", "list.", "name.", "number.", "score.", "board.", "shape.", "spoken.", "nothing."),
)
_LESSON_WORDS = (
    *("learn.at", "learn.map", "learn.owner.", "learn.would", "learn.points", "home.you"),
    *("learn.result", "learn.learned", "learn.again", "list.and", "list.comma", "list.last", "Glossary"),
    *("card.", "table.count", "table.starter", "hand.past31", "board.name", "close", "terms."),
    *("learn.opponent", "learn.say", "learn.wrong.fifteen", "learn.mark.", "spoken.is", "spoken.fifteen"),
    "number.",
)
MANUAL_FOLDER = WEB_FOLDER / "manual"
"""Folder of the manual built by `docs/site/manual.py`, with one folder for each language."""


def routes(pages: Pages) -> list[BaseRoute]:
    return [
        *_reading_routes(pages),
        *_counting_routes(pages),
        *_manual_routes(pages),
        pages.static_page_route("/dealing", "dealing.html", "dealing.", "seal.where.", "card.", "list."),
        pages.static_page_route("/settings", "settings.html"),
        pages.static_page_route("/waiting", "waiting.html"),
    ]


def _reading_routes(pages: Pages) -> list[Route]:
    async def rules(request: Request) -> Response:
        lang = pages.language(request)
        variants = [rules_for(variant) for variant in Variant]
        return pages.page(request, "rules.html", sections=rulebook(lang), variants=variants, whole=_unbroken)

    async def words(request: Request) -> Response:
        return pages.page(request, "glossary.html", groups=glossary(pages.language(request)), whole=_unbroken)

    async def terms(request: Request) -> Response:
        lang = request.path_params["lang"]
        if lang not in i18n.LANGUAGES:
            raise Refused("no-such-page", status=404)
        return json_response(terms_at_table(lang))

    async def learn(request: Request) -> Response:
        lang = pages.language(request)
        found = await asyncio.to_thread(lesson_screens, lang)
        *steps, last = to_plain(found)
        return pages.page(
            request,
            "learn.html",
            screens=found,
            parts=[(number, list(steps)) for number, steps in groupby(found, lambda screen: screen.lesson)],
            screens_data=[*({key: one[key] for key in one if one[key] != last[key]} for one in steps), last],
            words=words_of(lang, *_LESSON_WORDS),
        )

    async def sheet(request: Request) -> Response:
        asked = request.query_params
        sides = asked["sides"] if asked.get("sides") in ("2", "3", "4") else "2"
        target = 61 if asked.get("target") == "61" else 121
        return pages.page(request, "sheet.html", sides=int(sides), target=target)

    return [
        Route("/rules", rules),
        Route("/glossary", words),
        Route("/i18n/{lang}/terms.json", terms),
        Route("/learn", learn),
        Route("/sheet", sheet),
        pages.static_page_route("/summary", "summary.html", whole=_unbroken),
        pages.static_page_route("/books", "books.html"),
    ]


def _counting_routes(pages: Pages) -> list[Route]:
    async def check(request: Request) -> Response:
        lang, asked = pages.language(request), request.query_params
        count = error = None
        if asked.get("hand") or asked.get("starter"):
            try:
                count = count_hand(asked, lang)
            except FifteenTwoError as refused:
                error = i18n.refusal(refused, lang)
        values = {"asked": asked, "count": count, "error": error, "hands": examples().hands}
        values |= {"plays": to_plain(pegging_examples(lang)), "boards": to_plain(board_examples(lang))}
        words = words_of(lang, *_CHECK_WORDS)
        return pages.page(request, "check.html", status=400 if error else 200, **values, words=words)

    async def score(request: Request) -> Response:
        return json_response(count_hand(request.query_params, pages.language(request)))

    return [
        Route("/check", check),
        Route("/api/score", score),
        pages.static_page_route("/pad", "pad.html", "pad.", "board.", "game.", "list."),
    ]


def _manual_routes(pages: Pages) -> list[BaseRoute]:
    """Return the routes of the manual; if it is not built, they return a page that says how to build it."""

    async def start(request: Request) -> Response:
        return RedirectResponse(f"/manual/{pages.language(request)}/", status_code=303)

    async def not_built(request: Request) -> Response:
        return pages.page(request, "manual.html", status=404)

    if not MANUAL_FOLDER.is_dir():
        return [Route("/manual", not_built), Route("/manual/{path:path}", not_built)]
    files = StaticFiles(directory=MANUAL_FOLDER, html=True)
    return [Route("/manual", start), Route("/manual/", start), Mount("/manual", files)]


def _unbroken(text: str) -> Markup:
    """Return a text as HTML in which short Japanese terms are not broken between lines."""

    def kept(term: re.Match[str]) -> str:
        found = term.group()
        return f'<span class="whole">{found}</span>' if len(found) <= _MAX_UNBROKEN_CHARACTERS else found

    return Markup(_JAPANESE_TERM_PATTERN.sub(kept, str(escape(text))))
