"""The pages of evenings over HTTP: check-in, the director's changes, refusals, real cards, secrets."""

import csv
import io
import random
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest

from fifteentwo.i18n import text
from fifteentwo.server.club.evening import Evening
from fifteentwo.server.club.evenings import Evenings
from fifteentwo.server.store.store import Store
from tests.support.accounts import SECRET, keep, sign_in
from tests.support.live_server import Live, Person, run_apart

GAME = {"game": "five-card 61", "rounds": "3", "clock": "none", "counting": "automatic off"}
EVIL = "<i>\"&'=1+1"
NUMBERS = iter(range(1000))


@pytest.fixture
def people(live: Live) -> Iterator[Callable[..., list[Person]]]:
    """Return a function that makes people, each with a browser."""
    with ExitStack() as stack:
        yield lambda number, lang="en": [stack.enter_context(live.person(lang)) for _ in range(number)]


@pytest.fixture
def director(people: Callable[..., list[Person]]) -> Person:
    (one,) = people(1)
    assert keep(one, f"Director {next(NUMBERS)} of a club").status_code == 303
    return one


def opened(director: Person, name: str = "Wednesday", **fields: str) -> str:
    """Open an evening, and return the path of its page."""
    answer = director.browser.post("/club", data={"name": name, **GAME, **fields})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def post(person: Person, path: str, do: str, **fields: str) -> httpx.Response:
    return person.browser.post(path, data={"do": do, **fields})


def checked_in(path: str, everybody: list[Person]) -> None:
    for number, one in enumerate(everybody):
        assert post(one, path, "join", name=f"Player {number}").status_code == 303


def page(person: Person, path: str) -> str:
    answer = person.browser.get(path)
    assert answer.status_code == 200, answer.text
    return answer.text


def own_table(person: Person, path: str) -> str | None:
    found = re.search(r'href="(/game/[^"]+)"[^>]*data-action="own-table"', page(person, path))
    return None if found is None else found[1]


def stored(database: Path, path: str) -> Evening:
    async def read() -> Evening:
        store = await Store.open(str(database))
        try:
            return await Evenings(store).read(path.split("/")[2])
        finally:
            await store.close()

    return run_apart(read())


def said(answer: httpx.Response) -> str:
    """Return the refusal that a page shows."""
    found = re.search(r'role="alert">([^<]+)<', answer.text)
    assert found is not None, answer.text
    return found[1]


def test_an_evening_from_its_opening_to_the_last_card(
    database: Path, director: Person, people: Callable[..., list[Person]]
) -> None:
    path, (one, two, three, four, *rest) = opened(director, season="Spring"), people(6)
    code = re.search(r"data-code>([^<]+)<", page(director, path))
    assert code is not None
    assert one.browser.post("/join", data={"code": code[1].lower()}).headers["location"] == path
    checked_in(path, [one, two, three, four, rest[0]])
    assert "Player 3" in page(one, f"{path}/board")
    for _ in range(2):
        assert post(director, path, "begin", round="0").status_code == 303
    evening = stored(database, path)
    assert len(evening.state.rounds) == 1, "a second press begins no second round"
    bye = evening.state.rounds[0].bye
    everybody = [one, two, three, four, rest[0]]
    tables = [own_table(person, path) for person in everybody]
    assert [table is None for table in tables] == [number == bye for number in range(5)]
    assert text("evening.bye.note", "en") in page(everybody[bye or 0], path)
    for person, table in zip(everybody, tables, strict=True):
        if table is not None:
            assert f'href="{path}" data-action="to-evening"' in page(person, table)
            assert rest[1].browser.get(table).status_code == 403
    late = rest[1]
    assert post(late, path, "join", name="Late").status_code == 303
    assert text("evening.you-late", "en") in page(late, path)
    for number in range(2):
        fields = {
            "table": f"0.{number}",
            "score_0": "61",
            "score_1": str(20 + number),
            "reason": "Fire alarm",
        }
        assert post(director, path, "correct", **fields).status_code == 303
    # The next round begins by itself, with the latecomer.
    assert len(stored(database, path).state.rounds) == 2
    assert own_table(late, path) is not None
    now = page(one, path)
    assert now.count("Fire alarm") == 2
    winner = evening.state.rounds[0].pairs[0][0]
    card = page(two, f"{path}/card/{winner}")
    assert re.search(r"<td[^>]*>3</td><td[^>]*>41</td><td[^>]*></td>", card), "a skunk is 3 points and +41"
    assert "Fire alarm" in card
    correction = f'href="{path}?table=0.0#tool"'
    assert correction not in card
    assert correction in page(director, f"{path}/card/{winner}"), "the director reaches every result"
    for what in ("poster", "standings", "cards"):
        assert "Wednesday" in page(one, f"{path}/print?what={what}")
    answer = one.browser.get(f"{path}.csv")
    assert unquote(answer.headers["content-disposition"]).endswith(".csv")
    assert "UTF-8''Wednesday" in answer.headers["content-disposition"]
    rows = list(csv.reader(io.StringIO(answer.text.removeprefix("\ufeff"))))
    standings = [row for row in rows[1:] if len(row) == 8][:6]
    assert standings[0][1:5] == [f"Player {winner}", "3", "1", "41"]
    assert sum(int(row[2]) for row in standings) == 3 + 3 + 2, "two skunks and a bye"
    assert post(director, path, "close").status_code == 303
    assert text("refusal.evening-over", "en") in said(post(people(1)[0], path, "join", name="Too late"))
    assert '"Wednesday"' not in page(director, "/club")
    assert path in page(director, "/club")
    assert path in page(one, "/club")
    assert "Spring" in page(director, "/club")


