"""Fair play: whom the director's page marks, who may see it, and reports to the director."""

import html
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path

from fifteentwo.i18n import text
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.club import decisions
from fifteentwo.server.club.evening import EveningPerson, Settings
from fifteentwo.server.club.evenings import Evenings
from fifteentwo.server.club.fair_play import PersonFigures, figures_of
from fifteentwo.server.club.scores import Outcome
from fifteentwo.server.errors import Refused
from fifteentwo.server.people.accounts import Accounts
from fifteentwo.server.people.ratings import rate_game
from fifteentwo.server.store.history import History, SeatReview
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person as Seated
from fifteentwo.server.table_log.time_controls import TimeControl
from tests.support.accounts import HERE, SECRET, sign_in
from tests.support.errors import raises_code
from tests.support.live_server import run_apart, serving
from tests.support.named_tables import finished_table, named
from tests.support.stored_match import opened_store

SIX = rules_for("six-card")
Game = tuple[int, int]
PERFECT, HONEST = (17, 17), (13, 17)
times = count(2_000_000_000)
"""When the games of evenings end, in the order in which they are stored."""
CLOCK = Options(clock=TimeControl(move_seconds=60))


async def opened(store: Store, owners: dict[str, str], rounds: int, season_id: str | None = None) -> str:
    """Open an evening of the first owner, at which all check in."""
    evenings = Evenings(store)
    director, agreed = next(iter(owners.values())), Settings(name="Wednesday", rules=SIX, rounds=rounds)
    name = await evenings.open(director, agreed, season_id)
    for called, owner in owners.items():
        await evenings.change(name, partial(decisions.join, person=EveningPerson(called, owner, None, True)))
    return name


async def play_round(store: Store, name: str, found: Mapping[str, Game | None]) -> None:
    """Play the next round of an evening; reviews find the clear choices of each player, or do not exist."""
    evenings, history = Evenings(store), History(store)
    evening = await evenings.read(name)
    await evenings.change(name, partial(decisions.begin, number=len(evening.state.rounds)))
    for table in (await evenings.read(name)).state.tables.values():
        if table.outcome is None:
            pair = [evening.people[number] for number in table.pair]
            people = tuple(Seated(name=one.name, owner=one.owner) for one in pair)
            ended = next(times)
            await finished_table(store, people, rules=SIX, name=table.match_id, at=ended)
            await history.store_games(table.match_id)
            games = [found[one.name] for one in pair]
            if None not in games:
                await history.save_review(table.match_id, 1, [SeatReview(clear=game) for game in games])
            outcome = Outcome((121, 90))
            await evenings.change(name, partial(decisions.end, match_id=table.match_id, outcome=outcome))


async def shown(store: Store, name: str) -> dict[str, PersonFigures]:
    evenings = Evenings(store)
    evening = await evenings.read(name)
    figures = await figures_of(store, evenings, evening)
    return {evening.people[one.number].name: one for one in figures}


async def four(store: Store) -> dict[str, str]:
    return {name: (await named(store, name)).owner for name in ("Aiko", "Ben", "Clio", "Ken")}


async def test_only_the_player_who_finds_nearly_everything_is_marked_over_the_evenings_of_a_season(
    store: Store,
) -> None:
    owners = await four(store)
    found = {**dict.fromkeys(owners, HONEST), "Ken": PERFECT}
    first, second = [await opened(store, owners, 3, "a season") for _ in range(2)]
    for _ in range(3):
        await play_round(store, first, found)
    one = (await shown(store, first))["Ken"]
    assert (one.played, one.share.games, one.share.found, one.share.clear) == (3, 3, 51, 51)
    assert not one.is_marked, "three games do not suffice"
    for _ in range(2):
        await play_round(store, second, found)
    await play_round(store, second, {**found, "Ken": (0, 17)})
    for name in (first, second):
        people = await shown(store, name)
        assert [called for called, one in people.items() if one.is_marked] == ["Ken"], "too late a loss"
        assert people["Ken"].share.games == 6
    alone = await opened(store, owners, 3)
    assert [one.played for one in (await shown(store, alone)).values()] == [0] * 4


async def test_games_without_figures_are_said_and_do_not_count(store: Store) -> None:
    owners = await four(store)
    name = await opened(store, owners, 3)
    await play_round(store, name, {**dict.fromkeys(owners, HONEST), "Ken": None})
    people = await shown(store, name)
    assert sorted((one.played, one.share.games) for one in people.values()) == [(1, 0)] * 2 + [(1, 1)] * 2
    assert people["Ken"].share[:3] == (0, 0, 0)
    assert (people["Ken"].stake, people["Ken"].is_marked) == (1, False)


async def rated_before(store: Store, one: str, other: str, game: Game, number: int) -> None:
    """Store rated games before the evening, in which `one` finds `game`, and `other` HONEST."""
    history = History(store)
    history.rate_game = rate_game
    for _ in range(number):
        people = Seated(name="", owner=one), Seated(name="", owner=other)
        name = await finished_table(store, people, rules=SIX, options=CLOCK)
        await history.store_games(name)
        await history.save_review(name, 1, [SeatReview(clear=game), SeatReview(clear=HONEST)])


async def test_a_strong_player_is_compared_with_their_own_games_before(store: Store) -> None:
    owners = await four(store)
    strong = (16, 17)
    await rated_before(store, owners["Ken"], owners["Aiko"], strong, 12)
    name = await opened(store, owners, 3, "a season")
    names = [name, *[await opened(store, owners, 3, "a season") for _ in range(2)]]
    for one in names:
        for _ in range(3):
            await play_round(store, one, {**dict.fromkeys(owners, HONEST), "Ken": strong, "Ben": strong})
    people = await shown(store, name)
    assert people["Ken"].history[:3] == (12, 12 * 16, 12 * 17)
    assert people["Aiko"].history[:3] == (12, 12 * 13, 12 * 17)
    assert people["Ben"].is_marked, "a strong newcomer has no games before"
    assert not people["Ken"].is_marked
    assert people["Ken"].share == people["Ben"].share


