"""The rules' own example of the play, for the hand checker: each step as laid, counted, told and scored."""

from collections.abc import Iterator

import msgspec

from fifteentwo import i18n
from fifteentwo.rules.actions import Deal, LayAway, NameDealer, Play, TurnUp
from fifteentwo.rules.cards import PACK, Card, cards
from fifteentwo.rules.events import Event, Pegged, PeggedFor, Played, Shown, WentGo
from fifteentwo.rules.game import decide, step
from fifteentwo.rules.state import State, evolve, start
from fifteentwo.rules.variants import variant

GO, LAST = "go", "last"
HANDS = (cards("5C 7H 7C 8S"), cards("6H 6S 6D 9C"))
"""The non-dealer's hand and the dealer's."""
LAID = cards("7C 9C 8S 6S 7H 6H 5C 6D")
"""All their cards in the order laid. Whose turn it is, who says go and what is scored, the rules say."""


class Step(msgspec.Struct, frozen=True):
    """A card laid with what it scores, a go, or the point for the last card."""

    seat: int
    step: str
    """The card, `go` or `last`."""
    count: int
    laid: tuple[tuple[int, Card], ...]
    """The cards of this count, each with the seat that laid it."""
    points: int
    rules: tuple[str, ...]
    lit: tuple[Card, ...]
    """The cards that score."""
    told: tuple[str, ...]
    front: tuple[int, ...]


class Example(msgspec.Struct, frozen=True):
    """The hands by seat, the non-dealer's first, and every step of the play."""

    hands: tuple[tuple[Card, ...], ...]
    steps: tuple[Step, ...]


def example(lang: str) -> Example:
    """The whole play, told in this language."""
    return Example(HANDS, tuple(_step(events, state, lang) for events, state in _moments()))


def _step(events: list[Event], state: State, lang: str) -> Step:
    names = tuple(i18n.text(f"check.play-{who}", lang) for who in ("pone", "dealer"))
    scores = [score for event in events if isinstance(event, Pegged) for score in event.scores]
    match events[0]:
        case Played(seat=seat, card=card):
            done = card.text
        case WentGo(seat=seat):
            done = GO
        case Pegged(seat=seat):
            done = LAST
        case other:
            raise AssertionError(other)
    return Step(
        seat=seat,
        step=done,
        count=state.count,
        laid=state.played[state.cleared[-1] if state.cleared else 0 :],
        points=sum(score.points for score in scores),
        rules=tuple(score.rule for score in scores),
        lit=tuple(card for score in scores for card in score.cards),
        told=tuple(i18n.tell(event, lang, names) for event in events),
        front=state.front,
    )


def _moments() -> list[tuple[list[Event], State]]:
    """What happens at one moment, with the state after it: a card and its points belong together."""
    moments: list[tuple[list[Event], State]] = []
    for event, state in _played():
        match event:
            case Pegged(reason=PeggedFor.PLAY):
                moments[-1] = ([*moments[-1][0], event], state)
            case Played() | WentGo() | Pegged():
                moments.append(([event], state))
    return moments


def _played() -> Iterator[tuple[Event, State]]:
    """Every event of the play with the state after it."""
    state = _before_the_play()
    for card in LAID:
        for event in decide(state, Play(state.turn, card)):
            if isinstance(event, Shown):
                return
            state = evolve(state, event)
            yield event, state


def _before_the_play() -> State:
    """The hands are kept. What was laid away and turned up the example leaves open; no jack, so no heels."""
    rules = variant("six-card", cut_before_deal=False, starter="top")
    other = [card for card in PACK if card not in HANDS[0] + HANDS[1]]
    away, starter = (tuple(other[:2]), tuple(other[2:4])), other[4]
    pone, dealer = (hand + laid_away for hand, laid_away in zip(HANDS, away, strict=True))
    dealt = tuple(card for pair in zip(pone, dealer, strict=True) for card in pair)
    state = start(rules, named=True)
    for action in (NameDealer(1), Deal(dealt), LayAway(0, away[0]), LayAway(1, away[1]), TurnUp(starter)):
        state, _ = step(state, action)
    return state
