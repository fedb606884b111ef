"""The command prepare, and the compilation of kernels before other commands use them."""

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
    """Compile kernels in advance, so that no later command has to wait for the compiler."""
    from fifteentwo.prepare import Prepared, run
    from fifteentwo.rules.errors import NotInstalled

    lang = language()
    try:
        prepared = run(everything=everything, jobs=jobs, progress=_progress_writer(lang))
    except NotInstalled:
        # No error: without numba nothing is ever compiled.
        prepared = Prepared(kernels=0, compiled=0, seconds=0.0, folder="")
    values = prepared._asdict()
    key = "report.prepare" if prepared.folder else "report.prepare.nothing"
    terminal.write_report(
        values, as_json, lambda: text(key, lang, **values | {"seconds": f"{prepared.seconds:.1f}"})
    )


def compile_first(modules: Sequence[str], jobs: int | None = None) -> None:
    """Compile the missing kernels of these modules and write the progress to standard error."""
    if not modules:
        return
    from fifteentwo.prepare import CannotPrepare, compile_missing

    lang = language()
    try:
        compile_missing(modules, jobs, _progress_writer(lang))
    except CannotPrepare as error:
        from fifteentwo.i18n import refusal

        # No failure: each process then compiles the kernels for itself.
        terminal.write_error(refusal(error, lang))


def _progress_writer(lang: str) -> Callable[[Progress], None]:
    """Return a function that announces the compilation at its first call, and later writes the progress."""
    is_announced = False

    def write(progress: Progress) -> None:
        nonlocal is_announced
        if not is_announced:
            terminal.write_error(text("report.prepare.begin", lang))
            is_announced = True
            return
        values = {**progress._asdict(), "seconds": f"{progress.seconds:.0f}"}
        terminal.write_error(text("report.prepare.progress", lang, **values))

    return write
