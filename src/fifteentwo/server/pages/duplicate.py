"""Replay of a finished game: the same decks from another seat, against a level."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.contest.same_decks import deck_tops, first_dealer, new_record, with_tops, without_cuts
from fifteentwo.players import LEVELS
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import Record, last_state, read
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import STUDY_REQUEST
from fifteentwo.server.live.table_state import TableState
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.pages.history import result_text
from fifteentwo.server.pages.site import Pages, may_succeed_later, parse_number, read_form
from fifteentwo.server.services import services_of
from fifteentwo.server.store.history import PlayedGame
from fifteentwo.server.table_log.dealing import decks_of_secret, new_secret
from fifteentwo.server.table_log.ledger import Result
from fifteentwo.server.table_log.options import Options, Replayed
from fifteentwo.server.table_log.rows import Person

MAX_RECENT_GAMES = 12
"""Games to choose from; other games can be pasted as records."""


def routes(pages: Pages) -> list[Route]:
    async def page(request: Request, error: str | None = None) -> Response:
        owner, lang = sessions.owner_of(request), pages.language(request)
        recent = await _recent_games(services_of(request).tables, owner)
        asked, status = request.query_params, 400 if error else 200
        games = [
            {"id": f"{table.id}/{one.game_number}", "name": result_text(table, result, owner, lang)}
            for one, table, result in recent
            if table.options.replayed is None
        ]
        replayed = [row for one, table, _ in recent if (row := _comparison(one, table, lang)) is not None]
        wanted = f"{asked.get('game', '')}/{asked.get('number', '1')}"
        values = {"games": games, "replayed": replayed, "wanted": wanted, "error": error}
        return pages.page(request, "practice_duplicate.html", status=status, **values)

    async def play(request: Request) -> Response:
        pages.admit_table(request)
        chosen = await read_form(request)
        try:
            record, seat = await _chosen_game(pages, request, chosen)
            level = chosen.get("level", "club")
            options, position, key = await pages.compute(request, STUDY_REQUEST, _replay, record, seat, level)
        except FifteenTwoError as refused:
            if may_succeed_later(refused):
                raise
            return await page(request, i18n.refusal(refused, pages.language(request)))
        owner, token = sessions.owner_and_token(request)
        people = [Person(name="", level=level)] * position.rules.seats
        people[seat] = Person(name="", owner=owner)
        tables = services_of(request).tables
        name = await tables.create(position.rules, options, tuple(people), position, secret=key)
        return pages.redirect_to_table(request, name, token)

    return [
        Route("/practice/duplicate", page, methods=["GET"]),
        Route("/practice/duplicate", play, methods=["POST"]),
    ]


async def _chosen_game(pages: Pages, request: Request, chosen: dict[str, str]) -> tuple[Record, int]:
    """Return the record of the form, and the user's seat in the replay: the next seat after their own."""
    if chosen.get("record", "").strip():
        record = await pages.compute(request, STUDY_REQUEST, read, chosen["record"])
        return record, 1
    game, _, number = chosen.get("game", "").partition("/")
    table = await services_of(request).tables.read(game)
    person = table.person_of(sessions.owner_of(request))
    if person is None:
        raise Refused("not-your-table", status=403)
    wanted = parse_number(number)
    ledger = await table.ledger_with_game(wanted)
    record = ledger.record(wanted, table.names(pages.language(request)))
    return record, (ledger.result(wanted).person_by_seat.index(person) + 1) % record.rules.seats


def _replay(record: Record, seat: int, level: str) -> tuple[Options, Record, bytes]:
    """Return options, position and secret of a table with the record's decks and the user at this seat."""
    if level not in LEVELS:
        raise Refused("option-unknown", name="level")
    known = deck_tops(record)
    if not known:
        raise Refused("no-card-dealt")
    end, rules, secret = last_state(record), without_cuts(record.rules), new_secret()
    side = rules.side(seat)
    others = [score for other, score in enumerate(end.front) if other != side]
    name = record.names[end.seating[seat]] if end.seating[seat] < len(record.names) else ""
    is_won = end.won is not None and end.won.side == side
    replayed = Replayed(name=name, scores=(end.front[side], max(others)), won=is_won)
    position = new_record(rules, with_tops(decks_of_secret(secret), known), first_dealer(record))
    return Options(deck_tops=known, replayed=replayed), position, secret


async def _recent_games(tables: Tables, owner: str | None) -> list[tuple[PlayedGame, TableState, Result]]:
    games = [one for one in await tables.history.all_games_of(owner) if one.seat is not None]
    recent = []
    for one in games[:MAX_RECENT_GAMES]:
        table = await tables.read(one.match_id)
        recent.append((one, table, (await table.ledger_with_game(one.game_number)).result(one.game_number)))
    return recent


def _comparison(one: PlayedGame, table: TableState, lang: str) -> dict[str, Any] | None:
    """Return the result of a replay next to the original, or None for any other game."""
    before, side, scores = table.options.replayed, one.side, one.summary.scores
    if before is None or side is None or one.game_number != 1:
        return None
    now = (scores[side], max(score for other, score in enumerate(scores) if other != side))
    better = (now[0] - now[1]) - (before.scores[0] - before.scores[1])
    name = before.name or i18n.text("name.guest", lang)
    return {"id": one.match_id, "name": name, "before": before.scores, "now": now, "better": better}
