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
    """One result about cribbage."""

    name: str
    """Key of its text in the translations, without the prefix `solved.`."""
    value: float
    error: float | None
    """Standard error; None if the figure is exact."""
    places: int
    """Number of decimals to print."""
    unit: str
    """points, chance (a fraction of 1 that is printed in per cent), number or seconds."""
    source: tuple[str, ...]
    """The stored file, and the keys that lead to the figure in it."""
    command: str


class Group(NamedTuple):
    """Figures that are shown under one heading."""

    name: str
    figures: tuple[Figure, ...]


def read(source: Sequence[str]) -> Any:
    """Return a value from a stored file. source: the file, then the keys that lead to the value."""
    value: Any = _stored_file(source[0])
    for step in source[1:]:
        value = value[int(step) if isinstance(value, list) else step]
    return value


@cache
def _stored_file(name: str) -> Mapping[str, Any]:
    if name == board.NAME:
        return board.provenance()
    found: dict[str, Any] = json.loads(data_bytes(name))
    return found


class _Source(NamedTuple):
    """Where a figure is stored, and how it is shown (`Figure`)."""

    name: str
    unit: str
    places: int
    source: str
    """The file and the keys that lead to the figure, separated by slashes."""
    command: str
    error: str = ""
    """The file and the keys that lead to the standard error; empty if there is none."""
    factor: float = 1
    """Factor by which the stored figure is multiplied."""


_EQUILIBRIUM, _KNOWN = "equilibrium.json", "equilibrium.json/knowing_six_cards_and_starter"
_FIVE = "five_card.json"
_SUMMARY = f"{board.NAME}/summary"
"""The stored board table, and its key of summary figures."""
_WHOLE, _END = "win_rollouts.json", "win_rollouts_end.json"
_RMS = "root_mean_square_without_noise"
_DEAL_FIGURES = (
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
_SOURCES_BY_GROUP = {
    "strategy": (
        *[
            _Source(f"exploitability-{part}", "points", 5, f"{_EQUILIBRIUM}/exploitability/{part}", REPORT)
            for part in ("pegging", "discard", "deal")
        ],
        *[
            _Source(
                f"knowing-{role}",
                *("points", 3, f"{_KNOWN}/{role}/gain", KNOWING),
                error=f"{_KNOWN}/{role}/standard_error",
            )
            for role in ("pone", "dealer")
        ],
    ),
    "five-card": (
        *[
            _Source(f"five-card-{part}", "points", 5, f"{_FIVE}/exploitability/{part}", REPORT)
            for part in ("pegging", "discard", "deal")
        ],
        _Source("five-card-check", "seconds", 0, f"{_FIVE}/core_seconds_to_check", REPORT),
    ),
    "board": (
        _Source(
            "first-dealer",
            *("chance", 3, f"{_SUMMARY}/first_dealer_wins", BOARD),
            error=f"{_SUMMARY}/first_dealer_error",
        ),
        _Source("first-dealer-by-points", "chance", 3, f"{_SUMMARY}/first_dealer_wins_by_points", BOARD),
        _Source("board-error", "chance", 4, f"{_SUMMARY}/median_error", BOARD),
        _Source("board-error-most", "chance", 3, f"{_SUMMARY}/largest_error", BOARD),
        _Source("largest-gain", "chance", 1, f"{_SUMMARY}/largest_gain", BOARD),
        _Source("deals-a-game", "number", 2, f"{_SUMMARY}/deals_a_game", BOARD),
        _Source("skunks", "chance", 1, f"{_SUMMARY}/skunks", BOARD),
        _Source("double-skunks", "chance", 2, f"{_SUMMARY}/double_skunks", BOARD),
    ),
    "deal": tuple(
        _Source(f"deal-{name.replace('_', '-')}", "points", 3, f"{_SUMMARY}/{name}", BOARD)
        for name in _DEAL_FIGURES
    ),
    "chances": (
        _Source("win-positions", "number", 0, f"{_WHOLE}/positions", ROLLOUTS),
        _Source("win-error", "chance", 3, f"{_WHOLE}/error", ROLLOUTS, f"{_WHOLE}/error_se", 0.01),
        _Source("win-rms", "chance", 3, f"{_WHOLE}/{_RMS}", ROLLOUTS, factor=0.01),
        _Source("win-rms-near", "chance", 3, f"{_WHOLE}/{_RMS}_near", ROLLOUTS, factor=0.01),
        _Source("win-rms-end", "chance", 3, f"{_END}/{_RMS}", END, factor=0.01),
        _Source("win-best-loses", "chance", 4, f"{_WHOLE}/best_way_loses", ROLLOUTS, factor=0.01),
        _Source("win-best-loses-end", "chance", 4, f"{_END}/best_way_loses", END, factor=0.01),
    ),
    "work": (
        _Source("work-core-seconds", "seconds", 0, f"{_EQUILIBRIUM}/core_seconds", DISCARDS),
        _Source("work-deals", "number", 0, f"{board.NAME}/deals", BOARD),
    ),
}
"""The figures of each group, in the order in which they are shown."""


def figures() -> tuple[Group, ...]:
    """Return all figures in the order in which they are shown; raise DamagedTable if a file is damaged."""
    return tuple(Group(name, tuple(_figure(row) for row in rows)) for name, rows in _SOURCES_BY_GROUP.items())


def _figure(row: _Source) -> Figure:
    source = tuple(row.source.split("/"))
    error = float(read(row.error.split("/"))) * row.factor if row.error else None
    return Figure(
        row.name, float(read(source)) * row.factor, error, row.places, row.unit, source, row.command
    )
