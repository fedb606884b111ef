"""`make play` and `make .venv` work after interrupted and failed installations."""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import tomllib
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.edges import small_wheels
from tests.support.busy import busy

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="no make here")

GAME = """
import spot, peg
from importlib.metadata import version

def main():
    print("the table is open", version("fifteentwo"))
"""


class Registry:
    """A package index on loopback whose connections can be cut."""

    def __init__(self, wheels: list[Path]) -> None:
        self.wheels = {wheel.name.split("-")[0]: wheel for wheel in wheels}
        self.cut_in: str | None = None
        """The wheel during whose transfer all connections are cut."""
        self.cut = False
        self.tampered: str | None = None
        """The wheel that is sent with changed bytes."""
        self.stalled = threading.Event()
        """Set when `stall_at` is requested; the answer waits for `go_on`."""
        self.go_on = threading.Event()
        self.stall_at: str | None = None
        registry = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                registry.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        name = request.path.strip("/").split("/")[-1].split("-")[0]
        wheel = self.wheels.get(name)
        if name == self.stall_at:
            self.stalled.set()
            self.go_on.wait(60)
        if self.cut or wheel is None:
            request.close_connection = True
            return
        body = wheel.read_bytes()
        if not request.path.endswith(".whl"):
            body = f'<a href="/{wheel.name}">{wheel.name}</a>'.encode()
        elif name == self.tampered:
            body = body.replace(b"spots", b"spits")
        request.send_response(200)
        request.send_header("Content-Type", "text/html")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        if request.path.endswith(".whl") and name == self.cut_in:
            self.cut = True
            body = body[: len(body) // 2]
        request.wfile.write(body)

    def restore(self) -> None:
        self.cut, self.cut_in, self.tampered = False, None, None

    @property
    def port(self) -> int:
        return int(self.server.server_address[1])


class Checkout:
    """A small clone: Makefile, set_up.py, a game of two packages, and a package for developers."""

    def __init__(self, folder: Path, registry: Registry) -> None:
        self.folder, self.registry = folder, registry
        (folder / "src" / "fifteentwo").mkdir(parents=True)
        for name in ("Makefile", "set_up.py"):
            shutil.copy(ROOT / name, folder)
        (folder / "pyproject.toml").write_text('[project]\nname = "fifteentwo"\nversion = "1.5"\n')
        (folder / "src" / "fifteentwo" / "__init__.py").write_text("")
        (folder / "src" / "fifteentwo" / "__main__.py").write_text(GAME)
        self.lock("constraints-play.txt", "spot", "peg")
        self.lock("constraints.txt", "spot", "peg", "hammer")

    def lock(self, file: str, *names: str) -> None:
        wheels = [(name, self.registry.wheels[name].read_bytes()) for name in names]
        lines = [f"{name}==1 --hash=sha256:{hashlib.sha256(wheel).hexdigest()}\n" for name, wheel in wheels]
        (self.folder / file).write_text("".join(lines))

    def begin(self, verb: str, python: str = sys.executable) -> subprocess.Popen[str]:
        """Start make in a locale that cannot write the name of the folder."""
        surroundings = {
            "LC_ALL": "C",
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_INDEX_URL": f"http://127.0.0.1:{self.registry.port}/simple",
            "PIP_NO_CACHE_DIR": "1",
            "PIP_RETRIES": "0",
        }
        ours = ("PIP_", "PYTHON", "MAKE")
        others = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        return subprocess.Popen(
            ["make", verb, f"PYTHON={python}"],
            cwd=self.folder,
            env=others | surroundings,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def make(self, verb: str, python: str = sys.executable) -> tuple[int, str, str]:
        """Run make; return its exit status, output and errors."""
        process = self.begin(verb, python)
        output, errors = process.communicate(timeout=120)
        return process.returncode, output, errors

    def plays(self, python: str = sys.executable) -> str:
        """Return what `make play` prints; check that the game was played."""
        code, output, errors = self.make("play", python)
        assert code == 0, errors
        assert output.endswith("the table is open 1.5\n")
        assert not errors
        return output

    def has(self, name: str) -> bool:
        return any(self.folder.glob(f".venv/lib/python*/site-packages/{name}.py"))


@pytest.fixture
def checkout(tmp_path: Path) -> Iterator[Checkout]:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    text = "spots = 1\n" * 2000
    names = ("spot", "peg", "hammer")
    registry = Registry([small_wheels.write_wheel(shelf, name, {f"{name}.py": text}) for name in names])
    yield Checkout(tmp_path / "クリベッジ and a space", registry)
    registry.server.shutdown()
    registry.server.server_close()


@pytest.mark.long
@pytest.mark.parametrize("wheel", [pytest.param("spot", marks=pytest.mark.slow), "peg"])
def test_the_second_make_play_plays_when_the_first_was_cut(checkout: Checkout, wheel: str) -> None:
    checkout.registry.cut_in = wheel
    code, output, errors = checkout.make("play")
    assert (code, checkout.has("spot"), checkout.has("peg")) == (2, False, False)
    assert "the table" not in output
    assert "Run the same again once that is fixed." in errors
    checkout.registry.restore()
    output = checkout.plays()
    assert re.search(r"^\d+ packages, \d+ MB, \d+\.\d s$", output, re.MULTILINE)
    assert not checkout.has("hammer")
    checkout.registry.cut = True
    assert checkout.plays() == ".venv/bin/fifteentwo play\nthe table is open 1.5\n"


@pytest.mark.slow
def test_a_changed_wheel_is_not_installed(checkout: Checkout) -> None:
    checkout.registry.tampered = "peg"
    code, _, errors = checkout.make("play")
    assert (code, checkout.has("peg")) == (2, False)
    assert "DO NOT MATCH THE HASHES" in errors
    checkout.registry.restore()
    checkout.plays()


@pytest.mark.slow
def test_playing_works_after_an_interrupted_installation_of_the_whole(checkout: Checkout) -> None:
    checkout.plays()
    checkout.registry.cut_in = "hammer"
    code, _, errors = checkout.make(".venv")
    assert (code, checkout.has("hammer")) == (2, False)
    assert "Run the same again" in errors
    checkout.plays()
    checkout.registry.restore()
    mine = checkout.folder / ".venv" / "mine"
    mine.touch()
    assert checkout.make(".venv")[0] == 0
    assert checkout.has("hammer")
    assert mine.exists(), "the whole is installed over the base, not built from nothing"
    checkout.registry.cut = True
    assert checkout.make(".venv") == (0, "", "")
    checkout.plays()


@pytest.mark.slow
def test_a_killed_installation_is_repeated(checkout: Checkout) -> None:
    checkout.plays()
    checkout.registry.stall_at = "hammer"
    process = checkout.begin(".venv")
    assert checkout.registry.stalled.wait(60)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    checkout.registry.go_on.set()
    # A killed pip can leave a package without its files.
    next(checkout.folder.glob(".venv/lib/python*/site-packages/spot.py")).unlink()
    checkout.plays()


@pytest.mark.slow
def test_an_interrupted_installation_is_reported_and_repeated(checkout: Checkout) -> None:
    checkout.registry.stall_at = "peg"
    process = checkout.begin("play")
    assert checkout.registry.stalled.wait(60)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode != 0
    assert ".venv is not ready: stopped. Run the same again." in errors
    assert "Traceback" not in errors
    checkout.registry.go_on.set()
    checkout.plays()


@pytest.mark.slow
def test_a_python_whose_pip_cannot_install_elsewhere_plays(checkout: Checkout, tmp_path: Path) -> None:
    """A Python without pip, or with pip before 22.3, gets a .venv with its own pip."""
    old = "import pip; pip.__version__ = '22.0.2'"
    assert "Building" in checkout.plays(disguised(tmp_path, old))
    assert checkout.has("pip/__init__")


@pytest.mark.slow
def test_a_moved_folder_is_installed_again(checkout: Checkout) -> None:
    checkout.plays()
    checkout.folder = checkout.folder.rename(checkout.folder.parent / "moved")
    (checkout.folder.parent / "クリベッジ and a space").mkdir()
    assert "Building" in checkout.plays()
    assert "moved/.venv/bin/python" in (checkout.folder / ".venv" / "bin" / "fifteentwo").read_text("utf-8")


@pytest.mark.slow
def test_another_python_installs_again(checkout: Checkout, tmp_path: Path) -> None:
    """The stamp of the .venv records the version of Python."""
    checkout.plays()
    other = disguised(
        tmp_path, "import sysconfig; sysconfig.get_config_vars()['EXT_SUFFIX'] = '.cpython-399.so'"
    )
    mine = checkout.folder / ".venv" / "mine"
    mine.touch()
    assert "Building" in checkout.plays(other)
    assert not mine.exists()
    assert "Building" not in checkout.plays(other)
    assert "Building" in checkout.plays()


@pytest.mark.slow
def test_an_old_python_is_refused_in_one_line_and_harms_nothing(checkout: Checkout, tmp_path: Path) -> None:
    checkout.plays()
    old = disguised(tmp_path, "sys.version_info = (3, 9, 6, 'final', 0)")
    code, _, errors = checkout.make("play", old)
    assert code == 2
    assert errors.startswith("Fifteen Two needs Python 3.11 or newer;")
    assert "make play PYTHON=" in errors.splitlines()[0]
    checkout.registry.cut = True
    checkout.plays()


def disguised(folder: Path, disguise: str) -> str:
    """Write a command that runs this Python with changed behaviour."""
    command = folder / "python"
    begin = f"import runpy, sys, pathlib, subprocess; {disguise}; sys.argv = sys.argv[1:]; "
    begin += "runpy.run_path(sys.argv[0], run_name='__main__')"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{begin}" "$@"\n')
    command.chmod(0o755)
    return str(command)


@pytest.mark.slow
def test_two_installations_at_once_both_succeed(checkout: Checkout) -> None:
    both = [checkout.begin("play"), checkout.begin("play")]
    output = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], output
    assert sum("Another is building .venv: waiting" in out for out, _ in output) == 1
    assert sum("packages" in out for out, _ in output) == 1


@pytest.mark.slow
def test_other_locked_packages_are_installed_and_the_rest_stays(checkout: Checkout) -> None:
    checkout.plays()
    mine = checkout.folder / ".venv" / "mine"
    mine.touch()
    checkout.lock("constraints-play.txt", "spot", "peg", "hammer")
    checkout.plays()
    assert (checkout.has("hammer"), mine.exists()) == (True, True)


@pytest.mark.slow
@pytest.mark.timed
def test_a_fresh_clone_plays(tmp_path: Path) -> None:
    """The limits are 100 MB and 12 s, from the registry and without pip's cache."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    # No browser is opened, and games are stored in a temporary folder.
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MAKE"))}
    clean |= {"PIP_NO_CACHE_DIR": "1", "BROWSER": "true", "XDG_DATA_HOME": str(tmp_path / "data")}
    make = ["make", "play", f"PYTHON={sys.executable}"]
    game = subprocess.Popen(
        make, cwd=clone, env=clean, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert game.stdout
    try:
        output = ""
        while not (table := re.search(r"http://127\.0\.0\.1:\d+/", output)):
            output += (more := game.stdout.readline())
            if not more and "packages" not in output:
                pytest.skip("no registry can be reached")
            assert more, output
        with urllib.request.urlopen(table[0], timeout=10) as page:
            assert page.status == 200
    finally:
        if game.poll() is None:
            os.killpg(game.pid, signal.SIGINT)
        game.communicate(timeout=20)
    # numba is not installed; counting and playing do not need it.
    prepared = subprocess.run(
        [clone / ".venv" / "bin" / "fifteentwo", "prepare"], env=clean, capture_output=True
    )
    assert (prepared.returncode, prepared.stderr) == (0, b"")
    slower = busy()
    built = re.search(r"(\d+) packages, (\d+) MB, ([\d.]+) s", output)
    assert built
    print(f"{built[0]}, the machine {slower:.1f} times as slow as alone")
    assert int(built[2]) <= 100
    assert float(built[3]) / slower <= 12


def pinned(file: str) -> dict[str, list[str]]:
    """Return the hashes of each package of a lock, by its version and marker."""
    text = (ROOT / file).read_text("utf-8").replace("\\\n", " ")
    lines = [line.split("--hash=") for line in text.splitlines() if not line.startswith("#")]
    return {line[0].strip(): sorted(one.strip() for one in line[1:]) for line in lines}


def test_every_locked_package_has_its_hashes_and_no_address() -> None:
    whole, base = pinned("constraints.txt"), pinned("constraints-play.txt")
    assert all(re.match(r"[a-z0-9-]+==[0-9][0-9a-z.]*( ;|$)", name) for name in whole), (
        "a package, one version"
    )
    assert all(
        hashes and all(re.fullmatch(r"sha256:[0-9a-f]{64}", one) for one in hashes)
        for hashes in whole.values()
    )
    assert all(whole[name] == hashes for name, hashes in base.items()), "the whole is built over the base"
    assert not any("://" in lock.read_text() for lock in ROOT.glob("constraints*.txt"))


def test_the_lock_for_play_has_only_the_packages_for_playing() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"]
    base = {name.split("==")[0] for name in pinned("constraints-play.txt")}
    whole = {name.split("==")[0] for name in pinned("constraints.txt")}
    playing = project["project"]["dependencies"] + extras.pop("table")
    assert {bare(one) for one in playing} <= base
    assert {bare(one) for extra in extras.values() for one in extra} - {"fifteentwo"} <= whole - base
    build = project["dependency-groups"]["build"]
    assert build == project["build-system"]["requires"]
    tools = {name.split("==")[0] for name in pinned("constraints-build.txt")}
    assert {bare(one) for one in build + project["dependency-groups"]["docs"]} <= tools <= whole
    assert not tools & {"numba", "pytest"}


def bare(requirement: str) -> str:
    return re.split(r"[^a-z0-9-]", requirement.lower())[0]
