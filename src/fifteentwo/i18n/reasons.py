"""Reasons why another choice was better, as sentences from the facts of `analysis.review.reasons`."""

from collections.abc import Mapping, Sequence
from typing import Any

from fifteentwo.i18n.cards import card_text, cards_text, discards_text, ranks_text
from fifteentwo.i18n.catalogue import join_sentences, text
from fifteentwo.i18n.figures import difference, distinct_decimals, estimate, games_lost, signed
from fifteentwo.i18n.scores import pegged_text, scores_text

Fact = Mapping[str, Any]
SEEN_WIN = 0.0005
"""Difference in win probability (0–1) that is printed as 0.1 of 100 games."""


def reasons_text(decision: Mapping[str, Any], facts: Sequence[Fact], lang: str) -> list[str]:
    """Return a sentence for each fact about a decision (`analysis.review.review`).

    >>> decision = {"kind": "play", "hand": ["7H", "4S"], "best": "4", "chosen": "7", "card": "7H"}
    >>> fact = {"type": "later", "part": "last-card", "points": 0.42}
    >>> reasons_text(decision, [fact], "en")
    ['4♠ brings 0.4 points more on average from goes and last cards than 7♥.']
    """
    if not facts:
        return []
    cards = {"best": choice_cards(decision, "best", lang), "chosen": choice_cards(decision, "chosen", lang)}
    return [_sentence(fact, cards, lang) for fact in facts]


def others_text(advice: Mapping[str, Any], lang: str) -> list[str]:
    """Return sentences that compare the best choice with others (`analysis.review.advice.report`)."""
    raised = [text("hint.raised-is-best", lang)] if advice["raised"] and not advice["others"] else []
    return [*raised, *[_comparison_sentence(one, lang, raised=advice["raised"]) for one in advice["others"]]]


def _comparison_sentence(other: Mapping[str, Any], lang: str, *, raised: bool) -> str:
    decision, facts = other["decision"], other["reasons"]
    sentences = reasons_text(decision, [fact for fact in facts if fact["type"] != "at-once"], lang)
    if facts and facts[0]["type"] == "near":
        return sentences[0]
    values = {one["choice"]: one for one in decision["options"]}
    best, own = values[decision["best"]], values[decision["chosen"]]
    is_decided = best["win"] is not None and best["win"] - own["win"] < SEEN_WIN
    measure = "points" if best["win"] is None or is_decided else "win"
    cost = round(best[measure] - own[measure], 6)
    shown = {"cost": f"{cost:.{distinct_decimals(cost, 0.0, 1)}f}"}
    if measure == "win":
        shown = {"n": games_lost(cost)}
    key = f"hint.why-not.{measure}" if raised else f"hint.next.{measure}"
    first = text(key, lang, cards=choice_cards(decision, "chosen", lang), **shown)
    return join_sentences([first, *sentences[:1]], lang)


def choice_cards(decision: Mapping[str, Any], which: str, lang: str) -> str:
    """Return the cards of a choice in signs; a card that was not played is the first one held of its rank."""
    if decision["kind"] == "discard":
        return discards_text(decision[which].split(), lang)
    if decision["chosen"] == decision[which]:
        return card_text(decision["card"], lang)
    return card_text(next(card for card in decision["hand"] if card[0] == decision[which]), lang)


def _sentence(fact: Fact, cards: Mapping[str, str], lang: str) -> str:
    kind = fact["type"]
    if kind in ("near", "wins", "wins-more", "wins-now"):
        return _score_sentence(fact, cards, lang)
    if kind in ("at-once", "gives-up", "scored-on", "replies", "sets-up", "later"):
        return _play_sentence(fact, cards, lang)
    return _discard_sentence(fact, cards, lang)


def _score_sentence(fact: Fact, cards: Mapping[str, str], lang: str) -> str:
    match fact["type"]:
        case "wins-now":
            return text("why.wins-now", lang, points=fact["points"], **cards)
        case "near" if fact["win"] is None:
            key = "why.near.points" if fact["points"] >= 0.005 else "why.near.same"
            return text(key, lang, points=f"{fact['points']:.2f}", **cards)
        case "near":
            key = "why.near.win" if fact["win"] >= SEEN_WIN else "why.near.same"
            return text(key, lang, n=games_lost(fact["win"]), **cards)
        case kind:
            games = games_lost(fact["win"] - fact["chosen_win"])
            if kind == "wins":
                return text("why.wins", lang, n=games, **cards)
            points = f"{fact['points']:.{distinct_decimals(fact['points'], 0.0, 1)}f}"
            return text("why.wins-more", lang, points=points, n=games, **cards)


