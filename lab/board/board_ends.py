"""Deals near the end of the game, where both sides discard and peg to win and not for points.

Each board near the end has its own deals. The same cards are played by the solved strategies and to win; the
difference is the gain from play to win. A side that plays to win uses the win probabilities of `analysis.win`
with the values of later boards:

* it discards by `lab.board.win_by_ranks`;
* it pegs by the solved book, or to win: one reply and its own next card deep, then by `win.model.in_play`.

`board.play_styles_at` says which side does which at which board; this was found by trial.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.analysis.win.model import after_play, in_play, value_after
from fifteentwo.analysis.win.shows import usual_shows
from fifteentwo.fast import hands
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.layout import Cards
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.fast.show import MOST_POINTS
from fifteentwo.strategy.board import TARGET
from fifteentwo.strategy.board import board as board_values
from fifteentwo.strategy.discards import FILE as DISCARD_TABLE
from fifteentwo.strategy.files import data_file, read_tables
from lab.board.deal import (
    DEALER,
    KERNELS,
    PONE,
    DiscardValues,
    Played,
    Policies,
    Policy,
    best_discards,
    play_deals,
)
from lab.board.deal_choices import PEG_TO_WIN
from lab.board.deal_counts import strategies
from lab.board.induction import Cell, Floats
from lab.board.win_by_ranks import discards_by_ranks

PLAY_STYLES = ((False, False), (True, False), (False, True), (True, True))
"""Play styles of a side: whether it discards to win, and whether it pegs to win (otherwise for points)."""
DRAW_STEPS_PER_DEAL = 4
"""Steps of the random generator for the eight random numbers that a deal's pegging uses."""


class SidePlan(NamedTuple):
    """How one side discards and pegs at one board."""

    discard_values: DiscardValues | None
    """Values of all discards, of which the side takes the best; None if it discards by the solved
    strategy."""
    policy: Policy


@cache
def kept_rank_ratios() -> Floats:
    """(2, 13) how often the opponent of pone and dealer keeps each rank, divided by the mean of all ranks."""
    stored = read_tables(data_file(DISCARD_TABLE)).arrays
    copies = np.stack([np.bincount(four, minlength=13) for four in hands.FOURS]).astype(np.float64)
    keeps = np.stack([stored["dealer_keeps"], stored["pone_keeps"]]).astype(np.float64)
    ranks = keeps @ copies
    likely: Floats = ranks / ranks.mean(axis=1, keepdims=True)
    return likely


def plans_at(cell: Cell, ways: tuple[int, int], net: Floats) -> tuple[SidePlan, SidePlan]:
    """Return how pone and dealer play at a board in the given play styles; 0.1 to 0.5 s.

    ways: indices of PLAY_STYLES for pone and dealer. net: (121, 121) net games of the dealer at the start of
    a deal, [dealer's score, pone's score], known for later boards.
    """
    pone, dealer = (_plan(side, cell, ways[side], net) for side in (PONE, DEALER))
    return pone, dealer


def _plan(side: int, cell: Cell, way: int, net: Floats) -> SidePlan:
    """Return how a side plays at a board in play style `way`."""
    dealer = side == DEALER
    scores = cell if dealer else cell[::-1]
    over = value_after(net, np.ones(TARGET), dealt=dealer)
    discards, plays = PLAY_STYLES[way]
    solved = strategies().policies()
    policy = (solved.dealer if dealer else solved.pone)._replace(likely=kept_rank_ratios()[side])
    if plays:
        policy = policy._replace(
            play_aim=PEG_TO_WIN, in_play=pegging_values(scores, over, dealer=dealer), start=np.array(scores)
        )
    discard_values = discards_by_ranks(scores, over, dealer=dealer) if discards else None
    return SidePlan(discard_values, policy)


