"""The program with closed output, and with Ctrl-C while it imports its modules."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fifteentwo.fast.compiled import has_numba

WITH_NUMBA = pytest.mark.skipif(not has_numba(), reason="numba is not installed or switched off")
HANDS = "5H 5S 5D JC 5C\n" * 66_000


def shell(script: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a shell script that starts the program as "$@"."""
    return subprocess.run(
        ["bash", "-c", script, "bash", sys.executable, "-m", "fifteentwo", *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_a_closed_output_causes_no_traceback(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for words in (("score", "--all", "{}", "--json"), ("replay", "{}")):
        with subtests.test(words=words):
            hands = tmp_path / "hands"
            hands.write_text("5H 5S 5D JC 5C\n")
            result = shell('"$@" >&-', *(word.format(hands) for word in words))
            assert result.returncode in (0, 1)
            assert len(result.stderr.splitlines()) == result.returncode


START = """
import sys, fifteentwo.__main__ as program
from importlib.abc import MetaPathFinder
class Announce(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "fifteentwo.cli":
            print("ready", flush=True)
sys.meta_path.insert(0, Announce())
program.main()
"""
"""The program, which prints a line before it imports its modules."""


@pytest.mark.parametrize(
    "milliseconds", [range(0, 200, 60), pytest.param(range(0, 200, 5), marks=pytest.mark.long)]
)
def test_ctrl_c_during_imports_prints_no_traceback(milliseconds: range) -> None:
    for moment in milliseconds:
        process = subprocess.Popen(
            [sys.executable, "-c", START, "bot", "random"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(moment / 1000)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 130
        assert [line for line in errors.splitlines() if not line.startswith("{")] in (
            [],
            ["fifteentwo: Stopped."],
        )
