"""Scores in words: their names, and the cards that make them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from fifteentwo.i18n.cards import card_names, cards_text, listed
from fifteentwo.i18n.catalogue import text
from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import Score, ScoreName


def score_name(score: Score, lang: str) -> str:
    """Return the name of a score; the name of a run contains its length.

    >>> from fifteentwo.rules.cards import cards
    >>> score_name(Score(ScoreName.RUN, cards("2H 3C 4D"), 3, "R83"), "en")
    'run of three'
    """
    if score.name is ScoreName.RUN:
        return text("name.run-of", lang, length=text(f"number.{len(score.cards)}", lang))
    return text(f"name.{score.name.value}", lang)


@lru_cache(8192)
def score_text(score: Score, lang: str, written: Callable[[Sequence[Card], str], str] = card_names) -> str:
    """Return a score with its cards, if it has any, and its points.

    written: function that returns the cards in words or in signs.

    >>> from fifteentwo.rules.cards import cards
    >>> fifteen = Score(ScoreName.FIFTEEN, cards("5S JC"), 2, "R81")
    >>> score_text(fifteen, "en"), score_text(fifteen, "ja")
    ('fifteen: five of spades and jack of clubs, for 2', 'フィフティーン：スペードの5とクラブのジャックで2点')
    """
    if not score.cards:
        return text(f"score.without-cards.{score.name.value}", lang, points=score.points)
    cards = written(score.cards, lang)
    return text("score.with-cards", lang, name=score_name(score, lang), cards=cards, points=score.points)


def near_miss_text(facts: Iterable[Mapping[str, Any]], lang: str) -> list[str]:
    """Return a sentence for each fact of `rules.near_misses`: why cards do not score.

    >>> near_miss_text([{"why": "broken-pair", "cards": ["2C", "2D"], "count": None}], "en")
    ['2♣ 2♦ is not a pair: another card was played between them.']
    """
    return [
        text(f"nothing.{fact['why']}", lang, cards=cards_text(fact["cards"], lang), count=fact["count"])
        for fact in facts
    ]


def scores_text(kinds: Sequence[Mapping[str, Any]], lang: str) -> str:
    """Return scores of `analysis.review.hint.CountedScore` as a list in a sentence."""
    named = []
    if any(kind["name"] == "run" and kind["times"] == 2 for kind in kinds):
        # Four cards with two runs have one pair, and both together one name.
        named.append(text("hint.double-run", lang))
        kinds = [kind for kind in kinds if kind["name"] not in ("run", "pair")]
    for kind in kinds:
        length = text(f"number.{kind['cards']}", lang)
        key = f"hint.one.{kind['name']}" if kind["times"] == 1 else f"hint.several.{kind['name']}"
        named.append(text(key, lang, times=kind["times"], length=length))
    return listed(named, lang)


def pegged_text(kinds: Sequence[Mapping[str, Any]], lang: str) -> str:
    """Return the scores of one card in pegging as a list; no kind occurs twice."""
    lengths = [text(f"number.{kind['cards']}", lang) for kind in kinds]
    named = zip(kinds, lengths, strict=True)
    return listed([text(f"peg.{kind['name']}", lang, length=length) for kind, length in named], lang)
