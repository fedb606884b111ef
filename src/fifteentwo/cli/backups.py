"""The commands backup and restore: copy the database, and replace it by a copy."""

from pathlib import Path

import click
import msgspec

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command
from fifteentwo.cli.language import language
from fifteentwo.cli.options import NEW_FILE, json_option, lang_option
from fifteentwo.cli.tables import database_option, refuse_visible_password
from fifteentwo.i18n.catalogue import text


@click.command(cls=Command)
@click.argument("file", type=NEW_FILE)
@database_option
@json_option
@lang_option
def backup(file: Path, database: str | None, as_json: bool) -> None:
    """Copy every table and game into a new FILE. The server may be running."""
    from fifteentwo.server.store.copies import back_up

    refuse_visible_password(database)
    held = back_up(database, file)
    if as_json:
        terminal.write_json({"tables": held.tables, "rows": held.rows, "finished": held.finished})
        return
    lang = language()
    terminal.write(text("report.backup", lang, file=str(file), tables=held.tables, rows=held.rows))


@click.command(cls=Command)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@database_option
@json_option
@lang_option
def restore(file: Path, database: str | None, as_json: bool) -> None:
    """Replace the database by a backup. The replaced database is kept next to it."""
    from fifteentwo.server.store.copies import restore as replace_by

    refuse_visible_password(database)
    held, before = replace_by(database, file)
    kept = None if before is None else str(before)
    if as_json:
        terminal.write_json({**msgspec.structs.asdict(held), "before": kept})
        return
    lang = language()
    terminal.write(text("report.restore", lang, tables=held.tables, rows=held.rows))
    if kept is not None:
        terminal.write(text("report.restore.before", lang, file=kept))
