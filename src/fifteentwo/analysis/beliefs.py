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
from fifteentwo.book.play import Laid, PeggingBook, Position, follow
from fifteentwo.fast.hands import copies, hands, place, without
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
    found: Floats = (1 - MISTRUST) * kept / kept.sum() + MISTRUST * plain / plain.sum()
    return found


def kept_by(role: Role, left: Ints) -> Floats:
    """(1820,) likelihoods of the hand a role kept, with so many cards of each rank unseen (13,)."""
    ways = _ways()[left[None, :], copies(4)].prod(axis=1)
    weights: Floats = _kept(role) * ways
    return weights


def shares(book: PeggingBook, here: Position, lead: int, reply: int) -> Floats:
    """(hands, 13) how often each hand of the side on turn lays each rank; `lead`, `reply`: the first two.

    Rows add up to 1, or to 0 where a hand has nothing to lay.
    """
    size = here.held[here.turn]
    held = copies(size) > 0
    legal = held & (np.array(VALUES) <= 31 - here.total)
    found = _stored(book, here, lead, reply, size) * legal
    some = found.sum(axis=1, keepdims=True)
    number = legal.sum(axis=1, keepdims=True)
    even = legal / np.maximum(number, 1)
    found = np.where(some > 0, found / np.where(some > 0, some, 1), even)
    mixed: Floats = (1 - MISTRUST) * found + MISTRUST * even
    return mixed


def _stored(book: PeggingBook, here: Position, lead: int, reply: int, size: int) -> Floats:
    """The book's raw shares, 1 for everything where it holds none."""
    everything = np.ones((len(hands(size)), 13))
    rest = without(size)
    if size == 4:
        first = 0 if here.turn == 0 else 13 * here.code
        rows = np.frombuffer(book.top, np.uint8).reshape(-1, 455)[first : first + 13]
        return np.where(rest >= 0, rows.T[rest, np.arange(13)], 0).astype(np.float64)
    if size == 1 or here.held[1 - here.turn] == 0:
        return everything
    block = book.block(lead * 13 + reply)
    where = int(np.searchsorted(block.codes, np.uint64(here.code)))
    if where == len(block.codes) or int(block.codes[where]) != here.code:
        return everything
    cells = np.frombuffer(block.cells, np.uint8)
    at = int(block.at[where])
    low = here.low[here.turn]
    ranks = [r for r in range(13) if low < VALUES[r] <= 31 - here.total and here.seen[r] < 4]
    found = np.zeros((len(hands(size)), 13))
    if size == 3:
        for n, rank in enumerate(ranks):
            row = cells[at + n * 91 : at + n * 91 + 91]
            held = rest[:, rank] >= 0
            found[held, rank] = row[rest[held, rank]]
        return found
    for one, first_rank in enumerate(ranks):
        found[place(2)[first_rank, first_rank], first_rank] = 1
        for two in range(one + 1, len(ranks)):
            share = float(cells[at + one * (2 * len(ranks) - one - 1) // 2 + two - one - 1])
            hand = place(2)[first_rank, ranks[two]]
            found[hand, first_rank], found[hand, ranks[two]] = share, 255 - share
    others = ~found.any(axis=1)
    found[others] = 1
    return found


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
    """Weights of what the other player of two still holds, from all this seat has seen; they add up to 1."""
    other: Role = "pone" if view.is_dealer else "dealer"
    side = 0 if other == "pone" else 1
    left = np.full(13, 4, np.int64)
    for card in (*view.kept, *view.laid_away, *([view.starter] if view.starter else [])):
        left[card.index >> 2] -= 1
    weights = kept_by(other, left)
    ranks = [rank - 1 for _, rank in acts if rank is not None]
    lead, reply = (*ranks, 0, 0)[:2]
    for at, (role, rank) in enumerate(acts):
        if role != other or rank is None:
            continue
        here = follow(acts[:at], other)
        weights = _bounded(weights, here, side)
        size = here.held[side]
        weights = weights * shares(book, here, lead, reply)[:, rank - 1]
        rest = without(size)[:, rank - 1]
        fewer = np.zeros(len(hands(size - 1)) if size > 1 else 1)
        kept = rest >= 0
        np.add.at(fewer, rest[kept], weights[kept])
        weights = fewer
    here = follow(acts)
    if here.held[side]:
        weights = _bounded(weights, here, side)
    total = weights.sum()
    return weights / total if total > 0 else np.full(len(weights), 1 / len(weights))


def _bounded(weights: Floats, here: Position, side: int) -> Floats:
    """Hands with a card that would have fitted where this side said go are out (R55)."""
    low = here.low[side]
    if not low:
        return weights
    fits = np.array(VALUES) <= low
    out = (copies(here.held[side])[:, fits] > 0).any(axis=1)
    found: Floats = np.where(out, 0.0, weights)
    return found
