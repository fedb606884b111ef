"""Each extra enables its modules; a missing package is reported in one sentence."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.cli import main
from fifteentwo.cli.help import EXAMPLES
from fifteentwo.extras import MODULES, missing, need
from fifteentwo.i18n import languages
from fifteentwo.rules.errors import NotInstalled
from fifteentwo.rules.record import write
from tests.support.every_command import every_command
from tests.support.quick_records import played
from tests.support.without import run_without

ROOT = Path(__file__).parents[1]
TABLE = MODULES["table"]
EVERY_EXTRA = tuple(name for extra, names in MODULES.items() for name in names if extra)
NUMPY = ("numpy", *EVERY_EXTRA)
IMPORTED_AS = {"argon2-cffi": "argon2", "prometheus-client": "prometheus_client"}
ALSO = {"table": {"h11", "markupsafe"}, "cluster": {"dask"}}
"""Modules that we import from the dependencies of an extra's packages."""

RUN = """
import json
from click.testing import CliRunner
from fifteentwo.cli import main

runs = []
for words in json.loads({lines!r}):
    result = CliRunner().invoke(main, words, input="")
    trace = None if isinstance(result.exception, (SystemExit, type(None))) else repr(result.exception)
    runs.append([result.exit_code, result.stderr, trace])
print(json.dumps(runs))
"""

WALK = """
import importlib, pkgutil
import fifteentwo
from fifteentwo.rules.errors import NotInstalled

for module in pkgutil.walk_packages(fifteentwo.__path__, "fifteentwo.", onerror=lambda name: None):
    if module.name.split(".")[1] in ("server", "__main__") or module.name.endswith(".build"):
        continue
    try:
        importlib.import_module(module.name)
    except NotInstalled as error:
        print("not-installed", module.name, error.extra, error.package)
    else:
        print("runs", module.name)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a record and hands, in which commands may write."""
    (tmp_path / "game.txt").write_text(write(played("six-card", target=61)), "utf-8")
    (tmp_path / "forum.txt").write_text("")
    (tmp_path / "monday.sqlite3").write_bytes(b"")
    return tmp_path


def lines(folder: Path) -> dict[tuple[str, ...], list[str]]:
    """Return the example of each command's help, changed to use this folder."""
    found = {}
    for names, command in every_command(main):
        if hasattr(command, "commands") and names != ("book",):
            continue
        words = shlex.split(EXAMPLES[" ".join(names)])[1:]
        files = (folder / word for word in words)
        found[names] = [
            str(file) if "." in word or file.exists() else word
            for word, file in zip(words, files, strict=True)
        ]
    return found


def run_lines(without: tuple[str, ...], words: list[list[str]]) -> list[tuple[int, str, str | None]]:
    runs: Any = json.loads(run_without(without, RUN.format(lines=json.dumps(words))))
    return [(status, errors, trace) for status, errors, trace in runs]


def is_one_sentence(errors: str, install: str) -> bool:
    return len(errors.splitlines()) == 1 and errors.startswith("fifteentwo: ") and install in errors


# ── The list of packages ─────────────────────────────────────────────────────────────────────────────────


def test_every_extra_is_listed_with_its_modules() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    stated = {"": project["dependencies"], **project["optional-dependencies"]}
    for extra, requirements in stated.items():
        if extra == "dev":
            continue
        bare = {re.split(r"[^a-zA-Z0-9-]", one)[0] for one in requirements} - {"fifteentwo"}
        assert {IMPORTED_AS.get(name, name) for name in bare} | ALSO.get(extra, set()) == set(MODULES[extra])


def test_a_missing_module_names_its_extra() -> None:
    assert missing("starlette.routing").install == 'pip install "fifteentwo[table]"'
    assert missing("distributed").extra == "cluster"
    assert (missing("numpy").extra, missing("numpy").install) == ("", "pip install numpy")
    assert missing("never_heard_of").install == "pip install never_heard_of"
    with pytest.raises(NotInstalled):
        need("never_heard_of")
    need("msgspec")


# ── The base alone ───────────────────────────────────────────────────────────────────────────────────────


def test_every_module_of_the_base_runs_without_an_extra() -> None:
    stopped = [line for line in run_without(EVERY_EXTRA, WALK).splitlines() if not line.startswith("runs")]
    assert [line for line in stopped if not re.search(r"environments|cribbage_v0", line)] == []


