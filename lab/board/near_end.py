"""Win chances near the end fitted to play for the game: makes the table of `analysis.win.near_end`.

    python -m lab.board.near_end --out FILE

At boards near the end deals are played by the policies of `lab.board.board_ends`: both sides discard for
the chance of winning; they peg for it as in the board's own deals, and in half of the deals both do. In two
of three deals one side discards at random, so that every hand is met. A logistic regression of what came of
it on features of the cards, around the chance by the strategies that ship, is fitted for each role and board,
and evened over boards with needs alike. Last, its constant part is set so that the mean chance of the best
discard, over many hands, is what the board says.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.win import near_end
from fifteentwo.analysis.win.all_boards import by_points
from fifteentwo.analysis.win.model import Prospects
from fifteentwo.analysis.win.near_end import FEATURES, NEEDS, Floats, Ints, log_odds, moved
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.fast.hands import number_by_digits
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.rules.cards import DECK
from fifteentwo.strategy.board import TARGET
from fifteentwo.strategy.board import board as board_values
from fifteentwo.strategy.files import write_tables
from lab.board.board import ways_at
from lab.board.board_ends import Aim, aims_at, win_chances
from lab.board.deal import DiscardValues, Policies, best_discards, play_deals
from lab.board.deal_counts import count_deals, digests, strategies
from lab.board.induction import Deals, loser_pays

FITTED = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22)
"""Needs of either side at which deals are played."""
OPEN = 0.02
"""Boards that a side wins less often are left alone."""
NARROW = 0.12
"""How far fits extend, in the logarithm of needs."""
FADING = 18
"""From these needs on the fits count less and less."""
SHARP = 5
"""Up to these needs of both sides hands differ little in their chances."""
RIDGE = 20.0
"""As many deals speak for no change in a feature."""
ROUNDS = 5
BOTH = 3
"""The way of `board_ends.WAYS` in which a side pegs for chances, too."""
_OPTIONS = np.array([one * 6 + other for one, other in WAYS], np.int8)


class Seen(NamedTuple):
    """Discards of one role, and what came of them."""

    kept: Ints
    given: Ints
    chances: Floats
    """By the strategies that ship."""
    won: Floats
    """The value of the board after the deal."""


def split(six: npt.NDArray[np.uint8], options: npt.NDArray[np.int8]) -> tuple[Ints, Ints]:
    """Numbers of the four ranks kept and the two discarded of ascending cards (n, 6)."""
    ranks = (six >> 2).astype(np.int64)
    discarded = np.zeros(ranks.shape, np.bool_)
    for place in (options // 6, options % 6):
        discarded[np.arange(len(discarded)), place] = True
    four, two = ranks[~discarded].reshape(-1, 4), ranks[discarded].reshape(-1, 2)
    return number_by_digits(4)[four @ 13 ** np.arange(3, -1, -1)], number_by_digits(2)[two @ [13, 1]]


def by_shipped(values: DiscardValues, six: npt.NDArray[np.uint8], kept: Ints, given: Ints) -> Floats:
    """Chances of discards by the strategies that ship, suits left out."""
    left = 4 - np.stack([(six >> 2 == rank).sum(axis=1) for rank in range(13)], axis=1)
    value = (values.by_ranks[kept, given] * left).sum(axis=1) / 46
    chances: Floats = np.clip((1 + value) / 2, 0, 1)
    return chances


def played(board: tuple[int, int], deals: int, seed: int) -> list[Seen]:
    """Deals at a board, pone's and dealer's points: what each role discarded and won."""
    net = board_values().game.astype(np.float64)
    chance, cell = np.random.default_rng(seed), board[::-1]
    aims = aims_at(cell, (BOTH, BOTH), net)
    plain = aims_at(cell, ways_at(cell), net) if ways_at(cell) != (BOTH, BOTH) else aims
    found = [_played(board, part, deals // 2, chance) for part in (aims, plain)]
    return [Seen(*map(np.concatenate, zip(*both, strict=True))) for both in zip(*found, strict=True)]


def _played(
    board: tuple[int, int], aims: tuple[Aim, Aim], deals: int, chance: np.random.Generator
) -> list[Seen]:
    dealt = random_deals(deals, 13, chance)
    dealt[:, :6].sort(axis=1)
    dealt[:, 6:12].sort(axis=1)
    options, who = np.zeros((deals, 2), np.int8), chance.integers(0, 3, deals)
    values = []
    for side, aim in enumerate(aims):
        assert aim.discard_values is not None
        values.append(aim.discard_values)
        best_discards(dealt, aim.discard_values, side, options)
    for side in (0, 1):
        at_random = who == side
        options[at_random, side] = _OPTIONS[chance.integers(0, len(WAYS), int(at_random.sum()))]
    policies = Policies(aims[0].policy, aims[1].policy, strategies().book)
    events = play_deals(dealt, policies, int(chance.integers(2**31)), board, options).events
    found = []
    for side in (0, 1):
        # The other side discards as well as it can.
        rows = who != 1 - side
        six = dealt[rows, 6 * side : 6 * side + 6]
        kept, given = split(six, options[rows, side])
        won = win_chances(events[rows], board, dealer=side == 1)
        found.append(Seen(kept, given, by_shipped(values[side], six, kept, given), won))
    return found


def fitted(seen: Seen) -> Floats:
    """(FEATURES,) how far log-odds move by each feature: by logistic regression."""
    ahead = log_odds(seen.chances)
    ones = np.ones((len(ahead), 1))
    cards = [near_end.of_hands()[seen.kept], near_end.of_pairs()[seen.given]]
    features = np.concatenate([ones, ahead[:, None], *cards], axis=1)
    ridge = np.diag([1e-3, 1e-3] + [RIDGE] * (FEATURES - 2))
    moves = np.zeros(FEATURES)
    for _ in range(ROUNDS):
        expected = 1 / (1 + np.exp(-(ahead + features @ moves)))
        weight = np.maximum(expected * (1 - expected), 1e-4)
        slope = features.T @ (seen.won - expected) - ridge @ moves
        moves += np.linalg.solve((features * weight[:, None]).T @ features + ridge, slope)
    return moves


def fit_at(needs: tuple[int, int], deals: int, seed: int) -> Floats:
    """(2, FEATURES) of pone and dealer at these needs of theirs."""
    board = (TARGET - needs[0], TARGET - needs[1])
    return np.stack([fitted(seen) for seen in played(board, deals, seed + 1000 * needs[0] + needs[1])])


def open_needs(needs: range | tuple[int, ...]) -> list[tuple[int, int]]:
    """Pone's and dealer's needs, of these, of boards that either may win."""
    game = board_values().game
    return [(x, y) for x in needs for y in needs if abs(float(game[TARGET - y, TARGET - x])) < 1 - 2 * OPEN]


def faded(needs: tuple[int, int]) -> float:
    """What part of a fit counts: all but far from the end."""
    return min(1.0, (NEEDS + 1 - max(needs)) / (NEEDS + 1 - FADING))


def evened(fits: dict[tuple[int, int], Floats]) -> Floats:
    """(2, NEEDS, NEEDS, FEATURES) by pone's and dealer's needs less one: fits of needs alike, averaged."""
    known = np.log(np.array(list(fits)))
    values = np.stack(list(fits.values()))
    every = np.zeros((2, NEEDS, NEEDS, FEATURES))
    for x, y in open_needs(range(1, NEEDS + 1)):
        apart = ((known - np.log([x, y])) ** 2).sum(axis=1)
        weight = np.exp(-(apart - apart.min()) / NARROW**2)
        every[:, x - 1, y - 1] = faded((x, y)) * np.tensordot(weight / weight.sum(), values, 1)
    return every


def anchored(side: int, moves: Floats, hands: int, deals: int, seed: int) -> Floats:
    """(NEEDS, NEEDS) the constant part, so that the best discards' mean is what the board says.

    moves: (NEEDS, NEEDS, FEATURES) of a side, both by pone's and dealer's needs less one.
    """
    game, dealer = board_values().game.astype(np.float64), side == 1
    counts, pays = Deals([count_deals(deals, seed)]), loser_pays()[:1]
    chance = np.random.default_rng(seed)
    dealt = np.sort(random_deals(hands, 6, chance), axis=1)
    known = [Prospects([DECK[card] for card in six], dealer=dealer) for six in dealt.tolist()]
    near = slice(TARGET - NEEDS, None)
    # By needs from one on, own first.
    shipped = np.stack([by_points(one)[:, near, near][:, ::-1, ::-1] for one in known])
    kept, given = (np.stack(part) for part in zip(*[one.numbers for one in known], strict=True))
    cards = np.concatenate([near_end.of_hands()[kept], near_end.of_pairs()[given]], axis=2)
    usual = np.arange(hands), _usual(dealt, side, chance)
    constant = np.zeros((NEEDS, NEEDS))
    for x, y in open_needs(range(1, NEEDS + 1)):
        chances = shipped[:, :, y - 1, x - 1] if dealer else shipped[:, :, x - 1, y - 1]
        move, cell = moves[x - 1, y - 1], (TARGET - y, TARGET - x)
        by = move[1] * log_odds(chances) + cards @ move[2:]
        points = float(counts.value(cell, game[None, None], pays)[0, 0])
        wins, shipping = ((1 + (value if dealer else -value)) / 2 for value in (float(game[cell]), points))
        # Noise of the hands is taken off by what the strategies that ship are known to come to; where hands
        # matter less, what remains would be the error of the chances by points.
        off = float(chances[usual].mean()) - shipping if max(x, y) > SHARP else 0.0
        constant[x - 1, y - 1] = faded((x, y)) * _constant(chances, by, wins + off)
    return constant


def _usual(dealt: npt.NDArray[np.uint8], side: int, chance: np.random.Generator) -> Ints:
    """The discards of these hands by the strategy that ships, as places in WAYS."""
    whole = np.zeros((len(dealt), 13), np.uint8)
    for number, six in enumerate(dealt):
        rest = np.setdiff1d(np.arange(52), six)[:7]
        whole[number] = np.concatenate([rest[:6], six, rest[6:]] if side else [six, rest])
    options = strategies().discard(whole, chance)[:, side]
    places = np.zeros(36, np.int64)
    places[_OPTIONS] = np.arange(len(WAYS))
    usual: Ints = places[options]
    return usual


def _constant(chances: Floats, by: Floats, wins: float) -> float:
    """What must be added to moves for the mean of the best chances to be this, by bisection."""
    low, high = -6.0, 6.0
    for _ in range(40):
        middle = (low + high) / 2
        if moved(chances, by + middle).max(axis=1).mean() < wins:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def run(
    out: Path,
    *,
    deals: int = 40_000,
    hands: int = 600,
    counted: int = 2_000_000,
    seed: int = 7,
    jobs: int | None = None,
    progress: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Fit, and write the table; what it was made from. Ten seconds of a core a board, and 0.3 a hand."""
    wanted = [(needs, (needs, deals, seed)) for needs in open_needs(FITTED)]
    fits: dict[tuple[int, int], Floats] = {}
    with get_executor(jobs) as executor:
        for needs, fit in run_all(executor, fit_at, wanted):
            fits[needs] = fit
            progress(f"{len(fits)} of {len(wanted)} boards")
        moves = evened(fits)
        sides = [(side, (side, moves[side], hands, counted, seed)) for side in (0, 1)]
        for side, constant in run_all(executor, anchored, sides):
            moves[side, :, :, 0] = constant
    about = {
        "made_by": "lab.board.near_end.run",
        "boards": len(fits),
        "deals": deals,
        "hands": hands,
        "counted": counted,
        "seed": seed,
        "strategies": digests(),
    }
    arrays = {"pone": moves[0], "dealer": moves[1].swapaxes(0, 1)}
    write_tables(out, about, {role: np.ascontiguousarray(part, np.float32) for role, part in arrays.items()})
    return about


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--jobs", type=int)
    given = parser.parse_args()
    print(run(given.out, jobs=given.jobs))
