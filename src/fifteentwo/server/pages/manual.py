"""The manual at /manual: files that `docs/site/manual.py` has built, in a folder for each language."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from fifteentwo.server.pages.site import WEB, Pages

BUILT = WEB / "manual"


def routes(pages: Pages) -> list[BaseRoute]:
    """Return the routes of the manual; if it is not built, a page says how to build it."""

    async def start(request: Request) -> Response:
        return RedirectResponse(f"/manual/{pages.language(request)}/", status_code=303)

    async def not_built(request: Request) -> Response:
        return pages.page(request, "manual.html", status=404)

    if not BUILT.is_dir():
        return [Route("/manual", not_built), Route("/manual/{path:path}", not_built)]
    files = StaticFiles(directory=BUILT, html=True)
    return [Route("/manual", start), Route("/manual/", start), Mount("/manual", files)]
