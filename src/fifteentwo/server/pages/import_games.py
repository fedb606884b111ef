"""Imported games: pasted in a notation, or entered as they were played at a real table.

A game is shown before it is stored, and only a game that can be read to its end is stored.
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
from fifteentwo.server.http.rate_limits import IMPORT
from fifteentwo.server.pages.site import Pages, is_busy, one_line, post, posted
from fifteentwo.server.services import services_of

LONGEST = 256 * 1024
"""Bytes of a posted game; a record of four players with every claim has some 30,000."""
MOST_GAMES = 100
BY_HAND = "table"
"""How a game is marked that was entered deal by deal."""
SUIT_MISSING = "suit-missing"
Found = tuple[formats.ImportedGame | NotationError, ...]
_WORDS = ("import.hand.", "card.", "list.", "table.count", "name.")


class _Sent(msgspec.Struct, frozen=True):
    """What was posted."""

    text: str = ""
    target: int = 121
    fill_suits: bool = False
    seat: str = ""
    act: str = "look"
    by_hand: bool = False


def routes(pages: Pages) -> list[Route]:
    async def ask(request: Request) -> Response:
        return _page(pages, request, _Sent())

    async def send(request: Request) -> Response:
        """Read the game that was sent: show it, return it as a record, or store it; as JSON if asked for."""
        sent = _sent(await posted(request, LONGEST))
        as_json = "application/json" in request.headers.get("accept", "")
        lang = pages.language(request)
        try:
            found, shown = await pages.worked_out(request, IMPORT, _read_and_shown, sent, lang)
        except FifteenTwoError as error:
            if is_busy(error):
                raise
            wrong = _refused(error, lang)
            if as_json:
                return JSONResponse(wrong, 400)
            line, code = wrong["line"], wrong["code"]
            return _page(pages, request, sent, error=wrong["message"], line=line, code=code, status=400)
        if as_json:
            return JSONResponse(shown[0] if len(shown) == 1 else {"games": shown})
        if sent.act == "record":
            headers = {"Content-Disposition": 'attachment; filename="fifteentwo-game.txt"'}
            written = [record.write(one.record) for one in found if isinstance(one, formats.ImportedGame)]
            return PlainTextResponse("\n".join(written), headers=headers)
        if sent.act == "keep":
            return await _keep(pages, request, sent, found, shown)
        return _page(pages, request, sent, games=shown)

    return [
        Route("/import", ask, methods=["GET"]),
        post("/import", send),
        pages.route("/import/by-hand", "by_hand.html", *_WORDS, targets=TARGETS),
    ]


def _page(pages: Pages, request: Request, sent: _Sent, *, status: int = 200, **values: Any) -> Response:
    shown: dict[str, Any] = {"games": [], "error": None, "line": None, "code": None, "asks_seat": False}
    games = values.get("games", [])
    shown |= {"players": players_of(games), "finished": sum(bool(one.get("over")) for one in games)}
    return pages.page(
        request,
        "import.html",
        status=status,
        sent=sent,
        targets=TARGETS,
        suit_missing=SUIT_MISSING,
        **(shown | values),
    )


def _sent(chosen: dict[str, str]) -> _Sent:
    target = chosen.get("target", "121")
    if target not in [str(one) for one in TARGETS]:
        raise Refused("option-unknown", name="target")
    return _Sent(
        text=chosen.get("text", "").replace("\r\n", "\n"),
        target=int(target),
        fill_suits=chosen.get("fill_suits") == "yes",
        seat=chosen.get("seat", "")[:8],
        act=chosen.get("act", "look")[:8],
        by_hand=chosen.get("by_hand") == "yes",
    )


def _read_and_shown(sent: _Sent, lang: str) -> tuple[Found, list[dict[str, Any]]]:
    found = _read(sent)
    return found, _shown(found, lang)


def _read(sent: _Sent) -> Found:
    """Return the games of a text; NotationError where there is only one, and it cannot be read."""
    found = tuple(
        _storable(one)
        for one in formats.read_all(
            sent.text, target=sent.target, fill_suits=sent.fill_suits, most=MOST_GAMES
        )
    )
    if len(found) == 1 and isinstance(found[0], NotationError):
        raise found[0]
    return found


def _storable(one: formats.ImportedGame | NotationError) -> formats.ImportedGame | NotationError:
    if isinstance(one, NotationError):
        return one
    if one.record.unknown:
        deals = sum(isinstance(action, Deal) for action in one.record.actions)
        return NotationError("review-needs-cards", str(len(one.record.unknown)), deals)
    return one.stopped or one


def _refused(error: FifteenTwoError, lang: str) -> dict[str, Any]:
    line = error.position if isinstance(error, NotationError) else None
    return {"code": error.code, "line": line, "message": i18n.refusal(error, lang)}


def _shown(found: Found, lang: str) -> list[dict[str, Any]]:
    return [
        _described(one, lang) if isinstance(one, formats.ImportedGame) else _refused(one, lang)
        for one in found
    ]


async def _keep(
    pages: Pages, request: Request, sent: _Sent, found: Found, shown: list[dict[str, Any]]
) -> Response:
    """Store the games that are over, for the user, who says under which name they sat."""
    games = [
        (game, about)
        for game, about in zip(found, shown, strict=True)
        if isinstance(game, formats.ImportedGame) and about["over"]
    ]
    players = players_of(shown)
    if not games or sent.seat not in (*[str(number) for number in range(len(players))], "none"):
        return _page(pages, request, sent, games=shown, asks_seat=bool(games), status=400)
    owner, token = sessions.sitting(request)
    name = ""
    for game, about in games:
        names = tuple(one_line(name) for name in game.record.names)
        kept = msgspec.structs.replace(game.record, names=names)
        seat = None if sent.seat == "none" else _seat(about, int(sent.seat), players)
        kind = BY_HAND if sent.by_hand else game.format
        name = await services_of(request).tables.import_game(kept, owner, seat, kind)
    if len(games) == 1:
        return pages.to_table(request, name, token, "/log?game=1")
    response = RedirectResponse("/history", status_code=303)
    sessions.SESSION.write(request, response, token)
    return response


def players_of(shown: list[dict[str, Any]]) -> list[str]:
    """Return who may be the user: the players of one game, or the names of several, each once."""
    if len(shown) == 1:
        return list(shown[0]["names"])
    return list(dict.fromkeys(name for about in shown for name in about.get("names", ())))


def _seat(about: dict[str, Any], chosen: int, players: list[str]) -> int | None:
    names: list[str] = about["names"]
    if names == players:
        return chosen
    return names.index(players[chosen]) if players[chosen] in names else None


def _described(game: formats.ImportedGame, lang: str) -> dict[str, Any]:
    """What was read, as it is shown: who, how it ended, and the score after each deal."""
    kept = game.record
    fronts, front, dealers, won = [], (0,) * kept.rules.sides, [], None
    state = None
    for action, after, _ in replay(kept):
        if isinstance(action, Deal):
            fronts.append(front)
            dealers.append(after.dealer)
        front, state, won = after.front, after, after.won
    names = _names(kept, lang, state.seating if state is not None else ())
    return {
        "format": game.format,
        "variant": kept.rules.variant.value,
        "target": kept.rules.target,
        "names": names,
        "suits_added": game.suits_added,
        "notices": [
            i18n.text(f"notice.{one.code}", lang, line=one.line, **one.values) for one in game.notices
        ],
        "over": won is not None,
        "result": None if won is None else i18n.event_text(won, lang, names, sides=kept.rules.sides),
        "front": front,
        "dealer": None if state is None else state.dealer,
        "deals": [
            {"number": number, "after": after, "before": before}
            for number, (before, after) in enumerate(zip(fronts, [*fronts[1:], front], strict=True), 1)
        ],
    }


def _names(kept: Record, lang: str, seating: tuple[int, ...]) -> list[str]:
    order = seating or tuple(range(kept.rules.seats))
    return [one_line(kept.names[who]) or i18n.text("name.seat", lang, n=who + 1) for who in order]
