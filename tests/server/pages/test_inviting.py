"""Invitations: the waiting room, QR codes, the page for guests, and who is present."""

import re

import httpx
import pytest

from fifteentwo.i18n import text
from fifteentwo.server.people.invitations import external_base, qr_code
from tests.support.live_server import Live, Page, Person

OUTSIDE = {"Host": "cards.example:8152"}


def _path(page: Page) -> str:
    page.until("people")
    return str(page.table["invitations"][0]["path"])


def _people(page: Page) -> tuple[list[bool], list[bool]]:
    people = page.until("people")["d"]
    return people["present"], people["open"]


def _main(answer: httpx.Response) -> str:
    return answer.text.partition("<main")[2].partition("</main>")[0]


def test_a_host_is_led_to_the_waiting_room_and_goes_on_once_all_are_there(live: Live) -> None:
    with live.person() as host, live.person("ja") as guest:
        answer = host.browser.post(
            "/games", data={"variant": "six-card", "level_1": "person", "name": "Aiko"}
        )
        table = answer.headers["location"]
        assert table.endswith("/waiting")
        assert host.browser.get(table).status_code == 200
        assert guest.browser.get(table).status_code == 403
        game = table.split("/")[2]
        with host.open(game) as page:
            guest.sit(_path(page), name="  健\u202e ")
            page.until("table")
            assert page.table["names"] == ["Aiko", "健"]
            assert host.browser.get(table).status_code == 200, "the guest has not opened the table yet"
            with guest.open(game) as other:
                other.settle()
            assert host.browser.get(table).headers["location"] == f"/game/{game}"


def test_a_guest_sees_who_invites_and_what_is_played(live: Live) -> None:
    with (
        live.person() as host,
        live.person() as guest,
        host.at_table(
            "three-handed",
            name="Aiko",
            level_1="person",
            level_2="club",
            name_2="Clio",
            target="61",
            skunk="yes",
            length="to-5",
        ) as page,
    ):
        asked = _main(guest.browser.get(_path(page)))
    skunk = text("home.summary.skunk.single", "en")
    for words in ("Aiko invites you", "Clio", "Club", "61 points", skunk, "match to 5", "Your name"):
        assert words in asked, words


def test_a_wrong_invitation_is_a_plain_404_without_names(live: Live, lang: str) -> None:
    with live.person() as host, live.person(lang) as stranger, live.person() as guest:
        game, other = (host.new_game(name="Aiko", level_1="person") for _ in range(2))
        with host.open(game) as page, host.open(other) as there:
            path, elsewhere = _path(page), _path(there)
        secret = elsewhere.rpartition("/")[2]
        for wrong in (path[:-1], path + "x", f"/game/{game}/join/{secret}", f"/game/{game}/join/x"):
            # A player of the table sees the same as a stranger.
            answers = [whose.browser.get(wrong) for whose in (stranger, host)]
            answers += [whose.browser.post(wrong) for whose in (stranger, host)]
            for answer in answers:
                assert answer.status_code == 404
                assert "Aiko" not in answer.text
        guest.sit(path, name="Ken")
        for answer in (stranger.browser.get(path), stranger.browser.post(path)):
            assert answer.status_code == 409
            assert not re.search("Aiko|Ken", answer.text)


def test_an_invitation_is_made_out_for_an_address_that_others_reach(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, str | None, str | None]] = [
        ("cards.example", "0.0.0.0", "http://cards.example"),
        ("192.168.0.7:8152", None, "http://192.168.0.7:8152"),
        ("[2001:db8::7]:8152", "::", "http://[2001:db8::7]:8152"),
        ("localhost:8152", "192.168.0.7", "http://192.168.0.7:8152"),
        ("127.0.0.1:8152", "2001:db8::7", "http://[2001:db8::7]:8152"),
        ("127.0.0.1:8152", "127.0.0.1", None),
        ("[::1]:8152", "::1", None),
        ("localhost", None, None),
        ('cards.example"><script>', "0.0.0.0", None),
        ("", "0.0.0.0", None),
    ]
    for host, bound, base in cases:
        with subtests.test(host=host, bound=bound, base=base):
            assert external_base("http", host, bound) == base


def test_the_picture_shows_the_link_and_the_page_no_other_secret(host: Person) -> None:
    with host.at_table(level_1="person") as page:
        path = _path(page)
    answer = host.browser.get(f"/game/{page.game}/waiting", headers=OUTSIDE)
    assert qr_code(f"http://cards.example:8152{path}") in answer.text
    assert f'value="http://cards.example:8152{path}"' in answer.text
    for secret in host.browser.cookies.values():
        assert secret not in answer.text


def test_a_table_on_this_machine_only_says_so_and_how_to_open_it(live: Live, lang: str) -> None:
    with live.person(lang) as host:
        game = host.new_game(level_1="person")
        here = host.browser.get(f"/game/{game}/waiting").text
        outside = host.browser.get(f"/game/{game}/waiting", headers=OUTSIDE).text
    assert "fifteentwo serve --host" in here
    assert "qr-code" not in here, "no other device could open what it shows"
    assert "fifteentwo serve --host" not in outside
    assert "qr-code" in outside


def test_everyone_sees_who_is_here_and_who_is_away(host: Person, guest: Person) -> None:
    def opened(person: Person, game: str) -> Page:
        return person.open(game)

    game = host.new_game("three-handed", level_1="person", level_2="club")
    with opened(host, game) as page:
        assert _people(page) == ([True, False, True], [False, True, False])
        guest.sit(page.table["invitations"][0]["path"])
        assert _people(page) == ([True, False, True], [False, False, False])
        for _ in range(2):
            with opened(guest, game) as other:
                assert _people(other) == ([True, True, True], [False, False, False])
                assert _people(page) == ([True, True, True], [False, False, False])
            assert _people(page) == ([True, False, True], [False, False, False])
