"""Ratings of people with accounts, by variant: Weng and Lin's Plackett-Luce model, by `openskill`.

A finished game counts where people of at least two sides sat down signed in and from different browsers and
addresses, and at least one deal was played to its end, unless it was imported or goes on from a position; who
sat down as a guest and made an account afterwards is a guest there. Games are rated in the order they ended,
whenever they come to be counted. Partners are a team, sides are ranked by their scores, and who left is last.
A player without an account counts as a newcomer next to a partner with one, and otherwise not at all. A game
that was rated once stays rated: deleting other data changes no rating.
"""

import asyncio
import contextlib
import secrets
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import combinations
from typing import Any, NamedTuple

import sqlalchemy as sa
from openskill.models import PlackettLuce
from sqlalchemy.ext.asyncio import AsyncConnection

from fifteentwo.rules.record import from_json
from fifteentwo.server.errors import StoreError
from fifteentwo.server.store.history import Finished, History
from fifteentwo.server.store.schema import (
    account,
    finished_game,
    game_rating,
    guest_seat,
    player,
    rating,
    taken_seat,
)
from fifteentwo.server.store.store import Store

SCALE = 60
"""A newcomer stands at 1500, as players know it from chess, instead of 25."""
SURE = 1.96
"""Standard deviations either way that hold 19 of 20."""
AGAIN = 10.0
"""Seconds before it is looked again whether games have been finished."""
MOST_LISTED = 100
"""Names of one form that the table of people shows."""
AT_ONCE = 500
"""Games read or written together: no table waits for all of them."""
LISTED_FROM = 10, 5
"""Games, and different people met in them, from which on a user is listed."""
RATING = 0xF1F7EE26
"""The advisory lock for rating games, and for deleting a rated user."""
GONE = "gone "
"""How the owner begins that a deleted account's rated games are kept under."""
TOO_FEW = 250
"""Points either way from which on a rating says little yet."""

_model = PlackettLuce()


class Standing(NamedTuple):
    """The estimate of a user's strength, and how sure it is."""

    mu: float = _model.mu
    sigma: float = _model.sigma

    @property
    def points(self) -> int:
        """As it is shown."""
        return round(self.mu * SCALE)

    @property
    def either_way(self) -> int:
        """19 times in 20 it is no further off than this."""
        return round(self.sigma * SCALE * SURE)


class Rated(NamedTuple):
    """A user's rating in a variant: the name, the standing, on how many games and people it rests."""

    variant: str
    owner: str
    name: str
    standing: Standing
    games: int
    met: int = 0

    @property
    def is_listed(self) -> bool:
        """Whether everybody sees it."""
        games, met = LISTED_FROM
        return self.games >= games and self.met >= met

    @property
    def is_sure(self) -> bool:
        """Whether it says something already."""
        return self.standing.either_way < TOO_FEW


class Counting(NamedTuple):
    """A finished game that counts: by side the owners with accounts, how many others, and its place."""

    variant: str
    ended_at: int
    game: str
    number: int
    sides: tuple[tuple[str, ...], ...]
    others: tuple[int, ...]
    places: tuple[int, ...]

    @property
    def owners(self) -> tuple[str, ...]:
        """Everybody it rates."""
        return tuple(owner for side in self.sides for owner in side)


class Seated(NamedTuple):
    """A user of an account at a table: the owner, and digests of where from, empty if unknown."""

    owner: str
    browser: str = ""
    address: str = ""

    def shares_with(self, other: "Seated") -> bool:
        """Whether both sat down from one browser or one address."""
        same_browser = self.browser != "" and self.browser == other.browser
        return same_browser or (self.address != "" and self.address == other.address)


def counting(game: str, number: int, kept: Finished, people: Mapping[int, Seated]) -> Counting | None:
    """A finished game as it counts; None where it does not. people: those with accounts, by number."""
    if kept.imported or kept.by_spectator or kept.from_position or not _has_whole_deal(kept):
        return None
    gone = {*kept.left, *([] if kept.forfeited is None else [kept.forfeited])}
    sides, others, scores = [], [], []
    for side in range(kept.sides):
        at_side = kept.seated[side :: kept.sides]
        own = [people[who] for who in at_side if who in people]
        if own:
            sides.append(own)
            others.append(len(at_side) - len(own))
            # A player who left is last, whatever their score was, and whatever a level made of it.
            left = any(seat % kept.sides == side for seat in gone)
            scores.append((left, side != kept.won, -kept.scores[side]))
    owners = tuple(tuple(one.owner for one in side) for side in sides)
    every = [owner for side in owners for owner in side]
    # A user who sits there twice plays against no other.
    if len(sides) < 2 or len(set(every)) < len(every):
        return None
    if any(
        one.shares_with(other)
        for side, against in combinations(sides, 2)
        for one in side
        for other in against
    ):
        return None
    places = tuple(sorted(scores).index(score) + 1 for score in scores)
    return Counting(kept.variant, kept.ended_at, game, number, owners, tuple(others), places)


