"""Games in notations of other programs: cribbage-zero's, made here, and histories of OpenSpiel 2.0."""

from pathlib import Path

import msgspec

from fifteentwo.formats.deals import notation_rules, to_written_game
from fifteentwo.rules.actions import Deal, NameDealer
from fifteentwo.rules.events import CountCleared, Pegged, PeggedFor, Played
from fifteentwo.rules.record import Record, from_json, replay
from fifteentwo.rules.show import points
from tests.formats.written_games import written_game


class History(msgspec.Struct, frozen=True):
    """A game that OpenSpiel played at random, with OpenSpiel's result."""

    players: int
    scores: tuple[int, ...]
    winner: int
    notices: tuple[str, ...]
    history: str


HISTORIES = from_json(
    Path(__file__).with_name("samples").joinpath("openspiel.json").read_bytes(), tuple[History, ...]
)


def whole_games(numbers: range) -> list[Record]:
    """Return two-handed six-card games in which seat 0 deals first."""
    games = []
    for number in numbers:
        record = written_game(number, notation_rules(121))
        games += [record] if NameDealer(0) in record.actions else []
    return games


def cribbage_zero(record: Record) -> str:
    """Return a game in cribbage-zero's notation, with every score."""
    pegging: list[list[tuple[str, int]]] = []
    for action, _, events in replay(record):
        if isinstance(action, Deal):
            pegging.append([])
        for event in events:
            if isinstance(event, Played):
                pegging[-1].append((event.card.text, 0))
            elif isinstance(event, Pegged) and event.reason in (PeggedFor.PLAY, PeggedFor.LAST_CARD):
                card, before = pegging[-1].pop()
                pegging[-1].append((card, before + event.points))
            elif isinstance(event, CountCleared):
                pegging[-1][-1] = (f"{pegging[-1][-1][0]} |", pegging[-1][-1][1])
    lines = [f'[FirstDealer "{record.names[0]}"]', f'[FirstPone "{record.names[1]}"]']
    for number, deal in enumerate(to_written_game(record).deals):
        lines += ["", f"{number + 1}."]
        for seat in (0, 1):
            six = sorted((*deal.kept[seat], *deal.discarded[seat]), key=lambda card: card.index)
            made = points(deal.kept[seat], deal.starter)
            discard = " ".join(card.text for card in deal.discarded[seat])
            lines.append(
                f"  H{seat + 1} {' '.join(map(str, six))}  D{seat + 1} {discard}  S{seat + 1} {made}"
            )
        crib = (*deal.discarded[0], *deal.discarded[1])
        lines.append(f"  SC {points(crib, deal.starter, crib=True)}")
        lines.append(f"  C {deal.starter}" + ("  SH 2" if deal.starter.text[0] == "J" else ""))
        lines.append(f"  P {' '.join(card for card, _ in pegging[number])}")
        lines.append(f"  SP {' '.join(str(made) for _, made in pegging[number])}")
    return "\n".join(lines) + "\n"
