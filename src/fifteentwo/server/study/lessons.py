"""Cribbage in ten minutes: three lessons as the rules and the analysis have them. The page judges nothing."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import msgspec

from fifteentwo import i18n
from fifteentwo.rules import pegging, show
from fifteentwo.rules.cards import Card, cards
from fifteentwo.rules.events import Score, ScoreName

SIX = cards("AS 5C 6D 7H 8S TD")
"""Dealt twice: whose crib it is decides the best discard."""


class WeighedDiscard(msgspec.Struct, frozen=True):
    """A discard of two cards: the means of hand and crib, and their net."""

    cards: tuple[Card, ...]
    hand: float
    crib: float
    net: float


class Screen(msgspec.Struct, frozen=True, kw_only=True):
    """A screen of a lesson: its cards, those played before, and what is to be done."""

    id: str
    lesson: int
    """1 to 3; 0 for the last screen."""
    cards: tuple[Card, ...] = ()
    pick: int = 0
    """So many cards are tapped; none where something is shown."""
    accept: tuple[tuple[Card, ...], ...] = ()
    """What is right; anything where discards are compared."""
    played: tuple[Card, ...] = ()
    counts: tuple[int | None, ...] = ()
    """The count each card would make; None past 31."""
    discards: tuple[WeighedDiscard, ...] = ()
    """Every discard, best first."""
    starter: Card | None = None
    counted: tuple[i18n.NamedScore, ...] = ()


@cache
def screens(lang: str) -> tuple[Screen, ...]:
    """Return all screens in their order."""
    return (
        _find("fifteen", "5H KS 9D 2C", ScoreName.FIFTEEN),
        _find("pair", "8C JD 8H 3S", ScoreName.PAIR),
        _find("run", "TD 2H 9S JC", ScoreName.RUN),
        _pegging("count", "8D", "7C KH 3S", ScoreName.FIFTEEN),
        _pegging("thirty-one", "KC 9S 5D", "7H 4C 8S", ScoreName.THIRTY_ONE),
        _pegging("go", "KD 7S 8C", "4S QH JD", None),
        _discard("crib", own_crib=True),
        _discard("pone", own_crib=False),
        _show("show", "6D 7C 8H KS", "7H", lang),
        Screen(id="start", lesson=0),
    )


def _find(name: str, held: str, wanted: ScoreName) -> Screen:
    """Find the cards of a score among four."""
    four = cards(held)
    right = tuple(score.cards for score in show.scores(four[1:], four[0]) if score.name is wanted)
    return Screen(id=name, lesson=1, cards=four, pick=len(right[0]), accept=right)


def _pegging(name: str, before: str, held: str, wanted: ScoreName | None) -> Screen:
    """Return a screen on which the card is played that scores, or the only playable one."""
    played, hand = cards(before), cards(held)
    count = sum(card.value for card in played)
    fits = pegging.playable(hand, count)
    right = [card for card in fits if wanted is None or _makes((*played, card), wanted)]
    return Screen(
        id=name,
        lesson=2,
        cards=hand,
        pick=1,
        accept=tuple((card,) for card in right),
        played=played,
        counts=tuple(count + card.value if card in fits else None for card in hand),
    )


def _makes(played: Sequence[Card], wanted: ScoreName) -> bool:
    return any(score.name is wanted for score in pegging.scores(played))


def _discard(name: str, *, own_crib: bool) -> Screen:
    # Loaded with the first lesson: it brings numpy.
    from fifteentwo.analysis.discards.discard import options

    found = options(SIX, own_crib=own_crib, pegging=_no_pegging)
    return Screen(
        id=name,
        lesson=3,
        cards=SIX,
        pick=2,
        accept=tuple(combinations(SIX, 2)),
        discards=tuple(WeighedDiscard(one.discard, one.hand.mean, one.crib.mean, one.net) for one in found),
    )


def _no_pegging(_kept: Sequence[Card], _own_crib: bool, /) -> float:
    """The lesson weighs hand and crib alone."""
    return 0.0


def _show(name: str, held: str, starter: str, lang: str) -> Screen:
    hand, turned = cards(held), Card(starter)
    scores: tuple[Score, ...] = show.scores(hand, turned)
    return Screen(id=name, lesson=3, cards=hand, starter=turned, counted=i18n.named(scores, lang))
