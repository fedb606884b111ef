"""Results about cribbage that the package stores, with the command that computes each."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from fifteentwo.strategy import board
from fifteentwo.strategy.files import data_bytes

REPORT = "python -m lab report --measure"
KNOWING = "python -m lab report --knowing 300"
DISCARDS = "python -m lab solve discards"
BOARD = "python -m lab solve board"
ROLLOUTS = "python -m lab solve rollouts"
END = "python -m lab solve rollouts --end --positions 60"


class Figure(NamedTuple):
    """One figure."""

    name: str
    """A key of the catalogue, after `solved.`."""
    value: float
    error: float | None
    """Standard error of a random estimate."""
    places: int
    unit: str
    """points, chance (a fraction of 1, printed in per cent), number, seconds."""
    source: tuple[str, ...]
    """The file and the keys that lead to the figure."""
    command: str


class Group(NamedTuple):
    """Figures of one kind."""

    name: str
    figures: tuple[Figure, ...]


def read(source: Sequence[str]) -> Any:
    """Return the value at this place of a stored file."""
    value: Any = _file(source[0])
    for step in source[1:]:
        value = value[int(step) if isinstance(value, list) else step]
    return value


@cache
def _file(name: str) -> Mapping[str, Any]:
    if name == board.NAME:
        return board.provenance()
    found: dict[str, Any] = json.loads(data_bytes(name))
    return found


class _Row(NamedTuple):
    """A figure before it is read: `source` and `error` are a file and its keys, separated by slashes."""

    name: str
    unit: str
    places: int
    source: str
    command: str
    error: str = ""
    times: float = 1


_EQUILIBRIUM, _KNOWN = "equilibrium.json", "equilibrium.json/knowing_six_cards_and_starter"
_FIVE = "five_card.json"
_SUMMARY = f"{board.NAME}/summary"
_WHOLE, _END = "win_rollouts.json", "win_rollouts_end.json"
_RMS = "root_mean_square_without_noise"
_DEAL = (
    "pone_hand",
    "pone_pegs",
    "pone_total",
    "dealer_hand",
    "crib",
    "dealer_pegs",
    "heels",
    "dealer_total",
)
# Chances of the rollouts are stored in hundredths.
_GROUPS = {
    "strategy": (
        *[
            _Row(f"exploitability-{part}", "points", 5, f"{_EQUILIBRIUM}/exploitability/{part}", REPORT)
            for part in ("pegging", "discard", "deal")
        ],
        *[
            _Row(
                f"knowing-{role}",
                *("points", 3, f"{_KNOWN}/{role}/gain", KNOWING),
                error=f"{_KNOWN}/{role}/standard_error",
            )
            for role in ("pone", "dealer")
        ],
    ),
    "five-card": (
        *[
            _Row(f"five-card-{part}", "points", 5, f"{_FIVE}/exploitability/{part}", REPORT)
            for part in ("pegging", "discard", "deal")
        ],
        _Row("five-card-check", "seconds", 0, f"{_FIVE}/core_seconds_to_check", REPORT),
    ),
    "board": (
        _Row(
            "first-dealer",
            *("chance", 3, f"{_SUMMARY}/first_dealer_wins", BOARD),
            error=f"{_SUMMARY}/first_dealer_error",
        ),
        _Row("first-dealer-by-points", "chance", 3, f"{_SUMMARY}/first_dealer_wins_by_points", BOARD),
        _Row("board-error", "chance", 4, f"{_SUMMARY}/median_error", BOARD),
        _Row("board-error-most", "chance", 3, f"{_SUMMARY}/largest_error", BOARD),
        _Row("largest-gain", "chance", 1, f"{_SUMMARY}/largest_gain", BOARD),
        _Row("deals-a-game", "number", 2, f"{_SUMMARY}/deals_a_game", BOARD),
        _Row("skunks", "chance", 1, f"{_SUMMARY}/skunks", BOARD),
        _Row("double-skunks", "chance", 2, f"{_SUMMARY}/double_skunks", BOARD),
    ),
    "deal": tuple(
        _Row(f"deal-{name.replace('_', '-')}", "points", 3, f"{_SUMMARY}/{name}", BOARD) for name in _DEAL
    ),
    "chances": (
        _Row("win-positions", "number", 0, f"{_WHOLE}/positions", ROLLOUTS),
        _Row("win-error", "chance", 3, f"{_WHOLE}/error", ROLLOUTS, f"{_WHOLE}/error_se", 0.01),
        _Row("win-rms", "chance", 3, f"{_WHOLE}/{_RMS}", ROLLOUTS, times=0.01),
        _Row("win-rms-near", "chance", 3, f"{_WHOLE}/{_RMS}_near", ROLLOUTS, times=0.01),
        _Row("win-rms-end", "chance", 3, f"{_END}/{_RMS}", END, times=0.01),
        _Row("win-best-loses", "chance", 4, f"{_WHOLE}/best_way_loses", ROLLOUTS, times=0.01),
        _Row("win-best-loses-end", "chance", 4, f"{_END}/best_way_loses", END, times=0.01),
    ),
    "work": (
        _Row("work-core-seconds", "seconds", 0, f"{_EQUILIBRIUM}/core_seconds", DISCARDS),
        _Row("work-deals", "number", 0, f"{board.NAME}/deals", BOARD),
    ),
}


def figures() -> tuple[Group, ...]:
    """Return all figures in the order of the page; raise DamagedTable."""
    return tuple(Group(name, tuple(_figure(row) for row in rows)) for name, rows in _GROUPS.items())


def _figure(row: _Row) -> Figure:
    source = tuple(row.source.split("/"))
    error = float(read(row.error.split("/"))) * row.times if row.error else None
    return Figure(row.name, float(read(source)) * row.times, error, row.places, row.unit, source, row.command)
