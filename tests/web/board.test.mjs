// Where the holes lie, and what is drawn round them (R18–R22, R119–R121).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { drawA, drawB, markMarkup, pegMarkup } from "../../src/fifteentwo/web/static/board/drawing.js";
import {
  LENGTH,
  foldedStreets,
  gamePlaces,
  holePosition,
  planA,
  planB,
  reach,
  skunkLines,
  streetCount,
} from "../../src/fifteentwo/web/static/board/holes.js";

const bend = (d) => d * 0.42;
const long = (sides, target, tall, streets = Array.from({ length: streetCount(target) }, (_, i) => i + 1)) => ({
  sides,
  target,
  tall,
  streets,
  spacing: 12,
  centre: 50,
  bend,
});
const round = (target, tall) => ({ target, tall, spacing: 20, centre: 60 });

/** Every hole that a plan shows, with its side and score. */
function holes(plan, sides, target) {
  const found = [];
  for (let side = 0; side < sides; side += 1) {
    for (let score = 1; score < target; score += 1) found.push({ side, score, at: plan.at(side, score) });
    for (const second of [0, 1]) found.push({ side, score: -second, at: plan.at(side, 0, second) });
  }
  return found.filter(({ at }) => at !== null);
}

function nearest(places) {
  let least = Infinity;
  for (const [i, a] of places.entries())
    for (const b of places.slice(i + 1)) least = Math.min(least, Math.hypot(a.x - b.x, a.y - b.y));
  return least;
}

test("R119 on the long track every score of every side has a hole of its own, on the board", () => {
  for (const target of [31, 61, 100, 121])
    for (const sides of [2, 3, 4])
      for (const tall of [true, false]) {
        const plan = planA(long(sides, target, tall));
        const places = holes(plan, sides, target).map(({ at }) => at);
        assert.equal(places.length, sides * (target + 1));
        assert.ok(nearest(places) > 6, `${target} ${sides} ${tall}`);
        for (const { x, y } of places) assert.ok(x > 5 && x < plan.width - 5 && y > 5 && y < plan.height - 5);
      }
});

test("R120 R121 board B's sixty holes a side serve twice round", () => {
  for (const tall of [true, false]) {
    const plan = planB(round(121, tall));
    for (const side of [0, 1])
      for (let score = 1; score <= 60; score += 1)
        assert.deepEqual(plan.at(side, score), plan.at(side, score + 60), `${side} ${score}`);
    const once = holes(planB(round(61, tall)), 2, 61).map(({ at }) => at);
    assert.equal(once.length, 2 * 62);
    assert.ok(nearest(once) > 6);
  }
});

test("R119 R120 every score has the hole that the rules give it", () => {
  const { holes } = JSON.parse(readFileSync(process.env.FIFTEENTWO_HANDS ?? "", "utf-8"));
  assert.equal(holes.length, 120);
  for (const [at, [a, b]] of holes.entries()) {
    assert.deepEqual(holePosition("A", at + 1), { lap: 1, column: a.street, row: a.hole });
    assert.deepEqual(holePosition("B", at + 1), b);
  }
});

test("a peg stops at the target and never stands before the start", () => {
  for (const type of ["A", "B"]) {
    for (const score of [121, 122, 500]) assert.equal(holePosition(type, score).column, "game");
    for (const score of [0, -1]) assert.equal(holePosition(type, score).column, "start");
    assert.equal(holePosition(type, 61, 61).column, "game");
  }
});

test("holes stand in fives", () => {
  const gaps = Array.from({ length: 29 }, (_, i) => reach(i + 2) - reach(i + 1));
  assert.deepEqual(gaps.map((gap, i) => (gap > 10 ? i + 1 : 0)).filter(Boolean), [5, 10, 15, 20, 25]);
  assert.equal(reach(30), LENGTH);
});

