"""Hints: the recommended choice, its value, and the reasons."""

from collections.abc import Mapping, Sequence
from typing import Any

from fifteentwo.i18n.cards import cards_text, discards_text
from fifteentwo.i18n.catalogue import join_sentences, text
from fifteentwo.i18n.comparisons import card_words, discard_words, held_ranks, near_words
from fifteentwo.i18n.figures import percent, signed
from fifteentwo.i18n.scores import pegged_text, scores_text


def hint_text(advice: Mapping[str, Any], lang: str) -> str:
    """Return a hint of `analysis.review.advice.report` as a sentence: the cards and the reasons.

    >>> hint = {"cards": ["7H"], "keep": [], "facts": [{"type": "only-one", "alone": True}]}
    >>> hint_text({"hint": hint, "others": [], "raised": False}, "en")
    'Play 7♥: only this card may be played.'
    """
    report = advice["hint"]
    cards = discards_text(report["cards"], lang)
    beginner = advice.get("beginner", False)
    clauses = [_reason_text(fact, report, lang, beginner=beginner) for fact in report["facts"]]
    if not (beginner and clauses) and not any(
        fact["type"] in ("only-one", "equal") for fact in report["facts"]
    ):
        clauses += [near_words(advice, lang)] if report["keep"] else card_words("because", advice, lang)
    why = text("hint.and", lang).join(filter(None, clauses))
    key = "hint.discard" if report["keep"] else "hint.play" if why else "hint.play-alone"
    return text(key, lang, cards=cards, why=why)


def hint_value(report: Mapping[str, Any], lang: str) -> str:
    """Return the value of the choice: mean points, and the win probability if it is known and not decided."""
    parts = []
    if report["points"] is not None and report["keep"]:
        parts.append(text("hint.value.discard", lang, points=f"{report['points']:.1f}".replace("-", "−")))
    elif report["points"] is not None:
        parts.append(text("hint.value.card", lang, points=signed(report["points"]).replace("-", "−")))
    if report["win"] is not None and 0.005 <= report["win"] <= 0.995:
        parts.append(text("hint.value.win", lang, win=percent(report["win"], 0, lang)))
    return text("hint.value.and", lang).join(parts)


def nudge_text(advice: Mapping[str, Any], lang: str) -> str:
    """Return where to look, without the answer (`analysis.review.advice.report`)."""
    facts = advice["hint"]["facts"]
    if advice["raised"]:
        compared = [fact["type"] for other in advice["others"] for fact in other["reasons"][:1]]
        if not advice["others"]:
            return text("hint.raised-is-best", lang)
        first = text("hint.raised-near" if compared == ["near"] else "hint.raised-not-best", lang)
        return join_sentences([first, *_nudges(facts, advice, lang)], lang)
    return join_sentences(_nudges(facts, advice, lang), lang)


def idea_text(advice: Mapping[str, Any], lang: str) -> str:
    """Return the idea of the best choice, without its cards (`analysis.review.advice.report`)."""
    every = advice["hint"]["facts"]
    # The score alone makes the idea if it decides.
    facts = [fact for fact in every if fact["type"] in ("wins-most", "makes", "leads")] or every
    if any(fact["type"] in ("only-one", "equal") for fact in every):
        return nudge_text(advice, lang)
    if not facts:
        return join_sentences(card_words("idea", advice, lang), lang) or nudge_text(advice, lang)
    ideas = [_idea(fact, lang) for fact in facts if fact["type"] != "gives"]
    decides = discard_words(advice, lang) if advice["hint"]["keep"] else ""
    return join_sentences([*ideas, *([decides] if decides else [])], lang)


