"""The command `fifteentwo`. Each command is one short function that imports what it needs when it is called.

Exit status: 0 success, 1 refused input (one line on stderr), 2 wrong usage, 130 after Ctrl-C (SIGINT), 143
after SIGTERM.
"""

import click

from fifteentwo.cli.backups import backup, restore
from fifteentwo.cli.book import book
from fifteentwo.cli.commands import Commands, Option
from fifteentwo.cli.hands import discard, score
from fifteentwo.cli.levels import arena, bot
from fifteentwo.cli.many_games import stats
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
    """Cribbage: play, count, analyse. Without a command, `play` runs."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(play)


_table_commands = (play, serve, backup, restore)
_record_commands = (replay, verify, review, stats, import_, export)
for _command in (*_table_commands, score, discard, book, *_record_commands, arena, bot, prepare, paths):
    main.add_command(_command)
