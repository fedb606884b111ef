"""The wheel as a user gets it: small, the same from each build, typed, and a program of theirs runs."""

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("user_program.py")
MOST_BYTES = 9_000_000

pytestmark = pytest.mark.slow


def run(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=900, cwd=cwd)


def built(folder: Path) -> Path:
    """A wheel of this tree."""
    pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-q", "-w", folder)
    done = run(*pip, ROOT, cwd=folder.parent)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment that has the wheel and what it needs."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    done = run(python, "-m", "pip", "install", "-q", wheel, cwd=folder)
    if done.returncode:
        pytest.skip(f"no package registry answers: {done.stderr[-300:]}")
    return python


def test_the_wheel_is_small_and_each_build_has_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    assert wheel.stat().st_size <= MOST_BYTES
    assert built(tmp_path).read_bytes() == wheel.read_bytes()


def test_a_users_program_runs_where_only_the_wheel_is(python: Path, tmp_path: Path) -> None:
    done = run(python, "-W", "error", shutil.copy(PROGRAM, tmp_path), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("29 ")


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_it_passes_strict_type_checkers(checker: str, python: Path, tmp_path: Path) -> None:
    program = shutil.copy(PROGRAM, tmp_path)
    node = ROOT / ".venv" / "node_modules" / ".bin" / "pyright"
    if checker == "mypy":
        words = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(python)]
    elif found := shutil.which("pyright") or (str(node) if node.exists() else None):
        (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
        words = [found, "--pythonpath", str(python)]
    else:
        pytest.skip("pyright is not installed")
    done = run(*words, program, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
