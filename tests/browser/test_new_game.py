"""The new-game page: only what goes together can be chosen, and one line says what was."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from fifteentwo.i18n import text
from tests.support.playing import Player

Visit = Callable[..., Player]


def _field(name: str, value: str) -> str:
    return f'[name="{name}"][value="{value}"]:not([type="hidden"])'


@pytest.mark.parametrize("lang", [pytest.param("en", marks=pytest.mark.long), "ja"])
def test_the_sentence_says_what_was_chosen(visit: Visit, lang: str) -> None:
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


def test_only_sensible_combinations_can_be_chosen(visit: Visit) -> None:
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


@pytest.mark.parametrize(
    ("preset", "rules"),
    [
        pytest.param(
            "document",
            {"variant": "six-card", "target": 121, "first_dealer": "low", "skunk": True},
            marks=pytest.mark.long,
        ),
        pytest.param("short", {"variant": "six-card", "target": 61}, marks=pytest.mark.long),
        ("old", {"variant": "five-card", "target": 61}),
        (
            "strict",
            {"counting": "claimed", "muggins": "missed-and-overclaims", "skunk": True},
        ),
    ],
)
def test_a_preset_makes_the_game_it_names(visit: Visit, preset: str, rules: dict[str, object]) -> None:
    player = visit("en")
    player.home()
    player.unfold()
    player.page.click(f'[data-preset="{preset}"]')
    expect(player.page.locator(f'[data-preset="{preset}"]')).to_have_attribute("aria-pressed", "true")
    player.page.click('[data-action="begin"]')
    player.page.wait_for_selector('#table:not([data-phase="connecting"])')
    assert rules.items() <= player.view["rules"].items()


def test_the_usual_choice_is_kept_and_games_are_listed(visit: Visit) -> None:
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


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        pytest.param("en", "Cribbage in ten minutes", marks=pytest.mark.long),
        ("ja", "10分ではじめるクリベッジ"),
    ],
)
def test_home_is_one_act_with_the_lessons_next_to_it_and_everything_else_folded(
    visit: Visit, lang: str, words: str
) -> None:
    """Who has not played yet: one button begins; the lessons are one step away; all choices are folded."""
    player = visit(lang)
    player.home()
    page = player.page
    assert page.locator(".button--primary:visible").count() == 1
    card = page.locator("#learn-card")
    expect(card).to_contain_text(words)
    expect(card).to_have_attribute("href", "/learn")
    expect(page.locator("#new-game")).to_be_hidden()
    page.get_by_role("link", name=text("home.choose", lang)).click()
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
    """What would be sent now, without names."""
    fields: dict[str, str] = player.page.evaluate(
        "Object.fromEntries(new FormData(document.getElementById('new-game')))"
    )
    return {name: value for name, value in fields.items() if not name.startswith(("name", "level"))}


def test_what_a_variant_forces_ends_with_it_and_what_was_chosen_stays(visit: Visit) -> None:
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


def test_the_61_of_five_cards_is_not_kept_for_the_next_visit(visit: Visit) -> None:
    player = visit("en")
    player.home()
    player.choose(variant="five-card")
    player.page.click('[data-action="begin"]')
    player.page.wait_for_selector('#table:not([data-phase="connecting"])')
    player.home()
    assert chosen(player)["variant"] == "five-card"
    player.choose(variant="three-handed")
    assert chosen(player)["target"] == "121"


@pytest.mark.parametrize(
    ("preset", "named"),
    [
        ("document", {"target": "121", "skunk": "yes"}),
        ("short", {"target": "61"}),
        ("old", {"variant": "five-card", "target": "61", "board": "A"}),
        ("strict", {"counting": "claimed", "muggins": "missed-and-overclaims", "skunk": "yes"}),
    ],
)
def test_a_preset_changes_only_what_it_names(visit: Visit, preset: str, named: dict[str, str]) -> None:
    player = visit("en")
    player.home()
    player.choose(first_dealer="high", cut_before_deal="no", starter="top", length="to-3", next_dealer="draw")
    before = chosen(player)
    player.page.click(f'[data-preset="{preset}"]')
    expect(player.page.locator(f'[data-preset="{preset}"]')).to_have_attribute("aria-pressed", "true")
    # Where muggins can be called, there is a time for it.
    assert chosen(player) == before | named | ({"challenge_seconds": "10"} if preset == "strict" else {})


def test_a_full_game_is_not_played_with_five_cards(visit: Visit) -> None:
    player = visit("en")
    player.home()
    player.unfold()
    for preset in ("old", "document"):
        player.page.click(f'[data-preset="{preset}"]')
        expect(player.page.locator(f'[data-preset="{preset}"]')).to_have_attribute("aria-pressed", "true")
    assert {"variant": "six-card", "target": "121"}.items() <= chosen(player).items()


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_is_greyed_says_why(visit: Visit, lang: str) -> None:
    player = visit(lang)
    player.home()
    why = player.page.locator("[data-why]:visible")
    player.unfold()
    keys: tuple[str, ...] = ("partners_by_draw", "double_skunk", "muggins")
    assert why.all_inner_texts() == [text(f"home.why.{key}", lang) for key in keys]
    player.choose(variant="five-card", length="nine")
    keys = ("target", "partners_by_draw", "skunk", "double_skunk_nine", "muggins")
    assert why.all_inner_texts() == [text(f"home.why.{key}", lang) for key in keys]
    player.choose(variant="partners", length="open", skunk="yes", counting="claimed", muggins="missed")
    assert why.all_inner_texts() == []
    player.choose(variant="four-handed", first_dealer="named", muggins="off")
    keys = ("partners_by_draw", "challenge_seconds", "board")
    assert why.all_inner_texts() == [text(f"home.why.{key}", lang) for key in keys]
    described = player.page.locator('fieldset:has([name="board"])').get_attribute("aria-describedby")
    assert player.page.locator(f"#{described}").inner_text() == text("home.why.board", lang)
