"""The table of `analysis.win.near_end`: changes of win probabilities where both sides play to win.

    python -m lab.board.near_end --out FILE

At boards near the end, deals are played as in `lab.board.board_ends`: both sides discard to win; in half of
the deals both also peg to win, in the other half as for the board values. In two of three deals one side
discards at random, so that every hand occurs. For each role and board, a logistic regression of the results
on features of the cards is fitted, relative to the win probability of the shipped strategies; similar boards
are averaged. Finally the constant is set so that the mean of the best discards over many hands is the board
value.
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
from fifteentwo.fast.hands import hand_numbers
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.rules.cards import DECK
from fifteentwo.strategy.board import TARGET
from fifteentwo.strategy.board import board as board_values
from lab.board.board import ways_at
from lab.board.board_ends import Aim, aims_at, win_chances
from lab.board.deal import DiscardValues, Policies, best_discards, play_deals
from lab.board.deal_counts import count_deals, digests, strategies
from lab.board.induction import Deals, loser_pays
from lab.files import write_tables

FITTED = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22)
"""Points that either side needs at the boards that are played."""
OPEN = 0.02
"""Smallest win probability of a side at the boards of the table."""
NARROW = 0.12
"""Width of the average over boards, in the logarithm of needs."""
FADING = 18
"""Smallest needs from which the change decreases to 0."""
SHARP = 5
"""Largest needs of both sides with which hands differ little."""
RIDGE = 20.0
"""Weight of no change of a feature, in deals."""
ROUNDS = 5
BOTH = 3
"""The number in `board_ends.WAYS` of a side that discards and pegs to win."""
_OPTIONS = np.array([one * 6 + other for one, other in WAYS], np.int8)


class Seen(NamedTuple):
    """Discards of one role, and their results."""

    kept: Ints
    given: Ints
    chances: Floats
    """Win probabilities with the shipped strategies."""
    won: Floats
    """Win probability after the deal."""


def split(six: npt.NDArray[np.uint8], options: npt.NDArray[np.int8]) -> tuple[Ints, Ints]:
    """Return the numbers of the ranks kept and discarded of ascending cards (n, 6)."""
    ranks = (six >> 2).astype(np.int64)
    discarded = np.zeros(ranks.shape, np.bool_)
    for place in (options // 6, options % 6):
        discarded[np.arange(len(discarded)), place] = True
    return hand_numbers(ranks[~discarded].reshape(-1, 4)), hand_numbers(ranks[discarded].reshape(-1, 2))


def by_shipped(values: DiscardValues, six: npt.NDArray[np.uint8], kept: Ints, given: Ints) -> Floats:
    """Return the win probabilities of discards with the shipped strategies, without suits."""
    left = 4 - np.stack([(six >> 2 == rank).sum(axis=1) for rank in range(13)], axis=1)
    value = (values.by_ranks[kept, given] * left).sum(axis=1) / 46
    chances: Floats = np.clip((1 + value) / 2, 0, 1)
    return chances


def played(board: tuple[int, int], deals: int, seed: int) -> list[Seen]:
    """Play deals at a board (scores of pone and dealer); return both roles' discards and results."""
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
    events = play_deals(dealt, policies, int(chance.integers(2**31)), options, board).events
    found = []
    for side in (0, 1):
        # Rows where the other side discards to win.
        rows = who != 1 - side
        six = dealt[rows, 6 * side : 6 * side + 6]
        kept, given = split(six, options[rows, side])
        won = win_chances(events[rows], board, dealer=side == 1)
        found.append(Seen(kept, given, by_shipped(values[side], six, kept, given), won))
    return found


def fitted(seen: Seen) -> Floats:
    """(FEATURES,) the change of log-odds by each feature, from a logistic regression."""
    ahead = log_odds(seen.chances)
    ones = np.ones((len(ahead), 1))
    cards = [near_end.of_hands()[seen.kept], near_end.of_pairs()[seen.given]]
    features = np.concatenate([ones, ahead[:, None], *cards], axis=1)
    ridge = np.diag([1e-3, 1e-3] + [RIDGE] * (FEATURES - 2))
    return logistic_moves(features, ahead, seen.won, ridge, ROUNDS)


