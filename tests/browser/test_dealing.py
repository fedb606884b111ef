"""The seal at the table, its proof by keyboard, and the page that checks records and shuffles packs."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from fifteentwo.rules.record import write
from tests.browser.playing import Player
from tests.dealing.crooked import tampered
from tests.dealing.games import played

Visit = Callable[..., Player]
CHECKED = {"en": "1 deal checked", "ja": "1ディールを確かめました"}


@pytest.mark.parametrize(("lang", "place"), [("en", "wide"), ("ja", "phone")])
def test_the_seal_says_what_was_checked_and_opens_into_the_proof_by_keyboard(
    visit: Visit, lang: str, place: str
) -> None:
    player = visit(lang=lang, phone=place == "phone")
    player.sit_down(form="five-card")
    page = player.page
    seal, proof = page.locator("#seal"), page.locator("#proof")
    while player.view.get("deal", 0) < 2:
        player.click(player.wait())
    expect(seal).to_have_attribute("data-state", "whole")
    expect(seal).to_contain_text(CHECKED[lang])
    box = seal.bounding_box()
    assert box is not None
    assert box["height"] >= 24
    assert box["width"] >= 24
    seal.focus()
    page.keyboard.press("Enter")
    expect(proof).to_be_visible()
    expect(proof.locator(".proof-state")).to_contain_text(CHECKED[lang])
    assert len(proof.locator(".proof-promises code").all()) == 2
    assert re.search("--expected [0-9a-f]{64}", proof.inner_text())
    summary = proof.locator(".proof-deals summary").first
    summary.focus()
    page.keyboard.press("Enter")
    expect(proof.locator(".proof-deals li li").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(proof).to_be_hidden()
    assert player.complaints == []


def test_a_record_is_checked_where_it_lies_and_the_deal_that_does_not_fit_is_named(
    visit: Visit, tmp_path: Path
) -> None:
    player = visit(lang="en")
    page = player.page
    page.goto("/dealing?lang=en")
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    record = played(0)
    good.write_text(write(record), encoding="utf-8")
    text, deal = next(one for one in map(tampered, range(0, 800, 8)) if one)
    bad.write_text(text, encoding="utf-8")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_input_files("#file", good)
    expect(page.locator("#result")).to_contain_text("is as promised")
    page.fill("#expected", "0" * 64)
    page.locator("#expected").blur()
    expect(page.locator("#result .dealing-bad")).to_contain_text(record.commitment)
    page.fill("#expected", "")
    page.set_input_files("#file", bad)
    expect(page.locator("#result .dealing-bad")).to_contain_text(f"Deal {deal}:")
    assert asked == [], "a record is sent nowhere"
    assert player.complaints == []


def test_packs_are_shuffled_beside_the_page_and_it_can_be_stopped(visit: Visit) -> None:
    player = visit(lang="ja")
    page = player.page
    page.goto("/dealing?lang=ja")
    page.click("#tally-begin")
    page.wait_for_function("() => document.getElementById('tally-progress').value >= 5000", polling=100)
    page.click("#tally-begin")
    expect(page.locator("#tally-begin")).to_have_text("100万組を切る")
    assert player.complaints == []
