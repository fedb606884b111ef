"""Two-player six-card games of simple players in bulk, under the exact rules (R13–R92)."""

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.fast.compiled import compiled, is_ready
from fifteentwo.fast.layout import Cards, as_records
from fifteentwo.fast.random_games_kernels import DEAL_COLUMNS, LOW, MULTIPLIER, Buffers
from fifteentwo.fast.show import rank_points

PLAYERS = ("random", "greedy")
"""Names of the players. random: every choice is random. greedy: keeps the four cards, and plays the card,
that score most now."""
_KERNELS = "fifteentwo.fast.random_games_kernels"
_FEW_GAMES = 500
"""Number of games of random players that plain Python plays in half a second; compiling takes six."""
_BLOCK = 4096
"""Games in a block; each block has its own random state."""


class Games(NamedTuple):
    """Results of n games. Seats are 0 and 1; seat 0 deals first in games of even number."""

    winners: Cards
    """(n,) winning seat of each game."""
    points: Cards
    """(n, 2) final scores by seat, at most 121."""
    deals: Cards
    """(n,) number of deals played."""


def play(
    number: int, seed: int, players: tuple[str, str] = ("random", "random"), *, workers: int = 1
) -> Games:
    """Play `number` games to 121. The same seed gives the same games for any number of workers.

    workers: threads. A game of random players takes 2 µs compiled, of greedy ones 3; in plain Python 1 ms
    and 3 ms. Raise ValueError for unknown players.
    """
    games, _ = _play_and_record(number, seed, players, workers, 0)
    return games


def record(
    number: int, seed: int, players: tuple[str, str] = ("random", "random")
) -> tuple[Games, NDArray[np.int16]]:
    """Play the same games as `play` and return every deal as well: (deals, 25) int16.

    Columns: 0 game, 1 dealer, 2–5 pone's kept cards, 6–7 discarded, 8–11 and 12–13 the dealer's, 14 starter,
    15 number of cards played, 16–23 those cards in order, 24 the score of seat 0 after the deal.
    """
    return _play_and_record(number, seed, players, 1, 40 * number)


def _play_and_record(
    number: int, seed: int, players: tuple[str, str], workers: int, rows: int
) -> tuple[Games, NDArray[np.int16]]:
    if number < 0:
        raise ValueError(f"cannot play {number} games")
    for name in players:
        if name not in PLAYERS:
            raise ValueError(f"no such player: {name!r}; there are {', '.join(PLAYERS)}")
    is_quick = number > _FEW_GAMES or is_ready(__name__)
    kernels = compiled(_KERNELS) if is_quick else import_module(_KERNELS)
    games = Games(np.empty(number, np.uint8), np.empty((number, 2), np.uint8), np.empty(number, np.uint8))
    written = np.zeros((rows, DEAL_COLUMNS), np.int16)
    numbers = np.arange(number)

    def block(start: int, begin: int = 0) -> int:
        part = slice(start, start + _BLOCK)
        return begin + int(
            kernels.play_games(
                numbers[part],
                _first_state(seed, start // _BLOCK),
                as_records(new_buffers(players))[0] if is_quick else new_buffers(players),
                Games(games.winners[part], games.points[part], games.deals[part]),
                written[begin:],
            )
        )

    starts = range(0, number, _BLOCK)
    used = 0
    if workers <= 1 or rows:
        for start in starts:
            used = block(start, used)
    else:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(block, starts))
    return games, written[:used]


def prepare() -> None:
    """Compile the kernels, or load them."""
    play(_FEW_GAMES + 1, 1)


def new_buffers(players: tuple[str, str]) -> Buffers:
    """Return empty buffers for deals between two players of these names."""

    def bytes_(size: int) -> Cards:
        return np.zeros(size, np.uint8)

    numbers = np.zeros(9, np.int64)
    return Buffers(
        deck=bytes_(52),
        cards=bytes_(12),
        crib=bytes_(4),
        hands=bytes_(8),
        values=numbers[:2],
        score=numbers[2:4],
        pile=np.zeros(9, np.int64),
        cards_played=bytes_(9),
        places=bytes_(80),
        greedy=np.array([name == "greedy" for name in players], np.uint8),
        fives=rank_points(5),
        fours=rank_points(4),
    )


def _first_state(seed: int, block: int) -> int:
    """Return the random state at the beginning of a block of games: 1 to MULTIPLIER * 2**32 - 2."""
    words = np.random.SeedSequence([seed, block]).generate_state(2, np.uint32)
    return 1 + int(words[0]) % (MULTIPLIER - 1) * (LOW + 1) + int(words[1])
