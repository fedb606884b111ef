"""The crib at the dealer's right (R44), and pegs that the player moves (R118)."""

import json

import pytest
from playwright.sync_api import expect

from tests.support.playing import ASKED, Player, Visit


def _name_dealer(player: Player, seat: int) -> None:
    """Name the dealer, and answer until the discard."""
    assert player.wait() == "name-dealer"
    player.page.click(f'[data-action="name-dealer"][data-seat="{seat}"]')
    while (asked := player.wait()) != "discard":
        player.click(asked)


CRIB_AND_DECK = """() => {
  const spots = [".spot--crib", ".spot--starter"].map((one) => document.querySelector(one));
  const boxes = spots.map((one) => one?.getBoundingClientRect());
  return boxes.every((one) => one?.width) ? boxes : null;
}"""
"""The boxes of crib and deck, read at one moment, because the table is drawn again while others discard."""


@pytest.mark.parametrize(("variant", "dealer", "right"), [("six-card", 1, False), ("four-handed", 3, True)])
def test_r44_the_crib_lies_at_the_dealers_right(visit: Visit, variant: str, dealer: int, right: bool) -> None:
    """Everybody faces the middle, so the crib of the player opposite is at the reader's left."""
    player = visit("ja", phone=variant == "four-handed")
    opponents = {f"level_{seat}": "random" for seat in range(1, 4 if variant == "four-handed" else 2)}
    player.sit_down(variant=variant, first_dealer="named", cut_before_deal="no", **opponents)
    _name_dealer(player, dealer)
    crib, deck = player.page.wait_for_function(CRIB_AND_DECK).json_value()
    assert (crib["x"] > deck["x"] + deck["width"]) is right
    assert (deck["x"] > crib["x"] + crib["width"]) is not right


def _hole(player: Player, number: int) -> tuple[float, float]:
    """Return the place on the page of the reader's hole of a score."""
    x, y = player.page.evaluate(
        """async (number) => {
          const { holePosition, reach } = await import("/static/board/holes.js");
          const svg = document.querySelector("#board svg");
          const pegs = [...svg.querySelectorAll('.peg[data-side="0"]:not([data-peg="games"])')];
          const one = pegs.find((peg) => peg.dataset.hole === "0");
          const at = new DOMPoint(0, 0).matrixTransform(one.getScreenCTM());
          // From the start hole, 14 before the first; along the street, as the board lies.
          const tall = document.querySelector("#board .board").dataset.layout === "tall";
          const start = Number(one.dataset.start) === 2 ? 24 : 14;
          const far = (start + reach(number)) * svg.getScreenCTM().a;
          return tall ? [at.x, at.y - far] : [at.x + far, at.y];
        }""",
        number,
    )
    return x, y


SHORT, TOO_FAR = "{hole}の穴では1点分足りません", "{hole}の穴では1点分多すぎます"
ASKED_OR_PEG = f"""() => document.querySelector('[data-action="peg"]') ? "peg" : ({ASKED})()"""


def test_r118_the_player_moves_the_back_peg_and_sees_how_far_it_is_wrong(visit: Visit) -> None:
    """The peg is moved by a tap, by arrow keys and by a button."""
    player = visit("ja", phone=True)
    page = player.page
    kept = json.dumps(json.dumps({"speed": "instant", "pegs": True}))
    page.add_init_script(f"localStorage['fifteentwo.settings'] = {kept}")
    player.sit_down(first_dealer="named", cut_before_deal="no", level_1="random")
    _name_dealer(player, 0)
    while (asked := page.wait_for_function(ASKED_OR_PEG).json_value()) != "peg":
        player.click(asked)
        player.answered(asked)
    peg, prompt, score = (
        page.locator(one) for one in ('[data-action="peg"]', "#prompt", '.score[data-side="0"]')
    )
    points = next(one["points"] for one in player.pegged if one["side"] == 0)
    expect(score).to_have_attribute("data-score", "0")
    # The tap is one hole too far, two keys later the peg is one hole short, and one key later it is right.
    page.mouse.click(*_hole(player, points + 1))
    expect(prompt).to_have_text(TOO_FAR.format(hole=points + 1))
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    peg.click()
    expect(prompt).to_have_text(SHORT.format(hole=points - 1))
    page.keyboard.press("ArrowRight")
    peg.click()
    expect(score).to_have_attribute("data-score", str(points))
    expect(page.locator('.peg[data-side="0"][data-peg="front"]')).to_have_attribute("data-hole", str(points))


def test_the_settings_say_that_pegs_move_by_themselves_with_a_time_limit(visit: Visit) -> None:
    player = visit("ja", phone=True)
    limited = {"counting": "claimed", "muggins": "missed"}
    for chosen in ({}, limited):
        player.sit_down(variant="six-card", level_1="random", **chosen)
        player.page.wait_for_selector('#table:not([data-phase="connecting"])')
        player.page.keyboard.press("s")
        expect(player.page.locator("#pegs-note")).to_be_visible(visible=bool(chosen))
