"""Imported games: pasted in a notation, or entered deal by deal from a real table.

A game is shown before it is stored, and only complete games are stored.
"""

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from fifteentwo import formats, i18n
from fifteentwo.rules import record
from fifteentwo.rules.actions import Deal
from fifteentwo.rules.errors import FifteenTwoError, NotationError
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.variants import TARGETS
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import IMPORT_REQUEST
from fifteentwo.server.pages.site import Pages, may_succeed_later, one_line, post, read_form
from fifteentwo.server.services import services_of

MAX_FORM_BYTES = 256 * 1024
"""Limit on the form. The record of a game of four players with all claims has some 30,000 bytes."""
MAX_GAMES = 100
BY_HAND_FORMAT = "table"
"""Format name of games that were entered deal by deal."""
SUIT_MISSING_CODE = "suit-missing"
"""Code of the error after which the page offers to add missing suits."""
ReadGames = tuple[formats.ImportedGame | NotationError, ...]
_HAND_ENTRY_WORDS = ("import.hand.", "card.", "list.", "table.count", "name.")


class _ImportForm(msgspec.Struct, frozen=True):
    text: str = ""
    target: int = 121
    fill_suits: bool = False
    seat: str = ""
    """Which of the players is the user: a number, or "none"."""
    act: str = "look"
    """What to do with the games: "look", "record" (download) or "keep" (store)."""
    by_hand: bool = False


def routes(pages: Pages) -> list[Route]:
    async def ask(request: Request) -> Response:
        return _page(pages, request, _ImportForm())

    async def send(request: Request) -> Response:
        """Read the posted games, and show, store or return them; the response is JSON if requested."""
        form = _parse_form(await read_form(request, MAX_FORM_BYTES))
        as_json = "application/json" in request.headers.get("accept", "")
        lang = pages.language(request)
        try:
            found, shown = await pages.compute(request, IMPORT_REQUEST, _read_and_describe, form, lang)
        except FifteenTwoError as error:
            if may_succeed_later(error):
                raise
            wrong = _error_report(error, lang)
            if as_json:
                return JSONResponse(wrong, 400)
            line, code = wrong["line"], wrong["code"]
            return _page(pages, request, form, error=wrong["message"], line=line, code=code, status=400)
        if as_json:
            return JSONResponse(shown[0] if len(shown) == 1 else {"games": shown})
        if form.act == "record":
            headers = {"Content-Disposition": 'attachment; filename="fifteentwo-game.txt"'}
            written = [record.write(one.record) for one in found if isinstance(one, formats.ImportedGame)]
            return PlainTextResponse("\n".join(written), headers=headers)
        if form.act == "keep":
            return await _store_games(pages, request, form, found, shown)
        return _page(pages, request, form, games=shown)

    return [
        Route("/import", ask, methods=["GET"]),
        post("/import", send),
        pages.static_page_route("/import/by-hand", "by_hand.html", *_HAND_ENTRY_WORDS),
    ]


def _page(pages: Pages, request: Request, form: _ImportForm, *, status: int = 200, **values: Any) -> Response:
    shown: dict[str, Any] = {"games": [], "error": None, "line": None, "code": None, "asks_seat": False}
    games = values.get("games", [])
    shown |= {"players": players_of(games), "finished": sum(bool(one.get("over")) for one in games)}
    shown |= {"sent": form, "suit_missing": SUIT_MISSING_CODE}
    return pages.page(request, "import.html", status=status, **(shown | values))


def _parse_form(chosen: dict[str, str]) -> _ImportForm:
    target = chosen.get("target", "121")
    if target not in [str(one) for one in TARGETS]:
        raise Refused("option-unknown", name="target")
    return _ImportForm(
        text=chosen.get("text", "").replace("\r\n", "\n"),
        target=int(target),
        fill_suits=chosen.get("fill_suits") == "yes",
        seat=chosen.get("seat", "")[:8],
        act=chosen.get("act", "look")[:8],
        by_hand=chosen.get("by_hand") == "yes",
    )


