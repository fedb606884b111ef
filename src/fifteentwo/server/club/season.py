"""The standings of a season: the best evenings of each member count."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from fifteentwo.server.club.scores import ScoreCard, ranked


class EveningCards(msgspec.Struct, frozen=True):
    """A finished evening as the season counts it."""

    evening_id: str
    cards: Mapping[int, ScoreCard]
    members: Mapping[int, str]
    """The account of each record's player; guests and levels are left out."""
    hands: Mapping[int, tuple[int, int]] = {}
    """Points of all hands of each record, and number of hands; real cards leave none."""
    adjusted: Mapping[int, tuple[float, int]] = {}
    """Games won with luck taken out, as a sum of percentages, and number of reviewed games."""


class SeasonLine(NamedTuple):
    """The season of one member. Points, games won and spread are of the evenings that count."""

    member: str
    counted: tuple[str, ...]
    """The evenings that count, in the order in which they were played."""
    points: int
    won: int
    spread: int
    evenings: int
    """Evenings in which the member played; the following figures are of all of them."""
    skunks: int
    average_hand: float | None
    adjusted: float | None
    """Games won with luck taken out, in percent of the reviewed games."""


class HeadToHead(NamedTuple):
    """One member's games against another."""

    won: int = 0
    lost: int = 0
    spread: int = 0


def season_standings(evenings: Sequence[EveningCards], best: int) -> list[tuple[int, SeasonLine]]:
    """Return the places of all members. best: number of evenings that count for each."""
    of_member = defaultdict[str, list[tuple[EveningCards, int]]](list)
    for evening in evenings:
        for record, member in evening.members.items():
            of_member[member].append((evening, record))
    lines = [_season_line(member, played, best) for member, played in of_member.items()]
    return ranked(lines, lambda line: (line.points, line.won, line.spread))


def _season_line(member: str, played: Sequence[tuple[EveningCards, int]], best: int) -> SeasonLine:
    cards = [evening.cards[record] for evening, record in played]
    order = sorted(range(len(cards)), key=lambda number: cards[number].order, reverse=True)
    counted = sorted(order[:best])
    points, won, spread = map(sum, zip(*(cards[number].order for number in counted), strict=True))
    hand = _mean(one.hands.get(record, (0, 0)) for one, record in played)
    adjusted = _mean(one.adjusted.get(record, (0, 0)) for one, record in played)
    return SeasonLine(
        member=member,
        counted=tuple(played[number][0].evening_id for number in counted),
        points=points,
        won=won,
        spread=spread,
        evenings=len(cards),
        skunks=sum(card.skunks for card in cards),
        average_hand=hand,
        adjusted=adjusted,
    )


def _mean(sums: Iterable[tuple[float, int]]) -> float | None:
    """Return the mean of sums and their numbers; None if all numbers are 0."""
    totals, numbers = zip(*sums, strict=True)
    return sum(totals) / sum(numbers) if any(numbers) else None


def head_to_head(evenings: Sequence[EveningCards]) -> dict[tuple[str, str], HeadToHead]:
    """Return the games of each member against each other member."""
    found = defaultdict[tuple[str, str], HeadToHead](HeadToHead)
    for evening in evenings:
        for record, member in evening.members.items():
            for line in evening.cards[record].lines:
                if line.opponent is not None and line.opponent in evening.members:
                    pair = member, evening.members[line.opponent]
                    won, lost, spread = found[pair]
                    found[pair] = HeadToHead(
                        won + line.is_won, lost + (not line.is_won), spread + line.spread
                    )
    return dict(found)
