"""Recorded games in words; the cards of all seats are included once a game is over."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from fifteentwo.i18n.cards import cards_text
from fifteentwo.i18n.catalogue import text
from fifteentwo.i18n.events import event_text
from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import Dealt, DeckCut, Discarded, Event, is_called
from fifteentwo.rules.record import UNKNOWN, Record, last_state, replay, unknown_by_action


def replay_text(record: Record, lang: str) -> Iterator[str]:
    """Yield a line for each event; hands remain hidden in an unfinished game (R33, R39)."""
    if not record.actions:
        yield text("report.replay.not-begun", lang)
        return
    over = last_state(record).won is not None
    called = False
    for (_, state, events), unknown in zip(replay(record), unknown_by_action(record), strict=True):
        names = [record.names[who] or text("name.seat", lang, n=who + 1) for who in state.seating]
        for event in events:
            called = is_called(called, event)
            if over:
                sides = record.rules.sides
                yield from revealed_event_text(
                    event, lang, names, sides=sides, called=called, unknown=unknown
                )
            else:
                yield event_text(event, lang, names, sides=record.rules.sides, called=called)
    if not over:
        yield text("report.replay.not-over", lang)


def deals_text(
    record: Record, lang: str, reader: int | None = None
) -> Iterator[tuple[tuple[int, ...], list[str]]]:
    """Yield each side's score and the lines of each deal of a finished game; the draw comes first.

    reader: the number of the reader's name in the record.
    """
    front, lines, called, cut = (0,) * record.rules.sides, list[str](), False, False
    for _, state, events in replay(record):
        names = [record.names[who] or text("name.seat", lang, n=who + 1) for who in state.seating]
        viewer = None if reader is None else state.seating.index(reader)
        for event in events:
            # The cut before a deal belongs to the deal.
            if isinstance(event, DeckCut) or (isinstance(event, Dealt) and not cut):
                yield front, lines
                lines = []
            cut = isinstance(event, DeckCut)
            called = is_called(called, event)
            lines.extend(
                revealed_event_text(
                    event, lang, names, sides=record.rules.sides, called=called, viewer=viewer
                )
            )
        front = state.front
    yield front, lines


def revealed_event_text(
    event: Event,
    lang: str,
    names: Sequence[str],
    *,
    sides: int,
    called: bool,
    viewer: int | None = None,
    unknown: AbstractSet[Card] = frozenset(),
) -> Iterator[str]:
    """Yield lines about an event, with cards that were hidden at the time.

    viewer: the reader's seat. unknown: cards to show as "?", after the known ones.
    """
    match event:
        case Discarded(seat=seat, cards=cards) if seat != viewer:
            shown = _cards_text(cards, lang, unknown)
            yield text("report.replay.discarded", lang, name=names[seat], cards=shown)
        case Dealt(hands=hands, crib=crib):
            yield event_text(event, lang, names, sides=sides)
            for seat, (name, hand) in enumerate(zip(names, hands, strict=True)):
                key = "report.replay.dealt.you" if seat == viewer else "report.replay.dealt"
                yield text(key, lang, name=name, cards=_cards_text(hand, lang, unknown))
            if crib:
                yield text("report.replay.dealt-to-crib", lang, cards=cards_text(crib, lang))
        case _:
            yield event_text(event, lang, names, viewer=viewer, sides=sides, called=called)


def _cards_text(cards: Sequence[Card], lang: str, unknown: AbstractSet[Card]) -> str:
    known = [card for card in cards if card not in unknown]
    return cards_text([*known, *[UNKNOWN] * (len(cards) - len(known))], lang)
