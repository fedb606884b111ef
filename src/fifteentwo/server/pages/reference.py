"""The pages that are mostly words: rules, glossary, summary, sheet, books, hand checker, scoring pad."""

import asyncio
import re
from typing import Any

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.i18n.reading import examples, glossary, rulebook, terms_at_table
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import to_plain
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.server.errors import Refused
from fifteentwo.server.pages.site import Pages, json_response, words_of
from fifteentwo.server.study.hand_count import counted
from fifteentwo.server.study.lessons import parts, screens
from fifteentwo.server.study.worked_examples import boards, plays

_TERM = re.compile("[ァ-ヶー]+(?:・[ァ-ヶー]+)+")
_LONGEST_WHOLE = 16
_CHECK_WORDS = (
    *("check.", "card", "list.", "name.", "number.", "score.", "board."),
    *("shape.", "spoken.", "nothing."),
)
"""What the checker says; the last three while it counts without the server."""

_LESSON_WORDS = (
    *("learn.", "card.", "list.", "table.count", "table.go", "table.starter", "hand.past31"),
    *("close", "board.name", "home.you", "terms.", "Glossary"),
)
"""What the lesson says."""


def routes(pages: Pages) -> list[Route]:
    """The addresses of these pages."""

    async def waiting(request: Request) -> Response:
        return pages.page(request, "waiting.html")

    return [*_to_read(pages), *_to_count(pages), Route("/waiting", waiting)]


def _to_read(pages: Pages) -> list[Route]:
    """Rules, glossary and what is printed."""

    async def rules(request: Request) -> Response:
        lang = pages.language(request)
        return pages.page(request, "rules.html", sections=rulebook(lang), variants=_variants(), whole=_whole)

    async def words(request: Request) -> Response:
        return pages.page(request, "glossary.html", groups=glossary(pages.language(request)), whole=_whole)

    async def terms(request: Request) -> Response:
        lang = request.path_params["lang"]
        if lang not in i18n.LANGUAGES:
            raise Refused("no-such-page", status=404)
        return json_response(terms_at_table(lang))

    async def learn(request: Request) -> Response:
        lang = pages.language(request)
        found = await asyncio.to_thread(screens, lang)
        return pages.page(
            request,
            "learn.html",
            screens=found,
            parts=list(parts(lang)),
            screens_data=to_plain(found),
            words=words_of(lang, *_LESSON_WORDS),
        )

    async def summary(request: Request) -> Response:
        return pages.page(request, "summary.html", whole=_whole)

    async def sheet(request: Request) -> Response:
        wanted = request.query_params.get("sides", "2")
        return pages.page(request, "sheet.html", sides=int(wanted) if wanted in ("2", "3", "4") else 2)

    async def books(request: Request) -> Response:
        return pages.page(request, "books.html")

    return [
        Route("/rules", rules),
        Route("/glossary", words),
        Route("/i18n/{lang}/terms.json", terms),
        Route("/learn", learn),
        Route("/summary", summary),
        Route("/sheet", sheet),
        Route("/books", books),
    ]


def _to_count(pages: Pages) -> list[Route]:
    """The hand checker, what it asks, and the scoring pad."""

    async def check(request: Request) -> Response:
        lang = pages.language(request)
        asked = request.query_params
        values: dict[str, Any] = {"asked": asked, "count": None, "error": None}
        if asked.get("hand") or asked.get("starter"):
            try:
                values["count"] = counted(asked, lang)
            except FifteenTwoError as error:
                values["error"] = i18n.refusal(error, lang)
        values |= {
            "hands": examples().hands,
            "plays": to_plain(plays(lang)),
            "boards": to_plain(boards(lang)),
            "words": words_of(lang, *_CHECK_WORDS),
        }
        return pages.page(request, "check.html", status=400 if values["error"] else 200, **values)

    async def pad(request: Request) -> Response:
        lang = pages.language(request)
        return pages.page(request, "pad.html", words=words_of(lang, "pad.", "board.", "game.", "list."))

    async def score(request: Request) -> Response:
        return json_response(counted(request.query_params, pages.language(request)))

    return [Route("/check", check), Route("/pad", pad), Route("/api/score", score)]


def _whole(text: str) -> Markup:
    """A text whose Japanese terms are not broken at the dots inside them."""

    def kept(term: re.Match[str]) -> str:
        found = term.group()
        return f'<span class="whole">{found}</span>' if len(found) <= _LONGEST_WHOLE else found

    return Markup(_TERM.sub(kept, str(escape(text))))


def _variants() -> list[dict[str, Any]]:
    """Return what differs between the variants, as the rules themselves have it."""
    return [
        {
            "id": variant.value,
            "players": rules.seats,
            "dealt": rules.dealt,
            "discards": rules.discards,
            "kept": rules.kept,
            "crib": rules.seats * rules.discards + rules.dealt_to_crib,
            "target": rules.target,
        }
        for variant in Variant
        for rules in (rules_for(variant),)
    ]
