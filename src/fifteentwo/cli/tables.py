"""The commands play and serve: start the web server for one person or for many."""

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


def _check_engines(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Check each NAME=COMMAND: a unique printable name of at most 24 characters, an existing program."""
    names = []
    for engine in given:
        name, _, command = engine.partition("=")
        if not command.strip() or not 0 < len(name) <= 24 or not name.isprintable() or name != name.strip():
            raise click.BadParameter(text("usage.engine", language(ctx)), ctx, parameter)
        checked_program(command, ctx, parameter)
        names.append(name)
    if len(set(names)) < len(names):
        raise click.BadParameter(text("usage.engine", language(ctx)), ctx, parameter)
    return given


engine_option = option(
    "--engine", "engines", multiple=True, metavar="NAME=COMMAND", callback=_check_engines, help="help.engine"
)
# Seconds that an engine may take for an action.
_ENGINE_TIME_OPTION = {"type": click.FloatRange(0, 600, min_open=True), "default": 10.0, "show_default": True}
engine_time_option = option("--engine-time", help="help.time", **_ENGINE_TIME_OPTION)


def _make_programs(engines: tuple[str, ...], seconds: float) -> "tuple[Program, ...]":
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
def play(no_browser: bool, engines: tuple[str, ...], engine_time: float, **chosen: Any) -> None:
    """Play in the browser, on this machine."""
    from fifteentwo.server.serving import serve as run
    from fifteentwo.server.settings import Settings, games_file

    _refuse_secrets(chosen["database"])
    output_lang, settings = language(), Settings(engines=_make_programs(engines, engine_time))
    if chosen["database"] is None:
        # Name the file before it is created.
        terminal.write_error(text("play.begin", output_lang, path=str(games_file())))
    run(open_browser=not no_browser, output_lang=output_lang, settings=settings, **chosen)


def _server_option(name: str, variable: str, **settings: Any) -> Callable[[Decorated], Decorated]:
    """Return an option that can also be set by the environment variable FIFTEENTWO_`variable`."""
    settings |= {"envvar": f"FIFTEENTWO_{variable}", "show_envvar": True, "help": f"help.serve.{name[2:]}"}
    return option(name, **settings)


@click.command(cls=Command)
@_server_option("--host", "HOST", default="127.0.0.1", show_default=True)
@_server_option("--port", "PORT", type=click.IntRange(0, 65535), default=8152, show_default=True)
@database_option
@page_lang_option
@_server_option("--allowed-host", "ALLOWED_HOSTS", metavar="NAME", multiple=True)
@_server_option("--trusted-proxy", "TRUSTED_PROXIES", metavar="ADDRESS", multiple=True)
@_server_option("--structured-logs", "STRUCTURED_LOGS", is_flag=True)
@_server_option("--metrics-token", "METRICS_TOKEN", metavar="TOKEN")
@_server_option(
    "--unplayed-days", "UNPLAYED_DAYS", type=click.IntRange(0, 36500), default=7, show_default=True
)
@option("--no-browser", is_flag=True, expose_value=False, help="help.serve.no-browser")
@engine_option
@engine_time_option
def serve(host: str, port: int, database: str | None, lang: str | None, **chosen: Any) -> None:
    """Serve games to other people."""
    chosen["engines"] = _make_programs(chosen["engines"], chosen.pop("engine_time"))
    fields = {"allowed_host": "allowed_hosts", "trusted_proxy": "trusted_proxies"}
    from fifteentwo.server.serving import serve as run
    from fifteentwo.server.settings import Settings

    settings = Settings(**{fields.get(name, name): value for name, value in chosen.items()})
    _refuse_secrets(database)
    run(host=host, port=port, database=database, lang=lang, output_lang=language(), settings=settings)


def _refuse_secrets(database: str | None) -> None:
    """Refuse a password or token in the command line, where every user of the machine can read it."""
    from fifteentwo.server.errors import ServerError

    refuse_visible_password(database)
    ctx = click.get_current_context()
    given = ctx.get_parameter_source("metrics_token") is click.core.ParameterSource.COMMANDLINE
    if given and ctx.params.get("metrics_token"):
        raise ServerError("token-visible")


def refuse_visible_password(database: str | None) -> None:
    """Refuse a database URL with a password, unless the environment has it."""
    ctx = click.get_current_context()
    if database is None or ctx.get_parameter_source("database") is not click.core.ParameterSource.COMMANDLINE:
        return
    from fifteentwo.server.errors import ServerError
    from fifteentwo.server.store.connection import database_url

    url = database_url(database)
    if url.password is not None or "password" in url.query:
        raise ServerError("password-visible")
