// A claim put together before it is made: all at once, digit by digit, or item by item. No page in here.

/** @typedef {[name: string, points: number]} Item what may be counted, and for how much */
/** @typedef {{item: Item, sum: number}} Counted an item counted, and the sum with it */
/** @typedef {{sum: number, items: Counted[]}} Tally */

export const MOST = 29;
// Short names first, so that the buttons fill their rows.
/** @type {Item[]} */
const ROYALS = [
  ["pair_royal", 6],
  ["double_pair_royal", 12],
];
/** @type {Record<"play" | "hand" | "short" | "crib", Item[]>} */
const ITEMS = {
  play: [
    ["fifteen", 2],
    ["thirty_one", 2],
    ["pair", 2],
    ["run", 3],
    ["run", 4],
    ["run", 5],
    ["run", 6],
    ["run", 7],
    ...ROYALS,
  ],
  hand: [
    ["fifteen", 2],
    ["pair", 2],
    ["run", 3],
    ["run", 4],
    ["run", 5],
    ["nobs", 1],
    ["flush", 4],
    ["flush", 5],
    ...ROYALS,
  ],
  short: [["fifteen", 2], ["pair", 2], ["run", 3], ["run", 4], ["nobs", 1], ["flush", 3], ["flush", 4], ...ROYALS],
  crib: [["fifteen", 2], ["pair", 2], ["run", 3], ["run", 4], ["run", 5], ["nobs", 1], ["flush", 5], ...ROYALS],
};

/**
 * What may be counted: in pegging where no hand is open, else in a hand, a hand of three, or a crib.
 * @param {{crib: boolean, cards: string[]} | null} show
 */
export const itemsOf = (show) =>
  ITEMS[!show ? "play" : show.crib ? "crib" : show.cards.length === 3 ? "short" : "hand"];

/** @type {Tally} */
export const NOTHING = { sum: 0, items: [] };

/** All at once. @param {number} sum @returns {Tally} */
export const tallyOf = (sum) => ({ sum: Math.min(Math.max(sum, 0), MOST), items: [] });

/** One item more. @param {Tally} tally @param {Item} item @returns {Tally} */
export function counting({ sum, items }, item) {
  const more = sum + item[1];
  return { sum: more, items: [...items, { item, sum: more }] };
}

/**
 * Digits typed one after the other make the number; a number too large starts again.
 * @param {Tally} tally @param {number} digit
 */
export function typing({ sum, items }, digit) {
  const longer = items.length ? digit : sum * 10 + digit;
  return tallyOf(longer > MOST ? digit : longer);
}

/** How often an item has been counted. @param {Tally} tally @param {Item} item */
export const times = ({ items }, [name, points]) =>
  items.filter(({ item }) => item[0] === name && item[1] === points).length;
