"""Pages in the user's language; errors say what was wrong and show the way back."""

import asyncio
import itertools
import os
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.routing import Route

from fifteentwo.server.app import make_app
from fifteentwo.server.http.static_files import StaticFolder
from fifteentwo.server.pages import site
from fifteentwo.server.pages.site import WEB_FOLDER
from tests.support.accounts import keep
from tests.support.live_server import Live, Person
from tests.support.whole_pages import is_a_page


@pytest.fixture
def browser(live: Live) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=live.http, headers={"Accept-Language": "en"}, timeout=60) as client:
        yield client


ADDRESSES = [
    "/nothing",
    "/game/",
    "/game/x",
    "/game/AAAAAAAAAAAAAAAA",
    "/game/AAAAAAAAAAAAAAAA/record",
    "/game/AAAAAAAAAAAAAAAA/join/x",
    "/game/%00",
    "/game/%ff%fe",
    "/game/" + "A" * 5000,
    "/game/' OR 1=1--",
    "/static/nothing.js",
    "/static/../app.py",
    "/static/%2e%2e/%2e%2e/server/app.py",
    "/static",
    "/i18n/fr.json",
    "/i18n/..%2f.json",
    "/games/",
    "/%E3%81%82",
    "/index.php?a[]=<script>alert(1)</script>",
]


def test_a_wrong_address_gets_a_page(subtests: pytest.Subtests, browser: httpx.Client) -> None:
    for address, lang in itertools.product(ADDRESSES, ["en", "ja"]):
        with subtests.test(address=address, lang=lang):
            answer = browser.get(address, headers={"Accept-Language": lang})
            assert answer.status_code == 404
            is_a_page(answer, lang)
            assert "<script>alert" not in answer.text


WRONG_FORMS: list[dict[str, str]] = [
    {"variant": "whist"},
    {"variant": ""},
    {"variant": "six-card", "target": "100"},
    {"variant": "six-card", "target": "-1"},
    {"variant": "six-card", "target": "１２１"},
    {"variant": "six-card", "target": "9" * 400},
    {"variant": "five-card", "target": "121"},
    {"double_skunk": "yes"},
    {"muggins": "missed"},
    {"muggins": "always"},
    {"partners_by_draw": "yes"},
    {"variant": "partners", "partners_by_draw": "yes", "first_dealer": "named"},
    {"skunk": "maybe"},
    {"starter": "<b>"},
    {"board": "C"},
    {"level_1": "god"},
    {"next_dealer": "me"},
    {"challenge_seconds": "-5"},
    {"challenge_seconds": "nan"},
    {"seats": "9", "variant": "nine"},
]


def test_a_wrong_form_comes_back_with_what_was_wrong(
    subtests: pytest.Subtests, browser: httpx.Client
) -> None:
    for fields, lang in itertools.product(WRONG_FORMS, ["en", "ja"]):
        with subtests.test(fields=fields, lang=lang):
            answer = browser.post("/games", data=fields, headers={"Accept-Language": lang})
            assert answer.status_code == 400
            is_a_page(answer, lang)
            assert 'role="alert"' in answer.text
            assert "<b>" not in answer.text.partition('role="alert"')[2].partition("</p>")[0]


def test_names_are_kept_short_and_visible(aiko: Person) -> None:
    with aiko.at_table(name="  <blink>愛\u202e子\x00\n " + "x" * 100, name_1="\t") as page:
        page.until("waiting")
        first, second = page.table["names"]
        assert first == ("<blink>愛子 " + "x" * 100)[:24]
        assert second == "Random"
    assert "<blink>" not in aiko.browser.get("/").text


@pytest.mark.parametrize(("lang", "you", "guest"), [("en", "You", "Guest"), ("ja", "あなた", "ゲスト")])
def test_a_nameless_user_is_you_only_in_their_own_list(live: Live, lang: str, you: str, guest: str) -> None:
    with live.person() as host, live.person() as friend:
        with host.at_table(level_1="person") as page:
            page.until("waiting")
            invitation = page.table["invitations"][0]["path"]
        friend.sit(invitation)
        for person in (host, friend):
            home = person.browser.get(f"/?lang={lang}").text
            listed = home.partition('"hero-line')[2].partition("</p>")[0]
            assert sorted(re.findall(f"{you}|{guest}", listed)) == sorted([you, guest])
            assert (listed.index(you) < listed.index(guest)) == (person is host)
        host.new_game(name="Mia", level_1="random")
        home = host.browser.get(f"/?lang={lang}").text
        found = re.findall(r'"hero-line[^>]*>(.*?)</p>|going-game[^>]*><b>(.*?)</b>', home)
        [listed] = [names for one in found if "Mia" in (names := "".join(one))]
        assert you not in listed


