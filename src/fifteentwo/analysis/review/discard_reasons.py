"""Why one discard is better than another: facts about hand, crib, pegging and score.

The points of a discard are a sum: hand, own crib (or minus the other's) and pegging. A part is named as a
cause if it makes up the difference, as in `card_reasons`, or if it alone gains a point; the cards then show
why that part is greater.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from fifteentwo.analysis.review.card_reasons import MIN_EXPLAINED, leading
from fifteentwo.analysis.review.hint import CountedScore, counted_scores, held_scores
from fifteentwo.analysis.win.model import MeanCrib, MeanHand, MeanPoints, NetPegging, WinProbability
from fifteentwo.rules import show
from fifteentwo.rules.cards import DECK, RANK_TEXT, Card, Rank
from fifteentwo.rules.view import View

PARTS = ("hand", "crib", "play")
"""Parts of the mean points of a discard; "play" is pegging."""
PartName = str
"""One of PARTS."""
StarterCount = int
"""A number of possible starters."""
LOW = 4
"""Cards up to this rank are low, which is good in pegging."""
MAX_SHOW_POINTS = 29
"""The highest score of a hand."""


class Keeps(msgspec.Struct, frozen=True, tag="keeps"):
    """Scores of the kept cards without a starter, for both choices."""

    scores: tuple[CountedScore, ...]
    best: int
    """Points of the cards kept by the best discard, without a starter."""
    chosen: int
    """Points of the cards kept by the chosen discard, without a starter."""


class Starters(msgspec.Struct, frozen=True, tag="starters"):
    """More starters help the hand that the best discard keeps than the hand that the chosen one keeps."""

    more: StarterCount
    """Starters with which the hand of the best discard scores more."""
    less: StarterCount
    """Starters with which the hand of the best discard scores less."""
    ranks: tuple[str, ...]
    """Ranks of starters that gain most, together at least half of the gain; at most three."""
    best: MeanHand
    """The mean of the hand that the best discard keeps."""
    chosen: MeanHand
    """The mean of the hand that the chosen discard keeps."""


class Crib(msgspec.Struct, frozen=True, tag="crib"):
    """Why the best discard makes the own crib richer, or the chosen discard the other side's."""

    own: bool
    """Whether the crib is the own side's."""
    cause: str
    """scores, five, close (near to a run), fifteen (one more card makes it) or jack (possible nobs)."""
    scores: tuple[CountedScore, ...]
    """Scores of the two discarded cards, if they are the cause."""
    ranks: tuple[str, ...]
    """Ranks that make fifteen with the discarded cards, if that is the cause."""
    best: MeanCrib
    chosen: MeanCrib


class LowCards(msgspec.Struct, frozen=True, tag="low-cards"):
    """The best choice keeps low cards for pegging that the chosen one discards."""

    cards: tuple[Card, ...]
    """The low cards that only the best choice keeps."""
    best: NetPegging
    chosen: NetPegging


class Pegs(msgspec.Struct, frozen=True, tag="pegs"):
    """The best choice keeps a card that pegs better than the card that the other choice keeps."""

    kept: Card
    """The card that only the best choice keeps."""
    given: Card
    """The card that only the chosen choice keeps."""
    best: NetPegging
    chosen: NetPegging


class Better(msgspec.Struct, frozen=True, tag="part"):
    """The best discard makes more points in this part of the deal; no cause was found."""

    part: PartName
    best: MeanPoints
    chosen: MeanPoints
    own_crib: bool


class Against(msgspec.Struct, frozen=True, tag="against"):
    """The part of the deal in which the chosen discard is better."""

    part: PartName
    gain: MeanPoints
    """Points by which the chosen discard is better in this part."""


class MakesNeed(msgspec.Struct, frozen=True, tag="makes-need"):
    """With more starters the hand alone makes the points needed to win."""

    need: int
    """Points that the own side needs to win."""
    counts_first: bool
    """Whether the own hand is counted before the other side's."""
    best: StarterCount
    """Starters with which the hand of the best discard makes these points."""
    chosen: StarterCount
    """Starters with which the hand of the chosen discard makes these points."""
    unseen: StarterCount


DiscardReason = Keeps | Starters | Crib | LowCards | Pegs | Better | Against | MakesNeed
MIN_CAUSE_POINTS = 0.03
"""Smallest gain in mean points for which a part (`PARTS`) is named as a cause."""
MIN_ALSO_POINTS = 1.0
"""Smallest gain in mean points for which a part is named even if the others make up the difference."""
MIN_AGAINST_POINTS = 0.15
"""Smallest loss in mean points for which a part (`PARTS`) is named as outweighed."""


def discard_reasons(
    seen: View, best: Sequence[Card], chosen: Sequence[Card], values: tuple[dict[str, Any], dict[str, Any]]
) -> list[DiscardReason]:
    """Return why the best discard makes more points, the main cause first, then what this outweighs.

    If it makes fewer points altogether, return the part in which it makes more. values: the options
    (`review.Decision`) of the best and the chosen discard.
    """
    own_crib = seen.rules.side(seen.dealer) == seen.side
    signs = {"hand": 1, "crib": 1 if own_crib else -1, "play": 1}
    parts = [part for part in PARTS if part in values[0]]
    gains = {part: signs[part] * (values[0][part] - values[1][part]) for part in parts}
    difference = sum(gains.values())
    named = leading(gains, max(MIN_EXPLAINED * difference, MIN_CAUSE_POINTS), least=MIN_CAUSE_POINTS)
    named += [part for part in parts if part not in named and gains[part] >= MIN_ALSO_POINTS]
    if gains.get("play", 0.0) > max(difference, MIN_CAUSE_POINTS):
        # Without pegging the chosen discard would be better.
        named = ["play", *[part for part in named if part != "play"]]
    causes = [_part_reason(seen, part, (best, chosen), values, own_crib=own_crib) for part in named]
    worst = min(parts, key=lambda part: gains[part])
    if causes and difference > 0 and -gains[worst] >= MIN_AGAINST_POINTS:
        causes.append(Against(worst, round(-gains[worst], 2)))
    return causes


