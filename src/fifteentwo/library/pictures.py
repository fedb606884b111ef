"""Pictures of cards, hands, boards, discards and reviews as SVG and HTML text, for notebooks and pages."""

from collections.abc import Sequence
from html import escape
from typing import Any, Protocol, runtime_checkable

from fifteentwo.i18n.cards import card_text
from fifteentwo.library.arguments import read_cards
from fifteentwo.library.card_faces import cards_svg, element
from fifteentwo.rules.board import skunk_lines
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import InvalidArgument
from fifteentwo.rules.state import State
from fifteentwo.rules.view import View

SIDE_COLOURS = ("#c8443c", "#2f6db3", "#3d8b50", "#c9952c")
"""Colours of the pegs by side."""
_HOLE, _ROW, _GROUP, _LEFT = 10, 14, 5, 34
_STREET = 30
_SUIT_COLOURS = {"S": "inherit", "H": "#b5202c", "D": "#b5202c", "C": "inherit"}
LANG = "en"


class Picture(str):
    """A drawing as SVG text, which notebooks show."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: str) -> None:
        """Write the drawing to an SVG file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self)


@runtime_checkable
class _Position(Protocol):
    """Any object with a View, such as a `Position`."""

    text: str

    def view(self) -> View: ...


def picture(thing: Any) -> Picture:
    """Return a drawing of cards, or of the board of a `View`, `State` or `Position`.

    Args:
        thing: one of these, or cards as text ("5H 5S 5D JC"), a `Card`, or several.

    Raises:
        InvalidArgument, NotationError: the argument is none of these.

    >>> picture("5H 5S")[:4]
    '<svg'
    """
    if isinstance(thing, _Position):
        thing = thing.view()
    if isinstance(thing, View | State):
        return Picture(board_svg(thing.front, thing.rear, thing.rules.target))
    held = read_cards(thing, "thing")
    if not held:
        raise InvalidArgument("not-cards", "thing", thing)
    return Picture(cards_svg(held))


def board_svg(front: Sequence[int], rear: Sequence[int], target: int) -> str:
    """Return a board as SVG: one row for each side in each street, with two pegs and the skunk lines."""
    streets = (target - 1) // _STREET
    tall = len(front) * _ROW + 16
    width, height = _x(_STREET) + _HOLE * 3, streets * tall + 8
    drawn = [element("rect", width=width, height=height, rx=8, fill="#e8cfa3")]
    for street in range(streets):
        first = street * _STREET + 1
        drawn.append(element("text", f"{first}", x=6, y=_y(street, 0, tall) + 4, font_size=9, fill="#5a4324"))
        drawn += [
            element("circle", cx=_x(hole), cy=_y(street, side, tall), r=2.2, fill="#7a5a30")
            for side in range(len(front))
            for hole in range(1, _STREET + 1)
        ]
    for before in skunk_lines(target).values():
        street, hole = divmod(before - 1, _STREET)
        x, y = _x(hole + 1) - _HOLE / 2 - 1, _y(street, 0, tall) - 8
        path = f"M{x} {y}V{y + len(front) * _ROW + 2}"
        drawn.append(element("path", d=path, stroke="#9c3b34", stroke_width=1.5))
    drawn += [_game_hole(side, streets, tall) for side in range(len(front))]
    for side, pegs in enumerate(zip(rear, front, strict=True)):
        for points, solid in zip(pegs, (False, True), strict=True):
            if points > 0:
                drawn.append(_peg(min(points, target), side, tall, streets, solid=solid))
    score = "–".join(map(str, front))
    return element(
        "svg",
        f"<title>{score}</title>{''.join(drawn)}",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=round(width * 1.4),
        font_family="sans-serif",
        role="img",
        aria_label=score,
    )


def _game_hole(side: int, streets: int, tall: int) -> str:
    return element(
        "circle", cx=_x(_STREET + 1), cy=_y(streets - 1, side, tall), r=3.4, fill="none", stroke="#7a5a30"
    )


def _peg(points: int, side: int, tall: int, streets: int, *, solid: bool) -> str:
    """Return the circle of a peg, which is filled if it is the front peg. tall: SVG units of a street."""
    street, hole = divmod(points - 1, _STREET)
    if street == streets:
        street, hole = streets - 1, _STREET
    fill = SIDE_COLOURS[side] if solid else "#fff6e4"
    place = {"cx": _x(hole + 1), "cy": _y(street, side, tall), "r": 4.2}
    return element(
        "circle", f"<title>{points}</title>", **place, fill=fill, stroke=SIDE_COLOURS[side], stroke_width=2
    )


