"""Colours of suits and sides differ for normal and colour-blind eyes."""

from itertools import combinations

import numpy as np
import pytest

from tests.measured.colours import SIGHT, difference, lab
from tests.measured.pixels import contrast
from tests.support.playing import Visit

# A difference of 2 is seen side by side, one of 10 at a glance.
APART = {"normal": 20.0, "protanopia": 20.0, "deuteranopia": 20.0, "tritanopia": 15.0}

RESOLVED = """(groups) => groups.map((names) => names.map((name) => {
  const probe = document.createElement("i");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const seen = getComputedStyle(probe).color;
  probe.remove();
  return seen.match(/[\\d.]+/g).slice(0, 3).map(Number);
}))"""
DRAWN = """async () => {
  const { cardElement } = await import("/static/cards/cards.js");
  return ["S", "H", "D", "C"].map((suit) => {
    const card = cardElement(`7${suit}`, { fourColour: true });
    document.body.append(card);
    const seen = getComputedStyle(card).getPropertyValue("--suit-ink").trim();
    card.remove();
    return seen;
  });
}"""
SUITS = [f"--suit-four-{suit}" for suit in "shdc"]
SIDES = [f"--side-{side}" for side in range(1, 5)]


def test_colour_difference_equals_published_values() -> None:
    """Pairs of the test data of Sharma, Wu and Dalal (2005)."""
    for one, other, expected in [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ]:
        assert difference(np.array(one), np.array(other)) == pytest.approx(expected, abs=1e-4)
    assert lab(np.array([1.0, 0.0, 0.0])) == pytest.approx([53.24, 80.09, 67.20], abs=0.02)


def _least(colours: list[list[float]], sight: str) -> float:
    seen = [lab(np.array(colour) / 255, sight) for colour in colours]
    return min(difference(one, other) for one, other in combinations(seen, 2))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_suits_and_sides_differ_for_every_eye(visit: Visit, scheme: str) -> None:
    player = visit("en", color_scheme=scheme, bypass_csp=True)
    player.page.goto("/rules")
    suits, sides, [card] = player.page.evaluate(RESOLVED, [SUITS, SIDES, ["--card"]])
    for sight in SIGHT:
        assert _least(suits, sight) >= APART[sight], sight
        # The suits also differ from the colour of the card.
        assert _least([*suits, card], sight) >= APART[sight], sight
        assert _least(sides, sight) >= APART[sight], sight


def test_the_four_colour_deck_has_these_colours(visit: Visit) -> None:
    player = visit("en")
    player.page.goto("/check")
    printed = player.page.evaluate(DRAWN)
    tokens = player.page.evaluate(
        """(names) => names.map((name) =>
          getComputedStyle(document.documentElement).getPropertyValue(name).trim())""",
        SUITS,
    )
    assert printed == tokens
    assert len(set(printed)) == 4


LOOKS = {"felt": ("", "blue", "wine"), "wood": ("", "maple", "ebony"), "pegs": ("", "jewel", "metal")}
BACKS = ("", "blue", "green")
READ = [
    ("--on-felt", "--felt"),
    ("--on-felt-2", "--felt"),
    ("--on-wood", "--wood"),
    ("--on-wood", "--wood-pale"),
]
"""Letters and what lies behind them."""
WEAR = """async (looks) => {
  localStorage["fifteentwo.looks"] = JSON.stringify(looks);
  const root = document.documentElement;
  for (const part of ["back", "felt", "wood", "pegs"]) {
    if (looks[part]) root.dataset[part] = looks[part]; else delete root.dataset[part];
  }
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_look_is_readable_and_its_sides_differ(visit: Visit, scheme: str) -> None:
    """Cloths, woods and pegs are checked one by one; only a chosen look loads a style sheet."""
    player = visit("en", color_scheme=scheme, bypass_csp=True)
    page = player.page
    page.goto("/rules")
    assert not page.locator('link[href*="looks"]').count(), "the usual looks loaded a style sheet"
    page.evaluate(WEAR, {"felt": "blue"})
    page.reload()
    assert page.locator('link[href*="looks"]').count() == 1
    seen: set[tuple[tuple[float, ...], ...]] = set()
    for part, names in LOOKS.items():
        for name in names:
            page.evaluate(WEAR, {part: name})
            pairs = page.evaluate(RESOLVED, READ)
            sides, *_ = page.evaluate(RESOLVED, [SIDES])
            seen.add(tuple(tuple(colour) for colours in (*pairs, sides) for colour in colours))
            for names_of, (letters, behind) in zip(READ, pairs, strict=True):
                assert contrast(np.array(letters), np.array(behind)) >= 4.5, (part, name, names_of)
            for sight in SIGHT:
                assert _least(sides, sight) >= APART[sight], (part, name, sight)
    # The usual look occurs three times, and every other look differs from all.
    assert len(seen) == sum(map(len, LOOKS.values())) - 2
    for name in BACKS:
        page.evaluate(WEAR, {"back": name})
        [[line, field]] = page.evaluate(RESOLVED, [["--card-back-line", "--card-back"]])
        assert contrast(np.array(line), np.array(field)) >= 4.5, name
