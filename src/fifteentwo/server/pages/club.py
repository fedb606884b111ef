"""Pages of a club: the form for a new evening, the list of own evenings, and the standings of a season."""

import secrets
from itertools import chain
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.club.evening import Settings
from fifteentwo.server.club.season import head_to_head, season_standings
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import OPEN_EVENING, STUDY_REQUEST, admit
from fifteentwo.server.pages import site
from fifteentwo.server.pages.evening import person_names
from fifteentwo.server.pages.history import date
from fifteentwo.server.pages.site import Pages, one_line, parse_number, post, read_form
from fifteentwo.server.people.play_now import AWAY_SECONDS, MIN_DISCARD_SECONDS
from fifteentwo.server.services import services_of
from fifteentwo.server.table_log.time_controls import TimeControl

MAX_TITLE_LENGTH = 60
CLOCKS: dict[str, TimeControl | None] = {"none": None} | {
    f"{seconds:g}": TimeControl(seconds, AWAY_SECONDS, discard_seconds=max(seconds, MIN_DISCARD_SECONDS))
    for seconds in (40.0, 20.0, 10.0)
}
GAMES = ("six-card 121", "six-card 61", "five-card 61")
"""Variants with their targets."""
COUNTINGS = ("automatic off", "claimed-hands off", "claimed off", "claimed missed-and-overclaims")
"""How points are counted, and muggins."""


def routes(pages: Pages) -> list[Route]:
    async def club(request: Request, **values: Any) -> Response:
        owner, lang = sessions.owner_of(request), pages.language(request)
        own = [] if owner is None else await services_of(request).evenings.of_owner(owner)
        view: dict[str, Any] = {
            "own": [(one, date(one.opened_at, lang)) for one in own],
            "chosen": {},
            "error": None,
        }
        view |= {"games": GAMES, "clocks": CLOCKS, "countings": COUNTINGS}
        return pages.page(request, "evening_club.html", **(view | values))

    async def open_evening(request: Request) -> Response:
        named, chosen = sessions.user_of(request), await read_form(request)
        try:
            if named is None:
                raise Refused("not-signed-in", status=403)
            settings, evenings = _read_settings(chosen), services_of(request).evenings
            admit(request, OPEN_EVENING)
            own = [one for one in await evenings.of_owner(named.owner) if one.is_director and settings.season]
            known = (one.season_id for one in own if one.settings.season == settings.season)
            season = next(known, None) or (secrets.token_urlsafe(9) if settings.season else None)
            name = await evenings.open(named.owner, settings, season)
        except FifteenTwoError as error:
            message, status = i18n.refusal(error, pages.language(request)), site.http_status(error)
            return await club(request, status=status, error=message, chosen=chosen)
        return RedirectResponse(f"/evening/{name}", status_code=303)

    async def season(request: Request) -> Response:
        admit(request, STUDY_REQUEST)
        services, lang = services_of(request), pages.language(request)
        every = [
            await services.evenings.read(one)
            for one in await services.evenings.of_season(request.path_params["season"][:16])
        ]
        if not every:
            raise Refused("no-such-season", status=404)
        played = [await services.evening_play.cards(one) for one in every if one.state.rounds]
        usual = (len(played) + 1) // 2
        best = min(parse_number(request.query_params.get("best", ""), 3) or usual, len(played))
        people = chain.from_iterable(zip(one.people, person_names(one, lang), strict=True) for one in every)
        view: dict[str, Any] = {
            "ranked": season_standings(played, best),
            "met": head_to_head(played),
            "best": best,
        }
        view |= {"names": {one.owner: name for one, name in people}, "played": len(played)}
        view["evenings"] = [(one, date(one.opened_at, lang)) for one in every]
        return pages.page(request, "evening_season.html", **view)

    return [
        Route("/club", club, methods=["GET"]),
        post("/club", open_evening),
        Route("/season/{season}", season),
    ]


def _read_settings(chosen: dict[str, str]) -> Settings:
    """Return what the director has chosen in the form. Raise an error if a value is not on offer."""
    for name, offered in (("game", GAMES), ("counting", COUNTINGS), ("clock", (*CLOCKS,))):
        if chosen.get(name) not in offered:
            raise Refused("option-unknown", name=name)
    (variant, target), (counting, muggins) = chosen["game"].split(), chosen["counting"].split()
    title = one_line(chosen.get("name", ""), MAX_TITLE_LENGTH)
    if not title:
        raise Refused("evening-nameless")
    return Settings(
        name=title,
        rules=rules_for(variant, target=int(target), counting=counting, muggins=muggins, skunk=True),
        rounds=parse_number(chosen.get("rounds", ""), 2),
        clock=CLOCKS[chosen["clock"]],
        needs_account=chosen.get("needs_account") == "yes",
        has_real_cards=chosen.get("has_real_cards") == "yes",
        season=one_line(chosen.get("season", ""), MAX_TITLE_LENGTH),
    )
