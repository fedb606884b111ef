"""axe-core finds nothing on any page or state of the table, in light and dark (names, contrast, order)."""

from collections.abc import Callable

import pytest

from fifteentwo.i18n import text
from tests.support.accessible import clean
from tests.support.playing import Player

Visit = Callable[..., Player]
STATES = {"draw: draw", "play: play", "play: accept", "show: claim", "show: continue"}
"""What is met in every game, with what is asked in each."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("scheme", "lang", "last"),
    [
        ("light", "en", "over: over"),
        ("dark", "ja", "show: continue"),
        pytest.param("dark", "ja", "over: over", marks=pytest.mark.slow),
    ],
)
def test_every_state_of_the_table(visit: Visit, scheme: str, lang: str, last: str) -> None:
    """Up to the last of these, which is the end of a game in one of both colours."""
    player = visit(lang, phone=scheme == "dark", color_scheme=scheme)
    player.home()
    clean(player, "home")
    player.choose(counting="claimed")
    clean(player, "home, everything open")
    player.sit_down(
        variant="six-card",
        target="61",
        counting="claimed",
        muggins="missed",
        # Looking takes longer than the usual moment where the machine does much else.
        challenge_seconds="60",
        skunk="yes",
        level_1="random",
    )
    seen: set[str] = set()
    for asked in player.play():
        stage = str(player.page.locator("#table").get_attribute("data-stage"))
        if (state := f"{stage}: {asked}") not in seen:
            seen.add(state)
            clean(player, state)
        if last in seen and seen >= STATES:
            break
    for dialog in ("settings", "keys"):
        if player.page.locator(".bar-menu").is_visible():
            player.page.click(".bar-menu")
        player.page.click(f'[data-action="{dialog}"]')
        clean(player, dialog)
        player.page.keyboard.press("Escape")
    assert STATES | {last} <= seen


def test_an_error_page_has_the_way_back(visit: Visit) -> None:
    player = visit("ja", quiet=False)
    player.page.goto("/game/nothing-of-the-kind")
    clean(player, "error")
    player.page.locator("main a").first.click()
    player.page.wait_for_selector("form[data-ready]", state="attached")


@pytest.mark.long
def test_every_part_has_a_heading_and_no_item_of_a_list_is_empty(visit: Visit) -> None:
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