async def test_others_of_a_rating_are_not_the_player(store: Store) -> None:
    owners = await four(store)
    await rated_before(store, owners["Ken"], owners["Aiko"], PERFECT, 1)
    await rated_before(store, owners["Ben"], owners["Clio"], (9, 17), 1)
    people = await shown(store, await opened(store, owners, 3))
    # Both winners have one rating now, and both losers another.
    assert people["Ken"].others[:3] == (1, 9, 17)
    assert people["Ben"].others[:3] == (1, 17, 17)
    assert people["Aiko"].others[:3] == people["Clio"].others[:3] == (1, 13, 17)


async def test_deleted_people_and_levels_are_left_out(store: Store) -> None:
    owners = await four(store)
    name = await opened(store, owners, 3)
    evenings = Evenings(store)
    level = EveningPerson("Club", level="club")
    found = partial(decisions.substitute, owner=owners["Aiko"], record=1, person=level)
    await evenings.change(name, found)
    assert sorted(await shown(store, name)) == sorted(owners)


async def test_a_person_reports_an_opponent_once_and_nobody_else(store: Store) -> None:
    owners = await four(store)
    name, evenings = await opened(store, owners, 3), Evenings(store)
    await play_round(store, name, dict.fromkeys(owners, None))
    evening = await evenings.read(name)
    (met,) = decisions.opponents_of(evening, owners["Ken"])
    others = [number for number in range(4) if number not in (met, evening.number_of(owners["Ken"]))]

    async def report(owner: str, about: int, sentence: str = "They asked  a telephone. " * 20) -> None:
        await evenings.change(name, partial(decisions.report, owner=owner, about=about, sentence=sentence))

    for about in (*others, evening.number_of(owners["Ken"]) or 0, -1, 99):
        with raises_code(Refused, "no-such-evening-player"):
            await report(owners["Ken"], about)
    with raises_code(Refused, "report-players-only"):
        await report("a stranger", met)
    with raises_code(Refused, "report-missing"):
        await report(owners["Ken"], met, " \n ")
    await report(owners["Ken"], met)
    with raises_code(Refused, "reported-already"):
        await report(owners["Ken"], met, "again")
    (told,) = (await Evenings(store).read(name)).state.reports
    assert (told.about, len(told.sentence)) == (met, decisions.MAX_REASON_LENGTH)
    assert told.sentence.startswith("They asked a telephone. They")


async def finished_evening(database: Path) -> str:
    """Store an evening of two accounts and two guests, before a server plays its tables; return its id."""
    async with opened_store(database) as store:
        accounts = Accounts(store)
        one, other = [
            (await accounts.create(name, SECRET, None, "", HERE)).owner for name in ("Director", "Player")
        ]
        people = {"Director": one, "Player": other, "<b>Three</b>": "x", "Four": "y"}
        name = await opened(store, people, 3)
        for _ in range(3):
            await play_round(store, name, dict.fromkeys(people, HONEST))
        return name


def test_only_the_director_sees_the_page_and_names_stay_text(tmp_path: Path, lang: str) -> None:
    name = run_apart(finished_evening(tmp_path / "games.sqlite3"))
    with ExitStack() as stack:
        live = stack.enter_context(serving(tmp_path / "games.sqlite3"))
        director, player, stranger = (stack.enter_context(live.person(lang)) for _ in range(3))
        for person, called in ((director, "Director"), (player, "Player")):
            assert sign_in(person, called).status_code == 303
        page, report = f"/evening/{name}/fair", f"/evening/{name}/report"
        for person in (player, stranger):
            answer = person.browser.get(page)
            assert (answer.status_code, "Four" in answer.text) == (403, False)
            assert text("refusal.fair-director-only", lang) in answer.text
        assert stranger.browser.get(report).status_code == 403
        assert stranger.browser.post(report, data={"about": "1", "sentence": "x"}).status_code == 403
        form = player.browser.get(report).text
        assert "&lt;b&gt;Three&lt;/b&gt;" in form
        told = {"about": "3", "sentence": "<i>slow</i>"}
        elsewhere = player.browser.post(report, data=told, headers={"Origin": "https://evil.example"})
        assert elsewhere.status_code == 403
        assert player.browser.post(report, data=told | {"about": ""}).status_code == 404
        answer = player.browser.post(report, data=told)
        assert (answer.status_code, answer.headers["location"]) == (303, f"{report}?sent=yes")
        answer = director.browser.get(page)
        assert answer.status_code == 200, answer.text
        seen = answer.text
        for sentence in ("fair.means.not", "fair.means.strong", "fair.unmarked"):
            assert html.escape(text(sentence, lang), quote=False) in html.unescape(seen)
        assert "&lt;i&gt;slow&lt;/i&gt;" in seen
        assert "&lt;b&gt;Three&lt;/b&gt;" in seen
        assert "<b>Three" not in seen
        places = [seen.index(f'scope="row">{called}<') for called in ("Director", "Four", "Player")]
        assert places == sorted(places), "not in an order that accuses"
        assert not any(owner in seen for owner in ('"x"', "match_id"))
        for wrong in ("/evening/none/fair", "/evening/none/report"):
            assert director.browser.get(wrong).status_code == 404
