"""Practice themes for decisions of two players with six cards."""

from fifteentwo.analysis.review.card_reasons import ScoredOn
from fifteentwo.analysis.review.reasons import reasons
from fifteentwo.analysis.review.review import Decision
from fifteentwo.rules.view import View

COUNTING_OUT, LAST_STREET, KEEPING, CRIB, LEADS, TRAPS = THEMES = (
    "counting-out",
    "last-street",
    "keeping",
    "crib",
    "leads",
    "traps",
)
OUT_IN, LAST = 12, 30
"""Points needed to win: at most this many for counting out in one deal, and for the last street."""


def theme_of(seen: View, decision: Decision) -> str | None:
    """Return the theme of a wrong decision: by the score near the end, otherwise by its kind."""
    left = seen.rules.target - max(seen.front)
    if left <= OUT_IN:
        return COUNTING_OUT
    if left <= LAST:
        return LAST_STREET
    if decision.kind == "discard":
        return _of_discard(seen, decision)
    if seen.count == 0:
        return LEADS
    is_scored_on = any(isinstance(fact, ScoredOn) for fact in reasons(seen, decision))
    return TRAPS if is_scored_on else None


def _of_discard(seen: View, decision: Decision) -> str | None:
    """Return `keeping` if pegging changes the best discard, or the theme of the other side's crib."""
    sign = 1 if seen.is_dealer else -1
    by_show = max(decision.options, key=lambda option: option["hand"] + sign * option["crib"])
    if by_show["choice"] != decision.best:
        return KEEPING
    return None if seen.is_dealer else CRIB