def pegging_values(scores: tuple[int, int], over: Floats, *, dealer: bool) -> NDArray[np.float32]:
    """(9, 30, span, span) a side's values during pegging, in the form of `deal.Policy.in_play`.

    scores: own and opponent's at the start of the deal; over: values from `win.model.after_deal`.
    """
    usual = usual_shows()
    others = usual.pone_hand if dealer else usual.dealer_hand
    shown = [
        after_play(over, hand, others, usual.crib, TARGET, dealer=dealer) for hand in range(MOST_POINTS + 1)
    ]
    by_hand = np.stack(shown)
    values = [in_play(by_hand, played, scores, TARGET, dealer=dealer) for played in range(9)]
    return np.stack(values).astype(np.float32)


@dataclass(frozen=True)
class Pool:
    """Deals that the solved strategies have played, and that can be replayed with other strategies."""

    dealt: Cards
    """(n, 13) pone's six cards, dealer's six, starter."""
    played: Played
    """The deals as the solved strategies played them."""
    draw_seed: np.random.SeedSequence
    """Seed of the random numbers for mixed strategies; the deals use them in order."""
    first_deal: int = 0
    """Number of the pool's first deal in the sequence of random numbers."""

    @classmethod
    def deal_and_play(cls, deals: int, seed: np.random.SeedSequence) -> "Pool":
        """Return random deals played by the solved strategies; about 10 µs a deal."""
        known = strategies()
        dealing, draw_seed = seed.spawn(2)
        chance = np.random.default_rng(dealing)
        dealt = random_deals(deals, 13, chance)
        options = known.discard(dealt, chance)
        played = play_deals(dealt, known.policies(), _draws(draw_seed, 0), options)
        return cls(dealt, played, draw_seed)

    def deals_between(self, begin: int, end: int) -> "Pool":
        """Return the deals from number `begin` to one before `end`, without copying."""
        part = slice(begin, end)
        played = Played._make(array[part] for array in self.played)
        return Pool(self.dealt[part], played, self.draw_seed, self.first_deal + begin)

    def replay(self, cell: Cell, plans: tuple[SidePlan, SidePlan]) -> Played:
        """Play the same cards with the same random numbers from the scores `cell`, by other plans."""
        options = self.played.options.copy()
        for side, plan in enumerate(plans):
            if plan.discard_values is not None:
                best_discards(self.dealt, plan.discard_values, side, options)
        policies = Policies(plans[PONE].policy, plans[DEALER].policy, strategies().book)
        return play_deals(self.dealt, policies, _draws(self.draw_seed, self.first_deal), options, cell[::-1])


def _draws(draw_seed: np.random.SeedSequence, first: int) -> np.random.Generator:
    """Return the generator of the random numbers from deal number `first` on."""
    bits = np.random.PCG64(draw_seed)
    bits.advance(DRAW_STEPS_PER_DEAL * first)
    return np.random.Generator(bits)


def win_probabilities_after(events: NDArray[np.int16], board: tuple[int, int], *, dealer: bool) -> Floats:
    """Return the pone's or dealer's win probability after each deal, by the shipped board values.

    events: (n, MAX_EVENTS) of `deal.Played`; board: scores of pone and dealer before the deal.
    """
    net = board_values().game.astype(np.float64)[None]
    made = np.zeros((len(events), 1))
    compiled(KERNELS).outcomes(events, board[1], board[0], net, np.ones((1, TARGET)), made)
    return np.asarray((1 + (made[:, 0] if dealer else -made[:, 0])) / 2)


def both_outcomes(
    cell: Cell, plans: tuple[SidePlan, SidePlan], net: Floats, pays: Floats, pool: Pool
) -> tuple[Floats, Floats]:
    """Return the dealer's expected net games of n deals, by `plans` and by the book: (n, payoffs) each."""
    made, before = (np.zeros((len(pool.dealt), len(net))) for _ in range(2))
    compiled(KERNELS).outcomes(pool.replay(cell, plans).events, *cell, net, pays, made)
    compiled(KERNELS).outcomes(pool.played.events, *cell, net, pays, before)
    return made, before