def test_the_language_is_asked_for_then_kept_then_preferred(live: Live) -> None:
    with httpx.Client(base_url=live.http, timeout=60) as browser:
        assert (
            browser.get("/", headers={"Accept-Language": "fr, ja;q=0.5"}).headers["content-language"] == "ja"
        )
        assert browser.get("/", headers={"Accept-Language": "de"}).headers["content-language"] == "en"
        assert browser.get("/", headers={"Accept-Language": ""}).headers["content-language"] == "en"
        assert browser.get("/?lang=ja").headers["content-language"] == "ja"
        assert browser.get("/nothing").headers["content-language"] == "ja"
        assert browser.get("/?lang=xx").headers["content-language"] == "ja"
        assert browser.get("/?lang=en").headers["content-language"] == "en"


def test_the_servers_own_language_is_for_browsers_that_name_none() -> None:
    async def languages() -> list[str]:
        transport = httpx.ASGITransport(app=make_app(lang="ja"))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            client.headers.pop("accept-language", None)
            answers = [
                await client.get("/rules"),
                await client.get("/rules", headers={"Accept-Language": "en"}),
            ]
        return [answer.headers["content-language"] for answer in answers]

    assert asyncio.run(languages()) == ["ja", "en"]


def test_cookies_stay_with_us(aiko: Person) -> None:
    answer = aiko.browser.post("/games", data={"variant": "six-card", "level_1": "random"})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    token = aiko.browser.cookies["fifteentwo"]
    assert len(token) == 43
    aiko.new_game()
    assert aiko.browser.cookies["fifteentwo"] == token
    assert len(re.findall(r'href="/game/', aiko.browser.get("/").text)) >= 2


def test_no_other_site_can_post_to_any_address(aiko: Person) -> None:
    names = {"handle": "x", "invitation": "x", "theme": "crib", "shared": "x", "evening": "x"}
    routes = [one for one in make_app().routes if isinstance(one, Route) and "POST" in (one.methods or ())]
    assert len(routes) > 20
    game = aiko.new_game(level_1="person")
    keep(aiko, "Forged")
    pages = ("/account", "/", "/lobby", "/practice/daily")
    before = [aiko.browser.get(page).text for page in pages]
    for path in [one.path.format(game=game, **names) for one in routes]:
        for headers in (
            {"Origin": "https://example.org"},
            {"Origin": "null"},
            {"Sec-Fetch-Site": "cross-site"},
        ):
            answer = aiko.browser.post(path, headers=headers)
            assert answer.status_code == 403, path
            if answer.headers["content-type"] != "application/json":
                is_a_page(answer, "en")
    assert [aiko.browser.get(page).text for page in pages] == before


def test_a_strangers_table_is_closed(live: Live) -> None:
    with live.person() as aiko, live.person("ja") as stranger:
        game = aiko.new_game()
        assert aiko.browser.get(f"/game/{game}").status_code == 200
        for address in (f"/game/{game}", f"/game/{game}/record"):
            answer = stranger.browser.get(address)
            assert answer.status_code == 403
            is_a_page(answer, "ja")


def test_an_invitation_seats_one_person_once(live: Live) -> None:
    with (
        live.person() as aiko,
        live.person("ja") as ken,
        live.person() as late,
        aiko.at_table("three-handed", level_1="person", name="Aiko", name_1="Ken") as page,
    ):
        page.until("waiting")
        [invitation] = page.table["invitations"]
        assert invitation["seat"] == 1
        path = invitation["path"]
        asked = ken.browser.get(path)
        is_a_page(asked, "ja")
        assert "Aiko" in asked.text
        assert ken.browser.get(f"/game/{page.game}").status_code == 403, "asking is not yet sitting down"
        ken.sit(path)
        page.until("table")
        assert page.table["invitations"] == []
        assert ken.browser.get(f"/game/{page.game}").status_code == 200
        assert late.browser.post(path).status_code == 409
        assert late.browser.post(path[:-1]).status_code == 404
        assert late.browser.post(path[:-1] + "é").status_code == 404
        with ken.open(page.game) as other:
            other.until("waiting")
            assert other.view["seat"] == 1


