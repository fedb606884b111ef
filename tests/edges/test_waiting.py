"""Answers before kernels are compiled, and kernels that `prepare` misses: a small part of `make edges`."""

import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

from fifteentwo.fast import compiled as compiling
from fifteentwo.fast.compiled import folder, has_numba
from fifteentwo.prepare import OTHER_MODULES, PLAYING_MODULES
from fifteentwo.rules.record import to_json
from lab.compiling import KERNEL_MODULES
from tests.edges import stopping, waiting

pytestmark = pytest.mark.skipif(not has_numba(), reason="numba is not installed or switched off")


@pytest.mark.timed
def test_the_first_answer_comes_within_a_second() -> None:
    waits = waiting.first_answers(4, 1)
    assert [str(first) for first in waits if first.seconds > waiting.WITHIN] == []


@pytest.mark.long
def test_after_prepare_nothing_is_compiled(subtests: pytest.Subtests) -> None:
    for name in ("arena", "arena, three-handed", "review", "score"):
        with subtests.test(name=name):
            waiting.prepare()
            assert not waiting.compiles(name)


@pytest.mark.long
def test_compiling_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert waiting.compiles("arena, five-card")


@pytest.mark.long
def test_prepare_compiles_every_kernel() -> None:
    waiting.prepare()
    for name in PLAYING_MODULES + OTHER_MODULES + KERNEL_MODULES:
        import_module(name)
    places = [folder(), folder("lab")]
    assert None not in places
    stored = {path.name.partition("-")[0] for place in places if place for path in place.rglob("*.nbi")}
    every = {
        f"{one.__module__}.{one.__name__}"
        for one, options in compiling._options.items()
        if one.__module__.startswith(("fifteentwo.", "lab.")) and "inline" not in options
    }
    assert {name for name in every if ".".join(name.split(".")[-2:]) not in stored} == set()
    assert len(every) > 80


def test_every_module_that_calls_kernels_is_prepared() -> None:
    package = Path(sys.modules["fifteentwo.prepare"].__file__ or "").parent
    asking = {
        ".".join(("fifteentwo", *path.relative_to(package).with_suffix("").parts))
        for path in package.rglob("*.py")
        if "compiled(" in path.read_text("utf-8") and "def prepare() -> None:" in path.read_text("utf-8")
    }
    assert asking == set(PLAYING_MODULES + OTHER_MODULES)
    lab = Path(sys.modules["lab"].__file__ or "").parent
    asking = {
        ".".join(path.relative_to(lab.parent).with_suffix("").parts)
        for path in lab.rglob("*.py")
        if "compiled(" in path.read_text("utf-8") and "def prepare() -> None:" in path.read_text("utf-8")
    }
    assert asking == set(KERNEL_MODULES)


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are counted in /proc")
def test_background_compilation_ends_with_the_engine(tmp_path: Path) -> None:
    engine = subprocess.Popen(
        [sys.executable, "-m", "fifteentwo", "bot", "expert"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        start_new_session=True,
    )
    assert engine.stderr is not None
    assert engine.stderr.readline()
    assert engine.stdin is not None
    engine.stdin.write(to_json(waiting.view_of_three_hands()) + b"\n")
    engine.stdin.flush()
    until = time.monotonic() + 60
    while len(stopping.session(engine.pid)) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    assert len(stopping.session(engine.pid)) == 2
    os.kill(engine.pid, signal.SIGKILL)
    engine.communicate()
    while stopping.session(engine.pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert stopping.session(engine.pid) == []
