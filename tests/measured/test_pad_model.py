"""The scoring pad compared with a model: random buttons, undo, redo, reloads, two windows, any name."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.playing import Visit


class Kept:
    """The model: a game scored on paper, with every earlier sheet."""

    def __init__(self, sides: int, target: int, skunk: int | None, double: int | None) -> None:
        self.target, self.skunk, self.double = target, skunk, double
        self.sheets = [([0] * sides, [0] * sides, [0] * sides)]
        self.at = 0

    @property
    def front(self) -> list[int]:
        return self.sheets[self.at][0]

    @property
    def won(self) -> bool:
        return self.target in self.front

    def peg(self, side: int, points: int) -> None:
        front, rear, games = (list(column) for column in self.sheets[self.at])
        front[side], rear[side] = min(front[side] + points, self.target), front[side]
        if front[side] == self.target:
            games[side] += max(self._games_lost(score) for other, score in enumerate(front) if other != side)
        self._turn_to((front, rear, games))

    def next(self) -> None:
        _, _, games = self.sheets[self.at]
        self._turn_to(([0] * len(games), [0] * len(games), list(games)))

    def _turn_to(self, sheet: tuple[list[int], list[int], list[int]]) -> None:
        self.sheets = [*self.sheets[: self.at + 1], sheet]
        self.at += 1

    def _games_lost(self, loser: int) -> int:
        if self.double is not None and loser < self.double:
            return 4
        return 2 if self.skunk is not None and loser < self.skunk else 1


SHOWN = """() => {
  const holes = (kind) => [...document.querySelectorAll(`#board [data-peg="${kind}"]`)]
    .sort((a, b) => a.dataset.side - b.dataset.side).map((peg) => Number(peg.dataset.hole));
  return { scores: [...document.querySelectorAll(".pad-score")].map((one) => Number(one.textContent)),
    front: holes("front"), rear: holes("rear"), games: holes("games"),
    undo: !document.getElementById("undo").disabled, redo: !document.getElementById("redo").disabled,
    over: document.getElementById("over").checkVisibility(),
    written: document.querySelectorAll("#history li").length };
}"""


def _agrees(page: Page, kept: Kept) -> None:
    front, rear, games = kept.sheets[kept.at]
    shown = page.evaluate(SHOWN)
    written = shown.pop("written")
    assert shown == {
        "scores": front,
        "front": front,
        "rear": rear,
        "games": games,
        "undo": kept.at > 0,
        "redo": kept.at < len(kept.sheets) - 1,
        "over": kept.won,
    }
    assert written <= kept.at


def _begin(
    page: Page, variant: str, names: tuple[str, ...] = (), *, skunk: bool = False, **fields: str
) -> None:
    page.goto("/pad")
    page.evaluate("localStorage.removeItem('pad')")
    page.reload()
    page.select_option("[name=variant]", variant)
    for name, value in fields.items():
        if name == "sides":
            page.select_option("[name=sides]", value)
        else:
            page.fill(f"[name={name}]", value)
    for side, name in enumerate(names):
        page.fill(f"[name=name_{side}]", name)
    if skunk:
        page.locator("[name=skunk]").check()
        if page.locator("[name=double_line]").input_value() or variant == "six-card":
            page.locator("[name=double]").check()
    page.locator("#setup [type=submit]").click()
    expect(page.locator("#game")).to_be_visible()


def _do(page: Page, kept: Kept, rng: random.Random, active: int) -> int:
    """Do something random on pad and model, and return the active side."""
    sides = len(kept.front)
    what = rng.choices(["button", "number", "undo", "redo", "side", "reload"], [8, 4, 4, 3, 5, 1])[0]
    if kept.won and what in ("button", "number"):
        page.click("#next-game")
        kept.next()
    elif what == "button":
        buttons = page.locator("#buttons button")
        button = buttons.nth(rng.randrange(buttons.count()))
        points = int(button.get_attribute("data-points") or 0)
        button.click()
        kept.peg(active, points)
    elif what == "number":
        points = rng.choice([1, 5, 12, 29, 29])
        page.fill("#number", str(points))
        page.click(rng.choice(["#peg", "#muggins"]))
        kept.peg(active, points)
    elif what == "undo" and kept.at:
        page.click("#undo")
        kept.at -= 1
    elif what == "redo" and kept.at < len(kept.sheets) - 1:
        page.click("#redo")
        kept.at += 1
    elif what == "side":
        active = rng.randrange(sides)
        page.locator(f'[name=active][value="{active}"]').check(force=True)
    elif what == "reload":
        page.reload()
        expect(page.locator("#game")).to_be_visible()
        active = 0
    return active


def _games() -> Iterator[Any]:
    for seed, (variant, lines) in enumerate(
        [
            ("six-card", (91, 61)),
            ("four-handed", (None, None)),
            ("half-game", (31, None)),
            ("three-handed", (None, None)),
        ]
    ):
        rest = [pytest.mark.slow] if seed else []
        yield pytest.param(variant, lines, seed, 25, id=variant, marks=rest)
    for seed in range(10, 16):
        yield pytest.param("six-card", (91, 61), seed, 400, id=f"long {seed}", marks=pytest.mark.slow)


@pytest.mark.parametrize(("variant", "lines", "seed", "steps"), [*_games()])
def test_random_buttons_undo_redo_and_reloads(
    visit: Visit, variant: str, lines: tuple[int | None, int | None], seed: int, steps: int
) -> None:
    player = visit("ja" if seed % 2 else "en", reduced_motion="reduce")
    page, rng = player.page, random.Random(seed)
    _begin(page, variant, skunk=lines[0] is not None)
    target = 61 if variant == "half-game" else 121
    kept = Kept({"four-handed": 4, "three-handed": 3}.get(variant, 2), target, *lines)
    active = 0
    for _ in range(steps):
        active = _do(page, kept, rng, active)
        _agrees(page, kept)
    while not kept.won:
        page.fill("#number", "29")
        page.click("#peg")
        kept.peg(active, 29)
    _agrees(page, kept)
    while kept.at:
        page.click("#undo")
        kept.at -= 1
    _agrees(page, kept)


def test_two_windows_take_turns_at_one_pad(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce")
    first = player.page
    _begin(first, "six-card")
    second = first.context.new_page()
    second.goto(first.url)
    kept = Kept(2, 121, None, None)
    for turn in range(4):
        here, there = (first, second) if turn % 2 else (second, first)
        here.fill("#number", str(turn + 1))
        here.click("#peg")
        kept.peg(0, turn + 1)
        expect(there.locator(".pad-score").first).to_have_text(str(kept.front[0]))
        _agrees(there, kept)
    first.click("#undo")
    kept.at -= 1
    expect(second.locator(".pad-score").first).to_have_text(str(kept.front[0]))
    second.click("#redo")
    kept.at += 1
    expect(first.locator(".pad-score").first).to_have_text(str(kept.front[0]))
    second.click("#new")
    second.click("#sure [value=new]")
    expect(first.locator("#setup")).to_be_visible()


NAMES = ("<img src=x onerror=alert(1)>", "👩‍👩‍👧‍👦🃏{name}{n}", "W" * 40, "‮עברית &amp; </script>")


def test_any_name_is_shown_as_text_and_fits_a_phone(visit: Visit) -> None:
    lang = "ja"
    player = visit(lang, phone=True, reduced_motion="reduce")
    page = player.page
    page.on("dialog", lambda _: player.complaints.append("a name was run as a program"))
    _begin(page, "four-handed", NAMES)
    shown = page.locator(".pad-name").all_inner_texts()
    assert [name.strip() for name in shown] == [
        name[: len(written.strip())] for name, written in zip(NAMES, shown, strict=True)
    ]
    assert page.locator("#pad img").count() == 0
    for _ in range(5):
        page.fill("#number", "29")
        page.click("#peg")
    expect(page.locator("#over")).to_be_visible()
    expect(page.locator("#over-line")).to_contain_text("<img")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # A name longer than the field takes, kept by an older page, must not break the layout either.
    page.evaluate(
        """(name) => {
          const pad = JSON.parse(localStorage.getItem("pad"));
          pad.setup.names[0] = name;
          localStorage.setItem("pad", JSON.stringify(pad));
        }""",
        "界" * 40 + "W" * 40,
    )
    page.reload()
    expect(page.locator("#game")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
