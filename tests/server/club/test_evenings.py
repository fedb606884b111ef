"""Evenings in the database: several processes, refusals, substitutes, corrections and deleted data."""

import asyncio
import json
import random
from collections import defaultdict
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa

from fifteentwo.rules.variants import rules_for
from fifteentwo.server.club import decisions
from fifteentwo.server.club.decisions import MAX_PLAYERS
from fifteentwo.server.club.evening import Evening, EveningPerson, Settings
from fifteentwo.server.club.evenings import Evenings
from fifteentwo.server.club.scores import Outcome, standings
from fifteentwo.server.errors import Refused
from fifteentwo.server.people import own_data
from fifteentwo.server.people.accounts import Accounts
from fifteentwo.server.people.own_data import DataOwner
from fifteentwo.server.store.schema import evening_player, evening_row
from fifteentwo.server.store.store import Store
from tests.support.accounts import HERE, SECRET
from tests.support.errors import raises_code
from tests.support.named_tables import guest, named
from tests.support.stored_match import Process

DIRECTOR = "the director"


def agreed(**options: Any) -> Settings:
    return Settings(name="Wednesday", rules=rules_for("six-card"), **options)


def person(number: int) -> EveningPerson:
    return EveningPerson(f"Player {number}", f"owner {number}")


async def opened(evenings: Evenings, people: int, **options: Any) -> str:
    """Open an evening with people who have checked in."""
    name = await evenings.open(DIRECTOR, agreed(**options))
    for number in range(people):
        await evenings.change(name, partial(decisions.join, person=person(number)))
    return name


async def end_round(evenings: Evenings, name: str, rng: random.Random) -> None:
    """End every open table of an evening with a result."""
    for table in (await evenings.read(name)).state.tables.values():
        scores = rng.choice([(121, rng.randrange(121)), (rng.randrange(121), 121)])
        await evenings.change(name, partial(decisions.end, match_id=table.match_id, outcome=Outcome(scores)))


async def count_from_rows(store: Store, name: str) -> dict[int, tuple[int, int, int]]:
    """Return points, games won and spread by record, counted from the JSON of the log alone."""
    rows = await store.select(
        evening_row.select().where(evening_row.c.evening_id == name).order_by(evening_row.c.seq)
    )
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    record: dict[int, int] = {}
    tables: dict[tuple[int, int], list[int]] = {}
    results: dict[tuple[int, int], tuple[list[int], list[bool]]] = {}
    found = defaultdict[int, list[int]](lambda: [0, 0, 0])
    rounds = 0
    for row in rows:
        event = json.loads(row.body)
        match event["type"]:
            case "joined":
                record[event["number"]] = event["record"]
            case "left":
                gone = record[event["number"]]
                for place, pair in tables.items():
                    if gone in pair and place not in results:
                        results[place] = ([0, 0], [one == gone for one in pair])
            case "began":
                tables |= {(rounds, table): pair for table, pair in enumerate(event["pairing"]["pairs"])}
                if (bye := event["pairing"]["bye"]) is not None:
                    found[bye][0] += 2
                rounds += 1
            case "ended":
                results[tuple(event["place"])] = (event["outcome"]["scores"], event["outcome"]["has_left"])
    for place, (scores, has_left) in results.items():
        for one, other in ((0, 1), (1, 0)):
            spread = 0 if any(has_left) else scores[one] - scores[other]
            won = has_left[other] > has_left[one] if any(has_left) else spread > 0
            gained = (2 + (spread > 30)) * won, int(won), spread
            line = found[tables[place][one]]
            line[:] = [before + now for before, now in zip(line, gained, strict=True)]
    return {number: (points, won, spread) for number, (points, won, spread) in found.items()}


async def test_two_processes_run_an_evening_that_loses_nothing(address: str, process: Process) -> None:
    """People come late and leave, one is substituted, a result is corrected, both processes are replaced."""
    stores = [(await process(address)).store for _ in range(2)]
    both = [Evenings(store) for store in stores]
    name, rng = await both[0].open(DIRECTOR, agreed()), random.Random(4)
    join = [partial(decisions.join, person=person(number)) for number in range(11)]
    await asyncio.gather(*(one.change(name, joining) for joining in join for one in both))
    assert len((await both[0].read(name)).people) == 11, "twice is once"
    for number in range(9):
        if number in (2, 6):
            both = [Evenings((await process(address)).store) for _ in range(2)]
        if number == 3:
            await both[1].change(name, partial(decisions.join, person=person(11)))
        beginning = partial(decisions.begin, number=number)
        begun = await asyncio.gather(*(one.change(name, beginning) for one in both * 2))
        assert [one is not None for one in begun].count(True) == 1
        table = (await both[0].read(name)).state.tables[number, 0]
        if number == 4:
            left = partial(decisions.leave, owner="owner 5", number=5)
            assert await both[0].change(name, left) is not None
            assert await both[1].change(name, left) is None
        if number == 5:
            level = EveningPerson("", level="club")
            record = table.pair[0]
            await both[0].change(
                name, partial(decisions.substitute, owner=DIRECTOR, record=record, person=level)
            )
        await asyncio.gather(*(end_round(one, name, rng) for one in both))
        if number == 7:
            right = partial(decisions.correct, owner=DIRECTOR, place=(6, 1), outcome=Outcome((121, 3)))
            await both[1].change(name, partial(right, reason="  entered\nthe other way round "))
    with raises_code(Refused, "evening-over"):
        await both[0].change(name, partial(decisions.begin, number=9))
    evening = await both[0].read(name)
    assert evening == await both[1].read(name)
    assert evening.state.tables[6, 1].reasons == ("entered the other way round",)
    orders = {card.record: card.order for _, card in standings(evening.cards.cards.values())}
    assert orders == await count_from_rows(stores[0], name)
    assert sorted(orders) == list(range(12))


