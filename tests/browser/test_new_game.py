"""The form for a new game: valid combinations, presets, and the sentence that describes the choice."""

import pytest
from playwright.sync_api import expect

from fifteentwo.i18n import text
from tests.support.playing import Player, Visit


def _field(name: str, value: str) -> str:
    return f'[name="{name}"][value="{value}"]:not([type="hidden"])'


@pytest.mark.journey
@pytest.mark.parametrize("lang", [pytest.param("en", marks=pytest.mark.long), "ja"])
def test_the_sentence_describes_the_choice(visit: Visit, lang: str) -> None:
    player = visit(lang)
    player.home()
    sentence = player.page.locator("#sentence")
    sentences = set()
    for chosen in (
        {},
        {"target": "61"},
        {"first_dealer": "high"},
        {"cut_before_deal": "no"},
        {"starter": "top"},
        {"skunk": "yes"},
        {"counting": "claimed"},
        {"muggins": "missed"},
        {"length": "to-5"},
        {"length": "nine"},
        {"length": "open"},
        {"variant": "partners"},
        {"partners_by_draw": "yes"},
        {"variant": "five-card"},
    ):
        player.choose(**chosen)
        words = sentence.inner_text()
        sentences.add(words)
        assert "{" not in words
        assert "home." not in words
    assert len(sentences) == 13
    words = "".join(sentences)
    assert ("クリベッジ" in words) == (lang == "ja")
    assert ("cribbage" in words) == (lang == "en")


def test_only_valid_combinations_can_be_chosen(visit: Visit) -> None:
    player = visit("en")
    player.home()
    page = player.page
    for name, value in (("double_skunk", "yes"), ("muggins", "missed"), ("partners_by_draw", "yes")):
        expect(page.locator(_field(name, value))).to_be_disabled()
    player.choose(skunk="yes", counting="claimed", variant="partners")
    for name, value in (("double_skunk", "yes"), ("muggins", "missed"), ("partners_by_draw", "yes")):
        expect(page.locator(_field(name, value))).to_be_enabled()
    player.choose(skunk="no", length="nine")
    expect(page.locator(_field("skunk", "yes"))).to_be_checked()
    player.choose(target="61")
    expect(page.locator(_field("double_skunk", "yes"))).to_be_disabled()
    player.choose(first_dealer="named")
    expect(page.locator(_field("partners_by_draw", "yes"))).to_be_disabled()
    player.choose(variant="four-handed")
    expect(page.locator(_field("board", "B"))).to_be_disabled()
    player.choose(variant="five-card")
    expect(page.locator(_field("target", "121"))).to_be_disabled()
    expect(page.locator(_field("target", "61"))).to_be_checked()


def test_a_preset_makes_the_game_it_names(visit: Visit) -> None:
    player = visit("en")
    player.home()
    player.unfold()
    player.page.click('[data-preset="strict"]')
    player.page.click('[data-action="begin"]')
    player.page.wait_for_selector('#table:not([data-phase="connecting"])')
    strict = {"counting": "claimed", "muggins": "missed-and-overclaims", "skunk": True}
    assert strict.items() <= player.view["rules"].items()


def test_the_last_choice_is_kept_and_the_open_game_is_shown(visit: Visit) -> None:
    player = visit("en")
    player.home()
    player.choose(variant="three-handed", target="61", skunk="yes", name="Mia", level_1="random")
    player.page.click('[data-action="begin"]')
    player.page.wait_for_selector('#table:not([data-phase="connecting"])')
    player.home()
    expect(player.page.locator('[name="variant"][value="three-handed"]')).to_be_checked()
    expect(player.page.locator(_field("skunk", "yes"))).to_be_checked()
    expect(player.page.locator('[name="name"]')).to_have_value("Mia")
    hero = player.page.locator("#hero")
    expect(hero).to_contain_text("Mia")
    expect(hero.locator(".board .peg[data-peg=front]")).to_have_count(3)
    expect(player.page.locator("#learn-card")).to_be_visible()
    game = player.page.url
    hero.locator('[data-action="go-on"]').click()
    player.page.wait_for_selector("#table")
    assert player.page.url != game


def test_for_a_new_player_home_has_one_button_and_the_lessons_and_the_form_is_folded(visit: Visit) -> None:
    lang = "ja"
    player = visit(lang)
    player.home()
    page = player.page
    expect(page.locator(".button--primary:visible")).to_have_count(1)
    card = page.locator("#learn-card")
    expect(card).to_contain_text("10分ではじめるクリベッジ")
    expect(card).to_have_attribute("href", "/learn")
    expect(page.locator("#new-game")).to_be_hidden()
    page.get_by_role("link", name=text("home.another", lang)).click()
    expect(page.locator("#new-game")).to_be_visible()
    for level in ("beginner", "master"):
        page.locator('[name="level_1"]').select_option(level)
        note = text(f"level.note.{level}", lang)
        expect(page.locator('[data-strength="1"]')).to_have_text(note)
        expect(page.locator("#against")).to_contain_text(note)
    page.locator('[data-action="quick"]').click()
    page.wait_for_selector('#table:not([data-phase="connecting"])')
    assert player.view["rules"]["variant"] == "six-card"


