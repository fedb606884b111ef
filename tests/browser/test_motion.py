"""How cards move and keep their sizes, and which parts of the table do not move."""

from typing import Any

from playwright.sync_api import Page

from tests.support.playing import Visit

QUICK = {"variant": "six-card", "level_1": "random"}

# Every card that flies: where it flies to, how wide it begins, and how wide it is.
_FLIGHTS = """window.flights = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, ...more) {
  const scale = /scale\\(([\\d.]+)\\)/.exec(frames[0]?.transform ?? "")?.[1];
  if (scale && this.matches(".card, li")) {
    const { width } = this.getBoundingClientRect();
    const to = this.closest("[data-crib]") ? "crib" : this.closest(".played-cards") ? "pile" : "hand";
    window.flights.push({ to, begins: width * scale, width });
  }
  return animate.call(this, frames, ...more);
};"""

_LINE = """() => {
  const middle = (selector) => {
    const node = document.querySelector(selector);
    if (!node) return null;
    const { left, top, width, height } = node.getBoundingClientRect();
    return [left + width / 2, top + height / 2].map(Math.round);
  };
  return {
    starter: middle(".spot--starter > :first-child"),
    count: middle(".count-box .ring"),
    pile: middle(".played-cards :is(.card, .card-place)"),
    crib: middle("[data-crib] > :last-child"),
  };
}"""

# The page itself measures, because on a busy machine the drawn card may be gone before a test asks for it.
_LEFT_AFTER_A_DRAW = """() => {
  window.left = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("no card was drawn")), 30_000);
    new MutationObserver(() => {
      if (!document.querySelector(".own-draw > .card")) return;
      const cards = [...document.querySelectorAll(".spread-card:not(.is-taken) > .card")];
      resolve(cards.map((card) => card.getBoundingClientRect().width));
    }).observe(document.body, { childList: true, subtree: true });
  });
}"""


def _widths(page: Page, selector: str) -> list[float]:
    found: list[float] = page.locator(selector).evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().width)"
    )
    return found


def test_the_cards_left_after_a_draw_keep_their_size(visit: Visit) -> None:
    player = visit("en", phone=True)
    page = player.page
    player.sit_down(speed="slow", **QUICK)
    assert player.wait() == "draw"
    before = _widths(page, "[data-action=draw]")
    page.evaluate(_LEFT_AFTER_A_DRAW)
    player.click("draw")
    after = page.evaluate("window.left")
    assert len(after) == 50
    assert min(before) >= 24
    assert max(abs(width - before[0]) for width in (*before, *after)) < 1


def test_a_discarded_card_flies_at_the_size_of_one_card(visit: Visit) -> None:
    player = visit("en")
    page = player.page
    page.add_init_script(_FLIGHTS)
    player.sit_down(speed="fast", **QUICK)
    for asked in player.play():
        if asked == "discard":
            break
    page.evaluate("window.flights.length = 0")
    own = _widths(page, "#hand .card")[0]
    other = _widths(page, ".held .card")[0]
    player.click("discard")
    player.wait()
    flights: list[dict[str, Any]] = [one for one in page.evaluate("window.flights") if one["to"] == "crib"]
    # Two cards per player are discarded; the computer may have discarded before its cards were drawn.
    assert len(flights) in (2, 4)
    for flight in flights:
        assert min(abs(flight["begins"] - size) for size in (own, other)) < 1, flights
    assert sum(abs(flight["begins"] - own) < 1 for flight in flights) == 2


def test_starter_count_pile_and_crib_stay_on_one_line(visit: Visit) -> None:
    for phone in (False, True):
        player = visit("ja", phone=phone, reduced_motion="reduce")
        player.sit_down(**QUICK)
        stood: dict[str, set[tuple[int, int]]] = {}
        for asked in player.play():
            if asked == "continue":
                break
            if asked not in ("discard", "cut", "play"):
                continue
            line = player.page.evaluate(_LINE)
            now = {
                part: tuple(at)
                for part, at in line.items()
                if at and not (part == "starter" and asked == "cut")
            }
            # The crib grows to the right, so only its height is compared.
            for part, at in now.items():
                stood.setdefault(part, set()).add((0, at[1]) if part == "crib" else at)
            if asked == "play":
                assert {"starter", "count", "pile", "crib"} <= set(now)
                heights = [at[1] for at in now.values()]
                assert max(heights) - min(heights) <= 3, now
        assert {part: places for part, places in stood.items() if len(places) > 1} == {}


def test_a_press_on_the_deck_cuts_it_and_does_not_move_it(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce")
    page = player.page
    where = """() => {
      const { left, bottom } = document.querySelector("[data-stock]").getBoundingClientRect();
      return [left, bottom].map(Math.round);
    }"""
    # The player before the dealer cuts the deck in the first deal; later, one button cuts and deals. Pone
    # cuts the 40 cards left for the starter.
    cut: set[str] = set()

    def by_hand(asked: str) -> None:
        if asked != "cut":
            player.click(asked)
            return
        cut.add(player.view["phase"])
        lies = page.evaluate(where)
        page.locator('[data-action="cut-deck"]').click()
        page.wait_for_selector('[data-action="cut-deck"]', state="detached")
        assert page.evaluate(where) == lies

    player.sit_down(**QUICK)
    for _ in player.play(by_hand):
        if "cut-stock" in cut:
            break
    assert "cut-stock" in cut
