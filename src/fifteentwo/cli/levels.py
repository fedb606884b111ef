"""The commands arena and bot: matches of computer players, and levels as programs for other engines."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command, wrong_usage
from fifteentwo.cli.language import language
from fifteentwo.cli.options import (
    FILE,
    FOLDER,
    NEW_FILE,
    checked_program,
    checkpoint_option,
    complete_levels,
    dask_option,
    entrant_argument,
    is_program,
    jobs_option,
    json_option,
    lang_option,
    level_named,
    option,
    variant_option,
)
from fifteentwo.cli.preparing import compile_first

if TYPE_CHECKING:
    from fifteentwo.contest.arena import Running
    from fifteentwo.contest.entrants import Entrant

_seed_option = option("--seed", type=int, default=1, show_default=True, help="help.seed")
_time_option = option(
    "--time",
    type=click.FloatRange(0, 86_400, min_open=True),
    default=10.0,
    show_default=True,
    help="help.time",
)


CHECK = "check"
"""The word that `bot` takes in place of a level in order to check a program."""


def _read_bot_level(ctx: click.Context, parameter: click.Parameter, name: str) -> str:
    return name if name == CHECK else level_named(ctx, parameter, name)


def _read_bot_command(ctx: click.Context, parameter: click.Parameter, command: str | None) -> str | None:
    if ctx.params.get("level") == CHECK:
        if command is None:
            raise click.MissingParameter(ctx=ctx, param=parameter)
        checked_program(command, ctx, parameter)
    elif command is not None:
        wrong_usage("bot-command")
    return command


@click.command(cls=Command)
@entrant_argument("first")
@entrant_argument("second")
@option(
    "--games", type=click.IntRange(2, 10_000_000), default=1000, show_default=True, help="help.arena.games"
)
@_seed_option
@_time_option
@option("--luck", is_flag=True, help="help.arena.luck")
@jobs_option
@dask_option
@variant_option
@checkpoint_option
@option("--records", type=FOLDER, default=None, help="help.arena.records")
@option("--ladder", type=FILE, default=None, is_eager=True, help="help.arena.ladder")
@option("--html", type=NEW_FILE, default=None, help="help.arena.html")
@json_option
@lang_option
def arena(first: str | None, second: str | None, ladder: Path | None, as_json: bool, **chosen: Any) -> None:
    """Let two levels or programs, or all pairs of a ladder, play duplicate deals with seats swapped."""
    from fifteentwo.contest import arena as contest
    from fifteentwo.i18n.arena import arena_text

    if chosen["games"] % 2:
        wrong_usage("games-odd", games=chosen["games"] + 1)
    if (ladder is None) == (first is None) or any(
        chosen[name] for name in (("html",) if ladder is None else ("luck", "records"))
    ):
        wrong_usage("ladder")
    if ladder is not None:
        _run_ladder(ladder, as_json, chosen)
        return
    lang = language()
    assert first is not None
    assert second is not None
    entrants = _make_entrant(first, chosen["time"]), _make_entrant(second, chosen["time"])
    result = contest.arena(
        *entrants,
        chosen["games"],
        chosen["seed"],
        variant=chosen["variant"],
        luck=chosen["luck"] or not all(isinstance(one, str) for one in entrants),
        running=_run_settings(entrants, chosen),
    )
    terminal.write_report(result, as_json, lambda: arena_text(result, lang))


def _make_entrant(words: str, seconds: float) -> "str | Entrant":
    if not is_program(words):
        return words
    from fifteentwo.engines.engine import program

    return program(words, time=seconds)


def _run_ladder(file: Path, as_json: bool, chosen: dict[str, Any]) -> None:
    """Let all pairs of a file's players play, and print their ratings."""
    from fifteentwo.cli.files import read_text, write_file
    from fifteentwo.contest.ladder import ladder
    from fifteentwo.i18n.ladder import ladder_html, ladder_text

    lang = language()
    entrants = _read_entrants(read_text(file), chosen["time"])
    running = _run_settings(entrants, chosen)
    result = ladder(entrants, chosen["games"], chosen["seed"], variant=chosen["variant"], running=running)
    if chosen["html"] is not None:
        write_file(chosen["html"], ladder_html(result, lang))
    terminal.write_report(result, as_json, lambda: ladder_text(result, lang))


