"""`fifteentwo prepare` compiles missing kernels; other commands print a note if they compile."""

import json
import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from fifteentwo.fast.compiled import has_numba

pytestmark = pytest.mark.skipif(not has_numba(), reason="numba is not installed or switched off")

ONE_MODULE = """
import sys
from fifteentwo import prepare
prepare.PLAYING_MODULES = ("fifteentwo.fast.show",)
from fifteentwo.cli import main
main(sys.argv[1:])
"""
"""The command line, of a table that needs one module of kernels."""
NOWHERE = f"from fifteentwo.fast import compiled; compiled.places = lambda: iter(())\n{ONE_MODULE}"


def run(
    folder: Path, *words: str, code: str = ONE_MODULE, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder), **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


@pytest.mark.long
def test_prepare_compiles_missing_kernels_and_counts_them(tmp_path: Path, lang: str) -> None:
    first = run(tmp_path, "prepare", "--lang", lang)
    assert first.returncode == 0, first.stderr
    begun, *progress = first.stderr.splitlines()
    assert "fifteentwo prepare" in begun
    assert all("s" in line or "秒" in line for line in progress)
    # One module of kernels: the last line says that it is done.
    assert re.findall("[0-9]+", progress[-1])[:2] == ["1", "1"]
    again = json.loads(run(tmp_path, "prepare", "--json").stdout)
    assert again["compiled"] == 0
    assert again["kernels"] > 5
    assert Path(again["folder"]).parent == tmp_path / "fifteentwo"
    assert str(again["kernels"]) in first.stdout
    assert again["folder"] in first.stdout
    assert again["seconds"] >= 0
    assert len(list(tmp_path.rglob("*.nbi"))) == again["kernels"]


@pytest.mark.timed
def test_prepare_takes_less_than_30_seconds_if_all_is_compiled(tmp_path: Path) -> None:
    run(tmp_path, "prepare")
    again = json.loads(run(tmp_path, "prepare", "--json").stdout)
    assert (again["compiled"], again["seconds"] < 30) == (0, True)


ARENA = ("arena", "expert", "greedy", "--variant", "five-card", "--games", "2", "--jobs", "1")
"""A command that uses kernels."""


@pytest.mark.long
def test_a_command_that_compiles_prints_a_note_once(tmp_path: Path) -> None:
    first = run(tmp_path, *ARENA)
    assert first.returncode == 0
    assert "fifteentwo prepare" in first.stderr.splitlines()[0]
    again = run(tmp_path, *ARENA)
    assert (again.stdout, again.stderr) == (first.stdout, "")


def test_prepare_explains_why_it_cannot_compile(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for (code, environment, word), lang in product(
        ((ONE_MODULE, {"FIFTEENTWO_NUMBA": "off"}, "FIFTEENTWO_NUMBA=off"), (NOWHERE, {}, "NUMBA_CACHE_DIR")),
        ("en", "ja"),
    ):
        with subtests.test(code=code, environment=environment, word=word, lang=lang):
            result = run(tmp_path, "prepare", "--lang", lang, code=code, **environment)
            assert result.returncode == 1
            assert result.stdout == ""
            [line] = result.stderr.splitlines()
            assert line.startswith("fifteentwo: ")
            assert word in line


NO_NUMBA = f"import sys; sys.modules['numba'] = None\n{ONE_MODULE}"


def test_prepare_succeeds_without_numba(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for lang, word in (("en", "Nothing to compile"), ("ja", "コンパイルするものはありません")):
        with subtests.test(lang=lang, word=word):
            result = run(tmp_path, "prepare", "--lang", lang, code=NO_NUMBA)
            assert (result.returncode, result.stderr) == (0, "")
            [line] = result.stdout.splitlines()
            assert line.startswith(word)
            assert "pip install 'fifteentwo[fast]'" in line
            as_json = run(tmp_path, "prepare", "--json", code=NO_NUMBA)
            found = {"version": 1, "kernels": 0, "compiled": 0, "seconds": 0.0, "folder": ""}
            assert json.loads(as_json.stdout) == found


@pytest.mark.long
def test_prepare_explains_a_full_disk(tmp_path: Path, lang: str) -> None:
    """Files of up to 1,000 bytes can be written."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
    result = run(tmp_path, "prepare", "--lang", lang, code=limit + ONE_MODULE)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.splitlines()[-1].startswith("fifteentwo: ")
    assert "NUMBA_CACHE_DIR" in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr


@pytest.mark.long
def test_a_command_without_a_cache_folder_prints_a_note_and_continues(tmp_path: Path) -> None:
    done = run(tmp_path, *ARENA, code=NOWHERE)
    assert done.returncode == 0
    assert "NUMBA_CACHE_DIR" in done.stderr
    assert not list(tmp_path.rglob("*.nbi"))
