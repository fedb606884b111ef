"""The command `fifteentwo`: one thin function a command; the work is elsewhere and imported when asked for.

Exit status: 0 good, 1 the input was refused (one line on stderr), 2 wrong usage.
"""

import json
import re
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

import click

from fifteentwo.rules.errors import FifteenTwoError

LANGUAGES = click.Choice(["en", "ja"])


class _Commands(click.Group):
    """Turns whatever the rules refuse into one clear line."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except FifteenTwoError as error:
            from fifteentwo.i18n import refusal

            _refuse(refusal(error, _language(ctx)))
        except BrokenPipeError:
            # Whoever read has gone; click ends quietly.
            raise
        except OSError as error:
            from fifteentwo.i18n.refusal import file_trouble

            _refuse(file_trouble(error, _language(ctx)))


def _language(ctx: click.Context) -> str:
    return str(ctx.find_root().obj or "en")


def _refuse(sentence: str) -> NoReturn:
    print(f"fifteentwo: {sentence}", file=sys.stderr)
    sys.exit(1)


def _usage(key: str, lang: str, **values: object) -> NoReturn:
    from fifteentwo.i18n import text

    raise click.UsageError(text(f"usage.{key}", lang, **values))


def _keep_lang(ctx: click.Context, _: click.Parameter, value: str | None) -> str | None:
    # Eager where it is used, so that what another option refuses is refused in this language.
    ctx.find_root().obj = value
    return value


_lang_option = click.option(
    "--lang", type=LANGUAGES, default="en", callback=_keep_lang, is_eager=True, help="Language."
)
_page_lang_option = click.option(
    "--lang",
    type=LANGUAGES,
    default=None,
    callback=_keep_lang,
    help="Language; without it the browser's own.",
)
"""For pages: without it every browser gets the language it asks for."""

_FILE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def _print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False))


@click.group(cls=_Commands, invoke_without_command=True)
@click.version_option(package_name="fifteentwo")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Cribbage, whole. Without a command: play."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(play)


# ── At the table ─────────────────────────────────────────────────────────────────────────────────────────


@main.command()
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=None, help="Default 8152, or the next one free."
)
@_page_lang_option
@click.option("--database", metavar="URL", default=None, help="Where games are kept (SQLAlchemy URL).")
def play(
    no_browser: bool = False, port: int | None = None, lang: str | None = None, database: str | None = None
) -> None:
    """Play in the browser, on this machine."""
    from fifteentwo.server.app import serve as run

    run(port=port, database=database, open_browser=not no_browser, lang=lang)


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8152, show_default=True)
@click.option("--database", metavar="URL", default=None, help="Where games are kept (SQLAlchemy URL).")
@click.option("--workers", type=click.IntRange(1), default=1, help="Only 1: tables live in one process.")
@_page_lang_option
def serve(host: str, port: int, database: str | None, workers: int, lang: str | None) -> None:
    """Keep a table for others."""
    from fifteentwo.server.app import serve as run

    run(host=host, port=port, database=database, open_browser=False, lang=lang, workers=workers)


# ── Counting and laying away ─────────────────────────────────────────────────────────────────────────────


@main.command()
@click.argument("hand", nargs=-1)
@click.option("--starter", help="The card turned up.")
@click.option("--all", "file", type=_FILE, help="Count every line of a file, the starter last; - for stdin.")
@click.option("--crib", is_flag=True, help="Count it as a crib: a flush needs all five (R86).")
@click.option("--five-card", is_flag=True, help="A hand of three, as in five-card cribbage (R103).")
@_json_option
@_lang_option
def score(
    hand: tuple[str, ...],
    starter: str | None,
    file: Path | None,
    crib: bool,
    five_card: bool,
    as_json: bool,
    lang: str,
) -> None:
    """Count a hand: fifteentwo score 5H 5S 5D JC --starter 5C."""
    if file is not None and not hand:
        _score_all(file, crib, as_json)
        return
    if not hand or starter is None or file is not None:
        _usage("hand-and-starter", lang)
    from fifteentwo.i18n import spoken
    from fifteentwo.rules import show
    from fifteentwo.rules.cards import Card, cards
    from fifteentwo.rules.errors import NotationError

    held = cards(" ".join(hand))
    turned = Card(starter)
    expected = 3 if five_card and not crib else 4
    if len(held) != expected:
        raise NotationError("wrong-number-of-cards", " ".join(hand), len(held))
    if turned in held:
        raise NotationError("card-twice", starter, len(held))
    scores = show.scores(held, turned, crib=crib)
    total = 0
    counted = []
    for item in scores:
        total += item.points
        counted.append(
            {
                "name": item.name.value,
                "cards": [card.text for card in item.cards],
                "points": item.points,
                "total": total,
                "rule": item.rule,
            }
        )
    if as_json:
        _print_json({"points": total, "scores": counted})
        return
    for said, item in zip(_by_score(spoken(scores, lang), scores), scores, strict=True):
        print(f"{' '.join(card.text for card in item.cards):<16}{said}")
    print(total)


def _by_score(said: list[str], scores: tuple[Any, ...]) -> list[str]:
    """One line a score; the count has one entry for each."""
    return said if len(said) == len(scores) else [""] * len(scores)


def _score_all(file: Path, crib: bool, as_json: bool) -> None:
    from fifteentwo.analysis import hand_list

    made = hand_list.points(_text_of(file).splitlines(), crib=crib).tolist()
    if as_json:
        _print_json({"points": made})
    else:
        sys.stdout.writelines(f"{points}\n" for points in made)


@main.command()
@click.argument("hand", nargs=-1, required=True)
@click.option("--dealer", "own", flag_value=True, type=bool, help="The crib is yours.")
@click.option("--pone", "own", flag_value=False, type=bool, default=None, help="The crib is the dealer's.")
@click.option("--board", metavar="OWN-OPP", help="The score, for the chance to win.")
@click.option("--form", default="six-card", show_default=True, help="The game, by the form's name.")
@click.option("--why", is_flag=True, help="Compare the best with the next best.")
@_json_option
@_lang_option
def discard(
    hand: tuple[str, ...], own: bool | None, board: str | None, form: str, why: bool, as_json: bool, lang: str
) -> None:
    """Every way to lay away, best first: fifteentwo discard 5H 5S 6D 7C JC KD --dealer."""
    from fifteentwo.analysis import discard as analysis
    from fifteentwo.analysis import explain
    from fifteentwo.i18n import laying_away
    from fifteentwo.rules.cards import cards
    from fifteentwo.rules.variants import variant

    if own is None:
        _usage("own-crib", lang)
    held, rules = cards(" ".join(hand)), variant(form)
    report = analysis.report(held, own_crib=own, board=_board(board, rules.target, lang), form=form)
    in_words = laying_away.options_table
    if why:
        best, second = (cards(" ".join(option["discard"])) for option in report["options"][:2])
        report = explain.report(explain.explain(held, best, second, own_crib=own, rules=rules))
        in_words = laying_away.comparison
    if as_json:
        _print_json(report)
    else:
        print(in_words(report, lang))


def _board(written: str | None, target: int, lang: str) -> tuple[int, int] | None:
    if written is None:
        return None
    scores = re.fullmatch(r"(\d{1,3})-(\d{1,3})", written)
    if scores is None or max(int(scores[1]), int(scores[2])) >= target:
        _usage("board", lang, target=target)
    return int(scores[1]), int(scores[2])


# ── Records ──────────────────────────────────────────────────────────────────────────────────────────────

_file = click.argument("file", type=_FILE)


def _text_of(file: Path) -> str:
    from fifteentwo.rules.errors import NotationError

    written = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    try:
        return written.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotationError("not-text", "stdin" if str(file) == "-" else file.name, error.start) from None


def _read(file: Path) -> Any:
    from fifteentwo.rules.record import read

    return read(_text_of(file))


@main.command()
@_file
@_json_option
@_lang_option
def replay(file: Path, as_json: bool, lang: str) -> None:
    """Tell a recorded game and check it."""
    from fifteentwo.i18n import tell
    from fifteentwo.rules.record import replay as played
    from fifteentwo.rules.record import to_plain

    record = _read(file)
    names = tuple(record.names)
    for _, state, events in played(record):
        seated = tuple(names[who] for who in state.seating)
        for event in events:
            if as_json:
                _print_json(to_plain(event))
            else:
                print(tell(event, lang, seated, sides=record.rules.sides))


@main.command()
@_file
@_json_option
@_lang_option
def verify(file: Path, as_json: bool, lang: str) -> None:
    """Check a record's dealing against what was committed to."""
    from fifteentwo.i18n import text
    from fifteentwo.server.dealing import verify as checked

    record = _read(file)
    times = checked(record)
    if as_json:
        _print_json({"verified": True, "packs": times})
    else:
        print(text("report.verify", lang, n=times, commitment=record.commitment))


