"""Every state of the contact sheets is accessible; Book, history and accounts are used by keys."""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser import pictured
from tests.browser.pictured import ENTRY, Visit
from tests.measured.boxes import SMALL, Measured
from tests.measured.sights import ScreenReader
from tests.support.accessible import clean
from tests.support.playing import Player

Come = Callable[..., Player]
MEASURED: tuple[Visit, ...] = (
    *(pictured.claimed_game, pictured.counted_game, pictured.coached_game, pictured.own_games),
    *(pictured.imported_game, pictured.practising, pictured.inviting),
)
"""Visits whose states are also measured at all sizes."""
VISITS: tuple[Visit, ...] = (
    *MEASURED,
    *(pictured.sealed, pictured.lessons, pictured.standing, pictured.reviewed, pictured.account),
    pictured.open_tables,
)
PHONES = (("ja", "phone", "light"), ("en", "phone", "dark"))
WINDOWS = (*PHONES, ("en", "wide", "light"), ("ja", "wide", "dark"))


def _mark(number: int, place: int) -> pytest.MarkDecorator:
    """Run each visit in one window with the long tests, and in the others with the slow ones."""
    windows = len(PHONES) if VISITS[number] in MEASURED else len(WINDOWS)
    return pytest.mark.long if number % windows == place else pytest.mark.slow


EVERY = [
    pytest.param(visit, *window, id="-".join((visit.__name__, *window)), marks=_mark(number, place))
    for number, visit in enumerate(VISITS)
    for place, window in enumerate(WINDOWS)
]


class Checked(Measured):
    """Instead of pictures, checks of each state: axe-core, names, and text that is cut off."""

    def __init__(self, player: Player, *, is_measured: bool) -> None:
        super().__init__(SMALL if is_measured else ())
        self._player = player

    def take(self, page: Page, name: str) -> None:
        clean(self._player, name)
        breadth = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert breadth[0] <= breadth[1], (name, breadth)
        nameless = [one for one in ScreenReader(page).operated() if not one[1]]
        assert nameless == [], name
        super().take(page, name)
        self.taken.append((name, b""))


@pytest.mark.parametrize(("visit_to", "lang", "size", "scheme"), EVERY)
def test_every_state_is_accessible_and_no_text_is_cut_off(
    visit: Come, visit_to: Visit, lang: str, size: str, scheme: str
) -> None:
    refuses = visit_to in (pictured.imported_game, pictured.account, pictured.open_tables)
    player = visit(
        lang, phone=size == "phone", color_scheme=scheme, reduced_motion="reduce", quiet=not refuses
    )
    checked = Checked(player, is_measured=visit_to in MEASURED)
    visit_to(player, checked)
    assert len(checked.taken) > 1
    assert checked.found == {}


def _enter(page: Page, selector: str) -> str:
    """Focus a link, press Enter, and return the path of the next page."""
    link = page.locator(selector).first
    link.focus()
    expect(link).to_be_focused()
    before = page.url
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != before)
    return urlsplit(page.url).path


def test_the_book_is_read_by_keys(visit: Come) -> None:
    """Six typed cards, the other role, another board, the map, and pegging card by card."""
    lang = "ja"
    player = visit(lang, phone=True)
    page = player.page
    page.goto(f"/book?lang={lang}")
    page.locator("[name=hand]").focus()
    page.keyboard.type("5h 5s 6d 7c jc kd")
    page.keyboard.press("Enter")
    page.wait_for_url("**/pone/0-0")
    assert _enter(page, ".book-ask .segments a:not([aria-current])").endswith("/dealer/0-0")
    assert _enter(page, ".book-ask .segments a:not([aria-current])").endswith("/pone/0-0")
    page.locator("[name=own]").fill("110")
    page.locator("[name=other]").fill("116")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{ENTRY}")
    expect(page.locator("#map svg")).to_be_visible()
    discards = page.locator(".book-discards tbody tr")
    expect(discards).to_have_count(15)
    _enter(page, ".book-discards tbody tr:last-child a")
    expect(discards.last).to_have_class("is-chosen")
    play = _enter(page, ".book-links a:last-child")
    starter = _enter(page, ".book-suit a")
    assert starter.startswith(play)
    position = _enter(page, ".book-answers a")
    assert position.startswith(starter)
    assert _enter(page, ".book-suit a").startswith(position)


def test_a_game_in_the_history_is_found_by_keys(visit: Come) -> None:
    player = visit("ja", phone=True)
    page = player.page
    page.goto("/import")
    page.locator("#text").fill(pictured.IMPORTED)
    page.locator("button[value=look]").press("Enter")
    page.locator("[name=seat]").first.press("Space")
    page.locator("button[value=keep]").press("Enter")
    page.wait_for_url("**/log?game=1")
    page.goto("/history")
    page.locator("[name=q]").focus()
    page.keyboard.type("no player of this name")
    page.keyboard.press("Enter")
    page.wait_for_url("**/history?*")
    expect(page.locator(".match-game")).to_have_count(0)
    page.goto("/history")
    assert _enter(page, ".match-links a").startswith("/review/")
    page.wait_for_selector("#review[data-ready]")


@pytest.mark.journey
def test_an_account_is_made_and_deleted_by_keys(visit: Come) -> None:
    page = visit("ja", phone=True).page
    name = "Keyboard"
    page.goto("/account?lang=ja")
    page.locator("form[action='/account/keep'] [name=name]").focus()
    for words in (name, pictured.PASSPHRASE):
        page.keyboard.type(words)
        page.keyboard.press("Tab")
    expect(page.locator("[data-shows='keep-passphrase']")).to_be_focused()
    page.keyboard.press("Enter")
    # The passphrase is visible and its field has the focus, so that Enter creates the account.
    expect(page.locator("#keep-passphrase")).to_have_attribute("type", "text")
    expect(page.locator("#keep-passphrase")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(name)
    page.locator("form[action='/account/sign-out'] .button").press("Enter")
    field = page.locator("form[action='/account/sign-in'] [name=name]")
    field.focus()
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    page.keyboard.type(pictured.PASSPHRASE)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(name)
    assert _enter(page, "a[href='/account/delete']") == "/account/delete"
    page.locator("[name=passphrase]").focus()
    page.keyboard.type(pictured.PASSPHRASE)
    page.keyboard.press("Enter")
    page.wait_for_url("**/account?done=deleted")
    expect(page.locator(".done")).to_be_visible()
