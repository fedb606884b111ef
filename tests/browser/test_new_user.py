"""Muggins in both directions, a win by a skunk, and the notices of a damaged table and a failing computer."""

import hashlib
import json
import re

import pytest
from playwright.sync_api import expect

from fifteentwo import i18n, players
from fifteentwo.players import expert
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.record import from_json
from fifteentwo.rules.show import points
from fifteentwo.rules.view import View
from fifteentwo.server.live import thinking
from fifteentwo.server.table_log import dealing
from fifteentwo.strategy.files import DamagedTable
from tests.support.playing import Player, Visit

PLAIN = {
    "variant": "six-card",
    "target": "61",
    "first_dealer": "named",
    "cut_before_deal": "no",
    "starter": "top",
}
STRICT = {"counting": "claimed", "muggins": "missed", "challenge_seconds": "none"}


def _deal(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Choose decks with which the situation under test occurs soon."""
    secret = hashlib.sha256(f"a new user {number}".encode()).digest()
    monkeypatch.setattr(dealing, "new_secret", lambda: secret)


def _sit_down(player: Player, dealer: int, **chosen: str) -> None:
    """Start a game and name its dealer."""
    player.sit_down(**{**PLAIN, **chosen})
    assert player.wait() == "name-dealer"
    player.page.click(f'[data-action="name-dealer"][data-seat="{dealer}"]')


def _makes(player: Player) -> int | None:
    """Return the points of the hand or crib on the page; None while pegging."""
    show = player.page.locator("#stage .show")
    if not show.count():
        return None
    *hand, starter = show.evaluate(
        "(show) => [...new Set([...show.querySelectorAll('[data-card]')].map((c) => c.dataset.card))]"
    )
    crib = show.get_attribute("data-show") == "crib"
    return points([Card(card) for card in hand], Card(starter), crib=crib)


def _score(player: Player, side: int, number: int) -> None:
    expect(player.page.locator(f'.score[data-side="{side}"]')).to_have_attribute("data-score", str(number))


def _words(player: Player, key: str, **values: object) -> str:
    return i18n.text(key, player.lang, **values)


def _noticed(player: Player, claimed: int, taker: str, number: int) -> None:
    """Check that the row of the miscounted hand shows the claim and who took the rest."""
    row = player.page.locator(".summary-row", has=player.page.locator(".badge")).last
    expect(row.get_by_text(_words(player, "claim.said", n=claimed), exact=True)).to_be_visible()
    expect(row.get_by_text(_words(player, "claim.taken", name=taker, n=number), exact=True)).to_be_visible()


def _explained(player: Player, name: str, claimed: int, right: int) -> None:
    """Check that the page explains the right count on request."""
    page = player.page
    page.click("#why")
    answer = _words(player, "claim.answer", name=name, claimed=claimed, right=right)
    expect(page.locator("#reason")).to_contain_text(answer)
    expect(page.locator("#reason .reason-list li").first).to_be_visible()
    page.keyboard.press("Escape")


def test_r94_muggins_is_taken_by_the_opponent_and_by_the_player(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    _deal(monkeypatch, 201)
    player = visit("ja", phone=True)
    page = player.page
    own, opponent = _words(player, "home.you"), _words(player, "home.opponent_name.1")
    _sit_down(player, 1, **STRICT, level_1="casual")
    mugged = False
    for _ in range(60):
        asked = player.wait()
        makes = _makes(player)
        if asked == "claim":
            before = player.scores()
            page.click('[data-action="claim"]')
            if makes:
                mugged = True
                _noticed(player, 0, opponent, makes)
                _score(player, 1, before[1] + makes)
                _score(player, 0, before[0])
                _explained(player, own, 0, makes)
        elif asked == "accept":
            claimed = int(re.findall(r"\d+", page.locator(".seat .bubble").inner_text())[0])
            if mugged and makes is not None and claimed < makes:
                break
            page.click('[data-action="accept"]')
        else:
            player.click(asked)
            player.answered(asked)
    else:
        pytest.fail("no player missed anything: other decks are needed")
    before = player.scores()
    page.click('[data-action="muggins"]')
    _noticed(player, claimed, own, makes - claimed)
    # The claimant scores the claim, the player who called muggins the rest.
    _score(player, 0, before[0] + makes - claimed)
    _score(player, 1, before[1] + claimed)


def test_r19_a_game_won_by_a_skunk_says_so(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    _deal(monkeypatch, 3)
    player = visit("ja", phone=True)
    page = player.page
    adviser = players.player("club", 1)

    def advised(asked: str) -> None:
        if asked not in ("discard", "play"):
            player.click(asked)
            return
        shown = page.locator("#hand [data-card]").evaluate_all("(all) => all.map((one) => one.dataset.card)")
        # The page may be drawn a moment before the test has read the same message.
        for _ in range(600):
            if sorted(player.view["hand"]) == sorted(set(shown)):
                break
            page.wait_for_timeout(50)
        action = adviser.act(from_json(json.dumps(player.view), View))
        assert isinstance(action, Discard | Play)
        for card in action.cards if isinstance(action, Discard) else (action.card,):
            page.locator(f'#hand button[data-card="{card.text}"]').click(position={"x": 8, "y": 40})
        if isinstance(action, Discard):
            page.click('[data-action="discard"]')

    _sit_down(player, 0, skunk="yes", level_1="random")
    assert list(player.play(advised))[-1] == "over"
    own, other = player.scores()
    assert own == 61
    assert other < 31, "no skunk: other decks are needed"
    opponent = _words(player, "home.opponent_name.1")
    expect(page.locator(".over-title")).to_have_text(_words(player, "over.you_win"))
    expect(page.locator(".over-skunk")).to_have_text(_words(player, "over.skunk", name=opponent, n=2))
    assert player.pegs()["front"] == [61, other]
    # The latest event would repeat the result.
    expect(page.locator("#latest")).to_be_hidden()
    for action in ("next", "home", "to-log", "review"):
        expect(page.locator(f'[data-action="{action}"]')).to_be_visible()
    # The panel stays within the stage.
    expect(page.locator(".over")).to_be_visible()
    felt = page.locator("#stage").bounding_box()
    panel = page.locator(".over").bounding_box()
    assert felt is not None
    assert panel is not None
    assert panel["y"] >= felt["y"] - 1
    assert panel["y"] + panel["height"] <= felt["y"] + felt["height"] + 1


def test_a_damaged_table_is_shown_next_to_the_player_and_in_the_log(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged() -> None:
        raise DamagedTable("pegging.book", "its contents are not what its digest says")

    monkeypatch.setattr(expert, "load_pegging_book", damaged)
    # A worker process would load the undamaged table.
    monkeypatch.setattr(thinking, "needs_worker", lambda _level: False)
    # An earlier test may have cached a player of the same seed.
    monkeypatch.setattr(thinking, "_cached_player", thinking._cached_player.__wrapped__)
    player = visit("en")
    page = player.page
    _sit_down(player, 0, level_1="expert")
    club = _words(player, "level.club")
    notice = _words(
        player, "trouble.table", name=_words(player, "home.opponent_name.1"), table="pegging.book", level=club
    )
    badge = page.locator('.seat [data-trouble="pegging.book"]')
    expect(badge).to_have_text(_words(player, "trouble.level", level=club))
    expect(badge).to_be_visible()
    expect(page.locator("#log")).to_contain_text(notice)
    # Play continues, and the notice is shown again after a reload.
    assert player.wait() == "discard"
    player.click("discard")
    assert player.wait() == "play"
    page.reload()
    expect(badge).to_be_visible()
    expect(page.locator("#log")).to_contain_text(notice)


def test_a_failing_computer_is_shown_until_it_works_again(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    think, broken = thinking.choose, [True]

    def breaks(level: str, seed: int, seen: View) -> thinking.Decision:
        if level == "club" and broken[0]:
            raise ZeroDivisionError
        return think(level, seed, seen)

    monkeypatch.setattr(thinking, "choose", breaks)
    player = visit("ja", phone=True)
    page = player.page
    _sit_down(player, 0, level_1="club")
    ada, casual = _words(player, "home.opponent_name.1"), _words(player, "level.casual")
    badge = page.locator('.seat [data-trouble="instead"]')
    expect(badge).to_have_text(_words(player, "trouble.level_instead", level=casual))
    expect(page.locator("#log")).to_contain_text(_words(player, "trouble.instead", name=ada, level=casual))
    broken[0] = False
    for _ in player.play():
        if not badge.count():
            break
    expect(page.locator("#log")).to_contain_text(_words(player, "trouble.over", name=ada))
