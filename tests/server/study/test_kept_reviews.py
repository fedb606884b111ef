"""Stored reviews: computed once, loaded later and after restarts, and never for another game."""

import json
import random
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from fifteentwo.analysis.review import review
from fifteentwo.analysis.review.luck import Luck
from fifteentwo.rules.record import Record
from fifteentwo.server.study.reviews import pack_parts, unpack_parts
from tests.support.live_server import Json, Person, serving
from tests.support.quick_records import played


@pytest.fixture(scope="module")
def five() -> Record:
    return played("five-card", seed=5)


def test_a_stored_review_is_read_back_unchanged(five: Record) -> None:
    begun = msgspec.structs.replace(five, actions=five.actions[:30])
    parts = list(review.reviewed(begun))
    stored = pack_parts(begun, parts)
    assert len(parts) > 3
    assert unpack_parts(stored, begun) == parts
    named = msgspec.structs.replace(begun, names=("Aiko", "Ben"), links=("x",))
    assert unpack_parts(stored, named) == parts, "neither names nor the dealing change what was played"
    assert unpack_parts(stored, five) is None, "another game was played"
    with pytest.raises((zlib.error, msgspec.DecodeError)):
        unpack_parts(stored[:40], begun)


def _lines(person: Person, game: str) -> list[Json]:
    answer = person.browser.get(f"/api/review/{game}")
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def _never(_: Record) -> Iterator[review.Decision]:
    raise AssertionError("it was reviewed already")


def test_a_review_is_computed_once_and_loaded_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[review.Decision | Luck] = []
    plain = review.reviewed

    def noted(game: Record) -> Iterator[review.Decision | Luck]:
        for part in plain(game):
            made.append(part)
            yield part

    monkeypatch.setattr(review, "reviewed", noted)
    database = tmp_path / "games.sqlite3"
    with serving(database) as live, live.person() as aiko:
        game = aiko.new_game("five-card", level_1="random")
        with aiko.open(game) as page:
            page.play_and_resign(random.Random(8), 12)
        first = _lines(aiko, game)
        sent = aiko.browser.post("/api/review?seat=0", content=aiko.browser.get(f"/game/{game}/record").text)
        assert [json.loads(line) for line in sent.text.splitlines()] == first
        cookie = aiko.browser.cookies["fifteentwo"]
    assert [line["t"] for line in first][:: len(first) - 1] == ["story", "whole"]
    assert len([line for line in first if line["t"] == "decision"]) == sum(
        isinstance(one, review.Decision) for one in made
    )
    monkeypatch.setattr(review, "reviewed", _never)
    with serving(database) as live, live.person() as aiko:
        aiko.browser.cookies.set("fifteentwo", cookie, domain="127.0.0.1")
        assert _lines(aiko, game) == first