def test_only_the_directors_account_changes_an_evening(
    database: Path, director: Person, people: Callable[..., list[Person]]
) -> None:
    path, players = opened(director), people(6)
    checked_in(path, players[:4])
    post(director, path, "begin", round="0")
    stranger, other = players[4], players[5]
    assert keep(other, f"Other {next(NUMBERS)} of a club").status_code == 303
    before = stored(database, path)
    won = {"table": "0.0", "score_0": "61", "score_1": "9", "reason": "mine"}
    for person in (players[0], stranger, other):
        for do, fields in (
            ("begin", {"round": "1"}),
            ("close", {}),
            ("correct", won),
            ("substitute", {"record": "1", "level": "club"}),
            ("leave", {"record": "1" if person is players[0] else "2"}),
        ):
            answer = post(person, path, do, **fields)
            assert answer.status_code in (403, 404), (do, answer.status_code)
            assert text(f"refusal.{'not-the-director'}", "en") in said(answer)
        assert 'data-action="begin"' not in page(person, path)
        assert "#tool" not in page(person, path)
        assert 'id="tool"' not in page(person, f"{path}?table=0.0") + page(person, f"{path}?record=1")
    assert stored(database, path) == before
    # A guest's browser that signed out of the director's account is not the director.
    director.browser.post("/account/sign-out")
    assert said(post(director, path, "close")) == text("refusal.not-the-director", "en")


def test_two_browsers_of_the_director_change_one_evening(
    database: Path, people: Callable[..., list[Person]]
) -> None:
    first, second, *players = people(6)
    name = f"Director {next(NUMBERS)} of two"
    assert keep(first, name).status_code == 303
    assert sign_in(second, name, SECRET).status_code == 303
    path = opened(first)
    checked_in(path, players)
    for one in (first, second):
        assert post(one, path, "begin", round="0").status_code == 303
    for number, one in enumerate((first, second)):
        scores = {"score_0": "61", "score_1": str(40 + number), "reason": f"Browser {number}"}
        assert post(one, path, "correct", table="0.0", **scores).status_code == 303
    state = stored(database, path).state
    assert len(state.rounds) == 1
    assert state.tables[0, 0].reasons == ("Browser 0", "Browser 1")
    assert state.outcomes[0, 0].scores == (61, 41)


Refuses = Callable[..., str]


