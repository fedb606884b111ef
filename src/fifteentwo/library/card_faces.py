"""Cards as SVG, with the shapes and colours of the web pages, read from `web/static`."""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from fifteentwo.rules.cards import Card, Suit

WIDTH, HEIGHT, GAP = 250, 350, 12
_ROWS = {"R1": 66, "R2": 139, "R3": 211, "R4": 284}
_LEFT, _MIDDLE, _RIGHT = 87, 125, 163
_COURTS = "JQK"


class CardShapes(NamedTuple):
    """SVG paths of suits, ranks and courts, places of pips, and the style sheet."""

    suits: dict[str, str]
    glyphs: dict[str, str]
    courts: dict[str, str]
    pips: dict[str, tuple[tuple[int, int], ...]]
    style: str


def cards_svg(cards: Sequence[Card], *, width: int = 72) -> str:
    """Return cards side by side as one SVG picture. width: pixels of each card."""
    number = max(len(cards), 1)
    across = number * WIDTH + (number - 1) * GAP
    faces = "".join(
        [f'<g transform="translate({at * (WIDTH + GAP)})">{_face(card)}</g>' for at, card in enumerate(cards)]
    )
    return element(
        "svg",
        f"<style>{card_shapes().style}</style>{faces}",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {across} {HEIGHT}",
        width=across * width // WIDTH,
        height=HEIGHT * width // WIDTH,
        class_="fifteentwo-cards",
        role="img",
        aria_label=" ".join([card.text for card in cards]),
    )


def element(name: str, body: str = "", **attributes: object) -> str:
    """Return an SVG element; underscores in attribute names become hyphens, and `class_` is class."""
    written = [f' {key.rstrip("_").replace("_", "-")}="{value}"' for key, value in attributes.items()]
    return f"<{name}{''.join(written)}>{body}</{name}>"


def _face(card: Card) -> str:
    rank, suit, drawn = card.text[0], card.text[1], card_shapes()
    index = _box(
        9 if rank == "T" else 14, 17, 41, 62, "0 0 60 90", f'<path class="glyph" d="{drawn.glyphs[rank]}"/>'
    )
    index += _suit(suit, 14, 89, 41)
    if rank == "A":
        art = _suit(suit, 70, 120, 110)
    elif rank in _COURTS:
        half = f"<g>{drawn.courts[rank]}</g>"
        art = (
            f'<rect class="c-frame" x="63" y="34" width="124" height="282" rx="8"/>{half}{_rotated(half)}'
            '<path class="c-sash" d="M63 175H187"/>'
            '<path class="c-holes" d="M85 175h.01M105 175h.01M125 175h.01M145 175h.01M165 175h.01"/>'
        )
    else:
        art = "".join(
            [
                _rotated(_suit(suit, x - 21, y - 21, 42), x, y)
                if y > 175
                else _suit(suit, x - 21, y - 21, 42)
                for x, y in drawn.pips[rank]
            ]
        )
    colour = "red" if card.suit in (Suit.HEARTS, Suit.DIAMONDS) else "black"
    return (
        f'<g class="{colour}"><rect class="card-paper" x="1.5" y="1.5" width="247" height="347" rx="17"/>'
        f"{art}<g>{index}</g>{_rotated(index)}</g>"
    )


def _box(x: int, y: int, width: int, height: int, view: str, body: str) -> str:
    return element("svg", body, x=x, y=y, width=width, height=height, viewBox=view, overflow="visible")


def _suit(suit: str, x: int, y: int, size: int) -> str:
    return _box(x, y, size, size, "0 0 100 100", f'<path d="{card_shapes().suits[suit]}"/>')


def _rotated(body: str, x: int = 125, y: int = 175) -> str:
    return f'<g transform="rotate(180 {x} {y})">{body}</g>'


@cache
def card_shapes() -> CardShapes:
    """Return the shapes and the style of the web pages' cards."""
    static = files("fifteentwo").joinpath("web", "static")
    script = static.joinpath("cards", "faces.js").read_text("utf-8")
    tokens = static.joinpath("tokens.css").read_text("utf-8")
    return CardShapes(
        suits=dict(re.findall(r'(\w): "([^"]+)"', _object(script, "SUIT_PATHS"))),
        glyphs=dict(re.findall(r'(\w): "([^"]+)"', _object(script, "GLYPH_PATHS"))),
        courts={
            rank: "".join(re.findall(r"'([^']*)'", drawn))
            for rank, drawn in re.findall(
                r"^  (\w):\n((?:    .*\n)+)", _object(script, "COURTS"), re.MULTILINE
            )
        },
        pips={
            rank: tuple(_pip_places(placed))
            for rank, placed in re.findall(r"^  (\w): (.*),$", _object(script, "PIPS"), re.MULTILINE)
        },
        style=_style(static.joinpath("cards", "cards.css").read_text("utf-8"), tokens),
    )


def _object(script: str, name: str) -> str:
    found = re.search(rf"const {name} = {{\n(.*?)^}};", script, re.DOTALL | re.MULTILINE)
    assert found is not None, name
    return found[1]


def _pip_places(placed: str) -> list[tuple[int, int]]:
    """Return the coordinates of pips from a text such as `...pair(R1), ...middle(175)`."""
    places = []
    for kind, rows in re.findall(r"(pair|middle)\(([^)]*)\)", placed):
        for row in rows.split(","):
            y = _ROWS.get(row.strip()) or int(row)
            places += [(_LEFT, y), (_RIGHT, y)] if kind == "pair" else [(_MIDDLE, y)]
    return places


def _style(sheet: str, tokens: str) -> str:
    """Return the style rules of card parts with the colours of the light theme."""
    colours = dict(re.findall(r"--([\w-]+): (?:light-dark\()?(#\w+)", tokens))
    dark, red = colours["suit-black"], colours["suit-red"]
    rules = [
        f".fifteentwo-cards .{name}{{fill:{ink};--suit-ink:{ink}}}"
        for name, ink in (("black", dark), ("red", red))
    ]
    for name, body in re.findall(r"^\.(card-paper|glyph|c-\w+) {\n(.*?)^}", sheet, re.DOTALL | re.MULTILINE):
        filled = re.sub(r"var\(--([\w-]+)\)", lambda found: colours.get(found[1], found[0]), body)
        rules.append(f".fifteentwo-cards .{name}{{{' '.join(filled.split())}}}")
    return "".join(rules)