@main.command()
@_file
@_json_option
@_lang_option
def review(file: Path, as_json: bool, lang: str) -> None:
    """Each decision of a recorded game: the best, the chosen, and the loss."""
    from fifteentwo.analysis import review as analysis
    from fifteentwo.i18n.game_review import review_text

    report = analysis.review(_read(file))
    if as_json:
        _print_json(report)
    else:
        print(review_text(report, lang))


_FOLDER = click.Path(file_okay=False, path_type=Path)
_checkpoint_option = click.option(
    "--checkpoint", type=_FOLDER, default=None, help="Where to go on from after a stop."
)


def _scheduler(ctx: click.Context, _: click.Parameter, address: str | None) -> str | None:
    if address is None:
        return None
    if find_spec("distributed") is None:
        from fifteentwo.rules.errors import NotInstalled

        raise NotInstalled("cluster")
    if not re.search(r":[0-9]+$|^inproc://", address):
        _usage("dask", _language(ctx))
    return address


_dask_option = click.option(
    "--dask", metavar="ADDRESS", default=None, callback=_scheduler, help="A Dask scheduler to work on."
)


# ── Players and engines ──────────────────────────────────────────────────────────────────────────────────


@main.command()
@click.argument("first")
@click.argument("second")
@click.option("--games", type=click.IntRange(2), default=1000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=None, help="Processes; default one a core.")
@_dask_option
@click.option("--form", default="six-card", show_default=True)
@_checkpoint_option
@_json_option
@_lang_option
def arena(
    first: str,
    second: str,
    games: int,
    seed: int,
    jobs: int | None,
    dask: str | None,
    form: str,
    checkpoint: Path | None,
    as_json: bool,
    lang: str,
) -> None:
    """Two levels play duplicate deals with seats swapped."""
    import os

    from fifteentwo.contest import arena as contest
    from fifteentwo.i18n.arena import arena_text

    processes = jobs or os.cpu_count() or 1
    result = contest.arena(
        first,
        second,
        games=games,
        seed=seed,
        jobs=processes,
        dask=dask,
        form=form,
        checkpoint=checkpoint,
        say=_progress(lang),
    )
    if as_json:
        _print_json(result)
    else:
        print(arena_text(result, lang))


