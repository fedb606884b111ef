"""Practice: counting against the clock."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.server.pages import Pages

_COUNTING_WORDS = (
    *("practice.count.", "practice.pattern.", "card.", "list.", "name.", "number.", "score."),
    *("shape.", "spoken.", "check.starter"),
)


def routes(pages: Pages) -> list[Route]:
    """The addresses of these pages."""

    async def count(request: Request) -> Response:
        """Hands to count, in the browser alone."""
        words = words_of(pages.language(request), *_COUNTING_WORDS)
        return pages.page(request, "practice_count.html", words=words)

    return [Route("/practice/count", count)]


def words_of(lang: str, *beginnings: str) -> dict[str, str]:
    """The sentences a page's own script needs."""
    return {key: said for key, said in i18n.catalogue(lang).items() if key.startswith(beginnings)}
