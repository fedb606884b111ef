"""The coach sends a verdict before anybody acts, so that a costly choice can be undone."""

import json
from itertools import combinations
from typing import Any

import pytest

from fifteentwo.rules import pegging
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import Card, Rank
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.view import View
from fifteentwo.server.live.coach import make_advice, make_first_verdict
from tests.analysis.hint_positions import positions
from tests.support.live_server import Page, Person

SIX = {"first_dealer": "named", "cut_before_deal": "no", "level_1": "greedy"}


def seated(page: Page, dealer: int) -> None:
    """Turn on the coach at a new table, and name the dealer."""
    page.until("waiting")
    page.send("coach", True)
    page.act({"type": "NameDealer", "dealer": dealer})
    page.alone()


def heard(page: Page) -> dict[str, Any]:
    verdict: dict[str, Any] = page.until("coach")["d"]
    return verdict


def test_computers_wait_after_a_costly_discard_until_undo_or_continue(aiko: Person) -> None:
    with aiko.at_table(**SIX) as page:
        seated(page, 1)
        hand = page.view["hand"]
        away = [hand[0], hand[1]]
        page.send("act", {"type": "Discard", "seat": 0, "cards": away})
        first = heard(page)
        for one in range(6):
            for other in range(one):
                if first["mark"] in ("mistake", "blunder"):
                    break
                page.send("undo")
                page.until("table")
                away = [hand[one], hand[other]]
                page.send("act", {"type": "Discard", "seat": 0, "cards": away})
                first = heard(page)
        assert first["mark"] in ("mistake", "blunder"), "some discard of six cards is a mistake"
        assert first["is_paused"]
        assert first["reasons"]
        assert first["best"] != away
        page.send("undo")
        page.until("table")
        assert page.view["hand"] == hand
        page.send("act", {"type": "Discard", "seat": 0, "cards": first["best"]})
        verdict = heard(page)
        assert (verdict["mark"], verdict["is_paused"], verdict["reasons"]) == (None, False, [])
        page.settle()


@pytest.mark.parametrize("leaving", [False, True])
def test_computers_answer_after_continue_or_without_a_coach(aiko: Person, leaving: bool) -> None:
    """The computers act after `continue`, or once no page wants verdicts."""
    game = aiko.new_game(**SIX)
    with aiko.open(game) as page:
        seated(page, 0)
        hand = page.view["hand"]
        held = False
        for _ in range(60):
            if page.view["won"] or held:
                break
            asked = page.choices[-1]
            page.send("act", asked)
            page.choices = []
            if asked["type"] in ("Discard", "Play"):
                while (message := page.hear())["t"] not in ("coach", "waiting"):
                    pass
                if message["t"] == "waiting":
                    message = page.hear() if not page.choices else message
                held = message["t"] == "coach" and message["d"]["is_paused"]
                if held:
                    break
            page.settle()
        assert held, "the last of the choices is costly somewhere in a game"
        v = page.v
        if not leaving:
            page.send("continue")
            page.settle()
            assert page.v > v
    if leaving:
        with aiko.open(game) as page:
            page.settle()
            assert page.v > v
    assert hand


def test_coach_is_refused_with_claimed_counting_people_or_the_daily_deal(aiko: Person) -> None:
    tables = [
        aiko.new_game(counting="claimed", muggins="missed"),
        aiko.new_game(level_1="person"),
        str(aiko.browser.post("/practice/daily").headers["location"]).split("/")[2],
    ]
    for game in tables:
        with aiko.open(game) as page:
            page.send("coach", True)
            assert page.until("refused")["d"]["code"] == "coach-unavailable"
            page.send("coach", False)
            page.send("continue")
            page.send("lang", "ja")
            page.until("table")


def test_page_without_coach_receives_no_verdict(aiko: Person) -> None:
    with aiko.at_table(**SIX) as page:
        seated(page, 0)
        page.send("coach", False)
        page.act({"type": "Discard", "seat": 0, "cards": page.view["hand"][:2]})
        page.settle()
        assert not any('"t":"coach"' in message for message in page.heard)


