"""What no player can do to ratings: from one address, without playing, by leaving, or by deletion."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from fifteentwo.contest.statistics import GameCount
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.server.people import ratings
from fifteentwo.server.people.accounts import forget_account
from fifteentwo.server.people.ratings import Counting, Ratings, Seated, counting
from fifteentwo.server.store.history import Finished, History
from fifteentwo.server.store.schema import finished_game, game_rating, taken_seat
from fifteentwo.server.store.store import Store
from tests.support.accounts import keep
from tests.support.live_server import Live, Page, Person
from tests.support.named_tables import finished_table, named
from tests.support.rated_games import everybody, in_store, now, sat

WON = Finished(
    ended_at=1,
    variant="six-card",
    target=121,
    seated=(0, 1),
    names=("A", "B"),
    levels=(None, None),
    sides=2,
    won=1,
    scores=(110, 121),
    lost=(1, 0),
    whole_deals=9,
    count=GameCount((), ()),
)
FORFEITED = {"forfeited": 0, "why": ForfeitedFor.RESIGNED}


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({}, True),
        ({"whole_deals": 0, **FORFEITED}, False),
        ({"whole_deals": 1, **FORFEITED}, True),
    ],
)
def test_a_game_counts_from_the_first_whole_deal_on(changes: dict[str, object], counts: bool) -> None:
    kept = msgspec.structs.replace(WON, **changes)
    people = {number: Seated(owner) for number, owner in enumerate("ab")}
    assert (counting("g", 1, kept, people) is not None) is counts


@pytest.mark.parametrize(
    ("one", "other", "counts"),
    [
        (("1111", "aaaa"), ("2222", "bbbb"), True),
        (("1111", "aaaa"), ("1111", "bbbb"), False),
        (("1111", "aaaa"), ("2222", "aaaa"), False),
        # Tests without a browser know neither.
        (("", ""), ("", ""), True),
    ],
)
def test_opponents_of_one_browser_or_one_address_do_not_count(
    one: tuple[str, str], other: tuple[str, str], counts: bool
) -> None:
    assert (counting("g", 1, WON, {0: Seated("a", *one), 1: Seated("b", *other)}) is not None) is counts


def test_partners_may_share_an_address_and_opponents_may_not() -> None:
    four = msgspec.structs.replace(WON, seated=(0, 1, 2, 3), names=("",) * 4, levels=(None,) * 4)
    homes = {0: "aaaa", 1: "bbbb", 2: "aaaa", 3: "cccc"}
    people = {number: Seated(str(number), str(number), home) for number, home in homes.items()}
    assert counting("g", 1, four, people) is not None
    assert counting("g", 1, four, people | {3: Seated("3", "3", "aaaa")}) is None


def test_a_player_who_left_has_lost_though_a_level_won_for_them() -> None:
    people = {number: Seated(owner) for number, owner in enumerate("ab")}
    stayed = counting("g", 1, WON, people)
    left = counting("g", 1, msgspec.structs.replace(WON, left=(1,)), people)
    assert stayed is not None
    assert left is not None
    assert (stayed.places, left.places) == ((2, 1), (1, 2))


def numbers(database: Path, table: sa.Table) -> int:
    engine = sa.create_engine(f"sqlite:///{database}")
    with engine.connect() as connection:
        found = connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
    engine.dispose()
    return int(found)


def play_a_deal_and_give_up(pages: list[Page]) -> None:
    """The first deal is played to its end; then the first of these gives up."""
    with ThreadPoolExecutor(len(pages)) as threads:
        list(threads.map(until_second_deal, pages))
    give_up(pages[0])


def until_second_deal(page: Page) -> None:
    while page.view.get("deal", 0) < 2 and not (page.view and page.view["won"]):
        if page.choices:
            page.send("act", page.choices[0])
            page.choices = []
        page.hear()


def give_up(page: Page) -> None:
    page.send("resign", 1)
    while not page.view["won"]:
        page.hear()


@pytest.mark.parametrize(
    ("address", "ends", "count"),
    [
        ("127.0.0.1", play_a_deal_and_give_up, 0),
        ("127.0.0.2", play_a_deal_and_give_up, 2),
        ("127.0.0.2", lambda pages: give_up(pages[0]), 0),
    ],
)
def test_two_accounts_at_one_address_or_without_a_deal_gain_nothing(
    live: Live,
    database: Path,
    address: str,
    ends: Callable[[list[Page]], None],
    count: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ratings, "AGAIN", 0.0)
    before = numbers(database, game_rating)
    with ExitStack() as stack:
        one: Person = stack.enter_context(live.person())
        other = stack.enter_context(live.person(address=address))
        for number, person in enumerate((one, other)):
            # Names of their own for each way.
            assert keep(person, f"{'Ab'[number]}{'qx'[count > 0]} {address[-1]} {count}").status_code == 303
        game = one.new_game("six-card", level_1="person")
        page = stack.enter_context(one.open(game))
        page.until("waiting")
        other.sit(page.table["invitations"][0]["path"])
        opened = stack.enter_context(other.open(game))
        page.settle()
        opened.settle()
        ends([page, opened])
        one.browser.get("/people")
        other.browser.get("/account")
        assert numbers(database, game_rating) - before == count


def test_what_is_kept_of_an_address_is_sixteen_bits(live: Live, database: Path) -> None:
    with live.person() as host, live.person(address="127.0.0.2") as guest:
        game = host.new_game("five-card", level_1="person")
        with host.open(game) as page:
            page.until("waiting")
            guest.sit(page.table["invitations"][0]["path"])
    engine = sa.create_engine(f"sqlite:///{database}")
    with engine.connect() as connection:
        rows = connection.execute(taken_seat.select().where(taken_seat.c.match_id == game)).all()
    engine.dispose()
    assert len(rows) == 2
    assert all(len(bytes.fromhex(digest)) == 2 for row in rows for digest in (row.browser, row.address))
    assert rows[0].address != rows[1].address


def test_a_player_is_listed_from_ten_games_against_five_people_on(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        people = [await named(store, f"Player {number}") for number in range(6)]
        counted, at = Ratings(store, History(store)), 0

        async def listed() -> set[str]:
            counted._looked = -ratings.AGAIN
            return {one.owner for one in await counted.listed()}

        for other in (1, 1, 1, 1, 1, 1, 2, 3, 4):
            at += 10
            await finished_table(store, (sat(people[0].owner), sat(people[other].owner)), at=at)
        assert await listed() == set()
        await finished_table(store, (sat(people[0].owner), sat(people[4].owner)), at=at + 10)
        assert await listed() == set(), "ten games against four people"
        await finished_table(store, (sat(people[0].owner), sat(people[5].owner)), at=at + 20)
        assert await listed() == {people[0].owner}
        own = await counted.of(people[0].owner)
        assert [(one.games, one.met, one.is_listed) for one in own] == [(11, 5, True)]

    in_store(tmp_path, work)


def test_a_deleted_account_changes_no_other_rating_now_or_later(tmp_path: Path) -> None:
    async def work(store: Store, *, deleted: bool) -> list[tuple[str, float, float, int, int]]:
        aiko, ken, mia = [await named(store, name) for name in ("Aiko", "Ken", "Mia")]
        await finished_table(store, (sat(aiko.owner), sat(ken.owner)), at=100)
        await finished_table(store, (sat(ken.owner), sat(mia.owner)), at=200)
        before = await now(store)
        if deleted:
            async with store.writing() as connection:
                await forget_account(connection, aiko.owner)
            kept = {key: one for key, one in before.items() if key[1] != aiko.owner}
            assert await now(store) == kept
        # A game that ended first and is listed last: later ones are rated again on top of it.
        await finished_table(store, (sat(ken.owner), sat(mia.owner)), number=2, at=50)
        found = await everybody(Ratings(store, History(store)), store)
        return [(one.name, *one.standing, one.games, one.met) for one in found if one.name != "Aiko"]

    results = []
    for deleted in (False, True):
        folder = tmp_path / str(deleted)
        folder.mkdir()

        async def once(store: Store, deleted: bool = deleted) -> None:
            results.append(await work(store, deleted=deleted))

        in_store(folder, once)
    assert results[0] == results[1]
    assert results[0][0][3:] == (3, 2)


def test_a_look_reads_no_game_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store) -> None:
        people = [await named(store, name) for name in ("Aiko", "Ken")]
        counted = Ratings(store, History(store))
        monkeypatch.setattr(ratings, "AGAIN", 0.0)
        for at in (1, 2, 3):
            await finished_table(store, tuple(sat(one.owner) for one in people), at=at)
        await counted.catch_up()
        decoded: list[str] = []
        count = ratings.counting

        def noted(*given: Any) -> Counting | None:
            decoded.append(given[0])
            return count(*given)

        monkeypatch.setattr(ratings, "counting", noted)
        await counted.catch_up()
        await counted.of(people[0].owner)
        assert decoded == []
        name = await finished_table(store, tuple(sat(one.owner) for one in people), at=4)
        await counted.catch_up()
        assert decoded == [name]
        async with store.reading() as connection:
            left = (
                sa.select(sa.func.count())
                .select_from(finished_game)
                .where(finished_game.c.is_rating_done == sa.false())
            )
            assert (await connection.execute(left)).scalar_one() == 0

    in_store(tmp_path, work)
