"""The pages that are mostly words: rules, glossary, summary, score sheet, hand checker, scoring pad."""

import re
from collections.abc import Mapping
from typing import Any, Protocol

import msgspec
from markupsafe import Markup, escape
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.i18n.reading import examples, glossary, rulebook
from fifteentwo.rules import show
from fifteentwo.rules.cards import Card, cards
from fifteentwo.rules.errors import FifteenTwoError, NotationError
from fifteentwo.rules.events import ScoreName
from fifteentwo.rules.record import to_json, to_plain
from fifteentwo.rules.variants import Form, variant
from fifteentwo.server.play_example import example

_SHAPE_POINTS = {
    "run_of_three": 3,
    "run_of_four": 4,
    "run_of_five": 5,
    "double_run_of_three": 8,
    "double_run_of_four": 10,
    "triple_run_of_three": 15,
    "quadruple_run_of_three": 16,
}
"""The named runs with their pairs (R84)."""
_TERM = re.compile("[ァ-ヶー]+(?:・[ァ-ヶー]+)+")
_LONGEST_WHOLE = 16
_YES = {"1", "yes", "true", "on"}
_LONGEST = 80


class CountedScore(msgspec.Struct, frozen=True):
    """One score of a counted hand: its name in words, the running total with it, and what is said."""

    name: ScoreName
    label: str
    cards: tuple[Card, ...]
    points: int
    total: int
    rule: str
    spoken: str


class Shape(msgspec.Struct, frozen=True):
    """A named run with its pairs (R84)."""

    name: str
    label: str
    points: int


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """A hand counted score by score."""

    hand: tuple[Card, ...]
    starter: Card
    crib: bool
    five: bool
    """Counted as a hand of the five-card game."""
    points: int
    scores: tuple[CountedScore, ...]
    shape: Shape | None


class NotCounted(msgspec.Struct, frozen=True):
    """Why what was asked is no hand."""

    code: str
    message: str


class Renderer(Protocol):
    """What the server's pages offer: a template in the reader's language."""

    def page(self, request: Request, template: str, *, status: int = 200, **values: Any) -> Response: ...
    def language(self, connection: HTTPConnection) -> str: ...


def routes(pages: Renderer, worker: str) -> list[Route]:
    """The addresses of these pages; `worker` is the file of the service worker that keeps the pad offline."""

    async def rules(request: Request) -> Response:
        lang = pages.language(request)
        return pages.page(request, "rules.html", sections=rulebook(lang), forms=_forms(), whole=_whole)

    async def words(request: Request) -> Response:
        return pages.page(request, "glossary.html", groups=glossary(pages.language(request)), whole=_whole)

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
            "examples": examples(),
            "play": to_plain(example(lang)),
            "words": _words(lang, "check.", "card.", "list.", "name.", "number.", "score."),
        }
        return pages.page(request, "check.html", status=400 if values["error"] else 200, **values)

    async def pad(request: Request) -> Response:
        lang = pages.language(request)
        return pages.page(request, "pad.html", words=_words(lang, "pad.", "board.", "game.", "list."))

    async def score(request: Request) -> Response:
        lang = pages.language(request)
        try:
            return _json(counted(request.query_params, lang))
        except FifteenTwoError as error:
            return _json(NotCounted(error.code, i18n.refusal(error, lang)), 400)

    async def offline(_: Request) -> Response:
        headers = {"Service-Worker-Allowed": "/", "Cache-Control": "no-cache"}
        return FileResponse(worker, media_type="text/javascript", headers=headers)

    async def summary(request: Request) -> Response:
        return pages.page(request, "summary.html", whole=_whole)

    async def sheet(request: Request) -> Response:
        wanted = request.query_params.get("sides", "2")
        return pages.page(request, "sheet.html", sides=int(wanted) if wanted in ("2", "3", "4") else 2)

    return [
        Route("/rules", rules),
        Route("/glossary", words),
        Route("/summary", summary),
        Route("/sheet", sheet),
        Route("/check", check),
        Route("/pad", pad),
        Route("/api/score", score),
        Route("/sw.js", offline),
    ]


def _whole(text: str) -> Markup:
    """A text whose Japanese terms are not broken at the dots inside them."""

    def kept(term: re.Match[str]) -> str:
        found = term.group()
        return f'<span class="whole">{found}</span>' if len(found) <= _LONGEST_WHOLE else found

    return Markup(_TERM.sub(kept, str(escape(text))))


def _words(lang: str, *beginnings: str) -> dict[str, str]:
    """The sentences a page's own script needs."""
    return {key: said for key, said in i18n.catalogue(lang).items() if key.startswith(beginnings)}


def _forms() -> list[dict[str, Any]]:
    """What differs from form to form, as the rules themselves have it."""
    return [
        {
            "id": form.value,
            "players": rules.seats,
            "sides": rules.sides,
            "dealt": rules.dealt,
            "laid_away": rules.laid_away,
            "kept": rules.kept,
            "crib": rules.seats * rules.laid_away + rules.dealt_to_crib,
            "target": rules.target,
        }
        for form in Form
        for rules in (variant(form),)
    ]


def _json(value: object, status: int = 200) -> Response:
    return Response(to_json(value), status, media_type="application/json")


def counted(asked: Mapping[str, str], lang: str) -> Count:
    """A hand counted: hand=5H 5S 5D JC, starter=5C, crib=1, five=1; NotationError where it is none.

    Three cards are a five-card hand (R101), as is any hand with five=1; the crib always has four (R41).
    """
    written, turned = asked.get("hand", "")[:_LONGEST], asked.get("starter", "")[:_LONGEST]
    crib, five = asked.get("crib", "") in _YES, asked.get("five", "") in _YES
    held, starter = cards(written), Card(turned)
    wanted = {4} if crib else {3} if five else {3, 4}
    if len(held) not in wanted:
        raise NotationError("wrong-number-of-cards", written, len(held))
    if starter in held:
        raise NotationError("card-twice", starter.text, len(held))
    scores = show.scores(held, starter, crib=crib)
    total, told = 0, []
    for score, said in zip(scores, i18n.spoken(scores, lang), strict=True):
        total += score.points
        told.append(
            CountedScore(
                name=score.name,
                label=i18n.text(f"name.{score.name.value}", lang),
                cards=score.cards,
                points=score.points,
                total=total,
                rule=score.rule,
                spoken=said,
            )
        )
    return Count(
        hand=held,
        starter=starter,
        crib=crib,
        five=len(held) == 3,
        points=total,
        scores=tuple(told),
        shape=_shape((*held, starter), lang),
    )


def _shape(together: tuple[Card, ...], lang: str) -> Shape | None:
    name = show.run_shape([card.rank for card in together])
    if name is None:
        return None
    return Shape(name, i18n.text(f"shape.{name}", lang), _SHAPE_POINTS[name])