async def test_a_round_begins_when_all_tables_are_done_unless_the_director_wants_it_earlier(
    store: Store,
) -> None:
    evenings = Evenings(store)
    name = await opened(evenings, 4)
    for director in (None, DIRECTOR):
        begun = await evenings.change(name, partial(decisions.begin, number=0, director=director))
        assert (begun is not None) == (director is None)
    assert await evenings.change(name, partial(decisions.begin, number=1)) is None
    with raises_code(Refused, "not-the-director"):
        await evenings.change(name, partial(decisions.begin, number=1, director="owner 1"))
    assert await evenings.change(name, partial(decisions.begin, number=1, director=DIRECTOR)) is not None
    assert len((await evenings.read(name)).state.rounds) == 2


async def test_scores_of_real_cards_count_once_both_players_have_entered_the_same(store: Store) -> None:
    evenings = Evenings(store)
    name = await opened(evenings, 5, has_real_cards=True)
    await evenings.change(name, partial(decisions.begin, number=0))
    pairing = (await evenings.read(name)).state.rounds[0]
    one, other = (f"owner {record}" for record in pairing.pairs[0])

    async def enter(owner: str, scores: tuple[int, int]) -> Outcome | None:
        await evenings.change(name, partial(decisions.enter, owner=owner, place=(0, 0), scores=scores))
        return (await evenings.read(name)).state.tables[0, 0].outcome

    for scores in ((121, 121), (120, 90), (122, 90), (121, -1)):
        with raises_code(Refused, "impossible-result"):
            await enter(one, scores)
    for stranger in (f"owner {pairing.bye}", f"owner {pairing.pairs[1][0]}", "nobody"):
        with raises_code(Refused, "not-your-evening-table"):
            await enter(stranger, (121, 90))
    assert await enter(one, (121, 90)) is None
    assert await enter(one, (121, 91)) is None
    assert await enter(other, (121, 90)) is None
    assert await enter(other, (121, 91)) == Outcome((121, 91))
    with raises_code(Refused, "evening-table-has-ended"):
        await enter(one, (121, 90))


async def test_a_substitute_takes_over_the_record_and_the_seat(store: Store) -> None:
    evenings = Evenings(store)
    name = await opened(evenings, 4, has_real_cards=True)
    await evenings.change(name, partial(decisions.begin, number=0))
    replacing = partial(decisions.substitute, owner=DIRECTOR, record=2)
    for owner, code in (("owner 1", "evening-has-this-person"), ("owner 2", "evening-has-this-person")):
        with raises_code(Refused, code):
            await evenings.change(name, partial(replacing, person=EveningPerson("", owner)))
    await evenings.change(name, partial(replacing, person=person(8)))
    with raises_code(Refused, "evening-has-substitute"):
        await evenings.change(name, partial(decisions.join, person=person(2)))
    place = next(one for one, table in (await evenings.read(name)).state.tables.items() if 2 in table.pair)
    entering = partial(decisions.enter, place=place, scores=(121, 80))
    with raises_code(Refused, "not-your-evening-table"):
        await evenings.change(name, partial(entering, owner="owner 2"))
    await evenings.change(name, partial(entering, owner="owner 8"))
    evening = await evenings.read(name)
    assert (evening.state.present, evening.state.player_of(2)) == ([0, 1, 2, 3], 4)
    # The substitute leaves: the open game is forfeited, and the first player may come back.
    await evenings.change(name, partial(decisions.leave, owner="owner 8", number=4))
    await evenings.change(name, partial(decisions.join, person=person(2)))
    evening = await evenings.read(name)
    assert evening.state.player_of(2) == 2
    assert evening.cards.cards[2].lines[0][2:5] == (0, 0, False)


async def refusal(evenings: Evenings, name: str, change: Any) -> str:
    before = await evenings.read(name)
    with pytest.raises(Refused) as refused:
        await evenings.change(name, change)
    assert await evenings.read(name) == before, "nothing is changed"
    return refused.value.code


