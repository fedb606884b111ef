// Counting against the clock: hands made on purpose show what they should, what is missed comes back, and scores can
// be claimed one by one until nothing is left.

import assert from "node:assert/strict";
import { test } from "node:test";
import { claim, keyOf } from "../../src/fifteentwo/web/static/practice/claims.js";
import {
  PATTERNS,
  counts,
  nextHand,
  patternsMissed,
  patternsOf,
  remembered,
  showing,
  weakest,
  weightOf,
} from "../../src/fifteentwo/web/static/practice/hands.js";

/** The same chances every time. */
function dice(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

test("a hand asked for by its pattern shows it, and is four different cards and a starter", () => {
  const chance = dice(1);
  for (const name of PATTERNS) {
    for (let n = 0; n < 30; n += 1) {
      const dealt = showing(name, chance);
      assert.ok(patternsOf(dealt).includes(name), `${name}: ${dealt.hand} ${dealt.starter}`);
      assert.equal(new Set([...dealt.hand, dealt.starter]).size, 5);
    }
  }
});

test("what is missed comes more often, and less again once it is right", () => {
  let kept = {};
  for (let n = 0; n < 6; n += 1) kept = remembered(kept, ["nobs"], ["nobs"]);
  assert.equal(weakest(kept)[0], "nobs");
  const often = (memory) => {
    const chance = dice(7);
    return Array.from({ length: 300 }, () => nextHand(memory, chance)).filter((dealt) =>
      patternsOf(dealt).includes("nobs"),
    ).length;
  };
  assert.ok(often(kept) > often({}) * 1.2, `${often(kept)} and ${often({})}`);
  for (let n = 0; n < 30; n += 1) kept = remembered(kept, ["nobs"], []);
  assert.ok(weightOf(kept, "nobs") < weightOf(kept, "flush"));
  assert.deepEqual(weakest(kept), []);
});

test("an overlooked score counts against its own pattern alone", () => {
  const dealt = { hand: ["JH", "TC", "9D", "5S"], starter: "5H", crib: false };
  const nobs = counts(dealt).filter(({ name }) => name === "nobs");
  assert.equal(nobs.length, 1);
  assert.deepEqual(patternsMissed(dealt, nobs), ["nobs"]);
  for (const tapped of [["JH"], ["5H", "JH"]])
    assert.ok(
      claim(dealt, tapped, []).scores.some(({ name }) => name === "nobs"),
      `${tapped}`,
    );
  assert.equal(claim(dealt, ["TC", "5H"], []).scores.length, 1);
});

test("claims, score by score, come to the whole count and to nothing more", () => {
  const chance = dice(3);
  for (let n = 0; n < 100; n += 1) {
    const dealt = nextHand({}, chance);
    const cards = [...dealt.hand, dealt.starter];
    let claimed = [];
    for (let chosen = 1; chosen < 32; chosen += 1) {
      const some = cards.filter((_, at) => chosen & (1 << at));
      const { scores, why } = claim(dealt, some, claimed);
      assert.equal(scores.length > 0, why === "");
      claimed = [...claimed, ...scores];
      if (scores.length) assert.equal(claim(dealt, some, claimed).why, "claimed");
    }
    assert.deepEqual(claimed.map(keyOf).sort(), counts(dealt).map(keyOf).sort());
  }
});

test("two of three alike are asked to go on, strangers score nothing", () => {
  const dealt = { hand: ["8H", "8C", "8D", "KS"], starter: "2S", crib: false };
  assert.equal(claim(dealt, ["8H", "8C"], []).why, "more");
  assert.equal(claim(dealt, ["8H", "KS"], []).why, "none");
  const run = { hand: ["AH", "2C", "3D", "4S"], starter: "KS", crib: false };
  assert.equal(claim(run, ["AH", "2C", "3D"], []).why, "more");
  assert.equal(claim(run, ["AH", "2C"], []).why, "none");
});
