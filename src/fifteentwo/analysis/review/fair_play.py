"""How often a player finds the engine's best choice if it is clear, and a test of whether that is unusual.

The test is a bet against the statement that each clear choice is the best one with a probability of at most
`rate`, whatever was chosen before. A stake of 1 is split among three guesses of a higher probability, and
multiplied after each choice by the ratio of a guess to `rate`. If the statement is true, the expected stake
never rises, so that the probability that it ever reaches 1 / FALSE_ALARMS is at most FALSE_ALARMS, however
often one looks (Ville's inequality). Wald's sequential test is the bet on one guess; for bets on several see
Ramdas et al., "Game-theoretic statistics and safe anytime-valid inference" (2023). There is no bound
for an honest player who finds the best choice more often than `rate`.
"""

import math
from collections.abc import Iterable
from typing import Any

EQUAL_LOSS, CLEAR_LOSS = 0.0005, 0.005
"""Loss of win probability (0–1) below which a choice is as good as the best, and from which it is worse. A
decision is clear if no choice loses anything between the two, and one loses more."""
FALSE_ALARMS = 1 / 1000
"""Bound on the probability that the test ever marks a player for whom the statement is true."""
CLUB_RATE = 0.83
"""Bound on the share of clear decisions in which level `club`, or a weaker one, finds the best choice, with a
margin of two hundredths (docs/rating.md)."""
LEVEL_RATES = {"beginner": 0.53, "casual": 0.66, "club": 0.81, "expert": 0.94, "master": 0.94}
"""Share of clear decisions in which each level finds the best choice (docs/rating.md)."""

Game = tuple[int, int]
"""Clear decisions of one seat in a game: those where it found the best choice, and all of them."""


def clear_choices(decisions: Iterable[dict[str, Any]], seat: int) -> Game:
    """Count the clear decisions of a seat in the report of a review with win probabilities."""
    found = clear = 0
    for one in decisions:
        if one["seat"] == seat and one["options"] and one["win"] is not None:
            losses = [one["win"] - option["win"] for option in one["options"]]
            lead = min([loss for loss in losses if loss >= EQUAL_LOSS], default=0.0)
            clear += lead >= CLEAR_LOSS
            found += lead >= CLEAR_LOSS and one["loss_win"] < EQUAL_LOSS
    return found, clear


def largest_stake(games: Iterable[Game], rate: float) -> float:
    """Return the largest stake after any of these games, in the order in which they were played."""
    guesses = [rate + (1 - rate) * part for part in (0.25, 0.5, 0.75)]
    logs, largest = [0.0] * len(guesses), 1.0
    for found, clear in games:
        for number, guess in enumerate(guesses):
            logs[number] += found * math.log(guess / rate)
            logs[number] += (clear - found) * math.log((1 - guess) / (1 - rate))
        largest = max(largest, sum(math.exp(min(one, 700.0)) for one in logs) / len(guesses))
    return largest
