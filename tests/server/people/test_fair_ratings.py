"""Attempts to cheat with ratings: from one address, without a clock, by leaving, or by deletion."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from fifteentwo.contest.statistics import GameCount
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.server.people.accounts import delete_account
from fifteentwo.server.people.ratings import Side, SignedInSeat, rated_sides, read_ratings
from fifteentwo.server.store.history import GameSummary
from fifteentwo.server.store.schema import game_rating, taken_seat
from fifteentwo.server.store.store import Store
from tests.support.accounts import keep
from tests.support.live_server import Live, Page
from tests.support.named_tables import named
from tests.support.rated_games import rated_game, strengths

WON = GameSummary(
    ended_at=1,
    variant="six-card",
    target=121,
    players=(0, 1),
    names=("A", "B"),
    levels=(None, None),
    sides=2,
    winner=1,
    scores=(110, 121),
    games_lost=(1, 0),
    has_clock=True,
    count=GameCount((), ()),
)


def ranks(game: GameSummary, **seats: SignedInSeat) -> list[tuple[tuple[str, ...], int]]:
    by_number = dict(enumerate(seats.values()))
    return [(side.owners, side.rank) for side in rated_sides(game, by_number)]


def test_a_player_who_left_has_lost_however_early(subtests: pytest.Subtests) -> None:
    for why in [ForfeitedFor.RESIGNED, ForfeitedFor.TIME, ForfeitedFor.AWAY]:
        with subtests.test(why=why):
            left = msgspec.structs.replace(WON, scores=(0, 0), winner=0, forfeited_seat=1, forfeit_reason=why)
            assert ranks(left, a=SignedInSeat("a"), b=SignedInSeat("b")) == [(("a",), 1), (("b",), 2)]


def test_a_player_who_left_has_lost_though_a_level_won_for_them() -> None:
    assert ranks(WON, a=SignedInSeat("a"), b=SignedInSeat("b")) == [(("a",), 2), (("b",), 1)]
    left = msgspec.structs.replace(WON, left_seats=(1,))
    assert ranks(left, a=SignedInSeat("a"), b=SignedInSeat("b")) == [(("a",), 1), (("b",), 2)]


def test_a_game_without_a_clock_does_not_count() -> None:
    assert (
        ranks(msgspec.structs.replace(WON, has_clock=False), a=SignedInSeat("a"), b=SignedInSeat("b")) == []
    )


def test_opponents_of_one_browser_or_one_address_do_not_count(subtests: pytest.Subtests) -> None:
    cases: list[tuple[tuple[str, str], tuple[str, str], bool]] = [
        (("1111", "aaaa"), ("2222", "bbbb"), True),
        (("1111", "aaaa"), ("1111", "bbbb"), False),
        (("1111", "aaaa"), ("2222", "aaaa"), False),
        (("", ""), ("", ""), True),
    ]
    for one, other, counts in cases:
        with subtests.test(one=one, other=other, counts=counts):
            assert bool(ranks(WON, a=SignedInSeat("a", *one), b=SignedInSeat("b", *other))) is counts


def test_partners_may_share_an_address_and_opponents_may_not() -> None:
    four = msgspec.structs.replace(WON, players=(0, 1, 2, 3), names=("",) * 4, levels=(None,) * 4)
    homes = {"a": "1", "b": "2", "c": "1", "d": "3"}
    people = {owner: SignedInSeat(owner, owner, home) for owner, home in homes.items()}
    assert ranks(four, **people) == [(("a", "c"), 2), (("b", "d"), 1)]
    assert ranks(four, **people | {"d": SignedInSeat("d", "d", "1")}) == []
    assert rated_sides(four, {0: people["a"], 1: people["b"]}) == [Side(("a",), 1, 2), Side(("b",), 1, 1)]


def rated_users(database: Path, game: str) -> int:
    engine = sa.create_engine(f"sqlite:///{database}")
    with engine.connect() as connection:
        rows = sa.select(sa.func.count()).where(game_rating.c.match_id == game)
        found = connection.execute(rows).scalar_one()
    engine.dispose()
    return int(found)


def play_seven_cards(pages: list[Page]) -> None:
    """Play until seven cards of the first deal are on the table."""
    while sum(event is not None and event["type"] == "Played" for event in pages[0].events.values()) < 7:
        for page in pages:
            if page.choices:
                page.act(page.choices[0])
        for page in pages:
            # The opponent's messages may still arrive.
            page.send("lang", "en")
            page.until("table")


def deal(pages: list[Page]) -> None:
    """Wait until the first cards are dealt."""
    while not pages[0].view.get("hand"):
        for page in pages:
            if page.choices:
                page.act(page.choices[0])
            page.send("lang", "en")
            page.until("table")


def test_a_player_who_gives_up_after_seven_cards_is_rated_and_does_not_deal_next(
    subtests: pytest.Subtests, live: Live, database: Path
) -> None:
    cases: list[tuple[Callable[[list[Page]], None], str, str, int]] = [
        (play_seven_cards, "127.0.0.2", "300", 2),
        (deal, "127.0.0.2", "300", 2),
        (play_seven_cards, "127.0.0.1", "300", 0),
        (play_seven_cards, "127.0.0.2", "none", 0),
    ]
    for until, address, clock, rated in cases:
        with subtests.test(until=until, address=address, clock=clock, rated=rated), ExitStack() as stack:
            one = stack.enter_context(live.person())
            other = stack.enter_context(live.person(address=address))
            for number, person in enumerate((one, other)):
                name = f"{until.__name__[:4]} {'xy'[number]} {address[-1]} {clock}"
                assert keep(person, name).status_code == 303
            game = one.new_game("six-card", level_1="person", clock_move=clock)
            page = stack.enter_context(one.open(game))
            page.until("waiting")
            other.sit(page.table["invitations"][0]["path"])
            opened = stack.enter_context(other.open(game))
            page.settle()
            until([page, opened])
            page.send("resign", 1)
            while not page.view["won"]:
                page.hear()
            own = one.browser.get("/account").text
            assert rated_users(database, game) == rated
            assert ("Rated games: 1" in own) is (rated > 0)
            page.send("next-game")
            while page.view["won"] or page.view["dealer"] < 0:
                page.hear()
            assert page.view["dealer"] != page.view["seat"]


def test_only_sixteen_bits_of_an_address_are_stored(live: Live, database: Path) -> None:
    with (
        live.person() as host,
        live.person(address="127.0.0.2") as guest,
        host.at_table("five-card", level_1="person") as page,
    ):
        page.until("waiting")
        guest.sit(page.table["invitations"][0]["path"])
    engine = sa.create_engine(f"sqlite:///{database}")
    with engine.connect() as connection:
        rows = connection.execute(taken_seat.select().where(taken_seat.c.match_id == page.game)).all()
    engine.dispose()
    assert len(rows) == 2
    assert all(len(bytes.fromhex(digest)) == 2 for row in rows for digest in (row.browser, row.address))
    assert rows[0].address != rows[1].address


async def test_a_player_is_listed_from_ten_games_against_five_people_on(store: Store) -> None:
    people = [(await named(store, f"Player {number}")).owner for number in range(6)]

    async def listed_after(*opponents: int) -> list[str]:
        for other in opponents:
            await rated_game(store, people[0], people[other])
        return [one.owner for one in await read_ratings(store)]

    assert await listed_after(1, 1, 1, 1, 1, 1, 2, 3, 4) == []
    assert await listed_after(4) == [], "ten games against four people"
    assert await listed_after(5) == [people[0]]
    own = await read_ratings(store, people[0])
    assert [(one.games, one.opponents, one.is_public) for one in own] == [(11, 5, True)]


async def test_a_deleted_account_changes_no_other_rating_now_or_later(store: Store) -> None:
    aiko, ken, mia = [(await named(store, name)).owner for name in ("Aiko", "Ken", "Mia")]
    await rated_game(store, aiko, ken)
    await rated_game(store, ken, mia)
    before = await strengths(store)
    async with store.writing() as connection:
        await delete_account(connection, aiko)
    assert await strengths(store) == {key: one for key, one in before.items() if key[1] != aiko}
    await rated_game(store, ken, mia, number=2)
    [own] = await read_ratings(store, ken)
    assert (own.games, own.opponents) == (3, 2), "deleted opponents count"
