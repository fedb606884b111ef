"""Games from the events that `fifteentwo replay --json` prints, one event a line.

Events do not contain names and options; the first options under which the same events happen are used.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from fifteentwo.formats.deals import Notice
from fifteentwo.rules.actions import (
    Accept,
    Action,
    CallMuggins,
    Claim,
    Cut,
    Deal,
    Discard,
    Draw,
    Forfeit,
    NameDealer,
    Play,
    TurnUp,
)
from fifteentwo.rules.errors import FifteenTwoError, IllegalAction, NotationError
from fifteentwo.rules.events import (
    Accepted,
    Claimed,
    DealEnded,
    DealerChosen,
    Dealt,
    DeckCut,
    Discarded,
    Drew,
    Event,
    ForfeitedFor,
    GameWon,
    MugginsCalled,
    PartnersMade,
    Pegged,
    Picked,
    Played,
    StarterTurned,
    StockCut,
)
from fifteentwo.rules.game import step
from fifteentwo.rules.record import Record, from_json
from fifteentwo.rules.state import start
from fifteentwo.rules.variants import Counting, Muggins, Rules, Variant, rules_for

Lines = list[tuple[Event, int]]
"""Events with their line numbers."""


def read(text: str) -> tuple[Record, tuple[Notice, ...]]:
    """Return a game and notices about it; raise NotationError at the first line that is wrong."""
    lines = _events(text)
    actions = _actions(lines)
    drawn = any(isinstance(event, Picked) for event, _ in lines)
    furthest = -1
    for rules in _possible_rules(lines):
        agreed = _count_equal(rules, actions, lines, named=not drawn)
        if agreed == len(lines):
            record = Record(rules=rules, names=("",) * rules.seats, actions=tuple(actions), named=not drawn)
            return record, (Notice("names-not-written"),)
        furthest = max(furthest, agreed)
    place = min(max(furthest, 0), len(lines) - 1)
    raise NotationError("event-disagrees", _name(lines[place][0]), lines[place][1])


def _events(text: str) -> Lines:
    lines: Lines = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                lines.append((from_json(line, Event), number))  # type: ignore[arg-type]
            except NotationError as error:
                raise NotationError("not-an-event", line, number) from error
    return lines


def _name(event: Event) -> str:
    return type(event).__name__


def _actions(lines: Lines) -> list[Action]:
    """Return the actions that the events stand for; forced events have none."""
    actions: list[Action] = []
    dealer, drawn = 0, False
    for event, line in lines:
        drawn = drawn or isinstance(event, Picked)
        if isinstance(event, DealerChosen) and not drawn:
            actions.append(NameDealer(event.dealer))
        if isinstance(event, DealerChosen | DealEnded):
            dealer = event.dealer
        if isinstance(event, Dealt):
            sizes = {len(hand) for hand in event.hands}
            if len(sizes) != 1 or 0 in sizes:
                raise NotationError("hands-hidden", _name(event), line)
            order = [event.hands[(dealer + 1 + by) % len(event.hands)] for by in range(len(event.hands))]
            actions.append(Deal((*(card for row in zip(*order, strict=True) for card in row), *event.crib)))
        elif (action := _action(event)) is not None:
            actions.append(action)
    return actions


def _action(event: Event) -> Action | None:
    match event:
        case Picked(seat=seat, at=at):
            return Draw(seat, at)
        case Drew(card=card) | StarterTurned(card=card):
            return TurnUp(card)
        case DeckCut(seat=seat, at=at) | StockCut(seat=seat, at=at):
            return Cut(seat, at)
        case Discarded(seat=seat, cards=cards):
            return Discard(seat, cards)
        case Played(seat=seat, card=card):
            return Play(seat, card)
        case Claimed(seat=seat, points=points):
            return Claim(seat, points)
        case MugginsCalled(seat=seat):
            return CallMuggins(seat)
        case Accepted(seat=seat):
            return Accept(seat)
        case GameWon(forfeited=seat, why=why) if seat is not None:
            return Forfeit(seat, why or ForfeitedFor.RESIGNED)
    return None


def _possible_rules(lines: Lines) -> Iterator[Rules]:
    """Yield all rules under which the game may have been played, the most usual first."""
    kinds = {type(event) for event, _ in lines}
    by_events: dict[str, Any] = {
        "cut_before_deal": DeckCut in kinds,
        "starter": "cut" if StockCut in kinds else "top",
        "partners_by_draw": PartnersMade in kinds,
    }
    counting = [Counting.CLAIMED, Counting.HANDS] if Claimed in kinds else [Counting.AUTOMATIC]
    muggins = list(Muggins) if Claimed in kinds else [Muggins.OFF]
    firsts = ["low", "high"] if Picked in kinds else ["named"]
    for variant, first, how, calls, target, skunks in product(
        _variants(lines),
        firsts,
        counting,
        muggins,
        _targets(lines),
        ((True, False), (True, True), (False, False)),
    ):
        options = by_events | {
            "first_dealer": first,
            "counting": how.value,
            "muggins": calls.value,
            "target": target,
            "skunk": skunks[0],
            "double_skunk": skunks[1],
        }
        try:
            yield rules_for(variant, **options)
        except FifteenTwoError:
            continue


def _variants(lines: Lines) -> Sequence[Variant]:
    dealt = next((event for event, _ in lines if isinstance(event, Dealt)), None)
    if dealt is None:
        return tuple(Variant)
    if len(dealt.hands) == 2:
        return (Variant.SIX_CARD if len(dealt.hands[0]) == 6 else Variant.FIVE_CARD,)
    return (Variant.THREE_HANDED,) if len(dealt.hands) == 3 else (Variant.PARTNERS, Variant.FOUR_HANDED)


def _targets(lines: Lines) -> Sequence[int]:
    most = max((event.score for event, _ in lines if isinstance(event, Pegged)), default=0)
    won = any(isinstance(event, GameWon) and event.forfeited is None for event, _ in lines)
    if most > 61 or (most == 61 and not won):
        return (121,)
    return (61,) if won else (121, 61)


def _count_equal(rules: Rules, actions: Sequence[Action], lines: Lines, *, named: bool) -> int:
    """Return how many of the events happen in the same order under these rules."""
    state, at = start(rules, named=named), 0
    for action in actions:
        try:
            state, events = step(state, action)
        except IllegalAction:
            return at
        for event in events:
            if at == len(lines) or lines[at][0] != event:
                return at
            at += 1
    return at
