"""The rules' own example of the play on the hand checker's page: the same as written there, step by step."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from fifteentwo.i18n import languages, text
from fifteentwo.rules.cards import cards
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.server import play_example
from tests.pages.conftest import PHONE, Opened
from tests.server.live import Live, plain

BY_LANG = pytest.mark.parametrize("lang", languages())
LINES = (Path(__file__).parents[1] / "rules" / "examples.jsonl").read_text("utf-8").splitlines()
WRITTEN: dict[str, Any] = next(line for line in map(json.loads, LINES) if line["id"] == "000-P1")
STEPS = WRITTEN["steps"]


@BY_LANG
def test_every_step_is_as_written(lang: str) -> None:
    shown = plain(play_example.example(lang))
    assert shown["hands"] == WRITTEN["hands"]
    assert len(shown["steps"]) == len(STEPS)
    for step, (seat, what, *rest) in zip(shown["steps"], STEPS, strict=True):
        assert (step["seat"], step["step"]) == (seat, what)
        assert step["points"] == (rest[-1] if rest else 0)
        assert bool(step["rules"]) == bool(step["points"]) == bool(step["lit"])
        if len(rest) == 2:
            assert step["count"] == rest[0]
        assert len(step["told"]) == 1 + (len(rest) == 2 and step["points"] > 0)
        assert all(step["told"])
    assert shown["steps"][-1]["front"] == WRITTEN["totals"]


def test_the_cards_of_a_count_lie_with_their_owners_until_it_ends() -> None:
    lying: list[list[Any]] = []
    for step, (seat, what, *rest) in zip(plain(play_example.example("en"))["steps"], STEPS, strict=True):
        if len(rest) == 2:
            lying = [*lying, [seat, what]]
        assert step["laid"] == lying
        if what == play_example.LAST:
            lying = []


@pytest.mark.parametrize(
    ("laid", "code"),
    [
        ("9C 7C 8S 6S 7H 6H 5C 6D", "card-not-held"),
        ("7C 9C 8S 6S 6H 7H 5C 6D", "card-not-held"),
        ("7C 6H 7H 6S 8S 9C 5C 6D", "count-past-31"),
    ],
)
def test_the_rules_play_it(monkeypatch: pytest.MonkeyPatch, laid: str, code: str) -> None:
    """In another order the turns, the goes or the counts would be others, and the rules refuse it."""
    monkeypatch.setattr(play_example, "LAID", cards(laid))
    with pytest.raises(IllegalAction) as refused:
        play_example.example("en")
    assert refused.value.code == code


@pytest.mark.browser
@BY_LANG
def test_the_play_is_stepped_through(live: Live, opened: Opened, lang: str) -> None:
    page = opened(f"{live.http}/check?lang={lang}", lang=lang, size=PHONE)
    play = page.locator("#play")
    expect(play.locator('[data-play="back"]')).to_be_disabled()
    for number, (_, what, *rest) in enumerate(STEPS):
        play.locator('[data-play="next"]').click()
        expect(play.locator("[aria-current=step]")).to_have_count(1)
        expect(play.locator("#play-steps > li").nth(number)).to_have_attribute("aria-current", "step")
        if len(rest) == 2:
            expect(play.locator("#play-count")).to_have_text(str(rest[0]))
            expect(play.locator(f'#play-laid [data-shown="{what}"]')).to_be_visible()
            expect(play.locator(f'.play-hand [data-shown="{what}"]')).to_have_count(0)
    expect(play.locator('[data-play="next"]')).to_be_disabled()
    scores = [play.locator(f"#play-score-{seat}").inner_text() for seat in (0, 1)]
    assert [int(score) for score in scores] == WRITTEN["totals"]
    play.locator('[data-play="first"]').click()
    expect(play.locator("#play-told")).to_have_text(text("check.play-begin", lang))
