"""The seal at the table, its proof, and the page that checks records and shuffles decks."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from fifteentwo.i18n import text
from fifteentwo.rules.actions import Cut
from fifteentwo.rules.record import write
from fifteentwo.server.live import seeding, tables, wire
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.table_log import dealing, proposals
from fifteentwo.server.table_log.game_dealing import Stage
from fifteentwo.server.table_log.ledger import Ledger
from tests.dealing.crooked import tampered
from tests.dealing.games import played
from tests.support.playing import Visit
from tests.support.two_browsers import spectate

CHECKED = "1 deal checked"


@pytest.mark.journey
def test_the_seal_shows_what_was_checked_and_opens_the_proof_by_keyboard(visit: Visit) -> None:
    player = visit("en")
    player.sit_down(variant="five-card")
    page = player.page
    seal, proof = page.locator("#seal"), page.locator("#proof")
    while player.view.get("deal", 0) < 2:
        player.click(player.wait())
    expect(seal).to_have_attribute("data-state", "whole")
    expect(seal).to_contain_text(CHECKED)
    box = seal.bounding_box()
    assert box is not None
    assert box["height"] >= 24
    assert box["width"] >= 24
    seal.focus()
    page.keyboard.press("Enter")
    expect(proof).to_be_visible()
    expect(proof.locator(".proof-state")).to_contain_text(CHECKED)
    assert len(proof.locator(".proof-promises code").all()) == 2
    assert re.search("--expected [0-9a-f]{64}", proof.inner_text())
    summary = proof.locator(".proof-deals summary").first
    summary.focus()
    page.keyboard.press("Enter")
    expect(proof.locator(".proof-deals li li").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(proof).to_be_hidden()
    assert player.complaints == []


def test_a_record_is_checked_in_the_browser_and_the_wrong_deal_is_named(visit: Visit, tmp_path: Path) -> None:
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
    assert asked == [], "the record was sent to a server"
    assert player.complaints == []


def test_decks_are_shuffled_in_a_worker_and_it_can_be_stopped(visit: Visit) -> None:
    player = visit(lang="ja")
    page = player.page
    page.goto("/dealing?lang=ja")
    page.click("#tally-begin")
    page.wait_for_function("() => document.getElementById('tally-progress').value >= 5000", polling=100)
    page.click("#tally-begin")
    expect(page.locator("#tally-begin")).to_have_text("100万組を切る")
    assert player.complaints == []


# ── A server that cheats ─────────────────────────────────────────────────────────────────────────────────

of_game = seeding.public_dealing


def with_links(now: Ledger, number: int) -> wire.Dealing:
    """Return the state of the dealing with only the first `number` links."""
    state = of_game(now)
    return msgspec.structs.replace(state, links=state.links[:number], deals=state.deals[:number])


def withheld(now: Ledger) -> wire.Dealing:
    return with_links(now, 1)


def late(now: Ledger) -> wire.Dealing:
    """Send each link only with the next deal's link."""
    return with_links(now, max(1, len(of_game(now).links) - 1))


def forged(now: Ledger) -> wire.Dealing:
    state = of_game(now)
    links = (*state.links[:1], *["ab" * 32 for _ in state.links[1:]])
    return msgspec.structs.replace(state, links=links)


def cut_elsewhere(state: Any, decks: Any, action: Any) -> Any:
    """Enter the person's cut at another place than the seeds determine."""
    due = dealing.seeded_action(state, decks, action)
    if not isinstance(due, Cut) or state.seating[due.seat] != decks.draw_order[-1]:
        return due
    return Cut(due.seat, due.at + (1 if due.at < 20 else -1))


MISSING = {
    "en": "Deal 1: the server withheld the key that opens it",
    "ja": "第1ディール：サーバーが鍵を開きませんでした",
}


@pytest.mark.parametrize(
    ("lang", "lie", "words"),
    [
        ("ja", withheld, MISSING["ja"]),
        ("en", late, MISSING["en"]),
        ("en", forged, "Deal 1: the server’s key is not the one it promised"),
    ],
)
def test_the_seal_is_red_after_a_deal_whose_link_is_withheld_late_or_forged(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, lang: str, lie: Callable[..., Any], words: str
) -> None:
    monkeypatch.setattr(seeding, "public_dealing", lie)
    player = visit(lang=lang)
    player.sit_down(variant="five-card")
    seal = player.page.locator("#seal")
    while player.view.get("deal", 0) < 1:
        player.click(player.wait())
    expect(seal).to_have_attribute("data-state", "whole")
    while (asked := player.wait()) and player.view["deal"] == 1 and player.view["phase"] != "cut":
        player.click(asked)
    expect(seal).to_have_attribute("data-state", "wrong")
    expect(seal).to_contain_text(words)


