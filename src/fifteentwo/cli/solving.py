"""Commands for developers: solve, bench. Their reports are in English."""

from pathlib import Path

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command, Group, wrong_usage
from fifteentwo.cli.options import (
    FOLDER,
    NEW_FILE,
    checkpoint_option,
    dask_option,
    jobs_option,
    json_option,
    lang_option,
    option,
)
from fifteentwo.cli.preparing import compile_first
from fifteentwo.cli.terminal import write_error, write_figures


def _compile_for(module: str) -> None:
    """Compile the kernels that a module of the solver rests on, before it begins."""
    from fifteentwo.prepare import needed_by

    compile_first(needed_by(module))


class _OfSolve(Command):
    """A command whose help stands under `help.solve.` and its name."""

    def help_key(self) -> str:
        return f"help.solve.{self.name}"


class _Solve(Group):
    """The commands of the solver."""

    command_class = _OfSolve


@click.group(cls=_Solve)
@lang_option
def solve() -> None:
    """Solve cribbage, offline, and report what ships."""


@solve.command("pegging")
@option("--iterations", type=click.IntRange(1), default=100, show_default=True, help="help.solve.iterations")
@option(
    "--averaging-delay",
    type=click.IntRange(0),
    default=0,
    help="help.solve.averaging-delay",
)
@option("--real-table", is_flag=True, help="help.solve.real-table")
@option("--out", type=NEW_FILE, default=None, help="help.solve.out")
@jobs_option
@checkpoint_option
@json_option
@lang_option
def solve_pegging(
    iterations: int,
    averaging_delay: int,
    real_table: bool,
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
        real_table=real_table,
        out=out,
        jobs=jobs,
        checkpoint=checkpoint,
        progress=write_error,
    )
    write_figures(figures, as_json)


@solve.command("discards")
@option("--out", type=FOLDER, required=True, help="help.solve.out")
@jobs_option
@checkpoint_option
@json_option
@lang_option
def solve_discards(out: Path, jobs: int | None, checkpoint: Path | None, as_json: bool) -> None:
    """Discards and pegging together, from nothing; writes and measures the tables."""
    from fifteentwo.solver import whole_solve

    _compile_for("fifteentwo.solver.whole_solve")
    write_figures(whole_solve.run(out, jobs=jobs, checkpoint=checkpoint, progress=write_error), as_json)


@solve.command("five-card")
@option(
    "--starter",
    type=click.Choice([*"A23456789TJQK", "all"]),
    default="all",
    show_default=True,
    help="help.solve.starter",
)
@option("--iterations", type=click.IntRange(1), default=30, show_default=True, help="help.solve.iterations")
@option("--discards", is_flag=True, help="help.solve.with-discards")
@option("--out", type=FOLDER, default=None, help="help.solve.out-five-card")
@jobs_option
@checkpoint_option
@json_option
@lang_option
def solve_five_card(
    starter: str,
    iterations: int,
    discards: bool,
    out: Path | None,
    jobs: int | None,
    checkpoint: Path | None,
    as_json: bool,
) -> None:
    """Five-card pegging with all that a player knows."""
    from fifteentwo.solver.five_card import solve, whole_solve

    if discards and starter != "all":
        wrong_usage("all-starters")
    if out is not None and not discards:
        wrong_usage("out-with-discards")
    _compile_for("fifteentwo.solver.five_card.whole_solve")
    if discards:
        figures = whole_solve.run(
            iterations=iterations,
            jobs=jobs,
            checkpoint=checkpoint,
            out=out,
            progress=write_error,
        )
    else:
        starters = range(13) if starter == "all" else [solve.RANKS.index(starter)]
        figures = solve.run(
            starters, iterations=iterations, jobs=jobs, checkpoint=checkpoint, progress=write_error
        )
    write_figures(figures, as_json)


@solve.command("five-card-chances")
@option(
    "--deals", type=click.IntRange(520), default=20_000_000, show_default=True, help="help.solve.board-deals"
)
@option("--seed", type=int, default=5, show_default=True, help="help.seed")
@option("--out", type=FOLDER, required=True, help="help.solve.out")
@json_option
@lang_option
def solve_five_card_chances(deals: int, seed: int, out: Path, as_json: bool) -> None:
    """The five-card board to 61, and what both sides keep and peg: what win chances are made of."""
    from fifteentwo.solver.five_card import chances, near_end

    _compile_for("fifteentwo.solver.five_card.chances")
    job = chances.WHOLE._replace(deals=deals, seed=seed)
    figures = chances.run(out, job, write_error)
    figures["near_end"] = near_end.run(out, write_error)
    write_figures(figures, as_json)


