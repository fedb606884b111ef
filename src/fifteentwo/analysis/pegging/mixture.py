"""How often `master` plays each card of the pegging of two: as the book does, unless searches say otherwise.

A card that is always played from a hand shows the hand. So far from the end of the game cards are
mixed as the solved book mixes them. After the lead a look-ahead search against people (`look_ahead`)
overrules the book where its card is better by more than its error, and loses little against an opponent who
plays the book. From the third card on the rest is solved again (`endgame`) from what this seat knows, and
cards that lose much against the book are left out. Near the end of the game the book, which plays for points,
is no measure: there the search prefers, as far as little is lost.
"""

from collections.abc import Mapping

from fifteentwo.analysis.pegging import endgame, look_ahead
from fifteentwo.analysis.pegging.beliefs import book_frequencies
from fifteentwo.rules.view import View

NEAR_TO_PLAY = 26
"""A side this near the game hole makes pegging a matter of chances."""
FEW = (3, 4, 5, 6)
"""So many cards in both hands together are re-solved: all from the third card on."""
SOMETIMES = 0.05
"""The least probability of a re-solved card that is played at all."""
CLEARLY = 0.02
"""Chance of winning by which a first reply must be better than the book's mixture: 0.8 points. The less is
asked, the more a best response gains (docs/analysis.md, section 6)."""
RISKED = 0.005
"""The most that a preferred card may lose against the equilibrium, in chance of winning."""


def frequencies(view: View) -> dict[int, float]:
    """How often to play each rank (0–12) of this hand that fits; the View itself decides, no chance.

    Raises ImpossiblePlay where no play of two with six cards leads to this View.
    """
    ranks = sorted({card.index >> 2 for card in view.playable})
    if len(ranks) == 1:
        return {ranks[0]: 1.0}
    if is_few(view):
        search = look_ahead.LookAhead(view, look_ahead.PEOPLE)
        policy = endgame.resolved(search, games=view.rules.skunk).policy
        often = {rank: probability for rank, probability in policy.items() if probability >= SOMETIMES}
        return often if _is_near(view) else _losing_little(view, often)
    if not view.played and not _is_near(view):
        return book_frequencies(view)
    clearly = len(view.played) == 1 and not _is_near(view)
    return _overruled(view, book_frequencies(view), CLEARLY if clearly else 0.0)


def is_few(view: View) -> bool:
    """Whether so few cards are left, in both hands, that the rest is solved again."""
    return min(view.hand_sizes) > 0 and sum(view.hand_sizes) in FEW


def _losing_little(view: View, often: dict[int, float]) -> dict[int, float]:
    """These cards without those that lose more than `RISKED` against the equilibrium; else its best card."""
    values = look_ahead.LookAhead(view, look_ahead.EQUILIBRIUM).chances(games=view.rules.skunk)
    best = _best(values)
    kept = {rank: each for rank, each in often.items() if values[best] - values[rank] <= 2 * RISKED}
    return kept or {best: 1.0}


def _overruled(view: View, often: dict[int, float], margin: float) -> dict[int, float]:
    """The card that a search prefers to a mixture by more than `margin`, or the mixture.

    By the search against people, as far as its card loses little against the equilibrium; else against that.
    """
    # A value runs from -1 to 1, a chance from 0 to 1.
    people = look_ahead.LookAhead(view, look_ahead.PEOPLE).chances(games=view.rules.skunk)
    liked = _best(people)
    if people[liked] - _mean(people, often) <= 2 * margin:
        return often
    values = look_ahead.LookAhead(view, look_ahead.EQUILIBRIUM).chances(games=view.rules.skunk)
    best = _best(values)
    if values[best] - values[liked] <= 2 * RISKED:
        return {liked: 1.0}
    return {best: 1.0} if values[best] - _mean(values, often) > 2 * margin else often


def _best(values: Mapping[int, float]) -> int:
    return max(values, key=lambda rank: (values[rank], rank))


def _mean(values: Mapping[int, float], often: Mapping[int, float]) -> float:
    return sum(probability * values[rank] for rank, probability in often.items())


def _is_near(view: View) -> bool:
    return max(view.front) >= view.rules.target - NEAR_TO_PLAY