@pytest.mark.usefixtures("soon")
def test_spectators_see_that_a_link_was_withheld(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeding, "public_dealing", withheld)
    player, other = visit(lang="en"), visit(lang="en")
    player.sit_down(variant="five-card", spectators="yes")
    spectate(other.page, player.page.url.split("/game/")[1].split("?")[0], player)
    while player.view.get("deal", 0) < 2:
        player.click(player.wait())
    dealt = other.page.locator("#dealing")
    expect(dealt).to_have_attribute("data-state", "missing")
    expect(dealt).to_contain_text("withheld the key of a deal that is over")


def test_the_seal_is_red_after_a_deal_with_a_wrong_cut(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposals, "seeded_action", cut_elsewhere)
    player = visit(lang="en")
    player.sit_down(variant="five-card")
    seal = player.page.locator("#seal")
    while (asked := player.wait()) != "cut":
        player.click(asked)
    # The player who cuts for the starter has cut the deck too.
    deal = player.view["deal"] + (player.view["phase"] == "cut")
    player.click(asked)
    while (asked := player.wait()) and (player.view["deal"] == deal and player.view["phase"] != "cut"):
        player.click(asked)
    expect(seal).to_have_attribute("data-state", "wrong")
    expect(seal).to_contain_text(f"Deal {deal}: the cut is not where it had to be")


@pytest.mark.parametrize(
    ("put_in_by", "state", "words"),
    [((1,), "wrong", "shows other promises"), ((0, 1), "none", "contributed no number of its own")],
)
def test_a_page_whose_seed_was_replaced_is_not_sealed(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, put_in_by: tuple[int, ...], state: str, words: str
) -> None:
    """The server enters every seed itself, so it can choose the cards; all messages agree."""
    seeds = [bytes([number]) * 32 for number in range(2)]

    async def came(self: seeding.Seeding, table: LiveTable, _: object) -> None:
        now = table.ledger.seeds
        if now is not None and now.stage is Stage.COMMITTING:
            for person in put_in_by:
                # An honest server commits for no seat without an owner.
                promised = dealing.commitment_to(seeds[person])
                await table.add_row(partial(proposals.commit, table.ledger, person, promised))
            for person in put_in_by:
                await self.reveal(table, person, seeds[person].hex())

    monkeypatch.setattr(tables, "human_persons", lambda _: put_in_by)
    monkeypatch.setattr(seeding.Seeding, "commit_before_joining", came)
    player = visit(lang="en")
    player.sit_down(variant="five-card")
    seal = player.page.locator("#seal")
    expect(seal).to_have_attribute("data-state", state)
    expect(seal).to_contain_text(words)


def test_a_game_whose_dealer_is_named_before_the_reveal_is_sealed(visit: Visit) -> None:
    player = visit(lang="en")
    player.sit_down(variant="five-card", first_dealer="named")
    seal = player.page.locator("#seal")
    assert player.wait() == "name-dealer"
    expect(seal).to_have_attribute("data-state", "waiting")
    expect(seal).to_contain_text("A dealer is named first")
    while player.view.get("deal", 0) < 2:
        player.click(player.wait())
    expect(seal).to_have_attribute("data-state", "whole")
    expect(seal).to_contain_text(CHECKED)


def test_the_seal_is_red_if_a_server_sends_nothing_about_the_dealing(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeding.Seeding, "on_page_joined", lambda *_: None)
    player = visit(lang="en")
    player.sit_down(variant="five-card")
    seal = player.page.locator("#seal")
    expect(seal).to_have_attribute("data-state", "wrong")
    expect(seal).to_contain_text("gives no proof of how the cards of this table are dealt")


def test_the_page_says_that_a_press_chooses_no_card(visit: Visit) -> None:
    player = visit("ja")
    player.sit_down()
    assert player.wait() == "draw"
    expect(player.page.locator(".own-draw")).to_contain_text(text("draw.any", "ja"))
    player.page.click("#seal")
    expect(player.page.locator("#proof")).to_contain_text(
        "どれを押しても、引くカードは全員の秘密の数で決まります"
    )


def test_the_pressed_card_leaves_the_spread_deck(visit: Visit) -> None:
    player = visit("en")
    player.sit_down(speed="slow")
    assert player.wait() == "draw"
    at = player.page.locator('[data-action="draw"]').nth(20).get_attribute("data-at")
    place = player.page.locator(".spread-card").nth(int(at or 0))
    place.locator("button").click(force=True, position={"x": 4, "y": 12})
    expect(player.page.locator(".own-draw svg")).to_have_count(1)
    expect(place).to_have_class(re.compile("is-taken"))
    assert player.page.locator(".spread-card.is-taken").count() <= 2
