"""Whole games by the solved strategies in bulk: both sides play every deal for points, whatever the score.

    games = play_games(10_000, seed=1)
    (games.scores[:, 0] == 121).mean()  how often the first dealer won

Some 40 µs of a core a game.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.random_deals import random_deals
from fifteentwo.strategy.board import TARGET
from lab.board.deal import play_deals, scores_after
from lab.board.deal_counts import strategies

AT_ONCE = 20_000
"""Games that are under way together."""


class Games(NamedTuple):
    """Games that were played, one a row."""

    scores: npt.NDArray[np.int64]
    """(n, 2) first dealer's and first pone's, the winner's at 121."""
    deals: npt.NDArray[np.int64]
    """(n,) how many deals each took."""


def play_games(games: int, seed: int) -> Games:
    """Play so many games; the same seed gives the same games. Raises DamagedTable."""
    chance = np.random.default_rng(seed)
    parts = [_together(min(AT_ONCE, games - first), chance) for first in range(0, games, AT_ONCE)]
    return Games(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _together(games: int, chance: np.random.Generator) -> Games:
    known = strategies()
    policies = known.policies()
    scores = np.zeros((games, 2), np.int64)
    deals = np.zeros(games, np.int64)
    going = np.arange(games)
    dealer = 0
    while len(going):
        dealt = random_deals(len(going), 13, chance)
        options = known.discard(dealt, chance)
        events = play_deals(dealt, policies, chance, options=options).events
        scores[going] = scores_after(scores[going], events, dealer)
        deals[going] += 1
        going = going[(scores[going] < TARGET).all(axis=1)]
        dealer = 1 - dealer
    return Games(scores, deals)
