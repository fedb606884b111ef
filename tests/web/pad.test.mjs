// The scoring pad's game as a value, and its pie (R10, R14, R18–R22, R115, R123).
import assert from "node:assert/strict";
import test from "node:test";
import { slices } from "../../src/fifteentwo/web/static/pad/pie.js";
import {
  FORMS,
  begin,
  buttons,
  enter,
  lines,
  redo,
  restore,
  standing,
  undo,
} from "../../src/fifteentwo/web/static/pad/score.js";

const setup = (more = {}) => ({
  form: "six-card",
  names: ["Aki", "Ben"],
  target: 121,
  board: "A",
  skunk: 91,
  doubleSkunk: 61,
  ...more,
});
const points = (side, number, what = "points") => ({ kind: "points", side, points: number, what });
const after = (entries, more) => entries.reduce(enter, begin(setup(more)));

/** Chance that is the same in every run. */
function dice(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test("R115 the rear peg stands where the front peg stood", () => {
  const { front, rear } = standing(after([points(0, 4), points(1, 2), points(0, 8)]));
  assert.deepEqual(
    [front, rear],
    [
      [12, 2],
      [4, 0],
    ],
  );
});

test("R14 at the target the game is over, and nothing more is scored", () => {
  const now = standing(after([points(0, 120), points(1, 29), points(0, 12), points(1, 90), points(0, 5)]));
  assert.deepEqual(now.front, [121, 29]);
  assert.equal(now.won.side, 0);
  assert.equal(now.log.length, 3);
});

test("R18 R19 R20 R22 a loser below the lines loses two games, or four", () => {
  for (const [loser, games] of [
    [0, 4],
    [60, 4],
    [61, 2],
    [90, 2],
    [91, 1],
    [120, 1],
  ]) {
    const entries = [...(loser ? [points(1, loser)] : []), points(0, 121)];
    assert.deepEqual(standing(after(entries)).won.lost, [0, games], `at ${loser}`);
    assert.deepEqual(standing(after(entries)).games, [games, 0]);
    assert.deepEqual(standing(after(entries, { doubleSkunk: null })).won.lost, [0, Math.min(games, 2)]);
    assert.deepEqual(standing(after(entries, { skunk: null, doubleSkunk: null })).won.lost, [0, 1]);
  }
});

test("of several losers each is judged alone, and the winner has the most", () => {
  const won = standing(after([points(1, 95), points(2, 70), points(0, 121)], { names: ["a", "b", "c"] }));
  assert.deepEqual(
    [won.won.lost, won.games],
    [
      [0, 1, 2],
      [2, 0, 0],
    ],
  );
});

test("the next game begins at nothing and keeps the games won", () => {
  const now = standing(after([points(0, 121), { kind: "next" }, points(1, 6)]));
  assert.deepEqual([now.front, now.games, now.game, now.won], [[0, 6], [4, 0], 2, null]);
});

test("R11 R30 the marker goes on with every deal, and undo takes it back", () => {
  const deal = { kind: "deal" };
  const dealers = (number, more) => standing(after(Array(number).fill(deal), more)).dealer;
  assert.deepEqual(
    [0, 1, 2, 3].map((number) => dealers(number)),
    [0, 1, 0, 1],
  );
  assert.deepEqual(
    [0, 1, 2, 3].map((number) => dealers(number, { names: ["a", "b", "c"], dealer: 1 })),
    [1, 2, 0, 1],
  );
  assert.equal(standing(undo(after([deal]))).dealer, 0);
  assert.equal(dealers(5, { form: "other" }), null);
});

test("C14 in the next game the loser deals first, of several who lost by most", () => {
  const next = { kind: "next" };
  assert.equal(standing(after([points(0, 121), next])).dealer, 1);
  assert.equal(standing(after([points(1, 121), next])).dealer, 0);
  const three = { names: ["a", "b", "c"], dealer: 2 };
  assert.equal(standing(after([points(0, 50), points(1, 40), points(2, 121), next], three)).dealer, 1);
  assert.equal(standing(after([points(1, 121), points(0, 1), next], three)).dealer, 0);
  // Once a game is won no one deals until the next begins.
  assert.equal(standing(after([points(0, 121), { kind: "deal" }])).dealer, 0);
});

test("a correction takes points back, but never below nothing", () => {
  assert.deepEqual(standing(after([points(0, 5), points(0, -3, "correction")])).front, [2, 0]);
  assert.deepEqual(standing(after([points(0, 5), points(0, -30, "correction")])).front, [0, 0]);
});

test("R123 whatever was entered, undo and redo lead back and forth through the very same scores", () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const roll = dice(seed);
    const way = [begin(setup({ target: [61, 100, 121][roll(3)] }))];
    for (let i = 0; i < 60; i += 1)
      way.push(enter(way.at(-1), roll(9) ? points(roll(2), roll(30) - 3) : { kind: "next" }));
    let pad = way.at(-1);
    for (const earlier of way.slice(0, -1).reverse()) {
      pad = undo(pad);
      assert.deepEqual(standing(pad), standing(earlier));
    }
    assert.equal(undo(pad), pad);
    for (const later of way.slice(1)) {
      pad = redo(pad);
      assert.deepEqual(standing(pad), standing(later));
    }
    assert.deepEqual(pad, way.at(-1));
    assert.equal(redo(pad), pad);
    const [changed, kept] = [enter(undo(pad), points(0, 1)), standing(pad)];
    assert.equal(redo(changed), changed);
    assert.deepEqual(standing(pad), kept);
  }
});

