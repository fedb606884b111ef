"""Why one discard is better than another: facts about hand, crib, pegging and score.

The points of a discard are a sum: hand, own crib (or minus the other's) and pegging. A part is named as a
cause if it makes up the difference, as in `card_reasons`; the cards then show why that part is greater.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from fifteentwo.analysis.review.card_reasons import MIN_EXPLAINED, leading
from fifteentwo.analysis.review.hint import Kind, held_scores, kinds_of
from fifteentwo.rules import show
from fifteentwo.rules.cards import DECK, RANK_TEXT, Card, Rank
from fifteentwo.rules.view import View

PARTS = ("hand", "crib", "play")
LOW = 4
"""Cards up to this rank are low, which is good in pegging."""
MOST_SHOWN = 29
"""The highest score of a hand."""


class Keeps(msgspec.Struct, frozen=True, tag="keeps"):
    """Scores of the kept cards without a starter, for both choices."""

    scores: tuple[Kind, ...]
    best: int
    chosen: int


class Starters(msgspec.Struct, frozen=True, tag="starters"):
    """Numbers of starters with which the hand of the best choice scores more and less than the other."""

    more: int
    less: int
    ranks: tuple[str, ...]
    """Ranks that gain most, at least half of the whole gain; at most three."""
    best: float
    """Mean points of the hand after the best discard."""
    chosen: float
    """The same after the chosen discard."""


class Crib(msgspec.Struct, frozen=True, tag="crib"):
    """Cause of a better crib: of the best discard in the own crib, otherwise of the chosen discard."""

    own: bool
    cause: str
    """scores, five, close (near to a run), fifteen (one more card makes it) or jack (possible nobs)."""
    scores: tuple[Kind, ...]
    ranks: tuple[str, ...]
    """If the cause is fifteen, the ranks that complete it."""
    best: float
    chosen: float
    """Mean cribs."""


class LowCards(msgspec.Struct, frozen=True, tag="low-cards"):
    """The best choice keeps low cards for pegging that the chosen one discards."""

    cards: tuple[Card, ...]
    best: float
    chosen: float
    """Mean points of pegging, own less the other's."""


class Pegs(msgspec.Struct, frozen=True, tag="pegs"):
    """The best choice keeps a card that pegs better than the card that the other choice keeps."""

    kept: Card
    given: Card
    best: float
    chosen: float
    """Mean points of pegging, own less the other's."""


class Better(msgspec.Struct, frozen=True, tag="part"):
    """The part in which the best discard gains most, with the mean points of both."""

    part: str
    best: float
    chosen: float
    own_crib: bool


class Against(msgspec.Struct, frozen=True, tag="against"):
    """The part in which the chosen discard is better, and by how many points."""

    part: str
    gain: float


class MakesNeed(msgspec.Struct, frozen=True, tag="makes-need"):
    """The points needed to win, and the numbers of starters with which the hand alone makes them."""

    need: int
    counts_first: bool
    best: int
    chosen: int
    unseen: int


DiscardReason = Keeps | Starters | Crib | LowCards | Pegs | Better | Against | MakesNeed
LEAST_GAIN = 0.03
"""Smallest difference in points of a part that is a cause."""
SHOWN_GAIN = 0.15
"""Smallest difference in points of a part that is named as outweighed."""


def discard_reasons(
    seen: View, best: Sequence[Card], chosen: Sequence[Card], values: tuple[dict[str, Any], dict[str, Any]]
) -> list[DiscardReason]:
    """Return the causes, the greatest first, and what they outweigh. values: the options of both discards.

    If the best discard makes fewer points altogether, return the part in which it makes more.
    """
    own_crib = seen.rules.side(seen.dealer) == seen.side
    signs = {"hand": 1, "crib": 1 if own_crib else -1, "play": 1}
    parts = [part for part in PARTS if part in values[0]]
    gains = {part: signs[part] * (values[0][part] - values[1][part]) for part in parts}
    difference = sum(gains.values())
    causes = [
        _cause(seen, part, (best, chosen), values, own_crib=own_crib)
        for part in leading(gains, max(MIN_EXPLAINED * difference, LEAST_GAIN), least=LEAST_GAIN)
    ]
    worst = min(parts, key=lambda part: gains[part])
    if causes and difference > 0 and -gains[worst] >= SHOWN_GAIN:
        causes.append(Against(worst, round(-gains[worst], 2)))
    return causes


def _cause(
    seen: View,
    part: str,
    discards: tuple[Sequence[Card], Sequence[Card]],
    values: tuple[dict[str, Any], dict[str, Any]],
    *,
    own_crib: bool,
) -> DiscardReason:
    """Return the reason for the difference in one part: "hand", "crib" or "play"."""
    means = values[0][part], values[1][part]
    found: DiscardReason | None
    if part == "hand":
        found = _hand(seen, discards, means)
    elif part == "crib":
        found = _crib(*(discards if own_crib else discards[::-1]), own_crib, means)
    else:
        found = _play(discards, means)
    return found or Better(part, *means, own_crib)


