"""The steps of the lesson "Cribbage in ten minutes", with an explanation of every wrong answer."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, pairwise

import msgspec

from fifteentwo import i18n
from fifteentwo.rules import pegging, show
from fifteentwo.rules.cards import Card, cards
from fifteentwo.rules.events import ScoreName

DISCARD_HAND = cards("AS 5C 6D 7H 8S TD")
"""Cards of both discard steps; the owner of the crib decides which discard is best."""
MAX_COUNT = 31


class Wrong(msgspec.Struct, frozen=True):
    """A wrong answer (cards, or a choice) and its explanation."""

    answer: tuple[str, ...]
    why: str


class WeighedDiscard(msgspec.Struct, frozen=True):
    """A discard: the text about the cards kept, and the mean points of hand, crib and both together."""

    cards: tuple[Card, ...]
    kept: str
    """Text about the cards that are kept."""
    hand: float
    crib: float
    net: float


class Screen(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the lesson."""

    id: str
    lesson: int
    """Number of the part, from 1; 0 for the last step, which starts the first game."""
    cards: tuple[Card, ...] = ()
    pick: int = 0
    """Number of cards that the learner must choose."""
    accept: tuple[tuple[Card, ...], ...] = ()
    """The right choices of cards."""
    wrong: tuple[Wrong, ...] = ()
    choices: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    """The right choices, in the order in which they must be chosen."""
    played: tuple[Card, ...] = ()
    counts: tuple[int | None, ...] = ()
    """The count after each card; None if it would exceed 31."""
    discards: tuple[WeighedDiscard, ...] = ()
    starter: Card | None = None
    counted: tuple[i18n.NamedScore, ...] = ()
    pegs: tuple[tuple[int, int], ...] = ()
    """Positions of the (front, rear) peg of each side, in points."""
    points: int = 0
    """Points that the first side pegs after the right answer."""


@cache
def lesson_screens(lang: str) -> tuple[Screen, ...]:
    shown, turned = cards("6D 7C 8H KS"), Card("7H")
    counted = i18n.named(show.scores(shown, turned), lang)
    return (
        _find_score_step("fifteen", "5H KS 9D 2C", ScoreName.FIFTEEN, lang),
        _find_score_step("pair", "8C JD 8H KS", ScoreName.PAIR, lang),
        _find_score_step("run", "TD 2H 9S JC", ScoreName.RUN, lang),
        _flush_step(lang),
        _nobs_step(lang),
        _pegging_step("count", "8D", "7C KH 3S", ScoreName.FIFTEEN, lang),
        _pegging_step("thirty-one", "KC 9S 5D", "7H 4C 8S", ScoreName.THIRTY_ONE, lang),
        _pegging_step("go", "KD 7S 8C", "4S QH JD", None, lang),
        _discard_step("crib", lang, own_crib=True),
        _discard_step("pone", lang, own_crib=False),
        _choice_step("heels", 3, lang, choices=("other", "own", "none"), right=("own",), starter=Card("JC")),
        Screen(id="show", lesson=3, cards=shown, starter=turned, counted=counted),
        _choice_step("order", 3, lang, choices=("crib", "own", "other"), right=("other", "own", "crib")),
        msgspec.structs.replace(
            _choice_step("board", 4, lang, choices=("start", "rear", "front"), right=("front",)),
            pegs=((12, 5), (9, 3)),
            points=8,
        ),
        msgspec.structs.replace(
            _choice_step("end", 4, lang, choices=("own", "other", "more"), right=("other",)),
            pegs=((119, 110), (117, 108)),
        ),
        Screen(id="start", lesson=0),
    )


def _find_score_step(name: str, held: str, wanted: ScoreName, lang: str) -> Screen:
    four = cards(held)
    right = tuple(score.cards for score in show.scores(four[1:], four[0]) if score.name is wanted)

    def why(chosen: Sequence[Card]) -> str:
        if wanted is ScoreName.FIFTEEN:
            total = sum(card.value for card in chosen)
            return i18n.text("learn.wrong.fifteen", lang, sum=_sum_text(chosen, lang), n=total)
        if wanted is ScoreName.PAIR:
            one, other = (i18n.card_text(card, lang) for card in chosen)
            key = "learn.wrong.pair.tens" if chosen[0].value == chosen[1].value else "learn.wrong.pair"
            return i18n.text(key, lang, one=one, other=other)
        in_order = sorted(chosen)
        gap = next((a, b) for a, b in pairwise(in_order) if b.rank != a.rank + 1)
        below, above = (_rank_name(card, lang) for card in gap)
        return i18n.text("learn.wrong.run", lang, ranks=_rank_names(in_order, lang), one=below, other=above)

    return _with_wrong_picks(Screen(id=name, lesson=1, cards=four, pick=len(right[0]), accept=right), why)