def test_the_base_explains_that_the_table_needs_an_extra(folder: Path) -> None:
    tables = [
        ["play"],
        ["serve"],
        ["backup", str(folder / "new")],
        ["restore", str(folder / "monday.sqlite3")],
    ]
    for lang in languages():
        begin = [["--lang", lang], *([*words, "--lang", lang] for words in tables)]
        for status, errors, trace in run_lines(EVERY_EXTRA, begin):
            assert (status, trace) == (1, None)
            assert is_one_sentence(errors, 'pip install "fifteentwo[table]"'), errors
            assert bool(re.search("[ぁ-ん]", errors)) == (lang == "ja")


def test_the_base_counts_analyses_and_plays_games(folder: Path) -> None:
    by_name = lines(folder)
    quick = ("score", "discard", "book", "replay", "export", "bot")
    words = [by_name[(name,)] for name in quick]
    words += [["arena", "casual", "greedy", "--games", "2"], ["prepare"]]
    words[quick.index("export")] = ["export", str(folder / "game.txt"), "--as", "transcript"]
    for line, (status, errors, trace) in zip(words, run_lines(EVERY_EXTRA, words), strict=True):
        assert (status, trace) == (0, None), (line, errors)


@pytest.mark.long
def test_an_extra_that_an_option_needs_is_named() -> None:
    words = [
        (["arena", "random", "random", "--games", "2", "--dask", "127.0.0.1:1"], "cluster"),
        (["serve", "--port", "0", "--database", "postgresql://127.0.0.1:1/none"], "postgres"),
    ]
    without = tuple(name for name in EVERY_EXTRA if name not in TABLE)
    for (line, extra), (status, errors, trace) in zip(
        words, run_lines(without, [line for line, _ in words]), strict=True
    ):
        assert (status, trace) == (1, None), (line, errors, trace)
        assert is_one_sentence(errors, f'pip install "fifteentwo[{extra}]"'), (line, errors)


def test_every_module_of_the_base_is_imported_without_unix_modules() -> None:
    """`fcntl` is imported only on Linux."""
    unix = ("resource", "pwd", "grp", "termios", "tty", "pty")
    assert "ModuleNotFoundError" not in run_without((*unix, *EVERY_EXTRA), WALK)


# ── Without NumPy, which an installation may lack where someone removed it ───────────────────────────────


def test_without_numpy_every_command_runs_or_names_it(folder: Path) -> None:
    by_name = lines(folder)
    runs = run_lines(NUMPY, list(by_name.values()))
    stopped = set()
    for names, (status, errors, trace) in zip(by_name, runs, strict=True):
        assert trace is None, (names, trace)
        if is_one_sentence(errors, "pip install "):
            assert status == 1
            stopped.add(names[0])
    counting = {"score", "replay", "verify", "import", "export", "paths"}
    assert not counting & stopped
    assert {*("discard", "book", "review", "arena", "bot", "prepare", "play", "serve")} <= stopped


def test_without_numpy_every_module_runs_or_names_it() -> None:
    result = [line.split(" ") for line in run_without(NUMPY, WALK).splitlines()]
    runs = {name.removeprefix("fifteentwo.") for kind, name, *_ in result if kind == "runs"}
    named = {line[-1] for line in result if line[0] != "runs"}
    assert {"rules.game", "rules.show", "formats.halscrib", "contest.table", "i18n.replay"} <= runs
    assert not {name for name in runs if name.startswith(("analysis", "fast", "strategy"))}
    assert named <= {"numpy", "pettingzoo", "gymnasium"}


def test_without_numpy_every_public_name_is_there_or_names_it() -> None:
    program = """
import fifteentwo
for name in dir(fifteentwo):
    try:
        getattr(fifteentwo, name)
    except fifteentwo.FifteenTwoError as error:
        assert error.code == "not-installed" and error.install == "pip install numpy", error
        print(name)
"""
    stopped = run_without(NUMPY, program).split()
    assert not {"step", "legal", "view", "Record", "show", "pegging", "cards"} & set(stopped)


def test_without_click_the_program_says_so() -> None:
    blocked = "import sys; sys.modules['click'] = None; from fifteentwo.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", blocked], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "fifteentwo: click is not installed: pip install click\n")