def _has_whole_deal(kept: Finished) -> bool:
    return kept.forfeited is None or kept.whole_deals > 0


def after(game: Counting, before: Mapping[str, Standing]) -> dict[str, Standing]:
    """The standings of everybody in a game after it; who had none is a newcomer."""
    teams = [
        [_model.rating(*before.get(owner, Standing())) for owner in (*side, *([""] * others))]
        for side, others in zip(game.sides, game.others, strict=True)
    ]
    rate = _model.rate(teams, ranks=[float(place) for place in game.places])
    return {
        owner: Standing(one.mu, one.sigma)
        for side, team in zip(game.sides, rate, strict=True)
        for owner, one in zip(side, team, strict=False)
    }


def course(
    games: Iterable[Counting], before: Mapping[str, Standing] | None = None
) -> Iterator[tuple[Counting, dict[str, Standing]]]:
    """Each game of one form in turn, with the standings after it."""
    standings = dict(before or {})
    for game in games:
        now = after(game, standings)
        standings |= now
        yield game, now


class Ratings:
    """The ratings of all users; games finished since are added when a page asks for them."""

    def __init__(self, store: Store, history: History) -> None:
        self._store = store
        self._history = history
        self._one_at_a_time = asyncio.Lock()
        self._looked = -AGAIN

    async def of(self, owner: str) -> list[Rated]:
        """Return a user's ratings, by variant."""
        await self.catch_up(owner)
        return await read_ratings(self._store, rating.c.owner == owner)

    async def listed(self) -> list[Rated]:
        """Return the ratings that everybody sees, by variant and the best first."""
        await self.catch_up()
        games, met = LISTED_FROM
        return await read_ratings(self._store, sa.and_(rating.c.games >= games, rating.c.opponents >= met))

    async def catch_up(self, owner: str | None = None) -> None:
        """Rate what has been finished since, at all tables or those of one owner."""
        async with self._one_at_a_time:
            if owner is None and time.monotonic() - self._looked < AGAIN:
                return
            await self._history.catch_up_at(tables_of_rated(owner))
            with contextlib.suppress(StoreError):
                async with _exclusively(self._store):
                    await _take_up(self._store)
            if owner is None:
                self._looked = time.monotonic()

    @asynccontextmanager
    async def at_rest(self) -> AsyncIterator[None]:
        """Hold the lock of rating games, in this process and all others."""
        async with self._one_at_a_time, _exclusively(self._store):
            yield


_At = tuple[int, str, int]
"""When a game ended, its table and its number there: the order in which games are rated."""


def _at(one: Counting) -> _At:
    return one.ended_at, one.game, one.number


def _seats() -> sa.Select[Any]:
    """People who sat down signed in: the table, their number there, the owner, and where from."""
    return (
        sa.select(
            player.c.match_id,
            player.c.player_number,
            player.c.owner,
            taken_seat.c.browser,
            taken_seat.c.address,
        )
        .join(account, account.c.owner == player.c.owner)
        .outerjoin(
            guest_seat,
            sa.and_(
                guest_seat.c.match_id == player.c.match_id,
                guest_seat.c.player_number == player.c.player_number,
            ),
        )
        .outerjoin(
            taken_seat,
            sa.and_(
                taken_seat.c.match_id == player.c.match_id,
                taken_seat.c.player_number == player.c.player_number,
            ),
        )
        .where(guest_seat.c.match_id.is_(None))
    )


def tables_of_rated(owner: str | None = None) -> sa.Select[tuple[str]]:
    """Tables where at least two people sit signed in; owner: and one of them is this."""
    wanted = _seats()
    if owner is not None:
        wanted = wanted.where(
            player.c.match_id.in_(sa.select(player.c.match_id).where(player.c.owner == owner))
        )
    seats = wanted.subquery()
    return (
        sa.select(seats.c.match_id)
        .group_by(seats.c.match_id)
        .having(sa.func.count(sa.distinct(seats.c.owner)) > 1)
    )


