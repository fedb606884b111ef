"""Ratings of people: which games count, in which order; the numbers are the same whenever they are made."""

import random
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from openskill.models import PlackettLuce
from sqlalchemy.ext.asyncio import AsyncConnection

from fifteentwo.rules.variants import rules_for
from fifteentwo.server.errors import StoreError
from fifteentwo.server.people import ratings
from fifteentwo.server.people.ratings import Counting, Ratings, Seated, Standing, after, counting
from fifteentwo.server.store.history import Finished, History
from fifteentwo.server.store.schema import finished_game, game_rating, guest_seat, history_progress, player
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.options import Options
from tests.support.named_tables import finished_table, guest, named
from tests.support.rated_games import Numbers, everybody, from_log, in_store, now, numbers, sat, some_games


def sitting(owners: str) -> dict[int, Seated]:
    """People with accounts, by the number they came in; a space is a guest."""
    return {number: Seated(owner) for number, owner in enumerate(owners) if owner != " "}


def test_the_log_alone_gives_the_same_numbers(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await some_games(store)
        kept = await now(store)
        assert len(kept) == 6
        assert kept == await from_log(store)
        async with store.writing() as connection:
            for table in (game_rating, finished_game, history_progress):
                await connection.execute(table.delete())
        assert await from_log(store) == kept, "nothing stored next to the log is read"
        assert await now(store) == kept, "and what is deleted comes back"

    in_store(tmp_path, work)


def test_rating_again_is_done_in_the_background_a_part_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "AT_ONCE", 4)
    monkeypatch.setattr(ratings, "AGAIN", 0.0)
    threads, inserted = set(), list[int]()
    rate = ratings.after

    def in_background(game: Counting, before: Mapping[str, Standing]) -> dict[str, Standing]:
        threads.add(threading.current_thread())
        return rate(game, before)

    monkeypatch.setattr(ratings, "after", in_background)

    async def work(store: Store) -> None:
        tables = await some_games(store)
        writing = store.writing

        @asynccontextmanager
        async def until_cut_off() -> AsyncIterator[AsyncConnection]:
            async with writing() as connection:
                before = (await connection.execute(number)).scalar_one()
                yield connection
                if (after := (await connection.execute(number)).scalar_one()) > before:
                    inserted.append(after - before)
                    if len(inserted) == 3:
                        raise StoreError("conflict")

        number = sa.select(sa.func.count()).select_from(game_rating)
        monkeypatch.setattr(store, "writing", until_cut_off)
        counted = Ratings(store, History(store))
        await counted.catch_up()
        assert len(inserted) == 3, "another process was faster, or the database went away"
        kept = numbers(await everybody(counted, store))
        assert max(inserted) <= 4
        assert threading.main_thread() not in threads
        assert kept == await from_log(store)
        async with store.writing() as connection:
            first = player.update().where(player.c.match_id == tables[-1], player.c.player_number == 0)
            await connection.execute(first.values(owner=None))
        assert await now(store) == kept, "a game that was rated stays rated"

    in_store(tmp_path, work)


