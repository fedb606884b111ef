"""The Book for its pages: reads addresses, and prepares entries, maps and positions for templates.

Pages import this with the first request, because it loads tables. Addresses are read in any spelling:

/book/5H5S6D7CJCKD/pone/110-116                  six cards, role, own and opponent's score
/book/5H5S6D7CJC/pone/3-0                        five cards: five-card cribbage
/book/5H5S6D7CJCKD/pone/110-116/JCKD/4S/5HTS     also the discard, the starter, and cards played in order
/book/110-116 pone 5H5S6D7CJCKD                  a position in one line: redirects to one of the above
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.book.entry import Chances, DiscardEntry, Entry, entry, in_order, joined, rules_of
from fifteentwo.analysis.book.play import Asked, Position, address, position
from fifteentwo.analysis.book.zones import Zones, bands_of, zones
from fifteentwo.formats.position import looks_like_position
from fifteentwo.i18n.catalogue import text
from fifteentwo.i18n.figures import difference
from fifteentwo.library.book import discard_position, pegging_position
from fifteentwo.library.position import Position as PositionText
from fifteentwo.rules.cards import Card
from fifteentwo.rules.variants import FIVE_CARD, SIX_CARD, TARGETS
from fifteentwo.server.errors import Refused

MAX_CARDS_CHARACTERS = 120
"""Length of the longest text that is read as cards."""
DEALT_CARD_COUNTS = (SIX_CARD.dealt, FIVE_CARD.dealt)
_SUIT_LETTERS = {"♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D", "♣": "C", "♧": "C"}
_SEPARATOR_PATTERN = re.compile(r"[\s,.;+_\-·、]|[\ufe0e\ufe0f]")
_CARD_PATTERN = re.compile("[A2-9TJQK][SHDC]|[SHDC][A2-9TJQK]")
IS_DEALER_BY_ROLE = {"pone": False, "dealer": True}
"""Whether the role in an address is the dealer's."""
CHART_NAMES = ("hand", "crib", "play", "deal")
ZONE_LETTERS = "ABCDEFGHIJKLMNO"
MAX_ZONE_COLOURS = 8
"""Colours of the map; zones beyond this number share the last colour."""
MAP_WIDTH = 121
"""Width of the map of boards in SVG units."""
POINTS_CHART_HEIGHT = 96
POINTS_CHART_WIDTH = 320


def read_cards(written: str) -> tuple[Card, ...]:
    """Return cards in the order written: ranks or suits first, letters or suit signs, any separators."""
    plain = unicodedata.normalize("NFKC", written[: MAX_CARDS_CHARACTERS + 1]).upper()
    for sign, letter in _SUIT_LETTERS.items():
        plain = plain.replace(sign, letter)
    plain = _SEPARATOR_PATTERN.sub("", plain).replace("10", "T")
    if len(written) <= MAX_CARDS_CHARACTERS and len(plain) % 2 == 0:
        pairs = [plain[place : place + 2] for place in range(0, len(plain), 2)]
        if all(_CARD_PATTERN.fullmatch(pair) for pair in pairs):
            return tuple([Card(pair) for pair in pairs])
    raise Refused("book-cards", status=404, text=written[:40])


def read_hand(written: str) -> tuple[Card, ...]:
    """Return five or six different cards in the Book's order."""
    held = read_cards(written)
    if len(held) not in DEALT_CARD_COUNTS:
        raise Refused("book-six", status=404, number=len(held))
    _refuse_repeated(held)
    return in_order(held)


def read_role(written: str) -> bool:
    role = unicodedata.normalize("NFKC", written).strip().lower()
    if role not in IS_DEALER_BY_ROLE:
        raise Refused("book-role", status=404, text=written[:40])
    return IS_DEALER_BY_ROLE[role]


def read_board(written: str, target: int) -> tuple[int, int]:
    """Return the own and the opponent's score, both below the target."""
    scores = re.fullmatch(
        r"\s*([0-9]{1,3})\s*[-–—:,]\s*([0-9]{1,3})\s*", unicodedata.normalize("NFKC", written)
    )
    if scores is None or max(int(scores[1]), int(scores[2])) >= target:
        raise Refused("book-board", status=404, text=written[:40], most=target - 1)
    return int(scores[1]), int(scores[2])


def read_entry(parts: Mapping[str, str]) -> tuple[tuple[Card, ...], bool, tuple[int, int]]:
    """Return the cards dealt, whether their player is the dealer, and the scores of an address."""
    dealt = read_hand(parts["hand"])
    return dealt, read_role(parts["role"]), read_board(parts["board"], rules_of(dealt).target)


def hand_address(dealt: tuple[Card, ...], dealer: bool, board: tuple[int, int]) -> str:
    return f"/book/{joined(in_order(dealt))}/{'dealer' if dealer else 'pone'}/{board[0]}-{board[1]}"


