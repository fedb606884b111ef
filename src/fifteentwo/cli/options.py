"""Options and arguments that several commands share, with their checks and completions."""

import errno
import os
import re
from collections.abc import Callable
from gettext import gettext
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from fifteentwo.cli.commands import Option, wrong_usage
from fifteentwo.cli.language import language
from fifteentwo.extras import need
from fifteentwo.i18n.catalogue import LANGUAGES
from fifteentwo.rules.errors import FifteenTwoError

Decorated = TypeVar("Decorated", bound=Callable[..., Any] | click.Command)

FILE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
_PACKAGE_FOLDER = Path(__file__).resolve().parents[1]


class _OutputPath(click.Path):
    """A file or folder to write. It is checked when the command starts, not after hours of work.

    Paths in the installed package are refused.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        from tempfile import TemporaryFile

        if not value:
            self.fail(
                gettext("{name} {filename!r} does not exist.").format(name=self.name.title(), filename="")
            )
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        folder = path if self.dir_okay else path.parent
        # Follow symbolic links, and compare with each file of data: a hard link is the same file.
        try:
            targets = (folder.resolve(), *path.resolve().parents)
        except RuntimeError:  # Raised by Python 3.12 for a symbolic link to itself.
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None
        if _PACKAGE_FOLDER in targets or (
            path.is_file() and any(path.samefile(one) for one in (_PACKAGE_FOLDER / "data").iterdir())
        ):
            wrong_usage("installed", file=str(path))
        try:
            if self.dir_okay:
                folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=folder, buffering=0) as file:
                file.write(b"-")
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from None
        return path


FOLDER = _OutputPath(file_okay=False)
NEW_FILE = _OutputPath(dir_okay=False)


def option(*names: str, **settings: Any) -> Callable[[Decorated], Decorated]:
    """Return a decorator that adds an option; `help` is a key of the catalogue."""
    return click.option(*names, cls=Option, **settings)


lang_option = option("--lang", type=click.Choice(LANGUAGES), expose_value=False, help="help.lang")
"""Listed in the help and checked here; `language.requested_language` has read it before click starts."""
page_lang_option = option("--lang", type=click.Choice(LANGUAGES), default=None, help="help.page-lang")
"""The language of all pages. Without it each page has the language that the browser asks for."""
json_option = option("--json", "as_json", is_flag=True, help="help.json")


def _all_variants() -> list[str]:
    from fifteentwo.rules.variants import Variant

    return list(Variant)


def _check_variant(ctx: click.Context, parameter: click.Parameter, name: str) -> str:
    from fifteentwo.rules.errors import UnknownVariant

    if name not in _all_variants():
        _refuse_parameter(UnknownVariant(name), ctx, parameter)
    return name


def level_named(ctx: click.Context, parameter: click.Parameter, name: str) -> str:
    """Return the name of a level. Raise BadParameter if no level has this name."""
    from fifteentwo.players import LEVELS, UnknownLevel

    if is_program(name):
        wrong_usage("bot-program", command=name)
    if name not in LEVELS:
        _refuse_parameter(UnknownLevel(name), ctx, parameter)
    return name


def _refuse_parameter(error: FifteenTwoError, ctx: click.Context, parameter: click.Parameter) -> NoReturn:
    """Raise BadParameter, which exits with status 2, instead of an error that exits with 1."""
    from fifteentwo.i18n import refusal

    raise click.BadParameter(refusal(error, language(ctx)), ctx, parameter)


def complete_levels(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Return the levels whose names begin with `incomplete`, for completion in a shell."""
    from fifteentwo.players import LEVELS

    return [name for name in LEVELS if name.startswith(incomplete)]


variant_option = option(
    "--variant",
    default="six-card",
    show_default=True,
    metavar="VARIANT",
    callback=_check_variant,
    shell_complete=lambda *given: [name for name in _all_variants() if name.startswith(given[-1])],
    help="help.variant",
)


def _check_entrant(ctx: click.Context, parameter: click.Parameter, name: str | None) -> str | None:
    if name is None:
        # A ladder file has the players of a ladder.
        if ctx.params.get("ladder") is None:
            raise click.MissingParameter(ctx=ctx, param=parameter)
        return None
    if not is_program(name):
        return level_named(ctx, parameter, name)
    checked_program(name, ctx, parameter)
    return name


def is_program(name: str) -> bool:
    """Return whether `name` is no level, but a path, a file or a command with arguments."""
    from fifteentwo.players import LEVELS

    return name not in LEVELS and ("/" in name or len(name.split()) > 1 or Path(name).is_file())


def checked_program(command: str, ctx: click.Context, parameter: click.Parameter) -> None:
    """Raise BadParameter if the program of a command does not exist."""
    from fifteentwo.engines.process import NoProgram, split_command

    try:
        split_command(command)
    except NoProgram as error:
        _refuse_parameter(error, ctx, parameter)


def entrant_argument(name: str) -> Callable[[Decorated], Decorated]:
    """Return a decorator that adds an argument: a level, or a program with its arguments."""
    return click.argument(
        name, required=False, metavar=name.upper(), callback=_check_entrant, shell_complete=complete_levels
    )


jobs_option = option("--jobs", type=click.IntRange(1), default=None, help="help.jobs")
checkpoint_option = option("--checkpoint", type=FOLDER, default=None, help="help.checkpoint")


def _check_scheduler(_: click.Context, __: click.Parameter, address: str | None) -> str | None:
    if address is None:
        return None
    need("distributed")
    if not re.search(r":[0-9]+$|^inproc://", address):
        wrong_usage("dask")
    return address


dask_option = option("--dask", metavar="ADDRESS", default=None, callback=_check_scheduler, help="help.dask")