def _progress(lang: str) -> Callable[[int, int], None]:
    """Says on the error stream every five seconds how many games are played, and how long the rest takes."""
    from fifteentwo.i18n.arena import progress

    said = time.monotonic()
    first: list[tuple[float, int]] = []

    def say(played: int, games: int) -> None:
        nonlocal said
        now = time.monotonic()
        # Reckoned from the first batch on: games kept by an earlier run took no time of this one.
        first.append((now, played))
        if now - said >= 5 and len(first) > 1:
            said = now
            began, before = first[0]
            _say(progress(played, games, (now - began) * (games - played) / (played - before), lang))

    return say


@main.command()
@click.argument("level")
@click.option("--seed", type=int, default=1, show_default=True)
def bot(level: str, seed: int) -> None:
    """Answer Views with actions, JSON lines on stdin and stdout (docs/engine.md)."""
    from fifteentwo.contest.bot import Bot

    answering = Bot(level, seed)
    _say(answering.about.decode())
    for answer in answering.answers(sys.stdin.buffer):
        print(answer.decode(), flush=True)


# ── Solving ──────────────────────────────────────────────────────────────────────────────────────────────

_jobs_option = click.option("--jobs", type=click.IntRange(1), default=None, help="Default: one a core.")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _tell_solved(told: dict[str, Any], as_json: bool) -> None:
    if as_json:
        _print_json(told)
    else:
        for name, value in told.items():
            print(f"{name}: {value}")


