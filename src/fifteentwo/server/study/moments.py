"""A recorded game as pictures that are stepped through: all cards open, and a sentence for all that happened.

A moment is one picture: the draw, a deal, a discard, a card played with what it pegs, a hand
counted. Each has the picture before it and the one after it; a count is turned down only in the picture
before the next moment, so that a card played for 31 is still seen.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from fifteentwo import i18n
from fifteentwo.i18n.replay import open_event_text
from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import (
    Claimed,
    ClaimSettled,
    CountCleared,
    DealEnded,
    Dealt,
    DeckCut,
    Discarded,
    Event,
    GameWon,
    Pegged,
    PeggedFor,
    Played,
    Score,
    Shown,
    StarterTurned,
    StockCut,
    is_called,
)
from fifteentwo.rules.record import Record, replay, to_plain
from fifteentwo.rules.state import State, evolve, start
from fifteentwo.rules.view import view

_BEGIN = (DeckCut, Dealt, Discarded, StockCut, StarterTurned, Played, Shown, GameWon)
_CUTS = {Dealt: DeckCut, StarterTurned: StockCut}
"""What follows a cut belongs to it."""
_SHOWN = (PeggedFor.HAND, PeggedFor.CRIB)
_ONE_SEAT_ONLY = ("seat", "hand", "kept", "discarded")
"""Of a View: in their place stand the cards of all seats."""


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """A hand or crib counted out, as the table shows it."""

    seat: int
    crib: bool
    cards: tuple[Card, ...]
    starter: Card
    scores: tuple[Score, ...]
    spoken: tuple[str, ...]
    """One a score."""
    named: tuple[i18n.NamedScore, ...]
    """As learners count it."""
    points: int
    claimed: int | None = None
    done: bool = True


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """One step: the actions it spans, its deal, the pictures before and after it, and its sentences."""

    first: int
    last: int
    """Indices into the record's actions."""
    deal: int
    before: int
    after: int
    """Indices into the pictures."""
    sentences: tuple[str, ...]
    counted: Counted | None = None


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """A whole game to be stepped through."""

    names: tuple[str, ...]
    """By seat, as it was once partners were drawn."""
    pictures: tuple[dict[str, Any], ...]
    """Each as what is otherwise than in the one before: a View without a seat, and every seat's cards."""
    moments: tuple[Moment, ...]


class _Happened(NamedTuple):
    """An event with the index of its action, and the state before it."""

    step: int
    before: State
    event: Event


def story(record: Record, lang: str, viewer: int | None = None) -> Story:
    """Return the game of a record, as a seat saw it if one is given; IllegalAction if it breaks the rules."""
    happened, end = _events(record)
    pictures = _Pictures()
    moments: list[Moment] = []
    called = False
    for scene in _scenes(happened):
        after = _seen(scene)
        sentences: list[str] = []
        for one in scene:
            called = is_called(called, one.event)
            names = _names(record, evolve(one.before, one.event), lang)
            openly = open_event_text(
                one.event, lang, names, sides=record.rules.sides, called=called, viewer=viewer
            )
            sentences.extend(openly)
        moments.append(
            Moment(
                first=scene[0].step,
                last=scene[-1].step,
                deal=after.deal,
                before=pictures.number(scene[0].before),
                after=pictures.number(after),
                sentences=tuple(sentences),
                counted=_counted(scene, lang),
            )
        )
    return Story(names=_names(record, end, lang), pictures=tuple(pictures.changes), moments=tuple(moments))


def _names(record: Record, state: State, lang: str) -> tuple[str, ...]:
    return tuple(record.names[who] or i18n.text("name.seat", lang, n=who + 1) for who in state.seating)


def _events(record: Record) -> tuple[list[_Happened], State]:
    state = start(record.rules, named=record.named)
    happened = []
    for step, (_, _, events) in enumerate(replay(record)):
        for event in events:
            happened.append(_Happened(step, state, event))
            state = evolve(state, event)
    return happened, state


def _scenes(happened: Sequence[_Happened]) -> Iterator[list[_Happened]]:
    """Events that are seen together; all before the first deal is one scene."""
    scene: list[_Happened] = []
    for place, one in enumerate(happened):
        if scene and _begins(scene[0].event, happened[place:]):
            yield scene
            scene = []
        scene.append(one)
    if scene:
        yield scene


def _begins(first: Event, rest: Sequence[_Happened]) -> bool:
    event = rest[0].event
    if isinstance(event, Claimed):
        # A card's claim is seen with the card unless it is wrong.
        settled = next((one.event for one in rest if isinstance(one.event, ClaimSettled)), None)
        return not rest[0].before.shown and settled is not None and settled.claimed != settled.right
    return isinstance(event, _BEGIN) and type(first) is not _CUTS.get(type(event))


def _seen(scene: Sequence[_Happened]) -> State:
    ends = next((one for one in scene if isinstance(one.event, CountCleared | DealEnded)), None)
    return evolve(scene[-1].before, scene[-1].event) if ends is None else ends.before


def _counted(scene: Sequence[_Happened], lang: str) -> Counted | None:
    shown = scene[0]
    if not isinstance(shown.event, Shown) or shown.before.starter is None:
        return None
    scores: tuple[Score, ...] = ()
    claimed = None
    for one in scene:
        match one.event:
            case ClaimSettled() as settled:
                scores, claimed = settled.scores, settled.claimed
            case Pegged(reason=reason, scores=made) if reason in _SHOWN and made:
                scores = made
    return Counted(
        seat=shown.event.seat,
        crib=shown.event.crib,
        cards=shown.event.cards,
        starter=shown.before.starter,
        scores=scores,
        spoken=tuple(i18n.spoken(scores, lang)),
        named=i18n.named(scores, lang),
        points=sum(score.points for score in scores),
        claimed=claimed,
    )


class _Pictures:
    """Pictures by number, each kept as what it changes."""

    def __init__(self) -> None:
        self.changes: list[dict[str, Any]] = []
        self._last: dict[str, Any] = {}
        self._shows: State | None = None

    def number(self, state: State) -> int:
        """The number of the picture of a state; a new one unless it is the last one's."""
        if state is not self._shows:
            whole = _picture(state)
            change = {name: value for name, value in whole.items() if self._last.get(name, self) != value}
            if change or not self.changes:
                self.changes.append(change)
            self._last, self._shows = whole, state
        return len(self.changes) - 1


def _picture(state: State) -> dict[str, Any]:
    whole: dict[str, Any] = to_plain(view(state, 0))
    for name in _ONE_SEAT_ONLY:
        del whole[name]
    return whole | {
        "hands": to_plain(state.hands),
        "hands_kept": to_plain(state.kept),
        "discarded": to_plain(state.discarded),
        "crib": to_plain(state.crib),
    }
