"""Run a program without some packages."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable

_BLOCK = """
import sys
for name in {names!r}:
    sys.modules[name] = None
"""


def run_without(modules: Iterable[str], program: str) -> str:
    """Return the output of a program, in an empty folder, that cannot import these modules."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", _BLOCK.format(names=tuple(modules)) + program],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            cwd=folder,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
    assert done.returncode == 0, done.stderr
    return done.stdout