def _x(hole: int) -> float:
    return _LEFT + (hole - 1) * _HOLE + ((hole - 1) // _GROUP) * 5


def _y(street: int, side: int, tall: int) -> float:
    return 16 + street * tall + side * _ROW


def score_html(made: Any) -> str:
    """Return a counted hand as HTML: its cards, and each score with the running total."""
    total, rows = 0, []
    for item in made.items:
        total += item.points
        name = item.name.value.replace("_", " ")
        rows.append(_row((_coloured(item.cards), name, item.points, total)))
    counted = f"<p>{escape(str(made))}: <b>{made.points}</b></p>"
    table = _table(("", "", "points", "total"), rows)
    return f"<div>{cards_svg(made.hand)} {cards_svg([made.starter])}{counted}{table}</div>"


def discards_html(options: Sequence[Any]) -> str:
    """Return discards as an HTML table, the best first."""
    rows = []
    for one in options:
        pegging = "–" if one.pegging is None else f"{one.pegging:+.2f}"
        numbers = [_percent(one.win), f"{one.net:.2f}", f"{one.hand:.2f}", f"{one.crib:.2f}", pegging]
        rows.append(_row((_coloured(one.keep), _coloured(one.discard), *numbers)))
    return _table(("keep", "discard", "win", "net", "hand", "crib", "pegging"), rows)


def position_html(position: _Position) -> str:
    """Return a position as HTML: its text, the board, the own cards, the starter and the cards played."""
    seen = position.view()
    parts = [f"<p><code>{escape(position.text)}</code></p>", str(picture(seen))]
    held = seen.kept or seen.hand
    if held:
        parts.append(
            f"<p>{cards_svg(held)} {cards_svg(seen.discarded, width=40) if seen.discarded else ''}</p>"
        )
    if seen.starter is not None:
        played = cards_svg([card for _, card in seen.played], width=40) if seen.played else ""
        parts.append(f"<p>{cards_svg([seen.starter], width=40)} {played} <b>{seen.count}</b></p>")
    return f"<div>{''.join(parts)}</div>"


def review_html(report: dict[str, Any]) -> str:
    """Return a review as HTML: win probabilities, each player's totals, and the costliest decisions."""
    names = [escape(name) or f"{seat + 1}" for seat, name in enumerate(report["names"])]
    totals = [
        _row(
            (
                *(names[seat], one["decisions"], f"{one['loss_points']:.2f}", _percent(one["lost"])),
                *(_percent(one["luck"], signed=True), "–" if one["rating"] is None else round(one["rating"])),
            )
        )
        for seat, one in enumerate(report["seats"])
    ]
    costly = [one for one in report["decisions"] if one["mark"]]
    costly.sort(key=lambda one: (one["loss_win"] or 0.0, one["loss_points"]), reverse=True)
    decisions = [
        _row(
            (
                *(one["deal"], names[one["seat"]], escape(" ".join(one["hand"]))),
                *(escape(one["chosen"]), escape(one["best"])),
                one["loss_points"] if one["loss_win"] is None else _percent(one["loss_win"]),
            )
        )
        for one in costly[:10]
    ]
    curve = _curve_svg([one["win"] for one in report["curve"]])
    totalled = _table(("player", "decisions", "points lost", "win lost", "luck", "rating"), totals)
    costliest = _table(("deal", "player", "hand", "chosen", "best", "cost"), decisions)
    return f"<div>{curve}{totalled}{costliest}</div>"


def _curve_svg(chances: Sequence[float]) -> str:
    if len(chances) < 2:
        return ""
    step = 600 / (len(chances) - 1)
    points = " ".join([f"{at * step:.1f},{118 - 116 * chance:.1f}" for at, chance in enumerate(chances)])
    drawn = [
        element("rect", width=600, height=120, fill="#faf6ec"),
        element("path", d="M0 60H600", stroke="#b9ae9b", stroke_dasharray="4 4"),
        element("polyline", points=points, fill="none", stroke=SIDE_COLOURS[0], stroke_width=2),
    ]
    xmlns, label = "http://www.w3.org/2000/svg", "win chance"
    return element(
        "svg", "".join(drawn), xmlns=xmlns, viewBox="0 0 600 120", width=600, role="img", aria_label=label
    )


def _coloured(cards: Sequence[Card]) -> str:
    """Return cards as coloured text for tables."""
    return " ".join(
        [f"<span style='color:{_SUIT_COLOURS[card.suit]}'>{card_text(card, LANG)}</span>" for card in cards]
    )


def _row(cells: Sequence[object]) -> str:
    return f"<tr>{''.join([f'<td>{cell}</td>' for cell in cells])}</tr>"


def _table(head: Sequence[str], rows: Sequence[str]) -> str:
    if not rows:
        return ""
    columns = "".join([f"<th>{name}</th>" for name in head])
    return f"<table><thead><tr>{columns}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _percent(chance: float | None, *, signed: bool = False) -> str:
    if chance is None:
        return "–"
    return f"{100 * chance:+.1f} %" if signed else f"{100 * chance:.1f} %"