def read_position(written: str) -> str | None:
    """Return the address of a one-line position (docs/position.md), or None if the text is not one."""
    if not looks_like_position(written):
        return None
    position = PositionText(written)
    if position.view().starter is not None:
        return address(pegging_position(position))
    return hand_address(*discard_position(position))


def read_pegging_position(parts: Mapping[str, str]) -> Asked:
    dealt, away = read_hand(parts["hand"]), in_order(read_cards(parts["away"]))
    starter, played = read_cards(parts["starter"]), read_cards(parts.get("played", ""))
    if len(away) != 2 or not {*away} <= {*dealt} or len({*away}) != 2:
        raise Refused("book-discard", status=404, text=parts["away"][:40])
    if len(starter) != 1:
        raise Refused("book-starter", status=404, text=parts["starter"][:40])
    _refuse_repeated((*dealt, *starter, *[card for card in played if card not in dealt]))
    _refuse_repeated(played)
    if starter[0] in played:
        raise Refused("book-twice", status=404, card=starter[0].text)
    return Asked(
        dealt=dealt,
        dealer=read_role(parts["role"]),
        board=read_board(parts["board"], rules_of(dealt).target),
        discard=away,
        starter=starter[0],
        played=played,
    )


def _refuse_repeated(held: tuple[Card, ...]) -> None:
    for place, card in enumerate(held):
        if card in held[:place]:
            raise Refused("book-twice", status=404, card=card.text)


class Bar(NamedTuple):
    """One bar of a chart: a number of points, its probability, and where the bar is drawn."""

    points: int
    chance: float
    x: float
    """Left edge in SVG units."""
    y: float
    height: float


class PointsChart(NamedTuple):
    """A bar chart of the probability of each number of points, with its mean and axis labels."""

    name: str
    bars: tuple[Bar, ...]
    width: float
    """Width of a bar in SVG units."""
    mean: float
    mean_x: float
    labels: tuple[tuple[float, int], ...]
    """For each label of the axis its x coordinate and the number of points."""


class DiscardRow(NamedTuple):
    """One discard in the table of an entry."""

    choice: DiscardEntry
    away: str
    """The discarded cards as in addresses, for example "5H5S"."""
    lost: float
    """Win probability lost against the best discard, from the two figures as printed."""
    place: float
    """Position between the worst (0) and the best discard (100) on the scale of win probability."""
    whisker: float
    """Half the length of the error bar: two standard errors, in units of `place`."""
    crib: float
    """Expected points of the crib; negative if the crib is the opponent's."""
    net: float
    """Sum of hand, crib and pegging as printed."""


class EntryPage(NamedTuple):
    entry: Entry
    rows: tuple[DiscardRow, ...]
    chosen: DiscardRow
    pictures: tuple[PointsChart, ...]


def compute_entry(dealt: tuple[Card, ...], dealer: bool, board: tuple[int, int]) -> Entry:
    return entry(dealt, dealer=dealer, board=board)


def entry_page(found: Entry, dealer: bool, chosen: Sequence[Card]) -> EntryPage:
    """Return an entry as its page shows it, with charts of one discard: the chosen one, or the best."""
    best, worst = found.discards[0].win, found.discards[-1].win
    spread, sign = max(best - worst, 4 * found.error), 1 if dealer else -1
    rows = tuple(
        DiscardRow(
            choice,
            joined(choice.discard),
            difference(100 * best, 100 * choice.win, 2) / 100,
            100 * (choice.win - worst) / spread,
            min(200 * found.error / spread, 50),
            sign * choice.crib,
            round(choice.hand, 2) + sign * round(choice.crib, 2) + round(choice.pegging, 2),
        )
        for choice in found.discards
    )
    row = next((one for one in rows if {*one.choice.discard} == {*chosen}), rows[0])
    charts = tuple(_points_chart(name, getattr(row.choice, f"{name}_points")) for name in CHART_NAMES)
    return EntryPage(found, rows, row, charts)


def _points_chart(name: str, points: Chances) -> PointsChart:
    number = len(points.chances)
    width = POINTS_CHART_WIDTH / max(number, 12)
    left = (POINTS_CHART_WIDTH - width * number) / 2
    high, most = POINTS_CHART_HEIGHT, max(points.chances)
    bars = tuple(
        Bar(points.least + at, one, left + width * at, high * (1 - one / most), high * one / most)
        for at, one in enumerate(points.chances)
    )
    step = 2 if number <= 16 else 5 if number <= 40 else 10
    labels = tuple((bar.x + width / 2, bar.points) for bar in bars if bar.points % step == 0)
    mean_x = left + width * (points.mean - points.least + 0.5)
    return PointsChart(name, bars, width, points.mean, mean_x, labels)