def _part_reason(
    seen: View,
    part: str,
    discards: tuple[Sequence[Card], Sequence[Card]],
    values: tuple[dict[str, Any], dict[str, Any]],
    *,
    own_crib: bool,
) -> DiscardReason:
    """Return the reason that best explains a difference in one of `PARTS`. discards: best, chosen."""
    means = values[0][part], values[1][part]
    found: DiscardReason | None
    if part == "hand":
        found = _hand_reason(seen, discards, means)
    elif part == "crib":
        found = _crib_reason(*(discards if own_crib else discards[::-1]), own_crib, means)
    else:
        found = _pegging_reason(discards, means)
    return found or Better(part, *means, own_crib)


# ── The hand ─────────────────────────────────────────────────────────────────────────────────────────────


def _hand_reason(
    seen: View, discards: tuple[Sequence[Card], Sequence[Card]], means: tuple[float, float]
) -> DiscardReason | None:
    keeps = [[card for card in seen.hand if card not in discard] for discard in discards]
    held = [held_scores(keep) for keep in keeps]
    best, chosen = (sum([score.points for score in scores]) for scores in held)
    if best - chosen >= MIN_EXPLAINED * (means[0] - means[1]):
        return Keeps(counted_scores(held[0]), best, chosen)
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


def makes_need(
    seen: View, best: Sequence[Card], chosen: Sequence[Card], wins: tuple[WinProbability, WinProbability]
) -> MakesNeed | None:
    """Return the reason that more starters win; None unless it explains half of the probability gained.

    wins: win probabilities with the best and the chosen discard. A starter only gains games not won anyway.
    """
    need = seen.rules.target - seen.front[seen.side]
    if need > MAX_SHOW_POINTS:
        return None
    starters = [card for card in DECK if card not in seen.hand]
    keeps = [[card for card in seen.hand if card not in discard] for discard in (best, chosen)]
    counts = [sum([show.points(keep, starter) >= need for starter in starters]) for keep in keeps]
    explained = (counts[0] - counts[1]) / len(starters) * (1 - wins[1])
    if explained < MIN_EXPLAINED * (wins[0] - wins[1]) or counts[0] <= counts[1]:
        return None
    return MakesNeed(need, not seen.is_dealer, counts[0], counts[1], len(starters))


# ── Pegging ──────────────────────────────────────────────────────────────────────────────────────────────


def _pegging_reason(
    discards: tuple[Sequence[Card], Sequence[Card]], means: tuple[float, float]
) -> DiscardReason | None:
    low = [[card for card in one if card.rank <= LOW] for one in discards]
    if len(low[1]) > len(low[0]):
        return LowCards(tuple([card for card in low[1] if card not in low[0]]), *means)
    given, kept = ([card for card in one if card not in other] for one, other in (discards, discards[::-1]))
    return Pegs(kept[0], given[0], *means) if len(kept) == 1 and kept[0].rank is not given[0].rank else None


# ── The crib ─────────────────────────────────────────────────────────────────────────────────────────────


def _crib_reason(
    richer: Sequence[Card], poorer: Sequence[Card], own: bool, means: tuple[float, float]
) -> Crib | None:
    """Return why the discard `richer` makes a better crib than `poorer`; None if no cause is found."""
    scores = held_scores(richer, flush=False)
    points = [sum([score.points for score in held_scores(one, flush=False)]) for one in (richer, poorer)]
    if points[0] > points[1]:
        return Crib(own, "scores", counted_scores(scores), (), *means)
    for cause, more, fewer in zip(_CRIB_CAUSES, _crib_signs(richer), _crib_signs(poorer), strict=True):
        if more > fewer:
            ranks = _ranks_to_fifteen(richer) if cause == "fifteen" else ()
            return Crib(own, cause, (), ranks, *means)
    return None


_CRIB_CAUSES = ("five", "close", "fifteen", "jack")


def _crib_signs(cards: Sequence[Card]) -> tuple[int, int, int, int]:
    """Return what _CRIB_CAUSES count: fives, how near two cards are to a run, ranks to fifteen, and jacks.

    Two cards next to each other count 2 as near, and those with one rank between them 1.
    """
    ranks = sorted([card.rank for card in cards])
    apart = min([high - low for low, high in pairwise(ranks)], default=9)
    near = {1: 2, 2: 1}.get(apart, 0)
    return ranks.count(Rank.FIVE), near, len(_ranks_to_fifteen(cards)), ranks.count(Rank.JACK)


def _ranks_to_fifteen(cards: Sequence[Card]) -> tuple[str, ...]:
    """Return the ranks that make fifteen together with all of these cards."""
    missing = 15 - sum([card.value for card in cards])
    return tuple([RANK_TEXT[rank] for rank in range(13) if min(rank + 1, 10) == missing])