def _nudges(facts: Sequence[Mapping[str, Any]], advice: Mapping[str, Any], lang: str) -> list[str]:
    by_type = {fact["type"]: fact for fact in facts}
    if "wins-most" in by_type:
        return [text("hint.nudge.score", lang)]
    if "gives" in by_type:
        about = "helped" if "helped" in by_type else _main_score(by_type["keeps"]["scores"])
        return [text(f"hint.nudge.{about}", lang), text(f"hint.nudge.crib.{by_type['gives']['whose']}", lang)]
    if "only-one" in by_type:
        return [text("hint.nudge.alone" if by_type["only-one"]["alone"] else "hint.nudge.only", lang)]
    if "equal" in by_type:
        return [text("hint.nudge.equal", lang)]
    if "leads" in by_type:
        return [text(f"hint.nudge.leads.{by_type['leads']['why']}", lang)]
    if "makes" in by_type:
        made = {kind["name"] for kind in by_type["makes"]["scores"]}
        name = next((one for one in _SOUGHT if one in made), "pair")
        first = [text("hint.nudge.wins", lang)] if by_type["makes"]["wins"] else []
        return [
            *first,
            text(f"hint.nudge.makes.{name}", lang, count=advice["others"][0]["decision"]["count"]),
        ]
    return card_words("nudge", advice, lang)


_SOUGHT = ("thirty_one", "run", "fifteen", "last_card")
"""Scores of a card that a nudge asks for; the others are pairs."""


def _main_score(kinds: Sequence[Mapping[str, Any]]) -> str:
    """Return the name of the scores that make most points together: run, pair, flush or fifteen."""
    points = {"pair": 0, "flush": 0, "fifteen": 0, "run": 0}
    each = {"fifteen": 2, "pair": 2, "pair_royal": 6, "double_pair_royal": 12, "flush": 4}
    for kind in kinds:
        name = "pair" if "pair" in kind["name"] else kind["name"]
        points[name] += kind["times"] * each.get(kind["name"], kind["cards"])
    return max(points, key=lambda name: (points[name], name == "run"))


def _idea(fact: Mapping[str, Any], lang: str) -> str:
    match fact["type"]:
        case "keeps":
            return text("hint.idea.keeps", lang, scores=scores_text(fact["scores"], lang))
        case "helped":
            values = {"starters": fact["starters"], "unseen": fact["unseen"]}
            return text("hint.idea.helped", lang, **values)
        case "leads":
            return text(f"hint.idea.leads.{fact['why']}", lang)
        case "makes":
            return text(
                "hint.idea.makes", lang, scores=pegged_text(fact["scores"], lang), points=fact["points"]
            )
        case _:
            return text("hint.idea.wins-most", lang)


def _reason_text(fact: Mapping[str, Any], report: Mapping[str, Any], lang: str, *, beginner: bool) -> str:
    match fact["type"]:
        case "keeps":
            scores = scores_text(fact["scores"], lang)
            return text("hint.keeps", lang, ranks=held_ranks(report["keep"], lang), scores=scores)
        case "helped":
            values = {"starters": fact["starters"], "unseen": fact["unseen"]}
            key = "hint.plain.helped" if beginner else "hint.helped"
            return text(key, lang, ranks=held_ranks(report["keep"], lang), **values)
        case "gives":
            return _plain_crib_reason(fact, lang) if beginner else _crib_reason(fact, lang)
        case "leads":
            return text(f"hint.leads.{fact['why']}", lang)
        case "makes":
            key = "hint.wins" if fact["wins"] else "hint.makes"
            return text(key, lang, scores=pegged_text(fact["scores"], lang), points=fact["points"])
        case "wins-most":
            shares = {"win": percent(fact["win"], 1, lang), "other": percent(fact["other_win"], 1, lang)}
            return text("hint.wins-most", lang, cards=cards_text(fact["cards"], lang), **shares)
        case "equal":
            return text("hint.equal", lang)
        case _:
            return text("hint.only-card" if fact["alone"] else "hint.only-one", lang)


def _plain_crib_reason(fact: Mapping[str, Any], lang: str) -> str:
    """Return what the discards score in the own crib, without averages."""
    if fact["whose"] != "own" or not fact["scores"]:
        return ""
    return text("hint.plain.own-crib", lang, scores=scores_text(fact["scores"], lang))


def _crib_reason(fact: Mapping[str, Any], lang: str) -> str:
    """Return a sentence about the discards: scores or a five, and the mean points of the crib."""
    whose, mean = fact["whose"], f"{fact['mean']:.1f}"
    if fact["scores"]:
        return text(f"hint.scores-to.{whose}", lang, scores=scores_text(fact["scores"], lang), mean=mean)
    if fact["fives"]:
        return text(f"hint.five-to.{whose}", lang, mean=mean)
    return text(f"hint.crib-makes.{whose}", lang, mean=mean)
