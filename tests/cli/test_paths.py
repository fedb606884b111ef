"""`fifteentwo paths`, and what playing says before it creates files."""

import json
from pathlib import Path

import pytest

from tests.support.commands import run


def test_paths_names_each_place_its_size_and_how_to_remove_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("FIFTEENTWO_DATABASE_URL", raising=False)
    games = tmp_path / "data" / "fifteentwo" / "games.sqlite3"
    report = json.loads(run("paths", "--json").stdout)
    assert report["games"] == {"path": str(games), "bytes": 0}
    assert report["program"]["bytes"] > 1_000_000
    assert not games.parent.exists(), "looking creates nothing"
    games.parent.mkdir(parents=True)
    games.write_bytes(bytes(1000))
    games.with_name("games.sqlite3-wal").write_bytes(bytes(500))
    assert json.loads(run("paths", "--json").stdout)["games"]["bytes"] == 1500
    for lang in ("en", "ja"):
        words = run("paths", "--lang", lang).stdout
        assert str(games) in words
        assert "pip uninstall fifteentwo" in words


def test_a_database_of_the_environment_is_mentioned_and_its_password_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FIFTEENTWO_DATABASE_URL", "postgresql://me:hidden@127.0.0.1/games")
    words = run("paths").stdout
    assert "FIFTEENTWO_DATABASE_URL" in words
    assert "hidden" not in words


def test_play_names_the_database_before_it_creates_it(
    subtests: pytest.Subtests, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.write_text("no folder can be made below a file")
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    monkeypatch.setenv("BROWSER", "true")
    monkeypatch.delenv("FIFTEENTWO_DATABASE_URL", raising=False)
    for words in ((), ("play",)):
        with subtests.test(words=words):
            done = run(*words)
            notice, refused = done.stderr.splitlines()
            assert str(home / "fifteentwo" / "games.sqlite3") in notice
            assert "Ctrl-C" in notice
            assert (done.exit_code, done.stdout) == (1, "")
            assert refused.startswith("fifteentwo: ")
