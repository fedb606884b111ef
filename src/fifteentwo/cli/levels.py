"""Commands about the levels: arena, bot."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypedDict, Unpack

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command, wrong_usage
from fifteentwo.cli.language import language
from fifteentwo.cli.options import (
    checkpoint_option,
    dask_option,
    jobs_option,
    json_option,
    lang_option,
    level_argument,
    option,
    variant_option,
)
from fifteentwo.cli.preparing import compile_first

_seed_option = option("--seed", type=int, default=1, show_default=True, help="help.seed")


class _Arena(TypedDict):
    """What may be chosen of an arena."""

    games: int
    seed: int
    variant: str
    jobs: int | None
    dask: str | None
    checkpoint: Path | None


@click.command(cls=Command)
@level_argument("first")
@level_argument("second")
@option(
    "--games", type=click.IntRange(2, 10_000_000), default=1000, show_default=True, help="help.arena.games"
)
@_seed_option
@jobs_option
@dask_option
@variant_option
@checkpoint_option
@json_option
@lang_option
def arena(first: str, second: str, as_json: bool, **chosen: Unpack[_Arena]) -> None:
    """Two levels play duplicate deals with seats swapped."""
    if chosen["games"] % 2:
        wrong_usage("games-odd", games=chosen["games"] + 1)
    from fifteentwo.analysis.rollouts.playouts import kernels_of
    from fifteentwo.contest import arena as contest
    from fifteentwo.i18n.arena import arena_text

    lang = language()
    if chosen["dask"] is None:
        compile_first(kernels_of((first, second), chosen["variant"]), chosen["jobs"])
    running = contest.Running(chosen["jobs"], chosen["dask"], chosen["checkpoint"], _progress(lang))
    result = contest.arena(
        first, second, chosen["games"], chosen["seed"], variant=chosen["variant"], running=running
    )
    terminal.write_report(result, as_json, lambda: arena_text(result, lang))


def _progress(lang: str) -> Callable[[int, int], None]:
    """Return what writes every five seconds how many games are played, and how long the rest takes."""
    from fifteentwo.i18n.arena import progress

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
            terminal.write_error(progress(played, games, left, lang))

    return write


@click.command(cls=Command)
@level_argument("level")
@_seed_option
@lang_option
def bot(level: str, seed: int) -> None:
    """Answer Views with actions, JSON lines on stdin and stdout (docs/engine.md)."""
    from fifteentwo.analysis.background_compilation import never_wait
    from fifteentwo.cli.files import given_lines
    from fifteentwo.contest.bot import Bot

    never_wait()
    answering = Bot(level, seed)
    terminal.write_error(answering.about.decode())
    for answer in answering.answers(given_lines()):
        print(answer.decode(), flush=True)
