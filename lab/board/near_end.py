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
from fifteentwo.analysis.win.near_end import FEATURES, NEEDS, Floats, Ints, log_odds, shift_log_odds
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.fast.hands import hand_numbers
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.rules.cards import DECK
from fifteentwo.strategy.board import TARGET
from fifteentwo.strategy.board import board as board_values
from lab.board.board import play_styles_at
from lab.board.board_ends import SidePlan, plans_at, win_probabilities_after
from lab.board.deal import DiscardValues, Policies, best_discards, play_deals
from lab.board.deal_counts import count_deals, digests, strategies
from lab.board.induction import DealProbabilities, loser_pays
from lab.files import write_tables

FITTED_NEEDS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22)
"""Points that a side needs to win, at the boards where deals are played and fitted."""
MIN_CHANCE = 0.02
"""Smallest win probability of a side at the boards of the table."""
SMOOTHING_WIDTH = 0.12
"""Width of the Gaussian average over boards, in the logarithm of needs."""
FADE_FROM_NEED = 18
"""If a side needs this many points or more, the fitted change of log-odds fades to 0."""
MAX_NEED_UNCORRECTED = 5
"""If both sides need at most this many points, the correction for the choice of hands is left out."""
RIDGE = 20.0
"""Weight, in deals, that draws each coefficient towards 0 in the ridge regression."""
NEWTON_STEPS = 5
TO_WIN = 3
"""Index in `board_ends.PLAY_STYLES` of a side that discards and pegs to win."""
_OPTIONS = np.array([one * 6 + other for one, other in WAYS], np.int8)
"""(15,) each discard of `win.shows.WAYS` as 6 * i + j."""


class DiscardResults(NamedTuple):
    """Discards of one role in n deals, and their results."""

    kept: Ints
    """(n,) numbers of the ranks kept: rows of `hands.FOURS`."""
    discarded: Ints
    """(n,) numbers of the ranks discarded: rows of `hands.PAIRS`."""
    win_probabilities: Floats
    """(n,) win probabilities of the discards by the shipped strategies, at the start of the deal."""
    won: Floats
    """(n,) win probabilities after the deal was played, by the board values."""


