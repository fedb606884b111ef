"""Commands that keep a table: play, serve."""

import os

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command
from fifteentwo.cli.language import language
from fifteentwo.cli.options import option, page_lang_option
from fifteentwo.i18n.catalogue import text

_database_option = option(
    "--database",
    metavar="URL",
    default=None,
    envvar="FIFTEENTWO_DATABASE_URL",
    show_envvar=True,
    help="help.database",
)


@click.command(cls=Command)
@option("--no-browser", is_flag=True, help="help.play.no-browser")
@option("--port", type=click.IntRange(0, 65535), default=None, help="help.play.port")
@page_lang_option
@_database_option
def play(
    no_browser: bool = False, port: int | None = None, lang: str | None = None, database: str | None = None
) -> None:
    """Play in the browser, on this machine."""
    _one_thread_a_product()
    from fifteentwo.server.app import serve as run

    run(port=port, database=database, open_browser=not no_browser, lang=lang, say_in=_spoken(database))


@click.command(cls=Command)
@option("--host", default="127.0.0.1", show_default=True, help="help.serve.host")
@option("--port", type=click.IntRange(0, 65535), default=8152, show_default=True, help="help.serve.port")
@_database_option
@option("--workers", type=click.IntRange(1), default=1, help="help.serve.workers")
@page_lang_option
def serve(host: str, port: int, database: str | None, workers: int, lang: str | None) -> None:
    """Keep a table for others."""
    _one_thread_a_product()
    from fifteentwo.server.app import serve as run

    run(host=host, port=port, database=database, lang=lang, workers=workers, say_in=_spoken(database))


def _one_thread_a_product() -> None:
    """What a page multiplies is small: a second thread costs more than it saves. Before numpy is loaded."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _spoken(database: str | None) -> str:
    """The terminal's language; first warns of a password that other users of the machine can read."""
    ctx = click.get_current_context()
    lang = language(ctx)
    if (
        database is not None
        and ctx.get_parameter_source("database") is click.core.ParameterSource.COMMANDLINE
    ):
        from fifteentwo.server.store import database_url

        if database_url(database).password is not None:
            terminal.refuse(text("serve.password-visible", lang))
    return lang
