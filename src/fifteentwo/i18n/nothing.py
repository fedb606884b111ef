"""Why cards score nothing, in sentences made from the facts of `rules.nothing`."""

from collections.abc import Iterable, Mapping
from typing import Any

from fifteentwo.i18n.cards import cards_text
from fifteentwo.i18n.catalogue import text


def nothing_text(facts: Iterable[Mapping[str, Any]], lang: str) -> list[str]:
    """A sentence for each fact.

    >>> nothing_text([{"why": "broken-pair", "cards": ["2C", "2D"], "count": None}], "en")
    ['2♣ 2♦ is not a pair: another card was played between them.']
    """
    return [
        text(f"nothing.{fact['why']}", lang, cards=cards_text(fact["cards"], lang), count=fact["count"])
        for fact in facts
    ]
