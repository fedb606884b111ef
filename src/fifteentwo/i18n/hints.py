"""Hints: the recommended choice, its value, and the reasons."""

from collections.abc import Mapping, Sequence
from typing import Any

from fifteentwo.i18n.cards import cards_text, listed
from fifteentwo.i18n.catalogue import text
from fifteentwo.i18n.figures import percent


def hint_text(report: Mapping[str, Any], lang: str) -> str:
    """Return a hint of `analysis.review.advice.report` as a sentence: the cards and the reasons.

    >>> hint_text({"cards": ["7H"], "keep": [], "facts": [{"type": "only-one"}]}, "en")
    'Play 7♥: no other rank fits.'
    """
    cards = cards_text(report["cards"], lang)
    why = text("hint.and", lang).join(_reason_text(fact, report, lang) for fact in report["facts"])
    key = "hint.discard" if report["keep"] else "hint.play" if why else "hint.play-alone"
    return text(key, lang, cards=cards, why=why)


def hint_value(report: Mapping[str, Any], lang: str) -> str:
    """Return the value of the choice: mean points, and the win probability if it is known."""
    parts = []
    if report["points"] is not None and report["keep"]:
        parts.append(text("hint.value.discard", lang, points=f"{report['points']:.1f}".replace("-", "−")))
    elif report["points"] is not None:
        parts.append(text("hint.value.card", lang, points=signed(report["points"]).replace("-", "−")))
    if report["win"] is not None:
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
        return _sentences([first, *_nudges(facts, advice, lang)], lang)
    return _sentences(_nudges(facts, advice, lang), lang)


def idea_text(advice: Mapping[str, Any], lang: str) -> str:
    """Return the idea of the best choice, without its cards (`analysis.review.advice.report`)."""
    return _sentences([_idea(fact, advice, lang) for fact in _main_facts(advice)], lang)


def _sentences(found: Sequence[str], lang: str) -> str:
    return ("" if lang == "ja" else " ").join(found)


def _nudges(facts: Sequence[Mapping[str, Any]], advice: Mapping[str, Any], lang: str) -> list[str]:
    by_type = {fact["type"]: fact for fact in facts}
    if "wins-most" in by_type:
        return [text("hint.nudge.score", lang)]
    if "gives" in by_type:
        about = "helped" if "helped" in by_type else _main_score(by_type["keeps"]["scores"])
        return [text(f"hint.nudge.{about}", lang), text(f"hint.nudge.crib.{by_type['gives']['whose']}", lang)]
    if "makes" in by_type:
        return [text("hint.nudge.wins" if by_type["makes"]["wins"] else "hint.nudge.makes", lang)]
    if "only-one" in by_type:
        return [text("hint.nudge.only", lang)]
    kinds = [fact["type"] for other in advice["others"][:1] for fact in other["reasons"]]
    general = [text(f"hint.nudge.{_card_idea(advice)}", lang)]
    return [text("hint.nudge.gives-up", lang), *general] if "gives-up" in kinds else general


def _main_score(kinds: Sequence[Mapping[str, Any]]) -> str:
    """Return the name of the scores that make most points together: run, pair, flush or fifteen."""
    points = {"pair": 0, "flush": 0, "fifteen": 0, "run": 0}
    each = {"fifteen": 2, "pair": 2, "pair_royal": 6, "double_pair_royal": 12, "flush": 4}
    for kind in kinds:
        name = "pair" if "pair" in kind["name"] else kind["name"]
        points[name] += kind["times"] * each.get(kind["name"], kind["cards"])
    return max(points, key=lambda name: (points[name], name == "run"))


_IDEAS_OF_CARDS = {"scored-on": "reply", "replies": "reply", "sets-up": "next"}


def _card_idea(advice: Mapping[str, Any]) -> str:
    """Return what a card that scores nothing is better in: reply, next, last or, in general, count."""
    reason = next((fact for other in advice["others"][:1] for fact in other["reasons"]), {"type": ""})
    if reason.get("part") == "last-card":
        return "last"
    return _IDEAS_OF_CARDS.get(reason["type"], "count")


def _main_facts(advice: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the facts that make an idea: of the score alone if it decides."""
    facts = advice["hint"]["facts"]
    decisive = [fact for fact in facts if fact["type"] in ("wins-most", "makes")]
    return decisive or list(facts) or [{"type": "count"}]


def _idea(fact: Mapping[str, Any], advice: Mapping[str, Any], lang: str) -> str:
    match fact["type"]:
        case "keeps":
            return text("hint.idea.keeps", lang, scores=scores_text(fact["scores"], lang))
        case "helped":
            values = {"starters": fact["starters"], "unseen": fact["unseen"]}
            return text("hint.idea.helped", lang, n=len(advice["hint"]["keep"]), **values)
        case "gives":
            return text(f"hint.idea.rest.{fact['whose']}", lang)
        case "makes":
            return text(
                "hint.idea.makes", lang, scores=pegged_text(fact["scores"], lang), points=fact["points"]
            )
        case "wins-most":
            return text("hint.idea.wins-most", lang)
        case "only-one":
            return text("hint.nudge.only", lang)
        case _:
            return text(f"hint.idea.{_card_idea(advice)}", lang)


def _reason_text(fact: Mapping[str, Any], report: Mapping[str, Any], lang: str) -> str:
    match fact["type"]:
        case "keeps":
            scores = scores_text(fact["scores"], lang)
            return text("hint.keeps", lang, ranks=_kept_ranks(report, lang), scores=scores)
        case "helped":
            values = {"starters": fact["starters"], "unseen": fact["unseen"]}
            return text("hint.helped", lang, ranks=_kept_ranks(report, lang), **values)
        case "gives":
            return _crib_reason(fact, lang)
        case "makes":
            key = "hint.wins" if fact["wins"] else "hint.makes"
            return text(key, lang, scores=pegged_text(fact["scores"], lang), points=fact["points"])
        case "wins-most":
            shares = {"win": percent(fact["win"], 1, lang), "other": percent(fact["other_win"], 1, lang)}
            return text("hint.wins-most", lang, cards=cards_text(fact["cards"], lang), **shares)
        case _:
            return text("hint.only-card" if fact.get("alone") else "hint.only-one", lang)


def _crib_reason(fact: Mapping[str, Any], lang: str) -> str:
    """Return a sentence about the discards: scores or a five, and the mean points of the crib."""
    whose, mean = fact["whose"], f"{fact['mean']:.1f}"
    if fact["scores"]:
        return text(f"hint.scores-to.{whose}", lang, scores=scores_text(fact["scores"], lang), mean=mean)
    if fact["fives"]:
        return text(f"hint.five-to.{whose}", lang, mean=mean)
    return text(f"hint.crib-makes.{whose}", lang, mean=mean)


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


def _kept_ranks(report: Mapping[str, Any], lang: str) -> str:
    """Return the ranks of the kept cards in ascending order, such as 5-5-6-J."""
    order = "A23456789TJQK"
    held = sorted((card[0] for card in report["keep"]), key=order.index)
    return text("hint.rank-and-rank", lang).join("10" if rank == "T" else rank for rank in held)


def signed(points: float, places: int = 1) -> str:
    """Return a difference of points with its sign."""
    return f"{round(points, places) + 0.0:+.{places}f}"
