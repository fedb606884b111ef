"""The Book's pages: six cards, the map of all boards, the card to print, the play, what is known.

Its values are computed in a thread, so that no table waits for them.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.i18n.cards import card_name
from fifteentwo.i18n.figures import difference, percent
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import to_json
from fifteentwo.server.errors import Refused
from fifteentwo.server.pages.reference import Renderer

T = TypeVar("T")
SAME_FOR = "private, max-age=600"
"""The figures change with the tables that ship, not from one look to the next."""
_PICKER_WORDS = ("book.pick.", "card.", "list.")


def routes(pages: Renderer) -> list[Route]:
    """The addresses of the Book."""
    book = _Book(pages)
    entry = "/book/{hand}/{role}/{board}"
    return [
        Route("/book", book.pick),
        Route("/book/{hand}/card", book.card),
        Route("/book/{hand}", book.pick),
        Route("/book/{hand}/{role}", book.pick),
        Route(entry, book.entry),
        Route(f"{entry}/map", book.map),
        Route(f"{entry}/{{away}}", book.starters),
        Route(f"{entry}/{{away}}/{{starter}}", book.play),
        Route(f"{entry}/{{away}}/{{starter}}/{{laid}}", book.play),
        Route("/api/book/{hand}/{role}/{board}", book.entry_json),
        Route("/solved", book.solved),
    ]


async def _in_thread(work: Callable[..., T], *arguments: Any) -> T:
    return await asyncio.to_thread(work, *arguments)


def _redirected(request: Request, address: str) -> RedirectResponse | None:
    """The way to the one address, where this is another way to write it."""
    if request.scope["path"] == address:
        return None
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(quote(address) + query, status_code=308)


class _Book:
    """Answers for every page of the Book."""

    def __init__(self, pages: Renderer) -> None:
        self._pages = pages

    def _page(self, request: Request, template: str, **values: Any) -> Response:
        lang = self._pages.language(request)
        words = {
            "card_text": partial(i18n.card_text, lang=lang),
            "card_names": partial(i18n.card_names, lang=lang),
            "card_name": partial(card_name, lang=lang),
            "percent": partial(percent, lang=lang),
            "difference": difference,
        }
        response = self._pages.page(request, template, **{**words, **values})
        if response.status_code == 200:
            response.headers["Cache-Control"] = SAME_FOR
        return response

    async def pick(self, request: Request) -> Response:
        """Six cards, role and board to choose; where they are given already, the way to their entry."""
        from fifteentwo.server.study import book_address as addresses

        asked = {**request.query_params, **request.path_params}
        error, status = None, 200
        if asked.get("hand"):
            try:
                six = addresses.read_hand(asked["hand"])
                dealer = addresses.read_role(asked.get("role", "pone") or "pone")
                board = addresses.read_board(
                    asked.get("board") or f"{asked.get('own') or 0}-{asked.get('other') or 0}"
                )
            except FifteenTwoError as refused:
                error, status = i18n.refusal(refused, self._pages.language(request)), 400
            else:
                return RedirectResponse(addresses.hand_address(six, dealer, board), status_code=303)
        return self._pick(request, asked, error, status)

    def _pick(self, request: Request, asked: dict[str, str], error: str | None, status: int) -> Response:
        lang = self._pages.language(request)
        words = {key: word for key, word in i18n.catalogue(lang).items() if key.startswith(_PICKER_WORDS)}
        return self._page(request, "book_pick.html", status=status, asked=asked, error=error, words=words)

    def _way_back(self, request: Request, refused: FifteenTwoError) -> Response:
        """Return the search page with what is wrong with an address."""
        parts = dict(request.path_params)
        own, _, other = parts.get("board", "").partition("-")
        asked = {**parts, "own": own, "other": other}
        status = refused.status if isinstance(refused, Refused) else 400
        return self._pick(request, asked, i18n.refusal(refused, self._pages.language(request)), status)

    async def entry(self, request: Request) -> Response:
        """Every discard of six cards."""
        from fifteentwo.server.study import book_address as addresses
        from fifteentwo.server.study import book_values as values

        parts = request.path_params
        try:
            six, dealer, board = addresses.read_entry(parts)
            chosen = addresses.read_cards(request.query_params.get("throw", ""))
        except FifteenTwoError as refused:
            return self._way_back(request, refused)
        elsewhere = _redirected(request, addresses.hand_address(six, dealer, board))
        if elsewhere is not None:
            return elsewhere
        page = await _in_thread(values.page, six, dealer, board, chosen)
        return self._page(request, "book.html", page=page, entry=page.entry, dealer=dealer, board=board)

    async def entry_json(self, request: Request) -> Response:
        """The same as JSON."""
        from fifteentwo.server.study import book_address as addresses
        from fifteentwo.server.study import book_values as values

        parts = request.path_params
        try:
            six, dealer, board = addresses.read_entry(parts)
        except FifteenTwoError as refused:
            message = i18n.refusal(refused, self._pages.language(request))
            wrong = {"code": refused.code, "message": message}
            return Response(to_json(wrong), 400, media_type="application/json")
        plain = await _in_thread(values.entry_json, six, dealer, board)
        return Response(to_json(plain), media_type="application/json")

    async def map(self, request: Request) -> Response:
        """Which discard is best at which score."""
        from fifteentwo.server.study import book_address as addresses
        from fifteentwo.server.study import book_values as values

        parts = request.path_params
        try:
            six, dealer, board = addresses.read_entry(parts)
        except FifteenTwoError as refused:
            return self._way_back(request, refused)
        elsewhere = _redirected(request, f"{addresses.hand_address(six, dealer, board)}/map")
        if elsewhere is not None:
            return elsewhere
        drawn = await _in_thread(values.map_of, six, dealer)
        lang = self._pages.language(request)
        return self._page(
            request,
            "book_map.html",
            map=drawn,
            dealer=dealer,
            board=board,
            back=addresses.hand_address(six, dealer, board),
            band_text=partial(values.band_text, lang),
        )

    async def card(self, request: Request) -> Response:
        """A card with two sides to print: what to discard as dealer and as pone."""
        from fifteentwo.server.study import book_address as addresses
        from fifteentwo.server.study import book_values as values

        try:
            six = addresses.read_hand(request.path_params["hand"])
        except FifteenTwoError as refused:
            return self._way_back(request, refused)
        hand = addresses.hand_address(six, False, (0, 0))
        elsewhere = _redirected(request, f"{hand.rsplit('/', 2)[0]}/card")
        if elsewhere is not None:
            return elsewhere
        sides = [(dealer, await _in_thread(values.map_of, six, dealer)) for dealer in (True, False)]
        lang = self._pages.language(request)
        return self._page(
            request,
            "book_card.html",
            sides=sides,
            six=six,
            back=hand,
            band_text=partial(values.band_text, lang),
        )

    async def starters(self, request: Request) -> Response:
        """The way into the play: which card was turned up."""
        from fifteentwo.analysis.book_entry import in_order, joined
        from fifteentwo.server.study import book_address as addresses

        parts = request.path_params
        try:
            six, dealer, board = addresses.read_entry(parts)
            away = in_order(addresses.read_cards(parts["away"]))
            if len(away) != 2 or not {*away} <= {*six}:
                raise Refused("book-discard", status=404, text=parts["away"][:40])
        except FifteenTwoError as refused:
            return self._way_back(request, refused)
        here = f"{addresses.hand_address(six, dealer, board)}/{joined(away)}"
        elsewhere = _redirected(request, here)
        if elsewhere is not None:
            return elsewhere
        unseen = in_order(card for card in DECK if card not in six)
        return self._page(
            request,
            "book_starter.html",
            six=six,
            away=away,
            unseen=unseen,
            dealer=dealer,
            board=board,
            address=here,
        )

    async def play(self, request: Request) -> Response:
        """A position of the play: every card."""
        from fifteentwo.analysis.book_play import address
        from fifteentwo.server.study import book_address as addresses
        from fifteentwo.server.study import book_values as values

        try:
            asked = addresses.read_asked(request.path_params)
            elsewhere = _redirected(request, address(asked))
            if elsewhere is not None:
                return elsewhere
            found = await _in_thread(values.position_page, asked)
        except FifteenTwoError as refused:
            return self._way_back(request, refused)
        hand = addresses.hand_address(asked.six, asked.dealer, asked.board)
        return self._page(
            request, "book_play.html", page=found, position=found.position, asked=asked, hand=hand
        )

    async def solved(self, request: Request) -> Response:
        """Cribbage, nearly solved: every figure with where it comes from."""
        from fifteentwo.analysis.solved import figures

        return self._page(request, "solved.html", groups=await _in_thread(figures))
