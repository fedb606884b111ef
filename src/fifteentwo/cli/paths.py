"""The command paths: the files of this program on this machine, their sizes, and how to remove them."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

import fifteentwo
from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command
from fifteentwo.cli.language import language
from fifteentwo.cli.options import json_option, lang_option
from fifteentwo.i18n.catalogue import text


def _bytes_on_disk(place: Path) -> int:
    """Return the bytes of a folder, or of a file with SQLite's files next to it; 0 if nothing exists."""
    files = place.rglob("*") if place.is_dir() else place.parent.glob(f"{place.name}*")
    return sum(file.stat().st_size for file in files if file.is_file())


def kept() -> dict[str, Path]:
    """Return the database ("games"), compiled kernels ("compiled") and the installed package ("program")."""
    from fifteentwo.rules.errors import NotInstalled
    from fifteentwo.server.settings import games_file

    found = {"games": games_file()}
    with suppress(NotInstalled):  # If NumPy is missing, there are no compiled kernels.
        from fifteentwo.prepare import machine_code

        found["compiled"] = machine_code()
    return found | {"program": Path(fifteentwo.__file__).parent}


@click.command(cls=Command)
@json_option
@lang_option
def paths(as_json: bool) -> None:
    """List the files of this program on this machine, and how to remove them."""
    report: dict[str, Any] = {
        name: {"path": str(place), "bytes": _bytes_on_disk(place)} for name, place in kept().items()
    }
    report["database_from_environment"] = "FIFTEENTWO_DATABASE_URL" in os.environ
    terminal.write_report(report, as_json, lambda: _report_in_words(report, language()))


def _report_in_words(report: dict[str, Any], lang: str) -> str:
    lines = []
    for name in ("games", "compiled", "program"):
        if name in report:
            size = report[name]["bytes"] / 1e6
            state = text("paths.size", lang, size=f"{size:.1f}") if size else text("paths.empty", lang)
            lines.append(text(f"paths.{name}", lang, path=report[name]["path"], state=state))
    if report["database_from_environment"]:
        lines.append(text("paths.environment", lang))
    return "\n".join([*lines, text("paths.browser", lang), text("paths.remove", lang)])
