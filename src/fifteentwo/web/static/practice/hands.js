// Hands for counting practice. Every second hand is dealt at random; the others show a pattern. A pattern seen s times
// and missed m times has the weight (m + 1) / (s + 2); at each new sighting older ones lose a tenth.

import { scoresOf } from "../check/count.js";
import { RANKS } from "../cards/deck.js";

const SUITS = "SHDC";
const FORGET = 0.9;
const TRIES = 400;
const DECK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const alike = (/** @type {string[]} */ cards) => cards.every((card) => card[1] === cards[0][1]);

/** @type {Record<string, (scores: Practice.Score[], dealt: Practice.Dealt) => boolean>} */
const SHOWS = {
  fifteens: (scores) => scores.filter(({ name }) => name === "fifteen").length > 2,
  long: (scores) => scores.some(({ name, cards }) => name === "fifteen" && cards.length > 3),
  royal: (scores) => scores.some(({ name }) => name === "pair_royal" || name === "double_pair_royal"),
  "double-run": (scores) => scores.filter(({ name }) => name === "run").length > 1,
  run: (scores) => scores.some(({ name, cards }) => name === "run" && cards.length > 3),
  flush: (scores) => scores.some(({ name }) => name === "flush"),
  "no-flush": (scores, { hand, crib }) => crib && alike(hand) && !scores.some(({ name }) => name === "flush"),
  nobs: (scores) => scores.some(({ name }) => name === "nobs"),
  nothing: (scores) => scores.length === 0,
};
export const PATTERNS = Object.keys(SHOWS);

/** @param {Practice.Dealt} dealt */
export const counts = ({ hand, starter, crib }) => scoresOf(hand, starter, crib);

/** Return the patterns of a hand. @param {Practice.Dealt} dealt @param {Practice.Score[]} [scores] */
export const patternsOf = (dealt, scores = counts(dealt)) => PATTERNS.filter((name) => SHOWS[name](scores, dealt));

/** Return the patterns of overlooked scores. @param {Practice.Dealt} dealt @param {Practice.Score[]} missed */
export function patternsMissed(dealt, missed) {
  const all = patternsOf(dealt);
  /** @type {Record<string, string[]>} */
  const of = {
    fifteen: ["fifteens", "long"],
    pair_royal: ["royal"],
    double_pair_royal: ["royal"],
    run: ["double-run", "run"],
    flush: ["flush"],
    nobs: ["nobs"],
    pair: [],
  };
  const names = new Set(missed.flatMap(({ name }) => of[name] ?? []));
  return all.filter((name) => names.has(name));
}

/** @param {Practice.Kept} kept @param {string[]} seen @param {string[]} missed @returns {Practice.Kept} */
export function remembered(kept, seen, missed) {
  /** @type {Practice.Kept} */
  const after = { ...kept };
  for (const name of seen) {
    const [before, wrong] = after[name] ?? [0, 0];
    after[name] = [before * FORGET + 1, wrong * FORGET + (missed.includes(name) ? 1 : 0)];
  }
  return after;
}

/** Return the weight of a pattern. @param {Practice.Kept} kept @param {string} name */
export function weightOf(kept, name) {
  const [seen, missed] = kept[name] ?? [0, 0];
  return (missed + 1) / (seen + 2);
}

/** Return the patterns that were missed, most often first. @param {Practice.Kept} kept */
export const weakest = (kept) =>
  PATTERNS.filter((name) => (kept[name]?.[1] ?? 0) > 0.3).sort(
    (one, other) => weightOf(kept, other) - weightOf(kept, one),
  );

/** @param {Practice.Kept} kept @param {Practice.Chance} [chance] @returns {Practice.Dealt} */
export function nextHand(kept, chance = Math.random) {
  if (chance() < 0.5) return asDealt(chance);
  const sum = PATTERNS.reduce((total, name) => total + weightOf(kept, name), 0);
  let left = chance() * sum;
  const wanted = PATTERNS.find((name) => {
    left -= weightOf(kept, name);
    return left < 0;
  });
  return showing(wanted ?? PATTERNS[0], chance);
}

/** Return a hand that shows a pattern. @param {string} wanted @param {Practice.Chance} [chance] @returns {Practice.Dealt} */
export function showing(wanted, chance = Math.random) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const made = likely(wanted, chance);
    if (SHOWS[wanted](counts(made), made)) return made;
  }
  return asDealt(chance);
}

/** Keep the best four of six cards, or return a crib. @param {Practice.Chance} chance */
function asDealt(chance) {
  const [starter, ...six] = drawn(7, chance);
  if (chance() < 0.25) return { hand: six.slice(0, 4), starter, crib: true };
  let best = { hand: six.slice(0, 4), starter, crib: false };
  let most = -1;
  for (let one = 0; one < 6; one += 1) {
    for (let other = one + 1; other < 6; other += 1) {
      const dealt = { hand: six.filter((_, at) => at !== one && at !== other), starter, crib: false };
      const points = counts(dealt).reduce((sum, score) => sum + score.points, 0);
      if (points > most) [best, most] = [dealt, points];
    }
  }
  return best;
}

/** @param {string} wanted @param {Practice.Chance} chance @returns {Practice.Dealt} */
function likely(wanted, chance) {
  const any = (/** @type {string} */ from) => from[Math.floor(chance() * from.length)];
  const suit = any(SUITS);
  const low = Math.floor(chance() * 10);
  const rank = any(RANKS);
  /** @type {Record<string, () => string[]>} */
  const start = {
    fifteens: () => among((card) => card[0] === "5" || "67894TJQK".includes(card[0]), 4, chance),
    long: () => among((card) => "A234567".includes(card[0]), 4, chance),
    royal: () => among((card) => card[0] === rank, 3, chance),
    "double-run": () => [...RANKS.slice(low, low + 3)].map((one) => one + any(SUITS)),
    run: () => [...RANKS.slice(low, low + 4)].map((one) => one + any(SUITS)),
    flush: () => among((card) => card[1] === suit, 4, chance),
    "no-flush": () => among((card) => card[1] === suit, 4, chance),
    nobs: () => [`J${suit}`],
    nothing: () => [],
  };
  const first = start[wanted]();
  if (wanted === "flush" || wanted === "no-flush")
    return { hand: first, starter: without(first, chance, 1)[0], crib: wanted === "no-flush" };
  if (wanted === "nobs") {
    const starter = among((card) => card[1] === suit && card !== first[0], 1, chance)[0];
    return {
      hand: mixed([...first, ...without([...first, starter], chance, 3)], chance),
      starter,
      crib: chance() < 0.25,
    };
  }
  const five = mixed([...first, ...without(first, chance, 5 - first.length)], chance);
  return { hand: five.slice(0, 4), starter: five[4], crib: chance() < 0.25 };
}

/** @param {(card: string) => boolean} wanted @param {number} many @param {Practice.Chance} chance */
const among = (wanted, many, chance) => mixed(DECK.filter(wanted), chance).slice(0, many);
/** @param {string[]} taken @param {Practice.Chance} chance @param {number} many */
const without = (taken, chance, many) => among((card) => !taken.includes(card), many, chance);
/** @param {number} many @param {Practice.Chance} chance */
const drawn = (many, chance) => mixed(DECK, chance).slice(0, many);

/** Shuffle cards. @param {string[]} cards @param {Practice.Chance} chance */
function mixed(cards, chance) {
  const order = [...cards];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(chance() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}
