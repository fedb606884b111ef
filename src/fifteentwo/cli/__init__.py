"""The command `fifteentwo`: one thin function a command; the work is elsewhere and imported when asked for.

Exit status: 0 good, 1 the input was refused (one line on stderr), 2 wrong usage; stopped by Ctrl-C (SIGINT)
130, by SIGTERM 143.
"""

import click

from fifteentwo.cli.backups import backup, restore
from fifteentwo.cli.book import book
from fifteentwo.cli.commands import Commands, Option
from fifteentwo.cli.hands import discard, score
from fifteentwo.cli.levels import arena, bot
from fifteentwo.cli.options import lang_option
from fifteentwo.cli.paths import paths
from fifteentwo.cli.preparing import prepare
from fifteentwo.cli.records import export, import_, replay, review, verify
from fifteentwo.cli.shells import completion_option
from fifteentwo.cli.tables import play, serve


@click.group(cls=Commands, invoke_without_command=True)
@click.version_option(package_name="fifteentwo", cls=Option, help="help.version")
@completion_option
@lang_option
@click.pass_context
def main(ctx: click.Context) -> None:
    """Cribbage, whole. Without a command: play."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(play)


_records = (replay, verify, review, import_, export)
for _command in (
    play,
    serve,
    backup,
    restore,
    score,
    discard,
    book,
    *_records,
    arena,
    bot,
    prepare,
    paths,
):
    main.add_command(_command)
