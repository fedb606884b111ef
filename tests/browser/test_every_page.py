"""What the contact sheet shows passes axe-core, too; Book, history and accounts are walked by keys."""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser import pictured
from tests.browser.pictured import ENTRY, Shots, Visit
from tests.measured.sights import ScreenReader
from tests.support.accessible import clean
from tests.support.playing import Player

Come = Callable[..., Player]
LOOKED_AT: tuple[Visit, ...] = (
    *(pictured.sealed, pictured.coached_game, pictured.lessons, pictured.standing, pictured.reviewed),
    *(pictured.own_games, pictured.practising, pictured.imported_game, pictured.account),
    *(pictured.inviting, pictured.open_tables),
)
# As on the contact sheets: both languages, both sizes, light and dark.
WINDOWS = (("en", "wide", "light"), ("ja", "phone", "light"), ("ja", "wide", "dark"), ("en", "phone", "dark"))


def _mark(number: int, place: int) -> pytest.MarkDecorator:
    """Each visit in one window with the long tests, in turn; in the others with the slow ones."""
    return pytest.mark.long if (number + place) % len(WINDOWS) == 0 else pytest.mark.slow


EVERY = [
    pytest.param(visit, *window, id="-".join((visit.__name__, *window)), marks=_mark(number, place))
    for number, visit in enumerate(LOOKED_AT)
    for place, window in enumerate(WINDOWS)
]


class Looks(Shots):
    """Instead of a picture: axe-core finds nothing, nothing is cut off outside the window, all has a name."""

    def __init__(self, player: Player) -> None:
        super().__init__()
        self._player = player

    def take(self, page: Page, name: str) -> None:
        """Look and listen."""
        clean(self._player, name)
        breadth = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert breadth[0] <= breadth[1], (name, breadth)
        nameless = [one for one in ScreenReader(page).operated() if not one[1]]
        assert nameless == [], name
        self.taken.append((name, b""))


@pytest.mark.parametrize(("visit_to", "lang", "size", "scheme"), EVERY)
def test_every_state_is_accessible(visit: Come, visit_to: Visit, lang: str, size: str, scheme: str) -> None:
    refuses = visit_to in (pictured.imported_game, pictured.account, pictured.open_tables)
    player = visit(
        lang, phone=size == "phone", color_scheme=scheme, reduced_motion="reduce", quiet=not refuses
    )
    looks = Looks(player)
    visit_to(player, looks)
    assert len(looks.taken) > 1


def _enter(page: Page, selector: str) -> str:
    """Press what can be reached by Tab; where it leads."""
    link = page.locator(selector).first
    link.focus()
    expect(link).to_be_focused()
    before = page.url
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != before)
    return urlsplit(page.url).path


@pytest.mark.parametrize(("lang", "phone"), [("en", False), pytest.param("ja", True, marks=pytest.mark.long)])
def test_the_book_is_walked_by_keys(visit: Come, lang: str, phone: bool) -> None:
    """Six cards typed, the other role, another board, the map, then the play card by card."""
    player = visit(lang, phone=phone)
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
    starter = _enter(page, ".book-choose a")
    assert starter.startswith(play)
    position = _enter(page, ".book-answers a")
    assert position.startswith(starter)
    assert _enter(page, ".book-choose a").startswith(position)


@pytest.mark.long
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


def test_an_account_is_made_and_deleted_by_keys(visit: Come) -> None:
    """Created, signed out, signed in, deleted, and never a mouse."""
    page = visit("ja", phone=True).page
    name = "Keyboard"
    page.goto("/account?lang=ja")
    page.locator("form[action='/account/keep'] [name=name]").focus()
    for words in (name, pictured.PASSPHRASE):
        page.keyboard.type(words)
        page.keyboard.press("Tab")
    expect(page.locator("[data-shows='keep-passphrase']")).to_be_focused()
    page.keyboard.press("Enter")
    # Shown, and the keyboard back where it is written: Enter creates the account.
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
