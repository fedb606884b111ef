"""Why the best choice of a hint is better than another one, in words without figures: for a hint's steps."""

from collections.abc import Mapping, Sequence
from typing import Any

from fifteentwo.i18n.cards import ranks_text
from fifteentwo.i18n.catalogue import text
from fifteentwo.i18n.reasons import choice_cards, continuations_text, replies_text
from fifteentwo.i18n.scores import pegged_text, scores_text
from fifteentwo.rules.cards import RANK_TEXT

Advice = Mapping[str, Any]
"""Plain values of `analysis.review.advice.report`."""
_PARTS = {"keeps": "hand", "starters": "hand", "low-cards": "play", "pegs": "play", "makes-need": "need"}
"""What decides between two discards, by the type of a reason."""
_NO_CAUSE = {"type": "count"}


def _clearly_worse(advice: Advice) -> Mapping[str, Any] | None:
    """Return the first choice compared that is not nearly as good as the best one."""
    return next((one for one in advice["others"] if [*one["reasons"], _NO_CAUSE][0]["type"] != "near"), None)


def near_words(advice: Advice, lang: str) -> str:
    """Return that the next best choice is nearly as good; "" if it is not."""
    if not advice["others"] or advice["others"][0] is _clearly_worse(advice):
        return ""
    return text(
        "hint.because.near", lang, chosen=choice_cards(advice["others"][0]["decision"], "chosen", lang)
    )


def discard_words(advice: Advice, lang: str) -> str:
    """Return which part of the deal decides between the best discard and another; "" if none does."""
    other = _clearly_worse(advice)
    fact = other["reasons"][0] if other and other["reasons"] else _NO_CAUSE
    part = _part(fact)
    return text(f"hint.decides.{part}", lang) if part in _DECIDING else ""


def _part(fact: Mapping[str, Any]) -> str:
    part: str = fact.get("part") or _PARTS.get(fact["type"], fact["type"])
    if part == "crib":
        part = "crib-own" if fact.get("own", fact.get("own_crib")) else "crib-other"
    return part


_DECIDING = ("hand", "crib-own", "crib-other", "play", "need")


def plain_reason(decision: Mapping[str, Any], fact: Mapping[str, Any], lang: str) -> str:
    """Return why a best choice is better as a sentence for beginners, without chances and averages."""
    values = {which: choice_cards(decision, which, lang) for which in ("best", "chosen")}
    match fact["type"]:
        case "scored-on" | "replies":
            return text("hint.plain.replies", lang, replies=replies_text(fact, lang), **values)
        case "sets-up":
            first = fact["examples"][0]
            key = "hint.plain.follows" if first["ranks"] else "hint.plain.follows-go"
            ranks, own = (ranks_text(some, lang) for some in (first["ranks"], [first["own"]]))
            return text(key, lang, ranks=ranks, own=own, scores=pegged_text(first["scores"], lang))
        case "keeps":
            return text("hint.plain.keeps", lang, scores=scores_text(fact["scores"], lang), **values)
    if decision["kind"] != "discard":
        why = card_words("because", {"others": [{"decision": decision, "reasons": [fact]}]}, lang)
        return text("hint.plain.card" if why else "hint.plain.card-alone", lang, why="".join(why), **values)
    part = _part(fact)
    key = {"play": "pegging"}.get(part, part) if part in _DECIDING and part != "need" else "discard"
    return text(f"hint.plain.{key}", lang, **values)


PLAIN = ("sets-up", "scored-on", "replies", "keeps")
"""Types of reasons that a beginner can check at the table, without those that the card itself shows."""