@pytest.fixture
def refused(database: Path, lang: str) -> Refuses:
    """Return a function that posts a form and checks that it is refused in a sentence and changes nothing."""

    def check(person: Person, path: str, code: str, do: str, status: int, **fields: str) -> str:
        before = stored(database, path)
        answer = post(person, path + fields.pop("query", ""), do, **fields)
        assert answer.status_code == status, answer.text
        words = re.escape(text(f"refusal.{code}", lang)).replace(r"\{", "{").replace(r"\}", "}")
        assert re.fullmatch(re.sub(r"{\w+}", ".+", words), said(answer)), (said(answer), code)
        assert stored(database, path) == before
        return answer.text

    return check


def test_bad_names_and_too_few_people_are_refused_and_lose_nothing(
    database: Path, director: Person, people: Callable[..., list[Person]], refused: Refuses, lang: str
) -> None:
    director.browser.headers["Accept-Language"] = lang
    path, players = opened(director), people(4, lang)
    long = "松" * 100
    refused(director, path, "too-few-players", "begin", 409, round="0")
    assert f'value="{long}"' in refused(players[0], path, "name-length", "join", 400, name=long)
    refused(players[0], path, "name-length", "join", 400, name=" \u200b ")
    checked_in(path, players[:3])
    refused(director, path, "too-few-players", "begin", 409, round="0")
    for name in ("Player 1", "ｐｌａｙｅｒ １", "P1ayer 1"):
        refused(players[3], path, "evening-name-taken", "join", 409, name=name)
    assert post(players[1], path, "join", name="Again").status_code == 303
    assert len(stored(database, path).people) == 3


def test_bad_forms_of_a_round_are_refused_and_lose_nothing(
    database: Path, director: Person, people: Callable[..., list[Person]], refused: Refuses, lang: str
) -> None:
    director.browser.headers["Accept-Language"] = lang
    path, players = opened(director), people(5, lang)
    checked_in(path, players[:4])
    post(director, path, "begin", round="0")
    result = {"table": "0.0", "reason": "Because"}
    for wrong in ("61 61", "60 3", "62 3", "-1 61", " 61", "6l 3", "111111111 "):
        scores = dict(zip(("score_0", "score_1"), wrong.split(" "), strict=True))
        shown = refused(
            director, path, "impossible-result", "correct", 400, query="?table=0.0", **result, **scores
        )
        assert 'value="Because"' in shown, "what was typed is kept"
    right = {"score_0": "61", "score_1": "3"}
    refused(director, path, "reason-missing", "correct", 400, table="0.0", reason=" \t ", **right)
    for table in ("", "0", "0.9", "9.0", "-1.-1", "x", "0.099"):
        refused(director, path, "no-such-evening-table", "correct", 404, table=table, left="0", reason="!")
    for record in ("", "x", "99", "-1", "²"):
        refused(director, path, "no-such-evening-player", "substitute", 404, record=record, level="club")
    refused(director, path, "substitute-link-used", "substitute", 409, record="1", level="wizard")
    refused(director, path, "option-unknown", "anything", 400)
    refused(players[4], path, "no-such-evening-player", "leave", 404)
    tables = stored(database, path).state.tables.items()
    own = next(f"{number}.{place}" for (number, place), one in tables if 0 in one.pair)
    refused(players[0], path, "evening-table-has-ended", "enter", 409, table=own, **right)


def test_bad_addresses_and_forms_of_a_club_are_refused(
    director: Person, people: Callable[..., list[Person]], lang: str
) -> None:
    director.browser.headers["Accept-Language"] = lang
    path = opened(director)
    for wrong in ("/evening/x", f"/evening/{'%00' * 12}", "/evening/AAAAAAAAAAAA", f"{path}/card/77"):
        assert director.browser.get(wrong).status_code == 404
    fields = {"clock": "5", "game": "whist", "counting": "x", "name": " "}
    for field, value in (("rounds", "0"), ("rounds", "21"), *fields.items()):
        answer = director.browser.post("/club", data={"name": "Kept words", **GAME, field: value})
        assert answer.status_code == 400
        assert said(answer)
        assert field == "name" or 'value="Kept words"' in answer.text
    guest = people(1)[0]
    assert guest.browser.post("/club", data={"name": "x", **GAME}).status_code == 403
    assert guest.browser.get("/season/AAAAAAAAAAAA").status_code == 404


