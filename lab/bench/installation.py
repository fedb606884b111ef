"""Disk space of installations: `python -m lab installation dist/*.whl python3.12 python3.13`."""

import subprocess
import tempfile
import time
from pathlib import Path

import click

EXTRAS = ("", "[table]", "[fast]")
"""What is installed, each in an environment of its own."""


def _size(folder: Path) -> float:
    """Return the MB of all files below a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def installed(wheel: Path, extra: str, python: str) -> tuple[float, int, float]:
    """Install a wheel with an extra; return MB above an empty environment, packages, and seconds."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([python, "-m", "venv", place], check=True)
        empty = _size(Path(place))
        started = time.monotonic()
        pip = [f"{place}/bin/python", "-m", "pip", "install", "--quiet", "--no-cache-dir"]
        subprocess.run([*pip, f"{wheel.absolute()}{extra}"], check=True)
        seconds = time.monotonic() - started
        packages = {path.name for path in Path(place).glob("lib/python*/site-packages/*.dist-info")}
        ours = {name for name in packages if not name.startswith(("pip-", "setuptools-"))}
        return _size(Path(place)) - empty, len(ours), seconds


@click.command()
@click.argument("wheel", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("pythons", nargs=-1, required=True)
def main(wheel: Path, pythons: tuple[str, ...]) -> None:
    """Print a row for each Python: MB, packages and seconds of each installation."""
    click.echo(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    for python in pythons:
        version = subprocess.run([python, "-V"], check=True, capture_output=True, text=True).stdout.split()[
            -1
        ]
        cells = [
            f"{size:.0f} MB, {packages} packages, {seconds:.0f} s"
            for size, packages, seconds in (installed(wheel, extra, python) for extra in EXTRAS)
        ]
        click.echo(f"| {version} | {' | '.join(cells)} |")
