// The ladder gets harder with success and easier without it; a streak is of right answers on any rung.
import assert from "node:assert/strict";
import test from "node:test";
import { after, left } from "../../src/fifteentwo/web/static/practice/ladder.js";

const RUNGS = 5;
/** @param {string} answers @param {Record<string, unknown>} [kept] */
const climbed = (answers, kept = {}) =>
  [...answers].reduce((ladder, one) => after(ladder, one === "+", RUNGS), left(kept, RUNGS));

test("three right in a row lead up, two wrong in a row lead down", () => {
  assert.equal(climbed("++").rung, 0);
  assert.equal(climbed("+++").rung, 1);
  assert.equal(climbed("+++++").rung, 1);
  assert.equal(climbed("++-++-+").rung, 0);
  assert.equal(climbed("++++++").rung, 2);
  assert.equal(climbed("++++++-").rung, 2);
  assert.equal(climbed("++++++--").rung, 1);
  assert.equal(climbed("----").rung, 0);
  assert.equal(climbed("+".repeat(40)).rung, RUNGS - 1);
});

test("the streak goes on from rung to rung, and the longest is kept", () => {
  const ladder = climbed("+++++++-++");
  assert.deepEqual([ladder.streak, ladder.best], [2, 7]);
  assert.deepEqual(ladder.done, [3, 3, 4, 0, 0]);
});

test("what was kept comes back, and what cannot be read begins again", () => {
  const ladder = climbed("++++-");
  assert.deepEqual(left(JSON.parse(JSON.stringify(ladder)), RUNGS), ladder);
  assert.equal(left({ rung: 9, streak: "many", best: -3, done: "none" }, RUNGS).rung, 4);
  assert.deepEqual(left({ rung: 1.5 }, RUNGS), { rung: 0, right: 0, wrong: 0, streak: 0, best: 0, done: [] });
});