def test_sixty_people_check_in_and_one_more_is_told_that_there_is_no_room(
    director: Person, people: Callable[..., list[Person]]
) -> None:
    path, (one,) = opened(director), people(1)
    answers = []
    for number in range(61):
        one.browser.cookies.clear()
        answers.append(post(one, path, "join", name=f"Person {number}"))
    assert [answer.status_code for answer in answers] == [303] * 60 + [409]
    answer = answers[-1]
    assert said(answer) == text("refusal.evening-full", "en", most=60)
    assert post(director, path, "begin", round="0").status_code == 303
    assert page(director, path).count('class="table-number small"') == 30


def test_pages_show_no_owner_no_match_of_others_and_no_markup(
    database: Path, director: Person, people: Callable[..., list[Person]]
) -> None:
    path, players = opened(director, name=EVIL[:20], season=EVIL), people(4)
    checked_in(path, players[:3])
    assert post(players[3], path, "join", name=EVIL).status_code == 303
    post(director, path, "begin", round="0")
    evening = stored(database, path)
    season = re.search(r'href="(/season/[^"]+)"', page(director, path))
    assert season is not None
    paths = [
        path,
        *(f"{path}/{name}" for name in ("board", "print?what=cards", "print", "card/3")),
        season[1],
    ]
    paths += [f"{path}?table=0.0", f"{path}?record=3", "/club"]
    for number, person in enumerate((*players, director)):
        own = {table.match_id for table in evening.state.tables.values() if number in table.pair}
        for shown in (page(person, one) for one in paths):
            assert "<i>" not in shown
            for owner in (evening.director, *(one.owner for one in evening.people)):
                assert str(owner) not in shown
            for table in evening.state.tables.values():
                assert table.match_id in own or table.match_id not in shown
            assert evening.settings.seed not in shown
    rows = list(csv.reader(io.StringIO(page(players[0], f"{path}.csv").removeprefix("\ufeff"))))
    assert EVIL in {row[1] for row in rows if len(row) == 8}


def test_a_text_that_spreadsheets_take_for_a_formula_is_marked(
    director: Person, people: Callable[..., list[Person]]
) -> None:
    path, players = opened(director), people(4)
    checked_in(path, players[:3])
    assert post(players[3], path, "join", name="=1+1").status_code == 303
    post(director, path, "begin", round="0")
    assert post(director, path, "correct", table="0.0", left="both", reason="@SUM(A1)").status_code == 303
    shown = page(director, f"{path}.csv")
    assert '"\'=1+1"' in shown
    assert '"\'@SUM(A1)"' in shown
    assert '"=' not in shown


def test_an_evening_that_is_closed_before_its_first_round_says_so(
    director: Person, people: Callable[..., list[Person]]
) -> None:
    path, players = opened(director), people(2)
    checked_in(path, players[:1])
    assert post(director, path, "close").status_code == 303
    for person in (director, *players):
        assert text("evening.closed", "en") in page(person, path)
    assert said(post(director, path, "begin", round="0")) == text("refusal.evening-over", "en")
    assert 'data-action="join"' not in page(players[1], path)


def test_forms_of_other_sites_are_refused(director: Person) -> None:
    path = opened(director)
    for address, fields in ((path, {"do": "close"}), ("/club", {"name": "x", **GAME})):
        answer = director.browser.post(address, data=fields, headers={"Origin": "https://evil.example"})
        assert answer.status_code == 403
        assert text("refusal.other-origin", "en") in answer.text


