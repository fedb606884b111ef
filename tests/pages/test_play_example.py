"""The play of document 000 on the hand checker's page: the same as the document, step by step."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from fifteentwo.i18n import languages, text
from fifteentwo.server.pages_play import HANDS, steps
from tests.pages.conftest import PHONE, Opened
from tests.server.live import Live

BY_LANG = pytest.mark.parametrize("lang", languages())
LINES = (Path(__file__).parents[1] / "rules" / "examples.jsonl").read_text("utf-8").splitlines()
DOCUMENT: dict[str, Any] = next(line for line in map(json.loads, LINES) if line["id"] == "000-P1")


@BY_LANG
def test_every_step_is_the_documents(lang: str) -> None:
    assert [hand.split() for hand in HANDS] == DOCUMENT["hands"]
    shown = steps(lang)
    assert len(shown) == len(DOCUMENT["steps"])
    for step, (seat, what, *rest) in zip(shown, DOCUMENT["steps"], strict=True):
        assert (step["seat"], step["step"]) == (seat, what)
        assert step["points"] == (rest[-1] if rest else 0)
        if len(rest) == 2:
            assert step["count"] == rest[0]
        assert all(step["told"])
    assert shown[-1]["front"] == DOCUMENT["totals"]


@pytest.mark.browser
@BY_LANG
def test_the_play_is_stepped_through(live: Live, opened: Opened, lang: str) -> None:
    page = opened(f"{live.http}/check?lang={lang}", lang=lang, size=PHONE)
    play = page.locator("#play")
    expect(play.locator('[data-play="back"]')).to_be_disabled()
    for number, (_, what, *rest) in enumerate(DOCUMENT["steps"]):
        play.locator('[data-play="next"]').click()
        expect(play.locator("[aria-current=step]")).to_have_count(1)
        expect(play.locator("#play-steps > li").nth(number)).to_have_attribute("aria-current", "step")
        if len(rest) == 2:
            expect(play.locator("#play-count")).to_have_text(str(rest[0]))
            expect(play.locator(f'#play-laid [data-shown="{what}"]')).to_be_visible()
            expect(play.locator(f'.play-hand [data-shown="{what}"]')).to_have_count(0)
    expect(play.locator('[data-play="next"]')).to_be_disabled()
    scores = [play.locator(f"#play-score-{seat}").inner_text() for seat in (0, 1)]
    assert [int(score) for score in scores] == DOCUMENT["totals"]
    play.locator('[data-play="first"]').click()
    expect(play.locator("#play-told")).to_have_text(text("check.play-begin", lang))
