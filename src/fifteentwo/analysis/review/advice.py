"""A hint compared with the next best choice, or with the cards that a player has selected."""

from typing import Any

import msgspec

from fifteentwo.analysis.review import review
from fifteentwo.analysis.review.hint import Hint, hint
from fifteentwo.analysis.review.reasons import Near, Reason, against, reasons
from fifteentwo.analysis.review.review import Decision, judged
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.state import Phase
from fifteentwo.rules.view import View, allows


class Compared(msgspec.Struct, frozen=True):
    """The best choice compared with another one."""

    cards: tuple[Card, ...]
    """The other choice."""
    decision: Decision
    """The decision as if the other choice had been made."""
    reasons: tuple[Reason, ...]
    """Why the best choice is better."""


class Advice(msgspec.Struct, frozen=True):
    """The best choice and the choices that it is compared with."""

    hint: Hint
    others: tuple[Compared, ...]
    """The selected choice. Without a selection: the second-best choice and, if that is nearly as good, the
    best one that is not. Empty if there is no other choice or the best one is selected."""
    raised: bool
    """Whether the player has selected cards that can be discarded or played."""
    beginner: bool = False
    """Whether the hint is for a beginner: in words without figures."""


def advice(
    seen: View, raised: tuple[Card, ...] = (), *, beginner: bool = False, by_points: bool = False
) -> Advice | None:
    """Return the best choice of a seat that has to act, compared with other choices; None for other seats.

    raised: the cards that the player has selected; ignored if they cannot be discarded or played.
    beginner, by_points: see `hint`.
    """
    best = hint(seen, beginner=beginner, by_points=by_points)
    if best is None:
        return None
    decision = judged(seen, _action(seen, best.cards))
    if decision is None:
        return Advice(best, (), raised=False, beginner=beginner)
    if by_points:
        decision = review.by_points(decision)
    if raised and allows(seen, _action(seen, raised)):
        asked = _choice(seen, raised)
        card = None if seen.phase is Phase.DISCARD else raised[0].text
        others = () if asked == decision.chosen else (_compared(seen, against(decision, asked, card)),)
        return Advice(best, others, raised=True, beginner=beginner)
    order = [option["choice"] for option in decision.options if option["choice"] != decision.chosen]
    each = (_compared(seen, against(decision, choice)) for choice in order)
    second = next(each)
    worse = next((one for one in each if not _is_near(one)), None) if _is_near(second) else None
    return Advice(best, (second, *([worse] if worse else [])), raised=False, beginner=beginner)


def report(found: Advice) -> dict[str, Any]:
    """Return advice as plain values for JSON; each fact and reason has its name in "type"."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(found, enc_hook=str))
    return plain


def _compared(seen: View, decision: Decision) -> Compared:
    cards = cards_of(seen, decision.chosen) if decision.card is None else (Card(decision.card),)
    return Compared(cards, decision, reasons(seen, decision))


def _is_near(one: Compared) -> bool:
    return isinstance(next(iter(one.reasons), None), Near)


def _action(seen: View, cards: tuple[Card, ...]) -> Discard | Play:
    return Discard(seen.seat, cards) if seen.phase is Phase.DISCARD else Play(seen.seat, cards[0])


def _choice(seen: View, cards: tuple[Card, ...]) -> str:
    """Return the name that these cards have as a choice: cards in the order of the hand, or a rank."""
    if seen.phase is Phase.DISCARD:
        return " ".join([card.text for card in seen.hand if card in cards])
    return cards[0].text[0]


def cards_of(seen: View, choice: str) -> tuple[Card, ...]:
    """Return the cards of a choice by its name."""
    if seen.phase is Phase.DISCARD:
        return tuple([Card(text) for text in choice.split()])
    return (next(card for card in seen.hand if card.text[0] == choice),)