test("a pad that was kept comes back as it was", () => {
  const pad = undo(
    after([points(0, 5), { kind: "deal" }, { kind: "next" }, points(1, 121), points(0, 2)], { skunk: null }),
  );
  assert.deepEqual(restore(JSON.stringify(pad)), pad);
});

test("a damaged pad is none, and no damage is an error", () => {
  const whole = JSON.stringify(after([points(0, 5), points(1, 7)]));
  for (const kept of [null, "", "null", "{}", "[]", "7", '"pad"', whole.slice(0, -1), whole.slice(5)])
    assert.equal(restore(kept), null, String(kept));
  const damage = {
    names: [undefined, null, [], ["one"], ["a", "b", "c", "d", "e"], ["a", 2], "ab"],
    target: [undefined, 0, -1, 1.5, "121", null],
    form: [undefined, "seven-card", null],
    dealer: [-1, 2, 0.5, "0", null],
  };
  for (const [field, values] of Object.entries(damage))
    for (const value of values)
      assert.equal(restore(JSON.stringify(begin(setup({ [field]: value })))), null, `${field} ${value}`);
  for (const entry of [
    null,
    {},
    { kind: "other" },
    points(2, 5),
    points(-1, 5),
    points(0, 1.5),
    points(0, "5"),
    { ...points(0, 5), what: 3 },
  ]) {
    assert.equal(
      restore(JSON.stringify({ setup: setup(), entries: [entry], undone: [] })),
      null,
      JSON.stringify(entry),
    );
    assert.equal(
      restore(JSON.stringify({ setup: setup(), entries: [], undone: [entry] })),
      null,
      JSON.stringify(entry),
    );
  }
});

test("every form has its lines, and no key serves two buttons", () => {
  assert.deepEqual(lines(121), { skunk: 91, doubleSkunk: 61 });
  assert.deepEqual(lines(61), { skunk: 31, doubleSkunk: null });
  assert.deepEqual(lines(100), { skunk: null, doubleSkunk: null });
  for (const form of Object.keys(FORMS)) {
    const keys = Object.values(buttons(form))
      .flat()
      .map(({ key }) => key)
      .filter(Boolean);
    assert.equal(new Set(keys).size, keys.length, form);
    // Taken for undo, redo, muggins and the next deal.
    for (const taken of "zyme") assert.ok(!keys.includes(taken), `${form} ${taken}`);
  }
});

test("R81 R82 R83 fifteens, pairs and runs are scored in the hand too", () => {
  for (const form of Object.keys(FORMS).filter((one) => one !== "other")) {
    const hand = buttons(form).hand.map(({ what, points: number }) => `${what} ${number}`);
    for (const one of ["fifteen 2", "pair 2", "pair_royal 6", "double_pair_royal 12", "run 3", "run 4", "nobs 1"])
      assert.ok(hand.includes(one), `${form} ${one}`);
    assert.equal(hand.includes("run 5"), form !== "five-card");
  }
});

test("R123 the pie is shared out among those who have points", () => {
  assert.deepEqual(slices([0, 0]), []);
  assert.deepEqual(slices([0, 7]), [{ side: 1, from: 0, share: 1 }]);
  const [first, second, third] = slices([10, 0, 20, 30]);
  assert.deepEqual([first.side, second.side, third.side], [0, 2, 3]);
  assert.ok(Math.abs(third.from + third.share - 1) < 1e-12);
  assert.equal(second.from, first.share);
  assert.ok(Math.abs(third.share - 3 * first.share) < 1e-12);
});

test("every count of a hand has one button", () => {
  const counts = (form) => buttons(form).whole.map((one) => one.points);
  assert.deepEqual(
    counts("six-card"),
    Array.from({ length: 29 }, (_, i) => i + 1).filter((count) => ![19, 25, 26, 27].includes(count)),
  );
  assert.deepEqual(counts("five-card").slice(-2), [15, 20]);
});
