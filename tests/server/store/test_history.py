"""Finished games leave the first page; the history lists them with results and tells them deal by deal."""

import asyncio
import random
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from fifteentwo.formats import write
from fifteentwo.i18n import event_text
from fifteentwo.rules import record
from fifteentwo.server.store.history import History
from fifteentwo.server.store.store import Store
from tests.formats.written_games import written_game
from tests.support.live_server import Live, Page, Person
from tests.support.stored_match import KEPT

ODD_NUMBERS = ("0", "-1", "2", "99999999", "x", "１", "")


def _played(person: Person, **chosen: str) -> str:
    game = person.new_game("five-card", level_1="random", name="Aiko", name_1="Ken", **chosen)
    with person.open(game) as page:
        page.until("waiting")
        page.play_out(random.Random(8))
    return game


def test_finished_game_is_in_the_history_and_not_unfinished(aiko: Person, stranger: Person) -> None:
    assert "No game is finished yet" in aiko.browser.get("/history").text
    game = _played(aiko)
    home = aiko.browser.get("/").text
    assert f"/game/{game}" not in home
    assert 'href="/history"' in home
    assert "learn-card" not in home, "who has played needs no first lesson"
    assert 'gap-4" href="/practice"' in home
    listed = aiko.browser.get("/history").text
    kept = record.read(aiko.browser.get(f"/game/{game}/record").text)
    won = record.last_state(kept).won
    assert won is not None
    assert event_text(won, "en", ("Aiko", "Ken"), viewer=0) in listed
    assert "five-card" in listed.lower()
    assert re.search(r'<time datetime="\d{4}-\d\d-\d\d">\d+ [A-Z][a-z]+ \d{4}</time>', listed)
    for link in (f"/game/{game}/log?game=1", f"/game/{game}/record?game=1"):
        assert link in listed
        assert aiko.browser.get(link).status_code == 200
        assert stranger.browser.get(link).status_code == 403
    assert game not in stranger.browser.get("/history").text


def test_game_page_tells_every_event_and_the_points_of_each_deal(live: Live) -> None:
    with live.person() as aiko:
        game = _played(aiko)
        page = aiko.browser.get(f"/game/{game}/log").text
        assert "You discard " in page
        assert "Aiko discards" not in page
        kept = record.read(aiko.browser.get(f"/game/{game}/record").text)
    fronts = []
    before: tuple[int, ...] = ()
    for action, state, _ in record.replay(kept):
        if type(action).__name__ == "Deal":
            fronts.append(before)
        before = state.front
    rows = re.findall(r'<tr><th scope="row">.*?</tr>', page)
    scores = [tuple(int(score) for score in re.findall(r"<b>(\d+)</b>", row)) for row in rows]
    assert scores == [*fronts[1:], before]
    assert page.count('class="finished-deal"') == len(fronts) + 1
    assert len(re.findall("<li>", page)) > len(kept.actions)


def test_unknown_game_is_refused(aiko: Person) -> None:
    game = _played(aiko)
    for number in ODD_NUMBERS:
        for page in ("log", "record", "hide"):
            assert aiko.browser.get(f"/game/{game}/{page}", params={"game": number}).status_code == 409
        assert aiko.browser.get("/history", params={"page": number}).status_code == 200
    unfinished = aiko.new_game()
    assert aiko.browser.get(f"/game/{unfinished}/log").status_code == 409


def test_listed_day_is_the_day_the_game_ended(aiko: Person, database: Path) -> None:
    game = _played(aiko)
    connection = sqlite3.connect(database)
    with connection:
        connection.execute("UPDATE match SET created_at = 86400 * 400 WHERE id = ?", (game,))
        # The last row is the card that ended the game.
        last = "(SELECT max(seq) FROM log_row WHERE match_id = ?)"
        connection.execute(
            f"UPDATE log_row SET created_at = 86400 * 800 WHERE match_id = ? AND seq = {last}", (game, game)
        )
    connection.close()
    days = re.findall(r'<time datetime="([\d-]+)"', aiko.browser.get("/history").text)
    assert days
    assert all(day.startswith("1972-03-1") for day in days), "1972, not the 1971 in which it began"


