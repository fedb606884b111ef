"""The hand checker by mouse, keyboard and address."""

import pytest
from playwright.sync_api import Page, expect

from fifteentwo.i18n.reading import examples
from tests.pages.conftest import PHONE, Opened
from tests.support.live_server import Live


def _total(page: Page) -> str:
    return page.locator("#total").inner_text()


def test_every_example_is_reproduced_by_stepping_through(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/check", reduced_motion="reduce")
    for number, example in enumerate(examples().hands, start=1):
        page.locator("[data-example='1']").click()
        expect(page.locator("#example-at")).to_contain_text(str(number))
        expect(page.locator("#total")).to_have_text(str(example.points))
        expect(page.locator("#result")).to_be_visible()
        expect(page.locator(f'[data-id="{example.id}"][aria-current]')).to_have_count(1)


@pytest.mark.journey
def test_the_address_reproduces_the_hand(live: Live, opened: Opened) -> None:
    asked = "hand=5H+5S+5D+JC&starter=5C&crib=0"
    page = opened(f"{live.http}/check?{asked}", reduced_motion="reduce")
    expect(page.locator("#total")).to_have_text("29")
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#total")).to_have_text("")
    page.locator('[data-card="AH"]').click()
    for card in ("2S", "3D", "4C", "KH"):
        page.locator(f'[data-card="{card}"]').click()
    expect(page.locator("#total")).to_have_text("8")
    again = opened(page.url, reduced_motion="reduce")
    expect(again.locator("#total")).to_have_text("8")
    assert again.locator("#places [data-card]").evaluate_all("cards => cards.map(c => c.dataset.card)") == [
        "AH",
        "2S",
        "3D",
        "4C",
        "KH",
    ]


def test_the_count_is_built_up_with_its_cards_highlighted(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/check?hand=5H+5S+6D+JC&starter=7C&lang=ja", reduced_motion="reduce")
    expect(page.locator("#total")).to_have_text("13")
    page.locator('[data-step="first"]').click()
    expect(page.locator("#total")).to_have_text("0")
    for total, lit in [
        ("2", {"5S", "JC"}),
        ("4", {"5H", "JC"}),
        ("6", {"5S", "5H"}),
        ("9", {"5S", "6D", "7C"}),
        ("12", {"5H", "6D", "7C"}),
        ("13", {"JC"}),
    ]:
        page.locator('[data-step="next"]').click()
        expect(page.locator("#total")).to_have_text(total)
        found = page.locator(".is-lit [data-card]").evaluate_all("cards => cards.map(c => c.dataset.card)")
        assert set(found) == lit
    expect(page.locator("#line")).to_have_text("ヒズ・ノブで13")
    page.locator('[data-step="back"]').click()
    expect(page.locator("#total")).to_have_text("12")
    # The line also names the score, and screen readers are given every card.
    expect(page.locator("#line")).to_have_text("ランで12（3枚のラン）")
    expect(page.locator("#status")).to_contain_text("ハートの5、ダイヤの6、クラブの7")


def test_the_count_runs_by_itself(live: Live, opened: Opened) -> None:
    # A total is shown for a moment only, so the page itself records all of them.
    page = opened(
        f"{live.http}/check?hand=5H+5S+6D+JC&starter=7C",
        script="""window.totals = [];
          new MutationObserver(() => {
            const total = document.getElementById("total")?.textContent;
            if (total && total !== window.totals.at(-1)) window.totals.push(total);
          }).observe(document, { childList: true, characterData: true, subtree: true });""",
    )
    expect(page.locator("#total")).to_have_text("13")
    steps = page.evaluate("window.totals")
    # The server has written the total for users without scripts.
    assert steps[-7:] == ["0", "2", "4", "6", "9", "12", "13"], steps
    expect(page.locator('[data-step="play"]')).to_have_text("Count again")


def test_a_hand_can_be_chosen_by_keyboard_alone(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/check", reduced_motion="reduce")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.card") == "AS":
            break
    for keys in (
        ["Enter"],
        ["ArrowRight", "Enter"],
        ["ArrowDown", "Enter"],
        ["End", "Enter"],
        ["Home", "Enter"],
    ):
        for key in keys:
            page.keyboard.press(key)
    # Ace and two of spades; two, king and ace of hearts: two pairs, and king-two-two-ace twice.
    expect(page.locator("#total")).to_have_text("8")


def test_choosing_a_hand_ends_the_check_of_a_part(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/check?part=runs&hand=3C+3D+4S+4H+5C", reduced_motion="reduce")
    expect(page.locator("#total")).to_have_text("12")
    expect(page.locator("#shape")).to_contain_text("only the runs")
    assert "part=runs" in page.url
    page.locator('[data-card="5C"]').first.click()
    expect(page.locator("#total")).to_have_text("")
    page.locator('.picker [data-card="5S"]').click()
    # Now a hand with its starter: four runs, two pairs and 3-3-4-5 twice.
    expect(page.locator("#total")).to_have_text("20")
    expect(page.locator("#places .check-place--starter")).to_have_count(1)
    assert "part" not in page.url


def test_a_typed_hand_is_counted_and_a_wrong_card_is_named(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/check?lang=ja", reduced_motion="reduce")
    page.fill("[name=hand]", "♣4 ♥5 ♣6 ♠6")
    page.fill("[name=starter]", "♦4")
    page.keyboard.press("Enter")
    expect(page.locator("#total")).to_have_text("24")
    page.fill("[name=hand]", "4X 5H 6C 6S")
    page.keyboard.press("Enter")
    expect(page.locator("#error")).to_contain_text("4X")
    expect(page.locator("#total")).to_have_text("")
    opened.complaints.clear()  # Chromium reports every answer that is not 200.


def test_the_crib_and_five_cards_have_their_own_flush(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/check?hand=2H+4H+6H+8H&starter=KC", size=PHONE, reduced_motion="reduce")
    expect(page.locator("#total")).to_have_text("4")
    page.get_by_role("switch", name="This is the crib").check()
    expect(page.locator("#total")).to_have_text("0")
    page.get_by_role("switch", name="This is the crib").uncheck()
    page.get_by_role("switch", name="Five-card hand").check()
    expect(page.locator("#total")).to_have_text("3")
    assert page.locator("#places button").count() == 4