@main.group()
def solve() -> None:
    """Solve cribbage, offline, and report what ships. For developers: its reports are in English."""


@solve.command("pegging")
@click.option("--iterations", type=click.IntRange(1), default=100, show_default=True)
@click.option(
    "--afresh", type=click.IntRange(0), default=0, help="Iterations to forget before averages begin."
)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), default=None, help="Write a book there."
)
@_jobs_option
@_checkpoint_option
@_json_option
def solve_pegging(
    iterations: int,
    afresh: int,
    out: Path | None,
    jobs: int | None,
    checkpoint: Path | None,
    as_json: bool,
) -> None:
    """The play alone, under the hands that ship."""
    from fifteentwo.solver import pegging_solve

    told = pegging_solve.run(
        iterations=iterations,
        afresh=afresh,
        out=out,
        jobs=jobs,
        checkpoint=checkpoint,
        say=_say,
    )
    _tell_solved(told, as_json)


@solve.command("discards")
@click.option("--out", type=_FOLDER, default=None, help="Write the tables there, not over those that ship.")
@_jobs_option
@_checkpoint_option
@_json_option
def solve_discards(out: Path | None, jobs: int | None, checkpoint: Path | None, as_json: bool) -> None:
    """Laying away and the play together, from nothing; writes and measures the tables."""
    from fifteentwo.solver import whole_solve as equilibrium

    _tell_solved(equilibrium.run(jobs=jobs, checkpoint=checkpoint, out=out, say=_say), as_json)


@solve.command("board")
@click.option("--deals", type=click.IntRange(40), default=20_000_000, show_default=True)
@click.option("--seed", type=int, default=5, show_default=True)
@_dask_option
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=None, help="Write it there.")
@_jobs_option
@_checkpoint_option
@_json_option
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
    from fifteentwo.solver import board

    told = board.run(
        board.Job(deals=deals, seed=seed), jobs, checkpoint, dask_address=dask, out=out, say=_say
    )
    _tell_solved(told, as_json)


@solve.command("report")
@click.option("--measure", is_flag=True, help="Work the figures out again from the tables.")
@click.option("--yardsticks", is_flag=True, help="Work out those of the plain ways to play, too.")
@click.option(
    "--knowing",
    type=click.IntRange(2),
    metavar="HANDS",
    default=None,
    help="Sample what a best answer gains that also knows its six cards and the starter.",
)
@click.option(
    "--store", is_flag=True, help="Keep figures of --yardsticks and --knowing with the tables that ship."
)
@_jobs_option
@_json_option
def solve_report(
    measure: bool, yardsticks: bool, knowing: int | None, store: bool, jobs: int | None, as_json: bool
) -> None:
    """How far what ships can be exploited, in points a deal, and plain ways to play beside it."""
    from fifteentwo.solver import report

    told = report.run(
        measure=measure, measure_yardsticks=yardsticks, knowing=knowing, store=store, jobs=jobs, say=_say
    )
    if as_json:
        _print_json(told)
    else:
        print("\n".join(report.lines(told)))


@main.command()
@click.argument("what", type=click.Choice(["show", "discard", "games"]))
@_json_option
def bench(what: str, as_json: bool) -> None:
    """Our speed beside a C baseline compiled on the spot. For developers: in English."""
    from fifteentwo import bench as benches

    told = benches.run(what)
    if as_json:
        _print_json(told)
    else:
        print("  ".join(f"{name} {value}" for name, value in told.items()))
