"""The games of an evening: matches, results, rounds, leaving, substitutes, kills, and several processes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fifteentwo.analysis.review.review import Decision
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.server.club import decisions
from fifteentwo.server.club.evening import EveningPerson
from fifteentwo.server.club.scores import Outcome
from fifteentwo.server.errors import Refused
from fifteentwo.server.http.sessions import new_token, owner_of_token
from fifteentwo.server.live import move_clock, thinking
from fifteentwo.server.people import hosting
from fifteentwo.server.store.schema import evening, finished_game, match, taken_seat
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.time_controls import TimeControl
from tests.support.errors import raises_code
from tests.support.evening_tables import (
    DIRECTOR,
    Club,
    OpenClub,
    finished,
    joined,
    opened_clubs,
    person,
    play_on,
)
from tests.support.live_server import Live

CLOCK = TimeControl(move_seconds=40.0, on_timeout="club")


@pytest.fixture
def process() -> AbstractAsyncContextManager[OpenClub]:
    return opened_clubs()


async def begun(club: Club, people: int = 4, **options: object) -> Club:
    """Open an evening and begin its first round."""
    await club.open(people, **options)
    await club.change(decisions.begin, number=0, director=DIRECTOR)
    return club


async def test_each_table_of_a_round_gets_one_game_that_the_first_of_the_pair_deals(
    address: str, process: OpenClub
) -> None:
    club = await begun(await process(address), 5, clock=CLOCK)
    evening = await club.now()
    for place, pair in enumerate(evening.state.rounds[0].pairs):
        table = await club.tables.open(evening.state.tables[0, place].match_id)
        assert [(one.name, one.owner) for one in table.people] == [
            (f"Player {record}", f"owner {record}") for record in pair
        ]
        assert (table.rules, table.options.clock) == (evening.settings.rules, CLOCK)
        await joined(table, 0, 1)
        assert table.ledger.table.state.dealer == 0
        # No person can change seats, cancel the game or get help, whoever sits first.
        for change in (
            hosting.clear_seat(club.tables, table, 1, "random"),
            hosting.cancel_table(club.tables, table),
        ):
            with pytest.raises(Refused):
                await change
        await play_on(table)
        with raises_code(Refused, "evening-one-game"):
            await table.next_game()
    await club.settled()
    evening = await club.now()
    assert len(evening.state.rounds) == 2, "the next round has begun"
    assert len(await club.matches()) == 2
    assert all(
        one.ledger.awaited_for_seeds
        for one in [await club.tables.read(name) for name in await club.matches()]
    )
    first = evening.state.tables[0, 0]
    result = (await club.tables.read(first.match_id)).ledger.results[0]
    by_person = dict(zip(result.person_by_seat, result.won.scores, strict=True))
    assert first.outcome == Outcome((by_person[0], by_person[1]))
    rows = await club.store.select(sa.select(finished_game.c.match_id))
    assert sorted(row.match_id for row in rows) == sorted(
        one.match_id for place, one in evening.state.tables.items() if place[0] == 0
    )


async def test_a_round_ends_although_the_process_was_killed_right_after_the_last_card(
    address: str, process: OpenClub
) -> None:
    club = await begun(await process(address))
    club.tables.on_evening_game_ended = lambda _: None
    for name in await club.matches():
        await finished(club.tables, name)
    assert len(await club.matches()) == 2, "nobody has noticed"
    both = [await process(address, club.name) for _ in range(2)]
    await asyncio.gather(*(one.play.resume() for one in both * 2))
    evening = await both[0].now()
    assert len(evening.state.rounds) == 2
    assert all(evening.state.tables[0, place].outcome for place in range(2))
    both[0].evenings._states.clear()
    assert await both[0].now() == await both[1].now()
    await asyncio.gather(*(one.play.resume() for one in both))
    people = await both[0].store.people_of(await both[0].matches())
    assert [len(one) for one in people.values()] == [2, 2]


class Killed(BaseException):
    """The process is killed before a write."""


@asynccontextmanager
async def killed_before(write: int, store: Store) -> AsyncIterator[None]:
    """Let no write of a store succeed in the block from this one on, numbered from 0."""
    writing, left = store.writing, [write]

    @asynccontextmanager
    async def limited() -> AsyncIterator[AsyncConnection]:
        left[0] -= 1
        if left[0] < 0:
            raise Killed
        async with writing() as connection:
            yield connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "writing", limited)
        with suppress(Killed):
            yield
    assert left[0] < 0 or write == WRITES


WRITES = 4
"""Writes after the last game of a round: its summary, its result, the next round, and the matches."""


@pytest.mark.long
async def test_a_round_ends_and_the_next_begins_after_a_kill_before_any_write(
    process: OpenClub, tmp_path: Path
) -> None:
    for write in range(WRITES + 1):
        database = tmp_path / f"{write}.sqlite3"
        club = await begun(await process(database))
        first, last = await club.matches()
        await finished(club.tables, first)
        await club.settled()
        club.tables.on_evening_game_ended = lambda _: None
        await finished(club.tables, last)
        async with killed_before(write, club.store):
            await club.play.resume()
        again = await process(database, club.name)
        await again.play.resume()
        evening = await again.now()
        assert [place for place, one in evening.state.tables.items() if one.outcome is None] == [
            (1, 0),
            (1, 1),
        ]
        assert [len(one) for one in (await again.store.people_of(await again.matches())).values()] == [2, 2]
        rows = await again.store.select(sa.select(finished_game.c.match_id))
        assert {row.match_id for row in rows} == {first, last}


async def test_a_round_that_was_stored_without_its_matches_gets_them(
    process: OpenClub, tmp_path: Path
) -> None:
    club = await process(tmp_path / "games.sqlite3")
    await club.open(6)
    await club.evenings.change(club.name, lambda now: decisions.begin(now, 0, DIRECTOR))
    assert not (await club.store.select(sa.select(match.c.id)))
    again = [await process(tmp_path / "games.sqlite3", club.name) for _ in range(2)]
    await asyncio.gather(*(one.play.resume() for one in again))
    rows = await club.store.select(sa.select(match.c.id))
    assert sorted(row.id for row in rows) == sorted(await club.matches())
    assert len(rows) == 3


async def test_a_game_that_ended_at_another_process_is_noticed(address: str, process: OpenClub) -> None:
    club = await begun(await process(address))
    other = await process(address, club.name)
    other.tables.on_evening_game_ended = lambda _: None
    name = (await club.matches())[0]
    await finished(other.tables, name)
    assert name in await club.matches()
    await club.play.resume()
    assert name not in await club.matches()


async def test_who_leaves_forfeits_the_game_that_is_closed_for_the_opponent(
    process: OpenClub, tmp_path: Path
) -> None:
    club = await begun(await process(tmp_path / "games.sqlite3"))
    tables = [await club.tables.open(name) for name in await club.matches()]
    await joined(tables[0], 0, 1)
    await play_on(tables[0], 12)
    pairs = (await club.now()).state.rounds[0].pairs
    await club.change(decisions.leave, owner=DIRECTOR, number=pairs[0][1])
    assert tables[0].ledger.results[0].won.forfeited == tables[0].ledger.seat_of(1)
    assert tables[0].ledger.results[0].won.why is ForfeitedFor.RESIGNED
    await club.change(decisions.leave, owner=f"owner {pairs[1][0]}", number=pairs[1][0])
    assert tables[1].ledger.is_abandoned, "no card was dealt"
    await club.settled()
    evening = await club.now()
    assert evening.state.tables[0, 0].outcome == Outcome(has_left=(False, True))
    assert evening.state.tables[0, 1].outcome == Outcome(has_left=(True, False))
    assert len(evening.state.rounds) == 2, "two are left"


async def test_a_game_that_a_player_gives_up_or_the_director_ends_is_over_for_both(
    process: OpenClub, tmp_path: Path
) -> None:
    club = await begun(await process(tmp_path / "games.sqlite3"), 6)
    tables = [await club.tables.open(name) for name in await club.matches()]
    for table in tables:
        await joined(table, 0, 1)
        await play_on(table, 5)
    await move_clock.resign(tables[0], 0, 1)
    won = Outcome((61, 20))
    await club.change(decisions.correct, owner=DIRECTOR, place=(0, 1), outcome=won, reason="the hall closes")
    await finished(club.tables, tables[2].id)
    await club.settled()
    evening = await club.now()
    ended = [evening.state.tables[0, place].outcome for place in range(3)]
    assert ended[0] is not None
    assert ended[0].has_left == (True, False)
    assert ended[1] == won
    assert tables[1].ledger.is_abandoned
    played = [one.ledger.seq for one in tables]
    await club.change(decisions.correct, owner=DIRECTOR, place=(0, 2), outcome=won, reason="misread")
    assert [one.ledger.seq for one in tables] == played, "a correction does not touch a match"
    assert len(evening.state.rounds) == 2


async def test_a_substitute_takes_over_the_seat_before_and_after_the_first_card(
    address: str, process: OpenClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "QUICK_LEVEL_DELAY", thinking.Delay(0, 0))
    club = await begun(await process(address))
    before, after = [await club.tables.open(name) for name in await club.matches()]
    pairs = (await club.now()).state.rounds[0].pairs
    # The absent person's page has promised a seed that nobody can reveal any more.
    page = (await joined(before, 0))[0]
    await before.part(type(before.parts[3])).commit(before, 1, "ab" * 32)  # type: ignore[attr-defined]
    assert before.ledger.awaited_for_seeds == (1,)
    await club.change(decisions.substitute, owner=DIRECTOR, record=pairs[0][1], person=person(8))
    assert before.is_dropped
    assert page.is_closed, "the pages of the game that begins again reconnect"
    again = await club.tables.open(before.id)
    assert [one.owner for one in again.people] == [f"owner {pairs[0][0]}", "owner 8"]
    await joined(again, 0, 1)
    await play_on(again, 8)
    # The next substitutes come in the middle of a game: a person, then a level, then a person again.
    seq = again.ledger.seq
    await club.change(decisions.substitute, owner=DIRECTOR, record=pairs[0][1], person=person(9))
    assert again.people[1].owner == "owner 9"
    assert again.ledger.seq == seq
    level = EveningPerson("", level="random")
    await club.change(decisions.substitute, owner=DIRECTOR, record=pairs[0][0], person=level)
    await joined(again, 1)
    await play_on(again, 10)
    await club.change(decisions.substitute, owner=DIRECTOR, record=pairs[0][0], person=person(10))
    await joined(again, 0)
    await play_on(again)
    for record in pairs[1]:
        await club.change(decisions.substitute, owner=DIRECTOR, record=record, person=level)
    assert after.is_dropped
    while len((await club.now()).state.rounds) < 2:
        await asyncio.sleep(0.01)  # two levels play by themselves
    evening = await club.now()
    assert evening.state.tables[0, 1].outcome is not None


async def test_games_of_one_browser_or_address_are_not_rated_at_an_evening_either(
    live: Live, database: Path, process: OpenClub
) -> None:
    club = await process(database)
    tokens = [new_token() for _ in range(4)]
    await club.open(0, clock=CLOCK)
    for number, token in enumerate(tokens):
        await club.change(decisions.join, person=EveningPerson(f"Twin {number}", owner_of_token(token)))
    await club.change(decisions.begin, number=0, director=DIRECTOR)
    evening = await club.now()
    table = evening.state.tables[0, 0]

    def open_page(token: str) -> None:
        one = live.person()
        one.browser.cookies.set("fifteentwo", token)
        for _ in range(2):
            with one.open(table.match_id) as page:
                page.until("waiting")
        one.browser.close()

    for record in table.pair:
        await asyncio.to_thread(open_page, tokens[record])
    rows = await club.store.select(taken_seat.select().where(taken_seat.c.match_id == table.match_id))
    assert [row.player_number for row in rows] == [0, 1]
    assert rows[0].address == rows[1].address
    assert rows[0].browser != rows[1].browser


async def test_evenings_with_real_cards_have_no_match_and_begin_the_next_round(
    process: OpenClub, tmp_path: Path
) -> None:
    club = await begun(await process(tmp_path / "games.sqlite3"), has_real_cards=True)
    for place, pair in enumerate((await club.now()).state.rounds[0].pairs):
        for record in pair:
            await club.change(decisions.enter, owner=f"owner {record}", place=(0, place), scores=(61, 40))
    await club.play.resume()
    assert len((await club.now()).state.rounds) == 2
    assert not await club.store.select(sa.select(match.c.id))
    evening = await club.now()
    assert {*(await club.play.figures(evening)).values()} == {(None, None, None)}


async def test_an_evening_that_cannot_be_read_does_not_stop_the_others(
    process: OpenClub, tmp_path: Path
) -> None:
    damaged = await begun(await process(tmp_path / "games.sqlite3"))
    club = await process(tmp_path / "games.sqlite3")
    await club.open(4)
    await club.evenings.change(club.name, lambda now: decisions.begin(now, 0, DIRECTOR))
    broken = evening.update().where(evening.c.id == damaged.name)
    await club.store.execute(broken.values(settings='{"name": 1}'))
    await club.play.resume()
    people = await club.store.people_of(await club.matches())
    assert [len(one) for one in people.values()] == [2, 2]


@pytest.mark.long
async def test_reviews_of_an_evening_give_luck_loss_and_mean_hand_of_each_record(
    process: OpenClub, tmp_path: Path
) -> None:
    club = await begun(await process(tmp_path / "games.sqlite3"))
    played, given_up = await club.matches()
    await finished(club.tables, played)
    await club.settled()
    await club.play._review([played])
    table = await club.tables.open(given_up)
    await joined(table, 0, 1)
    await play_on(table, 12)
    await club.settled()
    evening = await club.now()
    figures, cards = await club.play.figures(evening), await club.play.cards(evening)
    assert figures == await (await process(tmp_path / "games.sqlite3", club.name)).play.figures(evening)
    [stored] = await club.tables.history.games_of_matches([played])
    pairs = {one.match_id: one.pair for one in evening.state.tables.values()}
    for person_number, record in enumerate(pairs[played]):
        seat = stored.summary.players.index(person_number)
        seen, hands = (
            stored.review[seat],
            [one.hand for one in stored.summary.count.deals if one.seat == seat],
        )
        assert seen.luck_adjusted_result is not None
        expected = 100 * seen.luck_adjusted_result, seen.rating, sum(hands) / len(hands)
        assert tuple(figures[record]) == pytest.approx(expected)
        assert cards.hands[record] == (sum(hands), len(hands))
    assert cards.cards == evening.cards.cards
    for record in pairs[given_up]:
        assert figures[record] == (None, None, None)


@pytest.mark.long
async def test_a_game_in_which_a_level_played_for_a_person_counts_for_the_opponents_figures_alone(
    process: OpenClub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "QUICK_LEVEL_DELAY", thinking.Delay(0, 0))
    club = await begun(await process(tmp_path / "games.sqlite3"), clock=CLOCK)
    name = (await club.matches())[0]
    table = await club.tables.open(name)
    await joined(table, 0, 1)
    await play_on(table, 30)
    await table.add_row(lambda: proposals.stand_in(table.ledger, 0, "random"))
    before = len(table.ledger.table.actions)
    await play_on(table, 10, absent=(0,))
    await move_clock.come_back(table, 0)
    after = len(table.ledger.table.actions)
    await play_on(table)
    await club.settled()
    await club.play._review([name])
    [stored] = await club.tables.history.games_of_matches([name])
    seat = stored.summary.players.index(0)
    assert (stored.summary.stood_in_seats, stored.summary.left_seats) == ((seat,), ())
    record = table.ledger.record(1, ("", ""))
    course = club.tables.reviews.review_parts(record)
    steps = [one.step for one in course if isinstance(one, Decision) and one.seat == seat]
    assert steps
    assert not [step for step in steps if before <= step < after], "the level's choices are not the person's"
    assert stored.review[seat].decisions == len(steps)
    evening = await club.now()
    own, other = (table_now := evening.state.tables[0, 0]).pair
    assert table_now.match_id == name
    figures, cards = await club.play.figures(evening), await club.play.cards(evening)
    assert (figures[own].adjusted, figures[own].loss) == (None, None)
    assert cards.adjusted[own] == (0, 0)
    assert cards.hands[own][1] > 0
    assert figures[other].adjusted is not None
