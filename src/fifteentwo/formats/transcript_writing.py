"""The transcript of the cribbage forum, written (`transcript` reads it)."""

from fifteentwo.formats import forfeit_lines
from fifteentwo.formats.deals import (
    CannotBeWritten,
    Cards,
    GameBuilder,
    WrittenDeal,
    notation_rules,
    to_written_game,
)
from fifteentwo.formats.transcript import NO_NAME, count_and_points
from fifteentwo.rules.actions import Deal
from fifteentwo.rules.events import DealerChosen, Event, GameWon
from fifteentwo.rules.record import UNKNOWN, Record, replay
from fifteentwo.rules.state import start


def write(record: Record) -> str:
    """Return the game as a transcript with all suits; raise CannotBeWritten if it cannot express the game."""
    deals, rest = to_written_game(record)
    if not deals and not rest:
        raise CannotBeWritten("format-no-deals")
    wrong = next((n for n, deal in enumerate(deals, 1) if deal.missed or deal.overclaimed), None)
    if wrong is not None:
        raise CannotBeWritten("format-claim", wrong)
    names = [" ".join(name.split()) or NO_NAME for name in record.names]
    fronts = _scores_before_deals(record)
    builder = GameBuilder(notation_rules(record.rules.target))
    blocks = []
    for number, deal in enumerate(deals):
        played = builder.add(deal)
        unknown = record.unknown if number + 1 == len(deals) else ()
        blocks.append(_block_text(number + 1, deal, fronts[number], names, played, unknown))
    if rest:
        pone = _first_pone(record)
        blocks.append(
            "".join(
                f"{line}\n"
                for line in forfeit_lines.written_lines(record, rest, whole=bool(deals), turned=pone)
            )
        )
    return "\n".join(blocks)


def _first_pone(record: Record) -> int:
    """Return the first pone, who has seat 0 in this notation, or 0 if there is no dealer."""
    for _, state, events in replay(record):
        if any(isinstance(event, DealerChosen) for event in events):
            return state.eldest
    return 0


def _scores_before_deals(record: Record) -> list[tuple[int, ...]]:
    fronts, before = [], start(record.rules, named=record.named)
    for action, after, _ in replay(record):
        if isinstance(action, Deal):
            fronts.append(before.front)
        before = after
    return fronts


def _block_text(
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
        count, points = count_and_points(events)
        words.append(f"{card} ({count}-{points})" if points else str(card))
        if any(isinstance(event, GameWon) for event in events):
            break
    return " ".join(words)