def logistic_moves(features: Floats, ahead: Floats, won: Floats, ridge: Floats, rounds: int) -> Floats:
    """(features,) the change of log-odds `ahead` by each feature that explains the results `won` best.

    ridge: (features, features) weights of no change.
    """
    moves = np.zeros(features.shape[1])
    for _ in range(rounds):
        expected = 1 / (1 + np.exp(-(ahead + features @ moves)))
        weight = np.maximum(expected * (1 - expected), 1e-4)
        slope = features.T @ (won - expected) - ridge @ moves
        moves += np.linalg.solve((features * weight[:, None]).T @ features + ridge, slope)
    return moves


def fit_at(needs: tuple[int, int], deals: int, seed: int) -> Floats:
    """(2, FEATURES) the changes of pone and dealer, who need these points."""
    board = (TARGET - needs[0], TARGET - needs[1])
    return np.stack([fitted(seen) for seen in played(board, deals, seed + 1000 * needs[0] + needs[1])])


def open_needs(needs: range | tuple[int, ...], least: float = OPEN) -> list[tuple[int, int]]:
    """Return the needs of pone and dealer at undecided boards. least: win probability of either side."""
    game = board_values().game
    return [(x, y) for x in needs for y in needs if abs(float(game[TARGET - y, TARGET - x])) < 1 - 2 * least]


def faded(needs: tuple[int, int]) -> float:
    """Return the part of a change that is used: less than 1 far from the end."""
    return min(1.0, (NEEDS + 1 - max(needs)) / (NEEDS + 1 - FADING))


def evened(fits: dict[tuple[int, int], Floats]) -> Floats:
    """(2, NEEDS, NEEDS, FEATURES) averages of similar fits, by pone's and dealer's needs less one."""
    known = np.log(np.array(list(fits)))
    values = np.stack(list(fits.values()))
    every = np.zeros((2, NEEDS, NEEDS, FEATURES))
    for x, y in open_needs(range(1, NEEDS + 1)):
        apart = ((known - np.log([x, y])) ** 2).sum(axis=1)
        weight = np.exp(-(apart - apart.min()) / NARROW**2)
        every[:, x - 1, y - 1] = faded((x, y)) * np.tensordot(weight / weight.sum(), values, 1)
    return every


def anchored(side: int, moves: Floats, hands: int, deals: int, seed: int) -> Floats:
    """(NEEDS, NEEDS) the constants with which the mean of the best discards is the board value.

    moves: (NEEDS, NEEDS, FEATURES) of a side. The axes are pone's and dealer's needs less one.
    """
    game, dealer = board_values().game.astype(np.float64), side == 1
    counts, pays = Deals([count_deals(deals, seed)]), loser_pays()[:1]
    chance = np.random.default_rng(seed)
    dealt = np.sort(random_deals(hands, 6, chance), axis=1)
    known = [Prospects([DECK[card] for card in six], dealer=dealer) for six in dealt.tolist()]
    near = slice(TARGET - NEEDS, None)
    # Axes: discards, own needs less one, other's needs less one.
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
        # The shipped strategies, whose mean is known, are a control variate for the choice of hands. With
        # small needs hands matter little, and the correction would only add the error of the model.
        off = float(chances[usual].mean()) - shipping if max(x, y) > SHARP else 0.0
        constant[x - 1, y - 1] = faded((x, y)) * _constant(chances, by, wins + off)
    return constant


def _usual(dealt: npt.NDArray[np.uint8], side: int, chance: np.random.Generator) -> Ints:
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
    """Return the constant with which the mean of the best win probabilities is `wins`."""
    return bisected(lambda constant: float(moved(chances, by + constant).max(axis=1).mean()), wins, 6.0)


def bisected(rising: Callable[[float], float], wanted: float, bound: float) -> float:
    """Return the argument from -bound to bound for which a rising function has the wanted value."""
    low, high = -bound, bound
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < wanted else (low, middle)
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
    """Fit and write the table; return its header. Ten seconds of a core a board, and 0.3 a hand."""
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
