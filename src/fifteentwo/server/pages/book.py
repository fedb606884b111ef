"""The Book's pages: six cards or five, the map of all boards, the card to print, the play, what is known.

Its values are computed in a thread and a queue of their own, so that no table and no other page waits for
them. What computes them is loaded with the first page that needs it.
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
from fifteentwo.server.http.rate_limits import BOOK, admit, block_of
from fifteentwo.server.pages.site import Pages, is_busy, json_response, words_of
from fifteentwo.server.work_queue import WorkQueue

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

SAME_FOR = "private, max-age=600"
"""The figures change with the tables that ship, not from one look to the next."""
MAX_RESULTS = 64
"""Entries, maps and positions that are cached: some 0.3 MB each."""
_PICKER_WORDS = ("book.pick.", "card.", "list.")
_Handler = Callable[[Request], Awaitable[Response]]


class _Moved(Exception):
    """The address is another spelling of this one."""


def routes(pages: Pages) -> list[Route]:
    """The addresses of the Book."""
    book = _Book(pages)
    entry = "/book/{hand}/{role}/{board}"
    return [
        Route("/book", book.pick),
        Route("/book/{hand}/card", book.at_address(book.card)),
        Route("/book/{hand}", book.pick),
        Route("/book/{hand}/{role}", book.pick),
        Route(entry, book.at_address(book.entry)),
        Route(f"{entry}/map", book.at_address(book.map)),
        Route(f"{entry}/{{away}}", book.at_address(book.starters)),
        Route(f"{entry}/{{away}}/{{starter}}", book.at_address(book.play)),
        Route(f"{entry}/{{away}}/{{starter}}/{{played}}", book.at_address(book.play)),
        Route("/api/book/{hand}/{role}/{board}", book.entry_json),
        Route("/solved", book.solved),
    ]


def _must_be_at(request: Request, address: str) -> None:
    if request.scope["path"] != address:
        raise _Moved(address)


def _scores(asked: dict[str, str]) -> str:
    """Return both scores as they are asked for; nothing where neither is."""
    own, other = asked.get("own", ""), asked.get("other", "")
    return asked.get("board") or (f"{own or 0}-{other or 0}" if own or other else "")


class _Book:
    """Answers for every page of the Book."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._queue = WorkQueue("book", max_results=MAX_RESULTS)

    async def _worked_out(self, request: Request, work: Callable[[*Ts], T], *given: *Ts) -> T:
        """Return values of the Book when their turn has come; Refused if too many are asked for."""
        admit(request, BOOK)
        return await self._queue.result(block_of(request), work, *given)

    def at_address(self, show: _Handler) -> _Handler:
        """Redirect other spellings of an address, and show what is wrong above the search for a right one."""

        async def handler(request: Request) -> Response:
            try:
                return await show(request)
            except _Moved as moved:
                query = f"?{request.url.query}" if request.url.query else ""
                return RedirectResponse(quote(str(moved)) + query, status_code=308)
            except (Refused, NotationError, IllegalAction) as refused:
                if is_busy(refused):
                    raise
                parts = dict(request.path_params)
                own, _, other = parts.get("board", "").partition("-")
                status = refused.status if isinstance(refused, Refused) else 400
                return self._pick(request, {**parts, "own": own, "other": other}, refused, status)

        return handler

    def _page(self, request: Request, template: str, **values: Any) -> Response:
        lang = self._pages.language(request)
        words = {
            "card_name": partial(card_name, lang=lang),
            "percent": partial(percent, lang=lang),
            "difference": difference,
        }
        response = self._pages.page(request, template, **{**words, **values})
        if response.status_code == 200:
            response.headers["Cache-Control"] = SAME_FOR
        return response

    async def pick(self, request: Request) -> Response:
        """Cards, role and board to choose; where they are given already, the way to their entry."""
        from fifteentwo.analysis.book_entry import first_board, rules_of
        from fifteentwo.server.study import book_address as addresses

        asked = {**request.query_params, **request.path_params}
        if not asked.get("hand"):
            return self._pick(request, asked)
        try:
            # A slash of a position parts it like an address.
            written = "/".join([asked["hand"], *filter(None, [request.path_params.get("role")])])
            position = await asyncio.to_thread(addresses.read_position, written)
            if position is not None:
                return RedirectResponse(position, status_code=303)
            dealt = addresses.read_hand(asked["hand"])
            dealer = addresses.read_role(asked.get("role", "pone") or "pone")
            board = first_board(dealt, dealer)
            if scores := _scores(asked):
                board = addresses.read_board(scores, rules_of(dealt).target)
        except FifteenTwoError as refused:
            return self._pick(request, asked, refused, 400)
        return RedirectResponse(addresses.hand_address(dealt, dealer, board), status_code=303)

    def _pick(
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
        """Every discard of the cards dealt."""
        from fifteentwo.server.study import book_address as addresses
        from fifteentwo.server.study import book_values as values

        dealt, dealer, board = addresses.read_entry(request.path_params)
        chosen = addresses.read_cards(request.query_params.get("discard", ""))
        _must_be_at(request, addresses.hand_address(dealt, dealer, board))
        found = await self._worked_out(request, values.entry_of, dealt, dealer, board)
        page = values.page(found, dealer, chosen)
        return self._page(request, "book.html", page=page, entry=page.entry, dealer=dealer, board=board)

    async def entry_json(self, request: Request) -> Response:
        """The same as JSON."""
        from fifteentwo.server.study import book_address as addresses
        from fifteentwo.server.study import book_values as values

        try:
            dealt, dealer, board = addresses.read_entry(request.path_params)
        except Refused as refused:
            refused.status = 400  # the page of such an address is 404
            raise
        found = await self._worked_out(request, values.entry_of, dealt, dealer, board)
        return json_response(values.entry_json(found))

    async def map(self, request: Request) -> Response:
        """Which discard is best at which score."""
        from fifteentwo.server.study import book_address as addresses
        from fifteentwo.server.study import book_values as values

        dealt, dealer, board = addresses.read_entry(request.path_params)
        back = addresses.hand_address(dealt, dealer, board)
        _must_be_at(request, f"{back}/map")
        return self._page(
            request,
            "book_map.html",
            map=await self._worked_out(request, values.map_of, dealt, dealer),
            dealer=dealer,
            board=board,
            back=back,
            band_text=partial(values.band_text, self._pages.language(request)),
        )

    async def card(self, request: Request) -> Response:
        """A card with two sides to print: what to discard as dealer and as pone."""
        from fifteentwo.server.study import book_address as addresses
        from fifteentwo.server.study import book_values as values

        dealt = addresses.read_hand(request.path_params["hand"])
        back = addresses.hand_address(dealt, False, (0, 0))
        _must_be_at(request, f"{back.rsplit('/', 2)[0]}/card")
        return self._page(
            request,
            "book_card.html",
            sides=[
                (dealer, await self._worked_out(request, values.map_of, dealt, dealer))
                for dealer in (True, False)
            ],
            dealt=dealt,
            back=back,
            band_text=partial(values.band_text, self._pages.language(request)),
        )

    async def starters(self, request: Request) -> Response:
        """The way into the pegging: which card was turned up."""
        from fifteentwo.analysis.book_entry import in_order, joined
        from fifteentwo.server.study import book_address as addresses

        parts = request.path_params
        dealt, dealer, board = addresses.read_entry(parts)
        away = in_order(addresses.read_cards(parts["away"]))
        if len(away) != 2 or not {*away} <= {*dealt}:
            raise Refused("book-discard", status=404, text=parts["away"][:40])
        here = f"{addresses.hand_address(dealt, dealer, board)}/{joined(away)}"
        _must_be_at(request, here)
        return self._page(
            request,
            "book_starter.html",
            dealt=dealt,
            away=away,
            unseen=in_order(card for card in DECK if card not in dealt),
            dealer=dealer,
            board=board,
            address=here,
        )

    async def play(self, request: Request) -> Response:
        """A position of the pegging: every card."""
        from fifteentwo.analysis.book_play import address
        from fifteentwo.server.study import book_address as addresses
        from fifteentwo.server.study import book_values as values

        asked = addresses.read_asked(request.path_params)
        _must_be_at(request, address(asked))
        found = await self._worked_out(request, values.position_page, asked)
        hand = addresses.hand_address(asked.dealt, asked.dealer, asked.board)
        return self._page(
            request, "book_play.html", page=found, position=found.position, asked=asked, hand=hand
        )

    async def solved(self, request: Request) -> Response:
        """Cribbage, nearly solved: every figure with where it comes from."""
        from fifteentwo.analysis.solved import figures

        return self._page(request, "solved.html", groups=await self._worked_out(request, figures))
