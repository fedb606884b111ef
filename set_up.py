"""Build .venv: `set_up.py play` puts in what playing needs, `set_up.py whole` everything; once in, no word.

Each leaves a stamp in .venv, written last: the Python and the folder .venv is for, a digest of what went in.
Without a stamp for this Python and this folder .venv is made again; with another digest it is brought up.
"""

import fcntl
import hashlib
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - an older Python gets as far as this, and says so
    sys.exit(
        f"Fifteen Two needs Python 3.11 or newer; {sys.executable} is {sys.version.split()[0]}. "
        "Name another: make play PYTHON=python3.12"
    )

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = str(VENV / "bin" / "python")
LOCKED = {"play": "constraints-play.txt", "whole": "constraints.txt"}
"""What goes in, by its kind; the whole has in it what playing needs."""
MANUAL = ROOT / "docs" / "site" / "manual.py"
"""Builds the manual, with packages that nothing else needs."""


def place() -> str:
    """The Python that runs and the folder of .venv: what a .venv cannot outlive."""
    return f"{sys.base_prefix} {sysconfig.get_config_var('EXT_SUFFIX')}\n{VENV}\n"


def stamp(kind: str) -> str:
    """What the stamp says when `kind` is in."""
    digest = hashlib.sha256()
    for name in (LOCKED[kind], "pyproject.toml", Path(__file__).name):
        digest.update((ROOT / name).read_bytes())
    return place() + digest.hexdigest() + "\n"


def stamp_file(kind: str) -> Path:
    return VENV / f"{kind}.stamp"


def written(kind: str) -> str:
    """The stamp that is there; nothing where there is none."""
    try:
        return stamp_file(kind).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def packages() -> dict[str, Path]:
    """What lies in site-packages, by name."""
    return {entry.name: entry for entry in VENV.glob("lib/python*/site-packages/*")}


def megabytes() -> float:
    """What .venv takes on disk."""
    files = (os.lstat(os.path.join(folder, name)) for folder, _, names in os.walk(VENV) for name in names)
    return sum(file.st_blocks * 512 for file in files) / 1e6


def install(kind: str, lock: int) -> None:
    """Install the locked packages and this project into .venv, each as its hash says."""
    pip = (PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-compile")
    run(lock, *pip, "--require-hashes", "--requirement", LOCKED[kind])
    run(lock, *pip, "--no-deps", "--no-build-isolation", "--editable", ".")
    # Python 3.11 reads this in the locale's encoding; a relative path is ASCII, whatever the folder's name.
    source = packages()["_fifteentwo.pth"]
    source.write_text(os.path.relpath(ROOT / "src", source.parent) + "\n", "ascii")
    if kind == "whole":
        # Tests count seconds and warnings: nothing may be left to compile among them.
        subprocess.run([PYTHON, "-W", "ignore", "-m", "compileall", "-qq", "-j", "0", str(VENV / "lib")])


def run(lock: int, *command: str, path: str = "") -> None:
    # The lock is handed on: if only this process is killed, the next one waits for pip to end.
    surroundings = os.environ | {"PYTHONPATH": path} if path else None
    subprocess.run(command, check=True, cwd=ROOT, pass_fds=(lock,), env=surroundings)


def build_manual(lock: int) -> None:
    """Build the manual, which the server shows at /manual; without it a page says how to get it."""
    with tempfile.TemporaryDirectory() as folder:
        pip = (PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-compile")
        try:
            run(lock, *pip, "--require-hashes", "--requirement", "constraints-docs.txt", "--target", folder)
            run(lock, PYTHON, str(MANUAL), path=folder)
        except subprocess.CalledProcessError:
            print("The manual is not built, for the reason above; `make docs` builds it", flush=True)


def build(kind: str, lock: int) -> None:
    """Bring .venv up to `kind`; make it again if it is half made, moved, or made by another Python."""
    start = time.monotonic()
    print(f"Building .venv ({kind}) with Python {sys.version.split()[0]}", flush=True)
    stamps = {stamp_file(one): written(one) for one in LOCKED if written(one).startswith(place())}
    if not stamps:
        run(lock, sys.executable, "-m", "venv", "--clear", str(VENV))
    before = packages().keys()
    for file in stamps:
        file.unlink()
    try:
        install(kind, lock)
    except BaseException:
        if packages().keys() == before:  # it failed while fetching: what stood still stands
            for file, text in stamps.items():
                file.write_text(text, "utf-8")
        raise
    if kind == "play" and MANUAL.exists():
        build_manual(lock)
    for one in ("play", "whole") if kind == "whole" else ("play",):
        stamp_file(one).write_text(stamp(one), "utf-8")
    count = sum(name.endswith(".dist-info") for name in packages())
    print(f"{count} packages, {megabytes():.0f} MB, {time.monotonic() - start:.1f} s", flush=True)


def locked() -> int:
    """This folder, locked against another who builds at the same time."""
    lock = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("Another is building .venv: waiting", flush=True)
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def main(kind: str) -> str | int:
    """0 when `kind` is in, else what to say on standard error."""
    try:
        lock = locked()
        if written(kind) != stamp(kind):
            build(kind, lock)
    except subprocess.CalledProcessError:
        return ".venv is not ready, for the reason above. Run the same again once that is fixed."
    except OSError as failure:
        return f".venv is not ready: {failure}. Run the same again once that is fixed."
    except KeyboardInterrupt:
        return ".venv is not ready: stopped. Run the same again."
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