# ── The hand ─────────────────────────────────────────────────────────────────────────────────────────────


def _hand(
    seen: View, discards: tuple[Sequence[Card], Sequence[Card]], means: tuple[float, float]
) -> DiscardReason | None:
    keeps = [[card for card in seen.hand if card not in discard] for discard in discards]
    held = [held_scores(keep) for keep in keeps]
    best, chosen = (sum([score.points for score in scores]) for scores in held)
    if best - chosen >= MIN_EXPLAINED * (means[0] - means[1]):
        return Keeps(kinds_of(held[0]), best, chosen)
    by_rank = dict.fromkeys(range(13), 0)
    more = less = 0
    for starter in DECK:
        if starter not in seen.hand:
            gain = show.points(keeps[0], starter) - show.points(keeps[1], starter)
            more, less = more + (gain > 0), less + (gain < 0)
            by_rank[starter.index >> 2] += gain
    gained = sum([gain for gain in by_rank.values() if gain > 0])
    ranks = leading(by_rank, MIN_EXPLAINED * gained, most=3)
    return Starters(more, less, tuple([RANK_TEXT[rank] for rank in sorted(ranks)]), *means)


def makes_need(seen: View, best: Sequence[Card], chosen: Sequence[Card], gained: float) -> MakesNeed | None:
    """Return the fact if more starters complete the needed points and explain half of `gained`."""
    need = seen.rules.target - seen.front[seen.side]
    if need > MOST_SHOWN:
        return None
    starters = [card for card in DECK if card not in seen.hand]
    keeps = [[card for card in seen.hand if card not in discard] for discard in (best, chosen)]
    counts = [sum([show.points(keep, starter) >= need for starter in starters]) for keep in keeps]
    if (counts[0] - counts[1]) / len(starters) < MIN_EXPLAINED * gained or counts[0] <= counts[1]:
        return None
    return MakesNeed(need, not seen.is_dealer, counts[0], counts[1], len(starters))


# ── Pegging ──────────────────────────────────────────────────────────────────────────────────────────────


def _play(
    discards: tuple[Sequence[Card], Sequence[Card]], means: tuple[float, float]
) -> DiscardReason | None:
    low = [[card for card in one if card.rank <= LOW] for one in discards]
    if len(low[1]) > len(low[0]):
        return LowCards(tuple([card for card in low[1] if card not in low[0]]), *means)
    given, kept = ([card for card in one if card not in other] for one, other in (discards, discards[::-1]))
    return Pegs(kept[0], given[0], *means) if len(kept) == 1 and kept[0].rank is not given[0].rank else None


# ── The crib ─────────────────────────────────────────────────────────────────────────────────────────────


def _crib(
    richer: Sequence[Card], poorer: Sequence[Card], own: bool, means: tuple[float, float]
) -> Crib | None:
    """Return why the better discard improves a crib: what its cards have and the other cards lack."""
    scores = held_scores(richer, flush=False)
    points = [sum([score.points for score in held_scores(one, flush=False)]) for one in (richer, poorer)]
    if points[0] > points[1]:
        return Crib(own, "scores", kinds_of(scores), (), *means)
    for cause, holds in (("five", _fives), ("close", _close), ("fifteen", _fifteens), ("jack", _jacks)):
        if holds(richer) > holds(poorer):
            ranks = _to_fifteen(richer) if cause == "fifteen" else ()
            return Crib(own, cause, (), ranks, *means)
    return None


def _fives(cards: Sequence[Card]) -> int:
    return sum([card.rank is Rank.FIVE for card in cards])


def _to_fifteen(cards: Sequence[Card]) -> tuple[str, ...]:
    """Return the ranks of which one card makes fifteen with all of these."""
    missing = 15 - sum([card.value for card in cards])
    return tuple([RANK_TEXT[rank] for rank in range(13) if min(rank + 1, 10) == missing])


def _fifteens(cards: Sequence[Card]) -> int:
    return len(_to_fifteen(cards))


def _close(cards: Sequence[Card]) -> int:
    """Return 2 for neighbouring ranks, 1 if one rank lies between: both are near a run."""
    ranks = sorted([card.rank for card in cards])
    apart = min([high - low for low, high in pairwise(ranks)], default=9)
    return {1: 2, 2: 1}.get(apart, 0)


def _jacks(cards: Sequence[Card]) -> int:
    return sum([card.rank is Rank.JACK for card in cards])
