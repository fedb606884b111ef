"""Pictures for notebooks: valid SVG and HTML with the web pages' shapes, every card and every score."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import fifteentwo as ft
from fifteentwo.library.card_faces import card_shapes
from fifteentwo.library.pictures import review_html
from fifteentwo.rules.errors import FifteenTwoError

SCRIPT = Path(ft.__file__).parent / "web/static/cards/faces.js"


def drawn(text: str) -> ET.Element:
    """Return a picture or HTML parsed as XML, so that nothing is left open."""
    return ET.fromstring(re.sub("&(?!amp;|lt;|gt;|quot;|#)", "&amp;", str(text)))


def test_the_shapes_are_those_of_the_pages() -> None:
    script, found = SCRIPT.read_text("utf-8"), card_shapes()
    assert {*found.suits} == set("SHDC")
    assert {*found.glyphs} == set("A23456789TJQK")
    assert {*found.courts} == set("JQK")
    assert all(path in script for path in (*found.suits.values(), *found.glyphs.values()))
    assert {rank: len(places) for rank, places in found.pips.items()} == {
        **{str(number): number for number in range(2, 10)},
        "T": 10,
    }
    assert "var(--card" not in found.style
    assert ".c-robe{fill: var(--suit-ink);}" in found.style


def test_a_card_is_drawn(subtests: pytest.Subtests) -> None:
    for card in ft.DECK[::7]:
        with subtests.test(card=card):
            picture: Any = card
            svg = drawn(picture._repr_svg_())
            assert svg.get("aria-label") == card.text
            suits = [path for path in svg.iter() if path.get("d") == card_shapes().suits[card.text[1]]]
            pips = card.rank if card.rank <= 10 else 0
            assert len(suits) == pips + 2


def test_hands_are_drawn_from_text_and_cards() -> None:
    for cards in ("5H 5S 5D JC", ft.cards("5H 5S 5D JC"), ["5H", "5S", "5D", "JC"]):
        assert drawn(ft.picture(cards)).get("aria-label") == "5H 5S 5D JC"


def test_a_board_has_every_peg(subtests: pytest.Subtests) -> None:
    for text, score in (("110-88 pone", (110, 88)), ("three-handed 60-0-120 eldest", (60, 0, 120))):
        with subtests.test(text=text, score=score):
            position = ft.Position(text)
            for thing in (position, position.view()):
                svg = drawn(ft.picture(thing))
                titles = [title.text for title in svg.iter() if title.tag.endswith("title")][1:]
                assert {int(title or 0) for title in titles} == {points for points in score if points}
                holes = [one for one in svg.iter() if one.get("r") == "2.2"]
                assert len(holes) == 120 * len(score)


def test_every_table_is_whole() -> None:
    scored: Any = ft.score("5H 5S 6D JC", starter="7C")
    assert len(list(drawn(scored._repr_html_()).iter("tr"))) == 1 + len(scored.items)
    options: Any = ft.discards("5H 5S 6D 7C JC KD", dealer=True, score="10-20")
    assert len(list(drawn(options._repr_html_()).iter("tr"))) == 16
    without: Any = ft.discards("5H 5S 6D 7C JC", dealer=True, variant="partners")
    assert "–" in without._repr_html_()
    for text in ("0-0 pone", "110-116 pone 5H5S6D7CJCKD", "90-96 pone 5H5SJCKD/6D7C 4S JCTS"):
        position: Any = ft.Position(text)
        assert text in position._repr_html_()
        drawn(position._repr_html_())


def test_a_review_is_drawn_with_its_costliest_decisions() -> None:
    decision = {"deal": 1, "seat": 1, "hand": ["5H", "6H"], "chosen": "5", "best": "6", "mark": "blunder"}
    total = {"decisions": 3, "loss_points": 1.5, "lost": 0.1, "luck": -0.05, "rating": 71.2}
    report = {
        "names": ["Ada <b>", ""],
        "curve": [{"win": 0.5}, {"win": 0.75}, {"win": 1.0}],
        "seats": [total, {**total, "rating": None, "lost": None, "luck": None}],
        "decisions": [
            {**decision, "loss_win": 0.04, "loss_points": 1.0},
            {**decision, "loss_win": 0.09, "loss_points": 0.5, "best": "7"},
            {**decision, "loss_win": 0.5, "loss_points": 9.0, "mark": None},
        ],
    }
    html = review_html(report)
    assert "Ada &lt;b&gt;" in html
    assert html.index("9.0 %") < html.index("4.0 %")
    assert "50.0 %" not in html
    drawn(html)


def test_values_that_cannot_be_drawn_are_refused(subtests: pytest.Subtests) -> None:
    for thing in (None, 5, "hello", "", [], object(), "5H 5H"):
        with subtests.test(thing=thing), pytest.raises(FifteenTwoError):
            ft.picture(thing)


def test_a_picture_is_saved_as_a_file(tmp_path: Path) -> None:
    picture = ft.picture("5H")
    picture.save(str(tmp_path / "card.svg"))
    assert (tmp_path / "card.svg").read_text("utf-8") == picture
