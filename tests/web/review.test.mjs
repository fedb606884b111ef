// The review: pictures unfolded, choices and losses, the course and its turning points, a record in an address, lines.
import assert from "node:assert/strict";
import test from "node:test";
import { choiceKey, keepAnswered } from "../../src/fifteentwo/web/static/seen-answers.js";
import { chanceAt, courseOf, turningPoints } from "../../src/fifteentwo/web/static/review/course.js";
import { linesOf } from "../../src/fifteentwo/web/static/review/lines.js";
import {
  carriesRecord,
  fragmentAt,
  fragmentOf,
  moveOf,
  recordOf,
} from "../../src/fifteentwo/web/static/review/link.js";
import { Reviewed } from "../../src/fifteentwo/web/static/review/reviewed.js";
import { screensOf } from "../../src/fifteentwo/web/static/review/screens.js";
import {
  accuracyOf,
  cardsOf,
  choiceOf,
  cost,
  costliest,
  lossOf,
  marksOf,
  momentOf,
  unfold,
  viewFrom,
} from "../../src/fifteentwo/web/static/review/story.js";
import { text } from "../../src/fifteentwo/web/static/text.js";

const DISCARD = {
  kind: "discard",
  step: 4,
  deal: 1,
  seat: 0,
  hand: ["5H", "5S", "6D", "7C", "JC", "KD"],
  card: null,
  chosen: "6D 7C",
  best: "JC KD",
  mark: "blunder",
  loss_win: 0.04,
  loss_points: 2,
  options: [
    { choice: "JC KD", points: 9, win: 0.6 },
    { choice: "6D 7C", points: 7, win: 0.56 },
    { choice: "5H 5S", points: 9.5, win: 0.5 },
  ],
};
const CARD = {
  kind: "play",
  step: 6,
  deal: 1,
  seat: 1,
  hand: ["4H", "4S", "TD"],
  card: "4S",
  chosen: "4",
  best: "T",
  mark: "small",
  loss_win: null,
  loss_points: 0.5,
  options: [
    { choice: "T", points: 1, win: null },
    { choice: "4", points: 0.5, win: null },
  ],
};

test("pictures are what changed since the one before", () => {
  const pictures = unfold([{ count: 0, front: [0, 0] }, { count: 7 }, { front: [0, 2] }]);
  assert.deepEqual(pictures, [
    { count: 0, front: [0, 0] },
    { count: 7, front: [0, 0] },
    { count: 7, front: [0, 2] },
  ]);
});

test("a seat sees its own cards of a picture, and the table", () => {
  const picture = {
    count: 3,
    hands: [["5H"], ["6S"]],
    hands_kept: [["5H", "2C"], ["6S"]],
    discarded: [[], ["KD"]],
    crib: ["KD"],
  };
  assert.deepEqual(viewFrom(picture, 1), { count: 3, seat: 1, hand: ["6S"], kept: ["6S"], discarded: ["KD"] });
});

test("a moment is found by any action it spans, and by the first where several share one", () => {
  const moments = [
    [0, 3],
    [4, 5],
    [6, 6],
    [7, 7],
    [7, 7],
    [8, 8],
  ].map(([first, last]) => ({ first, last }));
  assert.deepEqual(
    [0, 3, 4, 5, 6, 7, 8, 99].map((step) => momentOf(moments, step)),
    [0, 0, 1, 1, 2, 3, 5, 5],
  );
});

test("choices are found by their cards in any order, and nothing else is one", () => {
  assert.equal(choiceOf(DISCARD, ["KD", "JC"])?.win, 0.6);
  assert.equal(choiceOf(DISCARD, ["KD"]), undefined);
  assert.equal(choiceOf(DISCARD, ["KD", "6D"]), undefined);
  assert.equal(choiceOf(CARD, ["4H"])?.points, 0.5);
  assert.equal(choiceOf(CARD, []), undefined);
  assert.deepEqual(cardsOf(DISCARD, "6D 7C"), ["6D", "7C"]);
  assert.deepEqual(cardsOf(CARD, "4"), ["4S"]);
  assert.deepEqual(cardsOf(CARD, "T"), ["TD"]);
});

test("losses are against the best; points that win less are a gain of points all the same", () => {
  const { win, points } = lossOf(DISCARD, DISCARD.options[2]);
  assert.ok(Math.abs(win - 0.1) < 1e-9);
  assert.equal(points, -0.5);
  assert.deepEqual(lossOf(CARD, CARD.options[1]), { win: null, points: 0.5 });
  const shown = lossOf({ options: [{ points: 4.806, win: 0.29449 }] }, { points: 0.293, win: 0.25251 });
  assert.equal((100 * shown.win).toFixed(1), "4.1", "29.4 − 25.3");
  assert.equal(shown.points, 4.52, "4.81 − 0.29");
  assert.equal(cost({ ...DISCARD, chosen: "JC KD" }), 0, "the best costs nothing, whatever makes more points");
});

