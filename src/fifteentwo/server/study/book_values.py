"""What the pages of the Book show: entries, maps and positions as templates want them. Loaded late."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.book_entry import Chances, DiscardEntry, Entry, entry, joined, report
from fifteentwo.analysis.book_play import Asked, Position, address, position
from fifteentwo.analysis.book_zones import Zones, bands_of, zones
from fifteentwo.i18n.catalogue import text
from fifteentwo.i18n.figures import difference
from fifteentwo.rules.cards import Card
from fifteentwo.rules.variants import TARGETS
from fifteentwo.server.study.book_address import hand_address

BARS = ("hand", "crib", "play", "deal")
LETTERS = "ABCDEFGHIJKLMNO"
COLOURS = 8
MAP_WIDTH = 121
"""Of a map, in units of its own."""
"""Zones with a colour of their own; those beyond share the last."""
HEIGHT, CHART_WIDTH = 96, 320
"""Of a picture of chances, in units of its own."""


class Bar(NamedTuple):
    """One number of points: how likely, and where its bar stands."""

    points: int
    chance: float
    x: float
    y: float
    height: float


class Picture(NamedTuple):
    """Chances drawn: bars, the mean's place, and the numbers below."""

    name: str
    bars: tuple[Bar, ...]
    width: float
    mean: float
    mean_x: float
    labels: tuple[tuple[float, int], ...]


class Row(NamedTuple):
    """A discard in the table."""

    choice: DiscardEntry
    away: str
    lost: float
    """Of win chance, the best's less its own as both are printed."""
    place: float
    """Of its chance between those of the worst and the best discard, 0 to 100."""
    whisker: float
    """Two standard errors by the same measure."""
    crib: float
    """As it counts: less, where it is the other's."""
    net: float
    """Hand, crib and play as they are printed, together."""


class Page(NamedTuple):
    """An entry of the Book."""

    entry: Entry
    rows: tuple[Row, ...]
    chosen: Row
    pictures: tuple[Picture, ...]


def entry_of(dealt: tuple[Card, ...], dealer: bool, board: tuple[int, int]) -> Entry:
    """Return an entry."""
    return entry(dealt, dealer=dealer, board=board)


def page(found: Entry, dealer: bool, chosen: Sequence[Card]) -> Page:
    """Return an entry as its page shows it, with charts of the discard `chosen`, else of the best."""
    best, worst = found.discards[0].win, found.discards[-1].win
    spread = max(best - worst, 4 * found.error)
    rows = tuple(
        Row(
            choice,
            joined(choice.discard),
            difference(100 * best, 100 * choice.win, 2) / 100,
            100 * (choice.win - worst) / spread,
            min(200 * found.error / spread, 50),
            choice.crib if dealer else -choice.crib,
            _net(choice, dealer),
        )
        for choice in found.discards
    )
    row = next((one for one in rows if {*one.choice.discard} == {*chosen}), rows[0])
    return Page(found, rows, row, pictures(row.choice))


def _net(choice: DiscardEntry, dealer: bool) -> float:
    hand, crib, play = (round(points, 2) for points in (choice.hand, choice.crib, choice.pegging))
    return hand + (crib if dealer else -crib) + play


def pictures(choice: DiscardEntry) -> tuple[Picture, ...]:
    """What its hand, the crib, the play and the whole deal make, drawn."""
    return tuple(_picture(name, getattr(choice, f"{name}_points")) for name in BARS)


def _picture(name: str, points: Chances) -> Picture:
    number = len(points.chances)
    width = CHART_WIDTH / max(number, 12)
    left = (CHART_WIDTH - width * number) / 2
    most = max(points.chances)
    bars = tuple(
        Bar(
            points.least + place,
            chance,
            left + width * place,
            HEIGHT * (1 - chance / most),
            HEIGHT * chance / most,
        )
        for place, chance in enumerate(points.chances)
    )
    step = 2 if number <= 16 else 5 if number <= 40 else 10
    labels = tuple((bar.x + width / 2, bar.points) for bar in bars if bar.points % step == 0)
    mean_x = left + width * (points.mean - points.least + 0.5)
    return Picture(name, bars, width, points.mean, mean_x, labels)


def entry_json(found: Entry) -> dict[str, Any]:
    """Return an entry for scripts."""
    return report(found)


# ── The map ──────────────────────────────────────────────────────────────────────────────────────────────


