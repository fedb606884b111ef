"""The spoken count: the show in Parlett's order (R93), and pegging (R52)."""

from collections.abc import Iterable

from fifteentwo.i18n.catalogue import text
from fifteentwo.i18n.scores import score_name
from fifteentwo.rules.events import Event, Pegged, PeggedFor, Played, Score, ScoreName, WentGo

_ORDER = {
    name: place
    for place, name in enumerate(
        (
            ScoreName.FIFTEEN,
            ScoreName.PAIR,
            ScoreName.PAIR_ROYAL,
            ScoreName.DOUBLE_PAIR_ROYAL,
            ScoreName.RUN,
            ScoreName.FLUSH,
            ScoreName.NOBS,
        )
    )
}
_PAIRS = {ScoreName.PAIR, ScoreName.PAIR_ROYAL, ScoreName.DOUBLE_PAIR_ROYAL}


def spoken(scores: Iterable[Score], lang: str) -> list[str]:
    """The show aloud, one entry a score: its name and the total so far; runs are counted up one by one.

    >>> from fifteentwo.rules.cards import Card, cards
    >>> from fifteentwo.rules.show import scores
    >>> spoken(scores(cards("5H 5S 6D JC"), Card("7C")), "en")
    ['fifteen two', 'fifteen four', 'pair six', 'seven-eight-nine', 'ten-eleven-twelve', "and one's thirteen"]
    """
    total, parts = 0, list[str]()
    for score in _in_order(scores):
        before, total = total, total + score.points
        key = f"spoken.{score.name.value}"
        if score.name is ScoreName.NOBS and not before:
            key = "spoken.nobs.alone"
        counted = _counted(before + 1, total, lang)
        parts.append(text(key, lang, total=_number(total, lang), counted=counted))
    return parts


def spoken_count(event: Event, lang: str) -> str | None:
    """What is counted aloud in pegging: the running count, go, and what a card makes; None for the rest."""
    match event:
        case Played(count=count):
            return _number(count, lang)
        case WentGo():
            return text("spoken.go", lang)
        case Pegged(reason=PeggedFor.PLAY, scores=scores) if scores:
            return text("list.comma", lang).join(_made(score, lang) for score in scores)
        case Pegged(reason=PeggedFor.LAST_CARD | PeggedFor.HEELS | PeggedFor.THREE_FOR_LAST, scores=scores):
            return text(f"spoken.{scores[0].name.value}", lang)
        case _:
            return None


def _made(score: Score, lang: str) -> str:
    return text("spoken.for", lang, what=score_name(score, lang), points=_number(score.points, lang))


def _in_order(scores: Iterable[Score]) -> list[Score]:
    """Counting order; pairs of any size stay as they stand among each other."""
    last = len(_ORDER)

    def place(score: Score) -> int:
        return _ORDER[ScoreName.PAIR] if score.name in _PAIRS else _ORDER.get(score.name, last)

    return sorted(scores, key=place)


def _counted(first: int, last: int, lang: str) -> str:
    parts = [_number(number, lang) for number in range(first, last + 1)]
    return (", " if any("-" in number for number in parts) else "-").join(parts)


def _number(number: int, lang: str) -> str:
    return text(f"number.{number}", lang) if lang == "en" and 0 <= number <= 31 else str(number)
