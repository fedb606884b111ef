"""Results about cribbage that the package stores, with the command that computes each."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from fifteentwo.strategy import board
from fifteentwo.strategy.files import data_bytes

REPORT_COMMAND = "python -m lab report --measure"
KNOWING_COMMAND = "python -m lab report --knowing 300"
DISCARDS_COMMAND = "python -m lab solve discards"
BOARD_COMMAND = "python -m lab solve board"
ROLLOUTS_COMMAND = "python -m lab solve rollouts"
END_COMMAND = "python -m lab solve rollouts --end --positions 60"


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
    """The command that computes the figure."""


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


class _FigureSource(NamedTuple):
    """Where a figure is stored, and how it is shown (`Figure`)."""

    name: str
    unit: str
    places: int
    """Number of decimals to print."""
    source: str
    """The file and the keys that lead to the figure, separated by slashes."""
    command: str
    """The command that computes the figure."""
    error: str = ""
    """The file and the keys that lead to the standard error; empty if there is none."""
    factor: float = 1
    """Factor from the stored figure to the unit."""


_EQUILIBRIUM_FILE, _KNOWN_CARDS_KEYS = "equilibrium.json", "equilibrium.json/knowing_six_cards_and_starter"
_FIVE_CARD_FILE = "five_card.json"
_BOARD_SUMMARY = f"{board.NAME}/summary"
_ROLLOUTS_FILE, _END_ROLLOUTS_FILE = "win_rollouts.json", "win_rollouts_end.json"
_ERROR_KEY = "root_mean_square_without_noise"
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
_GROUPS = {
    "strategy": (
        *[
            _FigureSource(
                f"exploitability-{part}",
                "points",
                5,
                f"{_EQUILIBRIUM_FILE}/exploitability/{part}",
                REPORT_COMMAND,
            )
            for part in ("pegging", "discard", "deal")
        ],
        *[
            _FigureSource(
                f"knowing-{role}",
                *("points", 3, f"{_KNOWN_CARDS_KEYS}/{role}/gain", KNOWING_COMMAND),
                error=f"{_KNOWN_CARDS_KEYS}/{role}/standard_error",
            )
            for role in ("pone", "dealer")
        ],
    ),
    "five-card": (
        *[
            _FigureSource(
                f"five-card-{part}", "points", 5, f"{_FIVE_CARD_FILE}/exploitability/{part}", REPORT_COMMAND
            )
            for part in ("pegging", "discard", "deal")
        ],
        _FigureSource(
            "five-card-check", "seconds", 0, f"{_FIVE_CARD_FILE}/core_seconds_to_check", REPORT_COMMAND
        ),
    ),
    "board": (
        _FigureSource(
            "first-dealer",
            *("chance", 3, f"{_BOARD_SUMMARY}/first_dealer_wins", BOARD_COMMAND),
            error=f"{_BOARD_SUMMARY}/first_dealer_error",
        ),
        _FigureSource(
            "first-dealer-by-points",
            "chance",
            3,
            f"{_BOARD_SUMMARY}/first_dealer_wins_by_points",
            BOARD_COMMAND,
        ),
        _FigureSource("board-error", "chance", 4, f"{_BOARD_SUMMARY}/median_error", BOARD_COMMAND),
        _FigureSource("board-error-most", "chance", 3, f"{_BOARD_SUMMARY}/largest_error", BOARD_COMMAND),
        _FigureSource("largest-gain", "chance", 1, f"{_BOARD_SUMMARY}/largest_gain", BOARD_COMMAND),
        _FigureSource("deals-a-game", "number", 2, f"{_BOARD_SUMMARY}/deals_a_game", BOARD_COMMAND),
        _FigureSource("skunks", "chance", 1, f"{_BOARD_SUMMARY}/skunks", BOARD_COMMAND),
        _FigureSource("double-skunks", "chance", 2, f"{_BOARD_SUMMARY}/double_skunks", BOARD_COMMAND),
    ),
    "deal": tuple(
        _FigureSource(
            f"deal-{name.replace('_', '-')}", "points", 3, f"{_BOARD_SUMMARY}/{name}", BOARD_COMMAND
        )
        for name in _DEAL_FIGURES
    ),
    "chances": (
        _FigureSource("win-positions", "number", 0, f"{_ROLLOUTS_FILE}/positions", ROLLOUTS_COMMAND),
        _FigureSource(
            "win-error",
            "chance",
            3,
            f"{_ROLLOUTS_FILE}/error",
            ROLLOUTS_COMMAND,
            f"{_ROLLOUTS_FILE}/error_se",
            0.01,
        ),
        _FigureSource(
            "win-rms", "chance", 3, f"{_ROLLOUTS_FILE}/{_ERROR_KEY}", ROLLOUTS_COMMAND, factor=0.01
        ),
        _FigureSource(
            "win-rms-near", "chance", 3, f"{_ROLLOUTS_FILE}/{_ERROR_KEY}_near", ROLLOUTS_COMMAND, factor=0.01
        ),
        _FigureSource(
            "win-rms-end", "chance", 3, f"{_END_ROLLOUTS_FILE}/{_ERROR_KEY}", END_COMMAND, factor=0.01
        ),
        _FigureSource(
            "win-best-loses", "chance", 4, f"{_ROLLOUTS_FILE}/best_way_loses", ROLLOUTS_COMMAND, factor=0.01
        ),
        _FigureSource(
            "win-best-loses-end",
            "chance",
            4,
            f"{_END_ROLLOUTS_FILE}/best_way_loses",
            END_COMMAND,
            factor=0.01,
        ),
    ),
    "work": (
        _FigureSource(
            "work-core-seconds", "seconds", 0, f"{_EQUILIBRIUM_FILE}/core_seconds", DISCARDS_COMMAND
        ),
        _FigureSource("work-deals", "number", 0, f"{board.NAME}/deals", BOARD_COMMAND),
    ),
}


def figures() -> tuple[Group, ...]:
    """Return all figures in the order in which they are shown; raise DamagedTable if a file is damaged."""
    return tuple(Group(name, tuple(_figure(row) for row in rows)) for name, rows in _GROUPS.items())


def _figure(row: _FigureSource) -> Figure:
    source = tuple(row.source.split("/"))
    error = float(read(row.error.split("/"))) * row.factor if row.error else None
    return Figure(
        row.name, float(read(source)) * row.factor, error, row.places, row.unit, source, row.command
    )
