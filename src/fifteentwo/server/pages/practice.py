"""Practice: what there is, and counting against the clock."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fifteentwo.server.pages.site import Pages, words_of
from fifteentwo.server.study import daily
from fifteentwo.server.study.problems import THEMES

_COUNTING_WORDS = (
    *("practice.count.", "practice.pattern.", "card", "list.", "name.", "number.", "score."),
    *("shape.", "spoken.", "check.starter", "nothing."),
)
TILES = (
    ("errors", "errors", "4H 5D 6S JC 9H 2C"),
    ("count", "count", "5H 5S 5D JC 5C"),
    ("daily", "daily", ""),
    ("duplicate", "duplicate", "7C ? 7D"),
)
"""What there is: its address, its name, and the cards that stand for it."""


def routes(pages: Pages) -> list[Route]:
    """The addresses of these pages."""

    async def practice(request: Request) -> Response:
        """What there is to practise."""
        return pages.page(
            request,
            "practice.html",
            tiles=TILES,
            themes=THEMES,
            day=daily.today(),
            words=words_of(pages.language(request), "practice.solve.set"),
        )

    async def count(request: Request) -> Response:
        """Hands to count, in the browser alone."""
        words = words_of(pages.language(request), *_COUNTING_WORDS)
        return pages.page(request, "practice_count.html", words=words)

    return [Route("/practice", practice), Route("/practice/count", count)]
