"""Review pages: own games by address, any record by posting it, wrong ones refused."""

import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from fifteentwo.analysis.review import review
from fifteentwo.players import LEVELS
from fifteentwo.rules import record
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.record import Record, last_state
from fifteentwo.server.study import review_queue
from fifteentwo.server.study.review_queue import MAX_RECORD_BYTES
from fifteentwo.server.study.reviews import ReviewedGames
from fifteentwo.server.table_log import dealing
from tests.support.live_server import Json, Live, Person
from tests.support.quick_records import played
from tests.support.stored import ledger_of


@pytest.fixture(scope="module")
def five() -> Record:
    """Return two deals of the variant with the quickest review."""
    whole = played("five-card")
    return msgspec.structs.replace(whole, actions=whole.actions[:40])


def _lines(person: Person, text: str, **headers: str) -> list[Json]:
    with person.browser.stream("POST", "/api/review", content=text.encode(), headers=headers) as answer:
        assert answer.status_code == 200
        return [json.loads(line) for line in answer.iter_lines()]


def _of(lines: list[Json], kind: str) -> list[Json]:
    return [line["d"] for line in lines if line["t"] == kind]


def test_a_review_is_sent_as_the_analysis_judges_it(live: Live, five: Record) -> None:
    with live.person("ja") as aiko:
        lines = _lines(aiko, record.write(five))
        plain = _lines(aiko, record.write(five), **{"Accept-Encoding": "identity"})
    assert plain == lines
    judged = review.review(five)
    assert lines[0]["t"] == "story"
    assert [line["d"] for line in lines if line["t"] == "luck"] == judged["luck"]
    assert lines[-1]["t"] == "whole"
    decisions = _of(lines, "decision")
    sentences = ("why", "why_of")
    sent = [{name: value for name, value in one.items() if name not in sentences} for one in decisions]
    assert sent == judged["decisions"]
    for one in decisions:
        others = {option["choice"] for option in one["options"]} - {one["best"]}
        by_card = {card for card in one["hand"] if card[0] in others}
        explained = set() if not one["mark"] else others if one["card"] is None else by_card
        assert set(one.get("why_of", ())) == explained
    assert all(one["mark"] or one["chosen"] == one["best"] for one in decisions if one["why"])
    assert any(re.search("[ぁ-ん]", "".join(one["why"])) for one in decisions)
    whole = lines[-1]["d"]
    assert whole == {name: value for name, value in judged.items() if name not in ("decisions", "luck")}


def test_points_of_the_curve_are_sent_with_decisions(live: Live) -> None:
    """A later point of a step replaces an earlier one; together they are the whole curve."""
    whole = played("six-card", target=61)
    deals = [place for place, action in enumerate(whole.actions) if type(action).__name__ == "Deal"]
    begun = msgspec.structs.replace(whole, actions=whole.actions[: deals[1]])
    with live.person() as aiko:
        lines = _lines(aiko, record.write(begun))
    points = {point["step"]: point for point in _of(lines, "point")}
    assert list(points.values()) == lines[-1]["d"]["curve"]
    assert _of(lines, "luck")
    assert all(seat["result"] is None for seat in lines[-1]["d"]["seats"])


