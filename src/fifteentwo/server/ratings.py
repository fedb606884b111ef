"""Ratings of people with kept names, by form: Weng and Lin's Plackett-Luce model, by the library `openskill`.

A finished game counts where people of at least two sides sat down under kept names, unless it was brought in
or goes on from a position; who sat down as a guest and kept a name afterwards is a guest there. Games are
taken in the order they ended, whenever they come to be counted: the numbers follow from the log and nothing
else. Partners are a team, sides are ranked by their scores. Who has no kept name counts as a newcomer beside
a partner with one, and otherwise not at all.
"""

import asyncio
import contextlib
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from openskill.models import PlackettLuce

from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.server.account_tables import account, brought_along, rated
from fifteentwo.server.errors import StoreError
from fifteentwo.server.history import Finished, History, finished_games
from fifteentwo.server.store import Store, finished, person

SCALE = 60
"""A newcomer stands at 1500, as players know it from chess, instead of 25."""
SURE = 1.96
"""Standard deviations either way that hold 19 of 20."""
AGAIN = 10.0
"""Seconds before it is looked again whether games have been finished."""
MOST_LISTED = 100
"""Names of one form that the table of people shows."""
AT_ONCE = 500
"""Games read or written together: nobody at a table waits for all of them."""
TOO_FEW = 250
"""Points either way from which on a rating says little yet."""

_model = PlackettLuce()


class Standing(NamedTuple):
    """How good somebody is thought to be, and how sure that is."""

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
    """Somebody's rating in a form: their name, the standing, and after how many games."""

    form: str
    owner: str
    name: str
    standing: Standing
    games: int

    @property
    def is_sure(self) -> bool:
        """Whether it says something already."""
        return self.standing.either_way < TOO_FEW


class Counting(NamedTuple):
    """A finished game that counts: by side the owners with kept names, how many others, and its place."""

    form: str
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


def counting(game: str, number: int, kept: Finished, owners: Mapping[int, str]) -> Counting | None:
    """A finished game as it counts; None where it does not. owners: of people with kept names, by number."""
    if kept.brought_in or kept.onlooker or kept.goes_on:
        return None
    sides, others, scores = [], [], []
    for side in range(kept.sides):
        seated = kept.seated[side :: kept.sides]
        own = tuple(owners[who] for who in seated if who in owners)
        if own:
            sides.append(own)
            others.append(len(seated) - len(own))
            # Whoever gave up is last, whatever their score was.
            gave_up = kept.forfeited is not None and kept.forfeited % kept.sides == side
            scores.append((side != kept.won, gave_up, -kept.scores[side]))
    every = [owner for side in sides for owner in side]
    # Whoever sits there twice plays against nobody else.
    if len(sides) < 2 or len(set(every)) < len(every):
        return None
    places = tuple(sorted(scores).index(score) + 1 for score in scores)
    return Counting(kept.form, kept.ended_at, game, number, tuple(sides), tuple(others), places)


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
    """Everybody's ratings, kept beside the log and brought up to it when somebody looks."""

    def __init__(self) -> None:
        self._one_at_a_time = asyncio.Lock()
        self._looked = -AGAIN

    async def of(self, store: Store, history: History, owner: str) -> list[Rated]:
        """Somebody's ratings, by form."""
        return [one for one in await self.everybody(store, history) if one.owner == owner]

    async def everybody(self, store: Store, history: History) -> list[Rated]:
        """All ratings, by form and the best first."""
        await self.catch_up(store, history)
        own = rated.c.form, rated.c.owner
        latest = sa.func.rank().over(partition_by=own, order_by=rated.c.ended_at.desc())
        games = sa.func.count().over(partition_by=own)
        every = sa.select(rated, latest.label("latest"), games.label("games")).subquery()
        async with store.reading() as connection:
            rows = await connection.execute(
                sa.select(every, account.c.name)
                .join(account, account.c.owner == every.c.owner)
                .where(every.c.latest == 1)
            )
            # Of games that ended in the same second the last by its id: a database may sort ids otherwise.
            last = {
                (row.form, row.owner): Rated(
                    row.form, row.owner, row.name, Standing(row.mu, row.sigma), row.games
                )
                for row in sorted(rows, key=lambda row: (row.game, row.number))
            }
        return sorted(last.values(), key=lambda one: (one.form, -one.standing.mu, one.name))

    def look_again(self) -> None:
        """Whatever was looked up before holds no more: somebody has gone."""
        self._looked = -AGAIN

    async def catch_up(self, store: Store, history: History) -> None:
        """Count what has been finished since; take back what rested on games that count no more."""
        async with self._one_at_a_time:
            if time.monotonic() - self._looked < AGAIN:
                return
            await history.catch_up_at(_tables())
            games = await _that_count(store)
            # Another process may have counted the same games meanwhile: then they stand.
            with contextlib.suppress(StoreError):
                await _put_down(store, games)
            self._looked = time.monotonic()

    @staticmethod
    async def from_log(store: Store) -> dict[tuple[str, str], Standing]:
        """All ratings by form and owner, worked out from the log alone: nothing kept beside it is read."""
        async with store.reading() as connection:
            tables = [row.game for row in await connection.execute(_tables())]
        games: list[Counting | None] = []
        for name in sorted(set(tables)):
            kept = await store.load(name)
            owners = await _owners(store, name)
            if kept is not None:
                # A table that cannot be rebuilt counts nowhere.
                with contextlib.suppress(FifteenTwoError, ValueError, LookupError):
                    told = await asyncio.to_thread(finished_games, kept)
                    games += [counting(name, number, one, owners) for number, one in enumerate(told, 1)]
        standings: dict[tuple[str, str], Standing] = {}
        for form, counted in _by_form(one for one in games if one is not None).items():
            for _, now in course(counted):
                standings |= {(form, owner): standing for owner, standing in now.items()}
        return standings


