"""Figures of fair play for an evening's director: each person's clear choices over the games of the season.

`analysis.review.fair_play` says what a clear choice is, and what the test bounds. A person is compared with
their own rated games before the season, and with everybody's rated games after which a rating was as high.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from fifteentwo.analysis.review.fair_play import CLUB_RATE, FALSE_ALARMS, Game, largest_stake
from fifteentwo.contest.statistics import share_interval
from fifteentwo.rules.record import from_json
from fifteentwo.rules.variants import Variant
from fifteentwo.server.club.evening import Evening
from fifteentwo.server.club.evenings import Evenings
from fifteentwo.server.people.ratings import POINTS_PER_UNIT
from fifteentwo.server.store.history import GameSummary, SeatReview, review_engine
from fifteentwo.server.store.schema import finished_game, game_rating, player, review
from fifteentwo.server.store.store import Store

MAX_COMPARED = 10_000
"""Limit on the results of rated games with which people are compared: the latest ones."""
RATING_BAND_POINTS = 100
_read_review = msgspec.json.Decoder(tuple[SeatReview, ...]).decode


class Share(NamedTuple):
    """Numbers of games, best choices and clear decisions, and the 95 % interval of the share found."""

    games: int
    found: int
    clear: int
    low: float
    high: float


class PersonFigures(NamedTuple):
    """The figures of a person over the games of a season."""

    number: int
    """The person's number in the evening."""
    played: int
    share: Share
    history: Share
    """The share in the person's rated games before the season."""
    others: Share
    """The share in rated games of other people whose rating was in the same band."""
    stake: float
    """The largest stake of the test: an honest player reaches it with a probability of at most 1 / stake."""

    @property
    def is_marked(self) -> bool:
        return self.stake >= 1 / FALSE_ALARMS


def share_of(games: Iterable[Game]) -> Share:
    number, found, clear = map(sum, zip((0, 0, 0), *((1, *game) for game in games), strict=True))
    return Share(number, found, clear, *share_interval(found, clear))


def tested_rate(history: Share) -> float:
    """Return the share of best choices (0–1) that an honest person is assumed not to exceed.

    It is CLUB_RATE, or the upper end of their history's interval if the whole interval is above it.
    """
    return min(history.high, 0.99) if history.low > CLUB_RATE else CLUB_RATE


async def figures_of(store: Store, evenings: Evenings, evening: Evening) -> list[PersonFigures]:
    """Return the figures of everybody of an evening but levels."""
    ids = [evening.id] if evening.season_id is None else await evenings.of_season(evening.season_id)
    season = [await evenings.read(one) for one in ids]
    matches = [table.match_id for one in season for table in one.state.tables.values()]
    played = await _games_of(store, matches)
    began = min(one.opened_at for one in season)
    bands: dict[str, int] = {}
    of_owner, of_band = defaultdict[str, list[Game]](list), defaultdict[int, list[tuple[str, Game]]](list)
    for row in await store.select(_rated_games(began)):
        if (game := _read_review(row.body)[row.side].clear) is not None:
            band = round(row.mu * POINTS_PER_UNIT / RATING_BAND_POINTS)
            bands.setdefault(row.owner, band)
            of_owner[row.owner].append(game)
            of_band[band].append((row.owner, game))
    found = []
    for number, person in enumerate(evening.people):
        if (owner := person.owner) is not None:
            history = share_of(of_owner[owner])
            others = share_of(game for other, game in of_band[bands.get(owner, -1)] if other != owner)
            games = [game for game in played[owner] if game is not None]
            stake = largest_stake(games, tested_rate(history))
            figures = len(played[owner]), share_of(games), history, others, stake
            found.append(PersonFigures(number, *figures))
    return found


async def _games_of(store: Store, matches: list[str]) -> dict[str, list[Game | None]]:
    """Return the games of each owner in the order in which they ended; None for games without a review."""
    of_game = review.c.match_id == finished_game.c.match_id, review.c.engine == review_engine()
    rows = (
        sa.select(player.c.owner, player.c.player_number, finished_game.c.body, review.c.body.label("review"))
        .join(finished_game, finished_game.c.match_id == player.c.match_id)
        .outerjoin(review, sa.and_(*of_game, review.c.game_number == finished_game.c.game_number))
        .where(player.c.match_id.in_(matches), player.c.owner.is_not(None))
        .order_by(finished_game.c.ended_at, finished_game.c.match_id)
    )
    found = defaultdict[str, list[Game | None]](list)
    for row in await store.select(rows):
        seat = from_json(row.body, GameSummary).players.index(row.player_number)
        found[row.owner].append(None if row.review is None else _read_review(row.review)[seat].clear)
    return found


def _rated_games(before: int) -> Any:
    """Return the query of rated games before a time (seconds since 1970): a row per player, latest first."""
    same = review.c.match_id == game_rating.c.match_id, review.c.game_number == game_rating.c.game_number
    ended = finished_game.c.match_id == review.c.match_id, finished_game.c.game_number == review.c.game_number
    return (
        sa.select(game_rating.c.owner, game_rating.c.side, game_rating.c.mu, review.c.body)
        .join(review, sa.and_(*same, review.c.engine == review_engine()))
        .join(finished_game, sa.and_(*ended, finished_game.c.ended_at < before))
        .where(game_rating.c.variant == Variant.SIX_CARD)
        .order_by(finished_game.c.ended_at.desc(), finished_game.c.match_id)
        .limit(MAX_COMPARED)
    )
