"""Programs as opponents at a live table: they are chosen by name, play, and forfeit if they fail."""

import random
import sys
from pathlib import Path

import pytest

from fifteentwo.engines.engine import Program, program
from fifteentwo.server.settings import Settings
from tests.support.commands import run
from tests.support.live_server import serving
from tests.support.marked import POSSIBLE, marked, until_gone

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="engines need process groups")
RUDE = str(Path(__file__).with_name("rude.py"))


def ada(manner: str = "polite", after: int = 0, seconds: float = 30) -> Program:
    return program([sys.executable, RUDE, manner, str(after)], name="Ada", time=seconds)


def test_a_program_is_offered_by_name_and_plays_a_game(tmp_path: Path, mark: str) -> None:
    settings = Settings(engines=(ada(),))
    with serving(tmp_path / "tables.sqlite3", settings=settings) as live, live.person() as person:
        home = person.browser.get("/").text
        assert home.count('<option value="program:Ada">Ada</option>') == 3
        game = person.new_game(level_1="program:Ada", target="61", name_1="Ida")
        with person.open(game) as page:
            page.play_out(random.Random(1))
            assert page.view["deal"] > 2
            assert not any('"past"' in text for text in page.heard)
            assert page.table["names"][1] == "Ada"
            assert page.table["levels"] == [None, "program"]
            assert page.view["won"].get("forfeited") is None
            if POSSIBLE:
                assert marked(mark)
        for address in ("/history", "/history?against=program"):
            assert "Ada" in person.browser.get(address).text
        assert person.browser.get("/statistics?against=program").status_code == 200


def test_a_failing_program_forfeits(subtests: pytest.Subtests, tmp_path: Path, mark: str) -> None:
    for manner, why in (("vanish", "failed"), ("hang-with-child", "time")):
        with subtests.test(manner=manner, why=why):
            settings = Settings(engines=(ada(manner, 2, 1.0),))
            with (
                serving(tmp_path / "tables.sqlite3", settings=settings) as live,
                live.person() as person,
                person.open(person.new_game(level_1="program:Ada")) as page,
            ):
                page.play_out(random.Random(1))
                won = page.view["won"]
                assert (won["side"], won["forfeited"], won["why"]) == (0, 1, why)
                assert any(f'"why":"{why}"' in text and "Ada" in text for text in page.heard)
            if POSSIBLE:
                assert not until_gone(mark)


def test_a_level_replaces_a_program_that_is_no_longer_offered(tmp_path: Path) -> None:
    database = tmp_path / "tables.sqlite3"
    with serving(database, settings=Settings(engines=(ada(),))) as live, live.person() as person:
        game = person.new_game(level_1="program:Ada", target="61")
        with person.open(game) as page:
            page.settle()
        cookies = person.browser.cookies
    with serving(database) as live, live.person() as person:
        person.browser.cookies = cookies
        assert "program:Ada" not in person.browser.get("/").text
        with person.open(game) as page:
            page.play_out(random.Random(2))
            assert any('"fallbacks"' in text and '"club"' in text for text in page.heard)
        refused = person.browser.post("/games", data={"variant": "six-card", "level_1": "program:Ada"})
        assert refused.status_code == 400


def test_an_engine_without_name_or_program_is_wrong_usage(subtests: pytest.Subtests) -> None:
    for given in ("Ada", "=./x", "Ada=", f"{'A' * 25}=true x", "Ada=./nowhere", " Ada=sh x"):
        with subtests.test(given=given):
            assert run("play", "--no-browser", "--engine", given).exit_code == 2


def test_two_engines_of_one_name_are_wrong_usage() -> None:
    assert run("play", "--engine", "Ada=sh x", "--engine", "Ada=sh y").exit_code == 2
