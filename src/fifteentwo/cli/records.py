"""Commands about a recorded game: replay, verify, review, import, export."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command, wrong_usage
from fifteentwo.cli.language import language
from fifteentwo.cli.options import FILE, NEW_FILE, json_option, lang_option, option

if TYPE_CHECKING:
    from fifteentwo.formats import ImportedGame
    from fifteentwo.rules.errors import NotationError

FORMATS = ("json", "halscrib", "transcript")
"""As `formats.FORMATS`, which only these two commands load."""
TARGETS = ("121", "61")

_file = click.argument("file", type=FILE)


@click.command(cls=Command)
@_file
@json_option
@lang_option
def replay(file: Path, as_json: bool) -> None:
    """Describe a recorded game and check it."""
    from fifteentwo.cli.files import game_of
    from fifteentwo.i18n.replay import replay_text
    from fifteentwo.rules.record import replay as played
    from fifteentwo.rules.record import to_plain, unknown_by_action

    game = game_of(file)
    record = game.record
    if as_json:
        for (_, _, events), unknown in zip(played(record), unknown_by_action(record), strict=True):
            for event in events:
                terminal.write_json(_less(to_plain(event), {card.text for card in unknown}))
    else:
        for line in replay_text(record, language()):
            terminal.write(line)
    if game.stopped is not None:
        raise game.stopped


def _less(value: Any, unknown: set[str]) -> Any:
    """Plain JSON with "?" for cards that no one wrote down."""
    if not unknown:
        return value
    if isinstance(value, dict):
        return {key: _less(one, unknown) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_less(one, unknown) for one in value]
    return "?" if isinstance(value, str) and value in unknown else value


@click.command(cls=Command)
@_file
@option("--expected", metavar="COMMITMENT", default=None, help="help.expected")
@json_option
@lang_option
def verify(file: Path, expected: str | None, as_json: bool) -> None:
    """Check a record's dealing against what was committed to."""
    from fifteentwo.cli.files import record_of
    from fifteentwo.i18n import text
    from fifteentwo.server.table_log.proofs import verify as checked

    record = record_of(file)
    times = checked(record, expected)
    if as_json:
        terminal.write_json({"verified": True, "decks": times})
    else:
        terminal.write(text("report.verify", language(), n=times, commitment=record.commitment))
        terminal.write(text("dealing.rules", language()))


@click.command(cls=Command)
@_file
@json_option
@lang_option
def review(file: Path, as_json: bool) -> None:
    """Each decision of a recorded game: the best, the chosen, and the loss."""
    from fifteentwo.analysis.review import reasons
    from fifteentwo.analysis.review import review as analysis
    from fifteentwo.cli.files import record_of
    from fifteentwo.i18n.game_review import review_text

    record = record_of(file)
    course = list(analysis.reviewed(record))
    report = analysis.report(record, course)

    def in_words() -> str:
        decisions = [one for one in course if isinstance(one, analysis.Decision)]
        found = [reasons.report(facts) for facts in reasons.of_game(record, decisions)]
        return review_text(report, language(), found)

    terminal.write_report(report, as_json, in_words)


_out = option("--out", type=NEW_FILE, default=None, help="help.out")


@click.command("import", cls=Command)
@_file
@option(
    "--target",
    type=click.Choice(TARGETS),
    default="121",
    show_default=True,
    help="help.target",
)
@option("--fill-suits", is_flag=True, help="help.fill-suits")
@_out
@json_option
@lang_option
@click.pass_context
def import_(
    ctx: click.Context, file: Path, target: str, fill_suits: bool, out: Path | None, as_json: bool
) -> None:
    """Make records of the games of a file in another notation."""
    from fifteentwo.cli.files import bytes_of
    from fifteentwo.formats import ImportedGame, read_all
    from fifteentwo.i18n import text

    found = read_all(bytes_of(file), target=int(target), fill_suits=fill_suits)
    games = [one for one in found if isinstance(one, ImportedGame)]
    if ctx.get_parameter_source("target") is click.core.ParameterSource.COMMANDLINE:
        for game in games:
            if game.record.rules.target != int(target):
                wrong_usage("target", target=game.record.rules.target)
    if len(found) == 1 and not games:
        raise next(one for one in found if not isinstance(one, ImportedGame))
    for number, one in enumerate(found, 1):
        several = number if len(found) > 1 else 0
        if isinstance(one, ImportedGame):
            _put(one, several, out, as_json=as_json)
        _comment(one, several)
    whole = sum(game.stopped is None for game in games)
    if len(found) > 1:
        terminal.write_error(text("report.import.games", language(), n=len(found), read=whole))
    ctx.exit(int(whole < len(found)))


def _put(game: "ImportedGame", number: int, out: Path | None, *, as_json: bool) -> None:
    """Write a game: its number is 0 where it is the only one of its file."""
    from fifteentwo.cli.files import put
    from fifteentwo.rules.record import write

    # What is printed must be the record and its sum: names with nothing in them that printing would change.
    names = tuple(terminal.visible(name) for name in game.record.names)
    written = write(msgspec.structs.replace(game.record, names=names))
    if out is not None:
        put(out.with_stem(f"{out.stem}-{number}") if number else out, written)
    elif as_json:
        about: dict[str, Any] = {"format": game.format, "suits_added": game.suits_added, "record": written}
        notices = [{"code": one.code, "line": one.line, **one.values} for one in game.notices]
        about |= {"line": game.line, "notices": notices}
        if game.stopped is not None:
            about["stopped"] = {"code": game.stopped.code, "line": game.stopped.position}
        terminal.write_json(about)
    elif terminal.has_signs(written):
        terminal.write(written.rstrip("\n"))
    else:
        # With letters for the signs that this console lacks, the sum would not hold.
        terminal.write(written[: written.rindex("sum ")].rstrip("\n"))


def _comment(one: "ImportedGame | NotationError", number: int) -> None:
    """Write the notices of a game, or why it cannot be read."""
    from fifteentwo.formats import ImportedGame
    from fifteentwo.i18n import refusal, text

    lang = language()
    if not isinstance(one, ImportedGame):
        sentences = [refusal(one, lang)]
    else:
        sentences = [
            text(f"notice.{notice.code}", lang, line=notice.line, **notice.values) for notice in one.notices
        ]
        if one.suits_added:
            sentences.append(text("report.import.suits", lang, n=one.suits_added))
        if one.stopped is not None:
            sentences.append(refusal(one.stopped, lang))
    for sentence in sentences:
        game = text("report.import.game", lang, n=number, sentence=sentence) if number else sentence
        terminal.write_error(game)


@click.command(cls=Command)
@_file
@option("--as", "notation", type=click.Choice(FORMATS), required=True, help="help.as")
@_out
@json_option
@lang_option
def export(file: Path, notation: str, out: Path | None, as_json: bool) -> None:
    """Write a recorded game in another notation."""
    from fifteentwo.cli.files import put, record_of
    from fifteentwo.formats import write

    written = write(record_of(file), notation)
    if out is not None:
        put(out, written)
    elif as_json:
        terminal.write_json({"format": notation, "text": written})
    else:
        terminal.write(written.rstrip("\n"))
