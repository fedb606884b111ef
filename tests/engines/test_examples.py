"""The bots under examples/bots: at most 40 lines each, they keep to the protocol and play whole games."""

import shutil
import sys
from pathlib import Path

import pytest

from fifteentwo.contest.arena import arena
from fifteentwo.engines.check import check
from fifteentwo.engines.engine import program

BOTS = Path(__file__).parents[2] / "examples" / "bots"
RUN_BY = {".py": sys.executable, ".mjs": "node", ".sh": "sh"}
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="engines need process groups")


@pytest.fixture(params=sorted(BOTS.iterdir()), ids=lambda bot: bot.name)
def command(request: pytest.FixtureRequest) -> list[str]:
    bot: Path = request.param
    if shutil.which(RUN_BY[bot.suffix]) is None:
        pytest.skip(f"{RUN_BY[bot.suffix]} is not installed")
    return [RUN_BY[bot.suffix], str(bot)]


def test_there_is_an_example_in_each_language() -> None:
    assert {bot.suffix for bot in BOTS.iterdir()} == set(RUN_BY)


def test_an_example_is_short(command: list[str]) -> None:
    assert len(Path(command[-1]).read_text(encoding="utf-8").splitlines()) <= 40


@pytest.mark.long
def test_an_example_keeps_to_the_protocol(command: list[str]) -> None:
    report = check(program(command))
    assert [one for one in report.checks if not one.passed] == []
    assert report.passed
    assert report.protocol == 1


def test_an_example_plays_an_arena(command: list[str]) -> None:
    result = arena(program(command), "random", 2, 1)
    assert (result["games"], result["failures"]) == (2, [])
