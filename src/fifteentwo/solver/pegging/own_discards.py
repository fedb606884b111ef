"""The table of how own discards move the first cards of pegging, computed from the book and the discards.

    fifteentwo solve own-discards

For each kept hand and cards played so far from which the book mixes cards: the value of each of them, both
sides going on by the book, against what the other side keeps from the cards not dealt to this side; by the
two ranks discarded, fitted linearly. Where a card is better with some discards it is played with those, so
that over all of them each card comes as often as in the book. The starter is left out: both sides see it, and
cards chosen by it would show the hand (docs/analysis.md, section 8).
"""

from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import FOURS, copies
from fifteentwo.solver.board.deal_counts import digests, playable
from fifteentwo.solver.discards.six_cards import DEALS, six_cards
from fifteentwo.solver.pegging.play_counts import (
    HANDS,
    KERNELS,
    NEVER_TAKEN,
    ROLES,
    Holdings,
    discarded,
    holdings,
    opponents,
)
from fifteentwo.solver.pegging.play_counts_kernels import Line, scratch
from fifteentwo.strategy.files import write_tables
from fifteentwo.strategy.own_discards import LONGEST, STEPS, Tables, set_numbers
from fifteentwo.strategy.pegging import load_pegging_book

Floats = npt.NDArray[np.float64]

SHARP = 0.01
"""Points by which a card must be better to be e times as likely: the less, the more a side gains, and the
nearer to one card a hand comes."""
LEAST = 2e-7
"""Points a deal that a kept hand and a line must gain to stand in the table."""
ROUNDS, EXACT = 300, 1e-4
"""Most steps to the book's frequencies, and how near is near enough."""
_NONE = 1e-30
"""Divided by where no deal leads."""


class Fitted(NamedTuple):
    """Of one kept hand and line: the rows of the table, and what they gain."""

    bias: Floats
    """(cards - 1,)."""
    steps: npt.NDArray[np.int8]
    """(cards - 1, 13)."""
    gain: float
    """Points a deal, if the hand is kept."""


class Seat(NamedTuple):
    """What one role knows of its own cards and the other side's."""

    held: Holdings
    against: npt.NDArray[np.float32]
    """(18395, 1820) what the other side keeps, by the six ranks one was dealt."""


def seats() -> tuple[Seat, Seat]:
    """Pone's and dealer's, 270 MB and 40 core-seconds."""
    policies = [discarded(role) for role in ROLES]
    one, other = (Seat(holdings(policies[side]), opponents(policies[1 - side])) for side in (0, 1))
    return one, other


def lines(hand: int, length: int) -> Iterator[tuple[int, ...]]:
    """Yield the ranks that both sides can have played, this many, when one of them has kept this hand."""
    ranks = {*FOURS[hand].tolist()}
    for line in product(range(13), repeat=length):
        own = line[length % 2 :: 2]
        others = [rank for at, rank in enumerate(line) if at % 2 != length % 2]
        if ranks.issuperset(own) and all((FOURS[hand] == rank).sum() < 4 for rank in others):
            yield line


def fit(line: Line, seat: Seat, hand: int) -> Fitted:
    """Return how the discards of a hand that is kept move the cards that the book mixes after this line."""
    part = slice(seat.held.start[hand], seat.held.start[hand + 1])
    six = seat.held.six[part]
    deals = six_cards().deals()[six]
    mixed = np.flatnonzero(line.policy)
    mixture = line.policy[mixed]
    against = seat.against[six].astype(np.float64)
    reached = against @ line.reached
    value = against @ line.values[mixed].T / np.maximum(reached, _NONE)[:, None]
    ranks = copies(2)[seat.held.given[part]].astype(np.float64)
    slopes = _slopes(value - value[:, :1], ranks, seat.held.often[part] * reached)
    steps = np.clip(np.rint(slopes * (STEPS / SHARP)), -127, 127)
    often = np.maximum(seat.held.often[part] - NEVER_TAKEN * deals, 0)
    comes = often @ reached / often.sum()
    often = often * reached / max(float(often @ reached), _NONE)
    logs = ranks @ steps.T / STEPS
    bias, policy = _balanced(logs, often, mixture)
    gain = float(often @ ((policy - mixture) * value).sum(axis=1) * comes)
    return Fitted(bias[1:] - bias[0], steps[1:].astype(np.int8), gain)


