// A claim being put together: as a number, digit by digit, or from scoring cards. Independent of the page.

import { RANKS, countsFor, toggled } from "../../cards/deck.js";

export const MOST = 29;

/** @type {Claims.Item[]} */
const ALIKE = [
  ["pair", 2],
  ["pair_royal", 6],
  ["double_pair_royal", 12],
];

/**
 * Return the scores of exactly these cards. Other scores of the hand are not considered, so that nothing overlooked is
 * revealed.
 * @param {string[]} chosen @param {Claims.Hand} hand @param {string} starter @returns {Claims.Item[]}
 */
export function makes(chosen, { cards, crib }, starter) {
  /** @type {Claims.Item[]} */
  const made = [];
  const many = chosen.length;
  const ranks = chosen.map((card) => RANKS.indexOf(card[0])).sort((one, other) => one - other);
  const suits = new Set(chosen.map((card) => card[1]));
  if (chosen.reduce((sum, card) => sum + countsFor(card), 0) === 15) made.push(["fifteen", 2]);
  if (many > 1 && ranks[0] === ranks[many - 1]) made.push(ALIKE[many - 2]);
  if (many > 2 && ranks.every((rank, at) => rank === ranks[0] + at)) made.push(["run", many]);
  const whole = cards.every((card) => chosen.includes(card)) && (!crib || chosen.includes(starter));
  if (whole && suits.size === 1) made.push(["flush", many]);
  if (many === 1 && chosen[0] === `J${starter[1]}` && chosen[0] !== starter) made.push(["nobs", 1]);
  return made;
}

/** @type {Claims.Tally} */
export const NOTHING = { sum: 0, items: [], chosen: [], no: "" };

/** Return a tally with this sum. @param {number} sum @returns {Claims.Tally} */
export const tallyOf = (sum) => ({ ...NOTHING, sum: Math.min(Math.max(sum, 0), MOST) });

/** Add a card to the chosen cards, or remove it. @param {Claims.Tally} tally @param {string} card @returns {Claims.Tally} */
export const choosing = (tally, card) => ({
  ...tally,
  no: "",
  chosen: toggled(tally.chosen, card),
});

/** @param {Claims.Tally} tally @param {Claims.Hand} hand @param {string} starter @returns {Claims.Tally} */
export function counting({ sum, items, chosen }, hand, starter) {
  const cards = [...chosen].sort().join(" ");
  const made = makes(chosen, hand, starter);
  const more = made.filter(([name]) => !items.some((one) => one.cards === cards && one.item[0] === name));
  let total = sum;
  const counted = more.map((item) => {
    total = Math.min(total + item[1], MOST);
    return { item, sum: total, cards };
  });
  return {
    sum: total,
    items: [...items, ...counted],
    chosen: [],
    no: more.length ? "" : made.length ? "claimed" : "none",
  };
}

/** Append a digit, or start again if the number becomes too large. @param {Claims.Tally} tally @param {number} digit */
export function typing({ sum, items }, digit) {
  const longer = items.length ? digit : sum * 10 + digit;
  return tallyOf(longer > MOST ? digit : longer);
}
