"""Positions set up by hand: a game in the middle, without playing up to it."""

from collections.abc import Iterable, Sequence

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
"""The rules of every variant, nothing else chosen."""
every_variant = pytest.mark.parametrize("rules", ALL, ids=VARIANTS)


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
    """The play is about to begin: seat 0 leads unless another dealer is named.

    Hands may be short; what is missing is filled up for the show only.
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
    """All but the dealer's last card are played; that card scores only last card, and the show follows it.

    Of too many hands, and of a hand too long for the variant, the first are taken.
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
    """Everything is ready for the first deal."""
    state, _ = step(start(rules, named=True), NameDealer(dealer))
    if rules.cut_before_deal:
        state, _ = step(state, Cut(state.eldest, 20))
    return state


def dealt(rules: Rules, dealer: int = 0, deck: Sequence[Card] = DECK) -> State:
    """The cards are dealt, from the top of `deck`."""
    number = rules.seats * rules.dealt + rules.dealt_to_crib
    return step(dealing(rules, dealer), Deal(tuple(deck[:number])))[0]


def discarded(rules: Rules, dealer: int = 0, deck: Sequence[Card] = DECK) -> State:
    """All seats have discarded the first cards held."""
    state = dealt(rules, dealer, deck)
    for seat in range(rules.seats):
        state, _ = step(state, Discard(seat, state.hands[seat][: rules.discards]))
    return state


def drawing(rules: Rules, *draws: str) -> tuple[State, tuple[Event, ...]]:
    """Draws "0:5H" by seat, one after the other; the state and all events."""
    state, result = start(rules), tuple[Event, ...]()
    for at, word in enumerate(draws):
        seat, _, card = word.partition(":")
        state, result = do(state, [Draw(int(seat), at), TurnUp(Card(card))], result)
    return state, result


def do(
    state: State, actions: Iterable[Action], result: tuple[Event, ...] = ()
) -> tuple[State, tuple[Event, ...]]:
    """One action after the other; the state and everything that happened."""
    for action in actions:
        state, events = step(state, action)
        result = (*result, *events)
    return state, result


def plays(*words: str) -> list[Play]:
    """Plays written "0:5H"."""
    return [Play(int(word[0]), Card(word[2:])) for word in words]


def pegging_entries(events: Iterable[Event]) -> list[list[object]]:
    """The play as the documents write it: [seat, card, count, points], [seat, "go"], [seat, "last", 1]."""
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
    """Every move of a peg: what for, the side, the points."""
    return [(event.reason, event.side, event.points) for event in events if isinstance(event, Pegged)]


def counts(events: Iterable[Event]) -> list[int]:
    """The totals at which counts ended."""
    return [event.count for event in events if isinstance(event, CountCleared)]


def refused(state: State, action: Action, code: str, rule: str) -> None:
    """The action is refused with this code and rule, and is not among the legal ones."""
    assert action not in legal(state)
    with pytest.raises(IllegalAction) as caught:
        step(state, action)
    assert (caught.value.code, caught.value.rule) == (code, rule)
    assert code in str(caught.value)
    assert rule in str(caught.value)
