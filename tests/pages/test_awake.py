"""The screen stays on only while a game is scored."""

from playwright.sync_api import Page, expect

from tests.pages.conftest import Opened
from tests.support.live_server import Live

# A screen lock as the browser has it: released by the page, or by the browser when the page is hidden.
LOCK = """
window.locks = [];
window.refused = 0;
Object.defineProperty(navigator, "wakeLock", { value: { request: async (kind) => {
  if (window.refused > 0) { window.refused -= 1; throw new DOMException("low battery", "NotAllowedError"); }
  const lock = { kind, released: false, release: async () => { lock.released = true; } };
  window.locks.push(lock);
  return lock;
} } });
"""


def _held(page: Page, number: int, asked: int) -> None:
    """Return the numbers of locks that are held now and that were ever granted."""
    page.wait_for_function(
        "([held, asked]) => locks.length === asked && locks.filter((one) => !one.released).length === held",
        arg=[number, asked],
    )


def _pad(live: Live, opened: Opened, *more: str) -> Page:
    page = opened("about:blank")
    for script in (LOCK, *more):
        page.add_init_script(script)
    page.goto(f"{live.http}/pad")
    expect(page.locator("#setup")).to_be_visible()
    return page


def test_the_screen_stays_on_during_a_game_alone(live: Live, opened: Opened) -> None:
    page = _pad(live, opened)
    _held(page, 0, 0)
    page.locator("#setup [type=submit]").click()
    _held(page, 1, 1)
    assert page.evaluate("locks[0].kind") == "screen"
    # Every score draws the page again: the one lock is enough.
    page.keyboard.press("f")
    expect(page.locator(".pad-score").first).to_have_text("2")
    _held(page, 1, 1)
    page.locator("#awake").uncheck()
    _held(page, 0, 1)
    page.locator("#awake").check()
    _held(page, 1, 2)
    page.reload()
    _held(page, 1, 1)
    page.locator("#new").click()
    page.locator("#sure button[value=new]").click()
    expect(page.locator("#setup")).to_be_visible()
    _held(page, 0, 1)


def test_a_lock_that_the_browser_released_is_requested_again(live: Live, opened: Opened) -> None:
    page = _pad(live, opened)
    page.locator("#setup [type=submit]").click()
    _held(page, 1, 1)
    page.evaluate("locks[0].released = true; document.dispatchEvent(new Event('visibilitychange'))")
    _held(page, 1, 2)


def test_a_refused_lock_is_requested_again_at_the_next_touch(live: Live, opened: Opened) -> None:
    page = _pad(live, opened, "window.refused = 1;")
    page.locator("#setup [type=submit]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#game")).to_be_visible()
    page.wait_for_function("() => refused === 0")
    _held(page, 0, 0)
    page.locator("#play-title").click()
    _held(page, 1, 1)
