"""Files and folders of many games: reviews in several processes, and the statistics of players."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fifteentwo.cli import terminal
from fifteentwo.cli.commands import Command, wrong_usage
from fifteentwo.cli.language import language
from fifteentwo.cli.levels import progress_writer
from fifteentwo.cli.options import jobs_option, json_option, lang_option, option
from fifteentwo.cli.preparing import compile_first

if TYPE_CHECKING:
    from fifteentwo.rules.record import Record

Result = TypeVar("Result")
REVIEW_KERNELS = ("fifteentwo.analysis.pegging.compiled_search", "fifteentwo.analysis.win.shows")
"""Modules whose kernels reduce the processor time of a review by three fifths."""
MIN_GAMES_TO_COMPILE = 60
"""Number of games from which compiling these kernels first, a minute on two cores, saves time."""
files_argument = click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, allow_dash=True, path_type=Path)
)
"""Files, and folders whose files are read."""
_MONTH = re.compile(r"(?<!\d)(\d{4})-(\d{2})(?!\d)")


def files_in(given: Sequence[Path]) -> list[Path]:
    """Return the files given, and those of each folder given, sorted; hidden files are left out."""
    found: list[Path] = []
    for path in given:
        if path.is_dir():
            inner = [one for one in sorted(path.iterdir()) if one.is_file() and one.name[0] != "."]
            found += inner or wrong_usage("empty-folder", folder=str(path))
        else:
            found.append(path)
    return found


def games_in(files: Sequence[Path]) -> Iterator[tuple[Path, int, "Record | None", str]]:
    """Yield each game: its file, its number in the file (0 if alone), its record or None, and the error."""
    from fifteentwo.cli.files import read_bytes
    from fifteentwo.formats import ImportedGame, read_all
    from fifteentwo.i18n import refusal
    from fifteentwo.rules.errors import NotationError

    for file in files:
        try:
            found = read_all(read_bytes(file))
        except NotationError as error:
            found = (error,)
        for number, one in enumerate(found, 1):
            place = number if len(found) > 1 else 0
            stopped = one.stopped if isinstance(one, ImportedGame) else one
            if stopped is None and isinstance(one, ImportedGame):
                yield file, place, one.record, ""
            elif stopped is not None:
                yield file, place, None, refusal(stopped, language())


def for_each_game(
    files: Sequence[Path],
    work: Callable[..., Result],
    arguments: tuple[Any, ...],
    jobs: int | None,
) -> Iterator[tuple[Path, str, Result | None]]:
    """Yield for each game in order its file, its title, and the result of `work`, from several processes.

    work: a function of a record and `arguments`. If a game cannot be read or `work` refuses it, the result is
    None, and the error has been written to standard error.
    """
    from fifteentwo.contest.executor import get_executor, run_all

    games = list(games_in(files))
    done: dict[int, tuple[Result | None, str]] = {
        at: (None, error) for at, (_, _, record, error) in enumerate(games) if record is None
    }
    todo = [
        (at, (work, record, arguments, language()))
        for at, (_, _, record, _) in enumerate(games)
        if record is not None
    ]
    if len(todo) >= MIN_GAMES_TO_COMPILE:
        compile_first(REVIEW_KERNELS, jobs)
    report, played, begin = progress_writer(language()), 0, 0
    report(0, len(todo))

    def finished() -> Iterator[tuple[Path, str, Result | None]]:
        """Yield the games that are done, up to the first that is not."""
        nonlocal begin
        while begin in done:
            (file, number, _, _), (result, error) = games[begin], done.pop(begin)
            title = f"{file} ({number})" if number else str(file)
            if error:
                terminal.write_error(f"{title}: {error}")
            begin += 1
            yield file, title, result

    yield from finished()
    with get_executor(jobs) as executor:
        for at, result in run_all(executor, _attempt, todo):
            done[at] = result
            played += 1
            report(played, len(todo))
            yield from finished()


def _attempt(
    work: Callable[..., Result], record: "Record", arguments: tuple[Any, ...], lang: str
) -> tuple[Result | None, str]:
    """Return the result and no error, or None and the sentence of the error."""
    from fifteentwo.i18n import refusal
    from fifteentwo.rules.errors import FifteenTwoError

    try:
        return work(record, *arguments), ""
    except FifteenTwoError as error:
        return None, refusal(error, lang)


def review_of(record: "Record", lang: str, as_json: bool) -> dict[str, Any] | str:
    """Return the report of a game's review, or its text in a language."""
    from fifteentwo.analysis.review import reasons
    from fifteentwo.analysis.review import review as analysis
    from fifteentwo.i18n.game_review import review_text

    course = list(analysis.reviewed(record))
    report = analysis.report(record, course)
    if as_json:
        return report
    decisions = [one for one in course if isinstance(one, analysis.Decision)]
    return review_text(report, lang, [reasons.report(facts) for facts in reasons.of_game(record, decisions)])


