// Count a hand in the browser when the server cannot be reached. Results, order and words equal those of rules/show.py
// and server/study/hand_count.py; tests/web/count.test.mjs compares them.

import { nothingInHand } from "./nothing.js";
import { RANKS } from "../cards/deck.js";
import { text } from "../text.js";
import { scoreName } from "../scores.js";

/** @typedef {Pick<Wire.CountedScore, "name" | "cards" | "points" | "rule">} Score */

/** @type {Record<string, string>} */
const SUITS = { S: "S", H: "H", D: "D", C: "C", "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
/** @type {[name: "pair" | "pair_royal" | "double_pair_royal", points: number][]} by how many are alike, from two */
const PAIRS = [
  ["pair", 2],
  ["pair_royal", 6],
  ["double_pair_royal", 12],
];
/** @type {Record<string, Score["name"][]>} */
const PARTS = { fifteens: ["fifteen"], pairs: PAIRS.map(([name]) => name), runs: ["run"], flush: ["flush"] };
/** Names of runs with pairs, by length and number of runs (R84). @type {Record<string, [string, number]>} */
const SHAPES = {
  "3:": ["run_of_three", 3],
  "4:": ["run_of_four", 4],
  "5:": ["run_of_five", 5],
  "3:2": ["double_run_of_three", 8],
  "4:2": ["double_run_of_four", 10],
  "3:3": ["triple_run_of_three", 15],
  "3:2,2": ["quadruple_run_of_three", 16],
};

const rankOf = (/** @type {string} */ card) => RANKS.indexOf(card[0]) + 1;
const indexOf = (/** @type {string} */ card) => rankOf(card) * 4 + "SHDC".indexOf(card[1]);
const countOf = (/** @type {string} */ card) => Math.min(rankOf(card), 10);

/** Read cards as commonly written, 5H or ♥5. Return null for an invalid or repeated card. @param {string} written */
function cardsIn(written) {
  const found = written
    .replaceAll(",", " ")
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      const typed = word
        .toUpperCase()
        .replace("10", "T")
        .replace(/\uFE0F/g, "");
      const [rank, suit] = SUITS[typed[0]] && !SUITS[typed[1]] ? [typed[1], typed[0]] : [typed[0], typed[1]];
      return typed.length === 2 && RANKS.includes(rank) && SUITS[suit] ? rank + SUITS[suit] : null;
    });
  const cards = found.filter((card) => card !== null);
  return cards.length === found.length && new Set(cards).size === cards.length ? cards : null;
}

/** Return all combinations with one item of each list. @param {string[][]} lists @returns {string[][]} */
const choices = (lists) =>
  lists.reduce((/** @type {string[][]} */ ways, list) => ways.flatMap((way) => list.map((one) => [...way, one])), [[]]);

/** @param {string[]} together @returns {Score[]} */
function fifteens(together) {
  /** @type {[number, string[]][]} */
  let sums = [[0, []]];
  for (const card of together) {
    sums = [
      ...sums,
      ...sums.flatMap(([total, chosen]) =>
        total + countOf(card) <= 15
          ? [/** @type {[number, string[]]} */ ([total + countOf(card), [...chosen, card]])]
          : [],
      ),
    ];
  }
  const made = sums.filter(([total]) => total === 15).map(([, chosen]) => chosen);
  return made.sort((a, b) => a.length - b.length).map((cards) => ({ name: "fifteen", cards, points: 2, rule: "R81" }));
}

/** @param {string[][]} ranks @returns {Score[]} */
const pairs = (ranks) =>
  ranks.flatMap((cards) => {
    const pair = PAIRS[cards.length - 2];
    return pair ? [{ name: pair[0], cards, points: pair[1], rule: "R82" }] : [];
  });

/** @param {string[][]} ranks ascending @returns {Score[]} */
function runs(ranks) {
  /** @type {string[][]} */
  let follow = [];
  /** @type {Score[]} */
  const found = [];
  for (const alike of [...ranks, []]) {
    if (!alike.length || !follow.length || rankOf(alike[0]) !== rankOf(follow[follow.length - 1][0]) + 1) {
      if (follow.length >= 3)
        found.push(
          ...choices(follow).map(
            (cards) => /** @type {Score} */ ({ name: "run", cards, points: cards.length, rule: "R83" }),
          ),
        );
      follow = [];
    }
    follow.push(alike);
  }
  return found;
}

/**
 * @param {string[]} hand @param {string | null} starter null if only the hand counts @param {boolean} crib
 * @returns {Score[]}
 */
function flush(hand, starter, crib) {
  if (hand.some((card) => card[1] !== hand[0][1])) return [];
  const rule = crib ? "R86" : hand.length === 4 ? "R85" : "R103";
  if (starter && starter[1] === hand[0][1])
    return [{ name: "flush", cards: [...hand, starter], points: hand.length + 1, rule }];
  return crib ? [] : [{ name: "flush", cards: [...hand], points: hand.length, rule }];
}

/** @param {string[]} hand @param {string} starter @returns {Score[]} */
const nobs = (hand, starter) =>
  hand
    .filter((card) => card === `J${starter[1]}`)
    .map((card) => ({ name: "nobs", cards: [card], points: 1, rule: "R87" }));