async def test_invalid_changes_are_refused_and_change_nothing(
    store: Store, subtests: pytest.Subtests
) -> None:
    evenings = Evenings(store)
    three, full = await opened(evenings, 3), await opened(evenings, MAX_PLAYERS)
    named_only, closed = await opened(evenings, 0, needs_account=True), await opened(evenings, 4)
    await evenings.change(full, partial(decisions.begin, number=0))
    await evenings.change(closed, partial(decisions.close, owner=DIRECTOR))
    assert len((await evenings.read(full)).state.rounds[0].pairs) == 30
    won, stranger = Outcome((121, 3)), "owner 1"
    correct, substitute = decisions.correct, decisions.substitute
    cases: list[tuple[str, str, Any]] = [
        (three, "too-few-players", partial(decisions.begin, number=0)),
        (full, "evening-full", partial(decisions.join, person=person(99))),
        (named_only, "evening-needs-account", partial(decisions.join, person=person(1))),
        (named_only, "too-few-players", partial(decisions.begin, number=0)),
        (closed, "evening-over", partial(decisions.join, person=person(9))),
        (closed, "evening-over", partial(decisions.begin, number=0)),
        (full, "not-the-director", partial(decisions.leave, owner=stranger, number=2)),
        (full, "no-such-evening-player", partial(decisions.leave, owner=DIRECTOR, number=60)),
        (full, "not-the-director", partial(decisions.close, owner=stranger)),
        (full, "not-the-director", partial(substitute, owner=stranger, record=1, person=person(99))),
        (full, "no-such-evening-player", partial(substitute, owner=DIRECTOR, record=60, person=person(99))),
        (full, "not-the-director", partial(correct, owner=stranger, place=(0, 0), outcome=won, reason="!")),
        (full, "reason-missing", partial(correct, owner=DIRECTOR, place=(0, 0), outcome=won, reason=" ")),
        (
            full,
            "no-such-evening-table",
            partial(correct, owner=DIRECTOR, place=(0, 30), outcome=won, reason="!"),
        ),
        (
            full,
            "impossible-result",
            partial(correct, owner=DIRECTOR, place=(0, 0), outcome=Outcome(), reason="!"),
        ),
        (
            full,
            "evening-table-has-ended",
            partial(decisions.enter, owner=stranger, place=(0, 0), scores=(121, 3)),
        ),
    ]
    for name, code, change in cases:
        with subtests.test(code=code, change=change):
            if change.func is decisions.enter:
                state = (await evenings.read(name)).state
                change = partial(change, place=next(one for one, it in state.tables.items() if 1 in it.pair))
            assert await refusal(evenings, name, change) == code
    for code in ("", "K7M4QX3T", "x" * 100, "0"):
        with raises_code(Refused, "no-such-evening"):
            await evenings.find(code)
    assert await evenings.find((await evenings.read(full)).code.lower()) == full
    for settings in (agreed(rounds=0), Settings(name="", rules=rules_for("partners"))):
        with raises_code(Refused, "option-unknown"):
            await evenings.open(DIRECTOR, settings)


async def test_a_season_lists_its_evenings_and_counts_accounts_only(store: Store) -> None:
    evenings = Evenings(store)
    names = [await evenings.open(DIRECTOR, agreed(), season) for season in ("a", "b", "a")]
    assert sorted(await evenings.of_season("a")) == sorted([names[0], names[2]])
    owner = (await named(store, "Aiko of the club")).owner
    for one in (EveningPerson("Aiko", owner, is_member=True), *(person(number) for number in range(3))):
        await evenings.change(names[0], partial(decisions.join, person=one))
    await evenings.change(names[0], partial(decisions.begin, number=0))
    cards = (await evenings.read(names[0])).cards
    assert cards.members == {0: owner}
    assert sorted(cards.cards) == [0, 1, 2, 3]


async def test_deleted_data_leaves_no_name_at_evenings_and_moved_guests_keep_their_place(
    tmp_path: Any, process: Process
) -> None:
    tables = await process(tmp_path / "games.sqlite3")
    store, evenings, accounts = tables.store, Evenings(tables.store), Accounts(tables.store)
    visitor = guest()
    alone, shared = await evenings.open(visitor, agreed()), await opened(evenings, 4)
    for name in (alone, shared):
        await evenings.change(name, partial(decisions.join, person=EveningPerson("Vanishing", visitor)))
    await evenings.change(shared, partial(decisions.begin, number=0))
    account = await accounts.create("Vanishing", SECRET, visitor, "", HERE)
    before = await evenings.read(shared)
    assert before.people[4] == EveningPerson("Vanishing", account.owner, is_member=True)
    mine = await evenings.open(account.owner, agreed())
    whose = DataOwner(tables, accounts, account.owner, await accounts.user_of(account.token))
    export = json.loads(b"".join([part async for part in own_data.export_data(whose)]))
    assert {one["evening"]: one["name"] for one in export["evenings"]} == dict.fromkeys(
        (alone, shared), "Vanishing"
    )
    assert [one["evening"] for one in export["directed_evenings"]] == [mine]
    await own_data.delete_data(whose)
    after: Evening = await evenings.read(shared)
    assert (after.state, after.people[:4]) == (before.state, before.people[:4])
    assert after.people[4] == EveningPerson("")
    with raises_code(Refused, "no-such-evening"):
        await evenings.read(mine)
    words = await store.select(sa.select(evening_player.c.name).where(evening_player.c.name == "Vanishing"))
    assert words == []
