"""Commands that make and measure the tables: solve, report. They speak English alone."""

from pathlib import Path

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.options import (
    FOLDER,
    NEW_FILE,
    checkpoint_option,
    dask_option,
    jobs_option,
    json_option,
    option,
)
from fifteentwo.cli.terminal import write_error, write_figures
from lab.compiling import compile_for


@click.group()
def solve() -> None:
    """Make the tables that ship, or a part of them."""


@solve.command("pegging")
@option("--iterations", type=click.IntRange(1), default=100, show_default=True, help="Iterations.")
@option(
    "--averaging-delay",
    type=click.IntRange(0),
    default=0,
    help="Iterations to leave out before averages begin.",
)
@option(
    "--real-table",
    is_flag=True,
    help="Couple hands as two deals of six cards from one deck do, with discards and starter.",
)
@option(
    "--ranks", default="", metavar="RANKS", help="A small deck: hands of these ranks alone, as A23456789TJQK."
)
@option("--out", type=NEW_FILE, default=None, help="Write the result there.")
@jobs_option
@checkpoint_option
@json_option
def solve_pegging(
    iterations: int,
    averaging_delay: int,
    real_table: bool,
    ranks: str,
    out: Path | None,
    jobs: int | None,
    checkpoint: Path | None,
    as_json: bool,
) -> None:
    """Pegging alone, under the hands that ship."""
    from lab.six_card import solve

    if unknown := set(ranks.upper()) - set("A23456789TJQK"):
        raise click.UsageError(f"--ranks: {min(unknown)} is no rank.")
    compile_for("lab.six_card.solve")
    figures = solve.solve_pegging(
        iterations=iterations,
        averaging_delay=averaging_delay,
        real_table=real_table,
        ranks=ranks.upper(),
        out=out,
        jobs=jobs,
        checkpoint=checkpoint,
        progress=write_error,
    )
    write_figures(figures, as_json)


@solve.command("discards")
@option("--out", type=FOLDER, required=True, help="Write the result there.")
@jobs_option
@checkpoint_option
@json_option
def solve_discards(out: Path, jobs: int | None, checkpoint: Path | None, as_json: bool) -> None:
    """Discards and pegging together, from nothing; writes and measures the tables."""
    from lab.six_card import solve

    compile_for("lab.six_card.solve")
    write_figures(solve.solve_whole(out, jobs=jobs, checkpoint=checkpoint, progress=write_error), as_json)


@solve.command("five-card")
@option(
    "--starter",
    type=click.Choice([*"A23456789TJQK", "all"]),
    default="all",
    show_default=True,
    help="The starter's rank, or all thirteen one after another.",
)
@option("--iterations", type=click.IntRange(1), default=30, show_default=True, help="Iterations.")
@option("--discards", is_flag=True, help="Solve the discards too, with pegging: 3 GB of memory.")
@option("--out", type=FOLDER, default=None, help="With --discards: a folder for the table; measure it.")
@jobs_option
@checkpoint_option
@json_option
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
    from lab.five_card import solve

    if discards and starter != "all":
        raise click.UsageError("--discards needs all starters: leave --starter out.")
    if out is not None and not discards:
        raise click.UsageError("--out needs --discards.")
    compile_for("lab.five_card.solve")
    if discards:
        figures = solve.solve_whole(
            iterations=iterations,
            jobs=jobs,
            checkpoint=checkpoint,
            out=out,
            progress=write_error,
        )
    else:
        starters = range(13) if starter == "all" else [solve.RANKS.index(starter)]
        figures = solve.solve_pegging(
            starters, iterations=iterations, jobs=jobs, checkpoint=checkpoint, progress=write_error
        )
    write_figures(figures, as_json)


@solve.command("five-card-chances")
@option("--deals", type=click.IntRange(520), default=20_000_000, show_default=True, help="Deals in all.")
@option("--seed", type=int, default=5, show_default=True, help="help.seed")
@option("--out", type=FOLDER, required=True, help="Write the result there.")
@json_option
def solve_five_card_chances(deals: int, seed: int, out: Path, as_json: bool) -> None:
    """The five-card board to 61, and what both sides keep and peg: what win chances are made of."""
    from lab.five_card import chances, near_end

    compile_for("lab.five_card.chances")
    job = chances.WHOLE._replace(deals=deals, seed=seed)
    figures = chances.run(out, job, write_error)
    figures["near_end"] = near_end.run(out, write_error)
    write_figures(figures, as_json)


