"""Options that several commands share."""

import os
import re
from collections.abc import Callable
from gettext import gettext
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from fifteentwo.cli.commands import Option, wrong_usage
from fifteentwo.cli.language import language
from fifteentwo.i18n.catalogue import LANGUAGES
from fifteentwo.rules.errors import FifteenTwoError

Decorated = TypeVar("Decorated", bound=Callable[..., Any] | click.Command)

FILE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)


_PACKAGE = Path(__file__).resolve().parents[1]


class _Written(click.Path):
    """A file or a folder to write, tried at once: OSError now, and not after hours of work.

    Nothing is written into the installed package.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        from tempfile import TemporaryFile

        if not value:
            self.fail(
                gettext("{name} {filename!r} does not exist.").format(name=self.name.title(), filename="")
            )
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        folder = path if self.dir_okay else path.parent
        # Where a symbolic link leads; and a hard link is the file itself, under another name.
        if _PACKAGE in (folder.resolve(), *path.resolve().parents) or (
            path.is_file() and any(path.samefile(one) for one in (_PACKAGE / "data").iterdir())
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


FOLDER = _Written(file_okay=False)
NEW_FILE = _Written(dir_okay=False)


def option(*names: str, **settings: Any) -> Callable[[Decorated], Decorated]:
    """Return an option whose help is a key of the catalogue."""
    return click.option(*names, cls=Option, **settings)


# Read before all else, so only shown and checked here (`language.asked_for`).
lang_option = option("--lang", type=click.Choice(LANGUAGES), expose_value=False, help="help.lang")
page_lang_option = option("--lang", type=click.Choice(LANGUAGES), default=None, help="help.page-lang")
"""For pages: without it every browser gets the language it asks for."""
json_option = option("--json", "as_json", is_flag=True, help="help.json")


def _variant(ctx: click.Context, parameter: click.Parameter, name: str) -> str:
    from fifteentwo.rules.errors import UnknownVariant
    from fifteentwo.rules.variants import Variant

    if name not in list(Variant):
        _unknown(UnknownVariant(name), ctx, parameter)
    return name


def level_named(ctx: click.Context, parameter: click.Parameter, name: str) -> str:
    """The name of a level; wrong usage where there is none of it."""
    from fifteentwo.players import LEVELS, UnknownLevel

    if name not in LEVELS:
        _unknown(UnknownLevel(name), ctx, parameter)
    return name


def _unknown(error: FifteenTwoError, ctx: click.Context, parameter: click.Parameter) -> NoReturn:
    """What is no word of the command line is wrong usage, as an unknown option is."""
    from fifteentwo.i18n import refusal

    raise click.BadParameter(refusal(error, language(ctx)), ctx, parameter)


def _variants(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    from fifteentwo.rules.variants import Variant

    return [name for name in Variant if name.startswith(incomplete)]


def complete_levels(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """The levels that begin so, for a shell."""
    from fifteentwo.players import LEVELS

    return [name for name in LEVELS if name.startswith(incomplete)]


variant_option = option(
    "--variant",
    default="six-card",
    show_default=True,
    metavar="VARIANT",
    callback=_variant,
    shell_complete=_variants,
    help="help.variant",
)


def _entrant(ctx: click.Context, parameter: click.Parameter, name: str | None) -> str | None:
    from fifteentwo.players import LEVELS

    if name is None:
        # A ladder has its own.
        if ctx.params.get("ladder") is None:
            raise click.MissingParameter(ctx=ctx, param=parameter)
        return None
    if name in LEVELS or not is_program(name):
        return level_named(ctx, parameter, name)
    checked_program(name, ctx, parameter)
    return name


def is_program(name: str) -> bool:
    """Whether words name a program and not a level: a path, or a command with arguments."""
    return "/" in name or len(name.split()) > 1


def checked_program(command: str, ctx: click.Context, parameter: click.Parameter) -> None:
    """Wrong usage where there is no such program."""
    from fifteentwo.engines.process import NoProgram, split_command

    try:
        split_command(command)
    except NoProgram as error:
        _unknown(error, ctx, parameter)


def entrant_argument(name: str) -> Callable[[Decorated], Decorated]:
    """A level, or a program with its arguments; wrong usage where there is none."""
    return click.argument(
        name, required=False, metavar=name.upper(), callback=_entrant, shell_complete=complete_levels
    )


jobs_option = option("--jobs", type=click.IntRange(1), default=None, help="help.jobs")
checkpoint_option = option("--checkpoint", type=FOLDER, default=None, help="help.checkpoint")


def _scheduler(_: click.Context, __: click.Parameter, address: str | None) -> str | None:
    if address is None:
        return None
    if find_spec("distributed") is None:
        from fifteentwo.rules.errors import NotInstalled

        raise NotInstalled("cluster")
    if not re.search(r":[0-9]+$|^inproc://", address):
        wrong_usage("dask")
    return address


dask_option = option("--dask", metavar="ADDRESS", default=None, callback=_scheduler, help="help.dask")
