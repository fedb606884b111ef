"""Six people with phones play an evening of two rounds; fields are not replaced while they are filled in."""

import random
import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from fifteentwo.i18n import text
from tests.support.accessible import clean
from tests.support.accounts import SECRET
from tests.support.live_server import Live
from tests.support.playing import Player, Visit
from tests.support.two_browsers import INSTANT

NAMES = ("Dora the director", "健", "Mia", "さくら", "Tomás", "小林")


def _opened(director: Player, name: str, **chosen: str) -> str:
    """Create an account, and open an evening by the form; return its path."""
    page = director.page
    page.context.request.post("/account/keep", form={"name": name, "passphrase": SECRET})
    page.goto(f"/club?lang={director.lang}")
    page.locator("[name=name]").fill("Wednesday")
    page.locator("[name=game]").select_option("five-card 61")
    for field, value in chosen.items():
        page.locator(f"[name={field}]").fill(value)
    page.locator("[data-action=open-evening]").click()
    page.wait_for_selector("#now[data-live]")
    return urlsplit(page.url).path


def _refreshed(page: Page, selector: str) -> None:
    """Let an open page ask for changes until it shows an element, without waiting for its timer."""
    for _ in range(600):
        if page.locator(selector).count():
            return
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_timeout(100)
    raise AssertionError((selector, page.locator("#now").inner_text()))


def _play(live: Live, player: Player, game: str, seed: int) -> None:
    """Play a game to its end by another page of a player, which acts at random."""
    with live.person(player.lang) as person:
        for cookie in COOKIES[player]:
            person.browser.cookies.set(*cookie)
        with person.open(game) as page:
            page.play_out(random.Random(seed))


def _to_evening(player: Player) -> None:
    """Open the table again, which other pages have played to its end, and go from there to the evening."""
    player.page.reload()
    player.page.locator("[data-action=evening]").click()


COOKIES: dict[Player, list[tuple[str, str]]] = {}


def test_six_people_with_phones_play_an_evening_of_two_rounds(visit: Visit, live: Live) -> None:
    players = [visit(("en", "ja")[number % 2], phone=True) for number in range(6)]
    path = _opened(players[0], NAMES[0], rounds="2")
    code = str(players[0].page.locator("[data-code]").text_content())
    for number, player in enumerate(players):
        page = player.page
        if number == 0:
            page.locator("#now [data-action=join]").click()
        else:
            # One of them types the code; the others have the link.
            page.goto(f"{'/join' if number == 1 else path}?lang={player.lang}")
            if number == 1:
                page.locator("main [name=code]").fill(code)
                page.locator("main form .button").click()
            page.locator("#now [name=name]").fill(NAMES[number])
            page.locator("#now [data-action=join]").click()
        expect(page.locator("#own-title")).to_have_text(
            text("evening.you-are-in", player.lang, name=NAMES[number])
        )
        page.evaluate(INSTANT)
        COOKIES[player] = [(str(one["name"]), str(one["value"])) for one in page.context.cookies()]
    players[0].page.locator("[data-action=begin]").click()
    for number in range(2):
        games = []
        for player in players:
            page = player.page
            _refreshed(page, "[data-action=own-table]")
            assert page.title().startswith(f"● {text('evening.ready', player.lang)}")
            page.locator("[data-action=own-table]").click()
            page.wait_for_selector("#table")
            games.append(urlsplit(page.url).path.split("/")[2])
        assert len(set(games)) == 3, "each game is two people's"
        with ThreadPoolExecutor(6) as threads:
            playing = [
                threads.submit(_play, live, player, game, seed)
                for seed, (player, game) in enumerate(zip(players, games, strict=True))
            ]
            for one in playing:
                one.result()
        for player in players:
            _to_evening(player)
            player.page.wait_for_selector("#now[data-live]")
            if number == 0:
                _refreshed(
                    player.page, f"#tables-title:has-text('{text('evening.round-tables', player.lang, n=2)}')"
                )
    shown = list[list[str]]()
    for player in players:
        page = player.page
        _refreshed(page, f".evening-round:has-text('{text('evening.over', player.lang)}')")
        shown.append(
            page.locator(".standings tbody td:not(.standings-tool, .standings-more)").all_inner_texts()
        )
        own = page.locator(".standings tr[aria-current] th a")
        expect(own).to_have_text(NAMES[players.index(player)])
        own.click()
        expect(page.locator(".score-card tbody tr")).to_have_count(2)
        expect(page.locator("h1")).to_have_text(NAMES[players.index(player)])
    assert shown == [shown[0]] * 6


def test_a_field_that_is_being_filled_in_is_not_replaced(visit: Visit) -> None:
    director, guest, other = visit("en"), visit("en", phone=True), visit("ja", phone=True)
    path = _opened(director, "Dora fills in")
    page = guest.page
    page.goto(path)
    page.wait_for_selector("#now[data-live]")
    page.locator("#now [name=name]").fill("Half a na")
    other.page.goto(path)
    other.page.locator("#now [name=name]").fill("Quick")
    other.page.locator("#now [data-action=join]").click()
    with page.expect_response(re.compile(path)) as answer:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert answer.value.status == 200
    expect(page.locator("#now [name=name]")).to_have_value("Half a na")
    page.locator("#now [data-action=join]").click()
    expect(page.locator("#now")).to_contain_text("Quick")
    # Without a script, the same pages work by their forms and links.
    plain = visit("en", java_script_enabled=False)
    plain.page.goto(path)
    plain.page.locator("#now [name=name]").fill("Plain")
    plain.page.locator("#now [data-action=join]").click()
    expect(plain.page.locator("#own-title")).to_have_text(text("evening.you-are-in", "en", name="Plain"))


def test_every_page_of_an_evening_is_accessible_and_fits(visit: Visit, live: Live, lang: str) -> None:
    director = visit(lang, phone=True, reduced_motion="reduce")
    page, season = director.page, f"Season {lang}"
    path = _opened(director, f"Dora fits {lang}", season=season)
    for number, name in enumerate(("W" * 24, "松" * 24, "Mia", "健", "Tomás")):
        with live.person() as guest:
            guest.browser.post(path, data={"do": "join", "name": name})
            if number == 0:
                page.goto(path)
                clean(director, "before the first round")
    page.locator("#now [data-action=join]").click()
    page.locator("[data-action=begin]").click()
    answer = page.context.request.post(
        path, form={"do": "correct", "table": "0.0", "score_0": "61", "score_1": "3", "reason": "x" * 200}
    )
    assert answer.ok
    season_path = str(page.locator("main a", has_text=season).first.get_attribute("href"))
    own = ("", "?table=0.0", "?record=1", "/board", "/card/1", "/print?what=poster", "/print?what=standings")
    too_wide = []
    for address in (*(path + one for one in own), f"{path}/print?what=cards", "/club", season_path):
        page.goto(address)
        clean(director, address)
        for width, height in ((320, 568), (390, 844), (1440, 900)):
            page.set_viewport_size({"width": width, "height": height})
            breadth = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
            if breadth[0] > breadth[1]:
                too_wide.append((address, breadth))
    assert too_wide == []
