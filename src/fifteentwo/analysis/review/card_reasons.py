"""Why one card is better than another in pegging, with the figures of the search that values both.

The points of a card to the end of pegging are a sum (`look_ahead_search.PARTS`): its own points, the reply,
the next own card, goes and last cards, and all later cards. The parts with the greatest gains are named as
causes until they make up half of the difference; `reasons` puts points scored at once first.

Points are against the solved strategies, as in every review. Probabilities of scoring are against `PEOPLE`,
because people hold and play cards that the solved strategies rule out: of the cards that a reply scores on
with less than 0.1 % by these strategies, 7 % were scored on in 40 games between levels.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

import msgspec

from fifteentwo.analysis.pegging.look_ahead import PEOPLE, LookAhead
from fifteentwo.analysis.pegging.look_ahead_search import NEXT, NOW, PARTS, REPLY
from fifteentwo.analysis.pegging.one_reply import foreseen_parts, next_to_play
from fifteentwo.analysis.review.hint import NEAR_POINTS, CountedScore, card_values, counted_scores, makes
from fifteentwo.analysis.win.counting import opponent_weight, points_at_once, unseen
from fifteentwo.analysis.win.model import MeanPoints, NetPoints
from fifteentwo.rules import pegging
from fifteentwo.rules.cards import RANK_TEXT, Card
from fifteentwo.rules.events import Score, ScoreName
from fifteentwo.rules.view import View

MIN_EXPLAINED = 0.5
"""Share (0–1) of a difference in points that the named causes, or the named examples, must explain."""
MIN_PROBABILITY_GAP = 0.05
"""Smallest difference of two probabilities of scoring that is worth naming; printed in such steps."""
MIN_OTHERS = 0.25
"""Share (0–1) of the scoring replies that must not be left out without a word."""
UNCERTAIN = 0.0001, 0.9999
"""Limits of a probability about hidden cards. A probability of 0 or 1 is certain."""
PART_NAMES = ("now", "reply", "next", "last-card", "later", "their-later")
"""Names of `look_ahead_search.PARTS` in JSON."""


class Scoring(msgspec.Struct, frozen=True):
    """Cards of the other side that would make at least these scores."""

    ranks: tuple[str, ...]
    scores: tuple[CountedScore, ...]
    points: int


class AtOnce(msgspec.Struct, frozen=True, tag="at-once"):
    """The best card pegs more points immediately than the chosen card."""

    scores: tuple[CountedScore, ...]
    points: int
    """Points that the best card pegs immediately."""
    chosen: int
    """Points that the chosen card pegs immediately."""


class GivesUp(msgspec.Struct, frozen=True, tag="gives-up"):
    """The chosen card pegs more points immediately, but the best card gains more later."""

    scores: tuple[CountedScore, ...]
    points: int
    """Points that the chosen card pegs immediately."""
    best: int
    """Points that the best card pegs immediately."""


class ScoredOn(msgspec.Struct, frozen=True, tag="scored-on"):
    """The other side scores more often, or more points, on the chosen card."""

    count: int
    """The count after the chosen card."""
    replies: tuple[Scoring, ...]
    """The scoring replies to the chosen card that cost most points more than after the best card, together at
    least half of all."""
    others: bool
    """Whether other replies are at least a quarter of those that score, by probability."""
    chance: float
    """Probability that the reply to the chosen card scores."""
    best_chance: float
    """Probability that the reply to the best card scores; 0 only if no unseen card does."""
    points: MeanPoints
    """How many more points the reply to the chosen card makes."""
    is_explained: bool
    """Whether the probabilities, which are against people, explain at least half of `points`."""


class Replies(msgspec.Struct, frozen=True, tag="replies"):
    """More unseen cards would score on the chosen card than on the best card."""

    count: int
    """The count after the chosen card."""
    chosen: int
    """Number of unseen cards that score on the chosen card."""
    best: int
    """Number of unseen cards that score on the best card."""
    unseen: int
    """Number of all unseen cards."""
    replies: tuple[Scoring, ...]
    """The replies to the chosen card that make most points."""


class Following(msgspec.Struct, frozen=True):
    """An own card that scores after a reply of the other side."""

    ranks: tuple[str, ...]
    """Ranks of these replies; empty if the other side says go."""
    own: str
    """The rank of the own card."""
    scores: tuple[CountedScore, ...]


class SetsUp(msgspec.Struct, frozen=True, tag="sets-up"):
    """The next own card scores more often, or more points, after the best card."""

    examples: tuple[Following, ...]
    """The next own cards that gain most points over the chosen card, together at least half of all; at most
    two."""
    chance: float
    """Probability that the next own card can score after the best card."""
    chosen_chance: float
    """Probability that the next own card can score after the chosen card."""
    points: MeanPoints
    """How many more points the next own card makes after the best card."""


class Later(msgspec.Struct, frozen=True, tag="later"):
    """The best card gains points in a later part of pegging."""

    part: str
    """One of PART_NAMES."""
    points: NetPoints
    """Points that the best card gains in this part."""


Key = TypeVar("Key", bound=Hashable)

CardReason = AtOnce | GivesUp | ScoredOn | Replies | SetsUp | Later


class Branch(NamedTuple):
    """One reply of the other side to a card, and the own card that scores most after it."""

    rank: int | None
    """Rank of the reply, 0 (ace) to 12 (king); None if the other side says go or has no card."""
    chance: float
    reply_scores: tuple[Score, ...]
    own_card: Card | None
    """The own card that then scores most; None if no card scores."""
    own_scores: tuple[Score, ...]


def card_reasons(seen: View, best: Card, chosen: Card, difference: float) -> list[CardReason]:
    """Return why one card makes more net points than another, the main cause first, then its cost."""
    found = card_values(seen)
    if found.ahead is None:
        return _causes_without_look_ahead(seen, best, chosen, difference)
    parts = _parts(seen)
    gains = {part: parts[best.index >> 2][part] - parts[chosen.index >> 2][part] for part in PARTS}
    # A cause that is as small as a difference between equal cards explains nothing.
    least = NEAR_POINTS if difference < NEAR_POINTS else 0.0
    leaders = leading(gains, MIN_EXPLAINED * difference, least=least)
    causes = [_cause(seen, part, gains[part], (best, chosen)) for part in leaders]
    return [*causes, *_given_up_points(seen, best, chosen)]


def leading(gains: Mapping[Key, float], enough: float, most: int = 2, least: float = 0.0) -> list[Key]:
    """Return at most `most` keys of the greatest gains, each at least `least`, until they sum to `enough`."""
    found: list[Key] = []
    for key in sorted(gains, key=lambda key: gains[key], reverse=True)[:most]:
        if gains[key] <= 0 or gains[key] < least or sum([gains[one] for one in found]) >= enough:
            break
        found.append(key)
    return found


@lru_cache(maxsize=4)
def _parts(seen: View) -> dict[int, tuple[float, ...]]:
    """Return the points of each card by part. Cached, because all choices of a View are explained by them."""
    ahead = card_values(seen).ahead
    return {} if ahead is None else ahead.parts()


@lru_cache(maxsize=4)
def _against_people(seen: View) -> LookAhead:
    return LookAhead(seen, PEOPLE)


def _cause(seen: View, part: int, gain: float, cards: tuple[Card, Card]) -> CardReason:
    """Return the reason for a gain in one of `look_ahead_search.PARTS`. cards: best, chosen."""
    best, chosen = cards
    made = makes(seen, best)
    if part == NOW and made is not None:
        return AtOnce(made.scores, made.points, points_at_once(seen, chosen))
    if part in (REPLY, NEXT):
        ahead = _against_people(seen)
        branches = list(replies_to(seen, ahead, best)), list(replies_to(seen, ahead, chosen))
        named = _scored_on(seen, cards, branches, gain) if part == REPLY else _sets_up(branches, gain)
        if named is not None:
            return named
    return Later(PART_NAMES[part], round(gain, 2))


def _given_up_points(seen: View, best: Card, chosen: Card) -> Iterator[GivesUp]:
    """Yield the points that the best card gives up, if the chosen card pegs more immediately."""
    made, points = makes(seen, chosen), points_at_once(seen, best)
    if made is not None and made.points > points:
        yield GivesUp(made.scores, made.points, points)


# ── What follows a card ──────────────────────────────────────────────────────────────────────────────────


def replies_to(seen: View, ahead: LookAhead, card: Card) -> Iterator[Branch]:
    """Yield every reply of the other side to an own card, and go, with the probabilities of the search."""
    count, rest = seen.count + card.value, [one for one in seen.hand if one is not card]
    played = () if count == pegging.LIMIT else (*seen.in_count, card)
    left = {one.index >> 2: one for one in unseen(seen)}
    silent = 1.0
    for rank, chance in enumerate(ahead.replies(card.index >> 2).tolist()):
        if chance > 0:
            silent -= chance
            pile = (*played, left[rank])
            full = sum([one.value for one in pile]) == pegging.LIMIT
            yield Branch(rank, chance, pegging.scores(pile), *_best_next(() if full else pile, rest))
    if silent > 0:
        # The other side says go or has no card: the own side continues if it can.
        yield Branch(None, silent, (), *_best_next(played, rest))


def _best_next(pile: tuple[Card, ...], rest: Sequence[Card]) -> tuple[Card | None, tuple[Score, ...]]:
    """Return the card of `rest` that pegs most after a pile, and its scores; None if no card scores.

    A fifteen comes before a pair, so that one card is named for all four ranks that count ten.
    """
    count = sum([one.value for one in pile])
    made = [(card, pegging.scores((*pile, card))) for card in pegging.playable(rest, count)]
    card, scores = max(made, key=lambda one: (points_of(one[1]), not _has_pair(one[1])), default=(None, ()))
    return (card, scores) if scores else (None, ())


def _has_pair(scores: Sequence[Score]) -> bool:
    return any(score.name is ScoreName.PAIR for score in scores)


def points_of(scores: Sequence[Score]) -> int:
    return sum([score.points for score in scores])


def _scored_on(
    seen: View, cards: tuple[Card, Card], branches: tuple[list[Branch], list[Branch]], gain: float
) -> ScoredOn | None:
    """Return how much less often the reply to the best card scores. cards: best, chosen."""
    chances = [
        _uncertain(sum([one.chance for one in each if one.reply_scores]))
        if _can_be_scored_on(seen, card)
        else 0.0
        for each, card in zip(branches, cards, strict=True)
    ]
    cost_by_rank = {one.rank: one.chance * points_of(one.reply_scores) for one in branches[0]}
    scoring = [one for one in branches[1] if one.reply_scores]
    costlier = [
        (RANK_TEXT[one.rank], one.reply_scores, cost)
        for one in scoring
        if one.rank is not None
        and (cost := one.chance * points_of(one.reply_scores) - cost_by_rank.get(one.rank, 0.0)) > 0
    ]
    if chances[1] < chances[0] + MIN_PROBABILITY_GAP or not costlier:
        return None
    examples = _examples(costlier)
    named = {rank for one in examples for rank in one.ranks}
    left = sum([one.chance for one in scoring if one.rank is not None and RANK_TEXT[one.rank] not in named])
    others = left >= MIN_OTHERS * sum([one.chance for one in scoring])
    means = [sum([one.chance * points_of(one.reply_scores) for one in each]) for each in branches]
    is_explained = means[1] - means[0] >= MIN_EXPLAINED * gain
    count = seen.count + cards[1].value
    return ScoredOn(count, examples, others, chances[1], chances[0], round(gain, 2), is_explained)


def _can_be_scored_on(seen: View, card: Card) -> bool:
    """Return whether the other side may hold a card that scores on this one."""
    foe = 1 - seen.seat
    return bool(seen.hand_sizes[foe]) and foe not in seen.said_go and any(_scoring_replies(seen, card))


def _uncertain(chance: float) -> float:
    return round(min(max(chance, UNCERTAIN[0]), UNCERTAIN[1]), 4)


def _examples(scoring: Sequence[tuple[str, tuple[Score, ...], float]]) -> tuple[Scoring, ...]:
    """Return the replies that cost most points. scoring: rank, scores and mean points of each reply."""
    weighed = [((counted_scores(scores), points_of(scores)), rank, cost) for rank, scores, cost in scoring]
    heaviest = _heaviest(weighed)
    named = {rank for _, ranks in heaviest for rank in ranks}
    rest = {rank: {*made} for (made, _), rank, _ in weighed if rank not in named}
    # A card that makes the same and more is named too, so that no ten-card is left out without a reason.
    more = [[rank for rank, scores in rest.items() if scores > {*made}] for (made, _), _ in heaviest]
    return tuple(
        [
            Scoring(tuple(sorted({*ranks, *added}, key=RANK_TEXT.index)), *alike)
            for (alike, ranks), added in zip(heaviest, more, strict=True)
        ]
    )


def _heaviest(weighed: Sequence[tuple[Key, str, float]]) -> list[tuple[Key, tuple[str, ...]]]:
    """Return at most two keys of highest weight, with their ranks. weighed: key, rank and weight."""
    weights: dict[Key, float] = {}
    ranks: dict[Key, list[str]] = {}
    for alike, rank, weight in weighed:
        weights[alike] = weights.get(alike, 0.0) + weight
        ranks.setdefault(alike, []).append(rank)
    heaviest = leading(weights, MIN_EXPLAINED * sum(weights.values()))
    return [(alike, tuple(dict.fromkeys(ranks[alike]))) for alike in heaviest]


def _sets_up(branches: tuple[list[Branch], list[Branch]], gain: float) -> SetsUp | None:
    """Return how the best card prepares the next own card; None if that explains less than half."""
    means = [sum([one.chance * points_of(one.own_scores) for one in each]) for each in branches]
    if means[0] - means[1] < MIN_EXPLAINED * gain:
        return None
    chances = [sum([one.chance for one in each if one.own_scores]) for each in branches]
    if chances[0] < chances[1] + MIN_PROBABILITY_GAP:
        return None
    points_by_rank = {one.rank: one.chance * points_of(one.own_scores) for one in branches[1]}
    examples = _heaviest(
        [
            (
                (one.rank is None, RANK_TEXT[one.own_card.index >> 2], counted_scores(one.own_scores)),
                "" if one.rank is None else RANK_TEXT[one.rank],
                more,
            )
            for one in branches[0]
            if one.own_card is not None
            and (more := one.chance * points_of(one.own_scores) - points_by_rank.get(one.rank, 0.0)) > 0
        ]
    )
    following = [Following(ranks if ranks[0] else (), own, made) for (_, own, made), ranks in examples]
    return SetsUp(tuple(following), _uncertain(chances[0]), _uncertain(chances[1]), round(gain, 2))


# ── The variants with one count, or more players ─────────────────────────────────────────────────────────


def _causes_without_look_ahead(seen: View, best: Card, chosen: Card, difference: float) -> list[CardReason]:
    """Return what `card_reasons` returns in variants without look-ahead search, from the best reply alone."""
    one, other = (foreseen_parts(seen)[card.index >> 2] for card in (best, chosen))
    gains = {part: one[part] - other[part] for part in range(len(one))}
    causes: list[CardReason] = []
    made, replier = makes(seen, best), next_to_play(seen)
    scoring = [list(_scoring_replies(seen, card)) for card in (best, chosen)]
    for part in leading(gains, MIN_EXPLAINED * difference):
        if part == NOW and made is not None:
            causes.append(AtOnce(made.scores, made.points, points_at_once(seen, chosen)))
        elif part > REPLY:
            causes.append(Later("last-card", round(gains[part], 2)))
        elif part == REPLY and replier is not None and seen.rules.side(replier) != seen.side:
            if len(scoring[1]) > len(scoring[0]):
                examples = _examples([(rank, scores, points_of(scores)) for rank, scores in scoring[1]])
                counted = len(scoring[1]), len(scoring[0]), len(unseen(seen))
                causes.append(Replies(seen.count + chosen.value, *counted, examples))
            else:
                causes.append(Later("reply", round(gains[part] / opponent_weight(seen), 2)))
    return [*causes, *_given_up_points(seen, best, chosen)]


def _scoring_replies(seen: View, card: Card) -> Iterator[tuple[str, tuple[Score, ...]]]:
    """Yield rank and scores of each unseen card that would score as a reply to this card."""
    played, count = (*seen.in_count, card), seen.count + card.value
    if count < pegging.LIMIT:
        for other in pegging.playable(unseen(seen), count):
            scores = pegging.scores((*played, other))
            if scores:
                yield RANK_TEXT[other.index >> 2], scores