@pytest.mark.parametrize("seed", range(4))
def test_whenever_games_are_counted_the_numbers_are_the_same(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables come to be listed in any order, a few at a time: later games are rated again."""

    async def work(store: Store) -> None:
        tables = await some_games(store)
        at_once = await from_log(store)
        random.Random(seed).shuffle(tables)
        history = History(store)
        counted, few, last = Ratings(store, history), list[str](), Numbers()
        monkeypatch.setattr(ratings, "AGAIN", 0.0)
        every = history.catch_up_at

        async def some(wanted: sa.Select[tuple[str]]) -> int:
            return await every(wanted.intersect(sa.select(sa.literal(few[-1]))))  # type: ignore[arg-type]

        monkeypatch.setattr(history, "catch_up_at", some)
        for name in tables:
            few.append(name)
            last = numbers(await everybody(counted, store))
        assert last == at_once
        again = numbers(await everybody(counted, store))
        assert again == at_once, "a game is counted once"
        async with store.reading() as connection:
            number = (
                await connection.execute(sa.select(sa.func.count()).select_from(game_rating))
            ).scalar_one()
        assert number == 2 * 9 + 3

    in_store(tmp_path, work)


def test_only_people_who_sat_down_with_accounts_are_rated(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        aiko, ken = await named(store, "Aiko"), await named(store, "Ken")
        for other in (sat(None, "master"), sat(guest()), sat(aiko.owner)):
            await finished_table(store, (sat(aiko.owner), other))
        await finished_table(store, (sat(aiko.owner), sat(ken.owner)), options=Options(imported="halscrib"))
        partners = tuple(sat(owner) for owner in (aiko.owner, guest(), ken.owner, guest()))
        await finished_table(store, partners, rules=rules_for("partners"))
        along = await finished_table(store, (sat(aiko.owner), sat(ken.owner)))
        async with store.writing() as connection:
            await connection.execute(guest_seat.insert(), {"match_id": along, "player_number": 1})
        found = await now(store)
        assert {variant for variant, _ in found} <= {"partners"}
        assert await from_log(store) == found

    in_store(tmp_path, work)


def _game(sides: tuple[tuple[str, ...], ...], places: tuple[int, ...], others: tuple[int, ...]) -> Counting:
    return Counting("six-card", 1, "g", 1, sides, others, places)


def test_partners_are_a_team_and_seats_alone_are_ranked_by_place() -> None:
    library = PlackettLuce()
    fresh = library.rating
    won = after(_game((("a", "c"), ("b", "d")), (1, 2), (0, 0)), {})
    assert won["a"] == won["c"]
    assert won["b"] == won["d"]
    assert won["a"].mu > Standing().mu > won["b"].mu
    expected = library.rate([[fresh(), fresh()], [fresh(), fresh()]], ranks=[1.0, 2.0])
    assert won["a"] == Standing(expected[0][0].mu, expected[0][0].sigma)
    three = after(_game((("a",), ("b",), ("c",)), (2, 1, 3), (0, 0, 0)), {})
    assert three["b"].mu > three["a"].mu > three["c"].mu
    tied = after(_game((("a",), ("b",), ("c",)), (1, 2, 2), (0, 0, 0)), {})
    assert tied["b"].mu == pytest.approx(tied["c"].mu, abs=0.2)
    rated = after(_game((("a",), ("b",)), (1, 2), (1, 1)), {})
    assert set(rated) == {"a", "b"}, "a newcomer's stand-in is not kept"
    assert rated["a"] == won["a"]


def test_places_are_those_of_the_final_scores() -> None:
    from fifteentwo.contest.statistics import GameCount

    kept = Finished(
        ended_at=5,
        variant="four-handed",
        target=121,
        seated=(2, 0, 1, 3),
        names=("",) * 4,
        levels=(None,) * 4,
        sides=4,
        won=2,
        scores=(100, 90, 121, 100),
        lost=(1, 1, 0, 1),
        whole_deals=9,
        count=GameCount((), ()),
    )
    counted = counting("g", 1, kept, sitting("abcd"))
    assert counted is not None
    assert counted.sides == (("c",), ("a",), ("b",), ("d",))
    assert counted.places == (2, 4, 1, 2)
    without = counting("g", 1, kept, sitting("a  d"))
    assert without is not None
    assert without.places == (2, 1)
    assert counting("g", 1, kept, sitting("a")) is None


def test_a_newcomer_stands_at_1500_and_is_unsure() -> None:
    assert Standing().points == 1500
    assert Standing().either_way == 980
    one = ratings.Rated("six-card", "o", "Aiko", Standing(25.0, 2.0), 40)
    assert one.is_sure
    assert not one._replace(standing=Standing()).is_sure
