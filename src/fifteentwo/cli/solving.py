"""Commands for developers: solve, bench. In English, as their reports are."""

from pathlib import Path

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command, Group
from fifteentwo.cli.options import (
    FOLDER,
    NEW_FILE,
    checkpoint_option,
    dask_option,
    jobs_option,
    json_option,
    option,
)
from fifteentwo.cli.preparing import compile_first
from fifteentwo.cli.terminal import write_error, write_figures


def _compile_for(module: str) -> None:
    """Compile the kernels that a module of the solver rests on, before it begins."""
    from fifteentwo.prepare import needed_by

    compile_first(needed_by(module))


@click.group(cls=Group)
def solve() -> None:
    """Solve cribbage, offline, and report what ships. For developers: its reports are in English."""


@solve.command("pegging")
@option("--iterations", type=click.IntRange(1), default=100, show_default=True)
@option(
    "--averaging-delay",
    type=click.IntRange(0),
    default=0,
    help="Iterations to leave out before averages begin.",
)
@option("--out", type=NEW_FILE, default=None, help="Write a book there.")
@jobs_option
@checkpoint_option
@json_option
def solve_pegging(
    iterations: int,
    averaging_delay: int,
    out: Path | None,
    jobs: int | None,
    checkpoint: Path | None,
    as_json: bool,
) -> None:
    """Pegging alone, under the hands that ship."""
    from fifteentwo.solver.pegging import pegging_solve

    _compile_for("fifteentwo.solver.pegging.pegging_solve")
    figures = pegging_solve.run(
        iterations=iterations,
        averaging_delay=averaging_delay,
        out=out,
        jobs=jobs,
        checkpoint=checkpoint,
        progress=write_error,
    )
    write_figures(figures, as_json)


@solve.command("discards")
@option("--out", type=FOLDER, required=True, help="Write the tables there.")
@jobs_option
@checkpoint_option
@json_option
def solve_discards(out: Path, jobs: int | None, checkpoint: Path | None, as_json: bool) -> None:
    """Discards and pegging together, from nothing; writes and measures the tables."""
    from fifteentwo.solver import whole_solve

    _compile_for("fifteentwo.solver.whole_solve")
    write_figures(whole_solve.run(out, jobs=jobs, checkpoint=checkpoint, progress=write_error), as_json)


@solve.command("board")
@option("--deals", type=click.IntRange(40), default=20_000_000, show_default=True)
@option("--seed", type=int, default=5, show_default=True)
@dask_option
@option("--out", type=NEW_FILE, default=None, help="Write it there.")
@jobs_option
@checkpoint_option
@json_option
def solve_board(
    deals: int,
    seed: int,
    dask: str | None,
    out: Path | None,
    jobs: int | None,
    checkpoint: Path | None,
    as_json: bool,
) -> None:
    """The chance to win by score, backwards from the game hole."""
    from fifteentwo.solver.board import board

    _compile_for("fifteentwo.solver.board.board")
    figures = board.run(
        board.Job(deals=deals, seed=seed), jobs, checkpoint, dask_address=dask, out=out, progress=write_error
    )
    write_figures(figures, as_json)


@solve.command("plays")
@option("--out", type=NEW_FILE, required=True, help="Write it there.")
@json_option
def solve_plays(out: Path, as_json: bool) -> None:
    """What both sides peg with each kept hand, counted from the book: what win chances are made of."""
    from fifteentwo.solver.pegging import play_counts

    _compile_for("fifteentwo.solver.pegging.play_counts")
    write_figures(play_counts.run(out, progress=write_error), as_json)


@solve.command("rollouts")
@option("--positions", type=click.IntRange(1), default=1000, show_default=True)
@option("--deals", type=click.IntRange(2), default=20_000, show_default=True)
@option("--seed", type=int, default=1, show_default=True)
@option("--end", is_flag=True, help="Open positions only, both sides at 97 or more.")
@option("--out", type=NEW_FILE, default=None, help="Write the figures there.")
@jobs_option
@checkpoint_option
@json_option
def solve_rollouts(
    positions: int,
    deals: int,
    seed: int,
    end: bool,
    out: Path | None,
    jobs: int | None,
    checkpoint: Path | None,
    as_json: bool,
) -> None:
    """Win chances compared with deals played out by the strategies that ship."""
    from fifteentwo.solver.checks import rollouts

    _compile_for("fifteentwo.solver.checks.rollouts")
    figures = rollouts.run(
        rollouts.Job(positions, deals, seed, end),
        jobs=jobs,
        checkpoint=checkpoint,
        out=out,
        progress=write_error,
    )
    write_figures(figures, as_json)


