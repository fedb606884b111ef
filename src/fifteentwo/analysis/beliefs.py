"""What the other of two players holds, by Bayes: hands kept and cards laid as the equilibrium does.

Hands are multisets of ranks 0–12 in the order of `combinations_with_replacement`; beliefs are weights over
the hands of so many cards, (1820,), (455,), (91,) or (13,).
"""

from functools import cache
from math import comb

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.counting import VALUES
from fifteentwo.book.laying_away import Role, keep_frequency
from fifteentwo.book.play import ImpossiblePlay, Laid, PeggingBook, Position, follow
from fifteentwo.fast.book_shares import rows_of_four, rows_of_three, shares_of_two
from fifteentwo.fast.hands import PAIRS, copies, hands, without
from fifteentwo.fast.play import LEAD, REPLY
from fifteentwo.rules.view import View

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MISTRUST = 0.03
"""Part of every card's chance that owes nothing to the equilibrium: opponents are people, too."""


@cache
def _ways() -> npt.NDArray[np.float64]:
    """(5, 5): ways to draw so many of a rank with so many left, [left, drawn], over those with all four."""
    return np.array([[comb(left, drawn) / comb(4, drawn) for drawn in range(5)] for left in range(5)])


@cache
def _kept(role: Role) -> Floats:
    """(1820,) how often a role keeps each hand, with a little of every hand mixed in."""
    kept = np.array([keep_frequency([rank + 1 for rank in hand], role) for hand in hands(4)], np.float64)
    plain = np.array([np.prod([comb(4, n) for n in row]) for row in copies(4)], np.float64)
    mixed: Floats = (1 - MISTRUST) * kept / kept.sum() + MISTRUST * plain / plain.sum()
    return mixed


def kept_by(role: Role, left: Ints) -> Floats:
    """(1820,) likelihoods of the hand a role kept, with so many cards of each rank unseen (13,)."""
    ways = _ways()[left[None, :], copies(4)].prod(axis=1)
    weights: Floats = _kept(role) * ways
    return weights


def shares(book: PeggingBook, here: Position) -> Floats:
    """(hands, 13) how often each hand of the side on turn lays each rank.

    Rows add up to 1, or to 0 where a hand has nothing to lay.
    """
    size = here.held[here.turn]
    legal = (copies(size) > 0) & (np.array(VALUES) <= 31 - here.total)
    stored = _stored(book, here, size) * legal
    some = stored.sum(axis=1, keepdims=True)
    number = legal.sum(axis=1, keepdims=True)
    even = legal / np.maximum(number, 1)
    by_book = np.where(some > 0, stored / np.where(some > 0, some, 1), even)
    mixed: Floats = (1 - MISTRUST) * by_book + MISTRUST * even
    return mixed


def _stored(book: PeggingBook, here: Position, size: int) -> Floats:
    """(hands, 13) the book's raw shares, the same for every rank where it holds none."""
    none = np.ones((len(hands(size)), 13))
    if size == 1 or here.held[1 - here.turn] == 0:
        return none
    branch = book.branch(here.here[LEAD] * 13 + here.here[REPLY])
    if size == 2:
        lower = np.zeros(len(PAIRS))
        if not shares_of_two(branch, here.here, lower):
            return none
        by_pair = np.zeros((len(PAIRS), 13))
        by_pair[np.arange(len(PAIRS)), PAIRS[:, 1]] = 1 - lower
        by_pair[np.arange(len(PAIRS)), PAIRS[:, 0]] = lower
        by_pair[PAIRS[:, 0] == PAIRS[:, 1]] = 1
        return by_pair
    rows = np.zeros((13, len(hands(size - 1))))
    if size == 4:
        rows_of_four(branch, here.here, rows)
    elif not rows_of_three(branch, here.here, rows):
        return none
    rest = without(size)
    return np.where(rest >= 0, rows[np.arange(13), rest], 0.0)


def role_of(view: View, seat: int) -> Role:
    """What a seat of a game for two is in this deal."""
    return "dealer" if seat == view.dealer else "pone"


def history(view: View) -> tuple[Laid, ...]:
    """Every card laid this deal by role, with the goes that ended each count."""
    acts: list[Laid] = []
    for at, (seat, card) in enumerate(view.played, start=1):
        acts.append((role_of(view, seat), card.index // 4 + 1))
        if at in view.cleared:
            while (here := follow(tuple(acts))).total:
                acts.append(("dealer" if here.turn else "pone", None))
    return tuple(acts)


def believed(view: View, acts: tuple[Laid, ...], book: PeggingBook) -> Floats:
    """Weights of what the other player of two still holds, from all this seat has seen; they add up to 1.

    ImpossiblePlay where it can hold nothing.
    """
    other: Role = "pone" if view.is_dealer else "dealer"
    side = 0 if other == "pone" else 1
    left = np.full(13, 4, np.int64)
    for card in (*view.kept, *view.laid_away, *([view.starter] if view.starter else [])):
        left[card.index >> 2] -= 1
    weights = kept_by(other, left)
    for at, (role, rank) in enumerate(acts):
        if role != other or rank is None:
            continue
        here = follow(acts[:at], other)
        weights = _bounded(weights, here, side)
        size = here.held[side]
        weights = weights * shares(book, here)[:, rank - 1]
        rest = without(size)[:, rank - 1]
        fewer = np.zeros(len(hands(size - 1)) if size > 1 else 1)
        kept = rest >= 0
        np.add.at(fewer, rest[kept], weights[kept])
        weights = fewer
    here = follow(acts)
    if here.held[side]:
        weights = _bounded(weights, here, side)
    total = weights.sum()
    if not total > 0:
        raise ImpossiblePlay(f"No hand of the {other} fits what it laid.")
    held: Floats = weights / total
    return held


def _bounded(weights: Floats, here: Position, side: int) -> Floats:
    """Hands with a card that would have fitted where this side said go are out (R55)."""
    low = here.low[side]
    if not low:
        return weights
    fits = np.array(VALUES) <= low
    out = (copies(here.held[side])[:, fits] > 0).any(axis=1)
    still: Floats = np.where(out, 0.0, weights)
    return still
