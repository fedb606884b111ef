"""The commands for recorded games: replay, verify, review, import, export."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command, wrong_usage
from fifteentwo.cli.language import language
from fifteentwo.cli.many_games import files_argument, files_in, for_each_game, review_of
from fifteentwo.cli.options import FILE, NEW_FILE, jobs_option, json_option, lang_option, option
from fifteentwo.rules.errors import FifteenTwoError, NotationError

if TYPE_CHECKING:
    from fifteentwo.formats import ImportedGame

FORMATS = ("json", "halscrib", "transcript")
"""The notations of `formats.write`. Repeated here so that other commands need not import `formats`."""
_file_argument = click.argument("file", type=FILE)


@click.command(cls=Command)
@_file_argument
@lang_option
def replay(file: Path) -> None:
    """Describe a recorded game and check it."""
    from fifteentwo.cli.files import read_game
    from fifteentwo.i18n.replay import replay_text

    game = read_game(file)
    for line in replay_text(game.record, language()):
        terminal.write(line)
    if game.stopped is not None:
        raise game.stopped


@click.command(cls=Command)
@files_argument
@option("--expected", metavar="COMMITMENT", default=None, help="help.expected")
@json_option
@lang_option
def verify(files: tuple[Path, ...], expected: str | None, as_json: bool) -> int:
    """Check that a record's decks are those to which the server had committed itself."""
    from fifteentwo.i18n import refusal

    found = files_in(files)
    if len(found) == 1:
        _verify_one(found[0], expected, as_json)
        return 0
    if expected is not None:
        wrong_usage("expected-alone")
    status = 0
    for file in found:
        if not as_json:
            terminal.write(str(file))
        try:
            _verify_one(file, None, as_json)
        except FifteenTwoError as error:
            terminal.write_error(f"{file}: {refusal(error, language())}")
            status = 1
    return status


def _verify_one(file: Path, expected: str | None, as_json: bool) -> None:
    from fifteentwo.cli.files import read_record
    from fifteentwo.i18n import text
    from fifteentwo.server.table_log.proofs import verify_dealing as verify_record

    record = read_record(file)
    decks = verify_record(record, expected)
    if as_json:
        terminal.write_json({"file": str(file), "verified": True, "decks": decks})
    else:
        terminal.write(text("report.verify", language(), n=decks, commitment=record.commitment))
        terminal.write(text("dealing.rules", language()))


@click.command(cls=Command)
@files_argument
@jobs_option
@json_option
@lang_option
def review(files: tuple[Path, ...], jobs: int | None, as_json: bool) -> int:
    """List each decision of recorded games: the best choice, the player's choice, and what it lost."""
    from fifteentwo.cli.files import read_record

    found = files_in(files)
    if len(files) == 1 and found == list(files):
        _write_review("", review_of(read_record(found[0]), language(), as_json))
        return 0
    failed = 0
    for _, title, report in for_each_game(found, review_of, (language(), as_json), jobs):
        failed += report is None
        if report is not None:
            _write_review(title, report)
    return int(failed > 0)


def _write_review(title: str, report: dict[str, Any] | str) -> None:
    """Write the report of a game, or its text, after the game's title if several are reviewed."""
    if isinstance(report, dict):
        terminal.write_json({"file": title, **report} if title else report)
    else:
        terminal.write(f"{title}\n{report}\n" if title else report)


_out_option = option("--out", type=NEW_FILE, default=None, help="help.out")


@click.command("import", cls=Command)
@files_argument
@option("--target", type=click.Choice(("121", "61")), default="121", show_default=True, help="help.target")
@option("--fill-suits", is_flag=True, help="help.fill-suits")
@_out_option
@json_option
@lang_option
@click.pass_context
def import_(
    ctx: click.Context,
    files: tuple[Path, ...],
    target: str,
    fill_suits: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Convert the games of a file in another notation into records."""
    from fifteentwo.cli.files import read_bytes
    from fifteentwo.formats import ImportedGame, read_all
    from fifteentwo.i18n import text

    found: list[ImportedGame | NotationError] = []
    origins: list[str] = []
    all_files = files_in(files)
    for file in all_files:
        try:
            found += read_all(read_bytes(file), target=int(target), fill_suits=fill_suits)
        except NotationError as error:
            if len(all_files) == 1:
                raise
            found.append(error)
        origins += [f"{file}: " if len(all_files) > 1 else ""] * (len(found) - len(origins))
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
            _write_game(one, several, out, as_json=as_json)
        _write_notices(one, several, origins[number - 1])
    whole = sum(game.stopped is None for game in games)
    if len(found) > 1:
        terminal.write_error(text("report.import.games", language(), n=len(found), read=whole))
    ctx.exit(int(whole < len(found)))


def _write_game(game: "ImportedGame", number: int, out: Path | None, *, as_json: bool) -> None:
    """Write the record of a game. `number` is its number in the file, or 0 if it is the only game."""
    from fifteentwo.cli.files import write_file
    from fifteentwo.rules.record import write

    # `terminal.write` replaces control characters: replace them in names before the checksum is made.
    names = tuple(terminal.visible(name) for name in game.record.names)
    written = write(msgspec.structs.replace(game.record, names=names))
    if out is not None:
        write_file(out.with_stem(f"{out.stem}-{number}") if number else out, written)
    elif as_json:
        about: dict[str, Any] = {"format": game.format, "suits_added": game.suits_added, "record": written}
        notices = [{"code": one.code, "line": one.line, **one.values} for one in game.notices]
        about |= {"line": game.line, "notices": notices}
        if game.stopped is not None:
            about["stopped"] = {"code": game.stopped.code, "line": game.stopped.position}
        terminal.write_json(about)
    elif terminal.can_show(written):
        terminal.write(written.rstrip("\n"))
    else:
        # Letters replace signs that this console lacks, so the checksum would be wrong: leave it out.
        terminal.write(written[: written.rindex("sum ")].rstrip("\n"))


def _write_notices(one: "ImportedGame | NotationError", number: int, origin: str) -> None:
    """Write the notices of a game, or the reason why it cannot be read, to standard error."""
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
        terminal.write_error(f"{origin}{game}")


@click.command(cls=Command)
@_file_argument
@option("--as", "notation", type=click.Choice(FORMATS), required=True, help="help.as")
@_out_option
@lang_option
def export(file: Path, notation: str, out: Path | None) -> None:
    """Write a recorded game in another notation."""
    from fifteentwo.cli.files import read_record, write_file
    from fifteentwo.formats import write

    written = write(read_record(file), notation)
    if out is not None:
        write_file(out, written)
    else:
        terminal.write(written.rstrip("\n"))