test("R18 R19 R20 skunk lines lie where the losers are judged", () => {
  assert.deepEqual(skunkLines(121, true, true), [
    { after: 90, mark: "S" },
    { after: 60, mark: "SS" },
  ]);
  assert.deepEqual(skunkLines(121, true, false), [{ after: 90, mark: "S" }]);
  assert.deepEqual(skunkLines(61, true, true), [{ after: 30, mark: "S" }]);
  for (const target of [61, 100, 121]) assert.deepEqual(skunkLines(target, false, true), []);
  assert.deepEqual(skunkLines(100, true, true), []);
});

test("a folded board shows two streets, always the leader's, and all of a walk between two", () => {
  for (const target of [91, 121, 181]) {
    const street = (score) => Math.min(Math.max(1, Math.ceil(Math.min(score, target - 1) / 30)), streetCount(target));
    for (let one = 0; one <= target; one += 3)
      for (let other = 0; other <= target; other += 7) {
        const shown = foldedStreets([one, other], target);
        assert.equal(shown.length, 2);
        assert.ok(shown[0] < shown[1] && shown[0] >= 1 && shown[1] <= streetCount(target), `${one} ${other}: ${shown}`);
        assert.ok(shown.includes(street(Math.max(one, other))));
        const to = Math.min(one + 29, target);
        const walked = foldedStreets([one, other], target, [one, to]);
        assert.ok(walked.includes(street(one)) && walked.includes(street(to)), `${one} to ${to}, ${other}: ${walked}`);
      }
  }
});

test("of three sides the two in front are shown", () => {
  assert.deepEqual(foldedStreets([5, 45, 100], 121), [2, 4]);
  assert.deepEqual(foldedStreets([100, 5, 45], 121), [2, 4]);
  assert.deepEqual(foldedStreets([5, 45, 100], 121, [5, 31]), [1, 2]);
});

test("what is folded away has no place", () => {
  const plan = planA(long(2, 121, false, [2, 3]));
  assert.deepEqual(
    holes(plan, 2, 121)
      .map(({ score }) => score)
      .filter((score) => score < 31 || score > 90),
    [],
  );
  assert.equal(holes(plan, 2, 121).length, 2 * 60);
  assert.equal(plan.at(0, 0), null);
  assert.equal(plan.at(0, 121), null);
  assert.deepEqual(gamePlaces(plan, 2), []);
});

test("R22 ten games won have a place each, apart from all scores", () => {
  for (const plan of [planA(long(3, 121, true)), planA(long(3, 61, false)), planB(round(121, true))]) {
    const sides = "columns" in plan ? 2 : 3;
    const games = gamePlaces(plan, sides);
    assert.deepEqual(
      games.map((row) => row.length),
      Array(sides).fill(10),
    );
    const scored = holes(plan, sides, 61).map(({ at }) => at);
    for (const game of games.flat())
      for (const hole of scored) assert.ok(Math.hypot(game.x - hole.x, game.y - hole.y) > 6);
  }
});

test("whatever the target, sides and fold, everything drawn has a place", () => {
  const targets = [...Array.from({ length: 63 }, (_, i) => i + 2), 91, 100, 120, 121, 122, 200, 241];
  for (const target of targets)
    for (const sides of [2, 4])
      for (const tall of [true, false]) {
        const every = Array.from({ length: streetCount(target) }, (_, i) => i + 1);
        const folds = [every, ...(every.length > 2 ? [every.slice(0, 2), every.slice(-2)] : [])];
        for (const streets of folds) {
          const layout = long(sides, target, tall, streets);
          const plan = planA(layout);
          const drawn = drawA(plan, { ...layout, lines: skunkLines(target, true, true) });
          assert.doesNotMatch(drawn, /NaN|undefined|null/, `${target} ${sides} ${tall} ${streets}`);
          assert.ok(Number.isFinite(plan.width) && Number.isFinite(plan.height));
        }
      }
  for (const target of [61, 121])
    for (const tall of [true, false]) {
      const layout = round(target, tall);
      assert.doesNotMatch(
        drawB(planB(layout), { ...layout, lines: skunkLines(target, true, true) }),
        /NaN|undefined|null/,
      );
    }
});

test("four sides have four shapes, on the board and in the scores", () => {
  for (const markup of [pegMarkup, markMarkup]) assert.equal(new Set([0, 1, 2, 3].map(markup)).size, 4);
});