test("the costliest come first, those without a chance after those with one", () => {
  const small = { ...DISCARD, loss_win: 0.005, mark: "small" };
  const fine = { ...DISCARD, mark: null };
  assert.deepEqual(costliest([CARD, small, fine, DISCARD]), [DISCARD, small, CARD]);
  assert.deepEqual(costliest([CARD, small, DISCARD], 1), [CARD]);
  assert.deepEqual(marksOf([CARD, small, fine, DISCARD], 0), { small: 1, mistake: 0, blunder: 1 });
});

const course = (...wins) => wins.map((win, step) => ({ step, deal: 1 + Math.floor(step / 4), win }));

test("the course begins even, has one point an action and is turned round for the other side", () => {
  const points = [
    { step: 3, deal: 1, win: 0.6 },
    { step: 5, deal: 1, win: 0.4 },
    { step: 3, deal: 1, win: 0.7 },
  ];
  assert.deepEqual(
    courseOf(points, 0).map(({ win }) => win),
    [0.5, 0.7, 0.4],
  );
  assert.deepEqual(
    courseOf(points, 1).map(({ win }) => Math.round(win * 10) / 10),
    [0.5, 0.3, 0.6],
  );
  assert.equal(chanceAt(courseOf(points, 0), 4), 0.7);
  assert.equal(chanceAt([], 4), 0.5);
});

test("turning points are the heights and depths between swings", () => {
  assert.deepEqual(turningPoints([]), []);
  assert.deepEqual(turningPoints(course(0.5, 0.6, 0.7, 0.9, 1)), [], "one way up turns nowhere");
  assert.deepEqual(turningPoints(course(0.5, 0.55, 0.5, 0.48, 0.52)), [], "small moves are no swings");
  const there = turningPoints(course(0.5, 0.7, 0.9, 0.85, 0.5, 0.3, 0.4, 0.8, 1));
  assert.deepEqual(
    there.map(({ step, win }) => [step, win]),
    [
      [2, 0.9],
      [5, 0.3],
    ],
  );
  const dip = turningPoints(course(0.5, 0.2, 0.5, 1));
  assert.deepEqual(
    dip.map(({ win }) => win),
    [0.2],
  );
});

test("what happens to one seat is turned round in the other's course, turning points and all", () => {
  const points = course(0.7, 0.9, 0.5, 0.3, 0.8, 1);
  const [one, other] = [0, 1].map((seat) => turningPoints(courseOf(points, seat)));
  assert.deepEqual(
    one.map(({ step }) => step),
    other.map(({ step }) => step),
  );
});

test("a record comes back out of an address", async () => {
  const record = `fifteentwo record 1\nseat 0 愛子 🂡\n${"play 0 5H\n".repeat(300)}`;
  const fragment = await fragmentOf(record);
  assert.match(fragment, /^#record=[A-Za-z0-9_-]+$/);
  assert.ok(fragment.length < record.length / 4);
  assert.ok(carriesRecord(fragment));
  assert.equal(await recordOf(fragment), record);
});

test("an address that is damaged, foreign or unfolds to no end carries no record", async () => {
  const fragment = await fragmentOf("fifteentwo record 1\n".repeat(20));
  for (const wrong of [
    "",
    "#",
    "#moves",
    "#record=",
    "#record=%%%",
    "#record=AAAA",
    fragment.slice(0, -9),
    fragment.replace("=", "=zz"),
  ])
    assert.equal(await recordOf(wrong), null, wrong);
  const endless =
    (await new Response(
      new Blob([new Uint8Array(1 << 22)]).stream().pipeThrough(new CompressionStream("deflate-raw")),
    ).bytes?.()) ??
    new Uint8Array(
      await new Response(
        new Blob([new Uint8Array(1 << 22)]).stream().pipeThrough(new CompressionStream("deflate-raw")),
      ).arrayBuffer(),
    );
  const letters = Buffer.from(endless).toString("base64url");
  assert.ok(letters.length < 8000);
  assert.equal(await recordOf(`#record=${letters}`), null);
});

test("lines come whole however the bytes are cut", async () => {
  const bytes = new TextEncoder().encode('{"t":"ahead","d":1}\n{"t":"refused","d":"だめ"}\n\n{"t":"ahead","d":0}');
  for (const size of [1, 2, 7, 1000]) {
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, part) =>
      bytes.slice(part * size, (part + 1) * size),
    );
    const lines = [];
    for await (const line of linesOf(ReadableStream.from(parts))) lines.push(line.d);
    assert.deepEqual(lines, [1, "だめ", 0]);
  }
});

function begun() {
  const game = new Reviewed();
  const moments = [
    { first: 0, last: 3, deal: 1, before: 0, after: 0 },
    { first: 4, last: 4, deal: 1, before: 0, after: 1 },
    { first: 5, last: 5, deal: 1, before: 1, after: 1 },
    { first: 6, last: 6, deal: 1, before: 1, after: 2 },
  ];
  game.take({
    t: "story",
    d: { names: ["Aiko", "Ken"], moments, pictures: [{ dealer: 1, rules: { sides: 2, seats: 2 } }, {}, {}] },
  });
  return game;
}

