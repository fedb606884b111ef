"""Why another choice was better, in sentences made from the facts of `analysis.review.reasons`."""

from collections.abc import Mapping, Sequence
from typing import Any

from fifteentwo.i18n.cards import card_text, cards_text
from fifteentwo.i18n.catalogue import text
from fifteentwo.i18n.figures import percent, places_apart
from fifteentwo.i18n.hints import scores_text, signed


def reasons_text(decision: Mapping[str, Any], facts: Sequence[Mapping[str, Any]], lang: str) -> list[str]:
    """A sentence for each fact about a decision that `analysis.review.review` finds.

    >>> decision = {"kind": "play", "hand": ["7H", "4S"], "best": "4", "card": "7H"}
    >>> fact = {"type": "replies", "count": 7, "chosen": 12, "best": 0, "unseen": 45}
    >>> reasons_text(decision, [fact], "en")
    ['After 7♥ the count is 7, and 12 of the 45 cards not seen score on it; after 4♠ none do.']
    """
    if not facts:
        return []
    cards = {"best": _cards(decision, "best", lang), "chosen": _cards(decision, "chosen", lang)}
    return [_sentence(fact, cards, lang) for fact in facts]


def _cards(decision: Mapping[str, Any], which: str, lang: str) -> str:
    """The cards of a choice by their signs; of the play the best is the first card held of its rank."""
    if decision["kind"] == "discard":
        return cards_text(decision[which].split(), lang)
    if which == "chosen":
        return card_text(decision["card"], lang)
    return card_text(next(card for card in decision["hand"] if card[0] == decision["best"]), lang)


def _sentence(fact: Mapping[str, Any], cards: Mapping[str, str], lang: str) -> str:
    match fact["type"]:
        case "part":
            return _part(fact, cards, lang)
        case "against":
            return text(f"why.against.{fact['part']}", lang, gain=f"{fact['gain']:.1f}", **cards)
        case "keeps":
            return text("why.keeps", lang, kept=fact["best"], otherwise=fact["chosen"], **cards)
        case "gives" if fact["scores"]:
            scores, mean = scores_text(fact["scores"], lang), f"{fact['mean']:.1f}"
            return text("why.gives", lang, scores=scores, mean=mean, **cards)
        case "gives":
            return text("why.gives-five", lang, mean=f"{fact['mean']:.1f}", **cards)
        case "wins-more":
            places = places_apart(100 * fact["win"], 100 * fact["chosen_win"], 1)
            win, other = (percent(fact[name], places, lang) for name in ("win", "chosen_win"))
            points = f"{fact['points']:.{places_apart(fact['points'], 0.0, 1)}f}"
            return text("why.wins-more", lang, points=points, win=win, other=other, **cards)
        case "at-once":
            key = "why.at-once-more" if fact["chosen"] else "why.at-once"
            made = scores_text(fact["scores"], lang)
            return text(key, lang, scores=made, points=fact["points"], otherwise=fact["chosen"], **cards)
        case "replies":
            key = "why.answered" if fact["best"] else "why.answered-not"
            numbers = {"count": fact["count"], "number": fact["chosen"], "fewer": fact["best"]}
            return text(key, lang, unseen=fact["unseen"], **numbers, **cards)
        case _:
            key = "why.leaves" if fact["to_the_end"] else "why.leaves-reply"
            places = places_apart(fact["best"], fact["chosen"], 1)
            shown = {"points": _more(fact["best"], places), "other": _more(fact["chosen"], places)}
            return text(key, lang, **shown, **cards)


def _part(fact: Mapping[str, Any], cards: Mapping[str, str], lang: str) -> str:
    """In which part of a discard the best is better."""
    key = f"why.part.{fact['part']}"
    if fact["part"] == "crib":
        key = "why.part.crib.own" if fact["own_crib"] else "why.part.crib.other"
    write = _more if fact["part"] == "play" else "{:.1f}".format
    return text(key, lang, points=write(fact["best"]), other=write(fact["chosen"]), **cards)


def _more(points: float, places: int = 1) -> str:
    """Own points less the other's, with a sign that reads well in a sentence."""
    return signed(points, places).replace("-", "−")