def test_coach_of_a_first_game_asks_about_discards_and_one_card_a_deal_and_praises_once(
    aiko: Person,
) -> None:
    """The computer discards after the person, and a card can be taken back before it answers."""
    asked: list[tuple[int, str]] = []
    praised: list[int] = []
    undone = set()
    with aiko.at_table(**SIX, starter="top", first_game="yes") as page:
        page.until("waiting")
        page.send("coach", True)
        page.act({"type": "NameDealer", "dealer": 1})
        while not page.view["won"]:
            page.settle()
            hand, deal, phase = page.view["hand"], page.view["deal"], page.view["phase"]
            if page.view["won"] or phase not in ("discard", "play"):
                page.act(page.choices[0]) if page.choices else None
                continue
            choice = _costly_choice(page.view)
            page.send("act", choice)
            page.choices = []
            while not (page.choices or page.view["won"]):
                message = page.hear()
                if message["t"] != "coach":
                    continue
                verdict = message["d"]
                assert verdict["is_paused"]
                assert len(verdict["reasons"]) == 1
                assert "%" not in verdict["reasons"][0]
                assert "average" not in verdict["reasons"][0]
                if verdict["mark"]:
                    asked.append((deal, json.dumps(choice)))
                    page.send("undo")
                    page.until("table")
                    assert page.view["hand"] == hand
                    undone.add(phase)
                else:
                    praised.append(deal)
                    page.send("continue")
    assert praised
    for once in (asked, praised):
        assert len(once) == len(set(once))
    cards = [deal for deal, choice in asked if '"Play"' in choice]
    assert len(cards) == len(set(cards)) > 1, "one card a deal"
    assert undone == {"discard", "play"}


def _costly_choice(view: dict[str, Any]) -> dict[str, Any]:
    """Return a costly choice in odd deals, one that is praised in even deals, and otherwise any choice."""
    seen = from_json(to_json(view).decode(), View)
    choices: list[Discard | Play] = [Play(seen.seat, card) for card in seen.playable]
    if view["phase"] == "discard":
        choices = [Discard(seen.seat, two) for two in combinations(seen.hand, 2)]
    found = {choice: make_first_verdict(seen, choice, "en") for choice in choices}
    wanted = "mistake" if seen.deal % 2 else None
    fitting = [choice for choice, verdict in found.items() if verdict and verdict.mark == wanted]
    plain: dict[str, Any] = json.loads(to_json((fitting or choices)[0]))
    return plain


@pytest.mark.parametrize("by_points", [False, True])
def test_hints_for_beginners_agree_with_the_coach_and_hold_no_figures(by_points: bool) -> None:
    """The coach never questions a hint; a score or a lead is never called as good as another card."""
    leads = questioned = 0
    for seen, _ in positions("six-card", 60):
        advice = make_advice(seen, "en", beginner=True, by_points=by_points)
        assert advice is not None
        words = f"{advice.nudge} {advice.idea} {advice.sentence}"
        assert not any(one in words for one in ("%", "average")), words
        assert "as good" not in words or "makes" not in words, words
        action = (
            Discard(seen.seat, advice.cards) if len(advice.cards) > 1 else Play(seen.seat, advice.cards[0])
        )
        verdict = make_first_verdict(seen, action, "en", by_points=by_points)
        assert verdict is None or verdict.mark is None, words
        leads += "15 on" in words or "three of a kind" in words
        if isinstance(action, Play):
            misses = [card for card in seen.playable if _points(seen, card) + 2 <= _points(seen, action.card)]
            fives = [
                card
                for card in seen.playable
                if not seen.in_count and card.rank is Rank.FIVE != action.card.rank
            ]
            for card in [*misses, *fives]:
                found = make_first_verdict(seen, Play(seen.seat, card), "en", by_points=by_points)
                assert found is not None, (words, card)
                assert found.mark == "mistake", (words, card)
            questioned += len(misses) + len(fives)
    assert leads > 2
    assert questioned > 10


def _points(seen: View, card: Card) -> int:
    return sum([score.points for score in pegging.scores((*seen.in_count, card))])