async def seated_people(
    connection: AsyncConnection, which: sa.ColumnElement[bool]
) -> dict[str, dict[int, Seated]]:
    """Return who sat down signed in, by table and number."""
    people: defaultdict[str, dict[int, Seated]] = defaultdict(dict)
    async for row in await connection.stream(_seats().where(which)):
        people[row.match_id][row.player_number] = Seated(row.owner, row.browser or "", row.address or "")
    return people


async def read_ratings(store: Store, which: sa.ColumnElement[bool]) -> list[Rated]:
    """Return stored ratings, by variant and the best first."""
    async with store.reading() as connection:
        rows = await connection.execute(
            sa.select(rating, account.c.name).join(account, account.c.owner == rating.c.owner).where(which)
        )
        found = [
            Rated(row.variant, row.owner, row.name, Standing(row.mu, row.sigma), row.games, row.opponents)
            for row in rows
        ]
    return sorted(found, key=lambda one: (one.variant, -one.standing.mu, one.name))


def by_variant(games: Iterable[Counting]) -> dict[str, list[Counting]]:
    """Return the games of each variant in the order they ended."""
    variants: defaultdict[str, list[Counting]] = defaultdict(list)
    for one in sorted(games, key=lambda one: (one.variant, *_at(one))):
        variants[one.variant].append(one)
    return dict(variants)


@asynccontextmanager
async def _exclusively(store: Store) -> AsyncIterator[None]:
    """While no other process does: who rates reads first, and would write over what another wrote since."""
    if not store.is_shared:
        yield
        return
    async with store.writing() as connection:
        await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(RATING)))
        yield


# ── Added to what there is ───────────────────────────────────────────────────────────────────────────────


async def _take_up(store: Store) -> None:
    """Rate the games that were listed and not yet weighed; those that do not count are weighed too."""
    fresh = finished_game.c.is_rating_done == sa.false()
    async with store.reading() as connection:
        if (
            await connection.execute(sa.select(finished_game.c.match_id).where(fresh).limit(1))
        ).first() is None:
            return
    async with store.writing() as connection:
        # Games there never count.
        await connection.execute(
            finished_game.update()
            .where(fresh, finished_game.c.match_id.not_in(tables_of_rated()))
            .values(is_rating_done=True)
        )
    found: list[tuple[str, int, Counting | None]] = []
    async with store.reading() as connection:
        tables = sa.select(finished_game.c.match_id).where(fresh).distinct()
        people = await seated_people(connection, player.c.match_id.in_(tables))

        def read(rows: Sequence[sa.Row[Any]]) -> None:
            for row in rows:
                one = from_json(row.body, Finished)
                name, number = row.match_id, row.game_number
                found.append((name, number, counting(name, number, one, people[name])))

        listed = await connection.stream(finished_game.select().where(fresh))
        async for rows in listed.partitions(AT_ONCE):
            await asyncio.to_thread(read, rows)
    for variant, games in by_variant(one for _, _, one in found if one is not None).items():
        await _rate(store, variant, games)
    async with store.writing() as connection:
        await _weighed(connection, [(game, number) for game, number, one in found if one is None])


async def _rate(store: Store, variant: str, games: Sequence[Counting]) -> None:
    """Rate games of a variant, and again those that ended after the first of them."""
    first = _at(games[0])
    new = {_at(one) for one in games}
    async with store.reading() as connection:
        later = [one for one in await _rated_since(connection, variant, first[0]) if _at(one) > first]
        every = sorted([*games, *(one for one in later if _at(one) not in new)], key=_at)
        owners = sorted({owner for one in every for owner in one.owners})
        before = {owner: await _before(connection, variant, owner, first) for owner in owners}
    known = {owner: standing for owner, standing in before.items() if standing is not None}
    results = await asyncio.to_thread(lambda: list(course(every, known)))
    rows = [row for one, now in results for row in _rows(one, now)]
    # If this is interrupted, the same games are rated the next time.
    for start in range(0, len(rows), AT_ONCE):
        few = rows[start : start + AT_ONCE]
        keys = [(row["match_id"], row["game_number"], row["owner"]) for row in few]
        async with store.writing() as connection:
            place = sa.tuple_(game_rating.c.match_id, game_rating.c.game_number, game_rating.c.owner)
            await connection.execute(game_rating.delete().where(place.in_(keys)))
            await connection.execute(game_rating.insert(), few)
    last = dict(known)
    for _, now in results:
        last |= now
    async with store.writing() as connection:
        for owner, standing in last.items():
            if not owner.startswith(GONE):
                await _sum_up(connection, variant, owner, standing)
        await _weighed(connection, [(one.game, one.number) for one in games])


