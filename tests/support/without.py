"""A program run where some packages are not installed."""

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
    """Return what a program prints where none of these modules can be imported, in an empty folder."""
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
