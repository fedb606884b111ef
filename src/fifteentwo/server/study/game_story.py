"""A recorded game as pictures to step through: all cards open, with sentences for what happened.

A moment is one step: the draw, a deal, a discard, a card played with its points, or a hand counted. Each
moment has the picture before it and the picture after it. The cards of a count are turned down only in the
picture before the next moment, so that a card played for 31 is seen.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from fifteentwo import i18n
from fifteentwo.i18n.replay import revealed_event_text
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

_SCENE_STARTING_EVENTS = (DeckCut, Dealt, Discarded, StockCut, StarterTurned, Played, Shown, GameWon)
"""Events that begin a new scene."""
_CUT_BEFORE_EVENT = {Dealt: DeckCut, StarterTurned: StockCut}
"""A cut belongs to the scene of the event that follows it."""
_HAND_OR_CRIB_SHOWN = (PeggedFor.HAND, PeggedFor.CRIB)
_SEAT_FIELDS = ("seat", "hand", "kept", "discarded")
"""Fields of a View that belong to one seat; a picture has the cards of all seats instead."""


class CountedHand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand or crib counted in the show."""

    seat: int
    crib: bool
    cards: tuple[Card, ...]
    starter: Card
    scores: tuple[Score, ...]
    spoken: tuple[str, ...]
    named: tuple[i18n.NamedScore, ...]
    """The scores as learners count them."""
    points: int
    """Points of the hand, as the rules count it."""
    claimed: int | None = None
    """Points that the player claimed; None if scores are counted automatically."""
    done: bool = True
    """Whether the count is over: always true in a story."""


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A step: its actions, its deal, the pictures before and after it, and its sentences."""

    first: int
    """Index of its first action in the record; `last` is the index of its last one."""
    last: int
    deal: int
    before: int
    """Index of the picture before it; `after` is the index of the picture after it."""
    after: int
    sentences: tuple[str, ...]
    counted: CountedHand | None = None


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """A whole game as pictures and moments."""

    names: tuple[str, ...]
    """Names by seat at the end of the game; a draw for partners changes seats."""
    pictures: tuple[dict[str, Any], ...]
    """For each picture the fields that changed: of a View without its seat, and of all seats' cards."""
    moments: tuple[Moment, ...]


class _PlacedEvent(NamedTuple):
    step: int
    before: State
    event: Event


def tell_story(record: Record, lang: str, viewer: int | None = None) -> Story:
    """Return the story of a record. viewer: seat whose game it is; others' hidden cards are left out."""
    events, end = _placed_events(record)
    pictures = _Pictures()
    moments: list[Moment] = []
    called = False
    for scene in _scenes(events):
        # A cleared count and an ended deal show only in the picture before the next moment.
        ends = next((one for one in scene if isinstance(one.event, CountCleared | DealEnded)), None)
        after = evolve(scene[-1].before, scene[-1].event) if ends is None else ends.before
        sentences: list[str] = []
        for one in scene:
            called = is_called(called, one.event)
            names = seat_names(record, evolve(one.before, one.event), lang)
            sentences += revealed_event_text(
                one.event, lang, names, sides=record.rules.sides, called=called, viewer=viewer
            )
        steps = {"first": scene[0].step, "last": scene[-1].step, "deal": after.deal}
        steps |= {"before": pictures.index_of(scene[0].before), "after": pictures.index_of(after)}
        counted = _counted_hand(scene, lang)
        moments.append(Moment(**steps, sentences=tuple(sentences), counted=counted))
    return Story(
        names=seat_names(record, end, lang), pictures=tuple(pictures.changes), moments=tuple(moments)
    )


@cache
def _default_name_keys() -> dict[str, str]:
    """Return the text key of each name that a table gives to people without one, in every language."""
    named = re.compile(r"name\.guest|home\.you|level\.\w+")
    return {
        words: key
        for lang in i18n.LANGUAGES
        for key, words in i18n.catalogue(lang).items()
        if named.fullmatch(key)
    }


def seat_names(record: Record, state: State, lang: str) -> tuple[str, ...]:
    """Return the names by seat. Names that a table gave in another language are translated."""
    keys = _default_name_keys()
    return tuple(
        i18n.text(keys[name], lang) if name in keys else name or i18n.text("name.seat", lang, n=who + 1)
        for who, name in ((who, record.names[who]) for who in state.seating)
    )


def _placed_events(record: Record) -> tuple[list[_PlacedEvent], State]:
    state = start(record.rules, named=record.named)
    placed = []
    for step, (_, _, events) in enumerate(replay(record)):
        for event in events:
            placed.append(_PlacedEvent(step, state, event))
            state = evolve(state, event)
    return placed, state


def _scenes(events: Sequence[_PlacedEvent]) -> Iterator[list[_PlacedEvent]]:
    """Yield the events that are shown together. All events before the first deal are one scene."""
    scene: list[_PlacedEvent] = []
    for place, one in enumerate(events):
        if scene and _starts_scene(scene[0].event, events[place:]):
            yield scene
            scene = []
        scene.append(one)
    if scene:
        yield scene


def _starts_scene(first: Event, rest: Sequence[_PlacedEvent]) -> bool:
    event = rest[0].event
    if isinstance(event, Claimed):
        # A correct claim for a card belongs to the scene of the card.
        settled = next((one.event for one in rest if isinstance(one.event, ClaimSettled)), None)
        return not rest[0].before.shown and settled is not None and settled.claimed != settled.right
    return isinstance(event, _SCENE_STARTING_EVENTS) and type(first) is not _CUT_BEFORE_EVENT.get(type(event))


def _counted_hand(scene: Sequence[_PlacedEvent], lang: str) -> CountedHand | None:
    shown = scene[0]
    if not isinstance(shown.event, Shown) or shown.before.starter is None:
        return None
    scores: tuple[Score, ...] = ()
    claimed = None
    for one in scene:
        match one.event:
            case ClaimSettled() as settled:
                scores, claimed = settled.scores, settled.claimed
            case Pegged(reason=reason, scores=made) if reason in _HAND_OR_CRIB_SHOWN and made:
                scores = made
    return CountedHand(
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
    """A list of pictures, each stored as its changes from the picture before."""

    def __init__(self) -> None:
        self.changes: list[dict[str, Any]] = []
        self._last: dict[str, Any] = {}
        self._last_state: State | None = None

    def index_of(self, state: State) -> int:
        """Return the index of a state's picture, which is added unless the last picture is of this state."""
        if state is not self._last_state:
            whole = _picture_fields(state)
            change = {name: value for name, value in whole.items() if self._last.get(name, self) != value}
            if change or not self.changes:
                self.changes.append(change)
            self._last, self._last_state = whole, state
        return len(self.changes) - 1


def _picture_fields(state: State) -> dict[str, Any]:
    whole: dict[str, Any] = to_plain(view(state, 0))
    for name in _SEAT_FIELDS:
        del whole[name]
    cards = {"hands": state.hands, "hands_kept": state.kept, "discarded": state.discarded}
    return whole | {name: to_plain(held) for name, held in (cards | {"crib": state.crib}).items()}