def test_a_new_game_can_be_made_without_script(visit: Visit) -> None:
    player = visit("en", java_script_enabled=False)
    player.page.goto("/?lang=en")
    player.page.locator("#another > summary").click()
    player.page.locator("#agreed > summary").click()
    player.page.locator('label:has([name="target"][value="61"])').click()
    player.page.click('[data-action="begin"]')
    player.page.wait_for_url("**/game/**")
    expect(player.page.locator("noscript")).to_have_count(1)


def chosen(player: Player) -> dict[str, str]:
    """Return the form's fields without names and levels."""
    fields: dict[str, str] = player.page.evaluate(
        "Object.fromEntries(new FormData(document.getElementById('new-game')))"
    )
    return {name: value for name, value in fields.items() if not name.startswith(("name", "level"))}


def test_a_choice_that_a_variant_overrides_returns_with_another_variant(visit: Visit) -> None:
    player = visit("en")
    player.home()
    player.choose(variant="five-card")
    assert chosen(player)["target"] == "61"
    player.choose(variant="three-handed")
    assert chosen(player)["target"] == "121"
    player.choose(target="61", variant="partners", partners_by_draw="yes", board="B")
    player.choose(variant="four-handed")
    assert {"target": "61", "partners_by_draw": "no", "board": "A"}.items() <= chosen(player).items()
    player.choose(variant="partners")
    assert {"target": "61", "partners_by_draw": "yes", "board": "B"}.items() <= chosen(player).items()
    player.choose(target="121", skunk="yes", double_skunk="yes", length="nine")
    assert {"skunk": "yes", "double_skunk": "no"}.items() <= chosen(player).items()
    player.page.locator('label:has([name="skunk"][value="yes"])').click(force=True)
    assert chosen(player)["skunk"] == "yes"
    player.choose(length="open")
    assert {"skunk": "yes", "double_skunk": "yes"}.items() <= chosen(player).items()


def test_the_target_of_five_card_is_not_kept_for_other_variants(visit: Visit) -> None:
    player = visit("en")
    player.home()
    player.choose(variant="five-card")
    player.page.click('[data-action="begin"]')
    player.page.wait_for_selector('#table:not([data-phase="connecting"])')
    player.home()
    assert chosen(player)["variant"] == "five-card"
    player.choose(variant="three-handed")
    assert chosen(player)["target"] == "121"


def test_a_preset_changes_only_what_it_names(visit: Visit, subtests: pytest.Subtests) -> None:
    presets = {
        "document": {"target": "121", "skunk": "yes"},
        "short": {"target": "61"},
        "old": {"variant": "five-card", "target": "61", "board": "A"},
        # If muggins can be called, there is a time limit for it.
        "strict": {
            "counting": "claimed",
            "muggins": "missed-and-overclaims",
            "skunk": "yes",
            "challenge_seconds": "10",
        },
    }
    player = visit("en")
    for preset, named in presets.items():
        with subtests.test(preset=preset):
            player.home()
            player.choose(
                first_dealer="high", cut_before_deal="no", starter="top", length="to-3", next_dealer="draw"
            )
            before = chosen(player)
            player.page.click(f'[data-preset="{preset}"]')
            pressed = player.page.locator(f'[data-preset="{preset}"]')
            expect(pressed).to_have_attribute("aria-pressed", "true")
            assert chosen(player) == before | named
            expect(player.page.locator('[data-preset][aria-pressed="true"]')).to_have_count(1)
            sentence = player.page.locator("#sentence").inner_text()
            expect(player.page.locator("#against")).to_have_text(sentence)


def test_the_full_game_preset_leaves_five_card(visit: Visit) -> None:
    player = visit("en")
    player.home()
    player.unfold()
    for preset in ("old", "document"):
        player.page.click(f'[data-preset="{preset}"]')
        expect(player.page.locator(f'[data-preset="{preset}"]')).to_have_attribute("aria-pressed", "true")
    assert {"variant": "six-card", "target": "121"}.items() <= chosen(player).items()


def test_disabled_choices_have_reasons(visit: Visit) -> None:
    lang = "ja"
    player = visit(lang)
    player.home()
    why = player.page.locator("[data-why]:visible")
    player.unfold()
    keys: tuple[str, ...] = ("partners_by_draw", "double_skunk", "muggins")
    expect(why).to_have_text([text(f"home.why.{key}", lang) for key in keys])
    player.choose(variant="five-card", length="nine")
    keys = ("target", "partners_by_draw", "skunk", "double_skunk_nine", "muggins")
    expect(why).to_have_text([text(f"home.why.{key}", lang) for key in keys])
    player.choose(variant="partners", length="open", skunk="yes", counting="claimed", muggins="missed")
    expect(why).to_have_count(0)
    player.choose(variant="four-handed", first_dealer="named", muggins="off")
    keys = ("partners_by_draw", "challenge_seconds", "board")
    expect(why).to_have_text([text(f"home.why.{key}", lang) for key in keys])
    described = player.page.locator('fieldset:has([name="board"])').get_attribute("aria-describedby")
    assert player.page.locator(f"#{described}").inner_text() == text("home.why.board", lang)
