"""Positions in the middle of a game, created without playing up to them."""

from collections.abc import Callable, Iterable, Sequence

import msgspec
import pytest

from fifteentwo.rules.actions import Action, Cut, Deal, Discard, Draw, NameDealer, Play, TurnUp
from fifteentwo.rules.cards import DECK, Card, cards
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import CountCleared, Event, Pegged, PeggedFor, Played, Shown, WentGo
from fifteentwo.rules.game import legal, step
from fifteentwo.rules.state import Phase, State, start
from fifteentwo.rules.variants import Rules, rules_for

VARIANTS = ("six-card", "five-card", "three-handed", "partners", "four-handed")
ALL = tuple(rules_for(variant) for variant in VARIANTS)
"""The default rules of every variant."""


def every_variant(test: Callable[[Rules], None]) -> Callable[[pytest.Subtests], None]:
    """Run a test with the default rules of every variant, each as a subtest."""

    def run(subtests: pytest.Subtests) -> None:
        for rules in ALL:
            with subtests.test(variant=rules.variant):
                test(rules)

    run.__doc__ = test.__doc__
    return run


def read(words: str | Sequence[str]) -> tuple[Card, ...]:
    return cards(words if isinstance(words, str) else " ".join(words))


def at_play(
    rules: Rules,
    hands: Sequence[str | Sequence[str]],
    *,
    starter: str | None = None,
    crib: str | Sequence[str] = (),
    front: Sequence[int] | None = None,
    dealer: int | None = None,
) -> State:
    """Return a state at the start of pegging, in which seat 0 leads unless another dealer is named.

    Hands may be short; they are completed for the show only.
    """
    held = tuple(read(hand) for hand in hands)
    used = {card for hand in held for card in hand}
    cards_played = tuple(sorted(read(crib)))
    rest = [card for card in DECK if card not in used and card not in cards_played]
    turned = Card(starter) if starter else next(card for card in rest if card.rank != 11)
    rest = [card for card in rest if card is not turned]
    if not cards_played:
        cards_played, rest = tuple(rest[:4]), rest[4:]
    kept = []
    for hand in held:
        missing = max(rules.kept - len(hand), 0)
        kept.append((*hand, *rest[:missing]))
        rest = rest[missing:]
    scores = tuple(front) if front is not None else (0,) * rules.sides
    return msgspec.structs.replace(
        start(rules, named=True),
        phase=Phase.PLAY,
        dealer=rules.seats - 1 if dealer is None else dealer,
        deal=1,
        hands=held,
        kept=tuple(kept),
        discarded=(cards_played[:2],) * rules.seats,
        crib=cards_played,
        starter=turned,
        turn=0 if dealer is None else (dealer + 1) % rules.seats,
        front=scores,
        rear=scores,
    )


def before_last_card(
    rules: Rules,
    hands: Sequence[str | Sequence[str]],
    *,
    starter: str,
    crib: str | Sequence[str],
    front: Sequence[int] | None = None,
) -> tuple[State, Play]:
    """Return a state in which the dealer's last card is left; it scores only last card, before the show.

    Superfluous hands and cards are ignored.
    """
    held = [[card.text for card in read(hand)[: rules.kept]] for hand in hands[: rules.seats]]
    state = at_play(rules, held, starter=starter, crib=crib, front=front)
    seat = rules.seats - 1
    card = state.hands[seat][-1]
    played = tuple(
        (other, held) for other, hand in enumerate(state.hands) for held in hand if held is not card
    )
    state = msgspec.structs.replace(
        state,
        hands=tuple((card,) if other == seat else () for other in range(rules.seats)),
        played=played,
        count_ends=(len(played),),
        turn=seat,
    )
    return state, Play(seat, card)


def dealing(rules: Rules, dealer: int = 0) -> State:
    state, _ = step(start(rules, named=True), NameDealer(dealer))
    if rules.cut_before_deal:
        state, _ = step(state, Cut(state.eldest, 20))
    return state


def dealt(rules: Rules, dealer: int = 0, deck: Sequence[Card] = DECK) -> State:
    number = rules.seats * rules.dealt + rules.dealt_to_crib
    return step(dealing(rules, dealer), Deal(tuple(deck[:number])))[0]


def discarded(rules: Rules, dealer: int = 0, deck: Sequence[Card] = DECK) -> State:
    """Return a state in which all seats have discarded their first cards."""
    state = dealt(rules, dealer, deck)
    for seat in range(rules.seats):
        state, _ = step(state, Discard(seat, state.hands[seat][: rules.discards]))
    return state


def drawing(rules: Rules, *draws: str) -> tuple[State, tuple[Event, ...]]:
    """Do draws such as "0:5H" by seat; return the state and all events."""
    state, result = start(rules), tuple[Event, ...]()
    for at, word in enumerate(draws):
        seat, _, card = word.partition(":")
        state, result = do(state, [Draw(int(seat), at), TurnUp(Card(card))], result)
    return state, result


def do(
    state: State, actions: Iterable[Action], result: tuple[Event, ...] = ()
) -> tuple[State, tuple[Event, ...]]:
    for action in actions:
        state, events = step(state, action)
        result = (*result, *events)
    return state, result


def plays(*words: str) -> list[Play]:
    """Return plays from texts such as "0:5H"."""
    return [Play(int(word[0]), Card(word[2:])) for word in words]


def pegging_entries(events: Iterable[Event]) -> list[list[object]]:
    """Return pegging as in the documents: [seat, card, count, points], [seat, "go"], [seat, "last", 1]."""
    result: list[list[object]] = []
    for event in events:
        match event:
            case Played(seat=seat, card=card, count=count):
                result.append([seat, card.text, count, 0])
            case WentGo(seat=seat):
                result.append([seat, "go"])
            case Pegged(reason=PeggedFor.PLAY, points=points):
                result[-1][3] = points
            case Pegged(reason=PeggedFor.LAST_CARD, seat=seat, points=points):
                result.append([seat, "last", points])
            case Shown():
                break
            case _:
                pass
    return result


def pegged(events: Iterable[Event]) -> list[tuple[PeggedFor, int, int]]:
    """Return every move of a peg: reason, side and points."""
    return [(event.reason, event.side, event.points) for event in events if isinstance(event, Pegged)]


def counts(events: Iterable[Event]) -> list[int]:
    """Return the totals at which counts ended."""
    return [event.count for event in events if isinstance(event, CountCleared)]


def refused(state: State, action: Action, code: str, rule: str) -> None:
    """Check that an action is refused with this code and rule, and is not among the legal ones."""
    assert action not in legal(state)
    with pytest.raises(IllegalAction) as caught:
        step(state, action)
    assert (caught.value.code, caught.value.rule) == (code, rule)
    assert rule in str(caught.value)
