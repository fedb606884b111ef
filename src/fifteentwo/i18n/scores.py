"""Scores in words: what each is called, and the cards that make it."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from fifteentwo.i18n.cards import card_names
from fifteentwo.i18n.catalogue import text
from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import Score, ScoreName


def score_name(score: Score, lang: str) -> str:
    """What a score is called; a run by its length.

    >>> from fifteentwo.rules.cards import cards
    >>> score_name(Score(ScoreName.RUN, cards("2H 3C 4D"), 3, "R83"), "en")
    'run of three'
    """
    if score.name is ScoreName.RUN:
        return text("name.run-of", lang, length=text(f"number.{len(score.cards)}", lang))
    return text(f"name.{score.name.value}", lang)


@lru_cache(8192)
def score_text(score: Score, lang: str, written: Callable[[Sequence[Card], str], str] = card_names) -> str:
    """A score with its cards and points; the two that no card makes by themselves.

    written: how its cards are written, in words or by their signs.

    >>> from fifteentwo.rules.cards import cards
    >>> fifteen = Score(ScoreName.FIFTEEN, cards("5S JC"), 2, "R81")
    >>> score_text(fifteen, "en"), score_text(fifteen, "ja")
    ('fifteen: five of spades and jack of clubs, for 2', 'フィフティーン：スペードの5とクラブのジャックで2点')
    """
    if not score.cards:
        return text(f"score.without-cards.{score.name.value}", lang, points=score.points)
    cards = written(score.cards, lang)
    return text("score.with-cards", lang, name=score_name(score, lang), cards=cards, points=score.points)
