"""The Book: its addresses, and its entries, maps and positions as templates show them. Imported late.

Addresses are read in any spelling and written in one:

/book/5H5S6D7CJCKD/pone/110-116                  six cards, role, own and other's points
/book/5H5S6D7CJC/pone/3-0                        five cards: five-card cribbage
/book/5H5S6D7CJCKD/pone/110-116/JCKD/4S/5HTS     discarded, the starter, cards played in order
/book/110-116 pone 5H5S6D7CJCKD                  a position as one line, which leads to one of these
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.book_entry import (
    Chances,
    DiscardEntry,
    Entry,
    entry,
    in_order,
    joined,
    report,
    rules_of,
)
from fifteentwo.analysis.book_play import Asked, Position, address, position
from fifteentwo.analysis.book_zones import Zones, bands_of, zones
from fifteentwo.formats.position import is_meant
from fifteentwo.i18n.catalogue import text
from fifteentwo.i18n.figures import difference
from fifteentwo.library.book import asked, of_discard
from fifteentwo.library.position import Position as PositionText
from fifteentwo.rules.cards import Card
from fifteentwo.rules.variants import FIVE_CARD, SIX_CARD, TARGETS
from fifteentwo.server.errors import Refused

LONGEST = 120
DEALT = (SIX_CARD.dealt, FIVE_CARD.dealt)
_SIGNS = {"♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D", "♣": "C", "♧": "C"}
_BETWEEN = re.compile(r"[\s,.;+_\-·、]|[\ufe0e\ufe0f]")
_CARD = re.compile("[A2-9TJQK][SHDC]|[SHDC][A2-9TJQK]")
ROLES = {"pone": False, "dealer": True}
BARS = ("hand", "crib", "play", "deal")
LETTERS = "ABCDEFGHIJKLMNO"
COLOURS = 8
"""Zones with a colour of their own; the others share the last colour."""
MAP_WIDTH = 121
HEIGHT, CHART_WIDTH = 96, 320
"""Size of a picture of chances, in units of its own."""


# ── Addresses ──────────────────────────────────────────────────────────────────────────────────────────


def read_cards(written: str) -> tuple[Card, ...]:
    """Return cards in the order written, joined or parted, rank or suit first, letters or signs; Refused."""
    plain = unicodedata.normalize("NFKC", written[: LONGEST + 1]).upper()
    for sign, letter in _SIGNS.items():
        plain = plain.replace(sign, letter)
    plain = _BETWEEN.sub("", plain).replace("10", "T")
    if len(written) <= LONGEST and len(plain) % 2 == 0:
        pairs = [plain[place : place + 2] for place in range(0, len(plain), 2)]
        if all(_CARD.fullmatch(pair) for pair in pairs):
            return tuple([Card(pair) for pair in pairs])
    raise Refused("book-cards", status=404, text=written[:40])


def read_hand(written: str) -> tuple[Card, ...]:
    """Return six different cards, or five, in the Book's order; Refused."""
    held = read_cards(written)
    if len(held) not in DEALT:
        raise Refused("book-six", status=404, number=len(held))
    _once(held)
    return in_order(held)


def read_role(written: str) -> bool:
    """Return whether the dealer's; Refused where it is neither role."""
    role = unicodedata.normalize("NFKC", written).strip().lower()
    if role not in ROLES:
        raise Refused("book-role", status=404, text=written[:40])
    return ROLES[role]


def read_board(written: str, target: int) -> tuple[int, int]:
    """Return own and other's points; Refused where no deal begins there."""
    scores = re.fullmatch(
        r"\s*([0-9]{1,3})\s*[-–—:,]\s*([0-9]{1,3})\s*", unicodedata.normalize("NFKC", written)
    )
    if scores is None or max(int(scores[1]), int(scores[2])) >= target:
        raise Refused("book-board", status=404, text=written[:40], most=target - 1)
    return int(scores[1]), int(scores[2])


def read_entry(parts: Mapping[str, str]) -> tuple[tuple[Card, ...], bool, tuple[int, int]]:
    """Return the cards dealt, whether the dealer's, and the board, by the parts of an address; Refused."""
    dealt = read_hand(parts["hand"])
    return dealt, read_role(parts["role"]), read_board(parts["board"], rules_of(dealt).target)


def hand_address(dealt: tuple[Card, ...], dealer: bool, board: tuple[int, int]) -> str:
    """Return the address of cards dealt in the Book."""
    return f"/book/{joined(in_order(dealt))}/{'dealer' if dealer else 'pone'}/{board[0]}-{board[1]}"


def read_position(written: str) -> str | None:
    """Return the address of a position written as one line, docs/position.md; None where that is not meant.

    NotationError where it is meant, and is none of the Book's.
    """
    if not is_meant(written):
        return None
    position = PositionText(written)
    if position.view().starter is not None:
        return address(asked(position))
    return hand_address(*of_discard(position))


def read_asked(parts: Mapping[str, str]) -> Asked:
    """Return a position of the pegging by the parts of its address; Refused."""
    dealt, away = read_hand(parts["hand"]), in_order(read_cards(parts["away"]))
    starter, played = read_cards(parts["starter"]), read_cards(parts.get("played", ""))
    if len(away) != 2 or not {*away} <= {*dealt} or len({*away}) != 2:
        raise Refused("book-discard", status=404, text=parts["away"][:40])
    if len(starter) != 1:
        raise Refused("book-starter", status=404, text=parts["starter"][:40])
    _once((*dealt, *starter, *[card for card in played if card not in dealt]))
    _once(played)
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


def _once(held: tuple[Card, ...]) -> None:
    for place, card in enumerate(held):
        if card in held[:place]:
            raise Refused("book-twice", status=404, card=card.text)


# ── An entry ───────────────────────────────────────────────────────────────────────────────────────────


class Bar(NamedTuple):
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
    entry: Entry
    rows: tuple[Row, ...]
    chosen: Row
    pictures: tuple[Picture, ...]


def entry_of(dealt: tuple[Card, ...], dealer: bool, board: tuple[int, int]) -> Entry:
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
    steps: tuple[int, ...]
    rows: tuple[str, ...]
    """The letter of every board, a text for each own score: what the page's script reads."""


def map_of(dealt: tuple[Card, ...], dealer: bool) -> Map:
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
