"""Ratings of users with accounts, by variant: Weng and Lin's Plackett-Luce model, from `openskill`.

A game is rated once, in the transaction that stores its result, if it was played here from its beginning with
a clock, and users of at least two sides took their seats signed in, from different browsers and addresses.
Partners are a team. Sides are ranked by score; a side that a player left is last.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

import sqlalchemy as sa
from openskill.models import PlackettLuce
from sqlalchemy.ext.asyncio import AsyncConnection

from fifteentwo.rules.record import from_json
from fifteentwo.server.background import log
from fifteentwo.server.store import schema
from fifteentwo.server.store.history import GameSummary
from fifteentwo.server.store.schema import account, finished_game, game_rating, player, rating, taken_seat
from fifteentwo.server.store.store import Store

POINTS_PER_UNIT = 60
"""Points shown for one unit of the model: a new player's 25 units are 1500 points, as in chess."""
INTERVAL_STANDARD_DEVIATIONS = 1.96
"""Standard deviations on each side of the mean that contain the true strength 19 times in 20."""
UNCERTAIN_MARGIN_POINTS = 250
"""Margin in rating points from which a rating is shown as uncertain."""
MIN_PUBLIC_GAMES = 10
MIN_PUBLIC_OPPONENTS = 5
MAX_LISTED = 100
"""Limit on names of one variant on the page of all ratings."""
MAX_MISSED_GAMES = 500
"""Limit on games that one call of `rate_missed_games` rates."""

_model = PlackettLuce()

Strength = tuple[float, float]
"""Mean (mu) and standard deviation (sigma) of a user's strength, in units of the model."""


class Rating(NamedTuple):
    """A user's rating in a variant, with the numbers of games and of different opponents."""

    variant: str
    owner: str
    name: str
    mu: float = _model.mu
    sigma: float = _model.sigma
    games: int = 0
    opponents: int = 0
    """Number of different opponents in the rated games."""

    @property
    def points(self) -> int:
        return round(self.mu * POINTS_PER_UNIT)

    @property
    def margin(self) -> int:
        """Points either way that contain the true strength 19 times in 20."""
        return round(self.sigma * POINTS_PER_UNIT * INTERVAL_STANDARD_DEVIATIONS)

    @property
    def is_public(self) -> bool:
        return self.games >= MIN_PUBLIC_GAMES and self.opponents >= MIN_PUBLIC_OPPONENTS

    @property
    def is_sure(self) -> bool:
        return self.margin < UNCERTAIN_MARGIN_POINTS


class SignedInSeat(NamedTuple):
    """A seat of a signed-in user: the owner id, and digests of browser and address."""

    owner: str
    browser_hash: str = ""
    address_hash: str = ""


class Side(NamedTuple):
    """A rated side of a game: its rated users, the number of its other players, and its rank from 1."""

    owners: tuple[str, ...]
    unrated_partners: int
    rank: int
    """Place of the side in the game, from 1."""


def rated_sides(game: GameSummary, seats: Mapping[int, SignedInSeat]) -> list[Side]:
    """Return the sides to rate, none if the game does not count. seats: signed-in users by number."""
    if not game.has_clock or game.imported or game.by_spectator or game.from_position:
        return []
    left = game.left_seats if game.forfeited_seat is None else (*game.left_seats, game.forfeited_seat)
    leavers = {seat % game.sides for seat in left}
    players = [game.players[side :: game.sides] for side in range(game.sides)]
    signed_in = [[seats[number] for number in numbers if number in seats] for numbers in players]
    rated = [side for side in range(game.sides) if signed_in[side]]
    owners = [seat.owner for side in rated for seat in signed_in[side]]
    # A user who sits on two sides has no opponent.
    if len(rated) < 2 or len(set(owners)) < len(owners):
        return []
    for own, against in combinations(rated, 2):
        for one, other in product(signed_in[own], signed_in[against]):
            if one.browser_hash == other.browser_hash != "" or one.address_hash == other.address_hash != "":
                return []
    # A side that a player left is last, even if a level won the game for them.
    keys = {side: (side in leavers, side != game.winner, -game.scores[side]) for side in rated}
    order = sorted(keys.values())
    return [
        Side(tuple(seat.owner for seat in here), len(players[side]) - len(here), order.index(keys[side]) + 1)
        for side in rated
        for here in (signed_in[side],)
    ]


def new_strengths(sides: Sequence[Side], before: Mapping[str, Strength]) -> dict[str, Strength]:
    """Return the new strength of every rated user. before: the strength of users who are not new."""
    teams = [
        [_model.rating(*before.get(owner, ())) for owner in (*side.owners, *[""] * side.unrated_partners)]
        for side in sides
    ]
    rated = _model.rate(teams, ranks=[float(side.rank) for side in sides])
    return {
        owner: (one.mu, one.sigma)
        for side, team in zip(sides, rated, strict=True)
        for owner, one in zip(side.owners, team, strict=False)
    }


