"""Options that several commands share."""

import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import click

from fifteentwo.cli.commands import Option, wrong_usage
from fifteentwo.i18n.catalogue import LANGUAGES

Decorated = TypeVar("Decorated", bound=Callable[..., Any] | click.Command)

FILE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
NEW_FILE = click.Path(dir_okay=False, path_type=Path)


def option(*names: str, **settings: Any) -> Callable[[Decorated], Decorated]:
    """An option whose help is told in both languages."""
    return click.option(*names, cls=Option, **settings)


# Read before all else, so only shown and checked here (`language.asked_for`).
lang_option = option("--lang", type=click.Choice(LANGUAGES), expose_value=False, help="help.lang")
page_lang_option = option("--lang", type=click.Choice(LANGUAGES), default=None, help="help.page-lang")
"""For pages: without it every browser gets the language it asks for."""
json_option = option("--json", "as_json", is_flag=True, help="help.json")
form_option = option("--form", default="six-card", show_default=True, metavar="FORM", help="help.form")
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
