"""Make practice sets from games of our levels: `python -m lab solve practice`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click

from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table, seeded
from fifteentwo.players import player
from fifteentwo.rules.record import Record
from fifteentwo.rules.variants import SIX_CARD

LEVELS = ("beginner", "greedy", "casual", "club", "expert")
"""Whose errors are pooled; each meets each."""
CHECKPOINT = "practice.jsonl"


def game(number: int, seed: int) -> Record:
    """Return a game of two levels, by its number."""
    pair = number % len(LEVELS) ** 2
    table = Table(SIX_CARD, seeded(f"practice {seed} {number}"))
    levels = LEVELS[pair % len(LEVELS)], LEVELS[pair // len(LEVELS)]
    play_out(table, [player(level, seed + number + seat) for seat, level in enumerate(levels)])
    return Record(rules=SIX_CARD, names=levels, actions=tuple(table.actions))


def problems_of(number: int, deals: int, seed: int, themes: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the problems that one game gives. Some four seconds of one core; of one rare theme, one."""
    from lab.measure.practice_sets import problems

    return list(problems(game(number, seed), deals, seed * 1_000_003 + number * 1000, themes))


class Job(NamedTuple):
    """What sets are made from."""

    games: int
    more: int
    """Games after those that are gone through for the rarest theme alone."""
    deals: int
    """Of each comparison."""
    each: int
    """Problems of a theme at most."""
    seed: int


def run(
    job: Job,
    *,
    jobs: int | None,
    checkpoint: Path | None,
    out: Path,
    progress: Callable[[str], None],
) -> dict[str, Any]:
    """Make the sets, going on from folder `checkpoint`; return how many problems there are of each theme."""
    from lab.measure import practice_sets
    from lab.measure.practice_sets import KEEPING, THEMES
    from lab.measure.rollouts import store_row, stored_rows

    file = None if checkpoint is None else checkpoint / CHECKPOINT
    games = range(job.games), range(job.games, job.games + job.more)
    done: dict[int, list[dict[str, Any]]] = {}
    left: list[tuple[int, tuple[Any, ...]]] = []
    of: dict[int, list[Any]] = {}
    for numbers, themes in zip(games, (THEMES, (KEEPING,)), strict=True):
        rows = [] if file is None else stored_rows(file, [job.deals, job.seed, *themes])
        known = {row["game"]: row["found"] for row in rows}
        done |= {number: known[number] for number in numbers if number in known}
        left += [(number, (number, job.deals, job.seed, themes)) for number in numbers if number not in known]
        of |= {number: [job.deals, job.seed, *themes] for number in numbers}
    with get_executor(jobs) as executor:
        for number, found in run_all(executor, problems_of, left):
            done[number] = found
            if file is not None:
                store_row(file, {"of": of[number], "game": number, "found": found})
            progress(f"game {len(done)} of {len(of)}: {sum(map(len, done.values()))} problems")
    pooled = [one for number in of for one in done[number]]
    if not pooled:
        raise click.ClickException("These games hold no problem: nothing is written.")
    size = practice_sets.write(out, pooled, job.each, job._asdict())
    return {theme: sum(one["theme"] == theme for one in pooled) for theme in THEMES} | {"bytes": size}
