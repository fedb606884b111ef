"""Build .venv with pip: `set_up.py play` installs what playing needs, `set_up.py whole` everything.

`.venv/ready.json` says for which Python and folder .venv was built and which locks are installed. The file is
removed while pip installs: without it, or for another Python or folder, .venv is built from nothing.
"""

import fcntl
import hashlib
import importlib
import json
import os
import shlex
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - an older Python runs this file up to this line
    sys.exit(
        f"Fifteen Two needs Python 3.11 or newer; {sys.executable} is {sys.version.split()[0]}. "
        "Name another: make play PYTHON=python3.12"
    )

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = str(VENV / "bin" / "python")
READY = VENV / "ready.json"
LOCKS = {"play": "constraints-play.txt", "whole": "constraints.txt"}
"""Lock files; all of `play` is in `whole`."""
PLACE = f"{sys.base_prefix} {sysconfig.get_config_var('EXT_SUFFIX')} {VENV}"
"""The Python and the folder for which .venv is built."""
PYTHON_OPTION = 22, 3
"""The first version of pip with --python, which installs into a .venv that has no pip: 4 s faster."""
SCRIPT = """#!/bin/sh
'''exec' {python} "$0" "$@"
' '''
from fifteentwo.__main__ import main
main()
"""
"""The command `fifteentwo`, for sh and for Python: a line #!/path may have no space and 127 bytes at most."""


def digest(kind: str) -> str:
    """Return the digest of all files that decide what is installed."""
    names = (LOCKS[kind], "pyproject.toml", Path(__file__).name)
    return hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in names)).hexdigest()


def installed() -> dict[str, str]:
    """Return the digest of each kind that is installed in .venv; nothing if .venv must be built again."""
    try:
        ready: dict[str, str] = json.loads(READY.read_text("utf-8"))
        return ready if ready.pop("place") == PLACE else {}
    except (OSError, ValueError, KeyError):
        return {}


def pip() -> tuple[str, ...]:
    """Return the command that runs pip for .venv; make .venv if there is none."""
    try:
        version = importlib.import_module("pip").__version__
        is_new = tuple(map(int, version.split(".")[:2])) >= PYTHON_OPTION
    except (ImportError, ValueError):
        is_new = False
    if not installed():
        without = ("--without-pip",) if is_new else ()
        subprocess.run([sys.executable, "-m", "venv", "--clear", *without, str(VENV)], check=True)
    return (sys.executable, "-m", "pip", "--python", PYTHON) if is_new else (PYTHON, "-m", "pip")


def install(kind: str, lock: int) -> None:
    """Install the packages of a lock, each checked against its hash, and this folder's source."""
    options = (
        "--quiet",
        "--disable-pip-version-check",
        "install",
        "--no-compile",
        "--no-deps",
        "--require-hashes",
    )
    command = (*pip(), *options, "--requirement", LOCKS[kind])
    before = installed()
    READY.unlink(missing_ok=True)
    try:
        # pip inherits the lock: if only this process is killed, the next one waits until pip ends.
        subprocess.run(command, check=True, cwd=ROOT, pass_fds=(lock,))
    except subprocess.CalledProcessError:
        if before:  # pip installs nothing until all packages are fetched
            write_ready(before)
        raise
    (packages,) = VENV.glob("lib/python*/site-packages")
    # Python 3.11 reads a .pth file in the locale's encoding; a relative path is ASCII in any folder.
    (packages / "fifteentwo.pth").write_text(os.path.relpath(ROOT / "src", packages) + "\n", "ascii")
    write_version(packages / "fifteentwo.dist-info")
    script = VENV / "bin" / "fifteentwo"
    script.write_text(SCRIPT.format(python=shlex.quote(PYTHON)), "utf-8")
    script.chmod(0o755)
    if kind == "whole":
        # Tests measure seconds and count warnings, so that no module may be compiled during a test.
        subprocess.run([PYTHON, "-W", "ignore", "-m", "compileall", "-qq", "-j", "0", str(VENV / "lib")])
    kinds = LOCKS if kind == "whole" else {"play"}
    write_ready(
        {one: text for one, text in before.items() if text == digest(one)}
        | {one: digest(one) for one in kinds}
    )


def write_version(folder: Path) -> None:
    """Write what `importlib.metadata.version("fifteentwo")` reads."""
    import tomllib  # from Python 3.11 on

    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    folder.mkdir(exist_ok=True)
    (folder / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: fifteentwo\nVersion: {version}\n", "utf-8"
    )


def write_ready(kinds: dict[str, str]) -> None:
    READY.write_text(json.dumps(kinds | {"place": PLACE}), "utf-8")


def lock_folder() -> int:
    """Lock this folder against another process that builds .venv, and return the open folder."""
    lock = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("Another is building .venv: waiting", flush=True)
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def main(kind: str) -> str | int:
    """Bring .venv up to `kind`; return 0 or what to print on standard error."""
    try:
        lock = lock_folder()
        if installed().get(kind) != digest(kind):
            start = time.monotonic()
            print(f"Building .venv ({kind}) with Python {sys.version.split()[0]}", flush=True)
            install(kind, lock)
            files = [os.lstat(file) for file in VENV.rglob("*")]
            size = sum(file.st_blocks for file in files) * 512 / 1e6
            count = len(list(VENV.glob("lib/python*/site-packages/*.dist-info")))
            print(f"{count} packages, {size:.0f} MB, {time.monotonic() - start:.1f} s", flush=True)
    except subprocess.CalledProcessError:
        return ".venv is not ready, for the reason above. Run the same again once that is fixed."
    except OSError as failure:
        return f".venv is not ready: {failure}. Run the same again once that is fixed."
    except KeyboardInterrupt:
        return ".venv is not ready: stopped. Run the same again."
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
