"""Hands that the other side may hold and how it plays them, for two players.

belief[…, type, hand] is the joint probability of the other side's type and hand. A type is a model of
`opponents`: the solved book, or a club, casual or beginning player. Hands are multisets of ranks 0–12 in the
order of `combinations_with_replacement`. Plays are those of `fast.plays`; all plays of one call have the same
side on turn and equally many cards held.
"""

from functools import cache, lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.pegging.opponents import BOOK, CLUB, card_probabilities, kept_probabilities
from fifteentwo.fast import play, plays
from fifteentwo.fast.book_policy import BookArrays, top_row
from fifteentwo.fast.hands import SIZES, copies, hands, with_one_more, without
from fifteentwo.fast.layout import VALUES
from fifteentwo.fast.play import (
    CODE,
    COUNT,
    END,
    GONE,
    HELD,
    LEAD,
    LIMIT,
    LOWS,
    PLAYED,
    REPLY,
    SEEN,
    TURN,
    playable,
)
from fifteentwo.fast.plays import RANKS, Plays
from fifteentwo.rules.state import PastDeal
from fifteentwo.rules.view import View
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.pegging import Act, follow, load_pegging_book

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

UNFIT = -1e9
"""Value of a rank that cannot be played."""
RANK_BONUS = 1e-6
"""Points added for each higher rank: a club player plays the higher of two equally good cards."""
GO, NOT_YET_ACTED = -1, 99
"""Values in place of a rank: the side says go, or has still to act."""
_DRAW_RATIO = np.array([[comb(left, drawn) / comb(4, drawn) for drawn in range(5)] for left in range(5)])
"""(5, 5) by cards left and drawn of a rank: ways to draw them, divided by the ways with all four left."""


class OpponentTypes(NamedTuple):
    """The types of player that the other side may be, and what their play depends on."""

    starter: int
    """Rank of the starter, 0–12, or -1 if it is unknown."""
    book: BookArrays
    """The solved pegging strategies."""
    kinds: tuple[int, ...]
    """The model (`opponents.MODELS`) of each type."""
    noise: float
    """Probability that a card is random instead of chosen by the type (ε-noise)."""


class NextBeliefs(NamedTuple):
    """Beliefs about the other side after each act that it may do now."""

    played: Floats
    """(plays, 13, types, rests) probability that it has this type, plays this rank and keeps this rest."""
    silent: Floats
    """(plays, types, hands) probability that it has this type, holds this hand and must say go."""


@cache
def _random_four() -> Floats:
    """Return (1820,) probabilities of the ranks of four random cards from a full deck."""
    return np.array([np.prod([comb(4, n) for n in row]) for row in copies(4)], np.float64) / comb(52, 4)


@lru_cache(maxsize=64)
def kept_by(role: Role, left: tuple[int, ...], noise: float, kind: int = BOOK) -> Floats:
    """Return (1820,) probabilities that a model keeps each four ranks, dealt from `left`, with ε-noise."""
    plain = _random_four() * _DRAW_RATIO[np.array(left), copies(4)].prod(axis=1)
    mixed: Floats = (1 - noise) * kept_probabilities(kind, role, left) + noise * plain / plain.sum()
    mixed.setflags(write=False)
    return mixed


def role_of(view: View | PastDeal, seat: int) -> Role:
    """Return whether a seat is the dealer or the pone in this deal of two players."""
    return "dealer" if seat == view.dealer else "pone"


