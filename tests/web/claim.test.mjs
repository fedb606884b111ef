// Putting a claim together (R93), and what the middle of the table shows meanwhile.
import assert from "node:assert/strict";
import test from "node:test";
import { isWrong, opened, stageOf, whose } from "../../src/fifteentwo/web/static/play/state.js";
import { handInOrder } from "../../src/fifteentwo/web/static/play/hand.js";
import { fits, follows } from "../../src/fifteentwo/web/static/play/card-and-claim.js";
import { likes } from "../../src/fifteentwo/web/static/play/settings.js";
import { saidOf } from "../../src/fifteentwo/web/static/play/show.js";
import {
  MOST,
  NOTHING,
  counting,
  itemsOf,
  tallyOf,
  times,
  typing,
} from "../../src/fifteentwo/web/static/play/tally.js";
import { speakIn } from "../../src/fifteentwo/web/static/text.js";

test("digits typed one after the other make the number, and one too large begins again", () => {
  const typed = (digits) => [...digits].map(Number).reduce(typing, NOTHING).sum;
  assert.deepEqual(["8", "12", "29", "30", "293", "02", "00"].map(typed), [8, 12, 29, 0, 3, 2, 0]);
});

test("no hand makes more than 29, or less than nothing", () => {
  assert.equal(MOST, 29);
  assert.deepEqual(
    [-1, 0, 29, 30].map((sum) => tallyOf(sum).sum),
    [0, 0, 29, 29],
  );
});

test("items are added up and counted; a number instead forgets them", () => {
  const tally = [
    ["fifteen", 2],
    ["run", 3],
    ["fifteen", 2],
    ["run", 4],
  ].reduce(counting, NOTHING);
  assert.equal(tally.sum, 11);
  assert.deepEqual(
    tally.items.map(({ sum }) => sum),
    [2, 5, 7, 11],
  );
  assert.deepEqual(
    [
      ["fifteen", 2],
      ["run", 3],
      ["run", 5],
    ].map((item) => times(tally, item)),
    [2, 1, 0],
  );
  assert.deepEqual(typing(counting(NOTHING, ["fifteen", 2]), 3), { sum: 3, items: [] });
  assert.deepEqual(NOTHING, { sum: 0, items: [] });
});

test("only what can be there is offered", () => {
  const names = (show) => itemsOf(show).map(([name, points]) => `${name} ${points}`);
  const four = ["5H", "5S", "5D", "JC"];
  const [play, hand, short, crib] = [
    null,
    { crib: false, cards: four },
    { crib: false, cards: four.slice(1) },
    { crib: true, cards: four },
  ].map(names);
  // R101: three cards with the starter; R87: no flush of four in the crib; R59: thirty-one in pegging alone.
  assert.ok(hand.includes("flush 4") && hand.includes("run 5"));
  assert.ok(short.includes("flush 3") && !short.includes("flush 5") && !short.includes("run 5"));
  assert.ok(crib.includes("flush 5") && !crib.includes("flush 4"));
  assert.ok(play.includes("thirty_one 2") && play.includes("run 7") && !play.some((item) => item.startsWith("nobs")));
  for (const items of [play, hand, short, crib]) assert.equal(new Set(items).size, items.length);
});

const view = (more = {}) => ({
  phase: "play",
  seat: 0,
  dealer: 1,
  rules: { seats: 2 },
  open_hands: [[], []],
  open_crib: [],
  hand: [],
  ...more,
});

test("the middle shows what the game is at", () => {
  const stage = (more, rest = {}) => stageOf({ view: view(more), scene: "", counting: null, ...rest });
  for (const [phase, shown] of Object.entries({
    draw: "draw",
    "draw-turn": "draw",
    "name-dealer": "name",
    cut: "cut",
    deal: "cut",
    discard: "play",
    "cut-stock": "play",
    starter: "play",
    play: "play",
    over: "over",
  }))
    assert.equal(stage({ phase }), shown);
  assert.equal(stage({ phase: "claim", open_hands: [["5H"], []] }), "show");
  assert.equal(stage({ phase: "over" }, { counting: {} }), "show");
  assert.equal(stage({ phase: "cut" }, { scene: "drawn" }), "draw");
});

