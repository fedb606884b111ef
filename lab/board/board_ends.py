"""Deals near the end of the game, where both sides discard and peg to win and not for points.

Each board near the end has its own deals. The same cards are played by the solved strategies and to win; the
difference is the gain from play to win. A side that plays to win uses the win probabilities of `analysis.win`
with the values of later boards:

* it discards by `lab.board.win_by_ranks`;
* it pegs by the solved book, or to win: one reply and its own next card deep, then by `win.model.in_play`.

`board.ways_at` says which side does which at which board; this was found by trial.
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
from lab.board.deal_choices import CHANCE
from lab.board.deal_counts import strategies
from lab.board.induction import Cell, Floats
from lab.board.win_by_ranks import discards_by_ranks

WAYS = ((False, False), (True, False), (False, True), (True, True))
"""Whether a side discards to win, and whether it pegs to win."""
DRAWS = 4
"""Steps of the random generator for the eight draws of a deal."""


class Aim(NamedTuple):
    """The play of one side at one board."""

    discard_values: DiscardValues | None
    """Values by which it discards; None if it discards by the solved strategy."""
    policy: Policy


@cache
def likely_ranks() -> Floats:
    """(2, 13) how often the opponent of pone and dealer keeps each rank, relative to random hands."""
    stored = read_tables(data_file(DISCARD_TABLE)).arrays
    copies = np.stack([np.bincount(four, minlength=13) for four in hands.FOURS]).astype(np.float64)
    keeps = np.stack([stored["dealer_keeps"], stored["pone_keeps"]]).astype(np.float64)
    ranks = keeps @ copies
    likely: Floats = ranks / ranks.mean(axis=1, keepdims=True)
    return likely


def aims_at(cell: Cell, ways: tuple[int, int], net: Floats) -> tuple[Aim, Aim]:
    """Return the play of pone and dealer at this board, by numbers of WAYS; 0.1 to 0.5 s.

    net: (121, 121) net games of the dealer at the start of a deal, with the values of later boards.
    """
    pone, dealer = (_aim(side, cell, ways[side], net) for side in (PONE, DEALER))
    return pone, dealer


def _aim(side: int, cell: Cell, way: int, net: Floats) -> Aim:
    dealer = side == DEALER
    scores = cell if dealer else cell[::-1]
    over = value_after(net, np.ones(TARGET), dealt=dealer)
    discards, plays = WAYS[way]
    solved = strategies().policies()
    policy = (solved.dealer if dealer else solved.pone)._replace(likely=likely_ranks()[side])
    if plays:
        policy = policy._replace(
            play_aim=CHANCE, in_play=play_values(scores, over, dealer=dealer), start=np.array(scores)
        )
    discard_values = discards_by_ranks(scores, over, dealer=dealer) if discards else None
    return Aim(discard_values, policy)


def play_values(scores: tuple[int, int], over: Floats, *, dealer: bool) -> NDArray[np.float32]:
    """(9, 30, span, span) values of the rest of pegging and the show, for `deal.Policy.in_play`.

    scores: own and other's at the start of the deal; over: values after the deal, as `win.model.after_deal`.
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
    """Deals as the solved strategies play them. Near the end they are also played to win."""

    dealt: Cards
    played: Played
    luck: np.random.SeedSequence
    """Seed of the draws of mixed strategies, for all deals one after another."""
    first: int = 0
    """Place of the first deal in this sequence."""

    @classmethod
    def of(cls, deals: int, seed: np.random.SeedSequence) -> "Pool":
        """Deal and play; about 10 µs a deal."""
        known = strategies()
        dealing, luck = seed.spawn(2)
        chance = np.random.default_rng(dealing)
        dealt = random_deals(deals, 13, chance)
        options = known.discard(dealt, chance)
        played = play_deals(dealt, known.policies(), _draws(luck, 0), options)
        return cls(dealt, played, luck)

    def part(self, begin: int, end: int) -> "Pool":
        """Return views of some deals."""
        part = slice(begin, end)
        played = Played._make(array[part] for array in self.played)
        return Pool(self.dealt[part], played, self.luck, self.first + begin)

    def again(self, cell: Cell, aims: tuple[Aim, Aim]) -> Played:
        """Play the same cards from this board with the same random numbers and other play."""
        options = self.played.options.copy()
        for side, aim in enumerate(aims):
            if aim.discard_values is not None:
                best_discards(self.dealt, aim.discard_values, side, options)
        policies = Policies(aims[PONE].policy, aims[DEALER].policy, strategies().book)
        return play_deals(self.dealt, policies, _draws(self.luck, self.first), options, cell[::-1])


def _draws(luck: np.random.SeedSequence, first: int) -> np.random.Generator:
    """Return the generator for the deals from number `first` on."""
    bits = np.random.PCG64(luck)
    bits.advance(DRAWS * first)
    return np.random.Generator(bits)


def win_chances(events: NDArray[np.int16], board: tuple[int, int], *, dealer: bool) -> Floats:
    """Return the pone's or dealer's win probability after each deal, by the shipped board values.

    events: (n, MOST_EVENTS) of `deal.Played`; board: scores of pone and dealer before the deal.
    """
    net = board_values().game.astype(np.float64)[None]
    made = np.zeros((len(events), 1))
    compiled(KERNELS).outcomes(events, board[1], board[0], net, np.ones((1, TARGET)), made)
    return np.asarray((1 + (made[:, 0] if dealer else -made[:, 0])) / 2)


def replayed(
    cell: Cell, aims: tuple[Aim, Aim], net: Floats, pays: Floats, pool: Pool
) -> tuple[Floats, Floats]:
    """Return the dealer's net games (n, payoffs) in each deal: to win, and by the solved strategies."""
    made, before = (np.zeros((len(pool.dealt), len(net))) for _ in range(2))
    compiled(KERNELS).outcomes(pool.again(cell, aims).events, *cell, net, pays, made)
    compiled(KERNELS).outcomes(pool.played.events, *cell, net, pays, before)
    return made, before
