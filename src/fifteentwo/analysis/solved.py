"""What is known of cribbage, and how well: figures read from what ships, each with its command."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from fifteentwo.strategy import board
from fifteentwo.strategy.files import data_bytes

REPORT = "fifteentwo solve report --measure"
BASELINES = "fifteentwo solve report --baselines"
KNOWING = "fifteentwo solve report --knowing 300"
DISCARDS = "fifteentwo solve discards"
BOARD = "fifteentwo solve board"
ROLLOUTS = "fifteentwo solve rollouts"
END = "fifteentwo solve rollouts --end --positions 60"


class Figure(NamedTuple):
    """One figure."""

    name: str
    """A key of the catalogue, after `solved.`."""
    value: float
    error: float | None
    """Its standard error, where chance is in it."""
    places: int
    unit: str
    """points, chance (a share of 1, written as per cent), number, seconds."""
    source: tuple[str, ...]
    """The file, and the way to the figure in it."""
    command: str


class Group(NamedTuple):
    """Figures of one kind."""

    name: str
    figures: tuple[Figure, ...]


def read(source: tuple[str, ...]) -> Any:
    """What stands at this place of a file that ships."""
    value: Any = _file(source[0])
    for step in source[1:]:
        value = value[int(step) if isinstance(value, list) else step]
    return value


@cache
def _file(name: str) -> Mapping[str, Any]:
    """A file of figures, or the header of a table."""
    if name == board.NAME:
        return board.provenance()
    found: dict[str, Any] = json.loads(data_bytes(name))
    return found


def figures() -> tuple[Group, ...]:
    """All of them, in the order of the page; DamagedTable where a table is not whole."""
    return (_strategy(), _baselines(), _board(), _deal(), _chances(), _work())


def _of(
    name: str,
    unit: str,
    places: int,
    source: tuple[str, ...],
    command: str,
    *,
    error: tuple[str, ...] | None = None,
    times: float = 1,
) -> Figure:
    off = None if error is None else float(read(error)) * times
    return Figure(name, float(read(source)) * times, off, places, unit, source, command)


_EQUILIBRIUM = "equilibrium.json"


def _strategy() -> Group:
    made = [
        _of(f"exploitability-{part}", "points", 5, (_EQUILIBRIUM, "exploitability", part), REPORT)
        for part in ("pegging", "discard", "deal")
    ]
    more = "knowing_six_cards_and_starter"
    made += [
        _of(
            f"knowing-{role}",
            "points",
            3,
            (_EQUILIBRIUM, more, role, "gain"),
            KNOWING,
            error=(_EQUILIBRIUM, more, role, "standard_error"),
        )
        for role in ("pone", "dealer")
    ]
    return Group("strategy", tuple(made))


def _baselines() -> Group:
    return Group(
        "baselines",
        tuple(
            _of(f"baseline-{name}", "points", 3, (_EQUILIBRIUM, "baselines", name, "deal"), BASELINES)
            for name in ("open-hand", "club-like", "greedy", "uniform")
        ),
    )


def _board() -> Group:
    summary = (board.NAME, "summary")
    return Group(
        "board",
        (
            _of(
                "first-dealer",
                "chance",
                3,
                (*summary, "first_dealer_wins"),
                BOARD,
                error=(*summary, "first_dealer_error"),
            ),
            _of("first-dealer-by-points", "chance", 3, (*summary, "first_dealer_wins_by_points"), BOARD),
            _of("board-error", "chance", 4, (*summary, "median_error"), BOARD),
            _of("board-error-most", "chance", 3, (*summary, "largest_error"), BOARD),
            _of("largest-gain", "chance", 1, (*summary, "largest_gain"), BOARD),
            _of("deals-a-game", "number", 2, (*summary, "deals_a_game"), BOARD),
            _of("skunks", "chance", 1, (*summary, "skunks"), BOARD),
            _of("double-skunks", "chance", 2, (*summary, "double_skunks"), BOARD),
        ),
    )


def _deal() -> Group:
    names = (
        "pone_hand",
        "pone_pegs",
        "pone_total",
        "dealer_hand",
        "crib",
        "dealer_pegs",
        "heels",
        "dealer_total",
    )
    return Group(
        "deal",
        tuple(
            _of(f"deal-{name.replace('_', '-')}", "points", 3, (board.NAME, "summary", name), BOARD)
            for name in names
        ),
    )


def _chances() -> Group:
    whole, end = "win_rollouts.json", "win_rollouts_end.json"
    without = "root_mean_square_without_noise"
    # They are kept in hundredths.
    return Group(
        "chances",
        (
            _of("win-positions", "number", 0, (whole, "positions"), ROLLOUTS),
            _of("win-error", "chance", 3, (whole, "error"), ROLLOUTS, error=(whole, "error_se"), times=0.01),
            _of("win-rms", "chance", 3, (whole, without), ROLLOUTS, times=0.01),
            _of("win-rms-near", "chance", 3, (whole, f"{without}_near"), ROLLOUTS, times=0.01),
            _of("win-rms-end", "chance", 3, (end, without), END, times=0.01),
            _of("win-best-loses", "chance", 4, (whole, "best_way_loses"), ROLLOUTS, times=0.01),
            _of("win-best-loses-end", "chance", 4, (end, "best_way_loses"), END, times=0.01),
        ),
    )


def _work() -> Group:
    return Group(
        "work",
        (
            _of("work-core-seconds", "seconds", 0, (_EQUILIBRIUM, "core_seconds"), DISCARDS),
            _of("work-deals", "number", 0, (board.NAME, "deals"), BOARD),
        ),
    )