def test_an_invalid_record_is_refused_with_its_line(aiko: Person, five: Record, lang: str) -> None:
    text = record.write(five)
    lines = text.splitlines()
    played = next(place for place, line in enumerate(lines) if line.startswith("play"))
    wrong = {
        "": "not-a-record",
        "hello": "not-a-record",
        text[: len(text) // 2]: "record-cut-short",
        text.replace("play 0", "play 1", 1): "record-damaged",
        "\n".join([*lines[:played], "play 0 ZZ", *lines[played + 1 : -1]]): "not-an-action",
        "\n".join([*lines[:played], *lines[played + 1 : -1]]): "action-refused",
        text + "\n" * MAX_RECORD_BYTES: "record-too-long",
        "x" * (MAX_RECORD_BYTES + 1): "record-too-long",
    }
    for content, code in wrong.items():
        answer = aiko.browser.post("/api/review", content=content)
        assert answer.status_code in (400, 413), code
        refused = answer.json()
        assert refused["code"] == code
        assert ("の" in refused["message"] or "です" in refused["message"]) == (lang == "ja")
        if code in ("not-an-action", "action-refused"):
            assert str(played + 1) in refused["message"]
    answer = aiko.browser.post("/api/review", content=b"\xff\xfe\x00")
    assert (answer.status_code, answer.json()["code"]) == (400, "record-not-text")
    assert aiko.browser.get("/api/review").status_code == 405


def test_a_record_of_endless_actions_is_refused_before_it_is_worked_out(live: Live, five: Record) -> None:
    with pytest.MonkeyPatch.context() as patch, live.person() as aiko:
        patch.setattr(review_queue, "MAX_RECORD_ACTIONS", len(five.actions) - 1)
        answer = aiko.browser.post("/api/review", content=record.write(five))
        assert (answer.status_code, answer.json()["code"]) == (413, "record-too-many-actions")


def test_clients_with_too_many_reviews_wait_until_one_is_released(live: Live, five: Record) -> None:
    text = record.write(five)
    with pytest.MonkeyPatch.context() as patch, live.person() as aiko, live.person() as ken:
        # Each has a cookie, so they are two users.
        for person in (aiko, ken):
            person.new_game("five-card")
        patch.setattr(review_queue, "_send_parts", _never)
        # A cached review does not wait.
        patch.setattr(ReviewedGames, "has_review", lambda *_: False)
        with _asking(aiko, text) as first, _asking(aiko, text, 2) as second:
            assert [line["t"] for line in first] == ["story"]
            assert [line["t"] for line in second] == ["story", "ahead"]
            assert second[1]["d"] == 1
            answer = aiko.browser.post("/api/review", content=text)
            assert (answer.status_code, answer.json()["code"]) == (429, "too-many-own-reviews")
            with _asking(ken, text, 2) as third:
                assert third[1] == {"t": "ahead", "d": 2}
        patch.undo()
        for _ in range(200):
            answer = aiko.browser.post("/api/review", content=text)
            if answer.status_code == 200:
                break
        assert '"t":"whole"' in answer.text


@contextmanager
def _asking(person: Person, text: str, lines: int = 1) -> Iterator[list[Json]]:
    """Request a review, and return its first lines."""
    with person.browser.stream("POST", "/api/review", content=text) as answer:
        assert answer.status_code == 200
        # The reference keeps the connection open.
        sent = answer.iter_lines()
        yield [json.loads(next(sent)) for _ in range(lines)]


def _never(_asked: object, _games: object, _send: object, stopped: object) -> None:
    stopped.wait(60)  # type: ignore[attr-defined]


def test_the_review_of_a_game_is_for_those_who_played_it(live: Live) -> None:
    with live.person() as aiko, live.person("ja") as stranger:
        over = aiko.new_game("five-card", level_1="random", name="Aiko")
        with aiko.open(over) as page:
            page.until("waiting")
            page.play_out(random.Random(8))
        answer = aiko.browser.get(f"/review/{over}")
        assert answer.status_code == 200
        assert f'data-game="{over}" data-number="1" data-seat="0"' in answer.text
        assert stranger.browser.get(f"/review/{over}").status_code == 403
        assert "<noscript>" in answer.text
        assert f"/game/{over}/log?game=1" in answer.text
        assert f"/review/{over}?game=1" in aiko.browser.get("/history").text
        for number in ("0", "2", "x", "-1"):
            assert aiko.browser.get(f"/review/{over}", params={"game": number}).status_code == 409
        assert stranger.browser.get(f"/api/review/{over}").status_code == 403
        assert aiko.browser.get(f"/api/review/{over}", params={"game": "2"}).status_code == 409
        unfinished = aiko.new_game()
        assert aiko.browser.get(f"/review/{unfinished}").status_code == 409
        assert aiko.browser.get("/review/nothing-of-the-kind").status_code == 404


# ── Playing on ───────────────────────────────────────────────────────────────────────────────────────────


def _play_on(person: Person, text: str, step: object, level: object = "random") -> tuple[int, Json]:
    answer = person.browser.post("/api/play-on", json={"record": text, "step": step, "level": level})
    return answer.status_code, answer.json()


def test_play_goes_on_from_a_game_of_this_server_without_its_record(aiko: Person, stranger: Person) -> None:
    over = aiko.new_game("five-card", level_1="random")
    with aiko.open(over) as page:
        page.until("waiting")
        page.play_out(random.Random(8))
    kept = record.read(aiko.browser.get(f"/game/{over}/record").text)
    step = next(at for at, action in enumerate(kept.actions) if isinstance(action, Discard))
    body = {"game": over, "number": 1, "step": step, "level": "random"}
    assert stranger.browser.post("/api/play-on", json=body).status_code == 403
    answer = aiko.browser.post("/api/play-on", json=body)
    assert answer.status_code == 200
    assert aiko.browser.get(answer.json()["path"]).status_code == 200


@pytest.mark.parametrize(
    "variant", ["five-card", "partners", pytest.param("six-card", marks=pytest.mark.long)]
)
def test_playing_on_begins_at_the_very_position_and_ends_as_a_game(
    aiko: Person, database: Path, variant: str
) -> None:
    options: Json = {"partners_by_draw": True} if variant == "partners" else {}
    whole = played(variant, **options)
    steps = [place for place, action in enumerate(whole.actions) if isinstance(action, Discard | Play)]
    for step in (steps[0], steps[len(steps) // 2], steps[-3]):
        status, created = _play_on(aiko, record.write(whole), step)
        assert status == 200, created
        table = created["path"].removeprefix("/game/")
        before = msgspec.structs.replace(whole, actions=whole.actions[:step])
        state, action = last_state(before), whole.actions[step]
        assert isinstance(action, Discard | Play)
        with aiko.open(table) as page:
            page.until("table")
            assert page.view["hand"] == [card.text for card in state.hands[action.seat]]
            assert page.view["front"] == list(state.front)
            assert page.view["deal"] == state.deal
            assert page.view["seat"] == action.seat
            page.play_out(random.Random(5))
        kept = ledger_of(database, table)
        assert kept.table.over
        assert tuple(kept.table.actions[:step]) == whole.actions[:step]
        text = aiko.browser.get(f"/game/{table}/record").text
        # Decks of a position have no commitment, because their first cards are known.
        assert "commitment" not in text
        assert "secret" not in text
        assert record.read(text).actions == tuple(kept.table.actions)


def test_the_starter_is_none_of_the_cards_dealt() -> None:
    """For every secret and every cut the starter is none of the cards dealt."""
    whole = played("six-card")
    deal = next(place for place, action in enumerate(whole.actions) if type(action).__name__ == "Deal")
    dealt = whole.actions[deal].cards  # type: ignore[union-attr]
    cut = getattr(whole.actions[deal - 1], "at", 0)
    for number in range(50):
        decks = dealing.decks_from_position(
            dealing.decks_of_secret(bytes([number] * 32)), whole.actions[: deal + 1]
        )
        deck = decks("deal-1")
        assert len(set(deck)) == 52
        assert (deck[cut:] + deck[:cut])[: len(dealt)] == dealt
        assert decks("deal-2") == dealing.decks_of_secret(bytes([number] * 32))("deal-2")


def test_invalid_positions_are_refused(aiko: Person, five: Record) -> None:
    text = record.write(five)
    no_decision = next(place for place, one in enumerate(five.actions) if not isinstance(one, Discard | Play))
    for step in (-1, no_decision, len(five.actions), 10**12):
        assert _play_on(aiko, text, step)[1]["code"] == "no-such-position"
    for wrong in ("1", None, 1.5, [1]):
        assert _play_on(aiko, text, wrong)[0] == 400
    assert _play_on(aiko, text, 8, "grandmaster")[1]["code"] == "option-unknown"
    assert _play_on(aiko, text.replace("play", "pay"), 8)[0] == 400
    for body in (b"", b"{}", b"[1]", b"\xff", b'{"record": "", "step": 1, "level": "club", "x": 1}'):
        assert aiko.browser.post("/api/play-on", content=body).status_code == 400
    assert aiko.browser.post("/api/play-on", content=b"x" * (4 * MAX_RECORD_BYTES + 1)).status_code == 413
    assert set(LEVELS) >= {"club"}
    assert "/game/" not in aiko.browser.get("/").text, "no table was made for what was refused"