/** Return every score in counting order (R93). @param {string[]} hand @param {string} starter @param {boolean} crib */
export function scoresOf(hand, starter, crib) {
  const ranks = byRank([...hand, starter]);
  return [
    ...fifteens(ranks.flat()),
    ...pairs(ranks),
    ...runs(ranks),
    ...flush(hand, starter, crib),
    ...nobs(hand, starter),
  ];
}

/** Group cards by rank, lowest first. @param {string[]} cards */
function byRank(cards) {
  /** @type {Map<number, string[]>} */
  const ranks = new Map();
  for (const card of [...cards].sort((a, b) => indexOf(a) - indexOf(b)))
    ranks.set(rankOf(card), [...(ranks.get(rankOf(card)) ?? []), card]);
  return [...ranks.values()];
}

/** @param {string[]} cards @returns {Wire.Shape | null} */
function shapeOf(cards) {
  for (const length of [5, 4, 3]) {
    for (let lowest = 1; lowest <= 14 - length; lowest += 1) {
      const copies = Array.from({ length }, (_, i) => cards.filter((card) => rankOf(card) === lowest + i).length).sort(
        (a, b) => a - b,
      );
      if (copies[0] === 0) continue;
      const shape = SHAPES[`${length}:${copies.filter((n) => n > 1)}`];
      return shape ? { name: shape[0], label: text(`shape.${shape[0]}`), points: shape[1] } : null;
    }
  }
  return null;
}

/** @param {Score[]} scores @returns {Wire.CountedScore[]} */
function spokenOf(scores) {
  let total = 0;
  return scores.map((score) => {
    const before = total;
    total += score.points;
    const number = (/** @type {number} */ n) => text(`number.${n}`);
    const numbers = Array.from({ length: score.points }, (_, i) => number(before + 1 + i));
    const counted = numbers.join(numbers.some((one) => one.includes("-")) ? ", " : "-");
    const key = score.name === "nobs" && !before ? "spoken.nobs.alone" : `spoken.${score.name}`;
    return { ...score, label: scoreName(score), total, spoken: text(key, { total: number(total), counted }) };
  });
}

/** Return the scores as learners count them. @param {Score[]} scores @returns {Wire.NamedScore[]} */
function namedOf(scores) {
  const fifteens = scores.filter(({ name }) => name === "fifteen");
  const runs = scores.filter(({ name }) => name === "run");
  const inRuns = new Set(runs.flatMap(({ cards }) => cards));
  const pairs = scores.filter(({ name, cards }) => PARTS.pairs.includes(name) && cards.every((one) => inRuns.has(one)));
  const rest = scores.filter((score) => ![...fifteens, ...runs, ...pairs].includes(score));
  let total = 0;
  return [
    ...fifteens.map((one) => [one]),
    ...(runs.length ? [[...runs, ...pairs]] : []),
    ...rest.map((one) => [one]),
  ].map((group) => {
    const points = group.reduce((sum, one) => sum + one.points, 0);
    total += points;
    const cards = byRank([...new Set(group.flatMap((one) => one.cards))]).flat();
    const shape = group.length > 1 ? shapeOf(cards) : null;
    const label = shape?.label ?? scoreName(group[0]);
    const key = group[0].name === "fifteen" ? "spoken.fifteen" : "spoken.is";
    const words = text(key, { what: label, total: text(`number.${total}`) });
    return { name: shape?.name ?? group[0].name, label, cards, points, words };
  });
}

/** Return what the server would answer, or null. @param {URLSearchParams} asked @returns {Wire.Count | null} */
export function counted(asked) {
  const part = asked.get("part") ?? "";
  const hand = cardsIn(asked.get("hand") ?? "");
  if (!hand) return null;
  if (PARTS[part]) {
    if (hand.length < 2 || hand.length > 5) return null;
    const all = part === "flush" ? flush(hand, null, false) : scoresOf(hand.slice(0, -1), hand[hand.length - 1], false);
    return whole({
      hand,
      starter: null,
      crib: false,
      five: false,
      part,
      ...inWords(all.filter(({ name }) => PARTS[part].includes(name))),
      shape: null,
      nothing: [],
    });
  }
  const [starter, ...more] = cardsIn(asked.get("starter") ?? "") ?? [];
  const yes = (/** @type {string} */ name) => ["1", "yes", "true", "on"].includes(asked.get(name) ?? "");
  const [crib, five] = [yes("crib"), yes("five")];
  const sizes = crib ? [4] : five ? [3] : [3, 4];
  if (!starter || more.length || hand.includes(starter) || !sizes.includes(hand.length)) return null;
  const scores = scoresOf(hand, starter, crib);
  return whole({
    hand,
    starter,
    crib,
    five: hand.length === 3,
    part: null,
    ...inWords(scores),
    shape: shapeOf([...hand, starter]),
    nothing: scores.length ? [] : nothingInHand(hand, starter, crib),
  });
}

/** @param {Score[]} scores */
const inWords = (scores) => ({ scores: spokenOf(scores), named: namedOf(scores) });

/** @param {Omit<Wire.Count, "points">} count @returns {Wire.Count} */
const whole = (count) => ({ ...count, points: count.scores.reduce((sum, { points }) => sum + points, 0) });