async def rate_game(connection: AsyncConnection, match_id: str, game_number: int, game: GameSummary) -> None:
    """Rate a game in the transaction that stores its result; if this fails, the game is rated later."""
    try:
        async with connection.begin_nested():
            await _rate_once(connection, match_id, game_number, game)
    except Exception:  # an error must not prevent storing the result
        log.exception("game %s/%d could not be rated", match_id, game_number)


async def rate_missed_games(store: Store) -> None:
    """Rate the finished games that could not be rated when they ended, in the order they ended."""
    missed = finished_game.select().where(finished_game.c.is_rating_done == sa.false())
    for row in await store.select(missed.order_by(finished_game.c.ended_at).limit(MAX_MISSED_GAMES)):
        async with store.writing() as connection:
            await rate_game(connection, row.match_id, row.game_number, from_json(row.body, GameSummary))


async def _rate_once(connection: AsyncConnection, match_id: str, game_number: int, game: GameSummary) -> None:
    seats = await _signed_in_seats(connection, match_id)
    own = finished_game.c.match_id == match_id, finished_game.c.game_number == game_number
    done = finished_game.update().where(*own, finished_game.c.is_rating_done == sa.false())
    # If another process is rating the game, this waits for it and finds the game rated.
    if (await connection.execute(done.values(is_rating_done=True))).rowcount != 1:
        return
    if not (sides := rated_sides(game, seats)):
        return
    owners = sorted(owner for side in sides for owner in side.owners)
    before = await _strengths(connection, game.variant, owners)
    new = {owner: {"mu": mu, "sigma": sigma} for owner, (mu, sigma) in new_strengths(sides, before).items()}
    key = {"match_id": match_id, "game_number": game_number, "variant": game.variant}
    rows = [
        {**key, "owner": owner, "side": number, **new[owner]}
        for number, side in enumerate(sides)
        for owner in side.owners
    ]
    await connection.execute(game_rating.insert(), rows)
    for owner in owners:
        counts = {"games": rating.c.games + 1, "opponents": _opponent_count_query(game.variant, owner)}
        row = rating.update().where(rating.c.variant == game.variant, rating.c.owner == owner)
        await connection.execute(row.values(**new[owner], **counts))


async def _signed_in_seats(connection: AsyncConnection, match_id: str) -> dict[int, SignedInSeat]:
    """Return the signed-in seats; their rows stay locked, so that no account is deleted."""

    def of_player(table: sa.Table) -> sa.ColumnElement[bool]:
        return sa.and_(table.c.match_id == player.c.match_id, table.c.player_number == player.c.player_number)

    rows = await connection.execute(
        sa.select(player.c.player_number, player.c.owner, taken_seat.c.browser, taken_seat.c.address)
        .join(account, account.c.owner == player.c.owner)
        .outerjoin(taken_seat, of_player(taken_seat))
        .where(player.c.match_id == match_id, ~sa.exists().where(of_player(schema.guest_seat)))
        .order_by(player.c.player_number)
        .with_for_update(of=player)
    )
    return {row.player_number: SignedInSeat(row.owner, row.browser or "", row.address or "") for row in rows}


async def _strengths(connection: AsyncConnection, variant: str, owners: Sequence[str]) -> dict[str, Strength]:
    """Return strengths by owner, with rows locked in the order of owners; a new player gets a row."""
    new_row = sa.text(
        "INSERT INTO rating (variant, owner, mu, sigma, games, opponents) "
        "VALUES (:variant, :owner, :mu, :sigma, 0, 0) ON CONFLICT DO NOTHING"
    )
    for owner in owners:
        values = {"variant": variant, "owner": owner, "mu": _model.mu, "sigma": _model.sigma}
        await connection.execute(new_row, values)
    own = rating.select().where(rating.c.variant == variant, rating.c.owner.in_(owners))
    rows = await connection.execute(own.order_by(rating.c.owner).with_for_update())
    return {row.owner: (row.mu, row.sigma) for row in rows}


def _opponent_count_query(variant: str, owner: str) -> sa.ScalarSelect[Any]:
    own, other = game_rating.alias(), game_rating.alias()
    is_same_game = sa.and_(other.c.match_id == own.c.match_id, other.c.game_number == own.c.game_number)
    return (
        sa.select(sa.func.count(sa.distinct(other.c.owner)))
        .select_from(own.join(other, sa.and_(is_same_game, other.c.side != own.c.side)))
        .where(own.c.variant == variant, own.c.owner == owner)
        .scalar_subquery()
    )


async def read_ratings(store: Store, owner: str | None = None) -> list[Rating]:
    """Return a user's ratings, or the public ones of all users, by variant and the best first."""
    which = rating.c.owner == owner
    if owner is None:
        which = sa.and_(rating.c.games >= MIN_PUBLIC_GAMES, rating.c.opponents >= MIN_PUBLIC_OPPONENTS)
    rows = sa.select(rating, account.c.name).join(account, account.c.owner == rating.c.owner).where(which)
    found = [Rating(**row._mapping) for row in await store.select(rows)]
    return sorted(found, key=lambda one: (one.variant, -one.mu, one.name))
