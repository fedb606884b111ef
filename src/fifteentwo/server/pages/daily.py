"""The page of the day's deal: the way to its table, and how it went next to our levels."""

from datetime import date, timedelta

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.http import sessions
from fifteentwo.server.live.table_state import TableState
from fifteentwo.server.pages.site import Pages, json_response, words_of
from fifteentwo.server.services import services_of
from fifteentwo.server.study import daily
from fifteentwo.server.table_log.dealing import secret_of
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person


class DailyNow(msgspec.Struct, frozen=True, kw_only=True):
    """The day's deal: the user's result, and those of our levels."""

    day: str
    game: str | None
    over: bool
    own: daily.DailyScore | None
    levels: tuple[daily.LevelScore, ...]
    more: bool
    """More games of the levels will come."""


def routes(pages: Pages) -> list[Route]:
    """The addresses of this page."""
    days = daily.Days()

    async def page(request: Request) -> Response:
        """What the day's deal is, the way to it, and how it went."""
        day = _asked_day(request)
        table = await _own_table(request, day)
        return pages.page(
            request,
            "practice_daily.html",
            day=day,
            game=None if table is None else table.id,
            over=table is not None and table.played > 0,
            opponent=daily.OPPONENT,
            streak=await _streak(request),
            unfinished=None if table is not None else await _unfinished(request, day),
            words=words_of(pages.language(request), "practice.daily.", "review.mark.", "level.", "list."),
        )

    async def play(request: Request) -> Response:
        """Sit down at the day's table, which is made the first time."""
        pages.admit_table(request)
        (owner, token), day = sessions.sitting(request), daily.today()
        table = await _own_table(request, day)
        name = daily.game_id(owner, day) if table is None else table.id
        if table is None:
            people = Person(name="", owner=owner), Person(name="", level=daily.OPPONENT)
            try:
                await services_of(request).tables.create(
                    daily.RULES,
                    Options(daily=day),
                    people,
                    daily.opening(day),
                    name=name,
                    secret=secret_of(day),
                )
            except StoreError as error:
                # Another press, of this moment, has made it: the same person's, by its name.
                if error.code != "conflict":
                    raise
        days.begin(day)
        return pages.to_table(request, name, token)

    async def now(request: Request) -> Response:
        return json_response(await _standing(days, request))

    return [
        Route("/practice/daily", page, methods=["GET"]),
        Route("/practice/daily", play, methods=["POST"]),
        Route("/practice/daily.json", now),
    ]


async def _own_table(request: Request, day: str) -> TableState | None:
    """Return the user's table of the day, if any: their own, or one of a guest that they added."""
    owner = sessions.owner_of(request)
    if owner is None:
        return None
    for name in (
        daily.game_id(owner, day),
        await daily.brought_along(services_of(request).store, owner, day),
    ):
        try:
            table = await services_of(request).tables.read(name or "")
        except Refused:
            continue
        if table.person_of(owner) is not None:
            return table
    return None


def _asked_day(request: Request) -> str:
    """Return the day whose result is asked for, or today; a result may be looked at later than its day."""
    try:
        asked = date.fromisoformat(request.query_params.get("day", "")).isoformat()
    except ValueError:
        return daily.today()
    return min(asked, daily.today())


async def _streak(request: Request) -> daily.Streak:
    """Return the user's streak, a game just finished included."""
    owner = sessions.owner_of(request)
    if owner is None:
        return daily.Streak(0, 0)
    await services_of(request).tables.history.catch_up(owner)
    days = await daily.days_played(services_of(request).store, owner)
    return daily.streak(days, daily.today())


async def _unfinished(request: Request, day: str) -> TableState | None:
    """Return the user's table of the day before, if its game is not over: midnight ends no game."""
    before = (date.fromisoformat(day) - timedelta(days=1)).isoformat()
    table = await _own_table(request, before)
    return table if table is not None and not table.played else None


async def _standing(days: daily.Days, request: Request) -> DailyNow:
    day = _asked_day(request)
    table = await _own_table(request, day)
    over = table is not None and table.played > 0
    own = None
    if table is not None and over:
        days.begin(day)
        record = (await table.ledger_with(1)).record(1, ("", ""))
        own = await days.score(table.id, record, services_of(request).tables.reviews)
    return DailyNow(
        day=day,
        game=None if table is None else table.id,
        over=over,
        own=own,
        levels=days.levels(day) if over else (),
        more=over and days.at_work(day),
    )
