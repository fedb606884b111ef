"""The coach sends a verdict before anybody acts, so that a costly choice can be undone."""

from typing import Any

import pytest

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
