"""Commands about the levels: arena, bot."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command, wrong_usage
from fifteentwo.cli.language import language
from fifteentwo.cli.options import (
    FILE,
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
"""In place of a level: the program that follows is checked."""


def _bot_level(ctx: click.Context, parameter: click.Parameter, name: str) -> str:
    return name if name == CHECK else level_named(ctx, parameter, name)


def _bot_command(ctx: click.Context, parameter: click.Parameter, command: str | None) -> str | None:
    if ctx.params.get("level") == CHECK:
        if command is None:
            raise click.MissingParameter(ctx=ctx, param=parameter)
        checked_program(command, ctx, parameter)
    elif command is not None:
        wrong_usage("bot-command")
    return command


class _Arena(TypedDict):
    """What may be chosen of an arena."""

    games: int
    seed: int
    variant: str
    time: float
    luck: bool
    jobs: int | None
    dask: str | None
    checkpoint: Path | None
    ladder: Path | None
    html: Path | None


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
@option("--ladder", type=FILE, default=None, is_eager=True, help="help.arena.ladder")
@option("--html", type=NEW_FILE, default=None, help="help.arena.html")
@json_option
@lang_option
def arena(first: str | None, second: str | None, as_json: bool, **chosen: Unpack[_Arena]) -> None:
    """Two players, levels or programs, play duplicate deals with seats swapped; or all of a ladder do."""
    if chosen["games"] % 2:
        wrong_usage("games-odd", games=chosen["games"] + 1)
    is_ladder = chosen["ladder"] is not None
    if is_ladder == (first is not None) or chosen["luck" if is_ladder else "html"]:
        wrong_usage("ladder")
    if chosen["ladder"] is not None:
        _ladder(chosen["ladder"], as_json, chosen)
        return
    assert first is not None
    assert second is not None
    from fifteentwo.contest import arena as contest
    from fifteentwo.i18n.arena import arena_text

    lang = language()
    entrants = _entrant(first, chosen["time"]), _entrant(second, chosen["time"])
    _compile(entrants, chosen)
    result = contest.arena(
        *entrants,
        chosen["games"],
        chosen["seed"],
        variant=chosen["variant"],
        luck=chosen["luck"] or not all(isinstance(one, str) for one in entrants),
        running=contest.Running(chosen["jobs"], chosen["dask"], chosen["checkpoint"], _progress(lang)),
    )
    terminal.write_report(result, as_json, lambda: arena_text(result, lang))


def _entrant(words: str, seconds: float) -> "str | Entrant":
    """A level by its name, or a program."""
    if not is_program(words):
        return words
    from fifteentwo.engines.engine import program

    return program(words, time=seconds)


def _ladder(file: Path, as_json: bool, chosen: _Arena) -> None:
    """Play all pairs of a file's players, and print their ratings."""
    from fifteentwo.cli.files import put, text_of
    from fifteentwo.contest.arena import Running
    from fifteentwo.contest.ladder import ladder
    from fifteentwo.i18n.ladder import ladder_html, ladder_text

    lang = language()
    entrants = _entrants(text_of(file), chosen["time"])
    _compile(entrants, chosen)
    running = Running(chosen["jobs"], chosen["dask"], chosen["checkpoint"], _progress(lang))
    result = ladder(entrants, chosen["games"], chosen["seed"], variant=chosen["variant"], running=running)
    if chosen["html"] is not None:
        put(chosen["html"], ladder_html(result, lang))
    terminal.write_report(result, as_json, lambda: ladder_text(result, lang))


def _entrants(written: str, seconds: float) -> "list[str | Entrant]":
    """A level or a program a line, with `NAME = ` before it or without; # begins a remark."""
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


def _compile(entrants: "Sequence[str | Entrant]", chosen: _Arena) -> None:
    """Compile what the levels among them need, unless a cluster plays."""
    if chosen["dask"] is None:
        from fifteentwo.analysis.rollouts.playouts import kernels_of

        levels = [one for one in entrants if isinstance(one, str)]
        compile_first(kernels_of(levels, chosen["variant"]), chosen["jobs"])


def _progress(lang: str) -> Callable[[int, int], None]:
    """Return what writes every five seconds how many games are played, and how long the rest takes."""
    from fifteentwo.i18n.arena import progress_text

    written = time.monotonic()
    first: list[tuple[float, int]] = []

    def write(played: int, games: int) -> None:
        nonlocal written
        now = time.monotonic()
        # Reckoned from the first batch on: games kept by an earlier run took no time of this one.
        first.append((now, played))
        if now - written >= 5 and len(first) > 1:
            written = now
            began, before = first[0]
            left = (now - began) * (games - played) / (played - before)
            terminal.write_error(progress_text(played, games, left, lang))

    return write


@click.command(cls=Command)
@click.argument("level", callback=_bot_level, shell_complete=complete_levels)
@click.argument("command", required=False, callback=_bot_command)
@_seed_option
@_time_option
@json_option
@lang_option
def bot(level: str, command: str | None, seed: int, time: float, as_json: bool) -> int:
    """Answer Views with actions, JSON lines on stdin and stdout, or check a program that does."""
    if command is not None:
        return _check(command, seed, time, as_json)
    from fifteentwo.background_compilation import never_wait
    from fifteentwo.cli.files import given_lines
    from fifteentwo.engines.bot import Bot

    never_wait()
    answering = Bot(level, seed)
    terminal.write_error(answering.introduction.decode())
    for answer in answering.responses(given_lines()):
        print(answer.decode(), flush=True)
    return 0


def _check(command: str, seed: int, seconds: float, as_json: bool) -> int:
    """Print whether a program keeps to the protocol; 1 where it does not."""
    from msgspec import to_builtins

    from fifteentwo.engines.check import check
    from fifteentwo.engines.engine import program
    from fifteentwo.i18n.engines import check_text

    report = to_builtins(check(program(command, time=seconds), seed))
    terminal.write_report(report, as_json, lambda: check_text(report, language()))
    return 0 if report["passed"] else 1