def _with_wrong_picks(screen: Screen, why: Callable[[Sequence[Card]], str]) -> Screen:
    right = [set(found) for found in screen.accept]
    wrong = [chosen for chosen in combinations(screen.cards, screen.pick) if set(chosen) not in right]
    return msgspec.structs.replace(
        screen, wrong=tuple(Wrong(tuple(card.text for card in chosen), why(chosen)) for chosen in wrong)
    )


def _rank_name(card: Card, lang: str) -> str:
    return i18n.text(f"learn.rank.{card.text[0]}", lang) if card.text[0] in "AJQK" else str(card.value)


def _rank_names(held: Sequence[Card], lang: str) -> str:
    return i18n.text("learn.ranks-join", lang).join(_rank_name(card, lang) for card in held)


def _sum_text(chosen: Sequence[Card], lang: str) -> str:
    return i18n.text("learn.plus", lang).join(
        i18n.text("learn.counts", lang, rank=_rank_name(card, lang), n=card.value)
        if card.text[0] in "AJQK"
        else str(card.value)
        for card in chosen
    )


def _flush_step(lang: str) -> Screen:
    held = cards("2H 9S 6H KH TH")
    right = tuple(card for card in held if card.suit is held[0].suit)

    def why(chosen: Sequence[Card]) -> str:
        (stranger,) = set(chosen) - set(right)
        (missing,) = set(right) - set(chosen)
        card, better = i18n.card_text(stranger, lang), i18n.card_text(missing, lang)
        return i18n.text("learn.wrong.flush", lang, card=card, better=better)

    return _with_wrong_picks(Screen(id="flush", lesson=1, cards=held, pick=len(right), accept=(right,)), why)


def _nobs_step(lang: str) -> Screen:
    held, starter = cards("JS QH JH 4C"), Card("9H")
    (right,) = (score.cards for score in show.scores(held, starter) if score.name is ScoreName.NOBS)

    def why(chosen: Sequence[Card]) -> str:
        (card,) = chosen
        kind = "jack" if card.rank is right[0].rank else "suit" if card.suit is starter.suit else "none"
        words = {"card": i18n.card_text(card, lang), "starter": i18n.card_text(starter, lang)}
        return i18n.text(f"learn.wrong.nobs.{kind}", lang, **words)

    return _with_wrong_picks(
        Screen(id="nobs", lesson=1, cards=held, pick=1, accept=(right,), starter=starter), why
    )


def _pegging_step(name: str, before: str, held: str, wanted: ScoreName | None, lang: str) -> Screen:
    """Return a step in which the player must play the card that scores, or the only playable card."""
    played, hand = cards(before), cards(held)
    count = sum(card.value for card in played)
    fits = pegging.playable(hand, count)
    right = [
        card
        for card in fits
        if wanted is None or any(score.name is wanted for score in pegging.scores((*played, card)))
    ]

    def why(chosen: Sequence[Card]) -> str:
        made = count + chosen[0].value
        values = {"count": count, "card": _sum_text(chosen, lang), "n": made, "short": MAX_COUNT - made}
        return i18n.text("learn.wrong.past" if made > MAX_COUNT else f"learn.wrong.{name}", lang, **values)

    screen = Screen(
        id=name,
        lesson=2,
        cards=hand,
        pick=1,
        accept=tuple((card,) for card in right),
        played=played,
        counts=tuple(count + card.value if card in fits else None for card in hand),
    )
    return _with_wrong_picks(screen, why)


def _discard_step(name: str, lang: str, *, own_crib: bool) -> Screen:
    # Imported here because it loads NumPy.
    from fifteentwo.analysis.discards.discard import options

    found = options(DISCARD_HAND, own_crib=own_crib, pegging=lambda _kept_text, _own_crib, /: 0.0)
    return Screen(
        id=name,
        lesson=3,
        cards=DISCARD_HAND,
        pick=2,
        accept=tuple(combinations(DISCARD_HAND, 2)),
        discards=tuple(
            WeighedDiscard(one.discard, _kept_text(one.discard, lang), one.hand.mean, one.crib.mean, one.net)
            for one in found
        ),
    )


def _kept_text(discard: Sequence[Card], lang: str) -> str:
    four = [card for card in DISCARD_HAND if card not in discard]
    scores = show.scores(four[1:], four[0])
    points = sum(one.points for one in scores if one.name not in (ScoreName.FLUSH, ScoreName.NOBS))
    return i18n.text("learn.kept", lang, ranks=_rank_names(four, lang), n=points)


def _choice_step(
    name: str,
    lesson: int,
    lang: str,
    *,
    choices: tuple[str, ...],
    right: tuple[str, ...],
    starter: Card | None = None,
) -> Screen:
    """Return a step with choices, in which all but the first right choice are explained."""
    wrong = (
        Wrong((one,), i18n.text(f"learn.wrong.{name}-{one}", lang)) for one in choices if one != right[0]
    )
    return Screen(id=name, lesson=lesson, choices=choices, right=right, wrong=tuple(wrong), starter=starter)
