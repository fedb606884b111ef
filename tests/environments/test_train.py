"""`examples/train.py` trains an agent that beats `casual`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "examples" / "train.py"


@pytest.mark.long
def test_a_short_training_already_beats_casual() -> None:
    done = subprocess.run(
        [sys.executable, str(PROGRAM), "--steps", "1500", "--games", "400"],
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    found = re.search(r"wins ([\d.]+)% of 400 games .*\(95 %: ([\d.]+)%–([\d.]+)%\)", done.stdout)
    assert found, done.stdout
    share, low, high = map(float, found.groups())
    assert 50 < low < share < high