def kept_and_discarded(six: npt.NDArray[np.uint8], options: npt.NDArray[np.int8]) -> tuple[Ints, Ints]:
    """Return the numbers of the ranks kept and discarded. six: (n, 6) ascending; options: 6 * i + j."""
    ranks = (six >> 2).astype(np.int64)
    discarded = np.zeros(ranks.shape, np.bool_)
    for place in (options // 6, options % 6):
        discarded[np.arange(len(discarded)), place] = True
    return hand_numbers(ranks[~discarded].reshape(-1, 4)), hand_numbers(ranks[discarded].reshape(-1, 2))


def solved_chances(values: DiscardValues, six: npt.NDArray[np.uint8], kept: Ints, discarded: Ints) -> Floats:
    """Return (n,) win probabilities of discards with the shipped strategies, without points for suits."""
    left = 4 - np.stack([(six >> 2 == rank).sum(axis=1) for rank in range(13)], axis=1)
    value = (values.by_ranks[kept, discarded] * left).sum(axis=1) / 46
    chances: Floats = np.clip((1 + value) / 2, 0, 1)
    return chances


def play_at(board: tuple[int, int], deals: int, seed: int) -> list[DiscardResults]:
    """Play deals at a board (scores of pone and dealer); return the discard results of pone and dealer."""
    net = board_values().game.astype(np.float64)
    chance, cell = np.random.default_rng(seed), board[::-1]
    plans = plans_at(cell, (TO_WIN, TO_WIN), net)
    styles = play_styles_at(cell)
    plain = plans_at(cell, styles, net) if styles != (TO_WIN, TO_WIN) else plans
    found = [_play_at(board, part, deals // 2, chance) for part in (plans, plain)]
    return [
        DiscardResults(*map(np.concatenate, zip(*both, strict=True))) for both in zip(*found, strict=True)
    ]


def _play_at(
    board: tuple[int, int], plans: tuple[SidePlan, SidePlan], deals: int, chance: np.random.Generator
) -> list[DiscardResults]:
    dealt = random_deals(deals, 13, chance)
    dealt[:, :6].sort(axis=1)
    dealt[:, 6:12].sort(axis=1)
    options, who = np.zeros((deals, 2), np.int8), chance.integers(0, 3, deals)
    values = []
    for side, plan in enumerate(plans):
        assert plan.discard_values is not None
        values.append(plan.discard_values)
        best_discards(dealt, plan.discard_values, side, options)
    for side in (0, 1):
        at_random = who == side
        options[at_random, side] = _OPTIONS[chance.integers(0, len(WAYS), int(at_random.sum()))]
    policies = Policies(plans[0].policy, plans[1].policy, strategies().book)
    events = play_deals(dealt, policies, int(chance.integers(2**31)), options, board).events
    found = []
    for side in (0, 1):
        # Rows where the other side discards to win.
        rows = who != 1 - side
        six = dealt[rows, 6 * side : 6 * side + 6]
        kept, discarded = kept_and_discarded(six, options[rows, side])
        won = win_probabilities_after(events[rows], board, dealer=side == 1)
        found.append(DiscardResults(kept, discarded, solved_chances(values[side], six, kept, discarded), won))
    return found


def fit_role(seen: DiscardResults) -> Floats:
    """(FEATURES,) change of a role's log-odds of winning per unit of each feature, by logistic regression."""
    ahead = log_odds(seen.win_probabilities)
    ones = np.ones((len(ahead), 1))
    cards = [near_end.hand_features()[seen.kept], near_end.discard_features()[seen.discarded]]
    features = np.concatenate([ones, ahead[:, None], *cards], axis=1)
    ridge = np.diag([1e-3, 1e-3] + [RIDGE] * (FEATURES - 2))
    return fit_log_odds(features, ahead, seen.won, ridge, NEWTON_STEPS)


def fit_log_odds(features: Floats, ahead: Floats, won: Floats, ridge: Floats, rounds: int) -> Floats:
    """(features,) coefficients that, added to the log-odds `ahead`, explain the results `won` best.

    features: (n, features); won: (n,) win probabilities; ridge: (features, features) penalty matrix.
    """
    moves = np.zeros(features.shape[1])
    for _ in range(rounds):
        expected = 1 / (1 + np.exp(-(ahead + features @ moves)))
        weight = np.maximum(expected * (1 - expected), 1e-4)
        slope = features.T @ (won - expected) - ridge @ moves
        moves += np.linalg.solve((features * weight[:, None]).T @ features + ridge, slope)
    return moves


def fit_board(needs: tuple[int, int], deals: int, seed: int) -> Floats:
    """(2, FEATURES) log-odds changes per feature, of pone and dealer who need `needs` points to win."""
    board = (TARGET - needs[0], TARGET - needs[1])
    return np.stack([fit_role(seen) for seen in play_at(board, deals, seed + 1000 * needs[0] + needs[1])])


def undecided_needs(needs: range | tuple[int, ...], minimum: float = MIN_CHANCE) -> list[tuple[int, int]]:
    """Return the (pone's, dealer's) needs at which both sides' win probability is above `minimum`."""
    game = board_values().game
    bound = 1 - 2 * minimum
    return [(x, y) for x in needs for y in needs if abs(float(game[TARGET - y, TARGET - x])) < bound]


def fade_factor(needs: tuple[int, int]) -> float:
    """Return the factor (0–1) of a fitted change: 1 near the end, less from FADE_FROM_NEED points on."""
    return min(1.0, (NEEDS + 1 - max(needs)) / (NEEDS + 1 - FADE_FROM_NEED))


def smooth_fits(fits: dict[tuple[int, int], Floats]) -> Floats:
    """(2, NEEDS, NEEDS, FEATURES) means of similar boards' fits: [role, pone's need - 1, dealer's - 1]."""
    known = np.log(np.array(list(fits)))
    values = np.stack(list(fits.values()))
    every = np.zeros((2, NEEDS, NEEDS, FEATURES))
    for x, y in undecided_needs(range(1, NEEDS + 1)):
        apart = ((known - np.log([x, y])) ** 2).sum(axis=1)
        weight = np.exp(-(apart - apart.min()) / SMOOTHING_WIDTH**2)
        every[:, x - 1, y - 1] = fade_factor((x, y)) * np.tensordot(weight / weight.sum(), values, 1)
    return every


def fit_constants(side: int, moves: Floats, hands: int, deals: int, seed: int) -> Floats:
    """(NEEDS, NEEDS) constants of the log-odds with which the best discards win as the board values say.

    side: 0 pone, 1 dealer; moves: (NEEDS, NEEDS, FEATURES) fitted changes of this side; hands: number of six
    cards to average over; deals: number of deals to count. The axes are pone's and dealer's needs less one.
    """
    game, dealer = board_values().game.astype(np.float64), side == 1
    counts, pays = DealProbabilities([count_deals(deals, seed)]), loser_pays()[:1]
    chance = np.random.default_rng(seed)
    dealt = np.sort(random_deals(hands, 6, chance), axis=1)
    known = [Prospects([DECK[card] for card in six], dealer=dealer) for six in dealt.tolist()]
    near = slice(TARGET - NEEDS, None)
    # Axes: discards, own needs less one, other's needs less one.
    shipped = np.stack([by_points(one)[:, near, near][:, ::-1, ::-1] for one in known])
    kept, discarded = (np.stack(part) for part in zip(*[one.numbers for one in known], strict=True))
    cards = np.concatenate([near_end.hand_features()[kept], near_end.discard_features()[discarded]], axis=2)
    usual = np.arange(hands), _solved_discards(dealt, side, chance)
    constant = np.zeros((NEEDS, NEEDS))
    for x, y in undecided_needs(range(1, NEEDS + 1)):
        chances = shipped[:, :, y - 1, x - 1] if dealer else shipped[:, :, x - 1, y - 1]
        move, cell = moves[x - 1, y - 1], (TARGET - y, TARGET - x)
        by = move[1] * log_odds(chances) + cards @ move[2:]
        points = float(counts.value(cell, game[None, None], pays)[0, 0])
        wins, shipping = ((1 + (value if dealer else -value)) / 2 for value in (float(game[cell]), points))
        # The shipped strategies, whose mean is known, are a control variate for the choice of hands. With
        # small needs hands matter little, and the correction would only add the error of the model.
        off = float(chances[usual].mean()) - shipping if max(x, y) > MAX_NEED_UNCORRECTED else 0.0
        constant[x - 1, y - 1] = fade_factor((x, y)) * _constant(chances, by, wins + off)
    return constant


def _solved_discards(dealt: npt.NDArray[np.uint8], side: int, chance: np.random.Generator) -> Ints:
    """Return, for each six cards, the index in `WAYS` of a discard drawn from the solved strategy."""
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
    return solve_increasing(
        lambda constant: float(shift_log_odds(chances, by + constant).max(axis=1).mean()), wins, 6.0
    )


def solve_increasing(rising: Callable[[float], float], wanted: float, bound: float) -> float:
    """Return the argument, from -bound to bound, at which an increasing function has the value `wanted`."""
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
    """Fit the changes at all boards and write the table; return its header. Takes 10 core-seconds a board."""
    wanted = [(needs, (needs, deals, seed)) for needs in undecided_needs(FITTED_NEEDS)]
    fits: dict[tuple[int, int], Floats] = {}
    with get_executor(jobs) as executor:
        for needs, fit in run_all(executor, fit_board, wanted):
            fits[needs] = fit
            progress(f"{len(fits)} of {len(wanted)} boards")
        moves = smooth_fits(fits)
        sides = [(side, (side, moves[side], hands, counted, seed)) for side in (0, 1)]
        for side, constant in run_all(executor, fit_constants, sides):
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