test("R79 the last hand shown is the one being counted: eldest first, the crib last", () => {
  const hand = (more) => opened({ view: view({ rules: { seats: 3 }, dealer: 1, ...more }), counting: null });
  assert.equal(hand({ open_hands: [[], [], []] }), null);
  assert.equal(hand({ open_hands: [[], [], ["5H"]] }).seat, 2);
  assert.equal(hand({ open_hands: [["6H"], [], ["5H"]] }).seat, 0);
  assert.equal(hand({ open_hands: [["6H"], ["7H"], ["5H"]] }).seat, 1);
  assert.deepEqual(hand({ open_hands: [["6H"], ["7H"], ["5H"]], open_crib: ["KH"] }), {
    seat: 1,
    crib: true,
    cards: ["KH"],
  });
});

test("one's own is called one's own", () => {
  speakIn({ own: "Your crib", other: "{name}'s crib" });
  const state = { view: view(), names: ["Aki", "Ben"], role: "player" };
  assert.deepEqual(
    [0, 1].map((seat) => whose(state, seat, "own", "other")),
    ["Your crib", "Ben's crib"],
  );
});

test("a claim is wrong only where something else was said", () => {
  assert.deepEqual(
    [{ points: 8 }, { points: 8, claimed: 8 }, { points: 8, claimed: 6 }, { points: 0, claimed: 0 }].map(isWrong),
    [false, false, true, false],
  );
});

test("a whole count names its scores, and says Parlett's words where those are asked for", () => {
  speakIn(
    {
      "name.run-of": "run of {length}",
      "number.3": "three",
      "list.comma": ", ",
      "show.nothing": "nothing",
    },
    "en",
  );
  const run = { name: "run", points: 3, cards: ["3H", "4S", "5D"] };
  const fifteen = { name: "fifteen", points: 2, cards: ["TH", "5D"] };
  const counted = { points: 5, scores: [fifteen, run], spoken: ["fifteen two", "three-four-five"] };
  assert.equal(
    saidOf({ ...counted, named: [{ words: "fifteen two" }, { words: "run of three is five" }] }),
    "fifteen two, run of three is five",
  );
  likes.parlett = true;
  assert.equal(saidOf({ ...counted, named: [] }), "fifteen two, three-four-five");
  likes.parlett = false;
  assert.equal(saidOf({ points: 0, scores: [], spoken: [], named: [] }), "nothing");
});

test("R50 R55 R57 a card lets a claim stand only where the reader plays the next one", () => {
  const at = (more) =>
    follows({
      seat: 0,
      turn: 1,
      rules: { seats: 2, one_count: false },
      held: [2, 2],
      gone: [],
      count: 20,
      hand: ["5H", "KH"],
      ...more,
    });
  assert.ok(at({}));
  assert.ok(!at({ hand: ["KH"], count: 22 }), "nothing that fits: a go");
  assert.ok(at({ hand: ["KH"], count: 31 }), "after 31 a new count begins");
  assert.ok(!at({ rules: { seats: 2, one_count: true }, count: 31 }), "R105: with one count the play is over");
  assert.ok(at({ gone: [0] }), "who has gone leads the next count, if the other is out too");
  assert.ok(!at({ gone: [0], hand: [], held: [0, 2] }), "who has gone and holds nothing plays no more");
  assert.ok(!at({ gone: [0], rules: { seats: 2, one_count: true } }), "R105: there is no next count");
  assert.ok(
    !at({ seat: 2, gone: [2], rules: { seats: 3, one_count: false }, held: [2, 2, 2] }),
    "among three it is not known who leads",
  );
  assert.ok(at({ held: [2, 0] }));
  assert.ok(!at({ held: [0, 2], hand: [] }));
  assert.ok(
    !at({ seat: 2, rules: { seats: 3, one_count: false }, turn: 0, held: [2, 2, 2] }),
    "another player sits between",
  );
  assert.ok(at({ seat: 2, rules: { seats: 3, one_count: false }, turn: 0, held: [2, 0, 2] }));
  assert.deepEqual(
    ["AH", "JH"].map((card) => fits({ seat: 0, gone: [], count: 22 }, card)),
    [true, false],
  );
  assert.ok(fits({ seat: 0, gone: [0], count: 22 }, "JH"), "R55: it lies on a count of its own");
});

test("a hand is held in order, and stays as it was dealt", () => {
  const hand = ["KH", "5S", "TC", "AD", "5C", "5H"];
  assert.deepEqual(handInOrder({ view: view({ hand }) }), ["AD", "5C", "5H", "5S", "TC", "KH"]);
  assert.equal(hand[0], "KH");
});