@solve.command("practice")
@option(
    "--games",
    type=click.IntRange(0),
    nargs=2,
    default=(90, 360),
    show_default=True,
    metavar="ALL RAREST",
    help="Games searched for every theme, and after those for the rarest alone.",
)
@option("--deals", type=click.IntRange(2), default=3000, show_default=True)
@option("--each", type=click.IntRange(1), default=60, show_default=True, help="Problems of a theme at most.")
@option("--seed", type=int, default=1, show_default=True)
@option("--out", type=NEW_FILE, required=True, help="Write them there.")
@jobs_option
@checkpoint_option
@json_option
def solve_practice(
    games: tuple[int, int],
    deals: int,
    each: int,
    seed: int,
    out: Path,
    jobs: int | None,
    checkpoint: Path | None,
    as_json: bool,
) -> None:
    """Sets to be practised, from errors of our levels whose best choice is surely best."""
    from fifteentwo.cli import practice_sets

    if not any(games):
        raise click.UsageError("--games 0 0 goes through no game.")
    _compile_for("fifteentwo.solver.practice_sets")
    job = practice_sets.Job(*games, deals, each, seed)
    figures = practice_sets.run(job, jobs=jobs, checkpoint=checkpoint, out=out, progress=write_error)
    write_figures(figures, as_json)


@solve.command("practice-check")
@option("--deals", type=click.IntRange(2), default=20_000, show_default=True)
@option("--seed", type=int, default=2, show_default=True)
@option("--out", type=NEW_FILE, default=None, help="Write those that agree there.")
@jobs_option
@json_option
def solve_practice_check(deals: int, seed: int, out: Path | None, jobs: int | None, as_json: bool) -> None:
    """The sets that ship, sampled again: is the best choice of every problem surely best?"""
    from fifteentwo.solver.checks import practice_check

    _compile_for("fifteentwo.solver.practice_sets")
    figures = practice_check.run(practice_check.Job(deals, seed), out=out, jobs=jobs, progress=write_error)
    write_figures(figures, as_json)


@solve.command("report")
@option("--measure", is_flag=True, help="Compute the figures again from the tables.")
@option("--baselines", is_flag=True, help="Compute those of the baselines, too.")
@option(
    "--knowing",
    type=click.IntRange(2),
    metavar="HANDS",
    default=None,
    help="Sample what a best response gains that also knows its six cards and the starter.",
)
@option(
    "--out",
    type=NEW_FILE,
    default=None,
    help="Write the figures that ship there, with those of --baselines and --knowing computed now.",
)
@jobs_option
@json_option
def solve_report(
    measure: bool, baselines: bool, knowing: int | None, out: Path | None, jobs: int | None, as_json: bool
) -> None:
    """How far what ships can be exploited, in points a deal, and baselines to compare it with."""
    from fifteentwo.solver.checks import report

    if out is not None and not (baselines or knowing):
        raise click.UsageError("--out wants --baselines or --knowing: else there is nothing new to write.")
    if measure or baselines or knowing:
        _compile_for("fifteentwo.solver.checks.report")
    figures = report.run(
        measure=measure,
        measure_baselines=baselines,
        knowing=knowing,
        out=out,
        jobs=jobs,
        progress=write_error,
    )
    terminal.write_report(figures, as_json, lambda: "\n".join(report.lines(figures)))


@click.command(cls=Command)
@click.argument("what", type=click.Choice(["show", "discard", "games"]))
@json_option
def bench(what: str, as_json: bool) -> None:
    """Our speed and that of C compiled on the spot. For developers: in English."""
    from fifteentwo import bench as benches

    compile_first(benches.KERNELS[what])
    figures = benches.run(what)
    terminal.write_report(
        figures, as_json, lambda: "  ".join(f"{name} {value}" for name, value in figures.items())
    )
