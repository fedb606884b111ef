"""Run the program as a process under bad conditions."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator

from tests.edges.command_lines import Line, lines, misbehaviour

SHELL = 'exec "$@"'
PATIENCE = 120
"""Seconds after which a program is stopped."""
CONDITIONS: dict[str, tuple[dict[str, str], str]] = {
    "LC_ALL=C": ({"LC_ALL": "C"}, SHELL),
    "ascii": ({"PYTHONIOENCODING": "ascii"}, SHELL),
    "ascii, Japanese": ({"PYTHONIOENCODING": "ascii", "LANG": "ja_JP.UTF-8"}, SHELL),
    "latin-1": ({"PYTHONIOENCODING": "latin-1"}, SHELL),
    "LANG=ja_JP.UTF-8": ({"LANG": "ja_JP.UTF-8", "LC_ALL": ""}, SHELL),
    "full disk": ({}, 'exec "$@" >/dev/full'),
    "full disk for errors": ({}, 'exec "$@" 2>/dev/full'),
    "full disk for files": ({}, 'ulimit -f 0; exec "$@"'),
    "nowhere to write": (
        dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME", "NUMBA_CACHE_DIR"), "/proc"),
        SHELL,
    ),
    "closed output": ({}, 'exec "$@" >&-'),
    "closed errors": ({}, 'exec "$@" 2>&-'),
    "closed input": ({}, 'exec "$@" <&-'),
    "endless input": ({}, 'ulimit -v 4000000; exec "$@" </dev/zero'),
    "the output is not read": ({}, 'set -o pipefail; "$@" | true'),
    "a pipe that closes": ({}, 'set -o pipefail; "$@" | head -n 1'),
}


def attack(number: int, seed: int, files: tuple[str, ...]) -> Iterator[str | None]:
    """Run command lines, each under another bad condition; yield what was wrong, or None."""
    luck, names = random.Random(seed), list(CONDITIONS)
    for place, line in enumerate(lines(number, seed, files)):
        name = names[place % len(names)] if number < 100 else luck.choice(names)
        wrong = _wrong_with(line, name)
        yield None if wrong is None else f"{name}: {line}: {wrong}"


def _wrong_with(line: Line, name: str) -> str | None:
    words = [word.replace("\0", "") for word in line.words]
    environment, script = CONDITIONS[name]
    try:
        result = subprocess.run(
            ["bash", "-c", script, "bash", sys.executable, "-m", "fifteentwo", *map(os.fsencode, words)],
            input=line.given,
            env={**os.environ, "LANG": "C.UTF-8", "LANGUAGE": "", "FIFTEENTWO_NUMBA": "off", **environment},
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no end after {PATIENCE} s"
    out, errors = (part.decode("utf-8", "replace") for part in (result.stdout, result.stderr))
    silent = result.returncode in (0, 1, 2) and "errors" in name
    return misbehaviour(result.returncode, out, errors or ("-" if silent else ""))
