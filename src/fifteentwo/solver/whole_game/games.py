"""Whole games of a responder against a policy, and what it wins, with control variates."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.fast.deal import DEALER, PONE, scores_after
from fifteentwo.solver.whole_game.policy import Policy
from fifteentwo.solver.whole_game.responder import Aim
from fifteentwo.solver.whole_game.trials import (
    USUAL,
    Dealt,
    Plan,
    deal,
    discarded,
    own_show,
    pegged,
    pegged_by,
)
from fifteentwo.strategy.board import TARGET

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


AT_ONCE = 100_000
"""Games that are under way together."""


class Against(NamedTuple):
    """The policy, and what the responder does against it."""

    policy: Policy
    aims: Sequence[tuple[Sequence[Aim], Sequence[Aim]]]
    """By cell, the pone's and the dealer's."""
    plan: Plan


class Results(NamedTuple):
    """What the responder makes of games, net games each."""

    plain: Floats
    """(n,) 1 a game won, -1 one lost."""
    adjusted: Floats
    """(n,) less what the same cards bring on average, played by the policy."""
    gained: Floats
    """(121, 121) by board, [dealer's, pone's]: what the plan says its choices there gain, games summed."""


def play_games(
    number: int,
    against: Against,
    first: int,
    chance: np.random.Generator,
) -> Results:
    """Play games in which the responder is PONE or DEALER in the first deal; some 120 µs each.

    The control variate of a deal: what the same cards and luck lead to if both sides play by the policy, by
    the plan's values, less what they lead to on average.
    """
    batches = [
        _together(min(AT_ONCE, number - begun), against, first, chance) for begun in range(0, number, AT_ONCE)
    ]
    plain, adjusted, gained = zip(*batches, strict=True)
    return Results(np.concatenate(plain), np.concatenate(adjusted), np.sum(gained, axis=0))


def _together(
    number: int,
    against: Against,
    first: int,
    chance: np.random.Generator,
) -> Results:
    policy, plan = against.policy, against.plan
    scores = np.zeros((number, 2), np.int64)
    adjusted = np.zeros(number)
    gained = np.zeros((TARGET, TARGET))
    going = np.arange(number)
    side = first
    while len(going):
        now = scores[going]
        # Columns of scores: the responder, the other side. The dealer is one of them.
        dealer, sign = (0, 1) if side == DEALER else (1, -1)
        boards = now[:, dealer], now[:, 1 - dealer]
        np.add.at(gained, boards, sign * (plan.net - plan.usual)[side][boards])
        cells = policy.of[boards]
        dealt = deal(policy, cells, chance)
        events = pegged_by(policy, dealt, cells)
        usual = scores_after(now, events, dealer)
        adjusted[going] -= _net(usual, plan, 1 - side) - sign * plan.usual[side][boards]
        _play_own(events, dealt, against, side, boards)
        scores[going] = scores_after(now, events, dealer)
        going = going[(scores[going] < TARGET).all(axis=1)]
        side = 1 - side
    plain = np.where(scores[:, 0] >= TARGET, 1.0, -1.0)
    return Results(plain, plain + adjusted, gained)


def _net(scores: Ints, plan: Plan, side: int) -> Floats:
    """(n,) net games of the responder at scores (responder's, other's), its side in the next deal given."""
    over = (scores >= TARGET).any(axis=1)
    own, other = np.minimum(scores, TARGET - 1).T
    net = plan.net[DEALER, own, other] if side == DEALER else -plan.net[PONE, other, own]
    return np.where(over, np.where(scores[:, 0] >= TARGET, 1.0, -1.0), net)


def _play_own(
    events: NDArray[np.int16], dealt: Dealt, against: Against, side: int, boards: tuple[Ints, Ints]
) -> None:
    """Write the events of the deals in which the responder does not play by the policy."""
    policy, aims, plan = against
    cells, chosen = policy.of[boards], plan.aim[side][boards]
    different = chosen != USUAL
    for cell, number in np.unique(np.stack([cells, chosen], axis=1)[different], axis=0).tolist():
        rows = np.flatnonzero((cells == cell) & (chosen == number))
        aim = aims[cell][side][number]
        own = discarded(dealt.taken(rows), aim, side)
        shown = own_show(pegged_by(policy, own, cells[rows]), side)
        ways = plan.way[side, boards[0][rows], boards[1][rows], shown]
        for way in np.unique(ways).tolist():
            part = np.flatnonzero(ways == way)
            events[rows[part]] = pegged(own.taken(part), aim.ways[way]).events
