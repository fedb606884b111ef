"""The command prepare, and the progress of other commands while kernels are compiled for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command
from fifteentwo.cli.language import language
from fifteentwo.cli.options import jobs_option, json_option, lang_option, option
from fifteentwo.i18n.catalogue import text

if TYPE_CHECKING:
    from fifteentwo.prepare import Progress


@click.command(cls=Command)
@option("--all", "everything", is_flag=True, help="help.prepare.all")
@jobs_option
@json_option
@lang_option
def prepare(everything: bool, jobs: int | None, as_json: bool) -> None:
    """Compile all kernels in advance, so that nothing waits for it later."""
    from fifteentwo.prepare import Prepared, run
    from fifteentwo.rules.errors import NotInstalled

    lang = language()
    try:
        prepared = run(everything=everything, jobs=jobs, say=_progress(lang))
    except NotInstalled:
        # Nothing is wrong: without numba nothing is ever compiled.
        prepared = Prepared(kernels=0, compiled=0, seconds=0.0, folder="")
    values = prepared._asdict()
    key = "report.prepare" if prepared.folder else "report.prepare.nothing"
    terminal.write_report(
        values, as_json, lambda: text(key, lang, **values | {"seconds": f"{prepared.seconds:.1f}"})
    )


def compile_first(modules: Sequence[str], jobs: int | None = None) -> None:
    """Compile the missing kernels of these modules, and write how far that is; nothing where none is."""
    if not modules:
        return
    from fifteentwo.prepare import CannotPrepare, compile_missing

    lang = language()
    try:
        compile_missing(modules, jobs, _progress(lang))
    except CannotPrepare as error:
        from fifteentwo.i18n import refusal

        # Each process compiles its own.
        terminal.write_error(refusal(error, lang))


def _progress(lang: str) -> Callable[[Progress], None]:
    """Return what writes to the error stream that kernels are compiled, and from then on how far that is."""
    begun: list[bool] = []

    def write(progress: Progress) -> None:
        if not begun:
            terminal.write_error(text("report.prepare.begin", lang))
            begun.append(True)
            return
        values = {**progress._asdict(), "seconds": f"{progress.seconds:.0f}"}
        terminal.write_error(text("report.prepare.progress", lang, **values))

    return write