def history(view: View | PastDeal) -> tuple[Act, ...]:
    """Return every card played in this deal and every go that ended a count, each with the role."""
    acts: list[Act] = []
    for at, (seat, card) in enumerate(view.played, start=1):
        acts.append((role_of(view, seat), card.index // 4 + 1))
        if at in view.count_ends:
            while (position := follow(tuple(acts))).total:
                acts.append(("dealer" if position.turn else "pone", None))
    return tuple(acts)


def book_frequencies(view: View) -> dict[int, float]:
    """Return by rank (0–12) the probability that the solved strategy plays it from this View's hand."""
    own = [card.index // 4 + 1 for card in view.hand]
    often = load_pegging_book().strategy(own, history(view), role_of(view, view.seat))
    return {rank - 1: frequency for rank, frequency in often.items()}


def club_values(now: Plays, starter_rank: int) -> Floats:
    """Return (plays, 13) the value in points of each rank for a club player on turn, or UNFIT."""
    public = now.public
    turn = int(public[0, TURN])
    fitting = plays.fits(now)
    value = plays.points(now).astype(np.float64)
    held = int(public[0, HELD + 1 - turn])
    if held > 0:
        replied = fitting & (public[:, COUNT, None] + VALUES != LIMIT) & (public[:, GONE, None] == 0)
        rows, ranks = np.nonzero(replied)
        unseen = 51 - public[rows, PLAYED] - (starter_rank >= 0)
        value[rows, ranks] += reply_values(plays.play_rank(now, rows, ranks), starter_rank, unseen, held)
    return np.where(fitting, value + RANK_BONUS * RANKS, UNFIT)


def reply_values(played: Plays, starter: int, unseen: Ints, held: int) -> Floats:
    """Return (plays,) the probability that no reply fits, less the mean points of the best reply."""
    left = 4 - played.public[:, SEEN : SEEN + 13] - (starter == RANKS)
    left = np.where(plays.fits(played), np.maximum(left, 0), 0)
    pegs = plays.points(played)
    value, before = np.zeros(len(left)), np.ones(len(left))
    without_these = unseen.astype(np.float64)
    for pegged in range(int(pegs.max(initial=0)), -1, -1):
        ways = np.where(pegs == pegged, left, 0).sum(axis=1)
        at = np.flatnonzero(ways)
        without_these[at] -= ways[at]
        none = np.ones(len(at))
        for card in range(held):
            none *= np.maximum(without_these[at] - card, 0.0) / (unseen[at] - card)
        value[at] -= pegged * (before[at] - none)
        before[at] = none
    return value + before


def next_beliefs(now: Plays, belief: Floats, types: OpponentTypes) -> NextBeliefs:
    """Return the beliefs (plays, types, hands) after each card or go of the other side, which is on turn."""
    size = int(now.public[0, HELD + now.public[0, TURN]])
    if size == 1:
        fitting = plays.fits(now)
        played = np.where(fitting[:, :, None], belief.transpose(0, 2, 1), 0.0)
        return NextBeliefs(played[..., None], np.where(fitting[:, None, :], 0.0, belief))
    solved = bool(now.public[0, HELD + 1 - now.public[0, TURN]] > 0)
    places = np.full(len(belief), -1)
    if solved and BOOK in types.kinds:
        places = _book_places(types.book, now.public) if size < 4 else np.zeros_like(places)
    liked = np.full((len(belief), 13), UNFIT)
    rows = np.flatnonzero((places < 0) & (BOOK in types.kinds) | (CLUB in types.kinds))
    if len(rows):
        liked[rows] = club_values(plays.of(now, rows), types.starter)
    ranks, rests, firsts = hand_cards(size)
    up = with_one_more(size)
    fitting = plays.fits(now)
    counted = fitting[:, ranks] & firsts
    number = counted.sum(axis=2)
    by_liking = (liked[:, :, None] >= liked[:, ranks].max(axis=2)[:, up]).astype(np.float64)
    played = np.empty((len(belief), 13, belief.shape[1], up.shape[1]))
    for at, kind in enumerate(types.kinds):
        raw = by_liking
        if kind == BOOK:
            raw = _book_weights(types.book, now.public, places, by_liking)
        elif kind > CLUB:
            raw = card_probabilities(now, kind, np.array(hands(size - 1)))
        total = np.where(counted, raw[:, ranks, rests], 0.0).sum(axis=2)[:, up]
        even = 1.0 / np.maximum(number, 1)[:, up]
        mixed = types.noise * even + (1 - types.noise) * raw / np.where(total > 0, total, 1.0)
        chance = np.where(total > 0, mixed, even)
        played[:, :, at] = np.where(fitting[:, :, None], belief[:, at, up] * chance, 0.0)
    return NextBeliefs(played, np.where(number[:, None] == 0, belief, 0.0))


@cache
def hand_cards(size: int) -> tuple[Ints, Ints, Truths]:
    """Return (hands, size) arrays: each card's rank, the hand without it, whether its rank is new."""
    ranks = np.array(hands(size), np.int64)
    firsts = np.ones(ranks.shape, np.bool_)
    firsts[:, 1:] = ranks[:, 1:] != ranks[:, :-1]
    return ranks, np.take_along_axis(without(size), ranks, axis=1), firsts


# ── The book ─────────────────────────────────────────────────────────────────────────────────────────────


def _book_places(book: BookArrays, public: Ints) -> Ints:
    """Return (plays,) index of each play's first cell in `book.cells`, -1 if the book lacks the play."""
    branches, codes = public[:, LEAD] * 13 + public[:, REPLY], public[:, CODE]
    places = np.full(len(public), -1)
    for branch in np.unique(branches):
        low, stop = book.starts[branch], book.starts[branch + 1]
        rows = np.flatnonzero(branches == branch)
        nodes = low + np.searchsorted(book.codes[low:stop], codes[rows])
        there = nodes < stop
        there[there] = book.codes[nodes[there]] == codes[rows[there]]
        places[rows[there]] = book.at[nodes[there]]
    return places


def _ranks_in_book(public: Ints) -> Truths:
    """Return (plays, 13) whether the side on turn may hold and play a rank, so that the book has cells."""
    turn = int(public[0, TURN])
    fresh = (public[:, LOWS + turn, None] < VALUES) & (public[:, SEEN : SEEN + 13] < 4)
    fitting: Truths = playable(public[:, COUNT, None], VALUES)
    return fresh & fitting


def _book_weights(book: BookArrays, public: Ints, place: Ints, otherwise: Floats) -> Floats:
    """Return (plays, 13, rests) weights of each rank played in the book, or `otherwise` if place is -1."""
    turn = int(public[0, TURN])
    if public[0, HELD + turn] == 4:
        first = np.broadcast_to(top_row(turn, public[:, CODE]), len(public))
        return book.top.reshape(-1, 455)[first[:, None] + RANKS].astype(np.float64)
    ranks, has_place = _ranks_in_book(public), place[:, None, None] >= 0
    below = ranks.cumsum(axis=1) - ranks
    if public[0, HELD + turn] == 3:
        there = ranks[:, :, None] & has_place
        cell = (place[:, None] + 91 * below)[:, :, None] + np.arange(91)
        return np.where(has_place, np.where(there, book.cells[np.where(there, cell, 0)], 0.0), otherwise)
    # The book has the probability of the lower of two open ranks.
    lower, number = RANKS[:, None] < RANKS, ranks.sum(axis=1)[:, None, None]
    there = ranks[:, :, None] & ranks[:, None, :] & lower & has_place
    low, high = below[:, :, None], below[:, None, :]
    cell = place[:, None, None] + low * (2 * number - low - 1) // 2 + high - low - 1
    often = np.where(there, book.cells[np.where(there, cell, 0)] / 255.0, 0.5)
    return np.where(has_place, np.where(lower, often, 1 - often.swapaxes(1, 2)), otherwise)


# ── Beliefs from what was played ───────────────────────────────────────────────────────────────────────────


def replay_beliefs(
    acts: Ints, turn: int, side: int, belief: Floats, types: OpponentTypes, public: Ints, pile: Ints
) -> int:
    """Replay acts (side, rank; -1 is a go) until `turn` is on turn; update public, pile, belief.

    Missing goes are filled in as in `strategy.pegging.follow`. side: the observer, whose belief (types,
    hands) about the other side changes with each of its acts. Return how many cards the other side holds
    then.
    """
    then = np.zeros_like(public)
    for actor, rank in [*acts.tolist(), (turn, NOT_YET_ACTED)]:
        while rank != NOT_YET_ACTED or public[TURN] != actor:
            meant = public[TURN] == actor
            passes = rank == GO or not meant
            if public[TURN] != side and public[HELD + public[TURN]] > 0:
                held = belief[:, : SIZES[public[HELD + public[TURN]]]]
                done = next_beliefs(Plays(public[None], pile[None]), held[None], types)
                after = done.silent[0] if passes else done.played[0, rank]
                belief[:, : after.shape[1]] = after
            if passes:
                play.go(public, then)
            else:
                pile[public[END]] = rank
                play.play_rank(public, then, rank)
            public[:] = then
            if meant:
                break
    return int(public[HELD + 1 - side])
