"""The hand checker: counts a hand score by score, or only its fifteens, pairs, runs or flush."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from fifteentwo import i18n
from fifteentwo.i18n.scores import near_miss_text
from fifteentwo.rules import show
from fifteentwo.rules.cards import DECK, Card, cards
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.events import Score, ScoreName
from fifteentwo.rules.near_misses import hand_near_misses
from fifteentwo.rules.record import to_plain

SHAPE_POINTS = {
    "run_of_three": 3,
    "run_of_four": 4,
    "run_of_five": 5,
    "double_run_of_three": 8,
    "double_run_of_four": 10,
    "triple_run_of_three": 15,
    "quadruple_run_of_three": 16,
}
"""Points of named runs including their pairs (R84)."""
SCORES_BY_PART = {
    "fifteens": (ScoreName.FIFTEEN,),
    "pairs": (ScoreName.PAIR, ScoreName.PAIR_ROYAL, ScoreName.DOUBLE_PAIR_ROYAL),
    "runs": (ScoreName.RUN,),
    "flush": (ScoreName.FLUSH,),
}
"""Scores that can be counted alone (R81–R85)."""
_YES_WORDS = {"1", "yes", "true", "on"}
"""Values of a query that mean yes."""
_MAX_CARDS_CHARACTERS = 80


class CountedScore(msgspec.Struct, frozen=True):
    """One score of a counted hand, with the running total."""

    name: ScoreName
    label: str
    cards: tuple[Card, ...]
    points: int
    total: int
    """Total of the points up to this score."""
    rule: str
    """Number of the rule, for example R41."""
    spoken: str


class Shape(msgspec.Struct, frozen=True):
    """A named run including its pairs (R84)."""

    name: str
    label: str
    points: int


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """A hand counted score by score."""

    hand: tuple[Card, ...]
    starter: Card | None = None
    crib: bool = False
    five: bool = False
    """Whether the hand is counted by the rules of five-card cribbage."""
    part: str | None = None
    """The key in SCORES_BY_PART if only one part is counted."""
    points: int
    scores: tuple[CountedScore, ...]
    named: tuple[i18n.NamedScore, ...]
    """The scores as learners count them: a run together with its pairs."""
    shape: Shape | None = None
    nothing: tuple[str, ...] = ()
    """Sentences that explain why a hand without points has none."""


def count_hand(asked: Mapping[str, str], lang: str) -> Count:
    """Count the hand of a query such as hand=5H 5S 5D JC, starter=5C, crib=1, five=1; raise NotationError.

    Three cards, or any hand with five=1, are a hand of five-card cribbage (R101); a crib has four (R41). With
    a part, such as part=pairs, two to five cards are counted without a starter, and only for that part.
    """
    written, part = asked.get("hand", "")[:_MAX_CARDS_CHARACTERS], asked.get("part", "")
    if part in SCORES_BY_PART:
        held = cards(written)
        return _spoken_count(_scores_of_part(held, written, part), lang, hand=held, part=part)
    turned = asked.get("starter", "")[:_MAX_CARDS_CHARACTERS]
    crib, five = asked.get("crib", "") in _YES_WORDS, asked.get("five", "") in _YES_WORDS
    held, starter = cards(written), Card(turned)
    wanted = {4} if crib else {3} if five else {3, 4}
    if len(held) not in wanted:
        raise NotationError("wrong-number-of-cards", written, len(held))
    if starter in held:
        raise NotationError("card-twice", starter.text, len(held))
    run = show.run_shape([card.rank for card in (*held, starter)])
    shape = None if run is None else Shape(run, i18n.text(f"shape.{run}", lang), SHAPE_POINTS[run])
    nothing = near_miss_text(to_plain(hand_near_misses(held, starter, crib=crib)), lang)
    about: dict[str, Any] = {"hand": held, "starter": starter, "crib": crib, "five": len(held) == 3}
    scores = show.scores(held, starter, crib=crib)
    return _spoken_count(scores, lang, **about, shape=shape, nothing=tuple(nothing))


def _scores_of_part(held: tuple[Card, ...], written: str, part: str) -> list[Score]:
    if not 2 <= len(held) <= 5:
        raise NotationError("wrong-number-for-a-part", written, len(held))
    if part == "flush":
        # The starter is of another suit, so that only the hand counts.
        starter = next(card for card in DECK if card not in held and card.suit is not held[0].suit)
        scores = show.scores(held, starter)
    else:
        scores = show.scores(held[:-1], held[-1])
    return [score for score in scores if score.name in SCORES_BY_PART[part]]


def _spoken_count(scores: Sequence[Score], lang: str, **about: Any) -> Count:
    total, counted = 0, []
    for one, spoken in zip(scores, i18n.spoken(scores, lang), strict=True):
        total += one.points
        label = i18n.score_name(one, lang)
        counted.append(CountedScore(one.name, label, one.cards, one.points, total, one.rule, spoken))
    return Count(points=total, scores=tuple(counted), named=i18n.named(scores, lang), **about)