def _play_sentence(fact: Fact, cards: Mapping[str, str], lang: str) -> str:
    match fact["type"]:
        case "at-once":
            key = "why.at-once-more" if fact["chosen"] else "why.at-once"
            made = pegged_text(fact["scores"], lang)
            return text(key, lang, scores=made, points=fact["points"], otherwise=fact["chosen"], **cards)
        case "gives-up":
            key = "why.gives-up-more" if fact["best"] else "why.gives-up"
            made = pegged_text(fact["scores"], lang)
            return text(key, lang, scores=made, points=fact["points"], otherwise=fact["best"], **cards)
        case "scored-on":
            key = "why.scored-on" if fact["best_chance"] else "why.scored-on-not"
            shown = {"chance": estimate(fact["chance"], lang), "other": estimate(fact["best_chance"], lang)}
            if not fact["is_explained"]:
                key, shown = "why.scored-on-points", {"points": f"{fact['points']:.1f}"}
            return text(key, lang, count=fact["count"], replies=replies_text(fact, lang), **shown, **cards)
        case "replies":
            key = "why.replies" if fact["best"] else "why.replies-not"
            numbers = {"count": fact["count"], "number": fact["chosen"], "fewer": fact["best"]}
            return text(
                key, lang, unseen=fact["unseen"], replies=replies_text(fact, lang), **numbers, **cards
            )
        case "sets-up":
            shown = {"chance": estimate(fact["chance"], lang), "other": estimate(fact["chosen_chance"], lang)}
            return text("why.sets-up", lang, examples=continuations_text(fact, lang), **shown, **cards)
        case _:
            points = f"{fact['points']:.{distinct_decimals(fact['points'], 0.0, 1)}f}"
            return text(f"why.later.{fact['part']}", lang, points=points, **cards)


def replies_text(fact: Fact, lang: str) -> str:
    parts = [
        text("why.reply", lang, scores=pegged_text(one["scores"], lang), ranks=ranks_text(one["ranks"], lang))
        for one in fact["replies"]
    ]
    replies = text("why.reply.or", lang).join(parts)
    return text("why.reply.others", lang, replies=replies) if fact.get("others") else replies


def continuations_text(fact: Fact, lang: str) -> str:
    """Return in words which own card scores after which reply, for the examples of a fact."""
    parts = []
    for one in fact["examples"]:
        key, made = "why.follow" if one["ranks"] else "why.follow-go", pegged_text(one["scores"], lang)
        own = ranks_text([one["own"]], lang)
        parts.append(text(key, lang, ranks=ranks_text(one["ranks"], lang), own=own, scores=made))
    return text("why.follow.and", lang).join(parts)


def _discard_sentence(fact: Fact, cards: Mapping[str, str], lang: str) -> str:
    match fact["type"]:
        case "part":
            return _part_name(fact, cards, lang)
        case "against":
            return text(f"why.against.{fact['part']}", lang, gain=f"{fact['gain']:.1f}", **cards)
        case "keeps":
            key = "why.keeps" if fact["chosen"] else "why.keeps-nothing"
            made = scores_text(fact["scores"], lang)
            return text(key, lang, scores=made, kept=fact["best"], otherwise=fact["chosen"], **cards)
        case "starters":
            ranks = ranks_text(fact["ranks"], lang)
            if fact["more"] <= fact["less"]:
                return text("why.starters-most", lang, ranks=ranks, **_mean_points(fact), **cards)
            key = "why.starters" if fact["less"] else "why.starters-never-less"
            return text(key, lang, ranks=ranks, more=fact["more"], less=fact["less"], **cards)
        case "crib":
            what = scores_text(fact["scores"], lang) or text(
                f"why.crib.{fact['cause']}", lang, ranks=ranks_text(fact["ranks"], lang)
            )
            shown = _mean_points(fact)
            return text(
                "why.crib.own" if fact["own"] else "why.crib.other", lang, what=what, **shown, **cards
            )
        case "pegs":
            kept, given = (card_text(fact[name], lang) for name in ("kept", "given"))
            return text("why.pegs", lang, kept=kept, given=given, points=_printed_gain(fact), **cards)
        case "low-cards":
            low = cards_text(fact["cards"], lang)
            return text("why.low-cards", lang, cards=low, points=_printed_gain(fact), **cards)
        case _:
            key = "why.makes-need.first" if fact["counts_first"] else "why.makes-need"
            numbers = {"need": fact["need"], "more": fact["best"], "fewer": fact["chosen"]}
            return text(key, lang, unseen=fact["unseen"], **numbers, **cards)


def _part_name(fact: Fact, cards: Mapping[str, str], lang: str) -> str:
    key = f"why.part.{fact['part']}"
    if fact["part"] == "crib":
        key = "why.part.crib.own" if fact["own_crib"] else "why.part.crib.other"
    shown = _signed_means(fact) if fact["part"] == "play" else _mean_points(fact)
    return text(key, lang, **shown, **cards)


def _printed_gain(fact: Fact) -> str:
    gain = difference(fact["best"], fact["chosen"], 2)
    return f"{gain:.{distinct_decimals(gain, 0.0, 1)}f}"


def _mean_points(fact: Fact) -> dict[str, str]:
    """Return the mean points of the best and the chosen choice, with enough decimals to differ."""
    places = distinct_decimals(fact["best"], fact["chosen"], 1)
    return {"points": f"{fact['best']:.{places}f}", "other": f"{fact['chosen']:.{places}f}"}


def _signed_means(fact: Fact) -> dict[str, str]:
    """Return `_mean_points` of own points less the opponent's, with a minus sign for sentences."""
    places = distinct_decimals(fact["best"], fact["chosen"], 1)
    return {
        name: signed(fact[which], places).replace("-", "−")
        for name, which in (("points", "best"), ("other", "chosen"))
    }
