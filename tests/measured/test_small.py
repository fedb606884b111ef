"""Small screens and letters twice the size: no text of any state or page is cut off or runs over."""

from collections.abc import Callable

import pytest

from tests.browser import pictured
from tests.browser.pictured import Visit
from tests.measured.boxes import SMALL, Measured, cut_off
from tests.measured.sights import resize
from tests.support.playing import Player, loaded

Come = Callable[..., Player]
AT_THE_TABLE: tuple[Visit, ...] = (pictured.claimed_game, pictured.counted_game, pictured.coached_game)
ELSEWHERE: tuple[Visit, ...] = (
    pictured.own_games,
    pictured.imported_game,
    pictured.practising,
    pictured.inviting,
)
PAGES = (
    *(
        "/",
        "/check?hand=5H+5S+6D+JC&starter=7C",
        "/pad",
        "/rules",
        "/glossary",
        "/summary",
        "/books",
        "/solved",
    ),
    *("/dealing", "/learn", "/lobby", "/join", "/people", "/account", "/review", "/nowhere"),
    *(f"/{name}" for name in pictured.STANDING if name.startswith("book/")),
    # Where the server is there, this page goes on by itself: nothing is opened after it.
    "/waiting",
)


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("visit_to", AT_THE_TABLE + ELSEWHERE)
def test_no_text_of_any_state_is_cut_off(visit: Come, visit_to: Visit, lang: str) -> None:
    player = visit(lang, phone=True, reduced_motion="reduce", quiet=visit_to is not pictured.imported_game)
    measured = Measured()
    visit_to(player, measured)
    assert measured.found == {}


def _page(player: Player, path: str) -> dict[str, list[str]]:
    """What is cut off on a page where everything is unfolded, by size."""
    page = player.page
    resize(page, 360, 640)
    page.goto(f"{path}{'&' if '?' in path else '?'}lang={player.lang}")
    loaded(page)
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    found = {}
    for width, height, letters in SMALL:
        resize(page, width, height, letters)
        found[f"{path} {width}×{height}, letters ×{letters}"] = cut_off(page)
    return {sight: lost for sight, lost in found.items() if lost}


@pytest.mark.parametrize("path", ["/check", "/summary"])
def test_no_text_of_a_page_is_cut_off(visit: Come, path: str) -> None:
    assert _page(visit("ja", reduced_motion="reduce"), path) == {}


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_no_text_of_any_page_is_cut_off(visit: Come, lang: str) -> None:
    player = visit(lang, reduced_motion="reduce", quiet=False)
    found: dict[str, list[str]] = {}
    for path in PAGES:
        found |= _page(player, path)
    assert found == {}
