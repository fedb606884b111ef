"""The spoken count: the show by names of scores, or in Parlett's words and order (R93); pegging (R52)."""

from collections.abc import Iterable, Sequence

import msgspec

from fifteentwo.i18n.catalogue import text
from fifteentwo.i18n.scores import score_name
from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import Event, Pegged, PeggedFor, Played, Score, ScoreName, WentGo
from fifteentwo.rules.show import run_shape

_COUNT_ORDER = (ScoreName.FIFTEEN, ScoreName.PAIR, ScoreName.RUN, ScoreName.FLUSH, ScoreName.NOBS)
_PAIRS = {ScoreName.PAIR, ScoreName.PAIR_ROYAL, ScoreName.DOUBLE_PAIR_ROYAL}


class NamedScore(msgspec.Struct, frozen=True):
    """A score as learners count it; runs and their pairs together are one score (R84)."""

    name: str
    """Name of a score or a shape, such as `fifteen` or `double_run_of_three`."""
    label: str
    cards: tuple[Card, ...]
    points: int
    words: str
    """Name and running total."""


def named(scores: Iterable[Score], lang: str) -> tuple[NamedScore, ...]:
    """Return the show by the names of its scores: fifteens, runs, pairs, flush, nobs.

    >>> from fifteentwo.rules.cards import Card, cards
    >>> from fifteentwo.rules.show import scores
    >>> [score.words for score in named(scores(cards("5H 5S 6D JC"), Card("7C")), "en")]
    ['fifteen two', 'fifteen four', 'double run of three is twelve', 'his nobs is thirteen']
    """
    total, found = 0, list[NamedScore]()
    for group in _learner_groups(_in_order(scores)):
        points = sum(score.points for score in group)
        total += points
        cards = tuple(sorted({card for score in group for card in score.cards}))
        shape = run_shape([card.rank for card in cards]) if len(group) > 1 else None
        name = shape or group[0].name.value
        label = text(f"shape.{shape}", lang) if shape else score_name(group[0], lang)
        key = "spoken.fifteen" if name == ScoreName.FIFTEEN.value else "spoken.is"
        words = text(key, lang, what=label, total=_number_word(total, lang))
        found.append(NamedScore(name, label, cards, points, words))
    return tuple(found)


def _learner_groups(scores: Sequence[Score]) -> list[list[Score]]:
    """Return the scores as learners count them: several runs and their pairs are one group."""
    fifteens = [score for score in scores if score.name is ScoreName.FIFTEEN]
    runs = [score for score in scores if score.name is ScoreName.RUN]
    in_runs = {card for run in runs for card in run.cards}
    pairs = [score for score in scores if score.name in _PAIRS and in_runs.issuperset(score.cards)]
    counted = [*fifteens, *runs, *pairs]
    rest = [score for score in scores if score not in counted]
    return [[score] for score in fifteens] + [[*runs, *pairs]] * bool(runs) + [[score] for score in rest]


def spoken(scores: Iterable[Score], lang: str) -> list[str]:
    """Return the show in Parlett's words, one entry for each score; a run is counted point by point.

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
        counted = _single_counts(before + 1, total, lang)
        parts.append(text(key, lang, total=_number_word(total, lang), counted=counted))
    return parts


def spoken_count(event: Event, lang: str) -> str | None:
    """Return the words spoken in pegging: the count, go, or the points of a card; None for other events."""
    match event:
        case Played(count=count):
            return _number_word(count, lang)
        case WentGo():
            return text("spoken.go", lang)
        case Pegged(reason=PeggedFor.PLAY, scores=scores) if scores:
            return text("list.comma", lang).join(_made_text(score, lang) for score in scores)
        case Pegged(reason=PeggedFor.LAST_CARD | PeggedFor.HEELS | PeggedFor.THREE_FOR_LAST, scores=scores):
            return text(f"spoken.{scores[0].name.value}", lang)
        case _:
            return None


def _made_text(score: Score, lang: str) -> str:
    return text("spoken.for", lang, what=score_name(score, lang), points=_number_word(score.points, lang))


def _in_order(scores: Iterable[Score]) -> list[Score]:
    """Return scores in counting order; pairs of any size keep their order."""

    def place(score: Score) -> int:
        name = ScoreName.PAIR if score.name in _PAIRS else score.name
        return _COUNT_ORDER.index(name) if name in _COUNT_ORDER else len(_COUNT_ORDER)

    return sorted(scores, key=place)


def _single_counts(first: int, last: int, lang: str) -> str:
    parts = [_number_word(number, lang) for number in range(first, last + 1)]
    return (", " if any("-" in number for number in parts) else "-").join(parts)


def _number_word(number: int, lang: str) -> str:
    return text(f"number.{number}", lang) if lang == "en" and 0 <= number <= 31 else str(number)


def count_text(scores: Iterable[Score], lang: str) -> str:
    """Return the count of a hand in Parlett's words on one line, or "nothing".

    >>> from fifteentwo.rules.cards import Card, cards
    >>> from fifteentwo.rules.show import scores
    >>> count_text(scores(cards("5H 5S 6D JC"), Card("7C")), "en")[:32]
    'fifteen two, fifteen four, pair '
    >>> count_text((), "en")
    'nothing'
    """
    return text("list.comma", lang).join(spoken(scores, lang)) or text("spoken.nothing", lang)
