"""What is printed names the method it was worked out by, with numba and without."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.fast.compiled import is_ready
from fifteentwo.players import loops_of
from tests.test_commands import record_text

DISCARD = ("discard", "5H", "5S", "6D", "7C", "JC", "KD", "--pone")
ARENA = ("arena", "greedy", "random", "--games", "2", "--jobs", "1")
WITH_AND_WITHOUT = pytest.mark.parametrize(
    ("numba", "engine"), [("on", "compiled" if find_spec("numba") else "plain"), ("off", "plain")]
)


def run(numba: str, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fifteentwo", *words],
        input=given,
        env={**os.environ, "FIFTEENTWO_NUMBA": numba},
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    )


def printed(numba: str, *words: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(run(numba, *words, "--json").stdout)
    return report


@pytest.fixture
def game(tmp_path: Path) -> str:
    """A form whose review compiles nothing."""
    file = tmp_path / "game.txt"
    file.write_text(record_text("five-card"), encoding="utf-8")
    return str(file)


@WITH_AND_WITHOUT
def test_json_names_the_engine(numba: str, engine: str, game: str) -> None:
    for words in (DISCARD, (*DISCARD, "--why"), ARENA, ("review", game)):
        assert printed(numba, *words)["engine"] == engine, words


@WITH_AND_WITHOUT
def test_the_text_names_it_where_it_changes_the_result(numba: str, engine: str, game: str) -> None:
    for lang, word in (("en", f"engine: {engine} ("), ("ja", f"エンジン：{engine}（")):
        for words in (ARENA, ("review", game)):
            assert run(numba, *words, "--lang", lang).stdout.splitlines()[-1].strip().startswith(word)
        assert engine not in run(numba, *DISCARD, "--lang", lang).stdout


@WITH_AND_WITHOUT
def test_the_bot_names_it_on_the_error_stream_and_when_asked(numba: str, engine: str) -> None:
    told = run(numba, "bot", "master", given="engine\nquit\n")
    if not all(is_ready(name) for name in loops_of("master", "six-card")):
        # It answers before its loops are compiled.
        engine = "plain"
    about = {"type": "engine", "level": "master", "engine": engine}
    assert json.loads(told.stdout) == json.loads(told.stderr) == about


def test_discards_are_the_same_by_both() -> None:
    for words in (DISCARD, (*DISCARD, "--board", "110-116")):
        on, off = printed("on", *words), printed("off", *words)
        assert on["options"] == off["options"]
