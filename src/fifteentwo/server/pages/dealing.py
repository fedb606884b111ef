"""The page that explains the dealing, checks a record in the browser, and tries a million decks."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fifteentwo.server.pages.site import Pages, words_of

_WORDS = ("dealing.", "seal.where.", "card.", "list.")


def routes(pages: Pages) -> list[Route]:
    """Its one address: everything else is done by its scripts."""

    async def dealing(request: Request) -> Response:
        return pages.page(request, "dealing.html", words=words_of(pages.language(request), *_WORDS))

    return [Route("/dealing", dealing)]
