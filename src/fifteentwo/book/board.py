"""The race to the game hole: chance of winning, and games expected, from the score at a deal's start.

    win_chance(0, 0, dealer=True)                         the first dealer's advantage
    win_chance(45, 38, dealer=False, payoff="half")       the half game, to 61
    expected_games(60, 85, dealer=True, payoff="double")  games won less games lost, skunks counted
    next_deal_chance(118, 117, dealt=True)                the deal is over; the other side deals next

Scores are points already pegged, at the start of a deal. Reads the board that `fifteentwo.solver.board` makes
(docs/board-values.md) and the package carries: two milliseconds once, then a microsecond. A damaged board is
named and refused. Without numba.
"""

from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from fifteentwo.book.files import DamagedTable, data_file, read_tables
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.variants import Rules, variant

Payoff = Literal["game", "skunk", "double", "half"]
"""game: to 121, a game is a game. skunk: a loser below 91 loses two. double: and below 61 four (R18, R20).
half: to 61, a loser below 31 loses two (R19)."""

PAYOFFS: tuple[str, ...] = get_args(Payoff)
NAME = "board_values.table"
TARGET = 121
HALF_LEAD = 60
"""A half game is the race of a whole one begun at 60–60, its skunk line at 31 included."""
RULES: dict[str, Rules] = {
    "game": variant("six-card"),
    "skunk": variant("six-card", skunk=True),
    "double": variant("six-card", skunk=True, double_skunk=True),
    "half": variant("six-card", target=61, skunk=True),
}
"""What is agreed, by payoff."""


class ImpossibleScore(FifteenTwoError, ValueError):
    """A score that no deal starts with, or a payoff nobody wrote down."""

    code = "impossible-score"


class Board(NamedTuple):
    """Net games the dealer expects at the start of a deal: (121, 121), [dealer's score, pone's score].

    Win chance: (1 + game) / 2. Read-only.
    """

    game: NDArray[np.float32]
    skunk: NDArray[np.float32]
    double: NDArray[np.float32]
    game_error: NDArray[np.float16]
    """Standard errors, in net games; of a win chance half of it."""
    skunk_error: NDArray[np.float16]
    double_error: NDArray[np.float16]


@cache
def board() -> Board:
    """The board that ships; raises DamagedTable. The same arrays each time."""
    return read_board(data_file(NAME))


def provenance() -> dict[str, Any]:
    """Where the board comes from: deals, seed, strategies, digest, figures."""
    return read_tables(data_file(NAME)).about


def read_board(path: Path) -> Board:
    """A board from a file; raises DamagedTable where it is missing, changed, or no board."""
    arrays = read_tables(path).arrays
    for name in Board._fields:
        array = arrays.get(name)
        if array is None or array.shape != (121, 121) or not np.isfinite(array).all():
            raise DamagedTable(path.name, "it holds no board of 121 by 121")
    return Board(**{name: arrays[name] for name in Board._fields})


def win_chance(own: int, opponent: int, dealer: bool, payoff: Payoff = "game") -> float:
    """Chance to win from these scores at the start of a deal; `dealer`: own side deals.

    The board's policies aim at winning whatever a skunk pays, so "skunk" and "double" have the chances of
    "game". Raises ImpossibleScore, DamagedTable.

    >>> 0.54 < win_chance(0, 0, dealer=True) < 0.58
    True
    >>> abs(win_chance(99, 104, dealer=True) + win_chance(104, 99, dealer=False) - 1) < 1e-6
    True
    """
    return (1 + _net(own, opponent, dealer, "game", _lead(own, opponent, payoff))) / 2


def expected_games(own: int, opponent: int, dealer: bool, payoff: Payoff = "skunk") -> float:
    """Games won less games lost to expect from these scores at the start of a deal, as `payoff` counts.

    Raises ImpossibleScore, DamagedTable.

    >>> expected_games(100, 20, True, "double") > expected_games(100, 20, True, "skunk") > 1
    True
    """
    lead = _lead(own, opponent, payoff)
    return _net(own, opponent, dealer, "skunk" if payoff == "half" else payoff, lead)


def next_deal_chance(own: int, opponent: int, dealt: bool, payoff: Payoff = "game") -> float:
    """Chance to win when a deal is over; `dealt`: own side dealt it. 1 or 0 where a side is at the game hole.

    >>> next_deal_chance(121, 90, dealt=True), next_deal_chance(90, 121, dealt=True)
    (1.0, 0.0)
    """
    finished = _winner(own, opponent, payoff)
    if finished is not None:
        return float(finished)
    return win_chance(own, opponent, not dealt, payoff)


def next_deal_games(own: int, opponent: int, dealt: bool, payoff: Payoff = "skunk") -> float:
    """Games won less games lost to expect when a deal is over; as `next_deal_chance`.

    >>> next_deal_games(121, 90, dealt=False), next_deal_games(60, 121, dealt=False, payoff="double")
    (2.0, -4.0)
    """
    finished = _winner(own, opponent, payoff)
    if finished is not None:
        pays = games_paid(opponent if finished else own, payoff)
        return float(pays if finished else -pays)
    return expected_games(own, opponent, not dealt, payoff)


def games_paid(loser: int, payoff: Payoff) -> int:
    """Games that a loser with this score pays (R18–R20).

    >>> games_paid(90, "game"), games_paid(90, "skunk"), games_paid(60, "double"), games_paid(30, "half")
    (1, 2, 4, 2)
    """
    return _rules(payoff).games_lost(loser)


def standard_error(own: int, opponent: int, dealer: bool, payoff: Payoff = "game") -> float:
    """Standard error of `win_chance`, from the deals that were played."""
    lead = _lead(own, opponent, payoff)
    errors = board().game_error
    scores = (own + lead, opponent + lead) if dealer else (opponent + lead, own + lead)
    return float(errors[scores]) / 2


def _rules(payoff: str) -> Rules:
    if payoff not in RULES:
        raise ImpossibleScore(f"{payoff!r} is none of {', '.join(PAYOFFS)}")
    return RULES[payoff]


def _net(own: int, opponent: int, dealer: bool, payoff: str, lead: int) -> float:
    net: NDArray[np.float32] = getattr(board(), payoff)
    if dealer:
        return float(net[own + lead, opponent + lead])
    return -float(net[opponent + lead, own + lead])


def _lead(own: int, opponent: int, payoff: str) -> int:
    """What to add to scores so that the game hole is at 121; refuses scores no deal starts with."""
    target = _rules(payoff).target
    for score in (own, opponent):
        if not 0 <= score < target:
            raise ImpossibleScore(f"no deal starts at {own}–{opponent}: scores are 0 to {target - 1}")
    return HALF_LEAD if payoff == "half" else 0


def _winner(own: int, opponent: int, payoff: str) -> bool | None:
    """Whether own side has won; None while nobody has."""
    target = _rules(payoff).target
    if own >= target and opponent >= target:
        raise ImpossibleScore(f"{own}–{opponent}: both sides at {target} or past it")
    return own >= target if max(own, opponent) >= target else None