class Shape(NamedTuple):
    """One zone of the map, drawn: its boards in one path, and those where it hardly matters in another."""

    letter: str
    colour: int
    discard: tuple[Card, ...]
    away: str
    share: float
    clearly: float
    clear_path: str
    even_path: str
    label: tuple[int, int] | None


class Map(NamedTuple):
    """All boards of the cards dealt in one role."""

    zones: Zones
    shapes: tuple[Shape, ...]
    bands: Any
    needs: tuple[tuple[int, int], ...]
    even: float
    """Part of the boards where it hardly matters."""
    target: int
    unit: float
    """Width of a board."""
    steps: tuple[int, ...]
    """Scores that are written along its sides."""
    rows: tuple[str, ...]
    """The letter of every board, a text for each own score: what the page's script reads."""


def map_of(dealt: tuple[Card, ...], dealer: bool) -> Map:
    """The map as its page draws it."""
    found = zones(dealt, dealer=dealer)
    shapes = tuple(_shape(found, number) for number in range(len(found.zones)))
    letters = tuple("".join(LETTERS[zone] for zone in row) for row in found.best.tolist())
    target = len(letters)
    return Map(
        found,
        shapes,
        found.bands,
        bands_of(dealt),
        1 - float(found.clear.mean()),
        target,
        MAP_WIDTH / target,
        tuple(range(0, target, (target - 1) // 4)),
        letters,
    )


def _shape(found: Zones, number: int) -> Shape:
    zone = found.zones[number]
    of_zone = found.best == number
    target = len(of_zone)
    clear, even = _runs(of_zone & found.clear), _runs(of_zone & ~found.clear)
    return Shape(
        LETTERS[number],
        min(number, COLOURS - 1),
        zone.discard,
        joined(zone.discard),
        zone.boards / target**2,
        zone.clearly / target**2,
        _path(clear, target),
        _path(even, target),
        _label(clear, target) or (_label(even, target) if not number else None),
    )


Runs = list[tuple[int, int, int]]
"""Boards in a row: the other's score, the own scores from and to."""


def _runs(boards: npt.NDArray[np.bool_]) -> Runs:
    rows = np.zeros((len(boards), len(boards) + 2), np.int8)
    rows[:, 1:-1] = boards.T
    turns = np.diff(rows, axis=1)
    begun, ended = np.argwhere(turns == 1).tolist(), np.argwhere(turns == -1).tolist()
    return [(other, first, end - 1) for (other, first), (_, end) in zip(begun, ended, strict=True)]


def _path(runs: Runs, target: int) -> str:
    """Own points to the right, the other's upwards."""
    return "".join(
        f"M{first} {target - 1 - other}h{last - first + 1}v1H{first}z" for other, first, last in runs
    )


def _label(runs: Runs, target: int) -> tuple[int, int] | None:
    """Where its letter stands, if there is space: in the middle of the widest of its tallest places."""
    wide = [
        (last - first, other, (first + last) // 2)
        for other, first, last in runs
        if 20 * (last - first) >= target
    ]
    if 25 * len(wide) < target:
        return None
    middle = sorted(wide)[-max(len(wide) // 4, 1)]
    return middle[2], target - 1 - middle[1]


# ── Pegging ─────────────────────────────────────────────────────────────────────────────────────────────


class PositionPage(NamedTuple):
    """A position of the pegging as its page shows it."""

    position: Position
    next_of: dict[str, str]
    """The address that playing a card leads to."""
    back: str
    """The address a card earlier, or the hand's."""
    counts: tuple[tuple[tuple[bool, Card], ...], ...]
    """The cards played, count by count."""


def position_page(asked: Asked) -> PositionPage:
    """Return a position of the pegging, and where each card leads."""
    found = position(asked)
    cards = (*(one.card for one in found.options), *found.might_play)
    after = {card.text: f"{address(asked)}{'' if asked.played else '/'}{card.text}" for card in cards}
    back = hand_address(asked.dealt, asked.dealer, asked.board)
    if asked.played:
        whole = address(asked)
        back = whole[:-2].rstrip("/")
    ends = (0, *found.cleared, len(found.played))
    counts = tuple(found.played[first:last] for first, last in pairwise(ends) if first < last)
    return PositionPage(found, after, back, counts)


def band_text(lang: str, band: tuple[int, int]) -> str:
    """Points still needed, as the card writes them."""
    if band[1] in TARGETS:
        return text("book.band.more", lang, least=band[0])
    return text("book.band", lang, least=band[0], most=band[1])
