"""Commands that serve tables: play, serve."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command
from fifteentwo.cli.language import language
from fifteentwo.cli.options import Decorated, checked_program, option, page_lang_option
from fifteentwo.i18n.catalogue import text

if TYPE_CHECKING:
    from fifteentwo.engines.engine import Program

database_option = option(
    "--database",
    metavar="URL",
    default=None,
    envvar="FIFTEENTWO_DATABASE_URL",
    show_envvar=True,
    help="help.database",
)


def _engines(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """NAME=COMMAND each, with a name that a table can show; wrong usage where it is not, or no program."""
    names = []
    for one in given:
        name, _, command = one.partition("=")
        if not command.strip() or not 0 < len(name) <= 24 or not name.isprintable() or name != name.strip():
            raise click.BadParameter(text("usage.engine", language(ctx)), ctx, parameter)
        checked_program(command, ctx, parameter)
        names.append(name)
    if len(set(names)) < len(names):
        raise click.BadParameter(text("usage.engine", language(ctx)), ctx, parameter)
    return given


engine_option = option(
    "--engine", "engines", multiple=True, metavar="NAME=COMMAND", callback=_engines, help="help.engine"
)
engine_time_option = option(
    "--engine-time",
    type=click.FloatRange(0, 600, min_open=True),
    default=10.0,
    show_default=True,
    help="help.time",
)


def _programs(engines: tuple[str, ...], seconds: float) -> "tuple[Program, ...]":
    """The programs that these options name."""
    if not engines:
        return ()
    from fifteentwo.engines.engine import program

    named = [one.partition("=") for one in engines]
    return tuple(program(command, name=name, time=seconds) for name, _, command in named)


@click.command(cls=Command)
@option("--no-browser", is_flag=True, help="help.play.no-browser")
@option("--port", type=click.IntRange(0, 65535), default=None, help="help.play.port")
@page_lang_option
@database_option
@engine_option
@engine_time_option
def play(
    no_browser: bool = False,
    port: int | None = None,
    lang: str | None = None,
    database: str | None = None,
    engines: tuple[str, ...] = (),
    engine_time: float = 10.0,
) -> None:
    """Play in the browser, on this machine."""
    from fifteentwo.server.serving import serve as run
    from fifteentwo.server.settings import Settings, games_file

    say_in = _spoken(database)
    if database is None:
        # Before anything is created: what will be, and where.
        terminal.write_error(text("play.begin", say_in, path=str(games_file())))
    run(
        port=port,
        database=database,
        open_browser=not no_browser,
        lang=lang,
        output_lang=say_in,
        settings=Settings(engines=_programs(engines, engine_time)),
    )


def _kept(name: str, variable: str, **settings: Any) -> Callable[[Decorated], Decorated]:
    """An option that can stand in the environment instead."""
    settings |= {"envvar": f"FIFTEENTWO_{variable}", "show_envvar": True, "help": f"help.serve.{name[2:]}"}
    return option(name, **settings)


@click.command(cls=Command)
@_kept("--host", "HOST", default="127.0.0.1", show_default=True)
@_kept("--port", "PORT", type=click.IntRange(0, 65535), default=8152, show_default=True)
@database_option
@page_lang_option
@_kept("--allowed-host", "ALLOWED_HOSTS", metavar="NAME", multiple=True)
@_kept("--trusted-proxy", "TRUSTED_PROXIES", metavar="ADDRESS", multiple=True)
@_kept("--structured-logs", "STRUCTURED_LOGS", is_flag=True)
@_kept("--metrics-token", "METRICS_TOKEN", metavar="TOKEN")
@_kept("--unplayed-days", "UNPLAYED_DAYS", type=click.IntRange(0, 36500), default=7, show_default=True)
@engine_option
@engine_time_option
def serve(host: str, port: int, database: str | None, lang: str | None, **kept: Any) -> None:
    """Serve games to other people."""
    kept["engines"] = _programs(kept["engines"], kept.pop("engine_time"))
    named = {"allowed_host": "allowed_hosts", "trusted_proxy": "trusted_proxies"}
    from fifteentwo.server.serving import serve as run
    from fifteentwo.server.settings import Settings

    settings = Settings(**{named.get(name, name): value for name, value in kept.items()})
    say_in = _spoken(database)
    run(
        host=host,
        port=port,
        database=database,
        lang=lang,
        output_lang=say_in,
        settings=settings,
    )


def _spoken(database: str | None) -> str:
    """The terminal's language; refuses what other users of the machine could read."""
    from fifteentwo.server.errors import ServerError

    refuse_visible_password(database)
    ctx = click.get_current_context()
    given = ctx.get_parameter_source("metrics_token") is click.core.ParameterSource.COMMANDLINE
    if given and ctx.params.get("metrics_token"):
        raise ServerError("token-visible")
    return language(ctx)


def refuse_visible_password(database: str | None) -> None:
    """Refuse a password in the command line, where every user of the machine can read it."""
    ctx = click.get_current_context()
    if database is None or ctx.get_parameter_source("database") is not click.core.ParameterSource.COMMANDLINE:
        return
    from fifteentwo.server.errors import ServerError
    from fifteentwo.server.store.connection import database_url

    url = database_url(database)
    if url.password is not None or "password" in url.query:
        raise ServerError("password-visible")