def _read_and_describe(form: _ImportForm, lang: str) -> tuple[ReadGames, list[dict[str, Any]]]:
    """Return the games of a text, and their descriptions; raise NotationError if the only game is wrong."""
    read = formats.read_all(form.text, target=form.target, fill_suits=form.fill_suits, max_games=MAX_GAMES)
    games = tuple(_refuse_unstorable(one) for one in read)
    if len(games) == 1 and isinstance(games[0], NotationError):
        raise games[0]
    return games, [
        _describe_game(one, lang) if isinstance(one, formats.ImportedGame) else _error_report(one, lang)
        for one in games
    ]


def _refuse_unstorable(one: formats.ImportedGame | NotationError) -> formats.ImportedGame | NotationError:
    """Return a game, or the error because of which it cannot be stored."""
    if isinstance(one, NotationError):
        return one
    if one.record.unknown:
        deals = sum(isinstance(action, Deal) for action in one.record.actions)
        return NotationError("review-needs-cards", str(len(one.record.unknown)), deals)
    return one.stopped or one


def _error_report(error: FifteenTwoError, lang: str) -> dict[str, Any]:
    line = error.position if isinstance(error, NotationError) else None
    return {"code": error.code, "line": line, "message": i18n.refusal(error, lang)}


async def _store_games(
    pages: Pages, request: Request, form: _ImportForm, found: ReadGames, shown: list[dict[str, Any]]
) -> Response:
    """Store the complete games for the user, who has chosen a name or "none" among the players."""
    games = [
        (game, about)
        for game, about in zip(found, shown, strict=True)
        if isinstance(game, formats.ImportedGame) and about["over"]
    ]
    players = players_of(shown)
    if not games or form.seat not in (*[str(number) for number in range(len(players))], "none"):
        return _page(pages, request, form, games=shown, asks_seat=bool(games), status=400)
    owner, token = sessions.owner_and_token(request)
    name = ""
    for game, about in games:
        names = tuple(one_line(name) for name in game.record.names)
        kept = msgspec.structs.replace(game.record, names=names)
        seat = None if form.seat == "none" else _seat_of_user(about, int(form.seat), players)
        kind = BY_HAND_FORMAT if form.by_hand else game.format
        name = await services_of(request).tables.import_game(kept, owner, seat, kind)
    if len(games) == 1:
        return pages.redirect_to_table(request, name, token, "/log?game=1")
    response = RedirectResponse("/history", status_code=303)
    sessions.BROWSER_COOKIE.write(request, response, token)
    return response


def players_of(shown: list[dict[str, Any]]) -> list[str]:
    """Return the players to choose from; several games give each name once."""
    if len(shown) == 1:
        return list(shown[0]["names"])
    return list(dict.fromkeys(name for about in shown for name in about.get("names", ())))


def _seat_of_user(about: dict[str, Any], chosen: int, players: list[str]) -> int | None:
    names: list[str] = about["names"]
    if names == players:
        return chosen
    return names.index(players[chosen]) if players[chosen] in names else None


def _describe_game(game: formats.ImportedGame, lang: str) -> dict[str, Any]:
    kept = game.record
    fronts, front, dealers, won = [], (0,) * kept.rules.sides, [], None
    state = None
    for action, after, _ in replay(kept):
        if isinstance(action, Deal):
            fronts.append(front)
            dealers.append(after.dealer)
        front, state, won = after.front, after, after.won
    names = _names_by_seat(kept, lang, state.seating if state is not None else ())
    notices = [i18n.text(f"notice.{one.code}", lang, line=one.line, **one.values) for one in game.notices]
    return {
        "format": game.format,
        "variant": kept.rules.variant.value,
        "target": kept.rules.target,
        "names": names,
        "suits_added": game.suits_added,
        "notices": notices,
        "over": won is not None,
        "result": None if won is None else i18n.event_text(won, lang, names, sides=kept.rules.sides),
        "front": front,
        "dealer": None if state is None else state.dealer,
        "deals": [
            {"number": number, "after": after, "before": before}
            for number, (before, after) in enumerate(zip(fronts, [*fronts[1:], front], strict=True), 1)
        ],
    }


def _names_by_seat(kept: Record, lang: str, seating: tuple[int, ...]) -> list[str]:
    order = seating or tuple(range(kept.rules.seats))
    return [one_line(kept.names[who]) or i18n.text("name.seat", lang, n=who + 1) for who in order]