_At = tuple[int, str, int]
"""When a game ended, its table and its number there: the order in which games are rated."""
_Kept = defaultdict[str, defaultdict[_At, dict[str, Standing]]]


def _seats() -> sa.Select[Any]:
    """People who sat down under a kept name: the table, their number there, the owner."""
    return (
        sa.select(person.c.game, person.c.number, person.c.owner)
        .join(account, account.c.owner == person.c.owner)
        .outerjoin(
            brought_along,
            sa.and_(brought_along.c.game == person.c.game, brought_along.c.number == person.c.number),
        )
        .where(brought_along.c.game.is_(None))
    )


def _tables() -> sa.Select[tuple[str]]:
    """Tables where at least two people sit under kept names."""
    seats = _seats().subquery()
    return (
        sa.select(seats.c.game).group_by(seats.c.game).having(sa.func.count(sa.distinct(seats.c.owner)) > 1)
    )


async def _owners(store: Store, name: str) -> dict[int, str]:
    async with store.reading() as connection:
        rows = await connection.execute(_seats().where(person.c.game == name))
        return {row.number: row.owner for row in rows}


async def _that_count(store: Store) -> list[Counting]:
    """All finished games that count, as they are listed."""
    owners: defaultdict[str, dict[int, str]] = defaultdict(dict)
    games: list[Counting | None] = []

    def read(rows: Sequence[sa.Row[Any]]) -> None:
        for row in rows:
            told = msgspec.json.decode(row.body, type=Finished)
            games.append(counting(row.game, row.number, told, owners[row.game]))

    async with store.reading() as connection:
        async for seat in await connection.stream(_seats().where(person.c.game.in_(_tables()))):
            owners[seat.game][seat.number] = seat.owner
        listed = await connection.stream(finished.select().where(finished.c.game.in_(_tables())))
        async for rows in listed.partitions(AT_ONCE):
            await asyncio.to_thread(read, rows)
    return [one for one in games if one is not None]


def _by_form(games: Iterable[Counting]) -> dict[str, list[Counting]]:
    """Games of each form in the order they ended."""
    forms: defaultdict[str, list[Counting]] = defaultdict(list)
    for one in sorted(games, key=lambda one: (one.form, one.ended_at, one.game, one.number)):
        forms[one.form].append(one)
    return dict(forms)


async def _put_down(store: Store, games: Sequence[Counting]) -> None:
    """Make the kept ratings those of these games: from the first that differs on they are worked out anew."""
    kept: _Kept = defaultdict(lambda: defaultdict(dict))
    async with store.reading() as connection:
        async for rows in (await connection.stream(rated.select())).partitions(AT_ONCE):
            for row in rows:
                kept[row.form][row.ended_at, row.game, row.number][row.owner] = Standing(row.mu, row.sigma)
    forms = _by_form(games)
    for form in forms.keys() | kept.keys():
        since, fresh = await asyncio.to_thread(_differing, forms.get(form, []), kept[form])
        if since is not None:
            async with store.writing() as connection:
                await connection.execute(
                    rated.delete().where(rated.c.form == form, rated.c.ended_at >= since)
                )
        # What is there is right at any moment, up to a game: whoever is cut off goes on from there.
        for first in range(0, len(fresh), AT_ONCE):
            async with store.writing() as connection:
                await connection.execute(rated.insert(), fresh[first : first + AT_ONCE])


def _differing(
    counted: Sequence[Counting], kept: Mapping[_At, Mapping[str, Standing]]
) -> tuple[int | None, list[dict[str, object]]]:
    """From when on the kept ratings of a form hold no more (None: all hold), and what follows on the rest."""
    in_order = sorted(kept)
    same = 0
    for one, at in zip(counted, in_order, strict=False):
        if at != (one.ended_at, one.game, one.number) or set(kept[at]) != set(one.owners):
            break
        same += 1
    since = in_order[same][0] if same < len(in_order) else None
    while since is not None and same and counted[same - 1].ended_at >= since:
        same -= 1
    standings: dict[str, Standing] = {}
    for at in in_order[:same]:
        standings |= kept[at]
    fresh: list[dict[str, object]] = [
        {
            "game": one.game,
            "number": one.number,
            "owner": owner,
            "form": one.form,
            "ended_at": one.ended_at,
            "mu": standing.mu,
            "sigma": standing.sigma,
        }
        for one, now in course(counted[same:], standings)
        for owner, standing in now.items()
    ]
    return since, fresh
