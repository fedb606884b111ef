"""Help at the table: hints with reasons, and explanations of terms."""

import pytest
from playwright.sync_api import Page, expect

from fifteentwo import i18n
from fifteentwo.i18n.reading import terms_at_table
from tests.support.accessible import clean
from tests.support.playing import Visit

BY_LANG = pytest.mark.parametrize(
    ("lang", "phone"), [("en", False), pytest.param("ja", True, marks=pytest.mark.slow)]
)

# The middle of a word's first letter in a part of the page.
_WORD = """([selector, word]) => {
  for (const part of document.querySelectorAll(selector)) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent.toLowerCase().indexOf(word.toLowerCase());
      if (at < 0 || !node.parentElement.checkVisibility({ visibilityProperty: true })) continue;
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const { left, top, width, height } = range.getBoundingClientRect();
      if (width) return [left + width / 2, top + height / 2];
    }
  }
  return null;
}"""


def tap_word(page: Page, selector: str, word: str) -> None:
    place = page.wait_for_function(_WORD, arg=[selector, word]).json_value()
    page.mouse.click(*place)


def _hinted(page: Page) -> list[str]:
    found: list[str] = page.locator("#hand .is-hinted").evaluate_all(
        "(all) => all.map((one) => one.dataset.card)"
    )
    return found


@pytest.mark.journey
@BY_LANG
def test_a_hint_is_shown_until_its_card_is_played(visit: Visit, lang: str, phone: bool) -> None:
    """The hint for the discard is requested by key and closed by Escape, the hint for pegging by button."""
    player = visit(lang, phone=phone, reduced_motion="reduce")
    page = player.page
    player.sit_down(variant="six-card", level_1="random")
    note = page.locator("#note")
    expect(note).to_have_attribute("role", "status")
    expect(page.locator("#hint")).to_be_visible()
    expect(page.locator("#hint")).to_be_disabled()
    for asked in player.play():
        if asked == "discard":
            expect(note).to_be_empty()
            page.keyboard.press("h")
            for step in ("idea", "answer"):
                expect(page.locator(".note-more")).to_have_text(i18n.text(f"table.hint_{step}", lang))
                assert _hinted(page) == []
                assert not any(sign in note.inner_text() for sign in "♠♥♦♣")
                page.keyboard.press("h")
            expect(note.locator(".note-lines p").first).to_contain_text(
                i18n.text("table.hint_value", lang, value="").strip()
            )
            advised = _hinted(page)
            assert len(advised) == 2
            for card in advised:
                expect(note).to_contain_text(i18n.card_text(card, lang))
            page.keyboard.press("Escape")
            expect(note).to_be_empty()
            assert _hinted(page) == []
        elif asked == "play" and page.locator("#hand button:not([aria-disabled])").count() > 1:
            page.click("#hint")
            page.wait_for_selector("#note p")
            # Cards that are practically equal have an answer at once.
            while page.locator(".note-more").count():
                page.click(".note-more")
            expect(note.locator(".note-lines")).to_have_count(1)
            (advised_card,) = _hinted(page)
            clean(player, "a hint")
            page.locator(f'#hand button[data-card="{advised_card}"]').click(position={"x": 8, "y": 40})
            expect(note).to_be_empty()
            break


_FADE = "parseFloat(getComputedStyle(document.querySelector('.note-foot'), '::before').height)"
"""The height over which the last line of a hint that can be scrolled fades out, in pixels."""


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_on_a_low_phone_a_hint_moves_no_card_is_closed_again_and_chooses_its_cards(
    visit: Visit, lang: str
) -> None:
    player = visit(lang, phone=True, viewport={"width": 360, "height": 640}, reduced_motion="reduce")
    page = player.page
    player.sit_down(variant="six-card", level_1="random")
    next(asked for asked in player.play() if asked == "discard")
    places = [page.locator("#hand button").first.bounding_box()]
    page.click("#hint")
    page.wait_for_selector("#note p")
    for opens in (".note-more", ".note-more", ".note-figures"):
        places.append(page.locator("#hand button").first.bounding_box())
        if page.locator(opens).count():
            page.click(opens)
    expect(page.locator(".note-lines p").first).to_be_in_viewport(ratio=1)
    places.append(page.locator("#hand button").first.bounding_box())
    assert all(place == places[0] for place in places)
    expect(page.locator("#board .peg").first).to_be_visible()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.wait_for_function(f"() => {_FADE} > 20")
    page.locator("#note").evaluate("(note) => note.scrollTo(0, note.scrollHeight)")
    page.wait_for_function(f"() => {_FADE} === 0")
    page.evaluate("document.documentElement.style.fontSize = ''")
    for closes in (".note-close", "#hint", "#seats"):
        page.click(closes)
        expect(page.locator("#note")).to_be_empty()
        page.click("#hint")
        page.wait_for_selector("#note p")
        while page.locator(".note-more").count():
            page.click(".note-more")
    advised = _hinted(page)
    page.click(".note-take")
    chosen = page.locator("#hand [aria-pressed=true]").evaluate_all(
        "(all) => all.map((one) => one.dataset.card)"
    )
    assert chosen == advised
    expect(page.locator('[data-action="discard"]')).to_be_enabled()


@BY_LANG
def test_terms_are_explained_at_the_table(visit: Visit, lang: str, phone: bool) -> None:
    """A tap on a word explains it; the key W opens a list of all terms."""
    terms = {term.id: term for term in terms_at_table(lang)}
    player = visit(lang, phone=phone, reduced_motion="reduce")
    page = player.page
    player.sit_down(variant="six-card", level_1="random")
    for asked in player.play():
        if asked == "play":
            break
    page.keyboard.press("Escape")
    page.wait_for_function("() => CSS.highlights.get('term')?.size > 2")
    tap_word(page, ".spot-name", terms["starter"].name)
    entry = page.get_by_role("dialog")
    expect(entry).to_be_visible()
    expect(entry).to_contain_text(terms["starter"].meaning)
    expect(entry.locator("a")).to_have_attribute("href", "/glossary#starter")
    clean(player, "a term")
    page.keyboard.press("Escape")
    expect(entry).to_have_count(0)
    page.keyboard.press("w")
    expect(page.locator("#terms")).to_be_visible()
    for term in ("starter", "crib", "count"):
        summary = page.locator("#terms summary", has_text=terms[term].name).first
        summary.focus()
        page.keyboard.press("Enter")
        expect(page.locator("#terms details[open]")).to_contain_text(terms[term].meaning)
    clean(player, "all terms")
    page.keyboard.press("Escape")
    expect(page.locator("#terms")).to_have_count(0)


@pytest.mark.slow
def test_no_hint_with_claimed_counting(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce")
    player.sit_down(variant="six-card", level_1="random", counting="claimed")
    player.page.wait_for_selector('#table:not([data-phase="connecting"])')
    expect(player.page.locator("#hint")).to_be_hidden()
    player.page.keyboard.press("h")
    expect(player.page.locator("#note")).to_be_empty()