@solve.command("board")
@option(
    "--deals", type=click.IntRange(40), default=20_000_000, show_default=True, help="help.solve.board-deals"
)
@option("--seed", type=int, default=5, show_default=True, help="help.seed")
@dask_option
@option("--out", type=NEW_FILE, default=None, help="help.solve.out")
@jobs_option
@checkpoint_option
@json_option
@lang_option
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
@option("--out", type=NEW_FILE, required=True, help="help.solve.out")
@json_option
@lang_option
def solve_plays(out: Path, as_json: bool) -> None:
    """What both sides peg with each kept hand, counted from the book: what win chances are made of."""
    from fifteentwo.solver.pegging import play_counts

    _compile_for("fifteentwo.solver.pegging.play_counts")
    write_figures(play_counts.run(out, progress=write_error), as_json)


@solve.command("rollouts")
@option("--positions", type=click.IntRange(1), default=1000, show_default=True, help="help.solve.positions")
@option("--deals", type=click.IntRange(2), default=20_000, show_default=True, help="help.solve.deals")
@option("--seed", type=int, default=1, show_default=True, help="help.seed")
@option("--end", is_flag=True, help="help.solve.end")
@option("--out", type=NEW_FILE, default=None, help="help.solve.out")
@jobs_option
@checkpoint_option
@json_option
@lang_option
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
    help="help.solve.games",
)
@option("--deals", type=click.IntRange(2), default=3000, show_default=True, help="help.solve.deals")
@option("--each", type=click.IntRange(1), default=60, show_default=True, help="help.solve.each")
@option("--seed", type=int, default=1, show_default=True, help="help.seed")
@option("--out", type=NEW_FILE, required=True, help="help.solve.out")
@jobs_option
@checkpoint_option
@json_option
@lang_option
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
        wrong_usage("no-games")
    _compile_for("fifteentwo.solver.practice_sets")
    job = practice_sets.Job(*games, deals, each, seed)
    figures = practice_sets.run(job, jobs=jobs, checkpoint=checkpoint, out=out, progress=write_error)
    write_figures(figures, as_json)


@solve.command("practice-check")
@option("--deals", type=click.IntRange(2), default=20_000, show_default=True, help="help.solve.deals")
@option("--seed", type=int, default=2, show_default=True, help="help.seed")
@option("--out", type=NEW_FILE, default=None, help="help.solve.out-agree")
@jobs_option
@json_option
@lang_option
def solve_practice_check(deals: int, seed: int, out: Path | None, jobs: int | None, as_json: bool) -> None:
    """The sets that ship, sampled again: is the best choice of every problem surely best?"""
    from fifteentwo.solver.checks import practice_check

    _compile_for("fifteentwo.solver.practice_sets")
    figures = practice_check.run(practice_check.Job(deals, seed), out=out, jobs=jobs, progress=write_error)
    write_figures(figures, as_json)


@solve.command("report")
@option("--measure", is_flag=True, help="help.solve.measure")
@option(
    "--knowing",
    type=click.IntRange(2),
    metavar="HANDS",
    default=None,
    help="help.solve.knowing",
)
@option(
    "--out",
    type=NEW_FILE,
    default=None,
    help="help.solve.out-report",
)
@jobs_option
@json_option
@lang_option
def solve_report(
    measure: bool,
    knowing: int | None,
    out: Path | None,
    jobs: int | None,
    as_json: bool,
) -> None:
    """How far what ships can be exploited, in points a deal."""
    from fifteentwo.solver.checks import report

    if out is not None and not knowing:
        wrong_usage("nothing-new")
    if measure or knowing:
        _compile_for("fifteentwo.solver.checks.report")
    figures = report.run(
        measure=measure,
        knowing=knowing,
        out=out,
        jobs=jobs,
        progress=write_error,
    )
    terminal.write_report(figures, as_json, lambda: "\n".join(report.lines(figures)))


@click.command(cls=Command)
@click.argument("what", type=click.Choice(["show", "discard", "games"]))
@json_option
@lang_option
def bench(what: str, as_json: bool) -> None:
    """Our speed and that of C compiled on the spot."""
    from fifteentwo import bench as benches

    compile_first(benches.KERNELS[what])
    figures = benches.run(what)
    terminal.write_report(
        figures, as_json, lambda: "  ".join(f"{name} {value}" for name, value in figures.items())
    )