class DrawnZone(NamedTuple):
    """One zone of the map: SVG paths of its clear boards and of those where discards are nearly equal."""

    letter: str
    colour: int
    discard: tuple[Card, ...]
    away: str
    """The discarded cards as in addresses."""
    share: float
    """Share of all boards that are in the zone."""
    clearly: float
    """Share of all boards where this discard is clearly best."""
    clear_path: str
    even_path: str
    label: tuple[int, int] | None
    """Coordinates (x, y) of the letter; None if the zone is too small for one."""


class BoardMap(NamedTuple):
    """All boards for dealt cards in one role, divided into zones by their best discard."""

    zones: Zones
    shapes: tuple[DrawnZone, ...]
    bands: Any
    """The best discard by band of own points needed, then by band of the opponent's."""
    needs: tuple[tuple[int, int], ...]
    """The bands: the least and the greatest number of points needed."""
    even: float
    """Share of the boards where the two best discards are nearly equal."""
    target: int
    unit: float
    """SVG units of one point."""
    steps: tuple[int, ...]
    """Scores at which the axes have labels."""
    rows: tuple[str, ...]
    """The zone letter of every board, one text for each own score, for the page's script."""


def board_map(dealt: tuple[Card, ...], dealer: bool) -> BoardMap:
    found = zones(dealt, dealer=dealer)
    shapes = tuple(_drawn_zone(found, number) for number in range(len(found.zones)))
    letters = tuple("".join(ZONE_LETTERS[zone] for zone in row) for row in found.best.tolist())
    target = len(letters)
    even, steps = 1 - float(found.clear.mean()), tuple(range(0, target, (target - 1) // 4))
    bands = found.bands, bands_of(dealt)
    return BoardMap(found, shapes, *bands, even, target, MAP_WIDTH / target, steps, letters)


def _drawn_zone(found: Zones, number: int) -> DrawnZone:
    zone = found.zones[number]
    of_zone = found.best == number
    target = len(of_zone)
    clear, even = _board_runs(of_zone & found.clear), _board_runs(of_zone & ~found.clear)
    name = ZONE_LETTERS[number], min(number, MAX_ZONE_COLOURS - 1), zone.discard, joined(zone.discard)
    shares = zone.boards / target**2, zone.clearly / target**2
    label = _zone_label_place(clear, target) or (_zone_label_place(even, target) if not number else None)
    return DrawnZone(*name, *shares, _svg_path(clear, target), _svg_path(even, target), label)


BoardRuns = list[tuple[int, int, int]]
"""Horizontal runs of boards: the opponent's score, and the first and last own score."""


def _board_runs(boards: npt.NDArray[np.bool_]) -> BoardRuns:
    rows = np.zeros((len(boards), len(boards) + 2), np.int8)
    rows[:, 1:-1] = boards.T
    turns = np.diff(rows, axis=1)
    begun, ended = np.argwhere(turns == 1).tolist(), np.argwhere(turns == -1).tolist()
    return [(other, first, end - 1) for (other, first), (_, end) in zip(begun, ended, strict=True)]


def _svg_path(runs: BoardRuns, target: int) -> str:
    return "".join(f"M{first} {target - 1 - row}h{last - first + 1}v1H{first}z" for row, first, last in runs)


def _zone_label_place(runs: BoardRuns, target: int) -> tuple[int, int] | None:
    """Return where a zone's letter is drawn: in a wide run of boards, or None if the zone is too small."""
    wide = [
        (last - first, other, (first + last) // 2)
        for other, first, last in runs
        if 20 * (last - first) >= target
    ]
    if 25 * len(wide) < target:
        return None
    middle = sorted(wide)[-max(len(wide) // 4, 1)]
    return middle[2], target - 1 - middle[1]


class PositionPage(NamedTuple):
    """A pegging position as its page shows it."""

    position: Position
    next_of: dict[str, str]
    """The address of the position after each card, by card."""
    back: str
    """The address one card earlier, or the address of the hand."""
    counts: tuple[tuple[tuple[bool, Card], ...], ...]
    """The cards of each count; True for a card of the player whose position it is."""


def position_page(asked: Asked) -> PositionPage:
    found = position(asked)
    cards = (*(one.card for one in found.options), *found.might_play)
    here = address(asked)
    after = {card.text: f"{here}{'' if asked.played else '/'}{card.text}" for card in cards}
    hand = hand_address(asked.dealt, asked.dealer, asked.board)
    back = here[:-2].rstrip("/") if asked.played else hand
    ends = (0, *found.cleared, len(found.played))
    counts = tuple(found.played[first:last] for first, last in pairwise(ends) if first < last)
    return PositionPage(found, after, back, counts)


def band_text(lang: str, band: tuple[int, int]) -> str:
    key = "book.band.more" if band[1] in TARGETS else "book.band"
    return text(key, lang, least=band[0], most=band[1])
