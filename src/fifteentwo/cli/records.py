"""Commands about a recorded game: replay, verify, review."""

from pathlib import Path

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command
from fifteentwo.cli.language import language
from fifteentwo.cli.options import FILE, json_option, lang_option
from fifteentwo.cli.preparing import compile_first

_file = click.argument("file", type=FILE)


@click.command(cls=Command)
@_file
@json_option
@lang_option
@click.pass_context
def replay(ctx: click.Context, file: Path, as_json: bool) -> None:
    """Tell a recorded game and check it."""
    from fifteentwo.cli.files import record_of
    from fifteentwo.i18n.retelling import retold
    from fifteentwo.rules.record import replay as played
    from fifteentwo.rules.record import to_plain

    record = record_of(file)
    if as_json:
        for _, _, events in played(record):
            for event in events:
                terminal.say_json(to_plain(event))
    else:
        for line in retold(record, language(ctx)):
            terminal.say(line)


@click.command(cls=Command)
@_file
@json_option
@lang_option
@click.pass_context
def verify(ctx: click.Context, file: Path, as_json: bool) -> None:
    """Check a record's dealing against what was committed to."""
    from fifteentwo.cli.files import record_of
    from fifteentwo.i18n import text
    from fifteentwo.server.dealing import verify as checked

    record = record_of(file)
    times = checked(record)
    if as_json:
        terminal.say_json({"verified": True, "packs": times})
    else:
        terminal.say(text("report.verify", language(ctx), n=times, commitment=record.commitment))


@click.command(cls=Command)
@_file
@json_option
@lang_option
@click.pass_context
def review(ctx: click.Context, file: Path, as_json: bool) -> None:
    """Each decision of a recorded game: the best, the chosen, and the loss."""
    from fifteentwo.analysis import review as analysis
    from fifteentwo.cli.files import record_of
    from fifteentwo.i18n.game_review import review_text

    record = record_of(file)
    compile_first(analysis.loops_for(record))
    report = analysis.review(record)
    if as_json:
        terminal.say_json(report)
    else:
        terminal.say(review_text(report, language(ctx)))
