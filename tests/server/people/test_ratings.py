"""Ratings: each game is rated once, in the transaction that stores its result, or later."""

import asyncio
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from openskill.models import PlackettLuce

from fifteentwo.contest.statistics import GameCount
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.people import ratings
from fifteentwo.server.people.ratings import (
    Rating,
    Side,
    SignedInSeat,
    new_strengths,
    rate_missed_games,
    rated_sides,
    read_ratings,
)
from fifteentwo.server.store.history import GameSummary
from fifteentwo.server.store.schema import finished_game, game_rating, guest_seat
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person
from tests.support.named_tables import finished_table, guest, named
from tests.support.rated_games import CLOCK, rated_game, rated_history, sat, strengths, unstored_game


async def unrated(store: Store) -> int:
    """Return how many stored games are not rated yet."""
    async with store.reading() as connection:
        games = sa.select(sa.func.count()).select_from(finished_game)
        left = games.where(finished_game.c.is_rating_done == sa.false())
        return int((await connection.execute(left)).scalar_one())


async def rated_rows(store: Store) -> int:
    async with store.reading() as connection:
        return int(
            (await connection.execute(sa.select(sa.func.count()).select_from(game_rating))).scalar_one()
        )


async def test_each_rating_starts_from_the_one_before(store: Store) -> None:
    aiko, ken = [(await named(store, name)).owner for name in ("Aiko", "Ken")]
    expected: dict[str, tuple[float, float]] = {}
    for number, (one, other) in enumerate(((aiko, ken), (ken, aiko), (aiko, ken)), 1):
        name = await rated_game(store, one, other, number=number, at=1000 - number)
        game = await body_of(store, name)
        expected |= new_strengths(rated_sides(game, {0: SignedInSeat(one), 1: SignedInSeat(other)}), expected)
    assert await strengths(store) == {("five-card", owner): one for owner, one in expected.items()}
    assert [(one.games, one.opponents) for one in await read_ratings(store, aiko)] == [(3, 1)]


async def body_of(store: Store, name: str) -> GameSummary:
    async with store.reading() as connection:
        rows = await connection.execute(
            sa.select(finished_game.c.body).where(finished_game.c.match_id == name)
        )
        return msgspec.json.decode(rows.scalar_one(), type=GameSummary)


async def test_a_game_is_rated_once_however_often_it_is_stored(store: Store) -> None:
    owners = [(await named(store, name)).owner for name in ("Aiko", "Ken")]
    name = await unstored_game(store, *owners)
    await asyncio.gather(*(rated_history(store).store_games(name) for _ in range(3)))
    before = await strengths(store)
    await rated_history(store).store_games(name)
    await rate_missed_games(store)
    assert await strengths(store) == before
    assert await rated_rows(store) == 2
    assert [one.games for one in await read_ratings(store, owners[0])] == [1]


async def test_a_failure_to_rate_stores_the_result_and_the_game_is_rated_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, store: Store
) -> None:
    owners = [(await named(store, name)).owner for name in ("Aiko", "Ken")]

    def fail(*_: Any) -> Any:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(ratings, "new_strengths", fail)
        name = await rated_game(store, *owners)
    assert (await body_of(store, name)).players == (0, 1)
    assert await strengths(store) == {}
    assert await unrated(store) == 1
    assert "could not be rated" in caplog.text
    await rate_missed_games(store)
    assert len(await strengths(store)) == 2
    assert await unrated(store) == 0


async def test_a_result_that_is_not_stored_is_not_rated(store: Store) -> None:
    owners = [(await named(store, name)).owner for name in ("Aiko", "Ken")]
    name = await unstored_game(store, *owners)
    history = rated_history(store)

    async def fail_after(*given: Any) -> None:
        await ratings.rate_game(*given)
        raise sa.exc.OperationalError("", {}, Exception("disk full"))

    history.rate_game = fail_after
    await history.store_games(name)
    assert await strengths(store) == {}
    await rated_history(store).store_games(name)
    assert len(await strengths(store)) == 2


async def test_only_people_who_sat_down_with_accounts_and_a_clock_are_rated(store: Store) -> None:
    aiko, ken = [(await named(store, name)).owner for name in ("Aiko", "Ken")]

    async def play(*people: Person, options: Options = CLOCK, variant: str = "five-card") -> None:
        name = await finished_table(store, people, options=options, rules=rules_for(variant))
        await rated_history(store).store_games(name)

    for other in (sat(None, "master"), sat(guest()), sat(aiko)):
        await play(sat(aiko), other)
    await play(sat(aiko), sat(ken), options=Options())
    await play(sat(aiko), sat(ken), options=msgspec.structs.replace(CLOCK, imported="halscrib"))
    taken_along = await unstored_game(store, aiko, ken)
    async with store.writing() as connection:
        await connection.execute(guest_seat.insert(), {"match_id": taken_along, "player_number": 1})
    await rated_history(store).store_games(taken_along)
    assert await strengths(store) == {}
    assert await unrated(store) == 0
    await play(sat(aiko), sat(guest()), sat(ken), sat(guest()), variant="partners")
    assert await strengths(store) == {}, "they are partners"
    await play(sat(aiko), sat(ken), sat(guest()), sat(None, "club"), variant="partners")
    assert {key[1] for key in await strengths(store)} == {aiko, ken}


def test_partners_are_a_team_and_seats_alone_are_ranked_by_place() -> None:
    library = PlackettLuce()
    new = library.mu, library.sigma
    won = new_strengths([Side(("a", "c"), 0, 1), Side(("b", "d"), 0, 2)], {})
    assert won["a"] == won["c"]
    assert won["b"] == won["d"]
    assert won["a"][0] > new[0] > won["b"][0]
    expected = library.rate([[library.rating(), library.rating()] for _ in "ab"], ranks=[1.0, 2.0])
    assert won["a"] == (expected[0][0].mu, expected[0][0].sigma)
    three = new_strengths([Side(("a",), 0, 2), Side(("b",), 0, 1), Side(("c",), 0, 3)], {})
    assert three["b"][0] > three["a"][0] > three["c"][0]
    tied = new_strengths([Side(("a",), 0, 1), Side(("b",), 0, 2), Side(("c",), 0, 2)], {})
    assert tied["b"][0] == pytest.approx(tied["c"][0], abs=0.2)
    with_guests = new_strengths([Side(("a",), 1, 1), Side(("b",), 1, 2)], {})
    assert with_guests == {"a": won["a"], "b": won["b"]}, "a guest counts as a new player"


def test_ranks_are_those_of_the_final_scores() -> None:
    game = GameSummary(
        ended_at=5,
        variant="four-handed",
        target=121,
        players=(2, 0, 1, 3),
        names=("",) * 4,
        levels=(None,) * 4,
        sides=4,
        winner=2,
        scores=(100, 90, 121, 100),
        games_lost=(1, 1, 0, 1),
        has_clock=True,
        count=GameCount((), ()),
    )
    sides = rated_sides(game, {number: SignedInSeat(owner) for number, owner in enumerate("abcd")})
    assert [(side.owners, side.rank) for side in sides] == [
        (("c",), 2),
        (("a",), 4),
        (("b",), 1),
        (("d",), 2),
    ]
    assert [side.rank for side in rated_sides(game, {0: SignedInSeat("a"), 3: SignedInSeat("d")})] == [2, 1]
    assert rated_sides(game, {0: SignedInSeat("a")}) == []


def test_a_new_player_has_1500_and_is_unsure() -> None:
    new = Rating("six-card", "o", "Aiko")
    assert (new.points, new.margin, new.is_sure) == (1500, 980, False)
    assert new._replace(sigma=2.0).is_sure
