"""The pages of the Book: discards, the map of all boards, the card to print, pegging, and solved figures.

Values are computed in a separate thread, by modules that are imported with the first request.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar, TypeVarTuple
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.i18n.cards import card_name
from fifteentwo.i18n.figures import difference, percent
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.errors import FifteenTwoError, IllegalAction, NotationError
from fifteentwo.server.errors import Refused
from fifteentwo.server.http.rate_limits import BOOK_REQUEST, admit, widest_block
from fifteentwo.server.pages.site import Pages, json_response, may_succeed_later, words_of
from fifteentwo.server.work_queue import WorkQueue

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

BOOK_CACHE_CONTROL = "private, max-age=600"
"""Browsers cache pages for ten minutes, because figures change only with the shipped tables."""
MAX_CACHED_RESULTS = 64
"""Limit on cached entries, maps and positions, some 0.3 MB each."""
_PICKER_WORDS = ("book.pick.", "card.", "list.")
_Handler = Callable[[Request], Awaitable[Response]]


class _OtherAddress(Exception):
    """Raised if an address is spelled differently from the one in the message."""


def routes(pages: Pages) -> list[Route]:
    views = _BookPages(pages)
    entry = "/book/{hand}/{role}/{board}"
    return [
        Route("/book", views.search),
        Route("/book/{hand}/card", views.redirecting(views.card)),
        Route("/book/{hand}", views.search),
        Route("/book/{hand}/{role}", views.search),
        Route(entry, views.redirecting(views.entry)),
        Route(f"{entry}/map", views.redirecting(views.map)),
        Route(f"{entry}/{{away}}", views.redirecting(views.starters)),
        Route(f"{entry}/{{away}}/{{starter}}", views.redirecting(views.play)),
        Route(f"{entry}/{{away}}/{{starter}}/{{played}}", views.redirecting(views.play)),
        Route("/api/book/{hand}/{role}/{board}", views.entry_json),
        Route("/solved", views.solved),
    ]


def _require_address(request: Request, address: str) -> None:
    if request.scope["path"] != address:
        raise _OtherAddress(address)


def _asked_board(asked: dict[str, str]) -> str:
    own, other = asked.get("own", ""), asked.get("other", "")
    return asked.get("board") or (f"{own or 0}-{other or 0}" if own or other else "")


class _BookPages:
    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._queue = WorkQueue("book", max_results=MAX_CACHED_RESULTS)

    async def _compute(self, request: Request, work: Callable[[*Ts], T], *given: *Ts) -> T:
        admit(request, BOOK_REQUEST)
        return await self._queue.cached_result(widest_block(request), work, *given)

    def redirecting(self, show: _Handler) -> _Handler:
        """Return a handler that redirects other spellings of an address, and shows errors in the search."""

        async def handler(request: Request) -> Response:
            try:
                return await show(request)
            except _OtherAddress as moved:
                query = f"?{request.url.query}" if request.url.query else ""
                return RedirectResponse(quote(str(moved)) + query, status_code=308)
            except (Refused, NotationError, IllegalAction) as refused:
                if may_succeed_later(refused):
                    raise
                parts = dict(request.path_params)
                own, _, other = parts.get("board", "").partition("-")
                status = refused.status if isinstance(refused, Refused) else 400
                return self._search_page(request, {**parts, "own": own, "other": other}, refused, status)

        return handler

    def _page(self, request: Request, template: str, **values: Any) -> Response:
        lang = self._pages.language(request)
        words = {"card_name": partial(card_name, lang=lang), "percent": partial(percent, lang=lang)}
        response = self._pages.page(request, template, **{**words, "difference": difference, **values})
        if response.status_code == 200:
            response.headers["Cache-Control"] = BOOK_CACHE_CONTROL
        return response

    async def search(self, request: Request) -> Response:
        from fifteentwo.analysis.book.entry import first_board, rules_of
        from fifteentwo.server.study import book

        asked = {**request.query_params, **request.path_params}
        if not asked.get("hand"):
            return self._search_page(request, asked)
        try:
            # A position may contain a slash, which splits it like an address.
            written = "/".join([asked["hand"], *filter(None, [request.path_params.get("role")])])
            position = await asyncio.to_thread(book.read_position, written)
            if position is not None:
                return RedirectResponse(position, status_code=303)
            dealt = book.read_hand(asked["hand"])
            dealer = book.read_role(asked.get("role", "pone") or "pone")
            board = first_board(dealt, dealer)
            if scores := _asked_board(asked):
                board = book.read_board(scores, rules_of(dealt).target)
        except FifteenTwoError as refused:
            return self._search_page(request, asked, refused, 400)
        return RedirectResponse(book.hand_address(dealt, dealer, board), status_code=303)

    def _search_page(
        self,
        request: Request,
        asked: dict[str, str],
        refused: FifteenTwoError | None = None,
        status: int = 200,
    ) -> Response:
        lang = self._pages.language(request)
        error = None if refused is None else i18n.refusal(refused, lang)
        words = words_of(lang, *_PICKER_WORDS)
        return self._page(request, "book_pick.html", status=status, asked=asked, error=error, words=words)

    async def entry(self, request: Request) -> Response:
        from fifteentwo.server.study import book

        dealt, dealer, board = book.read_entry(request.path_params)
        chosen = book.read_cards(request.query_params.get("discard", ""))
        _require_address(request, book.hand_address(dealt, dealer, board))
        found = await self._compute(request, book.compute_entry, dealt, dealer, board)
        page = book.entry_page(found, dealer, chosen)
        return self._page(request, "book.html", page=page, entry=page.entry, dealer=dealer, board=board)

    async def entry_json(self, request: Request) -> Response:
        from fifteentwo.analysis.book.entry import report
        from fifteentwo.server.study import book

        try:
            dealt, dealer, board = book.read_entry(request.path_params)
        except Refused as refused:
            refused.status = 400  # the HTML page of such an address has status 404
            raise
        found = await self._compute(request, book.compute_entry, dealt, dealer, board)
        return json_response(report(found))

    async def map(self, request: Request) -> Response:
        from fifteentwo.server.study import book

        dealt, dealer, board = book.read_entry(request.path_params)
        back = book.hand_address(dealt, dealer, board)
        _require_address(request, f"{back}/map")
        found = await self._compute(request, book.board_map, dealt, dealer)
        values = {"map": found, "dealer": dealer, "board": board, "back": back}
        band_text = partial(book.band_text, self._pages.language(request))
        return self._page(request, "book_map.html", **values, band_text=band_text)

    async def card(self, request: Request) -> Response:
        from fifteentwo.server.study import book

        dealt = book.read_hand(request.path_params["hand"])
        back = book.hand_address(dealt, False, (0, 0))
        _require_address(request, f"{back.rsplit('/', 2)[0]}/card")
        maps = [await self._compute(request, book.board_map, dealt, dealer) for dealer in (True, False)]
        values = {"sides": list(zip((True, False), maps, strict=True)), "dealt": dealt, "back": back}
        band_text = partial(book.band_text, self._pages.language(request))
        return self._page(request, "book_card.html", **values, band_text=band_text)

    async def starters(self, request: Request) -> Response:
        from fifteentwo.analysis.book.entry import in_order, joined
        from fifteentwo.server.study import book

        parts = request.path_params
        dealt, dealer, board = book.read_entry(parts)
        away = in_order(book.read_cards(parts["away"]))
        if len(away) != 2 or not {*away} <= {*dealt}:
            raise Refused("book-discard", status=404, text=parts["away"][:40])
        here = f"{book.hand_address(dealt, dealer, board)}/{joined(away)}"
        _require_address(request, here)
        unseen = in_order(card for card in DECK if card not in dealt)
        values = {"dealt": dealt, "away": away, "unseen": unseen, "dealer": dealer, "board": board}
        return self._page(request, "book_starter.html", **values, address=here)

    async def play(self, request: Request) -> Response:
        from fifteentwo.analysis.book.play import address
        from fifteentwo.server.study import book

        asked = book.read_pegging_position(request.path_params)
        _require_address(request, address(asked))
        found = await self._compute(request, book.position_page, asked)
        hand = book.hand_address(asked.dealt, asked.dealer, asked.board)
        return self._page(
            request, "book_play.html", page=found, position=found.position, asked=asked, hand=hand
        )

    async def solved(self, request: Request) -> Response:
        from fifteentwo.analysis.book.solved import figures

        return self._page(request, "solved.html", groups=await self._compute(request, figures))
