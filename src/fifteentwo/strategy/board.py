"""The board: games expected from each score at a deal's start, and the games that a loser pays.

Scores are points already pegged at the beginning of a deal. `lab.board.board` makes the board
(docs/board-values.md); reading takes two milliseconds, without numba. A damaged board is refused by name.
`analysis.win.model.after_deal` values the score after a deal.
"""

from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.variants import FIVE_CARD, Rules, rules_for
from fifteentwo.strategy.files import DamagedTable, data_file, read_tables, tables

Payoff = Literal["game", "skunk", "double", "half", "five-card"]
"""What a loser pays. game: 1 game, to 121. skunk: 2 games below 91. double: also 4 games below 61 (R18,
R20). half, five-card: to 61, 2 games below 31 (R19, R104)."""

PAYOFFS: tuple[str, ...] = get_args(Payoff)
NAME, FIVE_CARD_NAME = "board_values.table", "five_card_board.table"
"""Files of the board values, six-card and five-card."""
TARGET = 121
"""Points that win a six-card game."""
HALF_LEAD = 60
"""A half game is a whole game from 60–60, including its skunk line at 31."""
RULES: dict[str, Rules] = {
    "game": rules_for("six-card"),
    "skunk": rules_for("six-card", skunk=True),
    "double": rules_for("six-card", skunk=True, double_skunk=True),
    "half": rules_for("six-card", target=61, skunk=True),
    "five-card": rules_for("five-card", skunk=True),
}
"""Rules of a game with each payoff."""


class ImpossibleScore(FifteenTwoError, ValueError):
    """Error: no deal can start at this score, or the payoff is unknown."""

    code = "impossible-score"
    # The message says more than the sentence of the command line.
    __str__ = Exception.__str__


class FiveCardBoard(NamedTuple):
    """The dealer's expected net games at the start of a five-card deal: (61, 61), indexed like `Board`."""

    game: NDArray[np.float32]
    """Dealer's expected net games without skunks: 2 * win probability - 1."""
    skunk: NDArray[np.float32]
    """Dealer's expected net games if a loser below 31 pays two."""
    game_error: NDArray[np.float16]
    skunk_error: NDArray[np.float16]
    game_by_points: NDArray[np.float32]
    """`game` if both sides play for points to the end, as the stored strategy does."""


class Board(NamedTuple):
    """The dealer's expected net games at the start of a deal: (121, 121), [dealer's score, pone's score]."""

    game: NDArray[np.float32]
    """Dealer's expected net games without skunks: 2 * win probability - 1."""
    skunk: NDArray[np.float32]
    """Dealer's expected net games if a loser below 91 pays two."""
    double: NDArray[np.float32]
    """Dealer's expected net games if a loser below 91 pays two, and below 61 four."""
    game_error: NDArray[np.float16]
    """Standard errors of `game`; half as large for the win probability."""
    skunk_error: NDArray[np.float16]
    double_error: NDArray[np.float16]


@cache
def board() -> Board:
    """Return the stored board values, always the same read-only arrays; raise DamagedTable."""
    return read_board(data_file(NAME))


@cache
def five_card_board() -> FiveCardBoard:
    """Return the stored board values of five-card cribbage; raise DamagedTable."""
    return FiveCardBoard(**_read_arrays(data_file(FIVE_CARD_NAME), FiveCardBoard._fields, FIVE_CARD.target))


def provenance(name: str = NAME) -> dict[str, Any]:
    """Return how board values were made: deals, seed, strategies, digest, figures."""
    return tables(name).about


def read_board(path: Path) -> Board:
    """Return board values from a file; raise DamagedTable if it is missing, changed or another file."""
    return Board(**_read_arrays(path, Board._fields, TARGET))


def _read_arrays(path: Path, names: tuple[str, ...], target: int) -> dict[str, NDArray[Any]]:
    arrays = read_tables(path).arrays
    for name in names:
        array = arrays.get(name)
        if array is None or array.shape != (target, target) or not np.isfinite(array).all():
            raise DamagedTable(path.name, f"it holds no board of {target} by {target}")
    return {name: arrays[name] for name in names}


@cache
def pays(payoff: Payoff, games: bool = True) -> NDArray[np.float64]:
    """Return (target,) games that a loser pays, by its score. games: False counts every loss as one game."""
    scores = range(RULES[payoff].target)
    paid = np.array([games_paid(score, payoff) if games else 1 for score in scores], np.float64)
    paid.setflags(write=False)
    return paid


def games_paid(loser: int, payoff: Payoff) -> int:
    """Return the games that a loser with this score pays (R18–R20).

    >>> games_paid(90, "game"), games_paid(90, "skunk"), games_paid(60, "double"), games_paid(30, "half")
    (1, 2, 4, 2)
    """
    if payoff not in RULES:
        raise ImpossibleScore(f"{payoff!r} is none of {', '.join(PAYOFFS)}")
    return RULES[payoff].games_lost(loser)