def _rows(one: Counting, now: Mapping[str, Standing]) -> Iterator[dict[str, object]]:
    for side, owners in enumerate(one.sides):
        for owner in owners:
            yield {
                "match_id": one.game,
                "game_number": one.number,
                "owner": owner,
                "variant": one.variant,
                "ended_at": one.ended_at,
                "side": side,
                "unrated_partners": one.others[side],
                "rank": one.places[side],
                "mu": now[owner].mu,
                "sigma": now[owner].sigma,
            }


async def _rated_since(connection: AsyncConnection, variant: str, ended_at: int) -> list[Counting]:
    """Return the games of a variant that were rated and ended then or later."""
    rows = await connection.execute(
        game_rating.select()
        .where(game_rating.c.variant == variant, game_rating.c.ended_at >= ended_at)
        .order_by(
            game_rating.c.ended_at,
            game_rating.c.match_id,
            game_rating.c.game_number,
            game_rating.c.side,
            game_rating.c.owner,
        )
    )
    games: defaultdict[_At, list[Any]] = defaultdict(list)
    for row in rows:
        games[row.ended_at, row.match_id, row.game_number].append(row)
    return [_as_it_counted(variant, at, of_game) for at, of_game in games.items()]


def _as_it_counted(variant: str, at: _At, rows: Sequence[Any]) -> Counting:
    sides: defaultdict[int, list[Any]] = defaultdict(list)
    for row in rows:
        sides[row.side].append(row)
    in_order = [sides[side] for side in sorted(sides)]
    return Counting(
        variant,
        *at,
        tuple(tuple(row.owner for row in side) for side in in_order),
        tuple(side[0].unrated_partners for side in in_order),
        tuple(side[0].rank for side in in_order),
    )


async def _before(connection: AsyncConnection, variant: str, owner: str, at: _At) -> Standing | None:
    """Return a user's standing before a game."""
    own = (game_rating.c.owner == owner, game_rating.c.variant == variant)
    for when in (game_rating.c.ended_at == at[0], game_rating.c.ended_at < at[0]):
        last = sa.select(sa.func.max(game_rating.c.ended_at)).where(*own, when).scalar_subquery()
        rows = await connection.execute(game_rating.select().where(*own, game_rating.c.ended_at == last))
        # Of games that ended in the same second the last by its id: a database may sort ids otherwise.
        found = [row for row in rows if (row.ended_at, row.match_id, row.game_number) < at]
        if found:
            row = max(found, key=lambda row: (row.match_id, row.game_number))
            return Standing(row.mu, row.sigma)
    return None


async def _sum_up(connection: AsyncConnection, variant: str, owner: str, standing: Standing) -> None:
    """Store a user's present rating, with how many games and people it rests on."""
    other = game_rating.alias()
    own = (game_rating.c.owner == owner, game_rating.c.variant == variant)
    games = sa.select(sa.func.count()).select_from(game_rating).where(*own).scalar_subquery()
    against = sa.and_(
        other.c.match_id == game_rating.c.match_id,
        other.c.game_number == game_rating.c.game_number,
        other.c.side != game_rating.c.side,
    )
    met = (
        sa.select(sa.func.count(sa.distinct(other.c.owner)))
        .select_from(game_rating.join(other, against))
        .where(*own)
        .scalar_subquery()
    )
    numbers = (await connection.execute(sa.select(games.label("games"), met.label("met")))).one()
    await connection.execute(rating.delete().where(rating.c.variant == variant, rating.c.owner == owner))
    row = {"variant": variant, "owner": owner, "games": numbers.games, "opponents": numbers.met}
    await connection.execute(rating.insert(), row | {"mu": standing.mu, "sigma": standing.sigma})


async def _weighed(connection: AsyncConnection, games: Sequence[tuple[str, int]]) -> None:
    """These games have been taken up."""
    if games:
        one = finished_game.update().where(
            finished_game.c.match_id == sa.bindparam("of"), finished_game.c.game_number == sa.bindparam("at")
        )
        rows = [{"of": game, "at": number} for game, number in games]
        await connection.execute(one.values(is_rating_done=True), rows)


async def set_apart(connection: AsyncConnection, owner: str) -> None:
    """Keep a deleted account's rated games under an owner without an account; delete its ratings."""
    nameless = GONE + secrets.token_hex(16)
    await connection.execute(game_rating.update().where(game_rating.c.owner == owner).values(owner=nameless))
    await connection.execute(rating.delete().where(rating.c.owner == owner))
