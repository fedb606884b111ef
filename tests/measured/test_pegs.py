"""Every peg is in its hole on drawn boards of every size and layout (R115–R121)."""

import random
from itertools import product
from typing import Any

import pytest

from fifteentwo.rules.board import hole_a, hole_b
from tests.support.playing import Visit

BOARDS = [
    {"type": kind, "sides": sides, "target": target, "layout": layout}
    for kind, sides, target, layout in product("AB", (2, 3, 4), (61, 121), ("tall", "wide"))
    if kind == "A" or sides == 2
]

STANDING = """async (boards) => {
  const { boardElement } = await import("/static/board/board.js");
  const place = (peg) => peg.getAttribute("transform").match(/[-\\d.]+/g).slice(0, 2).map(Number);
  return boards.map((options) => {
    const board = boardElement(options);
    const drilled = [...board.querySelectorAll("path.hole-bore")]
      .flatMap((path) => [...path.getAttribute("d").matchAll(/M([-\\d.]+) ([-\\d.]+)/g)])
      .map((at) => [Number(at[1]), Number(at[2])]);
    const stood = [];
    for (let score = 0; score <= options.target; score += 1) {
      const front = Array(options.sides).fill(score);
      const rear = Array(options.sides).fill(Math.max(0, score - 1));
      board.update({ front, rear });
      for (const which of ["front", "rear"])
        for (const peg of board.querySelectorAll(`[data-peg="${which}"]`))
          stood.push({
            score: which === "front" ? score : Math.max(0, score - 1), which,
            side: Number(peg.dataset.side), hole: Number(peg.dataset.hole), lap: Number(peg.dataset.lap),
            seen: peg.getAttribute("visibility"), at: place(peg),
          });
    }
    return { drilled, stood };
  });
}"""


def _lap(kind: str, score: int, target: int) -> int:
    """Return the lap: 1 or 2 on board B, 1 on board A, 0 off the track."""
    if score in (0, target):
        return 0
    place = hole_b(score) if kind == "B" else None
    return place.lap if place else 1


def _place(kind: str, score: int, target: int) -> tuple[object, ...]:
    """Return a value that only scores in one hole share."""
    if score == 0:
        return ("start",)
    if score == target:
        return ("game",)
    if kind == "A":
        return ("A", hole_a(score))
    place = hole_b(score)
    assert place is not None
    return ("B", place.column, place.row)


def test_r119_r120_r121_every_score_has_its_own_drilled_hole(visit: Visit) -> None:
    player = visit("en")
    player.page.goto("/summary")
    for options, drawn in zip(BOARDS, player.page.evaluate(STANDING, BOARDS), strict=True):
        _holes_are_those_of_the_rules(options, drawn)


def _holes_are_those_of_the_rules(options: dict[str, Any], drawn: dict[str, Any]) -> None:
    kind, target = options["type"], options["target"]
    drilled = {(round(x, 1), round(y, 1)) for x, y in drawn["drilled"]}
    holes: dict[tuple[object, ...], set[tuple[int, int]]] = {}
    for peg in drawn["stood"]:
        assert peg["hole"] == peg["score"], options
        assert peg["lap"] == _lap(kind, peg["score"], target), options
        assert peg["seen"] == "visible", options
        x, y = peg["at"]
        assert min(abs(x - a) + abs(y - b) for a, b in drilled) < 0.2, (options, peg)
        # A side has two start holes, one for each peg.
        start = peg["which"] if peg["score"] == 0 else ""
        name = (peg["side"], start, *_place(kind, peg["score"], target))
        holes.setdefault(name, set()).add((round(x), round(y)))
    assert all(len(places) == 1 for places in holes.values()), options
    used = {place for places in holes.values() for place in places}
    # On the long track the game hole is everybody's.
    shared = options["sides"] - 1 if kind == "A" else 0
    assert len(used) == len(holes) - shared, options
    # Both laps use board B's sixty holes; each side also has two start holes and the game hole.
    track = 60 if kind == "B" else target - 1
    assert len(holes) == options["sides"] * (track + 3), options


HASTY = """async ([sides, target, type, moves]) => {
  const { boardElement } = await import("/static/board/board.js");
  const board = boardElement({ type, sides, target });
  document.body.append(board);
  const holes = (kind) => [...board.querySelectorAll(`[data-peg="${kind}"]`)]
    .sort((a, b) => a.dataset.side - b.dataset.side).map((peg) => Number(peg.dataset.hole));
  const frame = () => new Promise(requestAnimationFrame);
  const stood = [];
  for (const [side, from, to, way, folded] of moves) {
    const walk = board.animate(side, from, to, 4000);
    if (way === "follow") await frame();
    if (way === "fold" && type === "A") board.setCollapsed(folded);
    if (way === "turn") board.update({});
    board.finish();
    await walk;
    stood.push([holes("front"), holes("rear")]);
  }
  board.remove();
  return stood;
}"""


@pytest.mark.parametrize(
    ("sides", "target", "kind"), [(2, 121, "A"), (2, 121, "B"), (3, 61, "A"), (4, 121, "A")]
)
def test_r115_r116_an_interrupted_walk_ends_in_its_hole(
    visit: Visit, sides: int, target: int, kind: str
) -> None:
    player = visit("en")
    player.page.goto("/summary")
    rng = random.Random(sides * target)
    front, rear, moves, stood = [0] * sides, [0] * sides, [], []
    while target not in front:
        side, points = rng.randrange(sides), rng.randrange(1, 13)
        to = min(target, front[side] + points)
        moves.append(
            [side, front[side], to, rng.choice(["follow", "fold", "turn", "at once"]), rng.random() < 0.5]
        )
        rear[side], front[side] = front[side], to
        stood.append([list(front), list(rear)])
    assert player.page.evaluate(HASTY, [sides, target, kind, moves]) == stood