@solve.command("board")
@option("--deals", type=click.IntRange(40), default=20_000_000, show_default=True, help="Deals in all.")
@option("--seed", type=int, default=5, show_default=True, help="help.seed")
@dask_option
@option("--out", type=NEW_FILE, default=None, help="Write the result there.")
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
    from lab.board import board

    compile_for("lab.board.board")
    figures = board.run(
        board.Job(deals=deals, seed=seed), jobs, checkpoint, dask_address=dask, out=out, progress=write_error
    )
    write_figures(figures, as_json)


@solve.command("plays")
@option("--out", type=NEW_FILE, required=True, help="Write the result there.")
@json_option
def solve_plays(out: Path, as_json: bool) -> None:
    """What both sides peg with each kept hand, counted from the book: what win chances are made of."""
    from lab.six_card import play_counts

    compile_for("lab.six_card.play_counts")
    write_figures(play_counts.run(out, progress=write_error), as_json)


@solve.command("rollouts")
@option("--positions", type=click.IntRange(1), default=1000, show_default=True, help="Positions.")
@option("--deals", type=click.IntRange(2), default=20_000, show_default=True, help="Deals a comparison.")
@option("--seed", type=int, default=1, show_default=True, help="help.seed")
@option("--end", is_flag=True, help="Open positions only, both sides at 97 or more.")
@option("--out", type=NEW_FILE, default=None, help="Write the result there.")
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
    from lab.measure import rollouts

    compile_for("lab.measure.rollouts")
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
@option("--deals", type=click.IntRange(2), default=3000, show_default=True, help="Deals a comparison.")
@option("--each", type=click.IntRange(1), default=60, show_default=True, help="The most problems of a theme.")
@option("--seed", type=int, default=1, show_default=True, help="help.seed")
@option("--out", type=NEW_FILE, required=True, help="Write the result there.")
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
    from lab.measure import practice_games as practice_sets

    if not any(games):
        raise click.UsageError("--games 0 0 leaves no game to take problems from.")
    compile_for("lab.measure.practice_sets")
    job = practice_sets.Job(*games, deals, each, seed)
    figures = practice_sets.run(job, jobs=jobs, checkpoint=checkpoint, out=out, progress=write_error)
    write_figures(figures, as_json)


@solve.command("practice-check")
@option("--deals", type=click.IntRange(2), default=20_000, show_default=True, help="Deals a comparison.")
@option("--seed", type=int, default=2, show_default=True, help="help.seed")
@option("--out", type=NEW_FILE, default=None, help="Write the problems that agree there.")
@jobs_option
@json_option
def solve_practice_check(deals: int, seed: int, out: Path | None, jobs: int | None, as_json: bool) -> None:
    """The sets that ship, sampled again: is the best choice of every problem surely best?"""
    from lab.measure import practice_check

    compile_for("lab.measure.practice_sets")
    figures = practice_check.run(practice_check.Job(deals, seed), out=out, jobs=jobs, progress=write_error)
    write_figures(figures, as_json)


@click.command("report")
@option("--measure", is_flag=True, help="Compute the figures again from the tables.")
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
    help="Write the figures that ship there, with those of --knowing computed now.",
)
@jobs_option
@json_option
def report_(
    measure: bool,
    knowing: int | None,
    out: Path | None,
    jobs: int | None,
    as_json: bool,
) -> None:
    """How far what ships can be exploited, in points a deal."""
    from lab.measure import report

    if out is not None and not knowing:
        raise click.UsageError("--out needs --knowing: without it there is nothing new to write.")
    if measure or knowing:
        compile_for("lab.measure.report")
    figures = report.run(
        measure=measure,
        knowing=knowing,
        out=out,
        jobs=jobs,
        progress=write_error,
    )
    terminal.write_report(figures, as_json, lambda: "\n".join(report.lines(figures)))
