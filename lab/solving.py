"""The commands that compute and measure the tables: solve, report. Their texts are in English only."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.options import (
    FOLDER,
    NEW_FILE,
    Decorated,
    checkpoint_option,
    dask_option,
    jobs_option,
    json_option,
    option,
)
from fifteentwo.cli.terminal import write_error, write_figures
from lab.compiling import compile_for

out_option = option("--out", type=NEW_FILE, default=None, help="Write the result there.")
required_out_option = option("--out", type=NEW_FILE, required=True, help="Write the result there.")
out_folder_option = option("--out", type=FOLDER, required=True, help="Write the result there.")


def deals_option(default: int) -> Callable[[Decorated], Decorated]:
    """Return the option --deals with this default."""
    kind = click.IntRange(2)
    return option("--deals", type=kind, default=default, show_default=True, help="Deals a comparison.")


def seed_option(default: int) -> Callable[[Decorated], Decorated]:
    """Return the option --seed with this default."""
    return option("--seed", type=int, default=default, show_default=True, help="help.seed")


def iterations_option(default: int) -> Callable[[Decorated], Decorated]:
    """Return the option --iterations with this default."""
    kind = click.IntRange(1)
    return option("--iterations", type=kind, default=default, show_default=True, help="Iterations.")


def run(module: str, function: str, as_json: bool, *arguments: Any, **options: Any) -> None:
    """Compile the kernels of a module, call its function, and print the figures that it returns."""
    compile_for(module)
    work = getattr(import_module(module), function)
    write_figures(work(*arguments, **options, progress=write_error), as_json)


@click.group()
def solve() -> None:
    """Compute the shipped tables, or a part of them."""


@solve.command("pegging")
@iterations_option(100)
@option(
    "--averaging-delay",
    type=click.IntRange(0),
    default=0,
    help="Iterations to leave out before averages begin.",
)
@option(
    "--ranks", default="", metavar="RANKS", help="A small deck: only hands of these ranks, as A23456789TJQK."
)
@out_option
@jobs_option
@checkpoint_option
@json_option
def solve_pegging(ranks: str, as_json: bool, **options: Any) -> None:
    """Solve pegging alone, with the hands that the shipped discards keep."""
    if unknown := set(ranks.upper()) - set("A23456789TJQK"):
        raise click.UsageError(f"--ranks: {min(unknown)} is no rank.")
    run("lab.six_card.solve", "solve_pegging", as_json, ranks=ranks.upper(), **options)


@solve.command("discards")
@out_folder_option
@jobs_option
@checkpoint_option
@json_option
def solve_discards(out: Path, as_json: bool, **options: Any) -> None:
    """Solve discards and pegging together from nothing; write and measure the tables."""
    run("lab.six_card.solve", "solve_whole", as_json, out, **options)


@solve.command("five-card")
@iterations_option(30)
@option("--out", type=FOLDER, default=None, help="Write the table and its figures to this folder.")
@jobs_option
@checkpoint_option
@json_option
def solve_five_card(as_json: bool, **options: Any) -> None:
    """Solve five-card discards and pegging together; 3 GB of memory."""
    run("lab.five_card.solve", "solve_whole", as_json, **options)


@solve.command("five-card-chances")
@option("--deals", type=click.IntRange(520), default=20_000_000, show_default=True, help="Deals in all.")
@seed_option(5)
@out_folder_option
@json_option
def solve_five_card_chances(deals: int, seed: int, out: Path, as_json: bool) -> None:
    """Solve the five-card board values to 61, and count what five-card win probabilities are made of."""
    from lab.five_card import chances, near_end

    compile_for("lab.five_card.chances")
    figures = chances.run(out, chances.SHIPPED_JOB._replace(deals=deals, seed=seed), write_error)
    figures["near_end"] = near_end.run(out, write_error)
    write_figures(figures, as_json)


@solve.command("board")
@option("--deals", type=click.IntRange(40), default=20_000_000, show_default=True, help="Deals in all.")
@seed_option(5)
@dask_option
@out_option
@jobs_option
@checkpoint_option
@json_option
def solve_board(deals: int, seed: int, dask: str | None, as_json: bool, **options: Any) -> None:
    """Solve the win probability at every score, by induction from the game hole."""
    from lab.board.board import Job

    run("lab.board.board", "run", as_json, Job(deals=deals, seed=seed), dask_address=dask, **options)


@solve.command("plays")
@required_out_option
@json_option
def solve_plays(out: Path, as_json: bool) -> None:
    """Count the points that both sides peg with each kept hand, for win probabilities."""
    run("lab.six_card.play_counts", "run", as_json, out)


@solve.command("rollouts")
@option("--positions", type=click.IntRange(1), default=1000, show_default=True, help="Positions.")
@deals_option(20_000)
@seed_option(1)
@option("--end", is_flag=True, help="Only undecided positions with both sides at 97 or more.")
@out_option
@jobs_option
@checkpoint_option
@json_option
def solve_rollouts(positions: int, deals: int, seed: int, end: bool, as_json: bool, **options: Any) -> None:
    """Compare win probabilities with deals that the shipped strategies play out."""
    from lab.measure.rollouts import Job

    run("lab.measure.rollouts", "run", as_json, Job(positions, deals, seed, end), **options)


@solve.command("practice")
@option(
    "--games",
    type=click.IntRange(0),
    nargs=2,
    default=(90, 360),
    show_default=True,
    metavar="ALL RAREST",
    help="Games searched for every theme, then for the rarest theme only.",
)
@deals_option(3000)
@option("--each", type=click.IntRange(1), default=60, show_default=True, help="Most problems of a theme.")
@seed_option(1)
@required_out_option
@jobs_option
@checkpoint_option
@json_option
def solve_practice(
    games: tuple[int, int], deals: int, each: int, seed: int, as_json: bool, **options: Any
) -> None:
    """Find practice problems: mistakes of our levels for which the best choice is certain."""
    from lab.measure.practice_sets import Job

    if not any(games):
        raise click.UsageError("--games 0 0 leaves no game to take problems from.")
    run("lab.measure.practice_sets", "run", as_json, Job(*games, deals, each, seed), **options)


@solve.command("practice-check")
@deals_option(20_000)
@seed_option(2)
@option("--out", type=NEW_FILE, default=None, help="Write the problems that agree there.")
@jobs_option
@json_option
def solve_practice_check(as_json: bool, **options: Any) -> None:
    """Play out the shipped practice problems again, to check that the best choices are best."""
    run("lab.measure.practice_sets", "check", as_json, **options)


@click.command("report")
@option("--measure", is_flag=True, help="Compute the figures again from the tables.")
@option(
    "--knowing",
    type=click.IntRange(2),
    metavar="HANDS",
    default=None,
    help="Sample the gain of a best response that also knows its six cards and the starter.",
)
@option(
    "--out",
    type=NEW_FILE,
    default=None,
    help="Write the shipped figures there, with those of --knowing computed now.",
)
@jobs_option
@json_option
def report_(measure: bool, knowing: int | None, out: Path | None, as_json: bool, **options: Any) -> None:
    """Print the exploitability of the shipped strategies, in points a deal."""
    from lab.measure import report

    if out is not None and not knowing:
        raise click.UsageError("--out needs --knowing: without it there is nothing new to write.")
    if measure or knowing:
        compile_for("lab.measure.report")
    figures = report.run(measure=measure, knowing=knowing, out=out, **options, progress=write_error)
    terminal.write_report(figures, as_json, lambda: "\n".join(report.lines(figures)))
