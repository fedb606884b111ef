"""The table by keyboard: few keys, and the focus always on the next action."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from fifteentwo import i18n, players
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.view import View
from tests.support.playing import PLAYABLE, Player, Visit

MAX_KEYS = 90
"""Keys for a whole game to 121 at the speed Instant, including the draw."""

# The stage and phase of each frame in which no element had the focus.
_FOCUS_LOG = """window.lost = [];
addEventListener("DOMContentLoaded", () => {
  const look = () => {
    const table = document.getElementById("table");
    const at = document.activeElement ?? document.body;
    if (table && table.dataset.phase !== "connecting" && at === document.body)
      window.lost.push(`${table.dataset.stage} ${table.dataset.phase}`);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
});"""


def _advised(player: Player) -> Callable[[str], None]:
    """Return a function that answers with keys as the level club chooses."""
    adviser = players.player("club", 1)

    def answer(asked: str) -> None:
        if asked not in ("discard", "play"):
            player.press(asked)
            return
        page = player.page
        shown = page.locator("#hand [data-card]").evaluate_all("(all) => all.map((one) => one.dataset.card)")
        # The page may be drawn a moment before the test has read the same message.
        for _ in range(600):
            if sorted(player.view["hand"]) == sorted(set(shown)):
                break
            page.wait_for_timeout(20)
        action = adviser.act(from_json(to_json(player.view).decode(), View))
        assert isinstance(action, Discard | Play)
        for card in action.cards if isinstance(action, Discard) else (action.card,):
            place = page.locator(f'#hand button[data-card="{card.text}"]').get_attribute("data-index")
            player.key(str(place))
        if isinstance(action, Discard):
            player.at('[data-action="discard"]:not(:disabled)')
            player.key("Enter")

    return answer


def test_a_whole_game_by_keyboard_alone_in_few_keys(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce")
    player.home()
    player.choose(variant="six-card", level_1="greedy")
    player.page.evaluate("localStorage.setItem('fifteentwo.settings', '{\"speed\": \"instant\"}')")
    player.page.locator('[data-action="begin"]').focus()
    player.page.keyboard.press("Enter")
    player.page.wait_for_selector("#table")
    for _ in player.play(_advised(player)):
        pass
    assert max(player.view["won"]["scores"]) == 121
    deals = player.asked.count("discard")
    print(f"{len(player.keys)} keys for {deals} deals")
    assert len(player.keys) <= MAX_KEYS, player.keys


@pytest.mark.parametrize(
    "chosen",
    [
        {"variant": "six-card"},
        pytest.param(
            {"variant": "partners", "counting": "claimed", "muggins": "missed", "challenge_seconds": "60"},
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_focus_is_never_lost_between_scenes(visit: Visit, chosen: dict[str, str]) -> None:
    """A deal is played at the speed Fast, and the focus is read in each frame."""
    player = visit("ja")
    player.page.add_init_script(_FOCUS_LOG)
    player.sit_down("fast", **chosen, level_1="random")
    for asked in player.play(player.press):
        if asked == "continue":
            player.at('[data-action="continue"]')
            break
    assert player.page.evaluate("window.lost") == []


def test_after_a_reload_the_focus_is_on_the_first_action(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce")
    player.sit_down(variant="six-card", level_1="random")
    where = {
        "draw": '[data-action="draw"][tabindex="0"]',
        "cut": '[data-action="cut"]',
        "discard": "#hand button",
        "play": f'{PLAYABLE}, [data-action="play"]',
    }
    met = set()
    for asked in player.play():
        if asked not in met and asked in where:
            met.add(asked)
            player.page.reload()
            assert player.wait() == asked
            player.at(where[asked])
        if met == set(where) or asked == "continue":
            break
    assert {"draw", "discard", "play"} <= met


@pytest.mark.journey
def test_two_cards_by_number_and_enter_discards_them(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce")
    page = player.page
    player.sit_down(variant="six-card", level_1="random")
    for asked in player.play(player.press):
        if asked == "discard":
            break
    player.at("#hand button")
    player.key("1")
    player.at("#hand button")
    player.key("3")
    player.at('[data-action="discard"]')
    # After a card is put back, the focus is on the cards.
    player.key("3")
    player.at("#hand button")
    player.key("4")
    player.at('[data-action="discard"]')
    chosen = {page.locator("#hand button").nth(place).get_attribute("data-card") for place in (0, 3)}
    player.key("Enter")
    expect(page.locator("#hand button")).to_have_count(4)
    left = page.locator("#hand button").evaluate_all("(all) => all.map((one) => one.dataset.card)")
    assert not chosen & set(left)


def test_with_one_card_left_enter_plays_it(visit: Visit) -> None:
    player = visit("ja", reduced_motion="reduce")
    player.sit_down(variant="six-card", level_1="random")
    for asked in player.play(player.press):
        if asked == "play" and player.page.locator(PLAYABLE).count() == 1:
            break
    player.at(f'[data-action="play"], {PLAYABLE}')
    held = player.page.locator("#hand button").count()
    card = str(player.page.locator(PLAYABLE).get_attribute("aria-label"))
    expect(player.page.locator('[data-action="play"]')).to_contain_text(card)
    player.key("Enter")
    fewer = "(held) => document.querySelectorAll('#hand button').length < held"
    player.page.wait_for_function(fewer, arg=held)


def test_a_key_held_down_plays_one_card(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce")
    page = player.page
    player.sit_down(variant="six-card", level_1="random")
    for asked in player.play(player.press):
        if asked == "play" and page.locator(PLAYABLE).count() > 1:
            break
    held = page.locator("#hand button").count()
    page.keyboard.down("Enter")
    for _ in range(6):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    player.wait()
    expect(page.locator("#hand button")).to_have_count(held - 1)


def test_a_key_and_a_button_read_the_table_aloud(visit: Visit) -> None:
    lang = "ja"
    player = visit(lang, reduced_motion="reduce")
    page = player.page
    player.sit_down(variant="six-card", level_1="random", name="Mia")
    for asked in player.play():
        if asked == "play":
            break

    def words(key: str, **values: object) -> str:
        return i18n.text(key, lang, **values)

    def card(text: str) -> str:
        return words("card.name", rank=words(f"card.rank.{text[0]}"), suit=words(f"card.suit.{text[1]}"))

    view, reading = player.view, page.locator("#reading")
    expect(reading).to_have_attribute("role", "status")
    expect(reading).to_be_empty()
    page.keyboard.press("r")
    sentences = [
        words("read.count", n=view["count"]),
        words("read.starter", card=card(view["starter"])),
        words("read.your_turn"),
    ]
    sentences += [card(held) for held in view["hand"]]
    sentences += [words("read.score", name="Mia", n=view["front"][0], rest=121 - view["front"][0]).strip()]
    opponent = words("home.opponent_name.1")
    crib = words("table.crib_of", name=opponent) if view["dealer"] else words("table.your_crib")
    sentences.append(words("read.crib", crib=crib, n=4))
    for sentence in sentences:
        expect(reading).to_contain_text(sentence)
    page.keyboard.press("Escape")
    expect(reading).to_be_empty()
    page.click('[data-action="read"]')
    expect(reading).to_contain_text(sentences[0])


def test_the_menu_of_a_phone_fits_and_is_reached_by_keys(visit: Visit) -> None:
    player = visit("en")
    page = player.page
    page.set_viewport_size({"width": 360, "height": 640})
    player.home()
    button = page.locator(".menu-button")
    button.focus()
    page.keyboard.press("Enter")
    menu = page.locator("#pages")
    expect(menu).to_be_visible()
    box = menu.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert box["y"] + box["height"] <= 640
    seen = []
    for _ in range(menu.locator("a").count()):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.getAttribute('href')"))
    assert seen == menu.locator("a").evaluate_all("links => links.map((one) => one.getAttribute('href'))")
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(button).to_be_focused()


# Send every key with a modifier to every element that can have the focus; return those that the page took.
_TAKEN = """() => {
  const taken = [];
  const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "Enter", " ",
    ..."0123456789", ..."abcdefghijklmnopqrstuvwxyz+-"];
  const places = [document.body, ...document.querySelectorAll("button, a, input, select, [tabindex]")];
  for (const place of places.slice(0, 60))
    for (const key of keys)
      for (const modifier of ["altKey", "ctrlKey", "metaKey"]) {
        const how = { key, [modifier]: true, bubbles: true, cancelable: true };
        const event = new KeyboardEvent("keydown", how);
        if (!place.dispatchEvent(event)) taken.push(`${modifier} ${key} on ${place.outerHTML.slice(0, 60)}`);
      }
  return taken;
}"""


def test_keys_with_alt_ctrl_or_meta_are_the_browsers(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce")
    page = player.page
    player.sit_down(variant="six-card", level_1="random")
    assert player.wait() == "draw"
    assert page.evaluate(_TAKEN) == []
    for asked in player.play():
        if asked == "play":
            break
    assert page.evaluate(_TAKEN) == []
    for path in (
        "check",
        "book",
        "import",
        "import/by-hand",
        "pad",
        "learn",
        "practice/count",
        "practice/sets/crib",
    ):
        page.goto(f"/{path}")
        page.wait_for_load_state("networkidle")
        assert page.evaluate(_TAKEN) == [], path