test("decisions stand in order, and each is found at its moment", () => {
  const game = begun();
  for (const d of [DISCARD, CARD]) game.take({ t: "decision", d });
  assert.equal(game.decision, null);
  game.go(1);
  assert.equal(game.decision, DISCARD);
  assert.equal(game.ownCrib(DISCARD), false);
  assert.equal(game.nextMark(1), null, "the other seat's are not one's own");
  game.seat = 1;
  assert.equal(game.nextMark(1), CARD);
  game.go(99);
  assert.equal(game.at, 3);
  assert.equal(game.decision, CARD);
  assert.equal(game.nextMark(-1), null);
});

test("an address names a move, with a record or without", async () => {
  const record = await fragmentOf("fifteentwo record 1\n");
  assert.deepEqual([moveOf(""), moveOf("#move=12"), moveOf(`${record}&move=7`), moveOf(record)], [0, 12, 7, 0]);
  assert.deepEqual([fragmentAt("", 12), fragmentAt("#move=3", 1), fragmentAt(record, 1)], ["#move=12", "", record]);
  const moved = fragmentAt(fragmentAt(record, 5), 7);
  assert.equal(moved, `${record}&move=7`);
  assert.equal(await recordOf(moved), "fifteentwo record 1\n");
});

test("practically the best is what has no mark, of what could be got wrong", () => {
  const decisions = [
    { seat: 0, mark: null, obvious: false },
    { seat: 0, mark: "small", obvious: false },
    { seat: 0, mark: null, obvious: true },
    { seat: 1, mark: null, obvious: false },
  ];
  assert.deepEqual(accuracyOf(decisions, 0), { right: 1, of: 2 });
});

test("a race ends with the point that wins it, on a board of 31 holes", () => {
  const game = new Reviewed();
  game.race = [31, 20];
  const picture = (front) => ({ rules: { target: 61, sides: 2 }, front, rear: [0, 0] });
  const pictures = [
    [0, 0],
    [29, 20],
    [35, 20],
    [35, 33],
  ].map(picture);
  const moments = [0, 1, 2].map((n) => ({ first: n, last: n, deal: 1, before: n, after: n + 1 }));
  game.take({ t: "story", d: { names: ["Ada", "Bob"], pictures, moments } });
  for (const step of [0, 1, 2]) game.take({ t: "decision", d: { step, seat: 0 } });
  assert.equal(game.rules.target, 31);
  assert.deepEqual(
    game.moments.map(({ last }) => last),
    [0, 1],
  );
  assert.deepEqual(
    game.decisions.map(({ step }) => step),
    [0, 1],
  );
  assert.deepEqual(game.pictures[2].front, [31, 20]);
});

test("a choice whose answer the reader had seen is not praised", () => {
  const stored = new Map();
  globalThis.localStorage = { getItem: (name) => stored.get(name) ?? null, setItem: (...one) => stored.set(...one) };
  const game = new Reviewed();
  game.source = { table: "here", number: 1 };
  const picture = { dealer: 1, deal: 1, phase: "discard", hands: [DISCARD.hand, []], played: [], front: [0, 0] };
  const rules = { target: 121, sides: 2, seats: 2 };
  const pictures = [{ ...picture, rules, hands_kept: [[], []], discarded: [[], []], crib: [], won: {} }];
  game.take({
    t: "story",
    d: { names: ["Ada", "Bob"], pictures, moments: [{ first: 4, last: 4, before: 0, after: 0 }] },
  });
  const good = { chosen: DISCARD.best, mark: null, loss_win: 0, score: [0, 0], why: ["It keeps more."] };
  game.take({ t: "decision", d: { ...DISCARD, ...good } });
  game.take({ t: "whole", d: { by_chance: true, curve: [], seats: [{ result: 1, adjusted_result: 0.6 }] } });
  const praised = () => screensOf(game).find(({ kind }) => kind === "well").decision;
  assert.equal(praised()?.step, DISCARD.step);
  keepAnswered(choiceKey("elsewhere", { ...picture, hand: DISCARD.hand }));
  assert.equal(praised()?.step, DISCARD.step);
  keepAnswered(choiceKey("here", { ...picture, hand: [...DISCARD.hand].reverse() }));
  assert.equal(praised(), null);
  const hand = { counted: { seat: 0, crib: false, cards: ["5H", "JC"], starter: "QD", points: 4 }, deal: 1 };
  game.moments.push({ ...game.moments[0], ...hand });
  const { lines, shown } = screensOf(game).find(({ kind }) => kind === "well");
  const best = text("story.good.best-hand", { kept: "5♥ J♣", starter: "Q♦", n: 4 });
  assert.equal(lines.at(-1).replace(/\ufe0e/g, ""), best.replace(/\ufe0e/g, ""), "a good hand is named");
  assert.deepEqual(shown, { cards: ["5H", "JC"], starter: "QD" });
  delete globalThis.localStorage;
});