def test_pages_have_no_external_and_no_inline_scripts(browser: httpx.Client) -> None:
    policy = browser.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    practice = ("/practice", "/practice/count", "/practice/daily", "/practice/duplicate")
    plain = ("/", "/pad", "/check", "/rules", "/glossary", "/summary", "/sheet", "/review")
    for page in (*plain, *practice):
        answer = browser.get(page)
        assert answer.status_code == 200
        assert not re.search(
            r"<style|\sstyle=|\son\w+=|javascript:|(src|action)=\"(https?:)?//", answer.text
        ), page
        for script in re.findall(r"<script[^>]*>", answer.text):
            assert "src=" in script or 'type="application/json"' in script, script


def test_files_are_asked_for_again_or_kept_for_ever(browser: httpx.Client) -> None:
    first = browser.get("/static/base.css", headers={"Accept-Encoding": "gzip"})
    assert (first.headers["content-encoding"], first.headers["vary"]) == ("gzip", "Accept-Encoding")
    assert first.headers["cache-control"] == "no-cache"
    plain = browser.get("/static/base.css", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == first.text == (WEB_FOLDER / "static" / "base.css").read_text("utf-8")
    again = browser.get("/static/base.css", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    found = re.findall(r'(?:src|href)="(/static/[^"#]+)', browser.get("/check").text)
    assert len(found) > 5
    for address in found:
        file = browser.get(address)
        assert (file.status_code, "immutable" in file.headers["cache-control"]) == (200, True), address
        known = browser.get(address, headers={"If-None-Match": file.headers["etag"]})
        assert (known.status_code, "immutable" in known.headers["cache-control"]) == (304, True)
        assert browser.head(address).status_code == 200
    words = browser.get("/i18n/ja.json")
    assert words.json()["level.club"]
    known = browser.get("/i18n/ja.json", headers={"If-None-Match": words.headers["etag"]})
    assert known.status_code == 304


def test_the_file_of_another_version_is_not_this_one(
    subtests: pytest.Subtests, browser: httpx.Client
) -> None:
    """After an upgrade no page and no cache gets new content at an old address."""
    for version in ["0" * 16, "1", "", "{right}0", "{right}/{right}"]:
        with subtests.test(version=version):
            right = browser.get("/static/base.css").headers["etag"].strip('"')
            address = f"/static/{version.format(right=right)}/base.css"
            answer = browser.get(address, headers={"If-None-Match": f'"{right}"'})
            assert answer.status_code == 404
            assert "max-age" not in answer.headers["cache-control"]
            assert "immutable" not in answer.headers["cache-control"]


def test_a_version_is_known_by_its_content_alone_and_stays_what_it_was(tmp_path: Path) -> None:
    """Installed files may have equal times, and files of other versions equal lengths."""
    file = tmp_path / "a.js"
    versions = []
    for content in ("one", "two"):
        file.write_text(content, encoding="utf-8")
        os.utime(file, (1, 1))
        versions.append(StaticFolder(tmp_path))
    assert versions[0].address("a.js") != versions[1].address("a.js")
    assert versions[0].content("a.js") == b"one", "what is installed meanwhile is not this version's"
    with pytest.raises(KeyError):
        versions[0].address("b.js")


def test_internal_errors_show_a_page(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("secret detail")

    with live.person("ja") as aiko:
        monkeypatch.setattr(site, "summary_of", broken)
        aiko.new_game()
        answer = aiko.browser.get("/")
    assert answer.status_code == 500
    is_a_page(answer, "ja")
    assert "secret detail" not in answer.text


def test_a_sheet_for_61_points_has_two_streets_and_its_own_skunk_line(browser: httpx.Client) -> None:
    whole, half = (browser.get("/sheet", params={"target": target}).text for target in (121, 61))
    assert (whole.count('class="street"'), half.count('class="street"')) == (8, 4)
    assert "between 90 and 91" in whole
    assert "between 30 and 31" in half
    assert re.search('class="game-hole[^"]*">61<', half)
    assert browser.get("/sheet", params={"target": "62"}).text == browser.get("/sheet").text
