"""One folder of machine code for all processes: what one compiles, the others wait for and read."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fifteentwo.fast import machine_code
from fifteentwo.fast.compiled import has_numba
from fifteentwo.fast.machine_code import Lock, clean, folder
from tests.fast.test_compiled import SOURCES, TABLE

pytestmark = pytest.mark.skipif(not has_numba(), reason="numba is not installed or switched off")

STREET = """
import json, sys
from fifteentwo.fast.compiled import compiled
loops, holes, pegs = (compiled(f"table.{name}") for name in ("board", "holes", "pegs"))
assert loops.street(10) == 213
every = loops.street, loops.walk, holes.twice, pegs.peg
print(sum(sum(loop.stats.cache_misses.values()) for loop in every))
"""
"""How many of four loops were compiled here."""


@pytest.fixture
def houses(tmp_path: Path) -> list[Path]:
    """The same sources in two places."""
    for name in ("one", "other"):
        (tmp_path / name / "table").mkdir(parents=True)
        for module, text in TABLE.items():
            (tmp_path / name / "table" / f"{module}.py").write_text(text)
        (tmp_path / name / "fifteentwo").symlink_to(SOURCES)
    return [tmp_path / "one", tmp_path / "other"]


def begin(house: Path, code: str = STREET) -> subprocess.Popen[str]:
    told = {**os.environ, "PYTHONPATH": str(house), "XDG_CACHE_HOME": str(house.parent / "caches")}
    told.pop("NUMBA_CACHE_DIR", None)
    return subprocess.Popen([sys.executable, "-c", code], env=told, stdout=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> str:
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    return out


def caches(house: Path) -> Path:
    return house.parent / "caches" / "fifteentwo"


def test_another_copy_of_the_same_sources_reads_what_was_compiled(houses: list[Path]) -> None:
    one, other = houses
    assert ended(begin(one)) == "4\n"
    shutil.rmtree(one)
    assert ended(begin(other)) == "0\n"


def test_two_processes_at_once_compile_every_loop_once(houses: list[Path]) -> None:
    both = [begin(house) for house in houses]
    assert sum(int(ended(process)) for process in both) == 4


def test_a_process_that_is_killed_while_it_compiles_keeps_nobody_waiting(houses: list[Path]) -> None:
    one, other = houses
    slow = STREET.replace(
        "assert loops",
        "import numba.core.compiler as c\n"
        "def stuck(*_):\n    print('here', flush=True)\n    import time\n    time.sleep(600)\n"
        "loops.street._compiler.compile = stuck\nassert loops",
    )
    first = begin(one, slow)
    assert first.stdout is not None
    assert first.stdout.readline() == "here\n"
    second = begin(other)
    time.sleep(1.0)
    assert second.poll() is None
    first.kill()
    first.communicate()
    began = time.monotonic()
    assert ended(second) == "4\n"
    assert time.monotonic() - began < 60


def test_damaged_files_are_made_again(houses: list[Path]) -> None:
    house = houses[0]
    ended(begin(house))
    for kind in ("*.nbc", "*.nbi"):
        files = list(caches(house).rglob(kind))
        assert len(files) == 4
        for file in files:
            file.write_bytes(file.read_bytes()[:20])
        assert ended(begin(house)) == "4\n"
        assert ended(begin(house)) == "0\n"


def test_what_cannot_be_stored_is_compiled_all_the_same(houses: list[Path]) -> None:
    house = houses[0]
    ended(begin(house))
    for entry in list(caches(house).iterdir()):
        shutil.rmtree(entry)
        entry.write_text("")
    assert ended(begin(house)) == "4\n"


def test_the_folder_is_the_first_that_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen(**environment: str) -> Path | None:
        for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
            monkeypatch.setenv(name, environment.get(name, ""))
        folder.cache_clear()
        return folder()

    (tmp_path / "file").write_text("")
    file, numba, user, home = (str(tmp_path / name) for name in ("file", "numba", "user", "home"))
    try:
        everything = {"NUMBA_CACHE_DIR": numba, "XDG_CACHE_HOME": user, "HOME": home}
        assert chosen(**everything) == tmp_path / "numba" / "fifteentwo"
        assert chosen(**everything | {"NUMBA_CACHE_DIR": ""}) == tmp_path / "user" / "fifteentwo"
        assert chosen(**everything | {"NUMBA_CACHE_DIR": file}) == tmp_path / "user" / "fifteentwo"
        # A relative path is nobody's choice.
        assert chosen(HOME=home, XDG_CACHE_HOME="user") == tmp_path / "home" / ".cache" / "fifteentwo"
        beside = chosen(NUMBA_CACHE_DIR=file, XDG_CACHE_HOME=file, HOME=file)
        assert beside is not None
        assert beside.parent.parent == Path(machine_code.__file__).parent
        beside.rmdir()
    finally:
        monkeypatch.undo()
        folder.cache_clear()


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder.cache_clear()
    yield tmp_path / "fifteentwo"
    monkeypatch.undo()
    folder.cache_clear()


def test_of_each_module_the_entries_last_used_stay(kept: Path) -> None:
    for module in ("table.pegs", "table.board"):
        for day in range(machine_code.KEPT + 2):
            entry = machine_code.entry(module, f"{day:012d}")
            assert entry is not None
            entry.mkdir(parents=True)
            (entry / "peg-loop.nbi").write_text("")
            machine_code.mark(module, f"{day:012d}", 1)
            for path in (entry, entry.with_name(f"{entry.name}.ready")):
                os.utime(path, (day, day))
    machine_code.use("table.pegs", f"{0:012d}")
    assert clean() == 8
    left = sorted(path.name for path in kept.iterdir() if path.is_dir())
    days = list(range(2, machine_code.KEPT + 2))
    assert left == sorted(
        [f"table.board-{day:012d}" for day in days] + [f"table.pegs-{day:012d}" for day in [0, *days[1:]]]
    )
    assert clean() == 0


def test_a_lock_is_free_when_its_holder_is_killed(kept: Path) -> None:
    path = kept / "a.lock"
    code = (
        "import sys, time; from pathlib import Path; from fifteentwo.fast.machine_code import Lock\n"
        "lock = Lock(Path(sys.argv[1])); lock.acquire(); print('held', flush=True); time.sleep(600)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    waiting = Lock(path)
    try:
        signal.signal(signal.SIGALRM, lambda *_: holder.kill())
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        began = time.monotonic()
        waiting.acquire()
        assert 0.4 < time.monotonic() - began < 5
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        waiting.release()
        holder.communicate()