def _read_entrants(written: str, seconds: float) -> "list[str | Entrant]":
    """Return the players of a ladder file: a level or a program on each line, `NAME = ` is optional.

    Lines that begin with # are comments.
    """
    from fifteentwo.engines.engine import program
    from fifteentwo.players import LEVELS, UnknownLevel
    from fifteentwo.rules.errors import FifteenTwoError, NotationError

    found: list[str | Entrant] = []
    for number, line in enumerate(written.splitlines(), start=1):
        name, named, words = line.strip().partition(" = ")
        if not name or name.startswith("#"):
            continue
        words = words.strip() if named else name
        try:
            if words in LEVELS:
                found.append(words)
            elif named or is_program(words):
                found.append(program(words, time=seconds, name=name.strip()))
            else:
                raise UnknownLevel(words)
        except FifteenTwoError as error:
            raise NotationError("ladder-line", words, number) from error
    if len(found) < 2:
        raise NotationError("ladder-short", written[:40], 1)
    return found


def _run_settings(entrants: "Sequence[str | Entrant]", chosen: dict[str, Any]) -> "Running":
    """Return how to run an arena, after compiling the levels' kernels unless a Dask cluster plays."""
    from fifteentwo.analysis.rollouts.playouts import kernels_of
    from fifteentwo.contest.arena import Running

    if chosen["dask"] is None:
        levels = [one for one in entrants if isinstance(one, str)]
        compile_first(kernels_of(levels, chosen["variant"]), chosen["jobs"])
    return Running(
        chosen["jobs"], chosen["dask"], chosen["checkpoint"], progress_writer(language()), chosen["records"]
    )


def progress_writer(lang: str) -> Callable[[int, int], None]:
    """Return a function that writes, at most every five seconds, games played and seconds left."""
    from fifteentwo.i18n.arena import progress_text

    written = time.monotonic()
    first: list[tuple[float, int]] = []

    def write(played: int, games: int) -> None:
        nonlocal written
        now = time.monotonic()
        # The first call counts from zero: games stored by an earlier run took no time now.
        first.append((now, played))
        if now - written >= 5 and len(first) > 1:
            written = now
            began, before = first[0]
            left = (now - began) * (games - played) / (played - before)
            terminal.write_error(progress_text(played, games, left, lang))

    return write


@click.command(cls=Command)
@click.argument("level", metavar="LEVEL|check", callback=_read_bot_level, shell_complete=complete_levels)
@click.argument("command", required=False, callback=_read_bot_command)
@_seed_option
@_time_option
@json_option
@lang_option
def bot(level: str, command: str | None, seed: int, time: float, as_json: bool) -> int:
    """Play a level as a program: read Views from stdin, write actions. `bot check` checks a program."""
    if command is not None:
        return _check_program(command, seed, time, as_json)
    from fifteentwo.background_compilation import never_wait
    from fifteentwo.cli.files import input_lines
    from fifteentwo.engines.bot import Bot

    never_wait()
    answering = Bot(level, seed)
    terminal.write_error(answering.introduction.decode())
    for answer in answering.responses(input_lines()):
        print(answer.decode(), flush=True)
    return 0


def _check_program(command: str, seed: int, seconds: float, as_json: bool) -> int:
    """Print whether a program follows the protocol. Return the exit status: 1 if it does not."""
    from msgspec import to_builtins

    from fifteentwo.engines.check import check
    from fifteentwo.engines.engine import program
    from fifteentwo.i18n.engines import check_text

    report = to_builtins(check(program(command, time=seconds), seed))
    terminal.write_report(report, as_json, lambda: check_text(report, language()))
    return 0 if report["passed"] else 1
