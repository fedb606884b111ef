"""The rest of the pegging of two, re-solved at the table: a safe policy against an opponent partly known.

From the present public position on (three cards or more played) the rest is solved as a game of its own, by
`analysis.pegging.endgame_solver`: the value at its ends is the chance of winning, with both hands, the crib
and sudden death in their order. What the own side may hold is what the published book would have kept and
played so far, with a floor under every hand; what the other side holds and how it plays is believed as
`LookAhead` has it, as far as it is `known`. The rest of it is free to play its best response, and may also
take for each hand the opt-out value, what the book's play would have given it at most, instead of coming in
(the gadget of Burch, Johanson and Bowling, 2014): so the free part finds nothing here that it could not have
had against the book. `known` 1 is a best response to beliefs, `known` 0 a safe re-solving; in between lie the
restricted responses of Johanson, Zinkevich and Bowling (2008).
"""

from functools import cache
from math import factorial, perm
from typing import NamedTuple

import numpy as np

from fifteentwo.analysis.counting import VALUES
from fifteentwo.analysis.pegging.beliefs import Floats, Ints, believe, kept_by, role_of
from fifteentwo.analysis.pegging.endgame_solver import Weights, solve
from fifteentwo.analysis.pegging.endgame_tree import Position, Reals
from fifteentwo.analysis.pegging.look_ahead import PEOPLE, PILE, LookAhead, opponent_types
from fifteentwo.fast.hands import copies, hands
from fifteentwo.fast.play import HELD, LOWS, SEEN, playable
from fifteentwo.strategy.pegging import starting

KNOWN = {3: 0.5, 4: 0.5, 5: 0.25, 6: 0.25}
"""Part of the other side that plays as it is believed to, by cards held together. Chosen; docs/analysis.md
says what it risks."""
FLOOR = 0.02
"""Part of the belief in hands that owes nothing to any book. Chosen, not measured."""
ITERATIONS = {3: 40, 4: 40, 5: 20, 6: 12}
"""Rounds of regret minimisation, by cards held together. docs/analysis.md says what fewer leave."""
_FALLING = np.array([[perm(left, played) for played in range(5)] for left in range(5)], np.float64)
"""(5, 5): ways to play so many of a rank, one after the other, from so many left: [left, played]."""


class Solution(NamedTuple):
    """How to play on, and how safe that is."""

    policy: dict[int, float]
    """How often to play each rank that fits."""
    opt_out: float
    """What a free opponent makes of the book's play from here on at best, hands by our beliefs."""
    risked: float
    """The same where each hand may choose between the book's play and this solution: no less than that."""


def _ways(left: Ints, size: int) -> Floats:
    """Ways to play each hand of so many cards from those left."""
    ways: Floats = _FALLING[np.clip(left, 0, 4)[None, :], copies(size)].prod(axis=1)
    return ways


@cache
def _orders(size: int) -> Floats:
    """In how many orders each hand can lie among others."""
    return np.array([np.prod([factorial(n) for n in row]) for row in copies(size)], np.float64)


def _floored(weights: Floats, ways: Floats, low: int, size: int) -> Floats:
    """Weights by way to hold a hand, their sum over all ways 1, none below the floor that a go allows."""
    fits = np.array([all(VALUES[rank] > low for rank in hand) for hand in hands(size)])
    even = fits / _orders(size)
    floor = FLOOR * even / max(float((even * ways).sum()), 1e-300)
    total = float((weights * ways).sum())
    return floor + (1 - FLOOR) * weights / total if total > 0 else floor / FLOOR


def resolved(
    search: LookAhead, *, games: bool, known: float | None = None, iterations: int | None = None
) -> Solution:
    """Solve the rest of the play; each side holds one to three cards, and they hold more than two together.

    known: part of the other side that plays as believed, by default `KNOWN`; iterations: `ITERATIONS`. Raises
    ValueError where nothing is to be solved, or not so.
    """
    held, theirs = (int(search.public[HELD + side]) for side in (search.side, 1 - search.side))
    if not (0 < held <= 3 and 0 < theirs <= 3 and held + theirs > 2):
        raise ValueError(f"{held} and {theirs} cards held: one to three each, more than two together")
    known = KNOWN[held + theirs] if known is None else known
    iterations = ITERATIONS[held + theirs] if iterations is None else iterations
    if not 0 <= known <= 1 or iterations < 1:
        raise ValueError(f"{known} is no part of the other side, or {iterations} no number of rounds")
    believed = _weights(search, held, theirs)
    weights = Weights(believed.own, known * believed.known, (1 - known) * believed.free)
    solved = solve(_position(search, games), search.types, weights, iterations)
    return Solution(
        _own_policy(search, solved.sums, held),
        float(believed.free @ solved.opt_out),
        float(believed.free @ np.maximum(solved.gained, solved.opt_out)),
    )


def _weights(search: LookAhead, held: int, theirs: int) -> Weights:
    """Hands at the root, the other's once as believed and once with a floor under every hand.

    Both sides' weights by way multiply to what is believed.
    """
    left = 4 - search.public[SEEN : SEEN + 13]
    left[search.starter] -= 1
    own = hands(held).index(tuple(sorted(card.index >> 2 for card in search.view.hand)))
    # Given the own hand, so many ways.
    pairs = _ways(left - copies(held)[own], theirs)
    each = np.divide(search.belief, pairs, out=np.zeros_like(search.belief), where=pairs > 0)
    free = _floored(each.sum(axis=0), pairs, int(search.public[LOWS + 1 - search.side]), theirs)
    return Weights(_own_range(search, left, held), each, free)


def _position(search: LookAhead, games: bool) -> Position:
    view = search.view
    stakes, scores = search.stakes(games=games)
    played = np.zeros((2, 4), np.int64)
    mine = [card.index >> 2 for seat, card in view.played if seat == view.seat]
    played[0, : len(mine)] = mine
    played[1] = search.theirs
    kept = np.array(sorted(card.index >> 2 for card in view.kept)) @ 13 ** np.arange(3, -1, -1)
    return Position(
        search.side,
        search.public,
        search.pile,
        np.array(scores, np.int64),
        played,
        search.starter,
        stakes,
        int(kept),
    )


def _own_policy(search: LookAhead, sums: Reals, held: int) -> dict[int, float]:
    """How often to play each own rank that fits, by the solved strategy at the root."""
    own = sorted(card.index >> 2 for card in search.view.hand)
    rests = hands(held - 1)
    weights = {}
    for rank in sorted(set(own)):
        if playable(search.view.count, VALUES[rank]):
            rest = own.copy()
            rest.remove(rank)
            weights[rank] = float(sums[rank * len(rests) + rests.index(tuple(rest))])
    total = sum(weights.values())
    return {rank: weight / total if total > 0 else 1 / len(weights) for rank, weight in weights.items()}


def _own_range(search: LookAhead, left: Ints, held: int) -> Floats:
    """What this seat may hold, by way, for someone who has seen it play: as the book keeps and plays."""
    side, role = search.side, role_of(search.view, search.view.seat)
    full = np.full(13, 4, np.int64)
    weights = np.ascontiguousarray((kept_by(role, full, PEOPLE.noise) / _ways(full, 4))[None, :])
    by_book = opponent_types(search.starter, noise=0.0)
    believe(search.acts, side, 1 - side, weights, by_book, starting(), np.zeros(PILE, np.int64))
    low = int(search.public[LOWS + side])
    return _floored(weights[0, : len(hands(held))], _ways(left, held), low, held)
