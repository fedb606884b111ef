"""The command prepare, and what other commands say while loops are compiled for them."""

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
    """Compile all loops beforehand, so that nothing waits for it later."""
    from fifteentwo.prepare import Prepared, run
    from fifteentwo.rules.errors import NotInstalled

    lang = language(click.get_current_context())
    try:
        prepared = run(everything=everything, jobs=jobs, say=_teller(lang))
    except NotInstalled:
        # Nothing is wrong: without numba nothing is ever compiled, and everything works.
        prepared = Prepared(kernels=0, compiled=0, seconds=0.0, folder="")
    if as_json:
        terminal.say_json(prepared._asdict())
    elif not prepared.folder:
        terminal.say(text("report.prepare.nothing", lang))
    else:
        terminal.say(
            text(
                "report.prepare",
                lang,
                kernels=prepared.kernels,
                compiled=prepared.compiled,
                seconds=f"{prepared.seconds:.1f}",
                folder=prepared.folder,
            )
        )


def compile_first(modules: Sequence[str], jobs: int | None = None) -> None:
    """Compile what is missing of the loops of these modules, and say so; silent where nothing is."""
    if not modules:
        return
    from fifteentwo.prepare import CannotPrepare, compile_missing

    lang = language(click.get_current_context())
    try:
        compile_missing(modules, jobs, _teller(lang))
    except CannotPrepare as error:
        from fifteentwo.i18n import refusal

        # Each process compiles its own.
        terminal.say_aside(refusal(error, lang))


def _teller(lang: str) -> Callable[[Progress], None]:
    """Says on the error stream that loops are compiled, and from then on how far that is."""
    begun: list[bool] = []

    def say(progress: Progress) -> None:
        if not begun:
            terminal.say_aside(text("report.prepare.begin", lang))
            begun.append(True)
            return
        values = {**progress._asdict(), "seconds": f"{progress.seconds:.0f}"}
        terminal.say_aside(text("report.prepare.progress", lang, **values))

    return say
