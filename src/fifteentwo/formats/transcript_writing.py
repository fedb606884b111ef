"""The transcript of the cribbage forum, written (`transcript` reads it)."""

from fifteentwo.formats import ending
from fifteentwo.formats.deals import (
    CannotBeWritten,
    Cards,
    GameBuilder,
    WrittenDeal,
    deals_of,
    notation_rules,
)
from fifteentwo.formats.transcript import NO_NAME, made
from fifteentwo.rules.events import DealerChosen, Event, GameWon
from fifteentwo.rules.record import UNKNOWN, Record, replay
from fifteentwo.rules.state import start


def write(record: Record) -> str:
    """The game as a transcript with every suit; CannotBeWritten where it has no sign for something in it."""
    deals, rest = deals_of(record)
    if not deals and not rest:
        raise CannotBeWritten("format-no-deals")
    wrong = next((n for n, deal in enumerate(deals, 1) if deal.missed or deal.over), None)
    if wrong is not None:
        raise CannotBeWritten("format-claim", wrong)
    names = [" ".join(name.split()) or NO_NAME for name in record.names]
    fronts = _fronts(record)
    rules, builder = notation_rules(record.rules.target), GameBuilder(notation_rules(record.rules.target))
    assert rules.target == record.rules.target
    blocks = []
    for number, deal in enumerate(deals):
        played = builder.add(deal)
        unknown = record.unknown if number + 1 == len(deals) else ()
        blocks.append(_written(number + 1, deal, fronts[number], names, played, unknown))
    if rest:
        pone = _first_pone(record)
        blocks.append(
            "".join(f"{line}\n" for line in ending.lines_of(record, rest, whole=bool(deals), turned=pone))
        )
    return "\n".join(blocks)


def _first_pone(record: Record) -> int:
    """Who is first dealt to, whom this notation puts at seat 0; 0 where there is no dealer."""
    for _, state, events in replay(record):
        if any(isinstance(event, DealerChosen) for event in events):
            return state.eldest
    return 0


def _fronts(record: Record) -> list[tuple[int, ...]]:
    """The score before each deal."""
    fronts, before = [], start(record.rules, named=record.named)
    for action, after, _ in replay(record):
        if type(action).__name__ == "Deal":
            fronts.append(before.front)
        before = after
    return fronts


def _written(
    number: int,
    deal: WrittenDeal,
    front: tuple[int, ...],
    names: list[str],
    played: list[tuple[Event, ...]],
    unknown: Cards,
) -> str:
    pone = 1 - deal.dealer

    def text(cards: Cards) -> str:
        return "-".join(UNKNOWN if card in unknown else card.text for card in cards)

    discarded = [text(deal.discarded[seat]) for seat in (pone, deal.dealer)]
    hands = [text(deal.kept[seat]) for seat in (pone, deal.dealer)]
    lines = [
        f"Deal {number}",
        "",
        f"PONE ({front[pone]}): {names[pone]}",
        f"{hands[0]}  ({discarded[0]})",
        f"play: {_pegging_text(deal, played)}".rstrip(),
        f"crib: {discarded[0]} {discarded[1]}",
        f"cut: {deal.starter}",
        f"{hands[1]}  ({discarded[1]})",
        f"DEALER ({front[deal.dealer]}*): {names[deal.dealer]}",
    ]
    return "".join(f"{line}\n" for line in lines)


def _pegging_text(deal: WrittenDeal, played: list[tuple[Event, ...]]) -> str:
    words = []
    for card, events in zip(deal.play, played, strict=False):
        count, points = made(events)
        words.append(f"{card} ({count}-{points})" if points else str(card))
        if any(isinstance(event, GameWon) for event in events):
            break
    return " ".join(words)
