"""The wheel as users install it: small, reproducible, typed, and able to run a user's program."""

import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("user_program.py")
MAX_WHEEL_BYTES = 21_000_000
"""Limit with the manual; most bytes are compressed solved tables."""

pytestmark = pytest.mark.slow


def run(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=900, cwd=cwd)


def built(folder: Path, root: Path = ROOT) -> Path:
    pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-q", "-w", folder)
    done = run(*pip, root, cwd=folder.parent)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of a new environment with the wheel and its requirements."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    done = run(python, "-m", "pip", "install", "-q", wheel, cwd=folder)
    if done.returncode:
        pytest.skip(f"no package registry answers: {done.stderr[-300:]}")
    return python


def test_the_wheel_is_small_and_each_build_has_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    assert wheel.stat().st_size <= MAX_WHEEL_BYTES
    assert built(tmp_path).read_bytes() == wheel.read_bytes()


def test_the_wheel_contains_the_manual_if_it_is_built(tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(
        ROOT / "src", root / "src", ignore=shutil.ignore_patterns("data", "manual", "__pycache__")
    )
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, root)
    page = "fifteentwo/web/manual/en/index.html"
    assert page not in zipfile.ZipFile(built(tmp_path / "without", root)).namelist()
    (root / "src" / page).parent.mkdir(parents=True)
    (root / "src" / page).write_text("the manual")
    assert page in zipfile.ZipFile(built(tmp_path / "with", root)).namelist()


def test_a_users_program_runs_with_the_wheel_alone(python: Path, tmp_path: Path) -> None:
    done = run(python, "-W", "error", shutil.copy(PROGRAM, tmp_path), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("29 ")


def test_it_passes_strict_type_checkers(subtests: pytest.Subtests, python: Path, tmp_path: Path) -> None:
    for checker in ("mypy", "pyright"):
        with subtests.test(checker=checker):
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
