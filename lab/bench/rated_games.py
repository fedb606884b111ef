"""Reviewed games between levels, which measure ratings, luck and bands.

The checkpoint holds a line of JSON for each game, so that a stopped run resumes. The number of a game and its
two levels determine all its decks.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from fifteentwo.analysis.review.luck import DEALER, PARTS, parts
from fifteentwo.analysis.review.luck_adjusted import dealt_luck
from fifteentwo.analysis.review.review import review
from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.record import Record, last_state
from fifteentwo.rules.variants import rules_for
from lab.files import store_row, stored_rows

LEVELS = ("random", "beginner", "casual", "club", "expert", "master")
"""The levels to rate, weakest first."""


class Game(NamedTuple):
    """The n-th game between two levels; the first level deals first in every second game."""

    levels: tuple[str, str]
    """Levels of seats 0 and 1."""
    number: int


def play_game(game: Game) -> Record:
    """Play a game with decks that its levels and number determine; return the record."""
    rules = rules_for("six-card", first_dealer="named", cut_before_deal=False, starter="top")
    table = Table(rules, seeded(f"rating/{'/'.join(game.levels)}/{game.number}"))
    table.adopt(table.name_dealer(game.number % 2))
    play_out(table, [player(level, 2 * game.number + seat) for seat, level in enumerate(game.levels)])
    return Record(rules=rules, names=game.levels, actions=tuple(table.actions), named=False)


def row(game: Game) -> dict[str, Any]:
    """Play and review a game; return the JSON object that is stored for it. About a second."""
    report = review(play_game(game))
    deals: dict[int, float] = {}
    kinds: dict[str, list[float]] = {}
    for one in report["luck"]:
        if one["kind"] == DEALER:
            continue
        is_dealer = one["seat"] == (game.number + one["deal"] + 1) % 2
        kinds.setdefault(f"{one['kind']} {'dealer' if is_dealer else 'pone'}", []).append(one["luck"])
        if is_dealer:
            deals[one["deal"]] = deals.get(one["deal"], 0.0) + one["luck"]
    return {
        "levels": list(game.levels),
        "number": game.number,
        "luck": [round(luck, 5) for luck in deals.values()],
        "kinds": {
            kind: [round(sum(lucks), 5), round(sum(luck**2 for luck in lucks), 8)]
            for kind, lucks in kinds.items()
        },
        "seats": [_seat_fields(report, seat) for seat in (0, 1)],
    }


def luck_adjusted_row(game: Game) -> dict[str, Any]:
    """Play a game; return a JSON object with results and luck-adjusted results. 0.06 s for weak levels."""
    record = play_game(game)
    won = last_state(record).won
    assert won is not None
    luck = sum(parts(of_first) for of_first, _ in dealt_luck(record))
    results = [int(won.side == seat) for seat in (0, 1)]
    evened = [
        (parts(result) - luck_of) / PARTS for result, luck_of in zip(results, (luck, -luck), strict=True)
    ]
    return {
        "levels": list(game.levels),
        "number": game.number,
        "seats": [
            {"result": result, "even_result": even} for result, even in zip(results, evened, strict=True)
        ],
    }


def _seat_fields(report: dict[str, Any], seat: int) -> dict[str, Any]:
    own = report["seats"][seat]
    decisions = [one for one in report["decisions"] if one["seat"] == seat]
    return {
        **{name: own[name] for name in ("lost", "luck", "result", "adjusted_result", "decisions")},
        "losses": [[one["loss_win"], one["weight"]] for one in decisions if not one["obvious"]],
    }


def rows(
    games: Iterable[Game],
    checkpoint: Path | None = None,
    jobs: int | None = 1,
    work: Callable[[Game], dict[str, Any]] | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield the JSON object of every game, by `work` (by default `row`) unless it is stored, in any order."""
    wanted = set(games)
    for kept in stored_rows(checkpoint):
        game = Game((kept["levels"][0], kept["levels"][1]), kept["number"])
        if game in wanted:
            wanted.remove(game)
            yield kept
    todo = sorted(wanted, key=lambda game: (game.number, game.levels))
    with get_executor(min(jobs or len(todo), len(todo)), None) as executor:
        for _, done in run_all(executor, work or row, [(game, (game,)) for game in todo]):
            store_row(checkpoint, done)
            yield done
