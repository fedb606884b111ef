"""History, statistics and imported games: by keys, on a phone, and nothing for axe to find."""

import pytest
from playwright.sync_api import Page, expect

from fifteentwo.formats import write
from fifteentwo.rules.variants import rules_for
from tests.formats.written_games import written_game
from tests.support.accessible import clean
from tests.support.playing import Visit

HALSCRIB = write(written_game(7), "halscrib")


def _paste(page: Page, text: str) -> None:
    page.goto("/import")
    page.locator("#text").fill(text)
    with page.expect_navigation():
        page.locator("button[value=look]").press("Enter")


@pytest.mark.journey
def test_a_pasted_game_is_corrected_stored_listed_and_taken_out(visit: Visit) -> None:
    player = visit("ja", phone=True, color_scheme="dark", quiet=False)
    page = player.page
    _paste(page, HALSCRIB.replace("Deal  2: ", "Deal  2: 5X "))
    expect(page.locator("[role=alert]")).to_contain_text("5X")
    # The wrong line is chosen, to be typed over, as soon as the page's own script runs.
    page.wait_for_function(
        """() => {
          const one = document.querySelector("#text");
          return one.value.slice(one.selectionStart, one.selectionEnd).startsWith("Deal  2: 5X");
        }"""
    )
    clean(player, "refused")
    _paste(page, HALSCRIB)
    clean(player, "read")
    page.locator("[name=seat]").first.press("Space")
    page.locator("button[value=keep]").press("Enter")
    page.wait_for_url("**/log?game=1")
    page.goto("/history")
    expect(page.locator(".match-game")).to_have_count(1)
    page.locator(".match-more summary").press("Enter")
    clean(player, "history")
    with page.expect_navigation():
        page.locator(".match-more a").last.press("Enter")
    clean(player, "taking out")
    with page.expect_navigation(url="**/history"):
        page.locator("main form button").press("Enter")
    expect(page.locator(".match-game")).to_have_count(0)


def test_a_game_is_entered_card_by_card_and_counted(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce")
    page = player.page
    half = write(written_game(2, rules_for("six-card", target=61)), "halscrib")
    deals = [line.partition(": ")[2].split() for line in half.splitlines() if line.startswith("Deal")]
    dealer = 1 if deals[0][1][1].isupper() else 0
    page.goto("/import/by-hand")
    page.locator("[name=name_0]").fill("Aiko")
    page.locator("[name=name_1]").fill("Ken")
    page.locator("#setup [name=target]").select_option("61")
    page.locator(f"[name=dealer][value='{dealer}']").check()
    page.locator("#setup button").press("Enter")
    clean(player, "a deal begun")
    for number, words in enumerate(deals):
        _enter(page, words, (dealer + number) % 2)
        expect(page.locator("#deals-body tr")).to_have_count(number + 1)
        if number == 0:
            expect(page.locator("#title")).to_contain_text("Deal 2")
            page.reload()
            expect(page.locator("#title")).to_contain_text("Deal 2")
    expect(page.locator("#finish")).to_be_visible()
    page.locator("#finish button").click()
    page.locator("[name=seat][value='1']").check()
    page.locator("button[value=keep]").click()
    page.wait_for_url("**/log?game=1")
    page.goto("/statistics?kind=imported")
    expect(page.locator(".fair tbody tr")).to_have_count(5)
    clean(player, "statistics")


def _enter(page: Page, words: list[str], dealer: int) -> None:
    """Enter a deal by pressing cards, and go if a player cannot play; crib cards in the order asked for."""
    crib = sorted(words[9:], key=lambda word: word[1].islower() == bool(dealer))
    for place, word in enumerate([*words[:9], *crib]):
        who = "Ken" if word[1].islower() else "Aiko"
        if 0 < place < 9 and who not in page.locator("#asked").inner_text():
            page.locator("#go").click()
        page.locator(f"#picker [data-card='{word.upper()}']").click()
