"""Input without an end is refused in one line, in bounded memory."""

import os
import subprocess
import sys
from itertools import repeat
from pathlib import Path

import pytest

from fifteentwo.cli import files
from fifteentwo.rules.errors import NotationError
from tests.support.commands import run
from tests.support.errors import raises_code

MEMORY = 2 << 30
"""Bytes of addresses: the libraries' take more than half of them."""


def confined(*words: str, given: str) -> subprocess.CompletedProcess[str]:
    """Run the program with an endless file as its input, and little memory."""
    script = f'ulimit -v {MEMORY // 1024}; exec "$@" <"$0"'
    return subprocess.run(
        ["bash", "-c", script, given, sys.executable, "-m", "fifteentwo", *words],
        capture_output=True,
        text=True,
        env={**os.environ, "FIFTEENTWO_NUMBA": "off", "OPENBLAS_NUM_THREADS": "1"},
        timeout=120,
        check=False,
    )


def test_endless_zeros_are_refused_in_one_line(subtests: pytest.Subtests) -> None:
    for words in (("replay", "-"), ("score", "--all", "-"), ("bot", "random")):
        with subtests.test(words=words):
            result = confined(*words, given="/dev/zero")
            lines = [line for line in result.stderr.splitlines() if not line.startswith("{")]
            assert (result.returncode, result.stdout, len(lines)) == (1, "", 1), result.stderr
            assert "MB" in lines[0]


def test_an_endless_file_is_refused_by_its_name() -> None:
    result = confined("replay", "/dev/zero", "--lang", "ja", given="/dev/null")
    assert (result.returncode, result.stderr) == (1, "fifteentwo: zeroは16 MBを超えています。\n")


def test_an_endless_pipe_is_read_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Endless:
        def read(self, size: int) -> bytes:
            asked.append(size)
            return b"2" * size

    monkeypatch.setattr("fifteentwo.cli.terminal.standard_input", Endless)
    with raises_code(NotationError, "file-too-long"):
        files.read_text(Path("-"))
    assert asked == [files.MAX_FILE_BYTES + 1]


def test_a_file_as_long_as_the_limit_is_read(tmp_path: Path) -> None:
    file = tmp_path / "hands"
    file.write_bytes(b"\n" * files.MAX_FILE_BYTES)
    assert len(files.read_text(file)) == files.MAX_FILE_BYTES


def test_the_engine_answers_every_line_before_one_that_is_too_long() -> None:
    result = run("bot", "random", given="".join(repeat("nonsense\n", 3)) + "x" * files.MAX_LINE_BYTES)
    assert (result.exit_code, result.stdout.count("not-readable")) == (0, 4)
    result = run("bot", "random", given="".join(repeat("nonsense\n", 3)) + "x" * (files.MAX_LINE_BYTES + 1))
    assert (result.exit_code, result.stdout.count("not-readable")) == (1, 3)
    assert "line 4" in result.stderr.lower()