def _slopes(values: Floats, ranks: Floats, weights: Floats) -> Floats:
    """(cards, 13) what each rank discarded adds to each card's value: least squares over all discards."""
    weights = weights / max(float(weights.sum()), _NONE)
    base: Floats = weights @ values
    around: Floats = ranks - weights @ ranks
    normal = (around * weights[:, None]).T @ around + np.eye(13) * 1e-4
    return np.asarray(np.linalg.solve(normal, (around * weights[:, None]).T @ (values - base)).T)


def _balanced(logs: Floats, often: Floats, mixture: Floats) -> tuple[Floats, Floats]:
    """(bias (cards,), policy (discards, cards)) with which each card comes as often as its mixture."""
    bias: Floats = np.log(mixture)
    for _ in range(ROUNDS):
        comes = often @ _policy(logs + bias)
        if np.abs(comes - mixture).max() < EXACT:
            break
        bias = bias + np.log(mixture / np.maximum(comes, _NONE))
    return bias, _policy(logs + bias)


def _policy(logs: Floats) -> Floats:
    """(discards, cards) probabilities from their logarithms, up to a constant."""
    weight = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))


class Found(NamedTuple):
    """The table, and what it gains by the cards played before."""

    table: Tables
    gains: list[float]
    """Points a deal of the lead, the first reply, the pone's second card, against the book."""


def find(progress: Callable[[str], None] = print, longest: int = LONGEST) -> Found:
    """Fit every kept hand and line. 70 core-seconds, 0.6 GB."""
    both, work = seats(), scratch()
    book = playable(load_pegging_book())
    leads = [_leads(hand) for hand in range(HANDS)]
    found: dict[int, Fitted] = {}
    gains = []
    seen = Line(np.zeros(4), np.zeros(HANDS), np.zeros((4, HANDS)))
    for length in range(longest + 1):
        side = length % 2
        gain = 0.0
        for hand, kept in enumerate(_kept(both[side].held).tolist()):
            for line in lines(hand, length) if kept > 0 else ():
                often = kept * leads[hand].get(line[0], 0.0) if length == LONGEST else kept
                if often <= LEAST:
                    continue
                ranks = np.array(line, np.int64)
                compiled(KERNELS).follow_line(side, FOURS[hand], FOURS, ranks, book, work, seen)
                if not 0 < seen.policy.max() < 1 or not seen.reached.any():
                    continue
                fitted = fit(seen, both[side], hand)
                if often * fitted.gain > LEAST:
                    found[int(set_numbers(np.array(hand), line))] = fitted
                    gain += often * fitted.gain
        gains.append(gain)
        progress(f"after {length} cards: {len(found)} sets so far, {gain:.4f} points a deal")
    numbers = sorted(found)
    rows = [found[number] for number in numbers]
    table = Tables(
        np.array(numbers, np.uint32),
        np.concatenate([[0], np.cumsum([len(row.bias) for row in rows])]).astype(np.uint32),
        np.concatenate([row.bias for row in rows]).astype(np.float32),
        np.concatenate([row.steps for row in rows]),
    )
    return Found(table, gains)


def _leads(hand: int) -> dict[int, float]:
    """How often the pone leads each rank (0–12) of a hand."""
    often = load_pegging_book().strategy([rank + 1 for rank in FOURS[hand].tolist()], (), "pone")
    return {rank - 1: chance for rank, chance in often.items()}


def _kept(held: Holdings) -> Floats:
    """(1820,) how often each hand is kept."""
    deals = six_cards().deals()[held.six]
    often = np.maximum(held.often - NEVER_TAKEN * deals, 0) / DEALS
    return np.add.reduceat(often, held.start[:-1])


def run(out: Path, progress: Callable[[str], None] = print) -> dict[str, Any]:
    """Compute and write the table; what it was made from, its size, and what it gains."""
    found = find(progress)
    about = {"strategies": digests(), "version": version("fifteentwo"), "gains": found.gains}
    write_tables(out, about, found.table._asdict())
    return {"file": out.name, "bytes": out.stat().st_size, "gains": found.gains, **digests()}
