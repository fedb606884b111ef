"""Headings, lists, forced colours and the error page for people who use a screen reader."""

from fifteentwo.i18n import text
from tests.support.accessible import clean
from tests.support.playing import Visit


def test_an_error_page_leads_back_to_the_first_page(visit: Visit) -> None:
    player = visit("ja", quiet=False)
    player.page.goto("/game/nothing-of-the-kind")
    clean(player, "error")
    player.page.locator("main a").first.click()
    player.page.wait_for_selector("form[data-ready]", state="attached")


def test_every_part_has_a_heading_and_no_list_item_is_empty(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce")
    page = player.page
    player.sit_down(variant="three-handed", level_1="random", level_2="random")
    for asked in player.play():
        empty = page.evaluate(
            """() => [...document.querySelectorAll("#table li")].filter((item) => item.checkVisibility())
              .filter((item) => !item.textContent.trim())
              .filter((item) => !item.querySelector("[aria-label]:not([aria-hidden])"))
              .map((item) => item.outerHTML.slice(0, 120))"""
        )
        assert empty == [], asked
        empty_lists = "#table ol:visible:not(:has(> li)), #table ul:visible:not(:has(> li))"
        assert page.locator(empty_lists).count() == 0, asked
        if asked == "continue":
            break
    keys = ("table.scores", "table.others", "table.middle", "table.your_hand", "table.your_move", "table.log")
    headings = page.locator("#table :is(h1, h2)").all_inner_texts()
    assert len(headings) == 1 + len(keys)
    assert [text(key, "en") for key in keys] == headings[1:]


def test_forced_colours_keep_the_ring_of_the_player_to_act(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce", forced_colors="active")
    player.sit_down(variant="four-handed", **{f"level_{seat}": "random" for seat in (1, 2, 3)})
    for asked in player.play():
        if asked == "play":
            break
    rings = player.page.locator(".plate").evaluate_all(
        """(all) => all.map((plate) => {
          const { borderColor, outlineStyle, outlineColor } = getComputedStyle(plate);
          const ground = getComputedStyle(document.documentElement).backgroundColor;
          const outlined = outlineStyle !== "none" && outlineColor !== ground;
          return [plate.dataset.turn, outlined, borderColor !== ground];
        })"""
    )
    assert sorted(rings) == [["false", False, False]] * 3 + [["true", True, True]]