def test_unfinished_game_is_on_the_first_page_behind_many_finished_ones(aiko: Person) -> None:
    going = aiko.new_game("five-card", level_1="random")
    finished = {"text": write(written_game(0), "halscrib"), "act": "keep", "seat": "0"}
    for _ in range(9):
        assert aiko.browser.post("/import", data=finished).status_code == 303
    assert f"/game/{going}" in aiko.browser.get("/").text


def test_games_are_found_by_name_variant_opponent_and_result(aiko: Person) -> None:
    first = _played(aiko)
    kept = record.read(aiko.browser.get(f"/game/{first}/record").text)
    won = record.last_state(kept).won
    assert won is not None
    result, other = ("won", "lost") if won.side == 0 else ("lost", "won")
    found = {"q": "kEn", "variant": "five-card", "against": "random", "result": result}
    assert first in aiko.browser.get("/history", params=found).text
    for wrong in ({"q": "Mallory"}, {"variant": "six-card"}, {"against": "club"}, {"result": other}):
        assert first not in aiko.browser.get("/history", params=found | wrong).text
    assert aiko.browser.get("/history", params={"q": "%_<b>'\x00" * 20, "result": "x"}).status_code == 200


def test_hidden_game_is_not_counted_and_can_be_shown_again(
    aiko: Person, ken: Person, stranger: Person
) -> None:
    with aiko.at_table("five-card", name="Aiko", level_1="person") as page:
        page.until("waiting")
        invitation = page.table["invitations"][0]["path"]
        ken.sit(invitation, "Ken")
        with ken.open(page.game) as other:
            _play_both(page, other)
    for person in (aiko, ken):
        assert page.game in person.browser.get("/history").text
    assert "stays in this server" in aiko.browser.get(f"/game/{page.game}/hide").text
    data = {"game": "1"}
    assert stranger.browser.post(f"/game/{page.game}/hide", data=data).status_code == 403
    assert aiko.browser.post(f"/game/{page.game}/hide", data={"game": "7"}).status_code == 409
    for _ in range(2):
        assert aiko.browser.post(f"/game/{page.game}/hide", data=data).status_code == 303
    assert page.game not in aiko.browser.get("/history").text
    assert "No finished game to count yet" in aiko.browser.get("/statistics").text
    assert page.game in aiko.browser.get("/history?out=yes").text
    assert page.game in ken.browser.get("/history").text, "others keep theirs"
    back = {"game": "1", "back": "yes"}
    assert aiko.browser.post(f"/game/{page.game}/hide", data=back).status_code == 303
    assert page.game in aiko.browser.get("/history").text
    assert page.game not in aiko.browser.get("/history?out=yes").text


def _play_both(one: Page, other: Page) -> None:
    rng = random.Random(3)
    with ThreadPoolExecutor(1) as thread:
        playing = thread.submit(other.play_out, random.Random(4))
        one.play_out(rng)
        playing.result()


async def test_listing_a_long_match_delays_no_other_request(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    listed: list[str] = []
    for letter in "AB":
        people = tuple(msgspec.structs.replace(one, owner=letter) for one in KEPT.people)
        await store.create(msgspec.structs.replace(KEPT, id=letter * 16, people=people[:1]))
    long = asyncio.Event()

    async def list_one(_: History, name: str) -> None:
        listed.append(name)
        if name.startswith("A"):
            await long.wait()

    joined: list[str] = []
    once = History.store_games

    async def counted(self: History, name: str) -> None:
        joined.append(name)
        await once(self, name)

    monkeypatch.setattr(History, "_store_new_games", list_one)
    monkeypatch.setattr(History, "store_games", counted)
    games = History(store)
    async with asyncio.timeout(60):
        waiting = [asyncio.create_task(games.store_games_of("A")) for _ in range(3)]
        # Wait until all three have seen the new rows and wait for one task that stores them.
        while len(joined) < len(waiting):
            await asyncio.sleep(0.01)
        await games.store_games_of("B")
        assert not any(task.done() for task in waiting)
        long.set()
        await asyncio.gather(*waiting)
    assert sorted(listed) == ["A" * 16, "B" * 16], "each once, however many ask for it"
