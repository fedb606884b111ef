"""axe-core finds nothing on any page or state of the table, in light and dark (names, contrast, order)."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.playing import Player

Visit = Callable[..., Player]


def _clean(player: Player, where: str) -> None:
    # Something half faded in has no contrast yet.
    player.page.wait_for_function(
        "() => document.getAnimations().every((one) => one.playState !== 'running')"
    )
    results = Axe().run(player.page)
    found = [
        (one["id"], [node["html"][:160] for node in one["nodes"]][:3])
        for one in results.response["violations"]
    ]
    assert found == [], where


@pytest.mark.parametrize(("scheme", "lang"), [("light", "en"), ("dark", "ja")])
def test_every_state_of_the_table(visit: Visit, scheme: str, lang: str) -> None:
    player = visit(lang, phone=scheme == "dark", color_scheme=scheme)
    player.home()
    _clean(player, "home")
    player.choose(counting="claimed")
    _clean(player, "home, everything open")
    player.sit_down(
        form="six-card",
        target="61",
        counting="claimed",
        muggins="missed",
        # Looking takes longer than the usual moment where the machine does much else.
        moment="60",
        skunk="yes",
        level_1="random",
    )
    seen: set[str] = set()
    for asked in player.play():
        stage = str(player.page.locator("#table").get_attribute("data-stage"))
        if (state := f"{stage}: {asked}") not in seen:
            seen.add(state)
            _clean(player, state)
    for dialog in ("settings", "keys"):
        player.page.click(f'[data-action="{dialog}"]')
        _clean(player, dialog)
        player.page.keyboard.press("Escape")
    assert {"draw: draw", "play: claim", "show: claim", "show: continue", "over: over"} <= seen


def test_an_error_page_has_the_way_back(visit: Visit) -> None:
    player = visit("ja", quiet=False)
    player.page.goto("/game/nothing-of-the-kind")
    _clean(player, "error")
    player.page.locator("main a").first.click()
    player.page.wait_for_selector("form[data-ready]")