def _seats_of(record: "Record") -> list[dict[str, Any]]:
    """Return the sums of each seat of a game: points, shows, result, luck and loss."""
    from fifteentwo.analysis.review import review as analysis
    from fifteentwo.rules.board import skunk_lines
    from fifteentwo.rules.events import Pegged, Shown
    from fifteentwo.rules.record import last_state, replay

    state, rules = last_state(record), record.rules
    events = [event for _, _, found in replay(record) for event in found]
    review = None if record.unknown else analysis.review(record)
    line, front, won = skunk_lines(rules.target)["skunk"], state.front, state.won
    seats = []
    for seat in range(rules.seats):
        own: dict[str, Any] = {"name": record.names[state.seating[seat]], "deals": state.deal}
        own["opponents"] = [
            record.names[state.seating[other]]
            for other in range(rules.seats)
            if rules.side(other) != rules.side(seat)
        ]
        own |= {"games": 1, "finished": int(won is not None), "won": 0, "skunks": 0, "skunked": 0}
        if won is not None:
            is_winner = won.side == rules.side(seat)
            others = [score for side, score in enumerate(front) if side != won.side]
            own["won"] = int(is_winner)
            own["skunks"] = int(is_winner and min(others) < line)
            own["skunked"] = int(not is_winner and front[rules.side(seat)] < line)
        pegs = [event for event in events if isinstance(event, Pegged) and event.seat == seat]
        for name, kinds in (("hand", ("hand",)), ("crib", ("crib",)), ("pegging", ("play", "last_card"))):
            own[f"{name}_points"] = sum(peg.points for peg in pegs if peg.reason in kinds)
        shows = [event.crib for event in events if isinstance(event, Shown) and event.seat == seat]
        own |= {"cribs": sum(shows), "hands": len(shows) - sum(shows), "reviewed": 0, "by_chance": 0}
        if review is not None:
            total = review["seats"][seat]
            own |= {"reviewed": 1, "loss_points": total["loss_points"]}
            if review["by_chance"]:
                own |= {"by_chance": 1, "luck": total["luck"], "loss": total["loss_win"] or 0.0}
        seats.append(own)
    return seats


def _means(games: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the figures of a player in these games: shares and means, None if nothing was counted."""

    def mean(name: str, number: str) -> float | None:
        count = sum(game[number] for game in games)
        return round(sum(game.get(name, 0) for game in games) / count, 4) if count else None

    return {
        **{name: sum(game[name] for game in games) for name in ("games", "won", "skunks", "skunked")},
        "win_rate": mean("won", "finished"),
        "hand": mean("hand_points", "hands"),
        "crib": mean("crib_points", "cribs"),
        "pegging": mean("pegging_points", "deals"),
        "luck": mean("luck", "by_chance"),
        "loss": mean("loss", "by_chance"),
        "loss_points": mean("loss_points", "reviewed"),
    }


def _grouped(games: Sequence[dict[str, Any]], names: Callable[[dict[str, Any]], list[str]]) -> list[Any]:
    found = sorted({name for game in games for name in names(game)})
    return [{"name": name, **_means([game for game in games if name in names(game)])} for name in found]


def _month_of(file: Path) -> str:
    """Return the month in a file's name, such as 2026-11, or the month in which the file was changed."""
    if named := _MONTH.search(file.name):
        return f"{named[1]}-{named[2]}"
    return f"{datetime.fromtimestamp(file.stat().st_mtime, UTC):%Y-%m}" if file.exists() else ""


@click.command(cls=Command)
@files_argument
@option("--player", "players", multiple=True, metavar="NAME[=ALIAS]", help="help.stats.player")
@option("--csv", "as_csv", is_flag=True, help="help.stats.csv")
@jobs_option
@json_option
@lang_option
def stats(
    files: tuple[Path, ...], players: tuple[str, ...], as_csv: bool, jobs: int | None, as_json: bool
) -> int:
    """Print the statistics of players in many games: results, mean points, luck and loss."""
    from fifteentwo.i18n.game_review import statistics_table

    called: dict[str, str] = {}
    for name, _, aliases in (one.partition("=") for one in players):
        called |= {one.strip().casefold(): name.strip() for one in [name, *aliases.split(",")] if one.strip()}
    games: list[dict[str, Any]] = []
    failed = 0
    for file, _, seats in for_each_game(files_in(files), _seats_of, (), jobs):
        failed += seats is None
        for own in seats or ():
            own["name"], *own["opponents"] = [
                called.get(name.strip().casefold(), name.strip()) for name in (own["name"], *own["opponents"])
            ]
            games.append(own | {"month": _month_of(file)})
    wanted = list(dict.fromkeys(called.values())) or sorted({game["name"] for game in games})
    rows = []
    for name in wanted:
        own_games = [game for game in games if game["name"] == name]
        if not own_games:
            wrong_usage("no-such-player", name=name, names=", ".join(sorted({one["name"] for one in games})))
        row = {"name": name, **_means(own_games)}
        row["opponents"] = _grouped(own_games, lambda game: sorted(set(game["opponents"])))
        rows.append(row | {"months": _grouped(own_games, lambda game: [game["month"]])})
    report = {"unread": failed, "players": rows}
    terminal.write_report(
        report, as_json, lambda: _as_csv(rows) if as_csv else statistics_table(rows, language())
    )
    return int(failed > 0)


def _as_csv(rows: Sequence[dict[str, Any]]) -> str:
    """Return one line for each player, opponent and month of a player."""
    out = io.StringIO()
    figures = list(_means([]))
    writer = csv.DictWriter(
        out, ["player", "opponent", "month", *figures], extrasaction="ignore", lineterminator="\n"
    )
    writer.writeheader()
    for row in rows:
        writer.writerow({"player": row["name"], **row})
        for group, column in (("opponents", "opponent"), ("months", "month")):
            writer.writerows({"player": row["name"], column: one["name"], **one} for one in row[group])
    return out.getvalue().rstrip()
