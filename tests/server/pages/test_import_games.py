"""Imported games: read before they are stored, refused with their line, and visible to their user only."""

import html
import json
import re

import pytest

from fifteentwo.formats import write
from fifteentwo.rules import record
from fifteentwo.rules.record import unseen
from tests.formats.written_games import happenings, written_game
from tests.support.live_server import Live, Person

GAME = written_game(0)
HALSCRIB, TRANSCRIPT = write(GAME, "halscrib"), write(GAME, "transcript")
BARE = re.sub(r"(?<=[A2-9TJQK])[SHDC]\b", "", TRANSCRIPT)

UNSEEN = next(game for number in range(40) if unseen(game := written_game(number)))


def sent(person: Person, text: str, as_json: bool = False, **fields: str) -> tuple[int, str]:
    headers = {"Accept": "application/json"} if as_json else {}
    answer = person.browser.post("/import", data={"text": text, **fields}, headers=headers)
    return answer.status_code, answer.headers.get("location") or answer.text


def test_a_game_is_shown_then_kept_and_is_the_same_game(subtests: pytest.Subtests, live: Live) -> None:
    for text in [HALSCRIB, TRANSCRIPT, record.write(GAME)]:
        with subtests.test(text=text), live.person() as aiko, live.person() as stranger:
            status, page = sent(aiko, text)
            assert status == 200
            assert "Which player are you?" in page
            assert "No game is finished yet" in aiko.browser.get("/history").text, "looking keeps nothing"
            status, place = sent(aiko, text, act="keep", seat="0")
            assert status == 303
            game = place.split("/")[2]
            back = record.read(aiko.browser.get(f"/game/{game}/record").text)
            assert list(happenings(back, first_pone=True)) == list(happenings(GAME, first_pone=True))
            assert not back.commitment, "no player committed to this dealing"
            assert "imported" in aiko.browser.get("/history").text
            assert ">imported</option>" in aiko.browser.get("/history?against=imported").text
            assert stranger.browser.get(place).status_code == 403
            refused = aiko.browser.get(f"/game/{game}/record?as=pgn")
            assert refused.status_code == 400


def test_a_game_with_cards_that_no_one_wrote_down_is_refused_and_says_where(aiko: Person) -> None:
    text = write(UNSEEN, "transcript")
    head = text.rindex("PONE")
    for card in unseen(UNSEEN):
        text = text[:head] + text[head:].replace(card.text, "?")
    before, _, last = TRANSCRIPT.rpartition("cut: ")
    stopped = f"{before}cut: ?{last[2:]}"
    for given, code in ((text, "review-needs-cards"), (stopped, "card-unknown")):
        status, answer = sent(aiko, given, as_json=True)
        assert (status, json.loads(answer)["code"]) == (400, code)
        status, page = sent(aiko, given, act="keep", seat="0")
        assert status == 400
        assert "were not written down" in page or "no one wrote down" in page
    assert "No game is finished yet" in aiko.browser.get("/history").text


def test_every_finished_game_of_a_text_is_kept(aiko: Person) -> None:
    wrong = HALSCRIB.replace("Deal  2:", "Deal  2: 5X")
    half = "\n".join(HALSCRIB.splitlines()[:8]) + "\n"
    status, response = sent(aiko, HALSCRIB + wrong + half + HALSCRIB, as_json=True)
    games = json.loads(response)["games"]
    assert status == 200
    assert [game.get("over") for game in games] == [True, None, False, True]
    assert games[1]["line"] == len(HALSCRIB.splitlines()) + 1 + wrong[: wrong.index("5X")].count("\n")
    status, page = sent(aiko, HALSCRIB + wrong + half + HALSCRIB)
    assert "Import 2 games" in page
    assert "5X" in page
    status, place = sent(aiko, HALSCRIB + wrong + half + HALSCRIB, act="keep", seat="0")
    assert (status, place) == (303, "/history")
    assert aiko.browser.get("/history").text.count("/log?game=1") >= 2


def test_a_user_who_imports_must_choose_a_seat(aiko: Person) -> None:
    for seat in ("", "2", "-1", "00", "x" * 50):
        status, page = sent(aiko, HALSCRIB, act="keep", seat=seat)
        assert status == 400
        assert "Choose which player you are" in page
    assert "No game is finished yet" in aiko.browser.get("/history").text


