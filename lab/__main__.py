"""Make and measure tables, speed and size: python -m lab --help lists the commands."""

from importlib import import_module
from typing import Any

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Commands
from fifteentwo.cli.options import FOLDER, jobs_option, json_option, option
from lab.compiling import compile_all
from lab.solving import report_, solve

PASSED_ON: dict[str, Any] = {"ignore_unknown_options": True, "help_option_names": []}


class LabCommands(Commands):
    """The commands of the lab: errors and signals end a command as they end one of `fifteentwo`."""

    command_class = click.Command  # type: ignore[assignment]
    format_help_text = click.Command.format_help_text
    format_commands = click.Group.format_commands
    format_epilog = click.Command.format_epilog


@click.group(cls=LabCommands)
def main() -> None:
    """Make and measure the tables that ship."""


@main.group()
def book() -> None:
    """Check the Book, or write it as files."""


@book.command("check")
@option("--sample", type=click.IntRange(1), default=1000, show_default=True, help="Random hands.")
@option("--seed", type=click.IntRange(0), default=1, show_default=True, help="help.seed")
@jobs_option
@json_option
@click.pass_context
def check_book(ctx: click.Context, sample: int, seed: int, jobs: int | None, as_json: bool) -> None:
    """Compare the Book with `analysis.win` on random hands, suits renamed, and its maps board by board."""
    from lab.measure import book_check

    found = book_check.run(sample, seed=seed, jobs=jobs, progress=terminal.write_error)
    terminal.write_figures(found, as_json)
    if not found["equal"]:
        ctx.exit(1)


@book.command("write")
@click.argument("folder", type=FOLDER)
@option("--from", "first", type=click.IntRange(0), default=0, show_default=True, help="First class.")
@option("--to", "last", type=click.IntRange(1), default=None, help="One past the last class.")
@jobs_option
@json_option
def write_book(folder: Any, first: int, last: int | None, jobs: int | None, as_json: bool) -> None:
    """Write the Book as files under CC0, with digests; continues after a stop."""
    from fifteentwo.analysis.book.entry import HAND_CLASSES
    from lab.measure import book_files

    last = HAND_CLASSES if last is None else last
    if not first < last <= HAND_CLASSES:
        raise click.UsageError(f"--from must be less than --to, and --to at most {HAND_CLASSES}.")
    figures = book_files.run(folder, first=first, last=last, jobs=jobs, progress=terminal.write_error)
    terminal.write_figures(figures, as_json)


@main.command()
@click.argument("names", nargs=-1)
@json_option
def bench(names: tuple[str, ...], as_json: bool) -> None:
    """Measure speed: show, discard or games against C, or the rows of speed, others, step, environments."""
    from fifteentwo.cli.preparing import compile_first
    from lab.bench import against_c, table

    if len(names) == 1 and names[0] in against_c.KERNELS:
        compile_first(against_c.KERNELS[names[0]])
        figures = against_c.run(names[0])
        terminal.write_report(
            figures, as_json, lambda: "  ".join(f"{name} {value}" for name, value in figures.items())
        )
        return
    if unknown := set(names) - set(table.MODULES):
        raise click.UsageError(f"There is nothing to measure with the name {min(unknown)}.")
    table.main(names or table.MODULES)


@main.command(context_settings=PASSED_ON)
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def rating(words: tuple[str, ...]) -> None:
    """Measure how good ratings, luck and reviews are: python -m lab rating --help."""
    import_module("lab.bench.rating").main(words)


@main.command(context_settings=PASSED_ON)
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def load(words: tuple[str, ...]) -> None:
    """Measure how many tables one server carries: python -m lab load --help."""
    import_module("lab.bench.load").main(words, prog_name="python -m lab load")


@main.command(context_settings=PASSED_ON)
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def installation(words: tuple[str, ...]) -> None:
    """Measure the disk space of installations of a wheel."""
    import_module("lab.bench.installation").main(words, prog_name="python -m lab installation")


@main.command()
@option("--no-solvers", is_flag=True, help="Leave out the kernels that tests call only if marked `long`.")
@jobs_option
def prepare(no_solvers: bool, jobs: int | None) -> None:
    """Compile kernels in advance."""
    compile_all(jobs, solvers=not no_solvers)


main.add_command(solve)
main.add_command(report_)

if __name__ == "__main__":
    main(prog_name="python -m lab")