def test_an_open_page_gets_only_changes(director: Person, people: Callable[..., list[Person]]) -> None:
    path, (one,) = opened(director), people(1)
    for shown in (path, f"{path}/board"):
        first = one.browser.get(shown)
        again = one.browser.get(shown, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        post(people(1)[0], path, "join", name=f"New {len(shown)}")
        after = one.browser.get(shown, headers={"If-None-Match": first.headers["etag"]})
        assert after.status_code == 200


def test_a_substitute_takes_a_place_by_a_link_that_works_once(
    database: Path, director: Person, people: Callable[..., list[Person]]
) -> None:
    path, (one, *players) = opened(director), people(6)
    checked_in(path, players[:4])
    post(director, path, "begin", round="0")
    link = re.search(rf'{path}(\?for=2&amp;key=\w+)"', page(director, f"{path}?record=2"))
    assert link is not None
    offer = path + link[1].replace("&amp;", "&")
    assert "Play on for Player 2" in page(one, offer)
    key = offer.partition("key=")[2]
    assert text("refusal.substitute-link-used", "en") in said(
        post(one, path, "substitute", record="1", key=key, name="X")
    )
    assert post(one, path, "substitute", record="2", key=key, name="Sub").status_code == 303
    assert text("refusal.substitute-link-used", "en") in said(
        post(players[4], path, "substitute", record="2", key=key, name="Second")
    )
    assert "Player 2 (now Sub)" in page(players[0], path)
    table = own_table(one, path)
    assert table is not None
    assert one.browser.get(table).status_code == 200
    assert own_table(players[2], path) is None
    assert said(post(players[2], path, "join")) == text("refusal.evening-has-substitute", "en")
    assert post(director, path, "substitute", record="2", level="club").status_code == 303
    assert "Player 2 (now computer: Club)" in page(players[0], path)
    # The level plays on alone; its opponent leaves, and the game is forfeited.
    assert stored(database, path).state.player_of(2) == 5


def test_real_cards_count_once_both_have_entered_the_same(
    database: Path, director: Person, people: Callable[..., list[Person]]
) -> None:
    path, players = opened(director, has_real_cards="yes"), people(4)
    checked_in(path, players)
    post(director, path, "begin", round="0")
    table = stored(database, path).state.tables[0, 0]
    one, other = (players[record] for record in table.pair)
    names = [f"Player {record}" for record in table.pair]
    assert own_table(one, path) is None
    level = post(director, path, "substitute", record="0", level="club")
    assert said(level) == text("refusal.no-level-at-real-cards", "en")
    assert 'name="level"' not in page(director, f"{path}?record=0#tool")
    assert post(one, path, "enter", table="0.0", score_0="61", score_1="40").status_code == 303
    assert text("evening.entered", "en", name=names[1]) in page(one, path)
    assert text("evening.entered-other", "en", name=names[0], scores="61–40") in page(other, path)
    post(other, path, "enter", table="0.0", score_0="40", score_1="61")
    for person in (one, other):
        assert "61–40, Player" in page(person, path) or "differ" in page(person, path)
    assert stored(database, path).state.tables[0, 0].outcome is None
    post(other, path, "enter", table="0.0", score_0="61", score_1="40")
    assert stored(database, path).state.outcomes[0, 0].scores == (61, 40)
    assert text("evening.you-won", "en", scores="61–40") in page(one, path)
    assert one.browser.get(f"{path}/review/0.0").status_code == 403


@pytest.mark.long
def test_finished_games_are_reviewed_by_people_of_the_evening_only(
    database: Path, director: Person, people: Callable[..., list[Person]]
) -> None:
    path, (*players, stranger) = opened(director), people(5)
    checked_in(path, players)
    post(director, path, "begin", round="0")
    state = stored(database, path).state
    pair = state.tables[0, 0].pair
    one, other = (players[record] for record in pair)
    spectator = next(person for number, person in enumerate(players) if number not in pair)
    assert spectator.browser.get(f"{path}/review/0.0").status_code == 403
    game = state.tables[0, 0].match_id
    rng = random.Random(4)
    with one.open(game) as first, other.open(game) as second:
        first.until("waiting")
        second.until("waiting")
        while not (first.view and first.view["won"]):
            for mine in (first, second):
                mine.send("lang", "en")
                mine.until("table")
                if mine.choices:
                    mine.attempt(rng.choice(mine.choices))
    while stored(database, path).state.tables[0, 0].outcome is None:
        time.sleep(0.1)
    assert f"{path}/review/0.0" in page(spectator, path)
    shown = page(spectator, f"{path}/review/0.0")
    assert 'data-record="' in shown
    assert game not in shown
    assert one.browser.get(f"{path}/review/0.0").headers["location"] == f"/review/{game}"
    assert stranger.browser.get(f"{path}/review/0.0").status_code == 403
    assert f"{path}/review" not in page(stranger, path)
    # The server reviews the game by itself; other tests count the reviews of this server.
    found = "SELECT * FROM review WHERE match_id = ?"
    with sqlite3.connect(database) as connection:
        while connection.execute(found, (game,)).fetchone() is None:
            time.sleep(0.1)


def test_a_season_counts_the_best_evenings_of_its_members(
    director: Person, people: Callable[..., list[Person]]
) -> None:
    members, guest = people(3), people(1)[0]
    names = [f"Member {next(NUMBERS)} of spring" for _ in members]
    for one, name in zip(members, names, strict=True):
        assert keep(one, name).status_code == 303
    seasons = set[str]()
    for evening in range(3):
        path = opened(director, name=f"Evening {evening}", season="Spring of members", rounds="1")
        for one in members:
            assert post(one, path, "join").status_code == 303
        assert post(guest, path, "join", name="Guest").status_code == 303
        post(director, path, "begin", round="0")
        for table in range(2):
            # The guest loses.
            names_shown = re.findall(
                r'<span class="small">(.*?)</span><input', page(director, f"{path}?table=0.{table}#tool")
            )
            lost = int("Guest" in names_shown[1])
            scores = {f"score_{lost}": "10", f"score_{1 - lost}": "61"}
            post(director, path, "correct", table=f"0.{table}", reason="quick", **scores)
        seasons |= set(re.findall(r'href="(/season/[^"]+)"', page(one, path)))
    (season,) = seasons
    whole, one_best = page(guest, f"{season}?best=3"), page(guest, f"{season}?best=1")
    assert [name in whole for name in names] == [True] * 3
    assert "Guest" not in whole.replace("Guests", "")
    assert 'value="2" selected' in page(guest, season), "half of the evenings, rounded up"
    for odd in ("0", "99", "x", "-1", "1" * 50):
        assert guest.browser.get(f"{season}?best={odd}").status_code == 200

    def points(shown: str) -> list[int]:
        return [int(one) for one in re.findall(r'<td class="number-cell"><b>(\d+)</b>', shown)]

    # All six games are won by members, with a skunk.
    assert sum(points(whole)) == 18
    assert max(points(one_best)) == 3
    assert sum(points(one_best)) < 18
    # Another director's season of this name is another one.
    other = people(1)[0]
    assert keep(other, f"Other {next(NUMBERS)} of spring").status_code == 303
    path = opened(other, season="Spring of members")
    assert f'href="{season}"' not in page(other, path)


def test_an_evening_for_accounts_asks_guests_to_sign_in(
    director: Person, people: Callable[..., list[Person]]
) -> None:
    path, (guest, member) = opened(director, needs_account="yes"), people(2)
    assert 'href="/account"' in page(guest, path)
    assert said(post(guest, path, "join", name="Guest")) == text("refusal.evening-needs-account", "en")
    name = f"Member {next(NUMBERS)} of a club"
    assert keep(member, name).status_code == 303
    assert post(member, path, "join").status_code == 303
    assert name in page(guest, path)
    # A guest with the name of an account is marked.
    open_to_all = opened(director)
    assert post(guest, open_to_all, "join", name=name[:24]).status_code == 303
    assert text("name.as-guest", "en", name=name[:24]) in page(guest, open_to_all)


def test_a_code_of_an_evening_costs_as_much_as_a_wrong_one(live: Live, director: Person) -> None:
    code = re.search(r"data-code>([^<]+)<", page(director, opened(director)))
    assert code is not None
    with live.person(address="127.0.0.9") as guest:
        guest.browser.headers["X-Forwarded-For"] = "198.51.100.7"
        answers = [guest.browser.post("/join", data={"code": code[1]}).status_code for _ in range(22)]
    assert answers[0] == 303
    assert answers[-1] == 429
