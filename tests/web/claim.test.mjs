// Putting a claim together (R93), and what the middle of the table shows meanwhile.
import assert from "node:assert/strict";
import test from "node:test";
import { isWrong, opened, stageOf, whose } from "../../src/fifteentwo/web/static/play/state.js";
import { handInOrder } from "../../src/fifteentwo/web/static/play/hand/hand.js";
import { fits, follows } from "../../src/fifteentwo/web/static/play/claims/card-and-claim.js";
import { likes } from "../../src/fifteentwo/web/static/settings/settings.js";
import { saidOf } from "../../src/fifteentwo/web/static/play/stage/show.js";
import {
  MOST,
  NOTHING,
  choosing,
  counting,
  makes,
  tallyOf,
  typing,
} from "../../src/fifteentwo/web/static/play/claims/tally.js";
import { useWords } from "../../src/fifteentwo/web/static/text.js";

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

const hand = { cards: ["5H", "5S", "6D", "JC"], crib: false };
const of = (cards, more = {}) => makes(cards.split(" "), { ...hand, ...more }, "4C").map(([name, n]) => `${name} ${n}`);

test("R81 to R87 cards make what they make by themselves, whatever else there is", () => {
  assert.deepEqual(of("5H JC"), ["fifteen 2"]);
  assert.deepEqual(of("5H 5S"), ["pair 2"]);
  assert.deepEqual(of("4C 5H 6D"), ["fifteen 2", "run 3"]);
  assert.deepEqual(of("6D 7D 8D"), ["run 3"], "three of a run of four are a run of three");
  assert.deepEqual(of("5H 5S 5D"), ["fifteen 2", "pair_royal 6"]);
  assert.deepEqual(of("6H 6S 6D 6C"), ["double_pair_royal 12"]);
  assert.deepEqual(of("JC"), ["nobs 1"]);
  assert.deepEqual(of("JD"), []);
  assert.deepEqual(of("5H 6D"), []);
  assert.deepEqual(makes(["JC"], hand, "JC"), [], "R88: the starter is no nobs");
});

test("R85 R86 a flush takes all cards of the hand, and in the crib the starter as well", () => {
  const flush = ["2H", "4H", "8H", "KH"];
  assert.deepEqual(of("2H 4H 8H KH", { cards: flush }), ["flush 4"]);
  assert.deepEqual(of("2H 4H 8H", { cards: flush }), []);
  assert.deepEqual(of("2H 4H 8H KH", { cards: flush, crib: true }), []);
  assert.deepEqual(makes([...flush, "QH"], { cards: flush, crib: true }, "QH"), [["flush", 5]]);
  assert.deepEqual(of("2H 4H KH", { cards: ["2H", "4H", "KH"] }), ["flush 3"], "R103: three cards in five-card");
});

test("chosen cards are counted once, and a number instead forgets them", () => {
  const count = (tally, ...cards) => counting(cards.reduce(choosing, tally), hand, "4C");
  const two = count(NOTHING, "5H", "JC");
  assert.equal(two.sum, 2);
  assert.deepEqual(two.chosen, []);
  assert.deepEqual([count(two, "JC", "5H").sum, count(two, "JC", "5H").no], [2, "claimed"]);
  assert.deepEqual([count(two, "6D", "JC").sum, count(two, "6D", "JC").no], [2, "none"]);
  assert.equal(count(two, "5S", "JC").sum, 4);
  assert.deepEqual(
    count(two, "4C", "5H", "6D").items.map(({ sum }) => sum),
    [2, 4, 7],
  );
  assert.deepEqual(choosing(choosing(NOTHING, "5H"), "5H"), NOTHING, "a second touch lets it go");
  assert.deepEqual(typing(two, 3), tallyOf(3));
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
  useWords({ own: "Your crib", other: "{name}'s crib" });
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
  useWords(
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
      hand_sizes: [2, 2],
      said_go: [],
      count: 20,
      hand: ["5H", "KH"],
      ...more,
    });
  assert.ok(at({}));
  assert.ok(!at({ hand: ["KH"], count: 22 }), "nothing that fits: a go");
  assert.ok(at({ hand: ["KH"], count: 31 }), "after 31 a new count begins");
  assert.ok(!at({ rules: { seats: 2, one_count: true }, count: 31 }), "R105: with one count the play is over");
  assert.ok(at({ said_go: [0] }), "who has gone leads the next count, if the other is out too");
  assert.ok(!at({ said_go: [0], hand: [], hand_sizes: [0, 2] }), "who has gone and holds nothing plays no more");
  assert.ok(!at({ said_go: [0], rules: { seats: 2, one_count: true } }), "R105: there is no next count");
  assert.ok(
    !at({ seat: 2, said_go: [2], rules: { seats: 3, one_count: false }, hand_sizes: [2, 2, 2] }),
    "among three it is not known who leads",
  );
  assert.ok(at({ hand_sizes: [2, 0] }));
  assert.ok(!at({ hand_sizes: [0, 2], hand: [] }));
  assert.ok(
    !at({ seat: 2, rules: { seats: 3, one_count: false }, turn: 0, hand_sizes: [2, 2, 2] }),
    "another player sits between",
  );
  assert.ok(at({ seat: 2, rules: { seats: 3, one_count: false }, turn: 0, hand_sizes: [2, 0, 2] }));
  assert.deepEqual(
    ["AH", "JH"].map((card) => fits({ seat: 0, said_go: [], count: 22 }, card)),
    [true, false],
  );
  assert.ok(fits({ seat: 0, said_go: [0], count: 22 }, "JH"), "R55: it lies on a count of its own");
});

test("a hand is held in order, and stays as it was dealt", () => {
  const hand = ["KH", "5S", "TC", "AD", "5C", "5H"];
  assert.deepEqual(handInOrder({ view: view({ hand }) }), ["AD", "5C", "5H", "5S", "TC", "KH"]);
  assert.equal(hand[0], "KH");
});
