"""Finished games: they leave the first page, are listed with their results, and are retold deal by deal."""

import random
import re

from fifteentwo.i18n import tell
from fifteentwo.rules import record
from tests.server.live import Live, Person

ODD_NUMBERS = ("0", "-1", "2", "99999999", "x", "１", "")


def _played(person: Person, **chosen: str) -> str:
    game = person.new_game("five-card", level_1="random", name="Aiko", name_1="Ken", **chosen)
    with person.open(game) as page:
        page.until("waiting")
        page.play_out(random.Random(8))
    return game


def test_a_finished_game_is_history_and_no_longer_to_go_on_with(live: Live) -> None:
    with live.person() as aiko, live.person() as stranger:
        assert "No game is finished yet" in aiko.browser.get("/history").text
        game = _played(aiko)
        home = aiko.browser.get("/").text
        assert f"/game/{game}" not in home
        assert 'href="/history"' in home
        assert "learn-card" not in home, "who has played needs no first lesson"
        listed = aiko.browser.get("/history").text
        kept = record.read(aiko.browser.get(f"/game/{game}/record").text)
        won = record.last_state(kept).won
        assert won is not None
        assert tell(won, "en", ("Aiko", "Ken"), viewer=0) in listed
        assert "five-card" in listed.lower()
        assert re.search(r'<time datetime="\d{4}-\d\d-\d\d">\d+ [A-Z][a-z]+ \d{4}</time>', listed)
        for link in (f"/game/{game}/told?game=1", f"/game/{game}/record?game=1"):
            assert link in listed
            assert aiko.browser.get(link).status_code == 200
            assert stranger.browser.get(link).status_code == 403
        assert game not in stranger.browser.get("/history").text


def test_a_game_is_retold_to_the_last_line_with_the_points_of_each_deal(live: Live) -> None:
    with live.person() as aiko:
        game = _played(aiko)
        told = aiko.browser.get(f"/game/{game}/told").text
        kept = record.read(aiko.browser.get(f"/game/{game}/record").text)
    fronts = []
    before: tuple[int, ...] = ()
    for action, state, _ in record.replay(kept):
        if type(action).__name__ == "Deal":
            fronts.append(before)
        before = state.front
    rows = re.findall(r'<tr><th scope="row">.*?</tr>', told)
    scores = [tuple(int(score) for score in re.findall(r"<b>(\d+)</b>", row)) for row in rows]
    assert scores == [*fronts[1:], before]
    assert told.count('class="told-deal"') == len(fronts) + 1
    assert len(re.findall("<li>", told)) > len(kept.actions)


def test_a_game_that_is_none_is_refused(live: Live) -> None:
    with live.person() as aiko:
        game = _played(aiko)
        for number in ODD_NUMBERS:
            for page in ("told", "record"):
                assert aiko.browser.get(f"/game/{game}/{page}", params={"game": number}).status_code == 409
            assert aiko.browser.get("/history", params={"page": number}).status_code == 200
        unfinished = aiko.new_game()
        assert aiko.browser.get(f"/game/{unfinished}/told").status_code == 409
