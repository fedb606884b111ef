"""Attacks on quick chat: only people receive it, without free text, within limits, and it is not stored."""

import json
import sqlite3
from pathlib import Path
from typing import get_args

import pytest

from fifteentwo.i18n import catalogue, languages, text
from fifteentwo.server.live import quick_chat, wire
from fifteentwo.server.live.quick_chat import PRESETS
from tests.support.live_server import Json, Live, Page, Person


@pytest.fixture
def without_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_chat, "CHAT_BURST_MESSAGES", 1000)


def heard(page: Page) -> Json:
    """Return the next quick-chat message."""
    message: Json = page.until("chat")["d"]
    return message


def come(*pages: Page) -> None:
    """Wait until all people are at the table, because an accepted socket may still be joining."""
    for page in pages:
        page.until("people")


def nothing_more(page: Page) -> None:
    """Check that nothing else was sent, by a request whose answer comes next."""
    page.send("chat", "not one of them")
    while (message := page.hear())["t"] != "refused":
        assert message["t"] != "chat"


def seated(host: Person, *guests: Person, variant: str = "six-card", **fields: str) -> str:
    levels = {f"level_{seat}": "person" for seat in range(1, len(guests) + 1)}
    game = host.new_game(variant, **{**levels, **fields})
    with host.open(game) as page:
        page.until("people")
        for guest, place in zip(guests, page.table["invitations"], strict=True):
            guest.sit(place["path"])
    return game


def test_every_preset_is_translated_into_every_language(live: Live) -> None:
    assert get_args(wire.Preset) == PRESETS
    assert len(set(PRESETS)) == 10
    for lang in languages():
        words = [catalogue(lang)[f"chat.{says}"] for says in PRESETS]
        assert len(set(words)) == 10, "no two mean the same"
        with live.person(lang) as host, live.person("ja") as guest:
            page = host.browser.get(f"/game/{seated(host, guest)}").text
        for says, message in zip(PRESETS, words, strict=True):
            assert f'data-message="{says}">{message}</button>' in page.replace("&#39;", "'")


@pytest.mark.usefixtures("without_limit")
def test_every_page_receives_a_message_by_its_name(live: Live) -> None:
    with live.person("en") as host, live.person("ja") as guest:
        game = seated(host, guest)
        with host.open(game) as own, guest.open(game) as other, guest.open(game) as again:
            come(own, other, again)
            for says in PRESETS:
                other.send("chat", says)
                for page in (own, other, again):
                    assert heard(page) == {"person": 1, "message": says}
            for page in (own, other, again):
                assert not any(text(f"chat.{says}", lang) in page.heard[-1] for lang in languages())


def test_only_presets_are_sent(host: Person, guest: Person) -> None:
    wrong = [
        "hello",
        "",
        "LUCK",
        "luck ",
        1,
        None,
        True,
        ["luck"],
        {"message": "luck"},
        "x" * 1900,
        "<b>",
        "🂡",
    ]
    game = seated(host, guest)
    with host.open(game) as own, guest.open(game) as other:
        come(own, other)
        for message in wrong:
            other.line.send(json.dumps({"t": "chat", "d": message}))
            assert other.until("refused")["d"]["code"] == "message-unreadable", message
        nothing_more(own)


def test_quick_chat_needs_another_person(live: Live) -> None:
    with live.person() as alone, live.person() as host, live.person() as guest:
        for game in (alone.new_game(), host.new_game("partners", level_1="person", level_2="person")):
            person = alone if alone.browser.get(f"/game/{game}").status_code == 200 else host
            with person.open(game) as page:
                page.until("people")
                page.send("chat", "luck")
                assert page.until("refused")["d"]["code"] == "no-other-player"
                assert not any('"t":"chat"' in one for one in page.heard)
                assert ("data-message" in person.browser.get(f"/game/{game}").text) is (person is host)
        # A person who is present receives it, though another seat is open.
        with host.open(game) as page:
            page.until("people")
            guest.sit(page.table["invitations"][0]["path"])
            page.send("chat", "luck")
            assert heard(page) == {"person": 0, "message": "luck"}


def test_flood_of_messages_is_limited(host: Person, guest: Person) -> None:
    game = seated(host, guest)
    with host.open(game) as own, guest.open(game) as first, guest.open(game) as second:
        come(own, first, second)
        for number in range(60):
            (first, second)[number % 2].send("chat", "again")
        for page in (first, second):
            # The last request is answered last.
            page.send("lang", "ja")
            page.until("table")
        refused = [one["code"] for one in first.refused + second.refused]
        assert set(refused) == {"quick-chat-too-soon"}
        assert 60 - quick_chat.CHAT_BURST_MESSAGES - 2 <= len(refused) <= 60 - quick_chat.CHAT_BURST_MESSAGES
        messages = [heard(own) for _ in range(60 - len(refused))]
        assert messages == [{"person": 1, "message": "again"}] * len(messages)
        nothing_more(own)
        # A sender's refused messages do not limit another person.
        own.send("chat", "moment")
        assert heard(own) == {"person": 0, "message": "moment"}


@pytest.mark.usefixtures("without_limit")
def test_sender_number_stays_when_seats_change(live: Live) -> None:
    with live.person() as host, live.person() as guest, live.person() as third:
        game = seated(
            host,
            guest,
            third,
            variant="partners",
            level_3="random",
            partners_by_draw="yes",
            first_dealer="low",
        )
        with host.open(game) as own, guest.open(game) as other, third.open(game) as last:
            for _ in range(200):
                for page in (own, other, last):
                    page.send("lang", "en")
                    page.until("waiting")
                    if page.choices and page.view["phase"].startswith("draw"):
                        page.send("act", page.choices[0])
                        page.until("waiting")
                if not own.view["phase"].startswith("draw"):
                    break
            assert not own.view["phase"].startswith("draw")
            for page in (own, other, last):
                page.send("lang", "en")
                page.until("waiting")
                while page.view["phase"].startswith("draw"):
                    page.until("waiting")
            came = [json.loads(one)["d"]["player_numbers"] for one in own.heard if '"t":"people"' in one][-1]
            assert sorted(came) == [0, 1, 2, 3]
            assert came[own.view["seat"]] == 0
            seats = [page.view["seat"] for page in (own, other, last)]
            for person, page in enumerate((own, other, last)):
                page.send("chat", "thanks")
                assert heard(own) == {"person": person, "message": "thanks"}
                assert came[seats[person]] == person


@pytest.mark.usefixtures("without_limit")
def test_quick_chat_is_not_stored(host: Person, guest: Person, database: Path) -> None:
    game = seated(host, guest)
    with sqlite3.connect(database) as before:
        rows = before.execute("SELECT count(*), max(seq) FROM log_row WHERE match_id = ?", (game,)).fetchone()
    with host.open(game) as own:
        own.until("people")
        own.send("chat", "nice-peg")
        heard(own)
        v = own.v
    with sqlite3.connect(database) as after:
        now = after.execute("SELECT count(*), max(seq) FROM log_row WHERE match_id = ?", (game,)).fetchone()
    assert now == rows
    with guest.open(game, v=v) as late:
        nothing_more(late)
        assert "nice-peg" not in " ".join(late.heard)