def card_words(step: str, advice: Advice, lang: str) -> list[str]:
    """Return why the best card is better than another in a step of a hint: nudge, idea or because.

    The nudge and the idea name counts, not cards.
    """
    near = near_words(advice, lang)
    other = _clearly_worse(advice)
    if other is None:
        return [near if step == "because" else text("hint.nudge.near", lang)] if near else []
    facts = [fact for fact in other["reasons"] if fact["type"] != "at-once"]
    if not facts:
        return [near] if near and step == "because" else []
    decision, fact = other["decision"], facts[0]
    values = _values(decision, fact, lang)
    same = "-same" if values["count"] == values["other"] else ""
    is_low_lead = decision["count"] == 0 and values["count"] < 5 <= values["other"]
    if is_low_lead and step != "nudge" and fact.get("part") == "their-later":
        return [text("hint.leads.low" if step == "because" else "hint.idea.leads.low", lang)]
    kinds = [_kind(step, fact, same)]
    if step != "idea" and fact["type"] != "gives-up" and any(one["type"] == "gives-up" for one in facts):
        kinds.append("gives-up")
    keys = {
        "nudge": [f"hint.nudge.{kind}" for kind in kinds],
        "idea": [f"hint.idea.{kind}" for kind in kinds],
        "because": [f"hint.because.{kind}" for kind in kinds],
    }
    also = [near] if near and step == "because" and not advice.get("beginner") else []
    return [*[text(key, lang, **values) for key in keys[step]], *also]


def _kind(step: str, fact: Mapping[str, Any], same: str) -> str:
    """Return the last part of the key of a reason's words. same: "-same" if both cards make one count."""
    kind: str = fact.get("part", fact["type"])
    if kind == "sets-up" and step == "idea" and not fact["examples"][0]["ranks"]:
        return "sets-up-go"
    if step == "because":
        return kind
    if kind in ("scored-on", "replies"):
        return "scored-on-same" if same else "scored-on" if step == "nudge" else kind
    if kind in ("later", "their-later"):
        return "keep" if (step, kind) == ("nudge", "later") else kind
    if kind in ("sets-up", "wins-more") or (kind == "last-card" and step == "nudge"):
        return kind
    return "same" if same else "count" if step == "nudge" else kind


def _values(decision: Mapping[str, Any], fact: Mapping[str, Any], lang: str) -> dict[str, Any]:
    """Return what the words of a reason may name: counts, kept ranks, replies and the other card."""
    chosen, best = decision["chosen"], decision["best"]
    counts = {one["choice"]: decision["count"] + _value(one["choice"]) for one in decision["options"]}
    kept = [_without(decision["hand"], rank) for rank in (best, chosen)]
    shown: dict[str, Any] = {"now": decision["count"], "count": counts[best], "other": counts[chosen]}
    shown["counts"] = ranks_text([str(count) for count in sorted({*counts.values()})], lang)
    shown["best_kept"], shown["chosen_kept"] = (held_ranks(cards, lang) for cards in kept)
    shown["one"], shown["two"] = (held_ranks(cards, lang) for cards in sorted(kept, key=_order))
    shown |= {which: choice_cards(decision, which, lang) for which in ("best", "chosen")}
    if "replies" in fact:
        shown["replies"] = replies_text(fact, lang)
    if fact.get("examples"):
        first = fact["examples"][0]
        shown["examples"] = continuations_text(fact, lang)
        shown["ranks"], shown["scores"] = ranks_text(first["ranks"], lang), pegged_text(first["scores"], lang)
    return shown


def _value(rank: str) -> int:
    return min(RANK_TEXT.index(rank) + 1, 10)


def _without(hand: Sequence[str], rank: str) -> list[str]:
    """Return the cards left in a hand after a card of this rank is played."""
    left = list(hand)
    left.remove(next(card for card in left if card[0] == rank))
    return left


def _order(cards: Sequence[str]) -> list[int]:
    return sorted(RANK_TEXT.index(card[0]) for card in cards)


def held_ranks(cards: Sequence[str], lang: str) -> str:
    """Return the ranks of cards in ascending order, such as 5-5-6-J."""
    ranks = [RANK_TEXT[rank] for rank in _order(cards)]
    return text("hint.rank-and-rank", lang).join("10" if rank == "T" else rank for rank in ranks)
