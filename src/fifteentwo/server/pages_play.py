"""The play of document 000, step by step, for the hand checker: what is laid, counted, said and scored."""

from typing import Any

from fifteentwo import i18n
from fifteentwo.rules import pegging
from fifteentwo.rules.cards import Card, cards
from fifteentwo.rules.events import Pegged, PeggedFor, Played, Score, ScoreName, WentGo

GO, LAST = "go", "last"
HANDS = ("5C 7H 7C 8S", "6H 6S 6D 9C")
"""The non-dealer's hand and the dealer's."""
LAID = ("7C", "9C", "8S", "6S", GO, LAST, "7H", "6H", "5C", "6D", LAST)
"""Cards in turn from the non-dealer; `last` is the point for the last card, after which the other leads."""


def steps(lang: str) -> list[dict[str, Any]]:
    """Each step as the page shows it: who, which card, the count and its cards, the words, the scores."""
    names = tuple(i18n.text(f"check.play-{who}", lang) for who in ("pone", "dealer"))
    found: list[dict[str, Any]] = []
    laid: list[tuple[int, Card]] = []
    front = [0, 0]
    seat = 0
    for done in LAID:
        scores: tuple[Score, ...] = ()
        reason = PeggedFor.PLAY
        event: Played | WentGo | None = None
        if done == GO:
            event = WentGo(seat)
        elif done == LAST:
            seat = laid[-1][0]
            reason = PeggedFor.LAST_CARD
            scores = (Score(ScoreName.LAST_CARD, (laid[-1][1],), 1, "R60"),)
        else:
            laid.append((seat, Card(done)))
            event = Played(seat, Card(done), sum(card.value for _, card in laid))
            scores = pegging.scores([card for _, card in laid])
        points = sum(score.points for score in scores)
        front[seat] += points
        told = [] if event is None else [i18n.tell(event, lang, names)]
        if points:
            told.append(i18n.tell(Pegged(seat, seat, points, front[seat], reason, scores), lang, names))
        found.append(
            {
                "seat": seat,
                "step": done,
                "count": sum(card.value for _, card in laid),
                "laid": [[owner, card.text] for owner, card in laid],
                "points": points,
                "rules": [score.rule for score in scores],
                "lit": [card.text for score in scores for card in score.cards],
                "told": told,
                "front": list(front),
            }
        )
        if done == LAST:
            laid = []
        seat = 1 - seat
    return found


def example(lang: str) -> dict[str, Any]:
    """The hands and every step."""
    return {"hands": [[card.text for card in cards(hand)] for hand in HANDS], "steps": steps(lang)}