def test_an_imported_game_of_others_is_stored_but_not_counted(aiko: Person) -> None:
    sent(aiko, HALSCRIB, act="keep", seat="none")
    assert "Ken" in aiko.browser.get("/history").text
    assert "No finished game to count yet" in aiko.browser.get("/statistics?kind=all").text


def test_unreadable_games_are_refused_with_their_line_and_not_stored(live: Live) -> None:
    with live.person("ja") as aiko:
        wrong = HALSCRIB.replace("Deal  2:", "Deal  2: 5X")
        status, page = sent(aiko, wrong)
        assert status == 400
        line = 1 + wrong.splitlines().index(next(one for one in wrong.splitlines() if "5X" in one))
        assert f"{line}行目" in page
        assert f'data-line="{line}"' in page
        assert "5X" in page, "what was typed is still there to be corrected"
        status, response = sent(aiko, wrong, as_json=True)
        assert (status, json.loads(response)["line"]) == (400, line)
        for text in ("", "hello", "PONE (0): x", "\x00", "Deal 1:", "fifteentwo record 1"):
            assert sent(aiko, text)[0] == 400
        assert sent(aiko, HALSCRIB, target="77")[0] == 400
        assert sent(aiko, "x" * 300_000)[0] == 413


def test_a_name_that_is_no_name_is_refused_in_every_notation(subtests: pytest.Subtests, live: Live) -> None:
    for name in ["x" * 101, "x" * 200_000, "x" + " " * 200_000 + "y"]:
        with subtests.test(name=name):
            written = {
                "halscrib": re.sub("Player A: .*", f"Player A: {name} (UPPER CASE)", HALSCRIB),
                "transcript": re.sub(r"(PONE \(0\):) .*", rf"\1 {name}", TRANSCRIPT, count=1),
                "record": re.sub(r"sum .*\n", "", re.sub("seat 0 .*", f"seat 0 {name}", record.write(GAME))),
            }
            with live.person() as aiko:
                for notation, text in written.items():
                    status, response = sent(aiko, text, as_json=True)
                    code = "long-line" if len(name) > 30_000 else "name-too-long"
                    assert (status, json.loads(response)["code"]) == (400, code), notation
                    assert len(response) < 300
                status, response = sent(aiko, "x" * 1_000_000, as_json=True)
                assert status == 413
                short = written["record"][: 60 * 1024]
                answer = aiko.browser.post(
                    "/api/review", content=short if len(name) > 200 else written["record"]
                )
                assert (answer.status_code, len(answer.text) < 300) == (400, True)


def test_suits_are_asked_for_and_filled_in_only_on_request(aiko: Person) -> None:
    status, page = sent(aiko, BARE)
    assert status == 400
    assert "is not written" in page
    status, response = sent(aiko, BARE, as_json=True, fill_suits="yes")
    assert status == 200
    assert json.loads(response)["suits_added"] == 13 * BARE.count("PONE")
    assert sent(aiko, BARE.replace("cut: ", "cut: ?", 1), as_json=True, fill_suits="yes")[0] == 400


def test_an_unfinished_game_is_not_kept(aiko: Person) -> None:
    half = "\n".join(HALSCRIB.splitlines()[:8])
    status, page = sent(aiko, half)
    assert (status, "The game is not over" in page) == (200, True)
    assert sent(aiko, half, act="keep", seat="0")[0] == 400
    answer = aiko.browser.post("/import", data={"text": half, "act": "record"})
    assert record.last_state(record.read(answer.text)).won is None


def test_no_game_follows_an_imported_one(aiko: Person) -> None:
    _, place = sent(aiko, HALSCRIB, act="keep", seat="1")
    with aiko.open(place.split("/")[2]) as page:
        page.until("waiting")
        page.send("next-game")
        assert page.until("refused")["d"]["code"] == "imported-no-next"


def test_the_sample_of_the_page_is_read(aiko: Person) -> None:
    page = aiko.browser.get("/import").text
    sample = html.unescape(re.search(r"\[FirstDealer.*?(?=</pre>)", page, re.DOTALL)[0])  # type: ignore[index]
    status, response = sent(aiko, sample, as_json=True)
    assert (status, json.loads(response)["format"]) == (200, "cribbage-zero")
